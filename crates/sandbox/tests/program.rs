//! Tests of the sandbox's executable: its output, its shutdown, and invalid command-line flags.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Output, Stdio};

use serde_json::{Value, json};

fn program(flags: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crypto-intel-sandbox"));
    command.args(flags).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn ended(flags: &[&str]) -> Output {
    program(flags).output().unwrap()
}

/// A running sandbox process, and the text that it printed at its start.
struct Running {
    child: Child,
    said: String,
}

impl Running {
    fn start(flags: &[&str]) -> Self {
        let mut child = program(flags).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.as_mut().unwrap()).lines();
        let mut said = String::new();
        while !said.ends_with("stops the sandbox.\n") {
            let Some(line) = lines.next() else {
                let mut problem = String::new();
                child.stderr.as_mut().unwrap().read_to_string(&mut problem).unwrap();
                panic!("it ended: {problem}");
            };
            said += &line.unwrap();
            said.push('\n');
        }
        Running { child, said }
    }

    /// Parses the URL and the first API key from the first printed line, as a script does.
    fn url_and_key(&self) -> (&str, &str) {
        let mut words = self.said.lines().next().unwrap().split_whitespace();
        let url = words.next().unwrap();
        assert_eq!(words.next(), Some("key:"));
        (url, words.next().unwrap())
    }

    /// Sends a signal to the process and returns its exit code.
    #[cfg(unix)]
    fn signalled(mut self, signal: &str) -> Option<i32> {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
        self.child.wait().unwrap().code()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Errors are ignored, because the process may have ended in the test.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

async fn asked(url: &str, path: &str, key: &str) -> (u16, Value) {
    let request = reqwest::Client::new().get(format!("{url}{path}")).bearer_auth(key);
    let response = request.send().await.unwrap();
    (response.status().as_u16(), response.json().await.unwrap())
}

#[tokio::test]
async fn it_says_how_to_ask_and_the_answer_comes() {
    let program = Running::start(&["--port", "0", "--clock=2026-06-15T13:30:00Z", "--seed", "7"]);
    let (url, key) = program.url_and_key();
    let line = program.said.lines().find(|line| line.trim_start().starts_with("curl")).unwrap();
    let quoted: Vec<_> = line.split('\'').collect();
    assert_eq!(quoted[1], format!("Authorization: Bearer {key}"));

    let (status, answer) = asked(url, quoted[3].strip_prefix(url).unwrap(), key).await;
    assert_eq!(status, 200);
    assert_eq!(answer["meta"]["credits_used"], 2, "{answer}");
    assert!(program.said.contains("stopped at 2026-06-15T13:30:00Z"), "{}", program.said);
    let (_, state) = asked(url, "/sandbox/state", key).await;
    assert_eq!(state["now"], "2026-06-15T13:30:00Z");
}

#[tokio::test]
async fn keys_limits_and_faults_are_those_of_the_flags() {
    let program = Running::start(&[
        "--port=0",
        "--key=sk-poor=3",
        "--key=a=b=500",
        "--require-key",
        "--rate-limit=3",
        "--free-window=0",
        "--fault=status=503;times=1;operation=news-feed",
        "--control-token=let-me",
        "--scenario=exchange-halt=okx",
    ]);
    let (url, key) = program.url_and_key();
    assert_eq!(key, "sk-poor");
    assert!(program.said.contains("key: a=b\n"), "{}", program.said);
    let price = "/gateway/v1/market/price?symbol=BTC";

    let statuses = [
        asked(url, price, "sk-poor").await.0,
        // Repeats are not free, and only 1 credit is left.
        asked(url, price, "sk-poor").await.0,
        asked(url, price, "a=b").await.0,
        asked(url, "/gateway/v1/news/feed", "a=b").await.0,
        asked(url, "/gateway/v1/news/feed", "a=b").await.0,
        asked(url, price, "nobody").await.0,
    ];
    assert_eq!(statuses, [200, 402, 200, 503, 200, 401]);

    let control = reqwest::Client::new().post(format!("{url}/sandbox/faults"));
    let added = control.header("x-sandbox-token", "let-me").body("status=500;times=1");
    assert_eq!(added.send().await.unwrap().status(), 204);
    assert_eq!(asked(url, price, "a=b").await.0, 500);
    let listed = reqwest::Client::new().get(format!("{url}/sandbox/scenarios"));
    let listed = listed.header("x-sandbox-token", "let-me").send().await.unwrap();
    let listed: Value = listed.json().await.unwrap();
    assert_eq!(listed["playing"], json!(["exchange-halt=okx"]));
    let statuses = [asked(url, price, "a=b").await.0, asked(url, price, "a=b").await.0];
    assert_eq!(statuses, [200, 429], "three in a minute, the failures of a fault apart");
}

#[tokio::test]
async fn a_fast_clock_passes_days_while_one_waits() {
    let program = Running::start(&["--port=0", "--clock=2026-06-15", "--speed=864000000"]);
    let (url, key) = program.url_and_key();
    tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    let (_, state) = asked(url, "/sandbox/state", key).await;
    let now = state["now"].as_str().unwrap();
    assert!(now > "2026-06-30" && now <= "2200-01-01T00:00:00Z", "{now}");
}

#[tokio::test]
async fn tapes_are_played_and_nothing_else() {
    let tapes = tempfile::tempdir().unwrap();
    let exchange = json!({
        "tape": 1,
        "recorded_at": "2026-06-15T13:30:00Z",
        "request": {"method": "GET", "path": "/gateway/v1/news/feed", "query": [], "body": null},
        "response": {
            "status": 200,
            "headers": {"content-type": "application/json"},
            "body": {"json": {"data": [], "meta": {}}},
        },
    });
    std::fs::write(tapes.path().join("news.json"), exchange.to_string()).unwrap();
    let program = Running::start(&["--port=0", "--replay", tapes.path().to_str().unwrap()]);
    let (url, key) = program.url_and_key();
    let (status, answer) = asked(url, "/gateway/v1/news/feed", key).await;
    assert_eq!((status, &answer["data"]), (200, &json!([])));
    assert_eq!(asked(url, "/gateway/v1/market/price?symbol=BTC", key).await.0, 404);
}

#[cfg(unix)]
#[test]
fn both_signals_stop_it_cleanly() {
    for signal in ["-INT", "-TERM"] {
        assert_eq!(Running::start(&["--port=0"]).signalled(signal), Some(0), "{signal}");
    }
}

#[test]
fn a_taken_port_is_told_with_a_way_out() {
    let taken = Running::start(&["--port=0"]);
    let (url, _) = taken.url_and_key();
    let port = url.rsplit(':').next().unwrap();
    let output = ended(&["--port", port]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        said,
        format!("error: port {port} is in use: choose another port, or use `--port 0`\n")
    );
}

#[test]
fn wrong_flags_are_told_with_the_right_ones() {
    for (flags, told) in [
        (&["--prot", "1"][..], "`--prot` is not a flag: did you mean `--port`?"),
        (&["--zzzzzzzz"], "`--zzzzzzzz` is not a flag\n"),
        (&["-p", "1"], "`-p` is not a flag: flags have full names, such as `--port`"),
        (&["8080"], "the argument `8080` has no flag: write `--port 8080` for a port"),
        (&["--port"], "`--port` needs a value: --port PORT"),
        (&["--port", "70000"], "`--port` needs a number from 0 to 65535, not `70000`"),
        (&["--control=x"], "unexpected argument for option '--control': \"x\""),
        (&["--seed=-1"], "`--seed` needs a whole number, not `-1`"),
        (&["--clock=yesterday"], "`--clock` needs Unix seconds, 2026-06-15 or"),
        (&["--clock=2201-01-01"], "from 1970 to 2200"),
        (&["--key=a=many"], "`--key` needs `a=CREDITS`, with a whole number of credits"),
        (&["--key==5"], "`--key` needs a value that is not empty"),
        (&["--key=a b"], "`--key` needs a key without spaces"),
        (&["--scenario=flood"], "`flood` is not a scenario; the scenarios are market-crash, "),
        (&["--fault=explode"], "`explode` is not a known fault"),
        (&["--fault=status=503;operation=market_price"], "did you mean `market-price`"),
        (&["--sql-jobs=2"], "`--sql-jobs` needs two numbers such as 2,16, not `2`"),
        (&["--record=http://x", "--replay=y"], "remove one of them"),
        (&["--record=http://x"], "add `--tapes DIR`"),
        (&["--tapes=y"], "`--tapes` needs `--record URL`"),
    ] {
        let output = ended(flags);
        let said = String::from_utf8(output.stderr).unwrap();

        assert_eq!(output.status.code(), Some(2), "{flags:?}: {said}");
        assert!(said.contains(told), "{flags:?}: {said}");
        assert!(said.ends_with("`crypto-intel-sandbox --help` lists all flags\n"), "{said}");
        assert!(output.stdout.is_empty());
    }

    let output = ended(&["--port=0", "--replay=/nowhere/at/all"]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.starts_with("error: the recordings in /nowhere/at/all: "), "{said}");
}

#[cfg(not(feature = "record"))]
#[test]
fn a_build_without_the_recorder_says_how_to_get_one() {
    let output = ended(&["--record=http://x", "--tapes=y"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("--features record"));
}

#[test]
fn the_help_names_every_flag_and_fits_a_terminal() {
    let output = ended(&["--help"]);
    assert!(output.status.success());
    let help = String::from_utf8(output.stdout).unwrap();

    let flags = [
        "--port",
        "--seed",
        "--clock",
        "--speed",
        "--key",
        "--require-key",
        "--rate-limit",
        "--free-window",
        "--fault",
        "--scenario",
        "--control",
        "--control-token",
        "--record",
        "--tapes",
        "--replay",
        "--free-chat",
        "--strict-chat",
        "--stream-pace",
        "--sql-window",
        "--sql-jobs",
        "--sql-pace",
    ];

    for flag in flags {
        assert!(
            help.contains(&format!("\n  {flag} ")) || help.contains(&format!("\n  {flag}\n")),
            "{flag}\n{help}"
        );
    }

    assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");

    let version = ended(&["--version"]).stdout;
    assert_eq!(
        String::from_utf8(version).unwrap(),
        format!("crypto-intel-sandbox {}\n", env!("CARGO_PKG_VERSION"))
    );
}

#[cfg(unix)]
#[tokio::test]
async fn a_saved_state_is_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("state.json");
    let file = file.to_str().unwrap();
    let price = "/gateway/v1/market/price?symbol=BTC";
    let flags = ["--port", "0", "--clock", "2026-06-15", "--key", "sk-mine=10", "--save", file];
    let program = Running::start(&flags);
    let (url, key) = program.url_and_key();
    let (status, before) = asked(url, price, key).await;
    assert_eq!((status, program.signalled("-TERM")), (200, Some(0)));
    assert!(!std::fs::read_to_string(file).unwrap().contains("sk-mine"));

    let program = Running::start(&["--port", "0", "--load", file, "--key", "sk-mine"]);
    let (url, key) = program.url_and_key();
    assert_eq!(key, "sk-mine");
    let (_, after) = asked(url, price, key).await;
    assert_eq!(before["data"], after["data"]);
    assert_eq!(
        (&after["meta"]["cached"], &after["meta"]["credits_used"]),
        (&json!(true), &json!(0))
    );

    for (flags, reason) in [
        (&["--load", file, "--seed", "1"][..], "`--load` and `--seed` exclude each other"),
        (&["--load", "/nowhere/state.json"], "/nowhere/state.json: "),
        (&["--replay", "x", "--save", file], "has no state"),
    ] {
        let said = String::from_utf8(ended(flags).stderr).unwrap();
        assert!(said.contains(reason), "{said}");
    }
}
