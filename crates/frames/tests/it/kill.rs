//! Tests exports that are killed and then started again. No row is lost or duplicated, and only pages in flight are
//! requested again. Each killed export runs in a separate process.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use crypto_intel::Client;
use crypto_intel_frames::export::object_store::memory::InMemory;
use crypto_intel_frames::export::{ExportExt, Outcome};
use crypto_intel_sandbox::{Clock, Sandbox, UnixSeconds};

use super::export::{read_parquet, sorted_rows};
use super::{list, stopped};

const ROWS: u64 = 5_000;
const ROWS_PER_FILE: u64 = 300;

/// Environment variables of a child process that runs an export. They contain the URL and the API key of the service,
/// the folder, the rows per file, and the number of pages in flight.
const VARIABLES: [&str; 5] = [
    "FRAMES_TEST_URL",
    "FRAMES_TEST_KEY",
    "FRAMES_TEST_FOLDER",
    "FRAMES_TEST_ROWS_PER_FILE",
    "FRAMES_TEST_SIDE_BY_SIDE",
];

/// Entry point of a child process that runs an export. Another test starts this process. In a normal test run, the
/// environment variables for the child process are not set, and this function does nothing.
#[tokio::test]
async fn process_of_an_export() {
    let [Ok(url), Ok(key), Ok(folder), Ok(rows_per_file), Ok(side_by_side)] =
        VARIABLES.map(std::env::var)
    else {
        return;
    };
    let client = Client::builder().base_url(url).api_key(key.as_str()).build().expect("a client");
    let export = list(&client)
        .export()
        .max_rows(ROWS)
        .rows_per_file(rows_per_file.parse().expect("a number"))
        .side_by_side(side_by_side.parse().expect("a number"));
    export.to_folder(folder).await.expect("an export");
}

fn start(sandbox: &Sandbox, folder: &Path, rows_per_file: u64, side_by_side: u64) -> Child {
    let values = [
        sandbox.url(),
        sandbox.key().to_owned(),
        folder.display().to_string(),
        rows_per_file.to_string(),
        side_by_side.to_string(),
    ];
    Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", "kill::process_of_an_export"])
        .envs(VARIABLES.into_iter().zip(values))
        .stdout(Stdio::null())
        .spawn()
        .expect("a process")
}

/// Environment variable of a child process that runs an update. The variable contains the folder of the export. The
/// child process reads the URL and the API key of the service from the variables `FRAMES_TEST_URL` and
/// `FRAMES_TEST_KEY`.
const UPDATED: &str = "FRAMES_TEST_UPDATED";

/// Entry point of a child process that runs an update. Another test starts this process and sets environment variables.
/// Without these variables, this function does nothing.
#[tokio::test]
async fn process_of_an_update() {
    let [Ok(url), Ok(key), Ok(folder)] = [VARIABLES[0], VARIABLES[1], UPDATED].map(std::env::var)
    else {
        return;
    };
    let client = Client::builder().base_url(url).api_key(key.as_str()).build().expect("a client");
    update(&client, Path::new(&folder)).await;
}

async fn update(client: &Client, folder: &Path) {
    let export = list(client).interval("4h").export().rows_per_file(500);
    let update = export.update(Duration::from_secs(86_400));
    update.to_folder(folder).await.expect("an update");
}

/// Returns the number of exported rows, as stored in the checkpoint of a folder. Returns 0 without a checkpoint.
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

    // Each process may write one or more complete files, and is killed after that.
    let mut kills = 0_u64;
    while counted(killed.path()) < ROWS {
        let mut process = start(&sandbox, killed.path(), ROWS_PER_FILE, 4);
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
    // Files after the last checkpoint are removed, and nothing is requested.
    let export = list(&client).export().max_rows(ROWS).rows_per_file(ROWS_PER_FILE);
    export.to_folder(killed.path()).await.expect("an export");
    let (found, expected) = (read_parquet(killed.path()), read_parquet(whole.path()));
    assert_eq!(found.len() as u64, ROWS);
    assert!(found == expected, "the rows differ");
}

/// Tests an export that writes its first data file at the end. Until then, only the journal contains the received
/// pages.
#[tokio::test(flavor = "multi_thread")]
async fn only_pages_in_flight_are_requested_again_after_a_signal() {
    for (side_by_side, signals) in [(1, ["KILL", "HUP"]), (4, ["TERM", "INT"])] {
        let (sandbox, client) = stopped().await;
        sandbox.inject("latency=20".parse().expect("a fault")).expect("it can be done");
        let folder = tempfile::tempdir().expect("a folder");
        let mut kills = 0;

        loop {
            let mut process = start(&sandbox, folder.path(), ROWS, side_by_side);
            let enough = sandbox.requests_served() + 5 + kills;
            let ended = loop {
                if let Some(status) = process.try_wait().expect("a process") {
                    break status;
                }
                if sandbox.requests_served() >= enough {
                    let signal = signals[kills as usize % 2];
                    let id = process.id().to_string();
                    let sent = Command::new("kill").args([&format!("-{signal}"), &id]).status();
                    kills += u64::from(sent.expect("kill").success());
                    break process.wait().expect("a process");
                }
                tokio::time::sleep(Duration::from_millis(1)).await;
            };
            if ended.success() {
                break;
            }
        }

        assert!(kills >= 1, "{kills}");
        let pages = ROWS / 100;
        let requests = sandbox.requests_served();
        assert!(requests <= pages + kills * side_by_side, "{requests} requests, {kills} kills");
        let report = list(&client).export().max_rows(ROWS).to_folder(folder.path()).await;
        assert_eq!(report.expect("an export").pages, pages, "each page counts once");

        let whole = tempfile::tempdir().expect("a folder");
        list(&client).export().max_rows(ROWS).to_folder(whole.path()).await.expect("an export");
        assert!(read_parquet(folder.path()) == read_parquet(whole.path()), "the rows differ");
    }
}

