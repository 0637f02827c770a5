//! Tests how the client reads chat streams. The test server behaves differently in each test.

use std::sync::Arc;
use std::time::Duration;

use crypto_intel::chat::{
    AnswerStream, FinishedAnswer, Response, ResponsesProtocol, UnfinishedAnswer, failed_answer,
};
use crypto_intel::{CallOptions, Client, ErrorKind, prelude::*};
use tokio::sync::Notify;

use crate::server::{
    Do, Server, chunk, chunked_head, completed, delta, deltas, head, json_answer, send, soon,
};

const EVENTS: &str = "text/event-stream";

/// Result of reading a stream: its text parts, its error, and the result of `into_answer`.
type Outcome = (
    Vec<String>,
    Option<crypto_intel::Error>,
    Result<FinishedAnswer<Response>, UnfinishedAnswer<Response>>,
);

async fn read(mut answer: AnswerStream<ResponsesProtocol>) -> Outcome {
    let mut texts = Vec::new();
    let error = loop {
        match soon(answer.next_text()).await {
            Ok(Some(text)) => texts.push(text),
            Ok(None) => break None,
            Err(error) => break Some(error),
        }
    };
    assert!(soon(answer.next_text()).await.unwrap().is_none(), "nothing comes after the end");
    (texts, error, answer.into_answer())
}

async fn ask(client: &Client) -> Result<AnswerStream<ResponsesProtocol>, crypto_intel::Error> {
    soon(client.responses("svc-2.0-instant", "q").stream()).await
}

/// Starts a server that performs the steps of `script`. Reads the stream with a client and returns the result. Checks
/// that the client sent only one request.
async fn outcome(script: Vec<Do>) -> Outcome {
    let server = Server::start([script]).await;
    let outcome = read(ask(&server.client()).await.unwrap()).await;
    assert_eq!(server.requests().len(), 1, "a paid question was sent again");
    outcome
}

#[tokio::test]
async fn stream_returns_text_and_then_answer() {
    let server =
        Server::start([vec![head(EVENTS), send(deltas(&["Hel", "lo"])), send(completed("Hello"))]])
            .await;
    let client = server.client();
    let (texts, error, answer) = read(ask(&client).await.unwrap()).await;
    assert_eq!(texts, ["Hel", "lo"]);
    assert!(error.is_none());
    let answer = answer.unwrap();
    assert_eq!((answer.text().as_ref(), answer.id.as_str()), ("Hello", "resp_1"));
    assert_eq!(
        (answer.usage_missing(), answer.into_inner().usage.unwrap().total_tokens),
        (None, Some(7))
    );
    // The ledger counts the list price and the reported credits, in total and for each model.
    let total = client.ledger().total();
    assert_eq!((total.calls, total.list_price.0, total.reported.0), (1, 20, 21));
    let by_model = client.ledger().by_model();
    let (model, spent) = by_model.iter().next().unwrap();
    assert_eq!((model.model.as_str(), model.effort.as_deref()), ("svc-2.0-instant", None));
    assert_eq!((by_model.len(), spent.reported.0), (1, 21));
    let seen = &server.requests()[0];
    assert_eq!(seen.body["stream"], true);
    assert!(seen.head.contains("accept: text/event-stream, application/json;q=0.5"), "{seen:?}");
}

#[tokio::test]
async fn single_bytes_decode_to_the_same_stream() {
    let text = format!("{}{}", deltas(&["Hé", "漢🦀"]), completed("Hé漢🦀"));
    let (texts, error, answer) = outcome(vec![head(EVENTS), Do::Drip(text.into_bytes())]).await;
    assert_eq!(texts, ["Hé", "漢🦀"]);
    assert!(error.is_none());
    assert_eq!(answer.unwrap().text(), "Hé漢🦀");
}

#[tokio::test]
async fn keep_alives_are_ignored_at_every_position() {
    let stream = format!(
        ": hi\n\n{}: ping\n\n:\r\n\r\nevent: ping\ndata: {{}}\n\ndata:\n\n{}\n\n\n: x\n{}",
        delta("a"),
        delta("b").replace("data:", ": in the middle\ndata:"),
        completed("ab"),
    );
    let (texts, error, answer) = outcome(vec![head(EVENTS), send(stream)]).await;
    assert_eq!(texts, ["a", "b"]);
    assert!(error.is_none());
    assert_eq!(answer.unwrap().text(), "ab");
}

