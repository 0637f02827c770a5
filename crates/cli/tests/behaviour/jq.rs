//! Tests of `--jq`. If a jq program makes its process abort, for example by endless recursion, `cintel` must still end
//! with an exit code. Error messages must not contain values of the rows.

use crate::{KEY, builder, cintel, run, stderr, stdout};

/// Runs jq programs that exceed the limit on memory or output. Tests that `cintel` then ends with an exit code, and not by a signal.
#[tokio::test(flavor = "multi_thread")]
async fn jq_bombs_are_failures_with_an_exit_code() {
    let home = tempfile::tempdir().expect("a folder");
    let sandbox = builder().start().await.expect("a free port");
    let many_brackets = "[".repeat(8_000);
    // The tests of `crates/jq` have more programs that exceed the limits on memory and output.
    for program in [r#""a" * 10000000000"#, "def f: [f]; f", "repeat(.)", &many_brackets] {
        let arguments = ["market-fear-greed", "--jq", program];
        let output = run(cintel(home.path(), &sandbox.url(), &arguments)).await;
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).len() < 1_000, "{}", stderr(&output));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn results_before_an_error_are_printed_and_the_error_names_no_value() {
    let home = tempfile::tempdir().expect("a folder");
    let sandbox = builder().start().await.expect("a free port");
    let of = |program: &'static str| {
        let arguments = ["market-ranking", "--limit", "100", "--jq", program];
        run(cintel(home.path(), &sandbox.url(), &arguments))
    };

    let output = of(r#".[].rank | if . == 3 then error("stop") else . end"#).await;
    assert_eq!((output.status.code(), stdout(&output)), (Some(2), "1\n2\n".to_owned()));
    let output = of(".foo").await;
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).len() < 1_500, "{}", stderr(&output));
    assert!(stderr(&output).contains("symbol"), "{}", stderr(&output));
    let output = of("env | tostring").await;
    assert!(!stdout(&output).contains(KEY) && !stderr(&output).contains(KEY));
}
