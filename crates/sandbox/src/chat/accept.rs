//! Converts chat requests of standard clients to the form that the API documentation of the service describes.
//!
//! The API documentation does not mention standard clients, so all of these conversions are assumptions.

use crypto_intel_core::{Operation, Price};
use serde_json::{Map, Value};

use crate::refusal::Refusal;
use crypto_intel_world::args::Args;

/// Request fields that are undocumented for at least one chat endpoint. For example, neither endpoint documents
/// `response_format`, and only the chat completions endpoint documents `tools`. By default, the sandbox supports these
/// fields as standard clients expect.
const HONOURED: &[&str] =
    &["tools", "tool_choice", "parallel_tool_calls", "stream_options", "response_format", "text"];

/// Request fields that the API documentation does not mention and that have no effect. The request log lists them.
const IGNORED: &[&str] = &[
    "audio",
    "background",
    "context_management",
    "conversation",
    "frequency_penalty",
    "function_call",
    "functions",
    "logit_bias",
    "logprobs",
    "max_completion_tokens",
    "max_tokens",
    "max_tool_calls",
    "metadata",
    "modalities",
    "n",
    "prediction",
    "presence_penalty",
    "prompt_cache_key",
    "prompt_cache_retention",
    "safety_identifier",
    "seed",
    "service_tier",
    "stop",
    "store",
    "temperature",
    "top_logprobs",
    "top_p",
    "truncation",
    "user",
    "verbosity",
    "web_search_options",
];

/// Request fields that the API documentation lists, but without a description of their values or effect. The sandbox
/// validates these fields but otherwise ignores them. The request log lists them.
const WITHOUT_EFFECT: &[&str] = &["include", "prompt"];

/// Keys that the sandbox removes from the request field `metadata`, even if `strict_chat` is set. According to the API
/// documentation, the service removes reserved identity keys. The documentation does not list these keys, so the names
/// here are invented.
const IDENTITY: &[&str] =
    &["account_id", "api_key", "org_id", "organization_id", "tenant_id", "user_id"];

/// Returns true if an operation is a chat endpoint.
pub(crate) fn is_chat(operation: &Operation) -> bool {
    matches!(operation.price, Price::ByModel(_))
}

/// Returns a warning if a chat request contains a model that is not in the catalogue. The sandbox accepts the request,
/// because the live service also answered and charged requests with unknown models. With
/// [`strict_chat`](crate::Builder::strict_chat), the sandbox has already rejected the request.
pub(crate) fn unknown_model(args: &Args) -> Option<String> {
    let model = args.text("model").filter(|_| is_chat(args.operation))?;
    args.operation.check_model(model).err().map(|unknown| unknown.to_string())
}

/// Returns the request body fields that are accepted although the API description does not contain them.
pub(crate) fn undescribed(operation: &Operation, strict: bool) -> &'static [&'static str] {
    if is_chat(operation) && !strict { HONOURED } else { &[] }
}

/// Returns the parameters that also accept values outside the list in the API description. Only `model` is such a
/// parameter, because the live service accepted unknown models.
pub(crate) fn open(operation: &Operation, strict: bool) -> &'static [&'static str] {
    if is_chat(operation) && !strict { &["model"] } else { &[] }
}

/// Converts a chat request body to the form that the API documentation describes. If `strict` is true, the only change
/// is that keys such as `user_id` are removed from the field `metadata`. Returns the names of request fields without an
/// effect, such as `include`.
pub(crate) fn adapt(
    operation: &Operation,
    body: &mut Map<String, Value>,
    strict: bool,
) -> Vec<&'static str> {
    if !is_chat(operation) {
        return Vec::new();
    }
    if let Some(metadata) = body.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.retain(|name, _| !IDENTITY.contains(&name.as_str()));
    }

    let has_value = |name: &&str| body.get(*name).is_some_and(|value| !value.is_null());
    let mut ignored: Vec<_> = WITHOUT_EFFECT.iter().copied().filter(has_value).collect();
    if strict {
        return ignored;
    }
    for name in IGNORED {
        if operation.param(name).is_none() && body.remove(*name).is_some() {
            ignored.push(*name);
        }
    }

    if let Some(messages) = body.get_mut("messages").and_then(Value::as_array_mut) {
        messages.iter_mut().filter_map(Value::as_object_mut).for_each(message);
    }
    if operation.param("tools").is_some()
        && let Some(tools) = body.get_mut("tools").and_then(Value::as_array_mut)
    {
        let functions =
            tools.iter_mut().filter_map(|tool| tool.get_mut("function")?.as_object_mut());
        for function in functions {
            if function.remove("strict").is_some() && !ignored.contains(&"strict") {
                ignored.push("strict");
            }
        }
    }
    ignored
}

