//! Tests of chat requests like those of common client libraries. The responses must have the fields and events that
//! these libraries need. The expected responses are assumptions, because the service's documentation does not describe
//! these libraries.

use serde_json::{Value, json};

use crate::support::{Bench, Seen, builder, seen};

const RESPONSES: &str = "/gateway/v1/responses";
const COMPLETIONS: &str = "/v1/chat/completions";

async fn post(bench: &Bench, path: &str, body: &Value) -> Seen {
    let url = format!("{}{path}", bench.sandbox.url());
    seen(bench.http.post(url).bearer_auth(bench.sandbox.key()).json(body)).await
}

/// Returns a path and a request body for each of the two chat endpoints. Both requests ask the same question. The
/// fields of `more` are added to both bodies.
fn questions(more: &Value) -> [(&'static str, Value); 2] {
    let with = |mut body: Value| {
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    let messages = json!([{"role": "user", "content": "price of ETH"}]);
    [
        (RESPONSES, with(json!({"model": "svc-2.0", "input": "price of ETH"}))),
        (COMPLETIONS, with(json!({"model": "svc-1.5", "messages": messages}))),
    ]
}

fn data(stream: &str) -> Vec<Value> {
    let lines = stream.lines().filter_map(|line| line.strip_prefix("data: "));
    lines.filter_map(|line| serde_json::from_str(line).ok()).collect()
}

#[tokio::test]
async fn what_the_chat_sends_it_accepts() {
    let bench = Bench::start().await;
    let tool = json!({"name": "my_holding", "parameters": {"type": "object"}});
    let ask =
        json!({"role": "user", "content": [{"type": "text", "text": "How much SOL do I hold?"}]});
    let guide = json!({"role": "developer", "content": "Be brief."});
    let mut body = json!({"model": "svc-1.5", "messages": [guide, ask],
        "tools": [{"type": "function", "function": tool}]});
    let asked = post(&bench, COMPLETIONS, &body).await.json;
    let message = &asked["choices"][0]["message"];
    assert_eq!(message["content"], Value::Null);
    let result = json!({"role": "tool", "tool_call_id": message["tool_calls"][0]["id"],
        "content": "2.5 SOL"});
    let mut without = message.clone();
    without.as_object_mut().unwrap().remove("content");
    for message in [message, &without] {
        body["messages"] = json!([guide, ask, message, result]);
        let said = post(&bench, COMPLETIONS, &body).await;
        let text = said.json["choices"][0]["message"]["content"].as_str();
        assert!(text.is_some_and(|text| text.contains("`my_holding` gave: 2.5 SOL")), "{said:?}");
    }

    let mut flat = tool.clone();
    flat["type"] = "function".into();
    let mut body = json!({"model": "svc-2.0", "tools": [flat], "input": [ask]});
    let asked = post(&bench, RESPONSES, &body).await.json;
    let call = &asked["output"][0];
    let result = json!({"type": "function_call_output", "call_id": call["call_id"],
        "output": "2.5 SOL"});
    body["input"] = json!([ask, call, result]);
    let said = post(&bench, RESPONSES, &body).await.json;
    let text = said["output_text"].as_str().unwrap();
    assert!(text.contains("`my_holding` gave: 2.5 SOL"), "{text}");
    body["input"] = json!([ask, said["output"][0], {"role": "user", "content": "And BTC?"}]);
    assert_eq!(post(&bench, RESPONSES, &body).await.status, 200);
}

#[tokio::test]
async fn the_events_of_a_response_are_those_that_clients_build_on() {
    let bench = Bench::start().await;
    let body = json!({"model": "svc-2.0", "input": "price of ETH", "stream": true});
    let events = data(&post(&bench, RESPONSES, &body).await.text);
    for (number, event) in events.iter().enumerate() {
        assert_eq!(event["sequence_number"], number);
    }

    let mut kinds: Vec<_> = events.iter().map(|event| event["type"].as_str().unwrap()).collect();
    kinds.dedup();
    assert_eq!(
        kinds,
        [
            "response.created",
            "response.in_progress",
            "response.output_item.added",
            "response.content_part.added",
            "response.output_text.delta",
            "response.output_text.annotation.added",
            "response.output_text.done",
            "response.content_part.done",
            "response.output_item.done",
            "response.completed",
        ]
    );

    let of = |kind: &str| events.iter().rfind(|event| event["type"] == kind).unwrap();
    for begun in ["response.created", "response.in_progress"] {
        assert_eq!(of(begun)["response"]["status"], "in_progress");
    }
    let whole = &of("response.completed")["response"];
    assert_eq!(whole["status"], "completed");
    let item = &of("response.output_item.done")["item"];
    assert_eq!(item, &whole["output"][0]);
    assert_eq!(of("response.content_part.done")["part"], item["content"][0]);
    assert_eq!(of("response.output_text.done")["text"], item["content"][0]["text"]);
    assert_eq!(of("response.output_item.added")["item"]["id"], item["id"]);
    assert_eq!(whole["usage"]["input_tokens_details"], json!({"cached_tokens": 0}));

    let tool = json!({"type": "function", "name": "f", "parameters": {"type": "object",
        "properties": {"symbol": {"type": "string"}}, "required": ["symbol"]}});
    let body =
        json!({"model": "svc-2.0", "input": "f of BTC and ETH", "stream": true, "tools": [tool]});
    let events = data(&post(&bench, RESPONSES, &body).await.text);

    for (index, symbol) in ["BTC", "ETH"].into_iter().enumerate() {
        let arguments = format!("{{\"symbol\":\"{symbol}\"}}");
        let of_call: Vec<_> =
            events.iter().filter(|event| event["output_index"] == index).collect();
        let kinds: Vec<_> = of_call.iter().map(|event| event["type"].as_str().unwrap()).collect();
        assert_eq!(
            kinds,
            [
                "response.output_item.added",
                "response.function_call_arguments.delta",
                "response.function_call_arguments.done",
                "response.output_item.done",
            ]
        );
        assert_eq!(of_call[0]["item"]["arguments"], "");
        assert_eq!(of_call[1]["delta"], arguments.as_str());
        assert_eq!(of_call[3]["item"]["arguments"], arguments.as_str());
        assert_eq!(of_call[1]["item_id"], of_call[3]["item"]["id"]);
    }
}

#[tokio::test]
async fn a_stream_of_chunks_ends_with_what_the_answer_used() {
    let bench = Bench::start().await;
    let ask = async |more: Value| {
        let mut body = json!({"model": "svc-1.5-thinking", "stream": true,
            "messages": [{"role": "user", "content": "price of ETH"}]});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        data(&post(&bench, COMPLETIONS, &body).await.text)
    };
    let plain = ask(json!({})).await;
    let last = plain.last().unwrap();
    assert_eq!(last["choices"][0]["finish_reason"], "stop");
    let tokens = |name: &str| last["usage"][name].as_u64().unwrap_or_else(|| panic!("{last}"));
    assert_eq!(tokens("total_tokens"), tokens("prompt_tokens") + tokens("completion_tokens"));
    assert!(tokens("prompt_tokens") > 0 && tokens("completion_tokens") > 0, "{last}");
    assert!(last["meta"]["credits_used"].is_i64());
    let annotations = last["choices"][0]["delta"]["annotations"].as_array().unwrap();
    assert_eq!(annotations[0]["type"], "url_citation");
    let thoughts =
        plain.iter().find_map(|chunk| chunk["choices"][0]["delta"]["reasoning"].as_str());
    assert!(thoughts.unwrap().contains("Ethereum"));

    let asked = ask(json!({"stream_options": {"include_usage": true}})).await;
    let [.., reason, usage] = &asked[..] else { panic!("{asked:?}") };
    assert_eq!(
        (&reason["choices"][0]["finish_reason"], &reason["usage"]),
        (&json!("stop"), &Value::Null)
    );
    assert_eq!((&usage["choices"], &usage["usage"]), (&json!([]), &last["usage"]));
    let unasked = ask(json!({"stream_options": {"include_usage": false}})).await;
    assert!(unasked.iter().all(|chunk| chunk["usage"].is_null()));
}

#[tokio::test]
async fn members_without_effect_are_counted_and_a_strict_chat_refuses_them() {
    let more = json!({"temperature": 0.2, "store": false, "top_p": null, "user": "me"});
    let bench = Bench::start().await;
    let strict = Bench::from_builder(builder().strict_chat(true)).await;
    for (path, body) in questions(&more) {
        assert_eq!(post(&bench, path, &body).await.status, 200, "{path}");
        let ignored = bench.sandbox.requests().last().unwrap().ignored.clone();
        assert_eq!(ignored, ["store", "temperature", "top_p", "user"], "{path}");
        let refused = post(&strict, path, &body).await;
        assert_eq!(refused.status, 400, "{path}");
        assert!(refused.text.contains("is not a parameter"), "{}", refused.text);
    }
    for (path, body) in questions(&json!({})) {
        assert_eq!(post(&strict, path, &body).await.status, 200, "{path}");
        assert!(strict.sandbox.requests().last().unwrap().ignored.is_empty());
    }

    // Documented fields without a documented effect are accepted, and logged as ignored.
    for bench in [&bench, &strict] {
        let shown = json!({"include": ["sources"], "prompt": {"id": "p"}, "model": "svc-2.0", "input": "q"});
        assert_eq!(post(bench, RESPONSES, &shown).await.status, 200);
        assert_eq!(bench.sandbox.requests().last().unwrap().ignored, ["include", "prompt"]);
    }

    // Unknown fields, and values that the documentation forbids, are rejected.
    for (path, body) in questions(&json!({"temprature": 0.2})) {
        assert_eq!(post(&bench, path, &body).await.status, 400, "{path}");
    }
    let flat = json!({"model": "svc-2.0", "input": "q", "reasoning_effort": "low"});
    assert_eq!(post(&bench, RESPONSES, &flat).await.status, 400);
}

#[tokio::test]
async fn what_nobody_can_mean_is_refused_before_it_is_charged() {
    let bench = Bench::from_builder(builder().key("sk-a", 1_000)).await;
    for (body, says) in [
        (json!({"model": "svc-2.0", "input": 5}), "`input`"),
        (json!({"model": "svc-2.0", "input": {"role": "user"}}), "`input`"),
        (json!({"model": "svc-2.0", "input": [5]}), "`input`"),
        (json!({"model": "svc-2.0", "input": "q", "max_output_tokens": 0}), "`max_output_tokens`"),
        (json!({"model": "svc-2.0", "input": "q", "max_output_tokens": -1}), "`max_output_tokens`"),
    ] {
        let refused = post(&bench, RESPONSES, &body).await;
        assert_eq!(refused.status, 422, "{body}: {}", refused.text);
        assert!(refused.text.contains(says), "{}", refused.text);
    }
    assert_eq!(bench.sandbox.balance("sk-a"), Some(1_000));
    assert!(bench.sandbox.requests().iter().all(|request| request.credits.is_none()));
}

#[tokio::test]
async fn identity_is_dropped_from_metadata() {
    let bench = Bench::start().await;
    let metadata = json!({"user_id": "u", "api_key": "k", "topic": "eth"});
    let body = json!({"model": "svc-2.0", "input": "q", "metadata": metadata});
    let answer = post(&bench, RESPONSES, &body).await.json;
    assert_eq!(answer["metadata"], json!({"topic": "eth"}));
}

#[tokio::test]
async fn missing_credits_are_forbidden_in_the_whole_chat() {
    let bench = Bench::from_builder(builder().key("sk-poor", 0)).await;
    for (path, body) in questions(&json!({})) {
        let refused = post(&bench, path, &body).await;
        let code = refused.json.pointer("/error/code").or(refused.json.get("error_code"));
        assert_eq!((refused.status, code), (402, Some(&json!("FORBIDDEN"))), "{path}");
    }
}

#[tokio::test]
async fn faults_reach_streams() {
    let bench = Bench::start().await;
    let stream = async |path: &str, fault: &str| {
        bench.sandbox.inject(format!("{fault};times=1").parse().unwrap()).unwrap();
        let questions = questions(&json!({"stream": true}));
        let (_, body) = questions.iter().find(|(known, _)| *known == path).unwrap();
        post(&bench, path, body).await.text
    };
    for path in [RESPONSES, COMPLETIONS] {
        let lines = |text: &str| text.lines().filter(|line| line.starts_with("data: {")).count();
        let whole = stream(path, "latency=0").await;
        let broken = stream(path, "malformed").await;
        assert_eq!((lines(&whole), data(&whole).len()), (lines(&broken), data(&broken).len() + 1));
        let new = data(&stream(path, "unknown-members").await);
        assert!(new.iter().all(|event| event["sandbox_new_member"].is_array()), "{path}");
        let values = stream(path, "unknown-values").await;
        assert!(values.starts_with("event: sandbox_new_value\n"), "{values}");
        let nulls = data(&stream(path, "null-lists").await);
        assert!(nulls.iter().all(|event| !event.to_string().contains("[]")), "{path}");
        let cut = stream(path, "content-type=text/plain").await;
        assert_eq!(lines(&cut), lines(&whole));
    }
}
