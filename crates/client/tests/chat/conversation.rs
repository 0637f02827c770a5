//! Tests of chat conversations: they continue over several questions, and they can be saved and resumed.

use crypto_intel::chat::{History, Thread};
use crypto_intel::prelude::*;
use serde_json::json;

use crate::server::{Do, Server, json_answer, soon};

fn response(id: &str) -> Vec<Do> {
    vec![json_answer(200, &json!({"id": id, "status": "completed", "output_text": id}).to_string())]
}

fn completion(text: &str) -> Vec<Do> {
    let choice = json!({"index": 0, "message": {"role": "assistant", "content": text}});
    vec![json_answer(200, &json!({"id": "c", "choices": [choice]}).to_string())]
}

#[tokio::test]
async fn thread_continues_from_last_answer_after_saving() {
    let failure = vec![json_answer(500, "{}")];
    let server = Server::start([response("r1"), failure, response("r2"), response("r3")]).await;
    let client = server.client();
    let mut thread = Thread::new("svc-2.0").instructions("Be brief.").effort("low");
    soon(thread.ask(&client, "one")).await.unwrap();
    soon(thread.ask(&client, "two")).await.unwrap_err();
    assert_eq!(thread.last(), Some("r1"), "what failed is not part of it");

    let saved = serde_json::to_string(&thread).unwrap();
    let mut thread: Thread = serde_json::from_str(&saved).unwrap();
    assert_eq!(soon(thread.ask(&client, "two")).await.unwrap().text(), "r2");
    let mut thread = Thread::resume("svc-2.0", "r2");
    soon(thread.ask(&client, "three")).await.unwrap();

    let bodies: Vec<_> = server.requests().into_iter().map(|seen| seen.body).collect();
    let full = |input: &str| {
        json!({"model": "svc-2.0", "input": input, "instructions": "Be brief.",
        "reasoning": {"effort": "low"}})
    };
    assert_eq!(bodies[0], full("one"));
    let mut second = full("two");
    second["previous_response_id"] = "r1".into();
    assert_eq!((&bodies[1], &bodies[2]), (&second, &second));
    assert_eq!(
        bodies[3],
        json!({"model": "svc-2.0", "input": "three", "previous_response_id": "r2"})
    );
}

#[tokio::test]
async fn history_sends_all_messages_with_each_question() {
    let failure = vec![json_answer(500, "{}")];
    let server = Server::start([completion("A"), failure, completion("B")]).await;
    let client = server.client();
    let mut history = History::new("svc-1.5").system("Be brief.");
    soon(history.ask(&client, "a")).await.unwrap();
    soon(history.ask(&client, "b")).await.unwrap_err();
    let saved = serde_json::to_string(&history).unwrap();
    let mut history: History = serde_json::from_str(&saved).unwrap();

    assert_eq!(soon(history.ask(&client, "b")).await.unwrap().text(), "B");

    let said: Vec<_> = history.messages().iter().map(|m| (m.role.as_str(), &*m.content)).collect();
    assert_eq!(
        said,
        [
            ("system", "Be brief."),
            ("user", "a"),
            ("assistant", "A"),
            ("user", "b"),
            ("assistant", "B")
        ]
    );

    let last = &server.requests()[2].body;
    assert_eq!(last["messages"].as_array().unwrap().len(), 4);
    assert_eq!(last["messages"][3], json!({"role": "user", "content": "b"}));
}

#[tokio::test]
async fn history_continues_as_thread_with_all_messages_once() {
    let server = Server::start([response("r1"), response("r2")]).await;
    let client = server.client();
    let mut history = History::new("svc-1.5").system("Be brief.").system("Use USD.");
    for message in [
        json!({"role": "user", "content": "a"}),
        json!({"role": "assistant", "content": "", "tool_calls": [
            {"id": "t1", "type": "function", "function": {"name": "price", "arguments": "{}"}}]}),
        json!({"role": "tool", "content": "7", "tool_call_id": "t1"}),
        json!({"role": "assistant", "content": "A"}),
    ] {
        history.push(serde_json::from_value(message).unwrap());
    }

    let thread = history.into_thread("svc-2.0");
    let saved = serde_json::to_string(&thread).unwrap();
    let mut thread: Thread = serde_json::from_str(&saved).unwrap();
    soon(thread.ask(&client, "b")).await.unwrap();
    soon(thread.ask(&client, "c")).await.unwrap();

    let bodies: Vec<_> = server.requests().into_iter().map(|seen| seen.body).collect();
    let input = json!([
        {"role": "user", "content": "a"},
        {"type": "function_call", "call_id": "t1", "name": "price", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "t1", "output": "7"},
        {"role": "assistant", "content": "A"},
        {"role": "user", "content": "b"},
    ]);
    let guidance = "Be brief.\n\nUse USD.";
    assert_eq!(bodies[0], json!({"model": "svc-2.0", "input": input, "instructions": guidance}));
    assert_eq!(
        bodies[1],
        json!({"model": "svc-2.0", "input": "c", "instructions": guidance, "previous_response_id": "r1"})
    );
}
