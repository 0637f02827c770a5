//! Tests of shell completion: `cintel` prints the candidates that a shell requests.

use std::process::Output;

use crypto_intel::catalogue::{OPERATIONS, ParamKind};

use super::{cintel, run, stdout};

/// Requests completion candidates for the last item of `words`, as the shell bash does. Returns the candidates.
async fn candidates(words: &[&str]) -> Vec<String> {
    let home = tempfile::tempdir().expect("a folder");
    let mut arguments = vec!["--", "cintel"];
    arguments.extend(words);
    let mut command = cintel(home.path(), "", &arguments);
    command.env("CINTEL_COMPLETE", "bash").env("_CLAP_IFS", "\n");
    command.env("_CLAP_COMPLETE_INDEX", words.len().to_string());
    command.env("_CLAP_COMPLETE_COMP_TYPE", "9").env("_CLAP_COMPLETE_SPACE", "true");
    let output: Output = run(command).await;
    assert!(output.status.success(), "{words:?}");
    stdout(&output).lines().map(str::to_owned).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn shell_completes_operations_flags_and_values() {
    let ids: Vec<&str> = OPERATIONS.iter().map(|known| known.id).collect();
    let commands = candidates(&[""]).await;
    let described = candidates(&["describe", ""]).await;
    for id in &ids {
        assert!(commands.iter().any(|known| known == id), "{id}");
        assert!(described.iter().any(|known| known == id), "{id}");
    }

    let price = OPERATIONS.iter().find(|known| known.id == "market-price").expect("an operation");
    let range = price.params.iter().find(|param| param.name == "time_range").expect("a parameter");
    let ParamKind::Enum(ranges) = range.kind else { panic!("no enum") };
    assert_eq!(candidates(&["market-price", "BTC", "--time-range", ""]).await, ranges);
    assert_eq!(candidates(&["market-price", "BTC", "--time-r"]).await, ["--time-range"]);
    assert!(candidates(&["market-price", "BTC", "--outp"]).await.contains(&"--output".to_owned()));
}

/// Tests that the completion scripts of all shells are short, because they do not list commands.
#[tokio::test(flavor = "multi_thread")]
async fn scripts_of_all_shells_are_short() {
    let home = tempfile::tempdir().expect("a folder");
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = stdout(&run(cintel(home.path(), "", &["completions", shell])).await);
        assert!(script.contains("CINTEL_COMPLETE") && script.len() < 11_000, "{shell}: {script}");
    }
}
