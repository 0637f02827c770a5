//! Tests of agent mode, quiet runs, schemas, settings and saved commands.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use super::{KEY, cintel, run, stderr, stdout};

/// Returns a `cintel` command without an API key. The command uses the embedded sandbox with a stopped clock.
fn sandboxed(home: &Path, arguments: &[&str]) -> Command {
    let mut command = cintel(home, "", arguments);
    command.env("CINTEL_SANDBOX", "1").env("CINTEL_SANDBOX_CLOCK", "1780000000");
    command.env_remove("CRYPTO_INTEL_API_KEY");
    command
}

fn parsed(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(output)))
}

#[tokio::test(flavor = "multi_thread")]
async fn agent_mode_prints_compact_rows_and_errors_as_json() {
    let home = tempfile::tempdir().expect("a folder");
    let arguments = ["market-price", "BTC", "--time-range", "1d"];
    let plain = run(sandboxed(home.path(), &arguments)).await;
    for (name, value) in [("CINTEL_AGENT", "1"), ("AI_AGENT", "some-agent")] {
        let mut command = sandboxed(home.path(), &arguments);
        command.env(name, value);
        let output = run(command).await;
        let table = parsed(&output);
        assert_eq!(table["same_in_all_rows"]["symbol"], "BTC", "{table}");
        assert_eq!(table["rows"].as_array().map(Vec::len), parsed(&plain).as_array().map(Vec::len));
        assert!(output.stdout.len() * 5 < plain.stdout.len(), "{}", output.stdout.len());
        // The last price has exactly the digits that the service sent.
        let last = parsed(&plain).as_array().expect("rows").last().expect("a row")["value"].clone();
        assert!(stdout(&output).contains(&last.to_string()), "{last}");

        let mut command = sandboxed(home.path(), &["market-price", "NOSUCH"]);
        command.env(name, value).env("CINTEL_QUIET", "1");
        let error: Value = serde_json::from_str(&stderr(&run(command).await)).expect("JSON");
        assert_eq!(error["error"]["kind"], "not_found");
    }

    let mut command = sandboxed(home.path(), &arguments);
    command.env("CINTEL_AGENT", "0").env("AI_AGENT", "some-agent");
    assert_eq!(run(command).await.stdout, plain.stdout);
    // A requested output format overrides agent mode.
    let mut command = sandboxed(home.path(), &[&arguments[..], &["-o", "json"]].concat());
    command.env("CINTEL_AGENT", "1");
    assert_eq!(run(command).await.stdout, plain.stdout);
}

#[tokio::test(flavor = "multi_thread")]
async fn quiet_run_prints_no_notes_but_errors() {
    let home = tempfile::tempdir().expect("a folder");
    for arguments in [
        &["market-ranking", "-q"][..],
        &["market-ranking", "--every", "1ms", "--times", "2", "-q"],
        &["query", "save", "a", "market-ranking"],
        &["config", "set", "output", "json"],
    ] {
        let mut command = sandboxed(home.path(), arguments);
        command.env("CINTEL_QUIET", "1");
        let output = run(command).await;
        assert!(output.status.success() && stderr(&output).is_empty(), "{}", stderr(&output));
    }
    let output = run(sandboxed(home.path(), &["market-price", "NOSUCH", "-q"])).await;
    assert!(stderr(&output).starts_with("error: "), "{}", stderr(&output));
}

