//! Masks secrets, such as API keys, in errors.

use serde_json::{Map, Value};

use super::{Error, MESSAGE_LIMIT};

/// Maximum length, in bytes, of a string in [`Error::details`]. Longer strings are cut. [`Error::body`] contains the
/// whole string.
const DETAIL_LIMIT: usize = 64 * 1024;

impl Error {
    /// Masks secrets in all strings that the service can have sent: message, code, request identifier, details and
    /// body. The function also cuts a message of more than 1,000 characters. If sending a call fails, the client calls
    /// this function before it returns the error.
    #[must_use]
    pub fn masked(mut self, mask: &dyn Fn(&mut String)) -> Self {
        let inner = &mut *self.0;
        mask(&mut inner.message);
        for text in [&mut inner.code, &mut inner.request_id].into_iter().flatten() {
            mask(text);
        }

        if let Some(details) = inner.details.take() {
            inner.details = Some(mask_fields(details, mask));
        }
        inner.body = inner.body.take().map(|body| body.masked(mask));

        truncate_message(&mut inner.message);
        self
    }
}

/// Masks secrets in the field names and values of a JSON object.
fn mask_fields(members: Map<String, Value>, mask: &dyn Fn(&mut String)) -> Map<String, Value> {
    let masked = |(mut name, mut value): (String, Value)| {
        mask(&mut name);
        mask_value(&mut value, mask);
        (name, value)
    };
    members.into_iter().map(masked).collect()
}

fn mask_value(value: &mut Value, mask: &dyn Fn(&mut String)) {
    match value {
        Value::String(text) => {
            mask(text);
            if text.len() > DETAIL_LIMIT {
                let boundary = (0..=DETAIL_LIMIT).rev().find(|at| text.is_char_boundary(*at));
                text.truncate(boundary.unwrap_or_default());
                text.push('…');
                text.shrink_to_fit();
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| mask_value(value, mask)),
        Value::Object(members) => *members = mask_fields(std::mem::take(members), mask),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Cuts a message to [`MESSAGE_LIMIT`] characters. The caller must mask secrets before this cut, because masking does
/// not find half a secret.
fn truncate_message(message: &mut String) {
    if let Some((cut, _)) = message.char_indices().nth(MESSAGE_LIMIT) {
        message.truncate(cut);
        message.push('…');
    }
}
