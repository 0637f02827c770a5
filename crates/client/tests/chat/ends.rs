//! Tests every row of the table `src/chat/ends.md`, which lists how chat responses can end. For each row, a server on
//! loopback sends the bytes in the row, and the client must return the result in the row. This file defines the meaning
//! of the words in the table.

use std::sync::Arc;
use std::time::Duration;

use crypto_intel::chat::{
    AnswerStream, ChatCompletion, Response, StreamProtocol, UsageMissing, failed_answer, user,
};
use crypto_intel::{CallOptions, Client, Error, ErrorKind, prelude::*};
use futures_util::{StreamExt, stream};
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::server::{Do, Server, chunk, json_answer, send, soon};

const TABLE: &str = include_str!("../../src/chat/ends.md");

/// Row of the table `src/chat/ends.md`, with the heading above it.
struct Row {
    section: String,
    arrives: String,
    result: String,
}

/// Returns all rows of the table `src/chat/ends.md`, each with the heading above the row.
fn rows() -> Vec<Row> {
    let mut section = String::new();
    let mut rows = Vec::new();
    for line in TABLE.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            section = heading.trim().to_owned();
        }
        let Some(cells) = line.strip_prefix("| `").and_then(|line| line.strip_suffix(" |")) else {
            continue;
        };
        let (arrives, result) = cells.split_once("` | ").expect("two cells in a row");
        rows.push(Row {
            section: section.clone(),
            arrives: arrives.to_owned(),
            result: result.to_owned(),
        });
    }
    rows
}

