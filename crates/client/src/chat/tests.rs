//! Tests that build chat answers from stream events. The events have the formats of known services.

use serde_json::{Value, json};

use super::completions::CompletionsProtocol;
use super::events::ResponseEvent;
use super::protocol::{Fold, Fresh, Taken, Verdict};
use super::responses::ResponsesProtocol;
use super::{ChatCompletionExt, ResponseExt};

mod completions;
mod shapes;

use shapes::{SAID, shapes};

/// Decodes the events. Returns the new text of each event, and the decoder with the answer. An error is returned as
/// text in angle brackets.
fn fold<F: Fold>(mut fold: F, events: &[Value]) -> (Vec<String>, F) {
    let mut texts = Vec::new();
    for event in events {
        match fold.add("message", &event.to_string()) {
            Taken::Event(event, Fresh::Event) => texts.extend(F::into_text(event)),
            Taken::Event(_, Fresh::Rest(text)) => texts.push(text),
            Taken::Event(_, Fresh::None) => {}
            Taken::Reported(error) => texts.push(format!("<{}>", Value::Object(error))),
            Taken::Unreadable(error) => texts.push(format!("<{error}>")),
        }
    }
    (texts, fold)
}

/// Decodes each event with the fast path [`Fold::add_text`]. If the fast path returns `None`, decodes this event with
/// [`Fold::add`]. Returns the new text of each event, and the decoder with the answer.
fn fold_text<F: Fold>(mut fold: F, events: &[Value]) -> (Vec<String>, F) {
    let mut texts = Vec::new();
    for event in events {
        match fold.add_text("message", &event.to_string()) {
            Some(text) if text.is_empty() => {}
            Some(text) => texts.push(text),
            None => {
                let (more, folded) = self::fold(fold, std::slice::from_ref(event));
                texts.extend(more);
                fold = folded;
            }
        }
    }
    (texts, fold)
}

#[track_caller]
fn check_responses(events: &[Value], texts: &[&str]) -> super::Response {
    let (seen, folded) = fold(ResponsesProtocol::default(), events);
    assert_eq!(seen, texts);
    folded.check().expect("no contradiction");
    let complete = folded.is_complete();
    let answer = folded.answer();
    let (seen, folded) = fold_text(ResponsesProtocol::default(), events);
    assert_eq!((seen.concat(), folded.answer()), (texts.concat(), answer.clone()));
    assert_eq!(answer.text(), texts.concat(), "the answer's text is that of the stream");
    assert_eq!(complete, answer.status == "completed", "{answer:?}");
    answer
}

#[track_caller]
fn check_completions(events: &[Value], texts: &[&str]) -> super::ChatCompletion {
    let (seen, folded) = fold(CompletionsProtocol::default(), events);
    assert_eq!(seen, texts);
    folded.check().expect("no contradiction");
    let answer = folded.answer();
    let (seen, folded) = fold_text(CompletionsProtocol::default(), events);
    assert_eq!((seen.concat(), folded.answer()), (texts.concat(), answer.clone()));
    assert_eq!(answer.text(), texts.concat(), "the answer's text is that of the stream");
    answer
}

fn delta(index: u64, part: u64, text: &str) -> Value {
    json!({
        "type": "response.output_text.delta",
        "output_index": index, "content_index": part, "item_id": "msg_1", "delta": text,
    })
}

fn message(text: &str) -> Value {
    json!({
        "id": "msg_1", "type": "message", "status": "completed", "role": "assistant",
        "content": [{"type": "output_text", "text": text, "annotations": [1]}],
    })
}

fn response(status: &str, output: &[Value]) -> Value {
    json!({"id": "resp_1", "object": "response", "status": status, "output": output})
}

fn event(kind: &str, response: Value) -> Value {
    json!({"type": kind, "response": response})
}

/// Returns the message of the error that results from an error object in a stream.
fn reported(error: serde_json::Map<String, serde_json::Value>) -> String {
    let now = std::time::SystemTime::UNIX_EPOCH;
    crate::classify::from_object(error, &http::HeaderMap::new(), now).message().to_owned()
}