#[tokio::test]
async fn cut_stream_keeps_received_text() {
    let half = r#"data: {"type":"response.output_text.delta","del"#;
    for script in [
        vec![head(EVENTS), send(deltas(&["a", "b"]))],
        vec![head(EVENTS), send(deltas(&["a", "b"])), send(half)],
        vec![chunked_head(), chunk(&deltas(&["a", "b"]))],
        vec![chunked_head(), chunk(&deltas(&["a", "b"])), send("ff\r\ndata: x")],
    ] {
        let (texts, error, answer) = outcome(script).await;
        assert_eq!(texts, ["a", "b"]);

        let error = error.unwrap();
        assert_eq!(error.kind(), ErrorKind::Truncated, "{error}");
        assert_eq!(error.operation(), Some("responses-stream"));
        assert!(error.message().contains("after 2 events"), "{error}");

        let unfinished = answer.unwrap_err();
        assert_eq!(unfinished.error().kind(), ErrorKind::Truncated);
        assert_eq!(unfinished.partial().text(), "ab");
        let error = crypto_intel::Error::from(unfinished);
        assert_eq!(error.kind(), ErrorKind::Truncated);
        assert_eq!(failed_answer::<Response>(&error).unwrap().text(), "ab");
    }

    // A stream without any event counts as cut off.
    let (texts, error, _) = outcome(vec![head(EVENTS)]).await;
    assert_eq!((texts.len(), error.unwrap().kind()), (0, ErrorKind::Truncated));

    // A body whose content type is not an event stream is probably from a proxy.
    let (texts, error, _) = outcome(vec![head("application/octet-stream")]).await;
    let error = error.unwrap();
    assert_eq!((texts.len(), error.kind()), (0, ErrorKind::Decode));
    assert!(error.message().contains("proxy"), "{error}");
}

#[tokio::test]
async fn cut_stream_error_contains_requested_wait() {
    let (_, error, _) = outcome(vec![head(EVENTS), send("retry: 1500\n\n")]).await;
    assert_eq!(error.unwrap().retry_after(), Some(Duration::from_millis(1500)));
}

#[tokio::test]
async fn stream_not_read_to_its_end_is_unfinished() {
    let server =
        Server::start([vec![head(EVENTS), send(deltas(&["a"])), send(completed("a"))]]).await;
    let mut answer = ask(&server.client()).await.unwrap();
    assert_eq!(soon(answer.next_text()).await.unwrap().as_deref(), Some("a"));
    let unfinished = answer.into_answer().unwrap_err();
    assert!(unfinished.error().message().contains("not read to its end"), "{unfinished}");
    assert_eq!(unfinished.partial().text(), "a");
}

#[tokio::test]
async fn read_to_end_reads_remaining_events() {
    let server =
        Server::start([vec![head(EVENTS), send(deltas(&["a"])), send(completed("a"))]]).await;
    assert_eq!(soon(ask(&server.client()).await.unwrap().read_to_end()).await.unwrap().text(), "a");
    let server = Server::start([vec![head(EVENTS), send(deltas(&["a"]))]]).await;
    let unfinished = soon(ask(&server.client()).await.unwrap().read_to_end()).await.unwrap_err();
    assert_eq!(
        (unfinished.error().kind(), &*unfinished.partial().text()),
        (ErrorKind::Truncated, "a")
    );
}