/// Converts a chat message to the form that the API documentation describes. The role `developer` becomes `system`. A
/// list of content parts becomes one string. All message fields except `role`, `content`, `tool_call_id` and
/// `tool_calls` are removed.
fn message(message: &mut Map<String, Value>) {
    if message.get("role").is_some_and(|role| role == "developer") {
        message.insert("role".to_owned(), "system".into());
    }

    let asks_for_tools = message.get("tool_calls").is_some_and(|calls| !calls.is_null());
    let text = match message.get("content") {
        None | Some(Value::Null) if asks_for_tools => Some(String::new()),
        Some(Value::Array(parts)) => Some(joined(parts)),
        _ => None,
    };
    if let Some(text) = text {
        message.insert("content".to_owned(), text.into());
    }

    message.retain(|name, value| {
        ["role", "content", "tool_call_id", "tool_calls"].contains(&name.as_str())
            && (name == "content" || !value.is_null())
    });
    let calls = message.get_mut("tool_calls").and_then(Value::as_array_mut);
    for call in calls.into_iter().flatten().filter_map(Value::as_object_mut) {
        call.retain(|name, _| ["id", "type", "function"].contains(&name.as_str()));
    }
}

/// Joins the texts of content parts, one per line. Parts without text are skipped.
fn joined(parts: &[Value]) -> String {
    let text = |part: &Value| match part {
        Value::String(text) => Some(text.clone()),
        part => {
            ["text", "refusal"].iter().find_map(|name| Some(part.get(name)?.as_str()?.to_owned()))
        }
    };
    parts.iter().filter_map(text).collect::<Vec<_>>().join("\n")
}

/// Rejects chat requests with an invalid input or token limit, before they are charged.
///
/// # Errors
/// Returns an error with status 422 if the input is neither a string nor a list of items, or if the token limit is 0 or
/// less.
pub(crate) fn check(args: &Args) -> Result<(), Refusal> {
    if !is_chat(args.operation) {
        return Ok(());
    }
    match args.given("input") {
        None | Some(Value::String(_)) => {}
        Some(Value::Array(items)) if items.iter().all(Value::is_object) => {}
        Some(_) => return Err(Refusal::unfit("`input` must be a string or a list of items")),
    }
    match args.integer("max_output_tokens") {
        Some(limit) if limit < 1 => {
            Err(Refusal::unfit(format!("`max_output_tokens` must be at least 1, not {limit}")))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crypto_intel_api::generated::catalogue;
    use serde_json::json;

    fn adapted(operation: &Operation, body: Value) -> (Value, Vec<&'static str>) {
        let Value::Object(mut body) = body else { panic!("no body") };
        let ignored = adapt(operation, &mut body, false);
        (body.into(), ignored)
    }

    #[test]
    fn messages_of_standard_clients_become_those_of_the_text() {
        let call = json!({"id": "c", "type": "function", "index": 0,
            "function": {"name": "f", "arguments": "{}"}});
        let (body, ignored) = adapted(
            &catalogue::CHAT_COMPLETIONS,
            json!({"temperature": 0.1, "top_p": null, "messages": [
                {"role": "developer", "content": [{"type": "text", "text": "a"}, "b"]},
                {"role": "assistant", "content": null, "refusal": null, "tool_calls": [call]},
                {"role": "assistant", "tool_calls": [call]},
                {"role": "user", "content": null, "name": "me"},
            ], "tools": [{"type": "function", "function": {"name": "f", "strict": true}}]}),
        );
        let call = json!({"id": "c", "type": "function",
            "function": {"name": "f", "arguments": "{}"}});
        assert_eq!(
            body,
            json!({"messages": [
                {"role": "system", "content": "a\nb"},
                {"role": "assistant", "content": "", "tool_calls": [call]},
                {"role": "assistant", "content": "", "tool_calls": [call]},
                {"role": "user", "content": null},
            ], "tools": [{"type": "function", "function": {"name": "f"}}]})
        );
        assert_eq!(ignored, ["temperature", "top_p", "strict"]);
    }

    #[test]
    fn identity_is_dropped_and_other_operations_are_left_alone() {
        let metadata = json!({"metadata": {"user_id": "u", "k": "v"}});
        let (body, ignored) = adapted(&catalogue::RESPONSES, metadata);
        assert_eq!((body, ignored.len()), (json!({"metadata": {"k": "v"}}), 0));

        // The service documents this, so the strict chat does the same.
        let mut body = json!({"metadata": {"user_id": "u", "k": "v"}});
        adapt(&catalogue::RESPONSES, body.as_object_mut().expect("an object"), true);
        assert_eq!(body, json!({"metadata": {"k": "v"}}));

        let (body, ignored) = adapted(&catalogue::ONCHAIN_SQL, json!({"temperature": 1}));
        assert_eq!((body, ignored.len()), (json!({"temperature": 1}), 0));
    }
}
