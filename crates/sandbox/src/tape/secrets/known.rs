//! Collects the secrets of requests, such as API keys, and removes them from texts.
//!
//! The input is the head and body of requests. The output is copies of texts in which each known
//! secret is replaced.

use axum::http::{HeaderMap, header, request};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;

use super::names::{self, is_secret_member, is_secret_parameter};
use super::text::{self, REMOVED};

/// Known secrets of requests. They are the credentials in headers, and the values of parameters and JSON fields with
/// names such as `password`.
#[derive(Debug, Default, Clone)]
pub(in crate::tape) struct Secrets(
    /// Known secrets. The longest secret is first.
    pub(super) Vec<String>,
);

impl Secrets {
    /// Collects the secrets in the headers, the query and the body of a request.
    pub(in crate::tape) fn from_request(head: &request::Parts, body: &[u8]) -> Self {
        let mut secrets = Secrets::default();
        secrets.learn_headers(&head.headers);

        let query = head.uri.query().unwrap_or_default();
        for pairs in [query.as_bytes(), form(&head.headers, body)] {
            let pairs = form_urlencoded::parse(pairs)
                .filter(|(name, _)| is_secret_parameter(head.uri.path(), name));
            pairs.for_each(|(_, value)| secrets.learn(&value));
        }
        if let Ok(value) = serde_json::from_slice(body) {
            secrets.learn_members(&value);
        }
        secrets
    }

    /// Adds the secrets of another request to the known secrets.
    #[cfg(feature = "record")]
    pub(in crate::tape) fn extend(&mut self, other: &Secrets) {
        other.0.iter().for_each(|secret| self.learn(secret));
    }

    fn learn(&mut self, secret: &str) {
        let secret = secret.trim();
        let is_new = !secret.is_empty() && secret != REMOVED && !self.0.iter().any(|s| s == secret);
        if is_new {
            let place = self.0.partition_point(|known| known.len() >= secret.len());
            self.0.insert(place, secret.to_owned());
        }
    }

    fn learn_headers(&mut self, headers: &HeaderMap) {
        let credentials =
            headers.iter().filter(|(name, _)| names::is_credential_header(name.as_str()));
        for (name, value) in credentials {
            let text = String::from_utf8_lossy(value.as_bytes());
            if *name == header::COOKIE {
                // Cookie names are not secret.
                let values = text.split(';').filter_map(|pair| pair.split_once('='));
                values.for_each(|(_, value)| self.learn(value));
                continue;
            }

            // The credential follows the scheme, such as `Bearer`.
            let credential = text.split_once(' ').map_or(&*text, |(_, credential)| credential);
            self.learn(&text);
            self.learn(credential);
            if let Ok(plain) = BASE64_STANDARD.decode(credential.trim()) {
                let plain = String::from_utf8_lossy(&plain);
                plain.split_once(':').into_iter().for_each(|(_, password)| self.learn(password));
            }
        }
    }

    fn learn_members(&mut self, value: &Value) {
        match value {
            Value::Object(members) => {
                for (name, member) in members {
                    match member {
                        Value::String(text) if is_secret_member(name) => self.learn(text),
                        Value::Number(number) if is_secret_member(name) => {
                            self.learn(&number.to_string())
                        }
                        _ => self.learn_members(member),
                    }
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.learn_members(item)),
            _ => {}
        }
    }

    /// Returns a copy of `text` in which each secret is replaced by `REMOVED`.
    pub(in crate::tape) fn cleaned(&self, text: &str) -> String {
        text::cleaned(text, &self.0)
    }

    /// Returns a copy of a JSON text in which each secret is replaced by `REMOVED`. A text without secrets is returned
    /// unchanged. Returns `None` if the text is not JSON.
    pub(super) fn cleaned_json(&self, text: &str) -> Option<String> {
        let mut value: Value = serde_json::from_str(text).ok()?;
        let found = self.clean_value(&mut value);
        // The text is searched too, because the parsed value can lack parts of it, such as the first of two fields with
        // equal names.
        let is_clean = !found && self.cleaned(text) == text;
        Some(if is_clean { text.to_owned() } else { value.to_string() })
    }

    /// Replaces all secrets in a JSON value by `REMOVED`. Returns true if the value contained a secret.
    fn clean_value(&self, value: &mut Value) -> bool {
        match value {
            Value::Null | Value::Bool(_) => false,
            Value::Number(number) => {
                let is_known = self.0.contains(&number.to_string());
                if is_known {
                    *value = REMOVED.into();
                }
                is_known
            }
            Value::String(text) => {
                let cleaned = self.cleaned(text);
                let found = cleaned != *text;
                *text = cleaned;
                found
            }

            Value::Array(items) => items
                .iter_mut()
                .map(|item| self.clean_value(item))
                .fold(false, std::ops::BitOr::bitor),
            Value::Object(members) => {
                let mut found = false;
                let old = std::mem::take(members);
                for (name, mut member) in old {
                    if is_secret_member(&name) && !matches!(member, Value::Null | Value::Bool(_)) {
                        found |= member != REMOVED;
                        member = REMOVED.into();
                    } else {
                        found |= self.clean_value(&mut member);
                    }
                    let plain = self.cleaned(&name);
                    found |= plain != name;
                    members.insert(plain, member);
                }

                found
            }
        }
    }
}

/// Returns the body of a request if the content type is a URL-encoded form, otherwise an empty slice.
fn form<'a>(headers: &HeaderMap, body: &'a [u8]) -> &'a [u8] {
    let kind = headers.get(header::CONTENT_TYPE).map(|kind| kind.as_bytes());
    let is_form = kind.is_some_and(|kind| kind.starts_with(b"application/x-www-form-urlencoded"));
    if is_form { body } else { b"" }
}
