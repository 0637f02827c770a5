//! Tests of the cost ledger of a machine. They test limits that several processes share, killed processes, and the
//! history.

use std::path::Path;
use std::process::{Output, Stdio};
use std::time::Duration;

use crypto_intel_sandbox::{Clock, Sandbox, UnixSeconds};
use serde_json::Value;

use super::{KEY, cintel, run, stderr, stdout};

/// Starts a sandbox that charges each call and injects the given fault.
async fn sandbox(fault: &str) -> Sandbox {
    let clock = Clock::stopped_at(UnixSeconds(1_780_000_000));
    let sandbox = Sandbox::builder().clock(clock).key(KEY, 1_000).free_repeats(Duration::ZERO);
    sandbox.fault(fault.parse().expect("a fault")).start().await.expect("a free port")
}

async fn history(home: &Path) -> Vec<Value> {
    let output = run(cintel(home, "", &["credits", "history", "-o", "json"])).await;
    serde_json::from_str(&stdout(&output)).expect("entries")
}

fn sum(entries: &[Value], field: &str) -> u64 {
    entries.iter().filter_map(|entry| entry[field].as_u64()).sum()
}

#[tokio::test(flavor = "multi_thread")]
async fn daily_limit_holds_for_all_processes_together() {
    let home = tempfile::tempdir().expect("a folder");
    let sandbox = sandbox("latency=20").await;
    // Each call has a list price of 2 credits. The daily limit allows 7 of the 12 processes to call.
    let call = || {
        let arguments = ["market-price", "BTC", "--max-credits-per-day", "15", "-o", "json"];
        tokio::spawn(run(cintel(home.path(), &sandbox.url(), &arguments)))
    };
    let calls: Vec<_> = (0..12).map(|_| call()).collect();
    let mut outputs: Vec<Output> = Vec::new();
    for call in calls {
        outputs.push(call.await.expect("a process"));
    }

    let count = |code| outputs.iter().filter(|one| one.status.code() == Some(code)).count();
    assert_eq!((count(0), count(4)), (7, 5));
    let refused = outputs.iter().find(|one| one.status.code() == Some(4)).expect("a refusal");
    assert!(stderr(refused).contains("14 of 15 credits per day"), "{}", stderr(refused));
    assert_eq!(sandbox.charged(KEY), Some(14));
    let entries = history(home.path()).await;
    assert_eq!(sum(&entries, "calls"), 7, "{entries:?}");
    assert_eq!((sum(&entries, "list_price"), sum(&entries, "reported")), (14, 14), "{entries:?}");
    assert_eq!(sum(&entries, "unsettled"), 0, "{entries:?}");
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn killed_process_leaves_its_request_as_unsettled() {
    let home = tempfile::tempdir().expect("a folder");
    let sandbox = sandbox("stall").await;
    let arguments = ["market-price", "BTC", "--max-credits-per-day", "3"];
    let mut command = cintel(home.path(), &sandbox.url(), &arguments);
    let mut program = command.stdout(Stdio::null()).spawn().expect("it starts");
    while sandbox.requests_served() < 1 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    program.kill().expect("it runs");
    program.wait().expect("an end");

    let entries = history(home.path()).await;
    assert_eq!((sum(&entries, "calls"), sum(&entries, "unsettled")), (0, 2), "{entries:?}");
    let refused = run(cintel(home.path(), &sandbox.url(), &arguments)).await;
    assert_eq!(refused.status.code(), Some(4), "{}", stderr(&refused));
    // No file in the folder of the ledger contains the API key.
    for entry in std::fs::read_dir(home.path().join(".local/share/cintel/ledger")).expect("files") {
        let text = std::fs::read_to_string(entry.expect("a file").path()).expect("text");
        assert!(!text.contains(KEY), "{text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_that_cost_nothing_give_their_reservation_back() {
    let home = tempfile::tempdir().expect("a folder");
    let sandbox = sandbox("status=404").await;
    let arguments = ["market-price", "BTC", "--max-credits-per-day", "3"];
    for _ in 0..3 {
        let output = run(cintel(home.path(), &sandbox.url(), &arguments)).await;
        assert_eq!(output.status.code(), Some(6), "{}", stderr(&output));
    }
    assert_eq!(sum(&history(home.path()).await, "unsettled"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn ledger_of_a_newer_release_is_an_error_and_without_one_no_file_is_written() {
    let home = tempfile::tempdir().expect("a folder");
    let sandbox = sandbox("latency=1").await;
    let output = run(cintel(home.path(), &sandbox.url(), &["market-price", "BTC"])).await;
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(!home.path().join(".local/share/cintel").exists());
    let off = run(cintel(home.path(), "", &["credits", "history", "-o", "json"])).await;
    assert!(stderr(&off).contains("the ledger is off"), "{}", stderr(&off));

    let folder = home.path().join("ledger");
    std::fs::create_dir_all(&folder).expect("a folder");
    let newer = r#"{"version":2,"spending":[]}"#;
    std::fs::write(folder.join("2026-01-01.json"), newer).expect("a file");
    let mut command = cintel(home.path(), "", &["credits", "history"]);
    command.env("CINTEL_LEDGER", &folder);
    let output = run(command).await;
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("version 2"), "{}", stderr(&output));
}
