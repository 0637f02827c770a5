//! Tests of unusual inputs. For each of them, `cintel` prints an error with the location of the mistake and a next
//! step.

use std::ffi::OsStr;

use super::{cintel, run, stderr, stdout};

/// Runs `cintel` with the embedded sandbox. Returns the exit code and the text on standard error.
async fn outcome(arguments: &[&str], variables: &[(&str, &OsStr)]) -> (Option<i32>, String) {
    let home = tempfile::tempdir().expect("a folder");
    let mut command = cintel(home.path(), "", arguments);
    command.env("CINTEL_SANDBOX", "1").env("CINTEL_SANDBOX_CLOCK", "1780000000");
    command.envs(variables.iter().copied());
    let output = run(command).await;
    (output.status.code(), stderr(&output))
}

#[tokio::test(flavor = "multi_thread")]
async fn odd_arguments_are_errors_with_a_place_and_a_next_step() {
    let of_operations = [
        // A comparison of a numeric field with a text would select no rows, so it is rejected.
        (
            &["market-ranking", "--where", "price_usd>abc"][..],
            2,
            ["`price_usd` is a number, but `abc` is not", "a number"],
        ),
        (&["market-ranking", "--where", "price_usd=$100"], 2, ["`$100`", "without a unit"]),
        (&["market-ranking", "--limit", "-1"], 2, ["--limit", "--all"]),
        (&["market-price", ""], 2, ["`symbol`", "--help"]),
        (&["market-price", "BTC", "--from", "28.05.2026"], 2, ["`from`", "YYYY-MM-DD"]),
        (
            &["market-price", "BTC", "--from", "2026-13-45"],
            2,
            ["`2026-13-45` does not exist", "--help"],
        ),
        (&["market-ranking", "--every", "0s"], 2, ["`0s`", "30s"]),
        (&["market-ranking", "--resume", "x"], 2, ["--resume", "whole token"]),
    ];

    let of_commands = [
        (&["export", "news-feed", "--folder", ""][..], 2, ["`--folder` is empty", "--folder data"]),
        (&["ops", "💥"], 6, ["💥", "fewer words"]),
        (&["config", "set", "max_credits", "abc"], 2, ["whole number", "max_credits 100"]),
        (&["mcp", "--without", "nope"], 2, ["no tool `nope`", "search_operations"]),
        (
            &["doctor", "--contract", "--max-credits", "0", "--only", "nope"],
            6,
            ["no operation `nope`", "cintel ops nope"],
        ),
        (&["exam", "run", "--", "/nonexistent"], 1, ["no program `/nonexistent`", "next:"]),
    ];

    for (arguments, code, words) in of_operations.into_iter().chain(of_commands) {
        let (found, message) = outcome(arguments, &[]).await;
        assert_eq!(found, Some(code), "{arguments:?}: {message}");
        for word in words {
            assert!(message.contains(word), "{arguments:?}: {word} is not in {message}");
        }
        assert!(message.contains("next:"), "{arguments:?}: {message}");
    }

    // Valid conditions compare a text field with a text, and a time with a date.
    for condition in ["symbol=BTC", "ath_date>2020-01-01", "max_supply=null", "price_usd>1"] {
        let (found, message) = outcome(&["market-ranking", "--where", condition], &[]).await;
        assert_eq!(found, Some(0), "{condition}: {message}");
    }
}

/// Tests that an environment variable with invalid UTF-8 is an error. If the variable were treated as not
/// set, a request would be sent without its API key.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn text_that_is_no_utf_8_is_an_error_that_names_its_place() {
    use std::os::unix::ffi::OsStrExt as _;

    let broken = OsStr::from_bytes(b"\xff\xfe");
    for name in ["CRYPTO_INTEL_API_KEY", "CINTEL_SANDBOX", "CINTEL_CONFIG"] {
        let (code, message) = outcome(&["market-ranking"], &[(name, broken)]).await;
        assert_eq!(code, Some(2), "{name}: {message}");
        assert!(message.contains(&format!("{name} is not valid UTF-8")), "{message}");
        assert!(message.contains("next:"), "{message}");
    }

    let home = tempfile::tempdir().expect("a folder");
    let mut command = cintel(home.path(), "", &["market-price"]);
    command.arg(broken);
    let output = run(command).await;
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("argument 2 (`"), "{}", stderr(&output));
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn folders_that_cannot_be_written_are_named() {
    let nowhere = OsStr::new("/proc/nowhere");
    let (code, message) =
        outcome(&["market-ranking", "--max-age", "1h"], &[("CINTEL_CACHE", nowhere)]).await;
    assert_eq!(code, Some(0), "{message}");
    assert!(
        message.contains("responses are not cached, because the folder /proc/nowhere"),
        "{message}"
    );

    // The ledger must be usable before anything is charged.
    let home = tempfile::tempdir().expect("a folder");
    let mut command = cintel(home.path(), "http://127.0.0.1:1", &["market-ranking"]);
    command.env("CINTEL_LEDGER", nowhere);
    let output = run(command).await;
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    for word in ["ledger folder /proc/nowhere", "CINTEL_LEDGER"] {
        assert!(stderr(&output).contains(word), "{}", stderr(&output));
    }
}

/// Tests that no line of a table is wider than the terminal. A line below the table lists the columns that do not fit.
#[tokio::test(flavor = "multi_thread")]
async fn table_of_twenty_columns_names_what_it_hides() {
    let home = tempfile::tempdir().expect("a folder");
    let mut command = cintel(home.path(), "", &["market-ranking", "--limit", "2", "-o", "table"]);
    command.env("CINTEL_SANDBOX", "1").env("COLUMNS", "20");
    let text = stdout(&run(command).await);
    assert!(text.lines().all(|line| line.chars().count() <= 20), "{text}");
    assert!(text.contains("not shown: symbol"), "{text}");
}
