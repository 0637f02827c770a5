//! An export that is killed and run again loses no row and doubles none. A process of its own is
//! killed, for real, at any moment.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crypto_intel::Client;
use crypto_intel_frames::export::ExportExt;

use super::export::read_parquet;
use super::{list, stopped};

const ROWS: u64 = 5_000;
const ROWS_PER_FILE: u64 = 300;

/// Where the process of an export finds its service and its folder.
const PLACE: [&str; 3] = ["FRAMES_TEST_URL", "FRAMES_TEST_KEY", "FRAMES_TEST_FOLDER"];

/// The process of an export. It is started by the test below, and does nothing otherwise.
#[tokio::test]
async fn process_of_an_export() {
    let [Ok(url), Ok(key), Ok(folder)] = PLACE.map(std::env::var) else { return };
    let client = Client::builder().base_url(url).api_key(key.as_str()).build().expect("a client");
    let export = list(&client).export().max_rows(ROWS).rows_per_file(ROWS_PER_FILE);
    export.to_folder(folder).await.expect("an export");
}

fn start(url: &str, key: &str, folder: &Path) -> std::process::Child {
    let folder = folder.display().to_string();
    Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", "kill::process_of_an_export"])
        .envs(PLACE.into_iter().zip([url, key, &folder]))
        .stdout(Stdio::null())
        .spawn()
        .expect("a process")
}

/// Rows that the folder counts, as its checkpoint says.
fn counted(folder: &Path) -> u64 {
    let text = std::fs::read_to_string(folder.join("_checkpoint.json")).unwrap_or_default();
    let checkpoint: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    checkpoint["rows"].as_u64().unwrap_or(0)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_export_goes_on_without_a_row_lost_or_doubled() {
    let (sandbox, client) = stopped().await;
    let (whole, killed) = (tempfile::tempdir().expect("one"), tempfile::tempdir().expect("two"));
    let export = list(&client).export().max_rows(ROWS).rows_per_file(ROWS_PER_FILE);
    let report = export.to_folder(whole.path()).await.expect("an export");
    assert_eq!(report.rows, ROWS);

    // Each process may get some files further, and is killed at some moment after that.
    let mut kills = 0_u64;
    while counted(killed.path()) < ROWS {
        let mut process = start(&sandbox.url(), sandbox.key(), killed.path());
        let enough = counted(killed.path()) + ROWS_PER_FILE;
        while process.try_wait().expect("a process").is_none() {
            tokio::time::sleep(Duration::from_millis(1 + kills % 7)).await;
            if counted(killed.path()) >= enough.min(ROWS) {
                kills += u64::from(process.kill().is_ok());
                process.wait().expect("a process");
            }
        }
    }

    assert!(kills >= 5, "{kills}");
    // What a last process may have left behind is removed, and nothing is asked for.
    let export = list(&client).export().max_rows(ROWS).rows_per_file(ROWS_PER_FILE);
    export.to_folder(killed.path()).await.expect("an export");
    let (found, expected) = (read_parquet(killed.path()), read_parquet(whole.path()));
    assert_eq!(found.len() as u64, ROWS);
    assert!(found == expected, "the rows differ");
}
