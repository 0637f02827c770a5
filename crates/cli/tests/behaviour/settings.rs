//! Tests of the precedence and validation of settings.

use std::path::Path;
use std::process::{Command, Output};

use crate::{KEY, builder, cintel, run, stderr, stdout};

/// Creates a home folder with a configuration file.
fn home_with(configuration: &str) -> tempfile::TempDir {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path().join(".config/cintel");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("config.toml"), configuration).expect("a file");
    home
}

fn balance(home: &Path, url: &str) -> Command {
    cintel(home, url, &["market-fear-greed", "--output", "csv"])
}

#[tokio::test(flavor = "multi_thread")]
async fn the_sandbox_variable_is_a_boolean_and_flags_win_over_it() {
    let home = tempfile::tempdir().expect("a folder");
    let service = builder().start().await.expect("a free port");
    let with = |value: &'static str, arguments: &'static [&'static str]| {
        let mut command = balance(home.path(), &service.url());
        command.env("CINTEL_SANDBOX", value).args(arguments);
        run(command)
    };

    let is_invented = |output: &Output| stderr(output).contains("invented");
    for (value, invented) in [("0", false), ("false", false), ("no", false), ("1", true)] {
        let output = with(value, &[]).await;
        assert_eq!(output.status.code(), Some(0), "{value}: {}", stderr(&output));
        assert_eq!(is_invented(&output), invented, "{value}: {}", stderr(&output));
    }
    assert_eq!(with("perhaps", &[]).await.status.code(), Some(2));

    // A base URL on the command line overrides the environment variable.
    let served = service.requests_served();
    let mut command = balance(home.path(), "http://127.0.0.1:1");
    command.env("CINTEL_SANDBOX", "1").args(["--base-url", &service.url()]);
    let output = run(command).await;
    assert!(output.status.success() && !is_invented(&output), "{}", stderr(&output));
    assert_eq!(service.requests_served(), served + 1);

    let both = with("0", &["--sandbox", "--base-url", "http://127.0.0.1:1"]).await;
    assert_eq!(both.status.code(), Some(2));
    let quiet = with("1", &["--quiet"]).await;
    assert_eq!((quiet.status.code(), stderr(&quiet)), (Some(0), String::new()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_in_the_configuration_is_never_printed() {
    let secret = "sk-in-the-configuration-4711";
    for configuration in [
        format!("[profile.a]\nkey = \"{secret}\"\n"),
        format!("[profile.a]\nmax_credits = \"{secret}\"\n"),
        format!("[profile.a]\nbase_url = {secret}\n"),
        format!("key \"{secret}\"\n"),
    ] {
        let home = home_with(&configuration);
        for format in ["json", "table"] {
            let arguments = ["auth", "status", "--output", format];
            let output = run(cintel(home.path(), "http://127.0.0.1:1", &arguments)).await;
            assert_eq!(output.status.code(), Some(2), "{configuration}");
            let shown = format!("{}{}", stdout(&output), stderr(&output));
            assert!(!shown.contains(secret), "{shown}");
            assert!(shown.contains("line "), "{shown}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_profile_whose_key_is_missing_is_an_error() {
    let service = builder().start().await.expect("a free port");
    for setting in ["key_file = \"/no/such/file\"", "key_env = \"NO_SUCH_VARIABLE\""] {
        let home = home_with(&format!("default = \"a\"\n[profile.a]\n{setting}\n"));
        let mut command = balance(home.path(), &service.url());
        command.env_remove("CRYPTO_INTEL_API_KEY");
        assert_eq!(run(command).await.status.code(), Some(3), "{setting}");

        let with_variable = run(balance(home.path(), &service.url())).await;
        assert!(with_variable.status.success(), "{setting}: {}", stderr(&with_variable));
    }
    assert_eq!(service.requests_served(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn doctor_accepts_no_key_that_is_not_sent() {
    let home = tempfile::tempdir().expect("a folder");
    let service = builder().start().await.expect("a free port");
    let doctor = |with_key: bool| {
        let mut command = cintel(home.path(), &service.url(), &["doctor"]);
        if !with_key {
            command.env_remove("CRYPTO_INTEL_API_KEY");
        }
        run(command)
    };
    assert!(stdout(&doctor(true).await).contains("the key is accepted"));
    assert!(!stdout(&doctor(false).await).contains("the key is accepted"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_over_plain_http_is_warned_about() {
    let home = tempfile::tempdir().expect("a folder");
    let warned = async |url: &str| {
        let arguments = ["credits", "--deadline", "1ms"];
        let output = run(cintel(home.path(), url, &arguments)).await;
        assert!(!stderr(&output).contains(KEY));
        stderr(&output).contains("without encryption")
    };
    assert!(warned("http://service.invalid").await);
    assert!(!warned("https://service.invalid").await);
    assert!(!warned("http://127.0.0.1:1").await);
}

#[cfg(feature = "agents")]
#[test]
fn server_that_other_machines_can_reach_is_warned_about() {
    use std::io::{BufRead as _, BufReader, Read as _};
    use std::process::Stdio;

    let home = tempfile::tempdir().expect("a folder");
    let warned = |address: &str| {
        let mut command = cintel(home.path(), "", &["mcp", "--sandbox", "--http", address]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut server = command.spawn().expect("it starts");

        // The server prints its address after the warning, when it listens.
        let mut line = String::new();
        let mut lines = BufReader::new(server.stdout.take().expect("a pipe"));
        lines.read_line(&mut line).expect("a line");
        server.kill().expect("it runs");
        let mut notes = String::new();
        server.stderr.take().expect("a pipe").read_to_string(&mut notes).expect("text");
        server.wait().expect("an end");
        assert!(line.starts_with("CINTEL_MCP_URL="), "{line}{notes}");
        notes.contains("other machines can reach this address")
    };
    assert!(warned("0.0.0.0:0"));
    assert!(!warned("127.0.0.1:0"));
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_accept_numbers_above_32_bits() {
    let home = tempfile::tempdir().expect("a folder");
    let set = |value: &'static str| {
        run(cintel(home.path(), "http://127.0.0.1:1", &["config", "set", "max_credits", value]))
    };
    assert_eq!(set("5000000000").await.status.code(), Some(0));
    assert_eq!(set("-1").await.status.code(), Some(2));
    let get = cintel(home.path(), "http://127.0.0.1:1", &["config", "get", "max_credits"]);
    assert_eq!(stdout(&run(get).await).trim(), "5000000000");
}
