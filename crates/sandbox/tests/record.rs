//! Tests of recording with three sandboxes. The first acts as the live service, the second records its responses,
//! and the third replays the recording.

use std::fs;
use std::path::Path;

use crypto_intel_api::generated::catalogue::OPERATIONS;
use crypto_intel_sandbox::{Clock, Sandbox, UnixSeconds, example};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

const KEY: &str = "sk-secret-of-mine-0123456789";

async fn service() -> Sandbox {
    let clock = Clock::stopped_at(UnixSeconds(1_781_530_662));
    Sandbox::builder().clock(clock).key(KEY, 1_000_000).start().await.unwrap()
}

async fn recorder(upstream: &str, dir: &TempDir) -> Sandbox {
    Sandbox::builder().record(upstream, dir.path()).start().await.unwrap()
}

async fn player(dir: &TempDir) -> Sandbox {
    Sandbox::builder().replay(dir.path()).start().await.unwrap()
}

/// Status, content type and body of an HTTP response.
type Seen = (u16, String, Vec<u8>);

async fn send(request: reqwest::RequestBuilder) -> Seen {
    let response = request.send().await.unwrap();
    let kind = response.headers().get("content-type").map(|kind| kind.to_str().unwrap().to_owned());
    let status = response.status().as_u16();
    (status, kind.unwrap_or_default(), response.bytes().await.unwrap().to_vec())
}

fn files(dir: &Path) -> Vec<(String, String)> {
    let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries
        .map(|path| (path.display().to_string(), fs::read_to_string(&path).unwrap()))
        .collect();
    files.sort();
    files
}

/// Calls all API operations at a base URL. Returns the id of each operation and its response.
async fn all(http: &reqwest::Client, base: &str) -> Vec<(String, Seen)> {
    let mut seen = Vec::new();
    for operation in OPERATIONS {
        let mut request = http.request(operation.method.clone(), {
            let mut url = reqwest::Url::parse(&format!("{base}{}", operation.path)).unwrap();
            let mut path = operation.path.to_owned();
            for (name, value) in example::parameters(operation) {
                let (_, param) = operation.param(name).unwrap();
                let text = match &value {
                    Value::String(text) => text.clone(),
                    Value::Array(items) => items[0].as_str().unwrap_or_default().to_owned(),
                    other => other.to_string(),
                };

                match param.location {
                    crypto_intel_core::In::Query => {
                        url.query_pairs_mut().append_pair(name, &text);
                    }
                    crypto_intel_core::In::Path => {
                        path = path.replace(&format!("{{{name}}}"), &text)
                    }
                    _ => {}
                }
            }
            url.set_path(&path);
            url
        });

        if operation.body != crypto_intel_core::Body::None {
            let body = example::parameters(operation).into_iter();
            let body: serde_json::Map<_, _> =
                body.map(|(name, value)| (name.to_owned(), value)).collect();
            request = request.json(&body);
        }

        seen.push((operation.id.to_owned(), send(request.bearer_auth(KEY)).await));
    }

    seen
}

#[tokio::test]
async fn a_recording_replays_the_same_bytes_and_holds_no_key() {
    let (service, dir) = (service().await, TempDir::new().unwrap());
    let recorder = recorder(&service.url(), &dir).await;
    let http = reqwest::Client::new();
    let live = all(&http, &recorder.url()).await;
    assert!(live.iter().all(|(id, seen)| (200..300).contains(&seen.0) || panic!("{id}: {seen:?}")));

    // Error responses of the service are recorded too.
    let odd = format!("{}/gateway/v1/nothing?api_key={KEY}&x={KEY}", recorder.url());
    let hidden = format!("{}/gateway/v1/{}", recorder.url(), KEY.replace('-', "%2D"));
    let echo = json!({"model": "svc-2.0", "input": format!("my key is {KEY}"), "metadata": {"password": "hunter2secret", "note": KEY}});
    let responses = format!("{}/gateway/v1/responses", recorder.url());
    let strange = [
        send(http.get(&odd)).await,
        send(
            http.post(&responses)
                .json(&echo)
                .bearer_auth(KEY)
                .header("cookie", "session=abcdefghij"),
        )
        .await,
        send(
            http.get(format!("{}/gateway/v1/market/price", recorder.url()))
                .bearer_auth("other-credential-xyz"),
        )
        .await,
    ];

    assert_eq!(send(http.get(&hidden)).await.0, 404);
    assert_eq!(strange.iter().map(|seen| seen.0).collect::<Vec<_>>(), [404, 200, 401]);
    assert_eq!(recorder.not_recorded(), [""; 0]);
    assert_eq!(recorder.requests_served() as usize, live.len() + 4);
    recorder.stop().await.unwrap();
    service.stop().await.unwrap();

    let written = files(dir.path());
    assert_eq!(written.len(), live.len() + 4);
    for (name, text) in &written {
        for secret in [KEY, "secret-of-mine", "sk-", "other-credential", "hunter2", "abcdefghij"] {
            assert!(!name.contains(secret) && !text.contains(secret), "{secret} in {name}: {text}");
        }
    }

    let player = player(&dir).await;
    for ((id, before), (_, after)) in live.iter().zip(all(&http, &player.url()).await) {
        assert_eq!(before, &after, "{id}");
    }
    let responses = format!("{}/gateway/v1/responses", player.url());
    assert_eq!(send(http.post(&responses).json(&echo).bearer_auth("sk-any")).await.0, 200);
}

