//! Tests the example command lines in the help texts of operations. Each example runs in a shell and calls the sandbox.
#![cfg(unix)]

use std::process::{Command, Output};

use crypto_intel::catalogue::{Answer, OPERATIONS};
use crypto_intel_sandbox::{Clock, Sandbox, UnixSeconds};

/// Number of operations whose help has no example, because the example would be too long.
const LONG: usize = 0;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_example_of_the_help_runs() {
    let home = tempfile::tempdir().expect("a folder");
    let clock = Clock::stopped_at(UnixSeconds(1_780_000_000));
    let sandbox = Sandbox::builder().clock(clock).start().await.expect("a free port");
    let shell = |line: String| {
        let program = std::path::Path::new(env!("CARGO_BIN_EXE_cintel"));
        let folder = program.parent().expect("a folder").to_owned();
        let mut command = Command::new("/bin/sh");
        command.args(["-c", &line]).env_clear().env("PATH", folder).env("HOME", home.path());
        command.env("CRYPTO_INTEL_BASE_URL", sandbox.url());
        command.env("CRYPTO_INTEL_API_KEY", sandbox.key());
        async move {
            let running = tokio::task::spawn_blocking(move || command.output());
            running.await.expect("a thread").expect("a shell")
        }
    };
    let errors = |output: &Output| String::from_utf8_lossy(&output.stderr).into_owned();

    let mut without = Vec::new();
    for operation in OPERATIONS {
        let described = shell(format!("cintel describe {} --output json", operation.id)).await;
        let described: serde_json::Value =
            serde_json::from_slice(&described.stdout).expect("a description");
        let Some(line) = described["example"].as_str() else {
            without.push(operation.id);
            continue;
        };

        let output = shell(line.to_owned()).await;
        assert!(output.status.success(), "{line}: {}", errors(&output));
        assert!(operation.answer == Answer::Empty || !output.stdout.is_empty(), "{line}");
    }
    assert_eq!(without.len(), LONG, "{without:?}");
}