/// Tests that the JSON output of several operations is valid according to the schema that `cintel schema` prints.
#[tokio::test(flavor = "multi_thread")]
async fn output_of_every_kind_of_operation_fits_its_schema() {
    let home = tempfile::tempdir().expect("a folder");
    for arguments in [
        &["market-ranking"][..],
        &["market-price", "BTC"],
        &["credit-balance"],
        &["equity-income-statement", "AAPL"],
        &["equity-listings"],
        &["social-user-posts", "bitcoin"],
        &["wallet-detail", "0x2222222222222222222222222222222222222222"],
        &["hyperliquid-positions", "0x2222222222222222222222222222222222222222"],
    ] {
        let output = run(sandboxed(home.path(), &[arguments, &["-o", "json"]].concat())).await;
        let rows = parsed(&output);
        let schema = parsed(&run(sandboxed(home.path(), &["schema", arguments[0]])).await);
        let validator = jsonschema::validator_for(&schema).expect("a schema");
        let faults: Vec<_> = validator.iter_errors(&rows).map(|fault| fault.to_string()).collect();
        assert!(faults.is_empty(), "{arguments:?}: {faults:?}");

        // A row with a field of another type is not valid according to the schema.
        let name = schema["$defs"].as_object().expect("records").keys().next();
        assert!(name.is_some(), "{schema}");
        assert!(!validator.is_valid(&serde_json::json!("text")), "{schema}");
    }
    let unknown = run(sandboxed(home.path(), &["schema", "market-prise"])).await;
    assert_eq!(unknown.status.code(), Some(6));
    assert!(stderr(&unknown).contains("did you mean `market-price`?"), "{}", stderr(&unknown));
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_are_written_into_a_profile_and_comments_stay() {
    let home = tempfile::tempdir().expect("a folder");
    let file = home.path().join("config.toml");
    let config = |arguments: &[&str]| {
        let mut command = cintel(home.path(), "", &[&["config"][..], arguments].concat());
        command.env("CINTEL_CONFIG", &file).env_remove("CRYPTO_INTEL_API_KEY");
        run(command)
    };
    // `config set` also works if the configuration file does not exist.
    let set = config(&["set", "max_credits", "30"]).await;
    assert!(set.status.success(), "{}", stderr(&set));
    let text = std::fs::read_to_string(&file).expect("a file");
    assert_eq!(text, "default = \"default\"\n\n[profile.default]\nmax_credits = 30\n");

    let text = text.replace("max_credits = 30", "# per run\nmax_credits = 30 # cap");
    std::fs::write(&file, format!("# mine\n{text}# last\n")).expect("written");
    assert!(config(&["set", "max_credits", "40"]).await.status.success());
    let changed = std::fs::read_to_string(&file).expect("a file");
    assert!(changed.contains("# per run\nmax_credits = 40 # cap\n"), "{changed}");
    // Removing a setting that is not set changes nothing.
    let unset = config(&["unset", "output", "--profile", "other"]).await;
    assert!(unset.status.success(), "{}", stderr(&unset));
    assert_eq!(std::fs::read_to_string(&file).expect("a file"), changed);

    for arguments in [
        &["set", "sandbox", "true"][..],
        &["set", "base_url", "http://127.0.0.1:1", "--profile", "work"],
        &["unset", "max_credits"],
    ] {
        let output = config(arguments).await;
        assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    }
    let text = std::fs::read_to_string(&file).expect("a file");
    assert!(text.starts_with("# mine\n") && text.contains("# last"), "{text}");
    assert!(text.contains("[profile.work]\nbase_url") && !text.contains("max_credits"), "{text}");

    assert_eq!(stdout(&config(&["get", "sandbox"]).await), "true\n");
    assert_eq!(parsed(&config(&["get", "-o", "json"]).await), serde_json::json!({"sandbox": true}));
    assert_eq!(
        stdout(&config(&["get", "base_url", "--profile", "work"]).await),
        "http://127.0.0.1:1\n"
    );
    assert_eq!(stdout(&config(&["path"]).await), format!("{}\n", file.display()));
    let missing = config(&["get", "output"]).await;
    assert_eq!(missing.status.code(), Some(6), "{}", stderr(&missing));
    for wrong in [
        &["set", "max_credits", "many"][..],
        &["set", "sandbox", "perhaps"],
        &["set", "output", "pdf"],
        &["set", "key", "sk-behaviour-0123456789"],
    ] {
        let output = config(wrong).await;
        assert_eq!(output.status.code(), Some(2), "{wrong:?}: {}", stderr(&output));
        assert!(!stderr(&output).contains(KEY), "{}", stderr(&output));
        assert_eq!(std::fs::read_to_string(&file).expect("a file"), text);
    }

    // If the key of the profile is missing, calls fail, but `config` still works and can repair the profile.
    assert!(config(&["set", "key_env", "NO_SUCH_KEY"]).await.status.success());
    assert!(config(&["unset", "key_env"]).await.status.success());
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn login_stores_the_key_for_its_owner_alone_and_never_prints_it() {
    use std::os::unix::fs::PermissionsExt as _;

    let home = tempfile::tempdir().expect("a folder");
    let mut command = cintel(home.path(), "http://127.0.0.1:1", &["config", "login"]);
    command.env_remove("CRYPTO_INTEL_API_KEY");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut login = command.spawn().expect("it starts");
    let mut stdin = login.stdin.take().expect("a pipe");
    stdin.write_all(format!("{KEY}\n").as_bytes()).expect("written");
    drop(stdin);
    let output = login.wait_with_output().expect("an end");
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(!(stdout(&output) + &stderr(&output)).contains(KEY));

    let file = home.path().join(".config/cintel/keys/default");
    assert_eq!(std::fs::read_to_string(&file).expect("a file").trim(), KEY);
    let mode = std::fs::metadata(&file).expect("a file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[tokio::test(flavor = "multi_thread")]
async fn saved_command_runs_with_further_options() {
    let home = tempfile::tempdir().expect("a folder");
    let query =
        |arguments: &[&str]| run(sandboxed(home.path(), &[&["query"][..], arguments].concat()));
    let saved =
        query(&["save", "top", "market-ranking", "--limit", "2", "--fields", "symbol"]).await;
    assert!(saved.status.success(), "{}", stderr(&saved));
    let rows = query(&["run", "top", "-o", "csv"]).await;
    assert_eq!(stdout(&rows), "symbol\nBTC\nXRP\n", "{}", stderr(&rows));
    let sql = ["save", "one", "sql", "SELECT 1 AS one", "-o", "ndjson"];
    assert!(query(&sql).await.status.success());
    assert_eq!(stdout(&query(&["run", "one"]).await), "{\"one\":1}\n");
    let list = parsed(&query(&["list"]).await);
    assert_eq!(list[1]["command"], "market-ranking --limit 2 --fields symbol", "{list}");

    for (wrong, code, says) in [
        (&["save", "x", "market-rankin"][..], 2, "market-ranking"),
        (&["save", "x", "market-ranking", "--no-such"], 2, "--no-such"),
        (&["save", "x", "query", "run", "x"], 2, "cintel query"),
        (&["run", "topp"], 6, "did you mean `top`?"),
        (&["delete", "none"], 6, "none"),
    ] {
        let output = query(wrong).await;
        assert_eq!(output.status.code(), Some(code), "{wrong:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(says), "{wrong:?}: {}", stderr(&output));
    }
    assert!(query(&["delete", "top"]).await.status.success());
    assert_eq!(query(&["run", "top"]).await.status.code(), Some(6));

    let file = home.path().join(".config/cintel/queries.json");
    std::fs::write(&file, r#"{"version": 2, "queries": {}}"#).expect("written");
    let newer = query(&["list"]).await;
    assert!(stderr(&newer).contains("version 2"), "{}", stderr(&newer));
}
