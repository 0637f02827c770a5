//! Tests the compatibility of exports between releases. This release continues an export of an earlier release, and
//! rejects an export of a newer release.
//!
//! The checkpoint fixtures describe an export that has written the first 100 rows of [`list`]. The page fixture
//! contains the next page of this list. The file name of each fixture contains the format version.

use std::path::Path;

use crypto_intel::ErrorKind;
use crypto_intel_frames::Error;
use crypto_intel_frames::export::{Export, ExportExt, Outcome};
use serde_json::{Value, json};

use super::export::read_parquet;
use super::{list, stopped};

const CHECKPOINTS: [&str; 2] =
    [include_str!("checkpoint-v1.json"), include_str!("checkpoint-v2.json")];

const PAGE: &str = include_str!("page-v1.page");

fn export(client: &crypto_intel::Client, rows: u64) -> Export {
    list(client).export().max_rows(rows).rows_per_file(100).side_by_side(1).from_origin("sandbox")
}

/// Replaces the checkpoint of a folder by the checkpoint in `text`. The field `columns` is not replaced.
/// It depends on the current OpenAPI document, so its value in `text` may be outdated.
fn replace_checkpoint(folder: &Path, text: &str) {
    let path = folder.join("_checkpoint.json");
    let current: Value =
        serde_json::from_slice(&std::fs::read(&path).expect("a file")).expect("JSON");
    let mut replaced: Value = serde_json::from_str(text).expect("JSON");
    replaced["columns"] = current["columns"].clone();
    std::fs::write(path, replaced.to_string()).expect("a file");
}

fn write_page(folder: &Path, text: &str) {
    let pages = folder.join("_pages");
    std::fs::create_dir_all(&pages).expect("a folder");
    std::fs::write(pages.join("00000001.page"), text).expect("a file");
}

#[tokio::test(flavor = "multi_thread")]
async fn checkpoints_of_all_releases_are_continued() {
    for checkpoint in CHECKPOINTS {
        let (sandbox, client) = stopped().await;
        let folder = tempfile::tempdir().expect("a folder");
        export(&client, 100).to_folder(folder.path()).await.expect("an export");
        let _ = std::fs::remove_dir_all(folder.path().join("_pages"));
        replace_checkpoint(folder.path(), checkpoint);

        let requests = sandbox.requests_served();
        let report = export(&client, 250).to_folder(folder.path()).await.expect("an export");
        assert_eq!((report.outcome, report.rows, report.pages), (Outcome::RowLimit, 250, 3));
        assert_eq!(sandbox.requests_served() - requests, 2);
        let whole = tempfile::tempdir().expect("a folder");
        export(&client, 250).to_folder(whole.path()).await.expect("an export");
        assert!(read_parquet(folder.path()) == read_parquet(whole.path()), "the rows differ");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_all_releases_are_read() {
    let (sandbox, client) = stopped().await;
    let folder = tempfile::tempdir().expect("a folder");
    export(&client, 100).to_folder(folder.path()).await.expect("an export");
    replace_checkpoint(folder.path(), CHECKPOINTS[1]);
    write_page(folder.path(), PAGE);

    let requests = sandbox.requests_served();
    let report = export(&client, 103).to_folder(folder.path()).await.expect("an export");
    assert_eq!((report.rows, sandbox.requests_served()), (103, requests));
    assert_eq!(read_parquet(folder.path())[100]["close"], json!(17.5));
}

#[tokio::test(flavor = "multi_thread")]
async fn files_of_newer_releases_are_rejected() {
    let (sandbox, client) = stopped().await;
    let folder = tempfile::tempdir().expect("a folder");
    export(&client, 100).to_folder(folder.path()).await.expect("an export");
    let requests = sandbox.requests_served();

    let page = PAGE.replacen("\"version\":1", "\"version\":2", 1);
    write_page(folder.path(), &page);
    let outcome = export(&client, 250).to_folder(folder.path()).await;
    assert!(matches!(outcome, Err(Error::Place { .. })), "{outcome:?}");

    // The other fields of a newer format may be different.
    let newer = json!({ "version": 3, "rows": { "written": 100 } });
    std::fs::write(folder.path().join("_checkpoint.json"), newer.to_string()).expect("a file");
    let outcome = export(&client, 250).to_folder(folder.path()).await;
    assert!(
        matches!(&outcome, Err(Error::Place { reason, .. }) if reason.contains("format 3")),
        "{outcome:?}"
    );
    assert_eq!(sandbox.requests_served(), requests);
}

#[test]
fn resume_tokens_of_newer_releases_are_rejected() {
    let error = "v2|exchange-candles|0".parse::<crypto_intel::ResumeToken>().expect_err("newer");
    assert_eq!(error.kind(), ErrorKind::InvalidRequest);
    assert!(error.message().contains("newer release"), "{error}");
}