#[tokio::test]
async fn repeated_and_concurrent_requests_are_numbered_and_none_is_lost() {
    let (service, dir) = (service().await, TempDir::new().unwrap());
    let recorder = recorder(&service.url(), &dir).await;
    let http = reqwest::Client::new();
    let url = format!("{}/gateway/v1/news/feed?limit=1", recorder.url());
    let calls = (0..40).map(|_| send(http.get(&url).bearer_auth(KEY)));
    let seen = futures_util::future::join_all(calls).await;
    assert!(seen.iter().all(|seen| seen.0 == 200));
    recorder.stop().await.unwrap();
    assert_eq!(files(dir.path()).len(), 40);
    // A second run continues the recording.
    let again = Sandbox::builder().record(service.url(), dir.path()).start().await.unwrap();
    send(http.get(url.replace(&recorder_url(&url), &again.url())).bearer_auth(KEY)).await;
    again.stop().await.unwrap();
    let names = files(dir.path());
    assert_eq!(names.len(), 41);
    assert!(names[40].0.ends_with("-0041.json"), "{}", names[40].0);
}

fn recorder_url(url: &str) -> String {
    url.split("/gateway").next().unwrap().to_owned()
}

#[tokio::test]
async fn events_pass_as_they_come_and_are_recorded_though_the_reader_leaves_after_the_last() {
    // A service that sends one event, waits for a signal, and sends the rest.
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let upstream = format!("http://{}", listener.local_addr().unwrap());
    let (go, wait) = tokio::sync::oneshot::channel::<()>();
    let (gone, reader_gone) = tokio::sync::oneshot::channel::<()>();
    let serve = tokio::spawn(async move {
        let (mut connection, _) = listener.accept().await.unwrap();
        let mut buffer = [0; 4096];
        assert!(connection.read(&mut buffer).await.unwrap() > 0);
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nset-cookie: s=1\r\nconnection: close\r\n\r\n";
        connection.write_all(head.as_bytes()).await.unwrap();
        connection.write_all(b"data: {\"delta\":\"H\xc3\xa9\"}\n\n").await.unwrap();
        wait.await.unwrap();
        connection.write_all(b"data: [DONE]\n\n").await.unwrap();
        // The service closes the connection only after the reader has disconnected.
        reader_gone.await.unwrap();
    });
    let dir = TempDir::new().unwrap();
    let recorder = recorder(&upstream, &dir).await;
    let http = reqwest::Client::new();
    let url = format!("{}/v1/chat/completions", recorder.url());
    let mut response = http.post(&url).body("{}").send().await.unwrap();
    let first = response.chunk().await.unwrap().unwrap();

    assert_eq!(first, "data: {\"delta\":\"Hé\"}\n\n".as_bytes());

    go.send(()).unwrap();
    assert_eq!(response.chunk().await.unwrap().unwrap(), "data: [DONE]\n\n".as_bytes());

    drop(response);
    gone.send(()).unwrap();
    recorder.stop().await.unwrap();
    serve.await.unwrap();
    let written = files(dir.path());

    assert_eq!(written.len(), 1);
    assert!(
        written[0]
            .1
            .contains("\"text\": \"data: {\\\"delta\\\":\\\"Hé\\\"}\\n\\ndata: [DONE]\\n\\n\""),
        "{written:?}"
    );
    assert!(!written[0].1.contains("set-cookie"), "{written:?}");

    let player = player(&dir).await;
    let url = format!("{}/v1/chat/completions", player.url());
    let (_, kind, body) = send(http.post(url).body("{}")).await;
    assert_eq!(kind, "text/event-stream");
    assert_eq!(body, "data: {\"delta\":\"Hé\"}\n\ndata: [DONE]\n\n".as_bytes());
}

