//! Tests of chunks in a `chat-completions` stream.

use super::*;

fn chunk(delta: Value) -> Value {
    json!({"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "svc-1.5",
        "choices": [{"index": 0, "delta": delta, "finish_reason": null}]})
}

fn finish(reason: &str) -> Value {
    json!({"id": "c1", "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
}

#[test]
fn chunks_build_a_completion() {
    let answer = check_completions(
        &[
            chunk(json!({"role": "assistant", "content": ""})),
            chunk(json!({"reasoning": "Hm", "content": "He", "mood": "go"})),
            chunk(json!({"content": "llo", "mood": "od"})),
            finish("stop"),
            json!({"id": "c1", "choices": [], "usage": {"total_tokens": 3},
                "meta": {"credits_used": 2}}),
        ],
        &["", "He", "llo"],
    );
    assert_eq!(answer.object.as_deref(), Some("chat.completion"));
    assert_eq!(answer.reasoning(), Some("Hm"));
    assert_eq!(answer.choices[0].message.extra.get("mood"), Some(&"good".into()));
    assert_eq!(answer.choices[0].finish_reason, Some(crate::chat::FinishReason::Stop));
    assert_eq!(answer.usage.unwrap().total_tokens, Some(3));
    assert_eq!(answer.meta.unwrap().credits_used, Some(2));
}

#[test]
fn unknown_finish_reason_is_kept() {
    let answer = check_completions(&[chunk(json!({"content": "a"})), finish("tired")], &["a"]);
    assert_eq!(answer.choices[0].finish_reason.as_ref().unwrap().as_str(), "tired");
}

fn calls(chunks: &[Value]) -> Vec<(String, String, String)> {
    let chunks: Vec<_> = chunks.iter().map(|calls| chunk(json!({"tool_calls": calls}))).collect();
    let calls = check_completions(&chunks, &[]).tool_calls();
    calls.into_iter().map(|call| (call.id, call.name, call.arguments)).collect()
}

fn expected_calls(calls: &[(&str, &str, &str)]) -> Vec<(String, String, String)> {
    let own = |(a, b, c): &(&str, &str, &str)| (a.to_string(), b.to_string(), c.to_string());
    calls.iter().map(own).collect()
}

#[test]
fn tool_calls_are_distinguished_by_index_and_identifier() {
    let first = |index: Value, id: &str| {
        json!({"index": index, "id": id, "type": "function",
            "function": {"name": "f", "arguments": ""}})
    };
    let more = |index: Value, text: &str| json!({"index": index, "function": {"arguments": text}});

    // The index identifies the tool call of a delta. Deltas of different tool calls alternate.
    assert_eq!(
        calls(&[
            json!([first(json!(0), "a"), first(json!(1), "b")]),
            json!([more(json!(1), "2")]),
            json!([more(json!(0), "1"), more(json!(1), "2")]),
        ]),
        expected_calls(&[("a", "f", "1"), ("b", "f", "22")])
    );

    // All deltas have the same index. A new identifier starts a tool call, and a delta without an identifier continues
    // the last tool call.
    assert_eq!(
        calls(&[
            json!([first(json!(0), "a")]),
            json!([more(json!(0), "1")]),
            json!([first(json!(0), "b")]),
            json!([more(json!(0), "2")]),
            json!([{"index": 0, "id": "a", "function": {"arguments": "1"}}]),
        ]),
        expected_calls(&[("a", "f", "11"), ("b", "f", "2")])
    );

    // The deltas have no index.
    assert_eq!(
        calls(&[json!([first(Value::Null, "a"), more(Value::Null, "1"), first(Value::Null, "b")])]),
        expected_calls(&[("a", "f", "1"), ("b", "f", "")])
    );

    // The identifier can be repeated in later deltas, or be empty in later deltas.
    assert_eq!(
        calls(&[
            json!([{"index": 0, "id": "a", "function": {"name": "f", "arguments": "1"}}]),
            json!([{"index": 0, "id": "a", "function": {"name": "f", "arguments": "2"}}]),
            json!([{"index": 0, "id": "", "function": {"arguments": "3"}}]),
        ]),
        expected_calls(&[("a", "f", "123")])
    );
}

#[test]
fn later_choice_is_kept_but_not_streamed() {
    let two = json!({"choices": [
        {"index": 0, "delta": {"content": "a"}}, {"index": 1, "delta": {"content": "x"}},
        {"index": 0, "delta": {"content": "b"}},
    ]});
    let answer = check_completions(&[two], &["ab"]);
    assert_eq!(answer.choices[1].message.content.as_deref(), Some("x"));
}

#[test]
fn event_with_whole_completion_is_decoded() {
    let whole = json!({"id": "c", "object": "chat.completion", "choices": [{"index": 0,
        "message": {"role": "assistant", "content": "Hello", "tool_calls": [
            {"id": "a", "function": {"name": "f", "arguments": "{}"}}]},
        "finish_reason": "stop"}]});
    let answer = check_completions(std::slice::from_ref(&whole), &["Hello"]);
    assert_eq!(answer.tool_calls().len(), 1);
    check_completions(&[chunk(json!({"content": "Hel"})), whole], &["Hel", "lo"]);
}

#[test]
fn parallel_tool_calls_are_sorted_by_index() {
    let call = |index: u64, id: &str| json!({"index": index, "id": id, "function": {"name": "f", "arguments": "{}"}});
    let seen = calls(&[json!([call(2, "c")]), json!([call(0, "a")]), json!([call(1, "b")])]);
    let ids: Vec<_> = seen.iter().map(|(id, _, _)| id.as_str()).collect();
    assert_eq!(ids, ["a", "b", "c"]);
}
