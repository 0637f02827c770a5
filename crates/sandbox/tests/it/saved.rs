//! Tests of saved sandboxes, their file format, and forks. A loaded sandbox continues from the saved state. A fork is a
//! second sandbox that continues from the current state of a running sandbox.

use std::time::Duration;

use crypto_intel_api::generated::catalogue::OPERATIONS;
use crypto_intel_sandbox::{
    Builder, Override, Sandbox, SavedState, Scenario, UnixSeconds, example,
};
use serde_json::{Value, json};

use crate::support::{Bench, NOW, builder, operation, rows, seen};

const KEYS: [&str; 3] = ["sk-rich", "sk-poor", "sk-unused"];
const TOKEN: &str = "open sesame";

fn with_keys() -> Builder {
    builder().key(KEYS[0], 5_000).key(KEYS[1], 3).key(KEYS[2], 9).control_token(TOKEN)
}

/// Sends a request. Returns the status, all headers except `date`, and the body of the response.
async fn whole(request: reqwest::RequestBuilder) -> (u16, Vec<(String, String)>, Vec<u8>) {
    let response = request.send().await.unwrap();
    let headers = response.headers().iter().filter(|(name, _)| *name != "date");
    let headers =
        headers.map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()));
    let (status, headers) = (response.status().as_u16(), headers.collect());
    (status, headers, response.bytes().await.unwrap().to_vec())
}

/// Identifiers in responses of the saved sandbox. Requests to the loaded sandbox contain these identifiers.
struct Past {
    cursor: String,
    answer: String,
    job: String,
}