#[tokio::test]
async fn what_is_cut_off_is_handed_on_and_not_recorded() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let upstream = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut connection, _) = listener.accept().await.unwrap();
        let mut buffer = [0; 4096];
        assert!(connection.read(&mut buffer).await.unwrap() > 0);
        let half = "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf";
        connection.write_all(half.as_bytes()).await.unwrap();
    });
    let dir = TempDir::new().unwrap();
    let recorder = recorder(&upstream, &dir).await;
    let http = reqwest::Client::new();
    let mut response = http.get(format!("{}/x", recorder.url())).send().await.unwrap();
    let mut got = Vec::new();

    let cut = loop {
        match response.chunk().await {
            Ok(Some(piece)) => got.extend_from_slice(&piece),
            Ok(None) => break false,
            Err(_) => break true,
        }
    };

    assert!(cut && b"half".starts_with(&got), "{got:?}");

    // The service at the upstream address no longer runs.
    let (status, _, body) = send(http.get(format!("{}/y?api_key=k", recorder.url()))).await;
    assert_eq!(status, 502);
    assert!(String::from_utf8_lossy(&body).contains("UPSTREAM_UNREACHABLE"));

    let missed = recorder.not_recorded();
    assert_eq!(missed.len(), 2);
    assert!(
        missed[0].starts_with("GET /x: the response was cut off")
            && missed[1].contains("/y?api_key=REMOVED"),
        "{missed:?}"
    );

    recorder.stop().await.unwrap();
    assert_eq!(files(dir.path()).len(), 0);
}

#[tokio::test]
async fn a_recorder_refuses_what_it_cannot_use() {
    let dir = TempDir::new().unwrap();
    for upstream in [
        "",
        "service.example",
        "ftp://service.example",
        "https://user:pass@service.example",
        "https://service.example?key=1",
    ] {
        let error = Sandbox::builder().record(upstream, dir.path()).start().await.unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput, "{upstream}");
        assert!(!error.to_string().contains("pass@"));
    }
    let both = Sandbox::builder().record("http://127.0.0.1:9", dir.path()).replay(dir.path());
    assert!(both.start().await.unwrap_err().to_string().contains("not both"));
}

#[tokio::test]
async fn what_cannot_be_searched_for_keys_is_not_recorded() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let upstream = format!("http://{}", listener.local_addr().unwrap());
    let (key, dir) = ("opaque-credential", TempDir::new().unwrap());
    let answers = [
        ("Content-Encoding: gzip", "{}".to_owned()),
        ("Content-Type: multipart/mixed; boundary=x", "--x--".to_owned()),
        (
            "Content-Type: text/event-stream",
            ["opaque-cre", "dential"].map(|d| format!("data: {{\"delta\":\"{d}\"}}\n\n")).concat(),
        ),
        ("Content-Type: application/json", format!("{{\"you sent\":\"{key}\"}}")),
    ];

    let replies = answers.clone();
    let served = tokio::spawn(async move {
        for (header, body) in replies {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut seen = Vec::new();
            while !seen.ends_with(b"\r\n\r\n") {
                seen.push(stream.read_u8().await.unwrap());
            }
            let length = body.len();
            let head = format!("HTTP/1.1 200 OK\r\n{header}\r\nContent-Length: {length}\r\n");
            let answer = format!("{head}Connection: close\r\n\r\n{body}");
            stream.write_all(answer.as_bytes()).await.unwrap();
        }
    });

    let sandbox = recorder(&upstream, &dir).await;
    let http = reqwest::Client::new();
    for (number, (_, body)) in answers.iter().enumerate() {
        let request = http.get(format!("{}/answers/{number}", sandbox.url())).bearer_auth(key);
        // The client receives the unchanged response, even if keys are masked in the recording.
        assert_eq!(send(request).await.2, body.as_bytes());
    }
    served.await.unwrap();

    let missed = sandbox.not_recorded();
    sandbox.stop().await.unwrap();
    assert_eq!(missed.len(), 3, "{missed:?}");
    for (missed, reason) in missed.iter().zip(["compressed", "multipart", "several events"]) {
        assert!(missed.contains(reason), "{missed}");
    }
    let files = files(dir.path());
    assert_eq!(files.len(), 1);
    assert!(files[0].1.contains("REMOVED") && !files[0].1.contains("opaque"), "{}", files[0].1);
}