#[test]
fn usual_stream_returns_each_text_once() {
    let answer = check_responses(
        &[
            event("response.created", response("in_progress", &[])),
            event("response.in_progress", response("in_progress", &[])),
            json!({"type": "response.output_item.added", "output_index": 0,
                "item": {"id": "msg_1", "type": "message", "role": "assistant", "content": []}}),
            json!({"type": "response.content_part.added", "output_index": 0, "content_index": 0,
                "part": {"type": "output_text", "text": ""}}),
            delta(0, 0, "He"),
            delta(0, 0, "llo"),
            json!({"type": "response.output_text.done", "output_index": 0, "content_index": 0,
                "text": "Hello"}),
            json!({"type": "response.output_item.done", "output_index": 0,
                "item": message("Hello")}),
            event("response.completed", response("completed", &[message("Hello")])),
        ],
        &["He", "llo"],
    );
    assert_eq!(answer.output.len(), 1);
    assert!(answer.output[0].content[0].extra.get("annotations").is_some(), "{answer:?}");
    assert_eq!(answer.output_text.as_deref(), Some("Hello"));
}

#[test]
fn repeated_deltas_of_earlier_part_are_not_returned_again() {
    let done = json!({"type": "response.output_text.done", "output_index": 0, "content_index": 0,
        "text": "Hello "});
    let end = event("response.completed", response("completed", &[]));
    let events = [done, delta(0, 1, "world"), delta(0, 0, "Hel"), delta(0, 0, "lo "), end];
    check_responses(&events, &["Hello ", "world"]);
}

#[test]
fn text_is_found_in_every_event_form() {
    let whole = json!({"id": "r", "object": "response", "status": "completed",
        "output_text": "Hello"});
    let growing = |text: &str| json!({"id": "r", "object": "response", "status": "in_progress", "output_text": text});

    // The text arrives in a final response, in growing responses, or in a final response after incomplete deltas.
    check_responses(std::slice::from_ref(&whole), &["Hello"]);
    check_responses(&[event("response.completed", whole.clone())], &["Hello"]);
    check_responses(&[growing("He"), growing("Hell"), whole.clone()], &["He", "ll", "o"]);
    check_responses(&[delta(0, 0, "Hel"), whole.clone()], &["Hel", "lo"]);
    check_responses(
        &[event("response.completed", response("completed", &[message("Hello")]))],
        &["Hello"],
    );

    // The text arrives in events without a type, in chat chunks, in content parts, or in events with an unknown name.
    check_responses(&[json!({"delta": "He"}), json!({"delta": "llo"})], &["He", "llo"]);
    check_responses(&[json!({"choices": [{"delta": {"content": "Hello"}}]})], &["Hello"]);
    check_responses(&[json!({"delta": {"text": "Hello"}})], &["Hello"]);
    check_responses(&[json!({"content": [{"type": "text", "text": "Hello"}]})], &["Hello"]);
    check_responses(&[json!({"type": "answer.text.delta", "delta": "Hello"})], &["Hello"]);

    // Reasoning and progress messages are not part of the answer's text.
    check_responses(
        &[
            json!({"type": "response.reasoning_text.delta", "delta": "Hm"}),
            json!({"type": "agent.thinking.text.delta", "delta": "Hm"}),
            json!({"type": "response.search.progress", "text": "searching"}),
        ],
        &[],
    );
}

