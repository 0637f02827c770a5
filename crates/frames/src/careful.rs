//! Slow decoder for rows that do not match the OpenAPI document. If no column can store a value, the decoder returns
//! the unchanged JSON text of the value, with its JSON pointer.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

use crypto_intel_core::private::spelled_out;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::column::{Column, Data};

/// A JSON value from a row. The value has no column, or its column cannot store the value.
pub(crate) struct Left<'a> {
    /// JSON pointer of the value in the row, such as `/items/0/price`.
    pub(crate) place: String,
    /// JSON text of the value, exactly as received.
    pub(crate) raw: &'a str,
    /// Description of the values that the column accepts, such as `a number`. The column contains null in place of the
    /// rejected value. `None` if the field has no column.
    pub(crate) expected: Option<&'static str>,
}

/// Appends one row, which can be any JSON text, to `column`. Returns the values that the column cannot store. If the
/// row is invalid JSON, the function returns the whole row as the only value.
pub(crate) fn push<'a>(column: &mut Column, raw: &'a str) -> Vec<Left<'a>> {
    let mut row = Row { left: Vec::new(), place: String::new() };
    row.put(column, raw);
    row.left
}

struct Row<'a> {
    left: Vec<Left<'a>>,
    /// JSON pointer of the value that is being read.
    place: String,
}

impl<'a> Row<'a> {
    fn put(&mut self, column: &mut Column, raw: &'a str) {
        if raw == "null" {
            return column.push_null();
        }

        let rows = column.len();
        let (fits, expected) = match &column.data {
            Data::Boolean(_) => {
                (raw.parse().ok().and_then(|value| column.push_boolean(value)), "true or false")
            }
            Data::Integer(_) | Data::Seconds(_) | Data::Millis(_) | Data::SecondsAsMillis(_) => {
                (whole_number(raw).and_then(|number| column.push_integer(number)), "a whole number")
            }
            Data::Float(_) => (
                serde_json::from_str(raw).ok().and_then(|number| column.push_float(number)),
                "a number",
            ),
            Data::Digits(_) => (column.push_raw(raw), "a number"),
            Data::Decimal(..) => (column.push_raw(raw), "a number that fits the decimal type"),

            Data::Text(_) | Data::Dictionary(_) => (push_text(column, raw), "a text"),
            Data::Days(_) => (push_text(column, raw), "a date such as 2026-01-31"),
            Data::Micros(_) => (push_text(column, raw), "an RFC 3339 time"),
            Data::Json(_) => (column.push_raw(raw), "JSON"),

            Data::Struct(_) => (self.members(column, raw), "an object"),
            Data::List(..) => (self.items(column, raw), "a list"),
            Data::Map(..) => (self.entries(column, raw), "an object"),
            Data::Skip => {
                column.validity.append_non_null();
                (Some(()), "")
            }
        };

        if fits.is_none() {
            column.truncate(rows);
            column.push_null();
            let place = self.place.clone();
            self.left.push(Left { place, raw, expected: Some(expected) });
        }
    }

    fn members(&mut self, column: &mut Column, raw: &'a str) -> Option<()> {
        let members: Object<'a> = serde_json::from_str(raw).ok()?;
        let Data::Struct(record) = &mut column.data else { return None };

        let rows = record.columns.first().map_or(0, Column::len);
        for (name, raw) in members.0 {
            match record.plan.by_name.get(name.as_str()) {
                Some(index) => {
                    self.within(&name, |row| row.put(&mut record.columns[*index], raw.get()));
                }
                None => self.within(&name, |row| {
                    let place = row.place.clone();
                    row.left.push(Left { place, raw: raw.get(), expected: None });
                }),
            }
        }

        record.columns.iter_mut().filter(|column| column.len() == rows).for_each(Column::push_null);
        column.validity.append_non_null();
        Some(())
    }

    fn items(&mut self, column: &mut Column, raw: &'a str) -> Option<()> {
        let list: Vec<&'a RawValue> = serde_json::from_str(raw).ok()?;
        let Data::List(ends, items, _) = &mut column.data else { return None };

        for (index, raw) in list.into_iter().enumerate() {
            self.within(&index.to_string(), |row| row.put(items, raw.get()));
        }

        ends.push(i32::try_from(items.len()).ok()?);
        column.validity.append_non_null();
        Some(())
    }

    fn entries(&mut self, column: &mut Column, raw: &'a str) -> Option<()> {
        let object: Object<'a> = serde_json::from_str(raw).ok()?;
        let Data::Map(ends, keys, values, _) = &mut column.data else { return None };

        for (name, raw) in object.0 {
            keys.push(&name);
            self.within(&name, |row| row.put(values, raw.get()));
        }

        ends.push(i32::try_from(values.len()).ok()?);
        column.validity.append_non_null();
        Some(())
    }

    /// Runs `step` for one field or list item of the current value. During the step, `place` ends with the name of the
    /// field or the index of the item.
    fn within(&mut self, name: &str, step: impl FnOnce(&mut Self)) {
        let outside = self.place.len();
        self.place.push('/');
        self.place.push_str(&name.replace('~', "~0").replace('/', "~1"));
        step(self);
        self.place.truncate(outside);
    }
}

/// Parses a whole number in any JSON notation, such as `1` or `1.0`. Returns `None` for a JSON string.
fn whole_number(raw: &str) -> Option<i64> {
    raw.parse().ok().or_else(|| {
        if raw.starts_with('"') {
            return None;
        }
        spelled_out(raw)?.parse().ok()
    })
}

fn push_text(column: &mut Column, raw: &str) -> Option<()> {
    column.push_text(&text(raw)?)
}

fn text(raw: &str) -> Option<Cow<'_, str>> {
    #[derive(serde::Deserialize)]
    struct Text<'a>(#[serde(borrow)] Cow<'a, str>);
    serde_json::from_str::<Text<'_>>(raw).ok().map(|text| text.0)
}

/// Fields of a JSON object, in the order in which they appear in the JSON text. If a name is repeated, the last value
/// is kept.
struct Object<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Object<'de> {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        struct Members;

        impl<'de> Visitor<'de> for Members {
            type Value = Object<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members: Vec<(String, &'de RawValue)> = Vec::new();
                let mut places = HashMap::new();
                while let Some((name, raw)) = map.next_entry::<String, _>()? {
                    let place = *places.entry(name.clone()).or_insert(members.len());
                    match members.get_mut(place) {
                        Some(member) => member.1 = raw,
                        None => members.push((name, raw)),
                    }
                }
                Ok(Object(members))
            }
        }

        json.deserialize_map(Members)
    }
}

/// Returns a JSON object with those values of a row that no column can store. The keys are the JSON pointers of the
/// values. For example, a text in place of a price becomes `{"/items/0/price":"n/a"}`.
pub(crate) fn unstored_json(left: &[Left<'_>]) -> String {
    let mut text = String::from("{");
    for (index, part) in left.iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        text.push_str(&serde_json::Value::from(part.place.as_str()).to_string());
        text.push(':');
        text.push_str(part.raw);
    }
    text.push('}');
    text
}