/// Tests an export that is cancelled because the caller drops its future, as Python does after Ctrl-C. The export
/// writes to an object store, and its journal is in a folder on the local disk.
#[tokio::test(flavor = "multi_thread")]
async fn only_pages_in_flight_are_requested_again_after_a_drop() {
    let (sandbox, client) = stopped().await;
    let (store, local) = (Arc::new(InMemory::new()), tempfile::tempdir().expect("a folder"));
    let export = || {
        let export = list(&client).export().max_rows(ROWS).side_by_side(1);
        export.journal_folder(local.path())
    };

    let (reached, is_reached) = tokio::sync::oneshot::channel();
    let mut reached = Some(reached);
    let dropped = export().on_progress(move |progress| {
        if progress.pages == 20
            && let Some(reached) = reached.take()
        {
            let _ = reached.send(());
        }
    });
    tokio::select! {
        biased;
        _ = is_reached => {}
        report = dropped.to_store(store.clone(), "a".into()) => panic!("{report:?}"),
    }

    let report = export().to_store(store.clone(), "a".into()).await.expect("an export");
    assert_eq!((report.outcome, report.rows, report.pages), (Outcome::Complete, ROWS, ROWS / 100));
    let requests = sandbox.requests_served();
    assert!(requests <= ROWS / 100 + 1, "{requests}");
}

/// Tests that a page is not requested twice. Because of a row limit, the first run ends in the middle of the page. The
/// second run continues with the rest of this page.
#[tokio::test(flavor = "multi_thread")]
async fn page_that_a_row_limit_cut_is_charged_once() {
    let (sandbox, client) = stopped().await;
    let folder = tempfile::tempdir().expect("a folder");
    for rows in [150, 199, 250, 430] {
        let export = list(&client).export().max_rows(rows).to_folder(folder.path());
        let report = export.await.expect("an export");
        assert_eq!((report.rows, report.pages), (rows, rows.div_ceil(100)));
    }
    assert_eq!(sandbox.requests_served(), 5);
    assert_eq!(read_parquet(folder.path()).len(), 430);
}

/// Tests an update that is killed while it merges rows. Afterwards the folder has either all old rows or all new rows.
/// The next update completes the folder as if there had been no kill.
#[tokio::test(flavor = "multi_thread")]
async fn update_that_is_killed_while_it_merges_leaves_all_old_or_all_new_rows() {
    let start = UnixSeconds(1_780_000_000);
    let clock = Clock::stopped_at(start);
    let sandbox = Sandbox::builder().clock(clock.clone()).start().await.expect("a free port");
    let builder = Client::builder().base_url(sandbox.url()).api_key(sandbox.key());
    let client = builder.build().expect("a client");
    let parent = tempfile::tempdir().expect("a folder");
    let (killed, merged) = (parent.path().join("killed"), parent.path().join("_killed.merged"));
    update(&client, &killed).await;
    let mut old = sorted_rows(&killed);

    let mut kills = 0;
    for round in 1..=100_u64 {
        clock.set(UnixSeconds(start.0 + round as i64 * 4 * 3_600));
        let whole = parent.path().join(format!("whole-{round}"));
        update(&client, &whole).await;
        let new = sorted_rows(&whole);
        assert!(new != old);

        let mut process = Command::new(std::env::current_exe().expect("this test"))
            .args(["--exact", "kill::process_of_an_update"])
            .env(VARIABLES[0], sandbox.url())
            .env(VARIABLES[1], sandbox.key())
            .env(UPDATED, &killed)
            .stdout(Stdio::null())
            .spawn()
            .expect("a process");
        while process.try_wait().expect("a process").is_none() {
            if merged.exists() {
                tokio::time::sleep(Duration::from_millis(round % 10)).await;
                process.kill().expect("a process that was not waited for");
                kills += u64::from(!process.wait().expect("a process").success());
            }
        }

        let found = sorted_rows(&killed);
        assert!(found == old || found == new, "round {round}: the folder has {} rows", found.len());
        update(&client, &killed).await;
        assert!(
            sorted_rows(&killed) == new,
            "round {round}: the rows differ after the next update"
        );
        old = new;
        if kills == 10 {
            break;
        }
    }
    assert_eq!(kills, 10, "the process ended too early to be killed");

    let rest = parent.path().join("__killed.update.removed");
    std::fs::create_dir(&rest).expect("a folder");
    std::fs::write(rest.join("part-00000.parquet"), "").expect("a file");
    update(&client, &killed).await;
    let names = std::fs::read_dir(parent.path()).expect("a folder");
    let names =
        names.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"));
    let left: Vec<String> = names.filter(|name| name.starts_with('_')).collect();
    assert!(left.is_empty(), "{left:?}");
}