#[tokio::test]
async fn every_end_matches_the_table() {
    let rows = rows();
    assert!(rows.len() >= 60, "{} rows", rows.len());

    // Only four rows run at the same time. Each row builds its own client, and on a slow machine more rows would exceed
    // the timeouts.
    let seen: Vec<_> =
        stream::iter(&rows).map(|row| soon(outcome(row))).buffered(4).collect().await;

    let wrong: Vec<_> = rows
        .iter()
        .zip(seen)
        .filter(|(row, seen)| row.result != *seen)
        .map(|(row, seen)| {
            format!("{}: `{}`\n  says {}\n  saw  {seen}", row.section, row.arrives, row.result)
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {} rows:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

#[tokio::test]
async fn failed_answer_is_charged_and_its_keys_are_masked() {
    let body = r#"{"id":"r","object":"response","status":"failed","output_text":"your key is sk-planted",
        "error":{"message":"m"},"meta":{"credits_used":20}}"#;
    let server = Server::start([vec![json_answer(200, body)]]).await;
    let client = server.client();
    let error = client.responses("svc-2.0", "q").await.unwrap_err();

    let answer = failed_answer::<Response>(&error).expect("the failed answer");
    assert_eq!(answer.text(), "your key is sk-…");
    assert!(!format!("{error:?} {answer:?}").contains("planted"), "{error:?}");
    assert_eq!(client.ledger().total().reported.0, 20);
}

#[test]
fn every_section_of_the_table_has_rows() {
    let rows = rows();
    for section in [
        "`responses`, awaited",
        "`responses`, streamed",
        "`chat-completions`, awaited",
        "`chat-completions`, streamed",
    ] {
        assert!(rows.iter().any(|row| row.section == section), "{section}");
    }
}

async fn outcome(row: &Row) -> String {
    let is_response = row.section.starts_with("`responses`");
    let is_awaited = row.section.ends_with("awaited");
    let server = Server::start([script(&row.arrives, is_response, is_awaited)]).await;
    let client = server.client();
    let said = match (is_response, !is_awaited) {
        (true, false) => {
            awaited_outcome(client.responses("svc-2.0", "q").await, Response::text_and_reason)
        }
        (true, true) => {
            streamed_outcome(with_timeout(client.responses("svc-2.0", "q"), row).stream().await)
                .await
        }
        (false, false) => {
            awaited_outcome(completions(&client).await, ChatCompletion::text_and_reason)
        }
        (false, true) => {
            streamed_outcome(with_timeout(completions(&client), row).stream().await).await
        }
    };
    assert_eq!(server.requests().len(), 1, "{}: a paid question was sent again", row.arrives);
    said
}

#[expect(deprecated, reason = "the retired operation is supported")]
fn completions(client: &Client) -> crypto_intel::api::generated::chat::ChatCompletionsRequest {
    client.chat_completions("svc-1.5", [user("q")])
}

/// Sets the timeout of the request that tests a row of `src/chat/ends.md`. A row with the word `silent` needs a read
/// timeout. A row with the word `endless` needs a timeout for the whole stream.
fn with_timeout<R: Request>(request: R, row: &Row) -> R {
    // The timeout is so long that even a busy server sends all its bytes before it.
    let short = Duration::from_secs(5);
    let words: Vec<_> = row.arrives.split(' ').collect();
    let mut call = request.into_call();
    if words.contains(&"silent") {
        call.set_options(CallOptions::new().read_timeout(short));
    }
    if words.contains(&"endless") {
        call.set_options(CallOptions::new().total_timeout(short));
    }
    R::from_call(call)
}

/// Answer type of a chat endpoint. The method `text_and_reason` returns the text of the answer. If the
/// answer is incomplete, it also returns the reason.
trait ChatAnswer: 'static {
    fn text_and_reason(&self) -> (String, Option<String>);
}

impl ChatAnswer for Response {
    fn text_and_reason(&self) -> (String, Option<String>) {
        (self.text().into_owned(), self.incomplete_reason().map(str::to_owned))
    }
}

impl ChatAnswer for ChatCompletion {
    fn text_and_reason(&self) -> (String, Option<String>) {
        (self.text().to_owned(), self.incomplete_reason().map(str::to_owned))
    }
}

fn value((text, incomplete): (String, Option<String>)) -> String {
    match incomplete {
        None => format!("“{text}”"),
        Some(reason) => format!("“{text}”, incomplete: {reason}"),
    }
}

fn error_text(error: &Error, carried: Option<(String, Option<String>)>) -> String {
    let kind = format!("{:?}", error.kind());
    let said = match error.kind() {
        ErrorKind::Truncated | ErrorKind::Timeout => String::new(),
        _ => {
            let message = error.message().split([';', ',']).next().unwrap_or_default();
            format!(": {}", message.split(" at line").next().unwrap_or_default())
        }
    };
    match carried {
        Some((text, _)) => format!("error {kind}{said}; carries “{text}”"),
        None => format!("error {kind}{said}"),
    }
}

fn awaited_outcome<A: ChatAnswer>(
    reply: Result<crypto_intel::Reply<A>, Error>,
    seen: fn(&A) -> (String, Option<String>),
) -> String {
    match reply {
        Ok(reply) => value(seen(&reply)),
        Err(error) => error_text(&error, failed_answer::<A>(&error).map(seen)),
    }
}

/// Reads the text parts of a stream and joins them. Checks that the joined text equals the text of the complete answer.
async fn streamed_outcome<P>(stream: Result<AnswerStream<P>, Error>) -> String
where
    P: StreamProtocol,
    P::Answer: ChatAnswer,
{
    let mut stream = match stream {
        Ok(stream) => stream,
        Err(error) => return error_text(&error, None),
    };
    let mut texts = String::new();
    let error = loop {
        match stream.next_text().await {
            Ok(Some(text)) => texts.push_str(&text),
            Ok(None) => break None,
            Err(error) => break Some(error),
        }
    };

    match (stream.into_answer(), error) {
        (Ok(answer), None) => {
            let (text, incomplete) = answer.text_and_reason();
            assert_eq!(text, texts, "the answer's text is that of the stream");
            let usage = match answer.usage_missing() {
                None => String::new(),
                Some(UsageMissing::CutOff) => "; usage cut off".to_owned(),
                Some(UsageMissing::NotSent) => "; no usage sent".to_owned(),
                Some(other) => panic!("{other}"),
            };
            format!("{}{usage}", value((text, incomplete)))
        }
        (Err(unfinished), Some(error)) => {
            assert_eq!(unfinished.error().kind(), error.kind());
            error_text(&error, Some(unfinished.partial().text_and_reason()))
        }
        (finished, error) => panic!("{error:?} and then {:?}", finished.err()),
    }
}

/// Creates the server's script from `arrives`, which is the first cell of a row of `src/chat/ends.md`. For example, the
/// word `+a` becomes an event with the text delta `a`.
fn script(arrives: &str, is_response: bool, is_awaited: bool) -> Vec<Do> {
    let (content_type, body) =
        match arrives.strip_prefix('(').and_then(|rest| rest.split_once(") ")) {
            Some((content_type, body)) => (content_type, body),
            None if arrives.starts_with('{') || arrives == "[]" => ("application/json", arrives),
            None if arrives.starts_with('<') => ("text/html", arrives),
            None if arrives == "nothing" && is_awaited => ("application/json", ""),
            None => ("text/event-stream", arrives),
        };
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: {content_type}\r\ntransfer-encoding: chunked\r\n\r\n"
    );
    let mut script = vec![send(head)];
    let end = "0\r\n\r\n";
    if content_type != "text/event-stream" && !body.starts_with('+') {
        if !body.is_empty() {
            script.push(chunk(body));
        }
        script.push(send(end));
        return script;
    }

    for word in body.split(' ') {
        match word {
            "nothing" => {}
            "break" => return script,
            "silent" | "open" => {
                script.push(Do::Hang(Arc::new(Notify::new())));
                return script;
            }
            "endless" => {
                script.push(Do::Endless(": still here\n\n".to_owned()));
                return script;
            }

            "half" => script.push(chunk("data: {\"type\":\"respo")),
            "[DONE]" => script.push(chunk("data: [DONE]\n\n")),
            "[DONE]~" => script.push(chunk("data:   [DONE]  \n\n")),
            "garbage" => script.push(chunk("data: }garbage{\n\n")),
            "error" => script.push(data(&json!({"type": "error", "code": "X", "message": "boom"}))),
            "{error}" => script.push(data(&json!({"error": {"message": "boom"}}))),
            "{success}" => script.push(data(
                &json!({"success": false, "message": "boom", "error_code": "FORBIDDEN"}),
            )),
            word if is_response => script.push(data(&response_event(word))),
            word => script.push(data(&chunk_event(word))),
        }
    }
    script.push(send(end));
    script
}

