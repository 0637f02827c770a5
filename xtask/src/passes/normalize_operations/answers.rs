//! Reduces the responses of each operation to one success response. The client checks the HTTP status before it reads a
//! body, so it does not need the schemas of error responses.

use serde_json::{Map, Value, json};

use super::bodies::is_json;
use super::{unknown_members, unused_media};
use crate::origin;
use crate::report::{Change, Report};

const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";

/// Replaces the responses of an operation by one success response. The body of this response is one of these:
/// - empty;
/// - JSON;
/// - a stream of events;
/// - either JSON or a stream of events;
/// - bytes, with the media type in `x-bytes`.
pub(super) fn answers(place: &str, operation: &mut Map<String, Value>, report: &mut Report) {
    let place = format!("{place}/responses");
    let given = match operation.remove("responses") {
        Some(Value::Object(given)) => given,
        _ => Map::new(),
    };
    let (status, mut answer) = success(&place, &given, report);

    for (other, answer) in given.iter().filter(|(other, _)| other.as_str() != status) {
        let at = format!("{place}/{other}");
        if other.starts_with("x-") {
            report.note(
                Change::Dropped,
                format!("the extension `{other}` of the responses is ignored"),
                place.as_str(),
            );
            continue;
        }
        if other.starts_with('2') {
            report.note(Change::Dropped, "a second success response is ignored", at);
        } else if answer.get("content").is_some() {
            report.note(
                Change::Loosened,
                "the schema of an error body is ignored; the client selects the error kind by the HTTP status",
                at,
            );
        } else {
            report.note(Change::Loosened, "the `description` of an error response is ignored", at);
        }
    }

    let at = origin::location(&answer, &format!("{place}/{status}"));
    for word in ["headers", "links"] {
        if answer.get(word).is_some() {
            report.note(
                Change::Dropped,
                format!("`{word}` of a response is ignored; `Reply` returns headers by name"),
                at.clone(),
            );
        }
    }
    if answer.get("description").and_then(Value::as_str).is_some_and(|words| !words.is_empty()) {
        report.note(Change::Dropped, "the `description` of a response is ignored", at.clone());
    }
    let known = ["content", "description", "headers", "links"];
    unknown_members(&at, "a response", &answer, &known, report);
    content(&at, &mut answer, report);
    let code = match status.parse::<u16>() {
        Ok(code) if (200..300).contains(&code) => status,
        _ => "200".to_owned(),
    };
    operation.insert("responses".to_owned(), json!({ code: answer }));
}

/// Selects the success response among all responses of an operation. Returns the key of this response in the OpenAPI
/// document, such as `200` or `default`, and its Response Object. If no success response exists, returns an empty
/// response with the key `200`.
fn success(place: &str, given: &Map<String, Value>, report: &mut Report) -> (String, Value) {
    let rank = |(status, answer): &(&String, &Value)| {
        let kinds = answer.get("content").and_then(Value::as_object);
        let json = kinds.is_some_and(|kinds| kinds.keys().any(|kind| is_json(kind)));
        let any = kinds.is_some_and(|kinds| !kinds.is_empty());
        (!json, !any, (*status).clone())
    };

    let successes = given.iter().filter(|(status, _)| status.starts_with('2'));
    if let Some((status, answer)) = successes.min_by_key(rank) {
        if status.parse::<u16>().is_err() {
            report.note(
                Change::Decided,
                format!("the response `{status}` is used as the response of status 200"),
                place,
            );
        }
        return (status.clone(), answer.clone());
    }

    if let Some(answer) = given.get("default") {
        report.note(Change::Decided, "the response `default` becomes the success response", place);
        return ("default".to_owned(), answer.clone());
    }

    report.note(Change::Decided, "an operation without a success response returns nothing", place);
    ("200".to_owned(), json!({"description": ""}))
}

/// Keeps only the media types of a response that the client decodes: JSON, events, or both. If the response has neither
/// JSON nor events, stores its first media type in `x-bytes`. The client then returns the body as bytes.
fn content(at: &str, answer: &mut Value, report: &mut Report) {
    let Some(members) = answer.as_object_mut() else { return };
    let Some(Value::Object(kinds)) = members.remove("content") else { return };
    if kinds.is_empty() {
        return;
    }
    let mut kept = Map::new();
    let bare = |kind: &str| kind.split(';').next().unwrap_or_default().trim().to_lowercase();
    let json_kind = kinds
        .keys()
        .filter(|kind| is_json(kind))
        .min_by_key(|kind| (bare(kind) != JSON, bare(kind) == "*/*", (*kind).clone()))
        .cloned();
    let events = kinds.keys().find(|kind| bare(kind) == EVENTS).cloned();

    if let Some(kind) = &json_kind {
        let mut media = kinds[kind].clone();
        if bare(kind) != *kind {
            report.note(Change::Rewritten, "the parameters of a media type are ignored", at);
        }
        if !media.get("schema").is_some_and(Value::is_object) {
            report.note(
                Change::Decided,
                "a JSON response without a schema is read as any JSON value",
                at,
            );
            media = json!({"schema": {}});
        }
        unused_media(at, "a response", &media, report);
        if media["schema"].get("deprecated").is_some() {
            report.note(Change::Dropped, "`deprecated` in the schema of a response is ignored", at);
        }
        kept.insert(JSON.to_owned(), media);
    }

    if let Some(kind) = &events {
        if kinds[kind].get("schema").is_some() {
            report.note(
                Change::Dropped,
                "the schema of events is ignored; the client does not decode the data of events",
                at,
            );
        }
        kept.insert(EVENTS.to_owned(), json!({}));
    }

    if kept.is_empty()
        && let Some(kind) = kinds.keys().next()
    {
        report.note(
            Change::Decided,
            format!("a response of type `{}` is returned as bytes", bare(kind)),
            at,
        );
        members.insert("x-bytes".to_owned(), bare(kind).into());
    }

    for kind in kinds.keys() {
        let used = Some(kind) == json_kind.as_ref() || Some(kind) == events.as_ref();
        if !used && !kept.is_empty() {
            report.note(
                Change::Dropped,
                format!(
                    "a response has several bodies; the body of type `{}` is ignored",
                    bare(kind)
                ),
                at,
            );
        }
    }
    members.insert("content".to_owned(), Value::Object(kept));
}
