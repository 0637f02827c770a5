//! Errors of jq programs. Their messages contain no values of the input data, except texts that the program itself
//! passes to `error`.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

/// JSON text in which numbers keep their original digits.
pub type Json = Box<RawValue>;

/// Maximum length in characters of a field name in an error message. Also the maximum length of a quotation from the
/// interpreter's message. A longer text is cut.
const QUOTED: usize = 60;
/// Maximum number of characters of a text that a program raised with `error`. A longer text is cut.
const RAISED: usize = 2_000;
/// Maximum number of field names in an error message.
const LISTED: usize = 40;

/// Reason why a jq program failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text is not a jq program, is longer than 16 KiB, or uses a name that is not defined.
    Program,
    /// The program failed on its input data, for example by adding a text to a number, or it called `error`.
    Data,
    /// The program ran longer than its time limit.
    Time,
    /// The child process ended without a complete response. Usually the program exceeded the limit on memory or on the
    /// stack.
    Memory,
    /// The results are larger than the output limit, or the program has millions of results.
    Output,
    /// The child process could not be started, or the communication with it failed.
    Worker,
}

/// Failure of a jq program, with the results that the program wrote before it failed.
#[derive(Debug, Clone)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    outputs: Vec<Json>,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error { kind, message: message.into(), outputs: Vec::new() }
    }

    pub(crate) fn with_outputs(mut self, outputs: Vec<Json>) -> Self {
        self.outputs = outputs;
        self
    }

    /// Returns the kind of the failure.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Returns the message: one sentence with types and field names of the input data. The message contains values
    /// of the data only if the program itself passed them to `error`.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the results that the program wrote before it failed. The slice is empty if the time limit ended the
    /// program.
    #[must_use]
    pub fn outputs(&self) -> &[Json] {
        &self.outputs
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// Prefixes of interpreter messages. A JSON value follows each prefix. For example, the value `[1]` follows the prefix
/// `cannot index ` in the message `cannot index [1]`.
const BEFORE_VALUE: &[&str] = &[
    "cannot index ",
    "cannot use ",
    "cannot calculate ",
    "cannot convert ",
    PARSER,
    "invalid path expression with input ",
];

/// Beginning of the interpreter's message about a text that is not valid JSON.
const PARSER: &str = "cannot parse ";

/// Replaces the JSON values in a message of the interpreter by descriptions of their types.
///
/// `cannot index [{"a":1}] with "b"` becomes `cannot index a list of objects with the fields a with "b"`. The
/// index `"b"` is kept only if the text of the program contains it, because other indices may be values of the
/// data. The interpreter returns errors only as text, so this function parses the values in the text.
pub(crate) fn redact_values(message: &str, program: &str) -> String {
    // A JSON string: a message that the program, `fromjson` or `tonumber` raised.
    if let Ok(text) = serde_json::from_str::<String>(message) {
        return match text.starts_with(PARSER) {
            true => redact_values(&text, program),
            false => truncate(&text, RAISED),
        };
    }

    for prefix in BEFORE_VALUE {
        let Some(rest) = message.strip_prefix(prefix) else { continue };
        let Some((value, rest)) = leading_value(rest) else {
            return format!("{prefix}this value");
        };
        // The second value begins after one of the spaces. It may contain spaces itself.
        let second = rest.match_indices(' ').find_map(|(at, _)| {
            let (words, last) = (&rest[..at], &rest[at + 1..]);
            let value: Value = serde_json::from_str(last).ok()?;
            Some(match &value {
                Value::String(name)
                    if words.ends_with(" with") && is_name(name) && program.contains(name) =>
                {
                    format!("{words} {name:?}")
                }
                _ => format!("{words} {}", type_description(&value)),
            })
        });
        let rest = second.unwrap_or_else(|| truncate(rest, QUOTED));
        return format!("{prefix}{}{rest}", type_description(&value));
    }
    truncate(message, QUOTED)
}

/// Returns the JSON value at the start of a text, and the rest of the text.
fn leading_value(text: &str) -> Option<(Value, &str)> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let value = values.next()?.ok()?;
    let end = values.byte_offset();
    Some((value, &text[end..]))
}

/// Returns the type of a JSON value in words, such as `a number`. For an object, and for a list of objects, the words
/// include the field names.
fn type_description(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) => "a boolean".to_owned(),
        Value::Number(_) => "a number".to_owned(),
        Value::String(_) => "a string".to_owned(),
        Value::Array(items) => match items.first() {
            None => "an empty list".to_owned(),
            Some(Value::Object(members)) => {
                format!("a list of objects with the fields {}", field_names(members))
            }
            Some(_) => format!("a list of {} values", items.len()),
        },
        Value::Object(members) => format!("an object with the fields {}", field_names(members)),
    }
}

/// Returns true if a text looks like a field name: at most 60 ASCII letters, digits or underscores.
fn is_name(text: &str) -> bool {
    text.chars().count() <= QUOTED
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

fn field_names(members: &serde_json::Map<String, Value>) -> String {
    let listed: Vec<_> = members.keys().take(LISTED).map(|name| truncate(name, QUOTED)).collect();
    let more = members.len().saturating_sub(LISTED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", listed.join(", "))
}

fn truncate(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_contain_types_and_field_names_but_no_values() {
        let long = format!("[{}]", vec![r#"{"secret":"s3cr3t","b":2}"#; 500].join(","));
        let message = format!(r#"cannot index {long} with "foo""#);
        let expected = r#"cannot index a list of objects with the fields b, secret with "foo""#;
        assert_eq!(redact_values(&message, ".foo"), expected);

        for (message, expected) in [
            (r#"cannot index "BTC" with "foo""#, r#"cannot index a string with "foo""#),
            (r#"cannot index [] with "s3cr3t""#, "cannot index an empty list with a string"),
            ("cannot index NaN with 1", "cannot index this value"),
            (r#"cannot calculate "BTC" * 2"#, "cannot calculate a string * a number"),
            (
                r#"cannot calculate {"a":1} + "s3cr3t!""#,
                "cannot calculate an object with the fields a + a string",
            ),
            (
                r#"cannot calculate {"a":1} + "top s3cr3t""#,
                "cannot calculate an object with the fields a + a string",
            ),
            (
                r#""cannot parse \"s3cr3t\" as JSON: byte offset 0: value expected""#,
                "cannot parse a string as JSON: byte offset 0: value expected",
            ),
            ("cannot use 12 as array", "cannot use a number as array"),
            (r#""raised by the program""#, "raised by the program"),
        ] {
            assert_eq!(redact_values(message, ".foo"), expected);
        }
    }
}