fn data(event: &Value) -> Do {
    chunk(&format!("data: {event}\n\n"))
}

/// Creates a response body of the operation `responses` with this status and text.
fn response(status: &str, text: &str) -> Value {
    let mut answer = json!({"id": "r", "object": "response", "status": status, "output": []});
    if !text.is_empty() {
        answer["output_text"] = text.into();
    }
    if status != "in_progress" {
        answer["usage"] = json!({"total_tokens": 1});
    }
    if status == "incomplete" {
        answer["incomplete_details"] = json!({"reason": "max_output_tokens"});
    }
    if status == "failed" {
        answer["error"] = json!({"code": "X", "message": "boom"});
    }
    answer
}

/// Creates an event of the operation `responses` from a word in the table `src/chat/ends.md`:
///
/// - `+text` is a text delta.
/// - `~id+text` is a text delta for the output item with this identifier.
/// - `=text` is a complete text part.
/// - `status:text` is an event that contains an answer with this text. For example, `completed:ab` is the event
///   `response.completed` with the text `ab`.
/// - `plain:status:text` is an event without a name. Its data is the answer itself, with this status and this text.
fn response_event(word: &str) -> Value {
    if let Some(delta) = word.strip_prefix('+') {
        return json!({"type": "response.output_text.delta", "item_id": "m", "delta": delta});
    }
    if let Some(whole) = word.strip_prefix('=') {
        return json!({"type": "response.output_text.done", "item_id": "m", "text": whole});
    }
    if let Some((id, delta)) = word.strip_prefix('~').and_then(|word| word.split_once('+')) {
        return json!({"type": "response.output_text.delta", "item_id": id, "delta": delta});
    }
    if let Some(word) = word.strip_prefix("plain:") {
        let (status, text) = word.split_once(':').unwrap_or((word, ""));
        return response(status, text);
    }
    let (status, text) = word.split_once(':').unwrap_or((word, ""));
    let inner = match status {
        "created" => "in_progress",
        other => other,
    };
    json!({"type": format!("response.{status}"), "response": response(inner, text)})
}

/// Creates a chunk of the operation `chat-completions` from a word in the table `src/chat/ends.md`:
///
/// - `+text` is a delta of the text.
/// - `=text` is the complete message.
/// - `finish:reason` is the reason for the end.
/// - `second:reason` is a chunk of a second choice, with its text and the reason for its end. Without a reason, this
///   choice has not ended.
/// - `usage` is the last chunk, which contains the token counts.
fn chunk_event(word: &str) -> Value {
    let chunk = |choice: Value| json!({"id": "c", "choices": [choice]});
    if let Some(delta) = word.strip_prefix('+') {
        return chunk(json!({"index": 0, "delta": {"content": delta}, "finish_reason": null}));
    }
    if let Some(whole) = word.strip_prefix('=') {
        let message = json!({"role": "assistant", "content": whole});
        return chunk(json!({"index": 0, "message": message, "finish_reason": null}));
    }
    if let Some(reason) = word.strip_prefix("finish:") {
        return chunk(json!({"index": 0, "delta": {}, "finish_reason": reason}));
    }
    if let Some(reason) = word.strip_prefix("second:") {
        return chunk(json!({"index": 1, "delta": {"content": "x"}, "finish_reason":
            (!reason.is_empty()).then_some(reason)}));
    }
    assert_eq!(word, "usage", "no word of the table");
    json!({"id": "c", "choices": [], "usage": {"total_tokens": 1}})
}