#[test]
fn parts_and_items_keep_their_indexes() {
    let answer = check_responses(
        &[
            json!({"type": "response.reasoning_summary_text.delta", "output_index": 0,
                "summary_index": 0, "delta": "Let me "}),
            json!({"type": "response.reasoning_summary_text.delta", "output_index": 0,
                "summary_index": 0, "delta": "think."}),
            delta(1, 0, "a"),
            delta(1, 1, "b"),
            json!({"type": "response.function_call_arguments.delta", "output_index": 2,
                "item_id": "fc_1", "delta": "{\"x\""}),
            json!({"type": "response.function_call_arguments.delta", "output_index": 2,
                "item_id": "fc_1", "delta": ":1}"}),
            json!({"type": "response.output_item.added", "output_index": 2, "item":
                {"id": "fc_1", "type": "function_call", "call_id": "c1", "name": "f"}}),
        ],
        &["a", "b"],
    );
    let kinds: Vec<_> = answer.output.iter().map(|item| item.type_.as_str()).collect();
    assert_eq!(kinds, ["reasoning", "message", "function_call"]);
    assert_eq!(answer.reasoning().as_deref(), Some("Let me think."));
    let call = &answer.tool_calls()[0];
    assert_eq!((&*call.id, &*call.name, &*call.arguments), ("c1", "f", r#"{"x":1}"#));
}

#[test]
fn repeated_index_with_new_identifier_is_second_item() {
    let call = |kind: &str, id: &str, arguments: &str| {
        json!({"type": format!("response.output_item.{kind}"), "output_index": 0, "item":
            {"id": id, "type": "function_call", "call_id": id, "name": "f", "arguments": arguments}})
    };
    let more = |id: &str, text: &str| {
        json!({"type": "response.function_call_arguments.delta", "output_index": 0,
            "item_id": id, "delta": text})
    };
    let answer = check_responses(
        &[
            call("added", "a", ""),
            call("added", "b", ""),
            more("a", "1"),
            more("b", "2"),
            more("a", "1"),
            call("done", "b", "22"),
        ],
        &[],
    );
    let calls: Vec<_> = answer.tool_calls().into_iter().map(|c| (c.id, c.arguments)).collect();
    assert_eq!(calls, [("a".into(), "11".into()), ("b".into(), "22".into())]);
}

#[test]
fn unknown_fields_and_events_are_kept() {
    let unknown = json!({"type": "response.chart.ready", "chart": {"id": 7}});
    let Taken::Event(ResponseEvent::Other { kind, data }, Fresh::None) =
        ResponsesProtocol::default().add("message", &unknown.to_string())
    else {
        panic!("not kept");
    };
    assert_eq!((kind.as_str(), data), ("response.chart.ready", unknown));

    let answer = check_responses(
        &[event(
            "response.completed",
            json!({"id": "r", "status": "completed", "new": 1, "output": [
                {"type": "chart", "id": "c", "points": [1]}, {"type": "message", "content": [
                    {"type": "output_text", "text": "a", "new": 2}, {"type": "video", "url": "u"}]},
            ]}),
        )],
        &["a"],
    );
    let json = serde_json::to_value(&answer).unwrap();
    assert_eq!(json["new"], 1);
    assert_eq!(json["output"][0], json!({"type": "chart", "id": "c", "points": [1]}));
    assert_eq!(json["output"][1]["content"][1], json!({"type": "video", "url": "u"}));

    // An event of a known type has a field of an unexpected JSON type.
    let odd = json!({"type": "response.output_text.delta", "delta": 5});
    let (texts, _) = fold(ResponsesProtocol::default(), &[odd]);
    assert!(texts.is_empty());
}

#[test]
fn error_events_are_distinguished_from_answers() {
    for (name, data) in [
        ("message", json!({"type": "error", "code": "X", "message": "m"}).to_string()),
        ("message", json!({"error": {"message": "m"}}).to_string()),
        (
            "message",
            json!({"type": "response.failed", "response": {"id": "r", "status": "failed",
            "error": {"code": "X", "message": "m"}}})
            .to_string(),
        ),
        (
            "message",
            json!({"id": "r", "object": "response", "status": "failed",
            "error": {"message": "m"}})
            .to_string(),
        ),
        ("error", json!({"message": "m"}).to_string()),
        ("error", "m".to_owned()),
    ] {
        let Taken::Reported(error) = ResponsesProtocol::default().add(name, &data) else {
            panic!("taken for an answer: {data}");
        };
        assert_eq!(reported(error), "m", "{data}");
    }

    for data in [
        json!({"error": {"message": "m"}}),
        json!({"success": false, "message": "m", "error_code": "FORBIDDEN"}),
    ] {
        let Taken::Reported(error) =
            CompletionsProtocol::default().add("message", &data.to_string())
        else {
            panic!("taken for a chunk: {data}");
        };
        assert_eq!(reported(error), "m", "{data}");
    }

    // A field `error` with the value `null` does not mean an error.
    let fine = json!({"id": "c", "error": null, "choices": [{"delta": {"content": "a"}}]});
    check_completions(&[fine], &["a"]);
}

#[test]
fn invalid_json_is_an_error_unless_event_name_is_unknown() {
    for (name, readable) in
        [("message", false), ("response.output_text.delta", false), ("ping", true)]
    {
        let taken = ResponsesProtocol::default().add(name, "not JSON");
        assert_eq!(matches!(taken, Taken::Event(..)), readable, "{name}");
    }
    assert!(matches!(CompletionsProtocol::default().add("message", "{"), Taken::Unreadable(_)));
    assert!(matches!(CompletionsProtocol::default().add("ping", "{"), Taken::Event(..)));
}

#[test]
fn text_is_returned_once_without_storing() {
    let mut folded = ResponsesProtocol::default();
    folded.stop_storing();
    let events = [
        delta(0, 0, "He"),
        delta(0, 0, "llo"),
        json!({"type": "response.output_text.done", "output_index": 0, "content_index": 0,
            "text": "Hello!"}),
    ];
    let (texts, folded) = fold(folded, &events);
    assert_eq!(texts, ["He", "llo", "!"]);
    assert_eq!(folded.answer().text(), "");
}

#[test]
fn text_is_returned_once_for_every_stream_shape() {
    let shapes = shapes();
    assert!(shapes.len() >= 100);
    for (name, events) in shapes {
        for (texts, folded) in [
            fold(ResponsesProtocol::default(), &events),
            fold_text(ResponsesProtocol::default(), &events),
        ] {
            assert_eq!(texts.concat(), SAID, "{name}");
            assert!(folded.is_complete() && folded.check().is_ok(), "{name}");
            assert_eq!(folded.answer().text(), SAID, "{name}");
        }
        let mut forgetful = ResponsesProtocol::default();
        forgetful.stop_storing();
        let (texts, folded) = fold_text(forgetful, &events);
        assert_eq!(texts.concat(), SAID, "{name}, not kept");
        assert!(folded.check().is_ok(), "{name}, not kept");
    }
}

#[test]
fn text_that_differs_from_answer_is_a_contradiction() {
    for events in [
        vec![
            delta(0, 0, "Hello"),
            event("response.completed", response("completed", &[message("Bye")])),
        ],
        vec![
            delta(0, 0, "Hello"),
            event("response.completed", response("completed", &[message("Hell")])),
        ],
        // The text of the second item arrives before the text of the first item.
        vec![
            delta(1, 0, "b"),
            delta(0, 0, "a"),
            event("response.completed", response("completed", &[])),
        ],
    ] {
        let (_, folded) = fold(ResponsesProtocol::default(), &events);
        assert!(matches!(folded.check(), Err(Verdict::Contradiction)), "{events:?}");
    }
}

#[test]
fn citations_of_single_events_are_collected() {
    let annotation = |url: &str| json!({"type": "url_citation", "url": url});
    let added = |url: &str| {
        json!({"type": "response.output_text.annotation.added", "output_index": 0, "content_index": 0,
            "annotation": annotation(url)})
    };
    let events = [
        delta(0, 0, "a"),
        added("/a"),
        added("/b"),
        json!({"type": "response.completed", "response": {"id": "r", "status": "completed"}}),
    ];
    let answer = check_responses(&events, &["a"]);
    let urls: Vec<_> = answer.citations().into_iter().map(|citation| citation.url).collect();
    assert_eq!(urls, ["/a", "/b"]);

    let chunk = |delta: Value| json!({"choices": [{"index": 0, "delta": delta}]});
    let cited = |url: &str| json!({"annotations": [{"url_citation": annotation(url)}]});
    let events = [chunk(json!({"content": "a"})), chunk(cited("/a")), chunk(cited("/b"))];
    let answer = check_completions(&events, &["a"]);
    assert_eq!(answer.citations().len(), 2);
}
