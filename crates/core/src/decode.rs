//! From a successful answer to the record it holds.

use serde::de::DeserializeOwned;

use crate::envelope::Charge;
use crate::error::Error;
use crate::error_kind::ErrorKind;
use crate::excerpt::Excerpt;
use crate::operation::{Answer, Operation, Price};
use crate::reply::{HttpInfo, Reply};
use crate::transport::{Handle, RawReply};

/// Decodes a successful answer.
///
/// # Errors
/// [`ErrorKind::Decode`](crate::ErrorKind::Decode), with the place in the body.
pub(crate) fn decode<T: DeserializeOwned + Charge>(
    operation: &'static Operation,
    price: Price,
    handle: &Handle,
    keep_body: bool,
    raw: RawReply,
) -> Result<Reply<T>, Error> {
    let body: &[u8] = if operation.answer == Answer::Empty { b"null" } else { &raw.body };
    let value: T = serde_json::from_slice(body).map_err(|error| {
        // The message says all that the cause does, and quotes the answer, which may quote the key.
        let mut message = located::<T>(body).unwrap_or_else(|| error.to_string());
        handle.redact(&mut message);
        if let Some((cut, _)) = message.char_indices().nth(MESSAGE_LIMIT) {
            message.truncate(cut);
            message.push('…');
        }
        Error::new(ErrorKind::Decode, message)
            .with_operation(operation.id)
            .with_status(raw.status)
            .with_attempts(raw.attempts)
            .with_excerpt(Excerpt::redacted(&raw.body, |text| handle.redact(text)))
    })?;
    Ok(Reply {
        price,
        credits_used: value.credits_used(),
        cached: value.cached(),
        value,
        http: HttpInfo {
            status: raw.status,
            headers: raw.headers,
            attempts: raw.attempts,
            elapsed: raw.elapsed,
        },
        operation,
        body: keep_body.then_some(raw.body),
    })
}

/// Characters of a message about a body: a value of the wrong type is quoted, however long.
const MESSAGE_LIMIT: usize = 500;

/// Why the body does not decode, with the place. Decoding again costs time on this path only.
fn located<T: DeserializeOwned>(body: &[u8]) -> Option<String> {
    let mut reader = serde_json::Deserializer::from_slice(body);
    let error = serde_path_to_error::deserialize::<_, T>(&mut reader).err()?;
    let path = error.path().to_string();
    let place = if path == "." { "the answer".to_owned() } else { format!("`{path}`") };
    Some(format!("{place}: {}", error.inner()))
}
