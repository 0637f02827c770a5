//! Bodies of recorded requests and responses.
//!
//! The file of a recording contains each body as JSON, as text or in Base64, so that people can read most bodies. A
//! replayed response has exactly the recorded bytes.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Map, Value};

/// Body of a recorded request or response.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Content {
    Empty,
    /// A JSON body. A response body is stored as JSON only if serializing the JSON value gives exactly the received
    /// bytes.
    Json(Value),
    Text(String),
    Bytes(Vec<u8>),
}

impl Content {
    /// Creates the stored body of a response from its bytes.
    #[cfg(any(feature = "record", test))]
    pub(super) fn of_answer(bytes: &[u8]) -> Self {
        match Content::of_request(bytes) {
            Content::Json(value) if value.to_string().as_bytes() != bytes => {
                Content::Text(String::from_utf8_lossy(bytes).into_owned())
            }
            content => content,
        }
    }

    /// Creates the stored body of a request from its bytes. A replay compares the stored body with the bodies of later
    /// requests, but never sends the stored body.
    pub(super) fn of_request(bytes: &[u8]) -> Self {
        if bytes.is_empty() {
            return Content::Empty;
        }
        match (serde_json::from_slice(bytes), std::str::from_utf8(bytes)) {
            (Ok(value), _) => Content::Json(value),
            (Err(_), Ok(text)) => Content::Text(text.to_owned()),
            (Err(_), Err(_)) => Content::Bytes(bytes.to_vec()),
        }
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        match self {
            Content::Empty => Vec::new(),
            Content::Json(value) => value.to_string().into_bytes(),
            Content::Text(text) => text.clone().into_bytes(),
            Content::Bytes(bytes) => bytes.clone(),
        }
    }

    /// Returns the JSON value that represents the body in the recording's file, such as `{"text": "ok"}`.
    #[cfg(any(feature = "record", test))]
    pub(super) fn to_json(&self) -> Value {
        match self {
            Content::Empty => Value::Null,
            Content::Json(value) => serde_json::json!({"json": value}),
            Content::Text(text) => serde_json::json!({"text": text}),
            Content::Bytes(bytes) => serde_json::json!({"base64": BASE64_STANDARD.encode(bytes)}),
        }
    }

    /// Reads a body from a field of the recording's file.
    ///
    /// # Errors
    /// Returns a message about the problem, such as `is not base64`. The caller writes the name of the field before
    /// this message.
    pub(super) fn from_json(value: Option<&Value>) -> Result<Self, &'static str> {
        let members = match value {
            None | Some(Value::Null) => return Ok(Content::Empty),
            Some(Value::Object(members)) if members.len() == 1 => members,
            Some(_) => return Err("must be null or an object with `json`, `text` or `base64`"),
        };
        let text =
            |name: &str| members.get(name).map(|text| text.as_str().ok_or("must be a string"));
        if let Some(value) = members.get("json") {
            return Ok(Content::Json(value.clone()));
        }
        if let Some(text) = text("text") {
            return Ok(Content::Text(text?.to_owned()));
        }
        let Some(encoded) = text("base64") else {
            return Err("must be null or an object with `json`, `text` or `base64`");
        };
        BASE64_STANDARD.decode(encoded?).map(Content::Bytes).map_err(|_| "is not base64")
    }

    /// Converts the body to text, so that requests with equal bodies can be found. A JSON body becomes one line, with
    /// the fields of each object in alphabetical order. The text of a text body is not changed. Any other body becomes
    /// Base64.
    pub(super) fn canonical(&self) -> String {
        match self {
            Content::Empty => String::new(),
            Content::Json(value) => sorted(value).to_string(),
            Content::Text(text) => text.clone(),
            Content::Bytes(bytes) => BASE64_STANDARD.encode(bytes),
        }
    }
}

/// Returns the JSON value with the fields of every object in alphabetical order.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(sorted).collect(),
        Value::Object(members) => {
            let mut names: Vec<_> = members.iter().collect();
            names.sort_by_key(|(name, _)| *name);
            let members = names.into_iter().map(|(name, value)| (name.clone(), sorted(value)));
            Value::Object(members.collect::<Map<_, _>>())
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn bodies_come_back_byte_for_byte() {
        for bytes in [
            &b""[..],
            br#"{"a":1}"#,
            br#"{ "b":1, "a": 2 }"#,
            b"data: {}\n\n",
            b"\xff\x00",
            "漢".as_bytes(),
            b"5e-1",
        ] {
            let content = Content::of_answer(bytes);
            let written = content.to_json();
            let read = Content::from_json(Some(&written)).unwrap();
            assert_eq!(read.bytes(), bytes, "{written}");
        }
        for wrong in [json!(5), json!({}), json!({"text": 5}), json!({"base64": "?"})] {
            assert!(Content::from_json(Some(&wrong)).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_order_of_members_makes_no_difference() {
        let of = |text: &str| Content::of_request(text.as_bytes()).canonical();
        assert_eq!(of(r#"{"a":[{"c":1,"b":2}],"d":3}"#), of(r#"{"d":3, "a":[{"b":2,"c":1}]}"#));
        assert_ne!(of("[1,2]"), of("[2,1]"));
    }
}
