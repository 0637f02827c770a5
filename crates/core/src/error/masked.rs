//! Masks secrets in errors.

use serde_json::{Map, Value};

use super::{Error, MESSAGE_LIMIT};

/// Maximum length of a text in the details of an error, in bytes. The body has the whole text.
const DETAIL_LIMIT: usize = 64 * 1024;

impl Error {
    /// Masks secrets in every text that can come from the service: message, code, request id, details and body. Every
    /// error passes this function before it leaves a client.
    #[must_use]
    pub fn masked(mut self, mask: &dyn Fn(&mut String)) -> Self {
        let inner = &mut *self.0;
        mask(&mut inner.message);
        for text in [&mut inner.code, &mut inner.request_id].into_iter().flatten() {
            mask(text);
        }

        if let Some(details) = inner.details.take() {
            inner.details = Some(masked_members(details, mask));
        }
        inner.body = inner.body.take().map(|body| body.masked(mask));

        cut(&mut inner.message);
        self
    }
}

/// Masks secrets in the names and values of an object.
fn masked_members(members: Map<String, Value>, mask: &dyn Fn(&mut String)) -> Map<String, Value> {
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
        Value::Object(members) => *members = masked_members(std::mem::take(members), mask),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Cuts a message to a bounded length, because a message can quote a long body. Call this after masking, because half
/// a secret cannot be found.
fn cut(message: &mut String) {
    if let Some((cut, _)) = message.char_indices().nth(MESSAGE_LIMIT) {
        message.truncate(cut);
        message.push('…');
    }
}
