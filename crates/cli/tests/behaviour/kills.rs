//! Tests that kill `cintel export` and continue it. The sandbox must charge each page once. There is one exception:
//! pages that were in flight when the process was killed may be charged again.

use std::process::{Command, Stdio};
use std::time::Duration;

use crypto_intel_sandbox::{Clock, Sandbox, UnixSeconds};
use serde_json::Value;

use super::{KEY, cintel, run, stderr, stdout};

const ROWS: u64 = 3_000;
/// Maximum number of rows per page of the exported list.
const PAGE: u64 = 300;
/// List price of one page, in credits.
const PRICE: u64 = 1;

/// Starts a sandbox that charges every request for a page, even if an earlier request asked for the same page. Each
/// response is delayed, so that a test can kill the export while a request is in flight.
async fn slow_sandbox() -> Sandbox {
    let clock = Clock::stopped_at(UnixSeconds(1_780_000_000));
    let sandbox = Sandbox::builder().clock(clock).key(KEY, 10_000).free_repeats(Duration::ZERO);
    let sandbox = sandbox.fault("latency=40".parse().expect("a fault"));
    sandbox.start().await.expect("a free port")
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_export_pays_again_for_pages_in_flight_at_most() {
    for (side_by_side, signals) in [(1_u64, ["KILL", "HUP"]), (4, ["TERM", "INT"])] {
        let home = tempfile::tempdir().expect("a folder");
        let sandbox = slow_sandbox().await;
        let folder = home.path().join("candles").display().to_string();
        let (rows, pages) = (ROWS.to_string(), side_by_side.to_string());
        let line = [
            "export",
            "exchange-candles",
            "upbit",
            "BTC-KRW",
            "--from",
            "2026-01-01",
            "-o",
            "json",
        ];
        let line = [&line[..], &["--folder", &folder, "--limit", &rows, "--side-by-side", &pages]]
            .concat();

        let mut kills = 0;
        let report = loop {
            let mut command = cintel(home.path(), &sandbox.url(), &line);
            let program = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
            let mut program = program.expect("it starts");
            let enough = sandbox.requests_served() + 2 + kills;
            let killed = loop {
                if program.try_wait().expect("a process").is_some() {
                    break false;
                }
                if sandbox.requests_served() >= enough {
                    let signal = format!("-{}", signals[kills as usize % 2]);
                    let id = program.id().to_string();
                    let sent = Command::new("kill").args([&signal, &id]).status();
                    break sent.expect("kill").success();
                }
                tokio::time::sleep(Duration::from_millis(1)).await;
            };
            let output = program.wait_with_output().expect("an end");
            kills += u64::from(killed);
            if output.status.success() {
                break output;
            }
        };

        assert!(kills >= 2, "{kills}");
        let report: Value = serde_json::from_str(&stdout(&report)).expect("a report");
        assert_eq!((&report["rows"], &report["pages"]), (&ROWS.into(), &(ROWS / PAGE).into()));
        let charged = sandbox.charged(KEY).and_then(|sum| u64::try_from(sum).ok()).expect("a sum");
        let most = (ROWS / PAGE + kills * side_by_side) * PRICE;
        assert!(charged <= most, "{charged} credits, at most {most} after {kills} kills");
        assert!(charged >= ROWS / PAGE * PRICE, "{charged}");

        // The export is complete, so running the same command again sends no request.
        let output = run(cintel(home.path(), &sandbox.url(), &line)).await;
        assert!(output.status.success(), "{}", stderr(&output));
        assert_eq!(sandbox.charged(KEY), i64::try_from(charged).ok());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn help_states_what_a_kill_costs() {
    let home = tempfile::tempdir().expect("a folder");
    let output = run(cintel(home.path(), "", &["export", "--help"])).await;
    let help = stdout(&output);
    for words in ["after Ctrl-C, a limit, an error or a kill", "at most N with --side-by-side N"] {
        assert!(help.contains(words), "{help}");
    }
    assert!(!help.contains("\\n"), "{help}");
}