async fn until_ended(bench: &Bench, job: &str) -> Value {
    loop {
        let seen = bench.example("onchain-sql-job-get", &[("job_id", json!(job))]).await;
        assert_eq!(seen.status, 200, "{}", seen.text);
        if seen.json["data"]["finished_at"].is_i64() {
            return seen.json["data"].clone();
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Makes calls that change the saved state: charges, free repeats, chats, cursors, jobs, faults, scenarios and
/// overrides.
async fn live(bench: &Bench) -> Past {
    for id in ["market-price", "market-ranking", "market-price"] {
        bench.example(id, &[]).await;
    }
    let poor =
        bench.request(operation("market-price"), &example::parameters(operation("market-price")));
    assert_eq!(seen(poor.bearer_auth(KEYS[1])).await.status, 200);
    assert_eq!(seen(bench.request(operation("news-feed"), &[])).await.status, 200);

    let posts = bench.example("social-user-posts", &[("limit", json!(5))]).await.json;
    let chat = [("input", json!("What is the price of ETH and the revenue of AAPL?"))];
    let answer = bench.example("responses", &chat).await.json;
    let sql = "SELECT block_date, count() AS n FROM agent.base_transfers \
               WHERE block_date >= today() - 2 GROUP BY block_date ORDER BY block_date";
    let job = bench.example("onchain-sql-job-create", &[("sql", json!(sql))]).await.json;
    let job = job["data"]["job_id"].as_str().unwrap().to_owned();
    assert_eq!(until_ended(bench, &job).await["status"], "succeeded");

    let sandbox = &bench.sandbox;
    sandbox
        .inject("status=503;retry-after=4;times=1;operation=news-feed".parse().unwrap())
        .unwrap();
    sandbox.play(Scenario::exchange_halt("okx").unwrap());
    sandbox.clock().advance(Duration::from_millis(61_500));
    let sequence = Override::partial(json!({"name": "overridden"})).times(1);
    sandbox.answer("market-ranking", sequence.then(Override::status(500).times(2))).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    Past { cursor: text(&posts["meta"]["next_cursor"]), answer: text(&answer["id"]), job }
}

/// Calls each operation except the creation of SQL jobs, because the status of a new job depends on the speed of the
/// machine. Then calls some operations again, most of them with the identifiers in `past`.
async fn everything(bench: &Bench, past: &Past) -> Vec<(u16, Vec<(String, String)>, Vec<u8>)> {
    let mut calls: Vec<(&str, Vec<(&str, Value)>)> =
        OPERATIONS.iter().map(|operation| (operation.id, Vec::new())).collect();
    calls.retain(|(id, _)| *id != "onchain-sql-job-create");
    calls.extend([
        ("market-ranking", vec![]),
        ("market-ranking", vec![]),
        ("market-ranking", vec![]),
        ("social-user-posts", vec![("limit", json!(5)), ("cursor", json!(past.cursor))]),
        (
            "responses",
            vec![("input", json!("And BTC?")), ("previous_response_id", json!(past.answer))],
        ),
        ("onchain-sql-job-get", vec![("job_id", json!(past.job))]),
        ("onchain-sql-job-results", vec![("job_id", json!(past.job))]),
        ("onchain-sql-job-results", vec![("job_id", json!(past.job)), ("format", json!("csv"))]),
    ]);

    let mut answers = Vec::new();
    for (id, more) in calls {
        let operation = operation(id);
        let mut values = example::parameters(operation);
        values.retain(|(name, _)| !more.iter().any(|(other, _)| other == name));
        values.extend(more);
        for key in KEYS.iter().take(2).map(Some).chain([None]) {
            let request = bench.request(operation, &values);
            answers.push(whole(key.iter().fold(request, |all, key| all.bearer_auth(key))).await);
        }
    }
    answers
}

#[tokio::test(flavor = "multi_thread")]
async fn after_loading_every_operation_answers_byte_for_byte_as_before() {
    let before = Bench::from_builder(with_keys()).await;
    let past = live(&before).await;
    let text = before.sandbox.save().unwrap().to_string();
    for secret in KEYS.iter().chain([&TOKEN]) {
        assert!(!text.contains(secret), "{secret} in {text}");
    }
    assert!(text.len() < 100_000, "{} bytes", text.len());

    let unnamed = Builder::default().load(text.parse().unwrap()).without_socket().unwrap();
    assert_eq!((unnamed.key(), unnamed.clock().now()), ("", UnixSeconds(NOW + 61)));
    assert_eq!(unnamed.balance(KEYS[0]), before.sandbox.balance(KEYS[0]));
    let again =
        Bench::from_builder(Builder::default().load(text.parse().unwrap()).key(KEYS[0], 0)).await;

    let expected = everything(&before, &past).await;
    let answers = everything(&again, &past).await;
    assert!(expected.iter().any(|answer| answer.0 == 402) && expected.len() > 400);
    for (n, (answer, expected)) in answers.iter().zip(&expected).enumerate() {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let of = format!("answer {n} after {}", text(&expected.2));
        assert_eq!((answer.0, &answer.1), (expected.0, &expected.1), "{of}");
        assert_eq!(text(&answer.2), text(&expected.2), "{of}");
    }
    assert_eq!(again.sandbox.requests_served(), before.sandbox.requests_served());
    assert_eq!(again.sandbox.faults(), before.sandbox.faults());
    assert_eq!(again.sandbox.charged(KEYS[0]), before.sandbox.charged(KEYS[0]));
}

#[tokio::test]
async fn forks_share_a_past_and_differ_only_where_told() {
    let parent = Bench::from_builder(with_keys()).await;
    let past = live(&parent).await;
    let fork =
        Bench { sandbox: parent.sandbox.fork().await.unwrap(), http: reqwest::Client::new() };
    let other =
        Bench { sandbox: parent.sandbox.fork().await.unwrap(), http: reqwest::Client::new() };
    assert_eq!(fork.sandbox.key(), KEYS[0]);
    assert_ne!(fork.sandbox.url(), parent.sandbox.url());

    fork.sandbox.play(Scenario::market_crash());
    fork.sandbox.clear_faults();
    fork.sandbox.clock().advance(Duration::from_secs(3_600));
    fork.example("market-price", &[]).await;
    let spent = |bench: &Bench| bench.sandbox.charged(KEYS[0]).unwrap();
    assert!(spent(&fork) > spent(&parent));
    assert_eq!(spent(&other), spent(&parent));
    assert_eq!(parent.sandbox.clock().now(), UnixSeconds(NOW + 61));
    assert_eq!((parent.sandbox.faults().len(), fork.sandbox.faults().len()), (1, 0));
    assert_eq!((parent.sandbox.playing().len(), fork.sandbox.playing().len()), (1, 2));

    let follow_up = [("input", json!("And BTC?")), ("previous_response_id", json!(past.answer))];
    for bench in [&parent, &other] {
        let answer = bench.example("responses", &follow_up).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
    }
    let silent = Sandbox::builder().without_socket().unwrap().fork().await.unwrap();
    assert_eq!(silent.url(), "http://sandbox.invalid");
}

#[tokio::test]
async fn a_job_that_ran_when_it_was_saved_runs_again() {
    let slow = with_keys().sql_jobs(1, 4).sql_pace(Duration::from_secs(60));
    let bench = Bench::from_builder(slow).await;
    let sql = "SELECT count() AS n FROM agent.base_transfers WHERE block_date = today() - 1";
    let job = bench.example("onchain-sql-job-create", &[("sql", json!(sql))]).await.json;
    let id = &job["data"]["job_id"];
    let mut saved: Value = bench.sandbox.save().unwrap().to_string().parse().unwrap();
    saved["sql"]["pace"] = json!({"secs": 0, "nanos": 0});

    let state = saved.to_string().parse().unwrap();
    let again = Bench::from_builder(Builder::default().load(state).key(KEYS[0], 0)).await;
    let ended = until_ended(&again, id.as_str().unwrap()).await;
    assert_eq!((&ended["status"], &ended["created_at"]), (&json!("succeeded"), &json!(NOW)));
    let found = again.example("onchain-sql-job-results", &[("job_id", id.clone())]).await.json;
    let direct = again.example("onchain-sql", &[("sql", json!(sql))]).await.json;
    assert_eq!(found["data"], direct["data"]);
}

#[tokio::test]
async fn the_control_path_saves_loads_and_forks() {
    let bench = Bench::from_builder(with_keys()).await;
    let control = |method: reqwest::Method, path: &str, body: String| {
        let url = format!("{}{path}", bench.sandbox.url());
        seen(bench.http.request(method, url).header("x-sandbox-token", TOKEN).body(body))
    };
    let (get, put) = (reqwest::Method::GET, reqwest::Method::PUT);
    let saved = control(get.clone(), "/sandbox/saved", String::new()).await;
    assert_eq!(saved.status, 200);

    bench.example("market-price", &[]).await;
    bench.sandbox.clock().advance(Duration::from_secs(5));
    bench.sandbox.answer("market-ranking", Override::status(500)).unwrap();
    // The size limit for a saved state is higher than for other request bodies.
    let padded = format!("{}{}", saved.text, " ".repeat(2 << 20));
    assert_eq!(control(put.clone(), "/sandbox/saved", padded).await.status, 204);
    assert_eq!(bench.sandbox.charged(KEYS[0]), Some(0));
    assert_eq!(bench.sandbox.clock().now(), UnixSeconds(NOW));
    assert_eq!(bench.example("market-ranking", &[]).await.status, 200);
    assert_eq!(bench.sandbox.requests_served(), 1);

    let fork = control(reqwest::Method::POST, "/sandbox/forks", String::new()).await;
    assert_eq!(fork.status, 201);
    let url = fork.json["url"].as_str().unwrap().to_owned();
    let price = operation("market-price").path;
    let ask = || bench.http.get(format!("{url}{price}?symbol=BTC")).bearer_auth(KEYS[0]).send();
    assert_eq!(ask().await.unwrap().status(), 200);
    assert_eq!(bench.sandbox.charged(KEYS[0]), Some(2));
    let listed = control(get, "/sandbox/forks", String::new()).await.json;
    assert_eq!(listed, json!([{"url": url}]));
    assert_eq!(control(reqwest::Method::DELETE, "/sandbox/forks", url.clone()).await.status, 204);
    while ask().await.is_ok() {
        tokio::task::yield_now().await;
    }

    let refused = control(put, "/sandbox/saved", "{}".to_owned()).await;
    assert_eq!((refused.status, &refused.json["error"]["code"]), (400, &json!("INVALID_REQUEST")));
    for path in ["/sandbox/saved", "/sandbox/forks"] {
        assert_eq!(bench.get(path).await.status, 401);
        let closed = Bench::start().await;
        assert_eq!(closed.get(path).await.status, 404);
    }
}

/// Loads one saved file for each version of the format. These files must never be changed.
#[tokio::test]
async fn states_of_all_versions_are_loaded() {
    let state = SavedState::read("tests/states/1.json").unwrap();
    let bench = Bench::from_builder(Builder::default().load(state).key("sk-fixture", 0)).await;
    assert_eq!(
        (bench.sandbox.key(), bench.sandbox.balance("sk-fixture")),
        ("sk-fixture", Some(72))
    );
    assert_eq!(bench.sandbox.clock().now(), UnixSeconds(NOW + 61));
    assert_eq!(bench.sandbox.playing(), [Scenario::exchange_halt("okx").unwrap()]);
    assert_eq!(bench.sandbox.faults().len(), 1);
    assert_eq!(bench.sandbox.answers().len(), 1);
    let ranking = bench.example("market-ranking", &[]).await.json;
    assert_eq!(rows(&ranking)[0]["name"], "overridden");
    let chat = [("previous_response_id", json!("resp_fixture")), ("input", json!("And BTC?"))];
    assert_eq!(bench.example("responses", &chat).await.status, 200);
    let job = [("job_id", json!("00000000-0000-4000-8000-000000000001"))];
    let found = bench.example("onchain-sql-job-results", &job).await.json;
    assert_eq!(found["data"], json!([{"n": 7}]));
}

#[test]
fn what_is_no_state_is_refused_in_words() {
    let text = Sandbox::builder().without_socket().unwrap().save().unwrap().to_string();
    let changed = |name: &str, value: Value| {
        let mut state: Value = serde_json::from_str(&text).unwrap();
        state[name] = value;
        state.to_string()
    };
    for (text, reason) in [
        ("nonsense".to_owned(), "is not JSON"),
        ("[]".to_owned(), "`format` must be `crypto-intel-sandbox`"),
        (changed("version", json!(2)), "version 2, but this release reads only versions up to 1"),
        (changed("version", json!(0)), "no valid `version`"),
        (changed("seed", json!("x")), "is damaged: "),
    ] {
        let error = text.parse::<SavedState>().unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }

    for (name, value) in [
        ("faults", json!(["explode"])),
        ("scenarios", json!([["explode", 1]])),
        ("answers", json!([{"operation": "nothing", "data": []}])),
    ] {
        let state = changed(name, value).parse().unwrap();
        let error = Sandbox::builder().load(state).without_socket().unwrap_err();
        assert!(error.to_string().starts_with("the saved sandbox: "), "{error}");
    }

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("state.json");
    text.parse::<SavedState>().unwrap().write(&file).unwrap();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    let replay = Sandbox::builder().replay(folder.path());
    assert!(replay.load(text.parse().unwrap()).without_socket().is_err());
}
