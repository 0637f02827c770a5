//! Tests of the output to a narrow terminal, a full disk and a closed stream, and of text with escape sequences.

use std::process::Stdio;

use crypto_intel_sandbox::Override;

use super::{builder, cintel, run, stderr, stdout};

#[tokio::test(flavor = "multi_thread")]
async fn example_of_the_help_is_one_line_on_a_narrow_terminal() {
    let home = tempfile::tempdir().expect("a folder");
    for id in ["matching-market-daily", "onchain-structured-query", "market-price"] {
        let mut command = cintel(home.path(), "", &[id, "--help"]);
        command.env("COLUMNS", "40");
        let help = stdout(&run(command).await);
        let described = run(cintel(home.path(), "", &["describe", id, "-o", "json"])).await;
        let described: serde_json::Value =
            serde_json::from_str(&stdout(&described)).expect("a description");
        let example = described["example"].as_str().expect("an example");
        let line = format!("Example: {example}");
        assert!(help.lines().any(|found| found == line), "{line} is not in {help}");
    }
}

/// Tests that text of the service in tables, charts and errors cannot move the cursor, set the title or hide letters.
/// Other formats, such as JSON, are not tested here. In these formats, `cintel` escapes text only if standard output is
/// a terminal.
#[tokio::test(flavor = "multi_thread")]
async fn text_of_the_service_has_no_effect_on_a_terminal() {
    let attack = "\u{1b}]0;title\u{7}\u{9b}31m\u{202e}BTC\u{200b}\u{e0041}";
    let home = tempfile::tempdir().expect("a folder");
    let sandbox = builder().start().await.expect("a free port");
    let script = Override::partial(serde_json::json!({ "name": attack })).unchecked();
    sandbox.answer("market-ranking", script).expect("an override");

    for output in [&["--output", "table"][..], &["--chart"]] {
        let arguments = [&["market-ranking", "--limit", "2"], output].concat();
        let output = run(cintel(home.path(), &sandbox.url(), &arguments)).await;
        let shown = format!("{}{}", stdout(&output), stderr(&output));
        assert!(shown.contains("BTC"), "{arguments:?}: {shown}");
        assert!(!shown.contains(is_harmful), "{arguments:?}: {shown:?}");
    }
    let refused = run(cintel(home.path(), &sandbox.url(), &["market-price", attack])).await;
    assert!(stderr(&refused).contains("BTC"), "{}", stderr(&refused));
    assert!(!stderr(&refused).contains(is_harmful), "{:?}", stderr(&refused));
}

fn is_harmful(letter: char) -> bool {
    let is_control = letter.is_control() && letter != '\n';
    is_control || ['\u{202e}', '\u{200b}', '\u{e0041}'].contains(&letter)
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn full_disk_is_an_error_with_a_next_step_in_the_wanted_format() {
    let home = tempfile::tempdir().expect("a folder");
    let full = || Stdio::from(std::fs::File::create("/dev/full").expect("a device"));
    let mut command = cintel(home.path(), "", &["ops", "--output", "json"]);
    command.stdout(full()).stderr(Stdio::piped());
    let output = command.spawn().expect("it starts").wait_with_output().expect("an end");
    assert_eq!(output.status.code(), Some(1));
    let error: serde_json::Value = serde_json::from_slice(&output.stderr).expect("JSON");
    assert!(error["error"]["next"].is_string(), "{error}");

    // Neither standard output nor standard error can be written.
    let mut command = cintel(home.path(), "", &["ops"]);
    command.stdout(full()).stderr(full());
    assert_eq!(command.status().expect("it starts").code(), Some(1));
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn closed_output_is_no_panic() {
    let home = tempfile::tempdir().expect("a folder");
    let sandbox = builder().start().await.expect("a free port");
    for close in [">&-", "2>&-", ">&- 2>&-"] {
        let program = env!("CARGO_BIN_EXE_cintel");
        let mut shell = cintel(home.path(), &sandbox.url(), &[]);
        shell = {
            let mut command = std::process::Command::new("/bin/sh");
            command.args(["-c", &format!("'{program}' market-fear-greed --limit 1 {close}")]);
            command.env_clear().envs(shell.get_envs().filter_map(|(k, v)| Some((k, v?))));
            command.stdin(Stdio::null());
            command
        };
        let output = run(shell).await;
        assert_eq!(output.status.code(), Some(0), "{close}: {}", stderr(&output));
    }
}
