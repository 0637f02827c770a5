//! Parser for JSON values. Objects keep the order of their keys, and can contain a key several times.
//!
//! The output is a tree of values, which can be searched by path and written as JSON text.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::problem::{Problem, Result};
use crate::value::Value;

/// A JSON value.
pub(super) enum Json {
    Null,
    Bool(bool),
    Int(i128),
    Float(f64),
    Text(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Parses JSON text. Returns `None` if the text is not valid JSON.
    ///
    /// # Errors
    /// Returns an error if the JSON contains an integer of more than 64 bits, because ClickHouse treats this integer as
    /// a string. Also returns an error for the integer -0, because the parser returns the float -0.0 for -0.
    pub(super) fn read(text: &[u8]) -> Result<Option<Json>> {
        let found: Option<Json> = serde_json::from_slice(text).ok();
        if found.as_ref().is_some_and(Json::has_odd_number) && has_odd_integer(text) {
            return Err(Problem::text("an integer in JSON has more than 64 bits, or is -0"));
        }
        Ok(found)
    }

    /// Returns whether there is a float that can be the value of an integer in the JSON text.
    fn has_odd_number(&self) -> bool {
        match self {
            Json::Float(number) => number.abs() >= 9.2e18 || *number == 0.0,
            Json::Array(items) => items.iter().any(Json::has_odd_number),
            Json::Object(members) => members.iter().any(|(_, json)| json.has_odd_number()),
            _ => false,
        }
    }

    /// Returns the number of array elements or object fields. Returns 0 for other values.
    pub(super) fn len(&self) -> usize {
        match self {
            Json::Array(items) => items.len(),
            Json::Object(members) => members.len(),
            _ => 0,
        }
    }

    /// Returns a field of an object by its key, or an element or field by its index. Indexes start at 1, and negative
    /// indexes count from the end.
    pub(super) fn inside(&self, step: &Value) -> Option<&Json> {
        if let Value::Text(name) = step {
            let Json::Object(members) = self else { return None };
            let found = members.iter().find(|(key, _)| key.as_bytes() == &**name);
            return found.map(|(_, json)| json);
        }
        let at = self.find_index(step)?;
        match self {
            Json::Array(items) => items.get(at),
            Json::Object(members) => members.get(at).map(|(_, json)| json),
            _ => None,
        }
    }

    /// Converts the index `step` to a zero-based index. `step` is 1 for the first element or field, and -1 for the last
    /// one. Returns `None` if no such element or field exists.
    pub(super) fn find_index(&self, step: &Value) -> Option<usize> {
        let (n, len) = (step.int(), i128::try_from(self.len()).ok()?);
        let at = if n < 0 { len + n } else { n - 1 };
        usize::try_from(at).ok().filter(|at| *at < self.len())
    }

    /// Writes the value as JSON text without spaces.
    pub(super) fn write(&self, out: &mut String) {
        match self {
            Json::Null => out.push_str("null"),
            Json::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
            Json::Int(number) => out.push_str(&number.to_string()),
            Json::Float(number) => out.push_str(&crate::text::float(*number)),
            Json::Text(text) => write_text(text, false, out),
            Json::Array(items) => write_items(['[', ']'], items, out, Json::write),
            Json::Object(members) => write_items(['{', '}'], members, out, |(key, json), out| {
                write_text(key, false, out);
                out.push(':');
                json.write(out);
            }),
        }
    }

    /// Returns the characters of a string, or the JSON text of another value.
    pub(super) fn plain_text(&self) -> String {
        match self {
            Json::Text(text) => text.clone(),
            other => other.text(),
        }
    }

    pub(super) fn text(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }
}

/// Returns whether JSON text contains -0 or an integer of more than 64 bits, outside its strings.
fn has_odd_integer(text: &[u8]) -> bool {
    let (mut is_inside, mut is_escaped) = (false, false);
    let is_bare = |byte: &u8| {
        is_inside ^= *byte == b'"' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        !is_inside
    };
    let bare: String = text.iter().copied().filter(is_bare).map(char::from).collect();
    let is_odd = |word: &str| {
        let is_integer = word.bytes().any(|byte| byte.is_ascii_digit())
            && word.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit());
        is_integer && (word == "-0" || word.parse::<i64>().is_err() && word.parse::<u64>().is_err())
    };
    bare.split(|letter: char| !letter.is_ascii_alphanumeric() && !"+-.".contains(letter))
        .any(is_odd)
}

/// Writes a string as a JSON string with quotes and escapes. With `escapes_slash`, `/` is escaped too.
pub(super) fn write_text(text: &str, escapes_slash: bool, out: &mut String) {
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '/' if escapes_slash => out.push_str("\\/"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0'..' ' | '\u{2028}' | '\u{2029}' => {
                out.push_str(&format!("\\u{:04X}", u32::from(letter)));
            }
            letter => out.push(letter),
        }
    }
    out.push('"');
}

/// Writes items with commas between them, and with a bracket before and after them.
pub(super) fn write_items<T>(
    [open, close]: [char; 2],
    items: impl IntoIterator<Item = T>,
    out: &mut String,
    write: impl Fn(T, &mut String),
) {
    out.push(open);
    for (at, item) in items.into_iter().enumerate() {
        out.push_str(if at > 0 { "," } else { "" });
        write(item, out);
    }
    out.push(close);
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> std::result::Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, truth: bool) -> std::result::Result<Json, E> {
        Ok(Json::Bool(truth))
    }

    fn visit_i64<E>(self, number: i64) -> std::result::Result<Json, E> {
        Ok(Json::Int(number.into()))
    }

    fn visit_u64<E>(self, number: u64) -> std::result::Result<Json, E> {
        Ok(Json::Int(number.into()))
    }

    fn visit_f64<E>(self, number: f64) -> std::result::Result<Json, E> {
        Ok(Json::Float(number))
    }

    fn visit_str<E>(self, text: &str) -> std::result::Result<Json, E> {
        Ok(Json::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> std::result::Result<Json, A::Error> {
        let mut all = Vec::new();
        while let Some(item) = items.next_element()? {
            all.push(item);
        }
        Ok(Json::Array(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> std::result::Result<Json, A::Error> {
        let mut all = Vec::new();
        while let Some(member) = members.next_entry()? {
            all.push(member);
        }
        Ok(Json::Object(all))
    }
}