#[tokio::test]
async fn silent_stream_times_out() {
    let closed = Arc::new(Notify::new());
    let server =
        Server::start([vec![head(EVENTS), send(delta("a")), Do::Hang(closed.clone())]]).await;
    let options = CallOptions::new().read_timeout(Duration::from_secs(1));
    let request = server.client().responses("svc-2.0", "q").with_options(options);
    let (texts, error, answer) = read(soon(request.stream()).await.unwrap()).await;
    assert_eq!(texts, ["a"]);
    let error = error.unwrap();
    assert_eq!(error.kind(), ErrorKind::Timeout);
    assert!(error.message().contains("1s"), "{error}");
    let unfinished = answer.unwrap_err();
    assert_eq!(
        (unfinished.error().kind(), &*unfinished.partial().text()),
        (ErrorKind::Timeout, "a")
    );
    soon(closed.notified()).await;
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn dropping_a_stream_closes_its_connection() {
    let closed = Arc::new(Notify::new());
    let server =
        Server::start([vec![head(EVENTS), send(delta("a")), Do::Hang(closed.clone())]]).await;
    let mut answer = ask(&server.client()).await.unwrap();
    assert_eq!(soon(answer.next_text()).await.unwrap().as_deref(), Some("a"));
    drop(answer);
    soon(closed.notified()).await;
}

#[tokio::test]
async fn open_connection_does_not_delay_finished_answer() {
    for end in [completed("a"), completed("a") + "data: [DONE]\n\n"] {
        let closed = Arc::new(Notify::new());
        let (texts, error, answer) =
            outcome(vec![head(EVENTS), send(delta("a") + &end), Do::Hang(closed.clone())]).await;
        assert_eq!((texts.concat().as_str(), error.is_none()), ("a", true));
        assert_eq!(answer.unwrap().text(), "a");
    }
}

#[tokio::test]
async fn error_inside_stream_has_its_kind() {
    let objects = [
        (
            r#"{"type":"error","code":"RATE_LIMITED","message":"slow down"}"#,
            ErrorKind::RateLimited,
            "RATE_LIMITED",
        ),
        (
            r#"{"error":{"code":"FORBIDDEN","message":"slow down"}}"#,
            ErrorKind::InsufficientCredits,
            "FORBIDDEN",
        ),
        (
            r#"{"error":{"code":"boom","message":"slow down","status":503}}"#,
            ErrorKind::Service,
            "boom",
        ),
        (
            r#"{"type":"response.failed","response":{"id":"r","status":"failed","error":{"code":"server_error","message":"slow down"}}}"#,
            ErrorKind::Service,
            "server_error",
        ),
    ];

    for (object, kind, code) in objects {
        let script =
            vec![head(EVENTS), send(delta("a") + &format!("data: {object}\n\n") + &delta("b"))];
        let (texts, error, answer) = outcome(script).await;
        assert_eq!(texts, ["a"], "nothing is read past an error");

        let error = error.unwrap();
        assert_eq!((error.kind(), error.code(), error.message()), (kind, Some(code), "slow down"));
        assert_eq!((error.request_id(), error.attempts()), (Some("req_1"), 1));
        let unfinished = answer.unwrap_err();
        assert_eq!((unfinished.error().kind(), &*unfinished.partial().text()), (kind, "a"));
    }
}

#[tokio::test]
async fn key_quoted_in_stream_error_is_masked() {
    let object = r#"{"error":{"message":"the key sk-planted is not good"}}"#;
    let (_, error, _) = outcome(vec![head(EVENTS), send(format!("data: {object}\n\n"))]).await;
    let error = error.unwrap();
    assert!(!format!("{error} {error:?} {:?}", error.details()).contains("planted"), "{error:?}");
    assert!(error.message().contains("sk-…"), "{error}");
}

#[tokio::test]
async fn error_instead_of_stream_has_its_status() {
    let body = r#"{"error":{"code":"PAID_BALANCE_ZERO","message":"top up"}}"#;
    let server = Server::start([vec![json_answer(402, body)]]).await;
    let error = ask(&server.client()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InsufficientCredits);
    assert_eq!((error.status().map(|s| s.as_u16()), error.message()), (Some(402), "top up"));
    let server = Server::start([vec![json_answer(502, "{}")]]).await;
    let error = ask(&server.client()).await.unwrap_err();
    assert_eq!(
        (error.kind(), server.requests().len()),
        (ErrorKind::Service, 1),
        "a paid question was sent again"
    );
}

#[tokio::test]
async fn whole_answer_instead_of_stream_is_one_event() {
    let body = r#"{"id":"r","object":"response","status":"completed","output_text":"Hello","meta":{"credits_used":20}}"#;
    for kind in ["application/json; charset=utf-8", "text/plain"] {
        let server = Server::start([vec![head(kind), send(body)]]).await;
        let client = server.client();
        let (texts, error, answer) = read(ask(&client).await.unwrap()).await;
        assert_eq!((texts, error.is_none()), (vec!["Hello".to_owned()], true));
        assert_eq!(answer.unwrap().id, "r");
        assert_eq!(client.ledger().total().reported.0, 20);
    }
    let (_, error, _) =
        outcome(vec![head("application/json"), send(r#"{"error":{"message":"m"}}"#)]).await;
    assert_eq!(error.unwrap().message(), "m");
}

#[tokio::test]
async fn body_that_is_no_stream_is_rejected_at_once() {
    let page = "<!doctype html><title>Sign in</title>";
    for (kind, body, says) in [
        ("text/html", page, "the response is an HTML page instead of a stream"),
        ("application/octet-stream", page, "the response is an HTML page instead of a stream"),
        ("application/json", "{\"id\":", "neither a stream nor a JSON object"),
    ] {
        let server = Server::start([vec![head(kind), send(body)]]).await;
        let error = ask(&server.client()).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Decode);
        assert!(error.message().contains(says), "{error}");
        assert_eq!(error.body().unwrap().text(), body);
        assert_eq!(server.requests().len(), 1);
    }

    // An HTML page with the content type of an event stream is recognised when it ends without an event.
    let (_, error, _) = outcome(vec![head(EVENTS), send(page)]).await;
    let error = error.unwrap();
    assert_eq!((error.kind(), &*error.body().unwrap().text()), (ErrorKind::Decode, page));
    assert!(error.message().contains("proxy"), "{error}");

    // The client returns an error object in the stream as an error.
    let body = r#"{"error": {"code": "FORBIDDEN", "message": "m"}}"#;
    let (_, error, _) = outcome(vec![head(EVENTS), send(body)]).await;
    assert_eq!(error.unwrap().kind(), ErrorKind::InsufficientCredits);
    let (_, error, _) = outcome(vec![head(EVENTS), send("data: garbage\n\n")]).await;
    assert_eq!(error.unwrap().kind(), ErrorKind::Decode);
}

#[tokio::test]
async fn stored_answer_is_limited_to_max_body() {
    let large = "x".repeat(600);
    for (script, says) in [
        (
            vec![head(EVENTS), send(format!("data: {large}{large}"))],
            "an event exceeds the body limit of 1000",
        ),
        (
            vec![head(EVENTS), send(delta(&large) + &delta(&large))],
            "the response exceeds the body limit of 1000",
        ),
    ] {
        let server = Server::start([script]).await;
        let client = Client::builder().base_url(&server.url).max_body(1000).build().unwrap();
        let (_, error, answer) = read(ask(&client).await.unwrap()).await;
        let error = error.unwrap();
        assert!(error.message().contains(says), "{error}");
        assert_eq!(answer.unwrap_err().error().kind(), ErrorKind::Decode);
    }

    // The limit for bodies does not count the text of a stream that is read without storing its text.
    let server =
        Server::start([vec![head(EVENTS), send(delta(&large) + &delta(&large) + &completed(""))]])
            .await;
    let client = Client::builder().base_url(&server.url).max_body(1000).build().unwrap();
    let (texts, error, answer) = read(ask(&client).await.unwrap().without_text()).await;
    assert_eq!((texts.concat().len(), error.is_none()), (1200, true));
    assert_eq!(answer.unwrap().text(), "");
}

#[tokio::test]
async fn stream_reads_no_data_before_caller_polls() {
    // This is more than the socket buffers can hold, so the server can only send it all if the client continues to
    // read.
    let sent = Arc::new(Notify::new());
    let much = deltas(&["x".repeat(1024).as_str()]).repeat(32 * 1024);
    let server =
        Server::start([vec![head(EVENTS), send(delta("a")), send(much), Do::Hang(sent.clone())]])
            .await;
    let mut answer = ask(&server.client()).await.unwrap();
    assert_eq!(soon(answer.next_text()).await.unwrap().as_deref(), Some("a"));
    let all_sent = tokio::time::timeout(Duration::from_millis(200), sent.notified()).await;
    assert!(all_sent.is_err(), "32 MiB went somewhere");
    drop(answer);
}

#[tokio::test]
async fn chat_completion_ends_with_finish_reason_not_with_done_alone() {
    let chunk = |content: &str, reason: &str| {
        format!(
            "data: {{\"id\":\"c\",\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"{content}\"}},\"finish_reason\":{reason}}}]}}\n\n"
        )
    };
    for (stream, ends_well) in [
        (chunk("a", "null") + "data: [DONE]\n\n", false),
        (chunk("a", "\"stop\""), true),
        (
            chunk("a", "\"stop\"")
                + "data: {\"choices\":[],\"meta\":{\"credits_used\":3}}\n\ndata: [DONE]\n\n",
            true,
        ),
        (chunk("a", "null"), false),
    ] {
        let server = Server::start([vec![head(EVENTS), send(stream.as_str())]]).await;
        let client = server.client();
        #[expect(deprecated, reason = "the retired operation is supported")]
        let request = client.chat_completions("svc-1.5", [crypto_intel::chat::user("q")]);
        let mut answer = soon(request.stream()).await.unwrap();

        let mut texts = String::new();
        let error = loop {
            match soon(answer.next_text()).await {
                Ok(Some(text)) => texts.push_str(&text),
                Ok(None) => break None,
                Err(error) => break Some(error.kind()),
            }
        };

        assert_eq!(
            (texts.as_str(), error),
            ("a", (!ends_well).then_some(ErrorKind::Truncated)),
            "{stream}"
        );
        assert_eq!(answer.into_answer().is_ok(), ends_well);
        let reported = if stream.contains("meta") { 3 } else { 0 };
        assert_eq!(client.ledger().total().reported.0, reported);
    }
}
