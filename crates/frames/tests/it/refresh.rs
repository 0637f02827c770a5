//! Tests that an export rejects a folder with data from another source, such as another service URL. Also tests that a
//! complete export can be refreshed.

use std::path::Path;
use std::time::Duration;

use crypto_intel::Client;
use crypto_intel_frames::Error;
use crypto_intel_frames::export::object_store::memory::InMemory;
use crypto_intel_frames::export::{Export, ExportExt, Outcome};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::export::{files, read_parquet};
use super::{list, stopped, stopped_at};

/// Creates an export of [`list`]. All exports have the same data source name, so that an export can begin with one
/// sandbox and continue with another.
fn export(client: &Client, rows: u64) -> Export {
    list(client).export().max_rows(rows).rows_per_file(200).from_origin("sandbox")
}

/// Returns all rows of the Parquet files in a folder, as one text.
fn rows_of(folder: &Path) -> String {
    format!("{:?}", read_parquet(folder))
}

#[tokio::test(flavor = "multi_thread")]
async fn folder_rejects_data_of_another_service() {
    let ((_one, first), (second_sandbox, second)) = (stopped().await, stopped().await);
    let folder = tempfile::tempdir().expect("a folder");
    let export = |client: &Client| list(client).export().max_rows(150);

    export(&first).to_folder(folder.path()).await.expect("an export");
    let finished = export(&second).to_folder(folder.path()).await;
    let continued = export(&second).max_rows(250).to_folder(folder.path()).await;
    let refreshed = export(&second).refresh(true).to_folder(folder.path()).await;
    for outcome in [finished, continued, refreshed] {
        assert!(matches!(outcome, Err(Error::Place { .. })), "{outcome:?}");
    }
    assert_eq!(second_sandbox.requests_served(), 0);

    let file = std::fs::File::open(folder.path().join("part-00000.parquet")).expect("a file");
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet");
    let metadata = reader.metadata().file_metadata().key_value_metadata().expect("metadata");
    let origin = metadata.iter().find(|pair| pair.key == "crypto_intel.origin");
    assert_eq!(origin.and_then(|pair| pair.value.as_deref()), Some(first.base_url()));
}

#[tokio::test(flavor = "multi_thread")]
async fn origin_contains_no_credentials() {
    let (_sandbox, client) = stopped().await;
    let folder = tempfile::tempdir().expect("a folder");
    let options = crypto_intel::CallOptions::new().base_url("https://ann:secret@service.example/");
    let request = crypto_intel::Request::with_options(list(&client), options);
    request.export().to_folder(folder.path()).await.expect_err("an invalid URL");

    let text = std::fs::read_to_string(folder.path().join("_checkpoint.json")).expect("a file");
    assert!(text.contains("https://service.example\""), "{text}");
    assert!(!text.contains("secret") && !text.contains("ann"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn finished_export_reports_its_age_and_refresh_replaces_it() {
    let (parent, day) = (tempfile::tempdir().expect("a folder"), 86_400);
    let folder = parent.path().join("candles");
    let (sandbox, client) = stopped_at(1_780_000_000).await;
    let first = export(&client, 450).to_folder(&folder).await.expect("an export");
    assert_eq!((first.outcome, first.unchanged_since), (Outcome::RowLimit, None));

    let requests = sandbox.requests_served();
    let again = export(&client, 450).to_folder(&folder).await.expect("an export");
    let age = again.unchanged_since.expect("a time").elapsed().expect("in the past");
    assert!(age < Duration::from_secs(3_600), "{age:?}");
    assert_eq!(sandbox.requests_served(), requests);

    // The service has new rows a day later.
    let (_later_sandbox, later) = stopped_at(1_780_000_000 + day).await;
    let refreshed = export(&later, 300).refresh(true).to_folder(&folder).await.expect("an export");
    assert_eq!((refreshed.rows, refreshed.unchanged_since), (300, None));
    let undisturbed = parent.path().join("undisturbed");
    export(&later, 300).to_folder(&undisturbed).await.expect("an export");
    assert!(rows_of(&folder) == rows_of(&undisturbed), "the rows differ");
    assert_eq!(files(&folder), files(&undisturbed));
    assert_eq!(std::fs::read_dir(parent.path()).expect("a folder").count(), 2);

    // A second refresh replaces the first one, even if nothing has changed. It also removes the remaining files of a
    // refresh that was killed while it removed the replaced files.
    let rest = parent.path().join("__candles.refresh.removed");
    std::fs::create_dir(&rest).expect("a folder");
    std::fs::write(rest.join("part-00000.parquet"), "").expect("a file");
    let twice = export(&later, 300).refresh(true).to_folder(&folder).await.expect("an export");
    assert_eq!((twice.rows, twice.unchanged_since), (300, None));
    assert_eq!(std::fs::read_dir(parent.path()).expect("a folder").count(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn interrupted_refresh_keeps_the_earlier_files_and_continues() {
    let parent = tempfile::tempdir().expect("a folder");
    let folder = parent.path().join("candles");
    let (sandbox, client) = stopped().await;
    export(&client, 450).to_folder(&folder).await.expect("an export");
    let before = rows_of(&folder);

    let requests = sandbox.requests_served();
    let cut = export(&client, 300).side_by_side(1).max_time(Duration::ZERO).refresh(true);
    let cut = cut.to_folder(&folder).await.expect("an export");
    assert_eq!((cut.outcome, cut.rows), (Outcome::TimeLimit, 100));
    assert!(rows_of(&folder) == before, "the earlier rows have changed");

    let done = export(&client, 300).refresh(true).to_folder(&folder).await.expect("an export");
    assert_eq!((done.outcome, done.rows), (Outcome::RowLimit, 300));
    // At most the request in flight at the end of the first run is sent again.
    let requests = sandbox.requests_served() - requests;
    assert!((3..=4).contains(&requests), "{requests}");
    assert_eq!(read_parquet(&folder).len(), 300);
}

#[tokio::test(flavor = "multi_thread")]
async fn store_rejects_refresh() {
    let (sandbox, client) = stopped().await;
    let store = std::sync::Arc::new(InMemory::new());
    let outcome = export(&client, 100).refresh(true).to_store(store, "a".into()).await;
    assert!(matches!(outcome, Err(Error::Place { .. })), "{outcome:?}");
    assert_eq!(sandbox.requests_served(), 0);
}
