//! Fast decoder for rows that match the OpenAPI document. It decodes JSON text into columns in one pass, without
//! intermediate values. At the first mismatch it returns an error, and the slow decoder in `careful` reads the row
//! again.

use std::fmt;

use serde::de::{
    DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use serde_json::value::RawValue;

use crate::column::{Column, Data, Record, last};
use crate::exact;

/// Appends one row of JSON text to `column`. After an error, the column may contain an incomplete row.
pub(crate) fn push(column: &mut Column, text: &str, drops_unknown: bool) -> serde_json::Result<()> {
    let mut json = serde_json::Deserializer::from_str(text);
    Value { column, drops_unknown }.deserialize(&mut json)?;
    json.end()
}

/// Deserializer seed that reads one JSON value and appends it to a column.
pub(crate) struct Value<'a> {
    pub(crate) column: &'a mut Column,
    pub(crate) drops_unknown: bool,
}

impl<'de> DeserializeSeed<'de> for Value<'_> {
    type Value = ();

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        match self.column.data {
            // These columns need the JSON text as received.
            Data::Json(_) | Data::Digits(_) | Data::Decimal(..) => {
                let raw = <&RawValue as serde::Deserialize>::deserialize(json)?;
                self.column.push_raw(raw.get()).ok_or_else(|| D::Error::custom(SURPRISE))
            }
            Data::Skip => {
                json.deserialize_ignored_any(IgnoredAny)?;
                self.column.validity.append_non_null();
                Ok(())
            }
            _ => json.deserialize_any(self),
        }
    }
}

/// Error message that users never see, because the slow decoder in `careful` reads the row again.
const SURPRISE: &str = "the column cannot store the value";

impl Column {
    /// Appends a value to a column of JSON texts ([`Data::Json`]), decimals ([`Data::Decimal`]) or numbers that are
    /// stored as text ([`Data::Digits`]). `raw` is the JSON text of the value. Returns `None` if the column cannot
    /// store the value.
    pub(crate) fn push_raw(&mut self, raw: &str) -> Option<()> {
        if raw == "null" {
            self.push_null();
            return Some(());
        }
        match &mut self.data {
            Data::Json(texts) => texts.push(raw),
            Data::Digits(texts) => texts.push(exact::digits(raw)?),
            Data::Decimal(numbers, scale) => {
                numbers.push(exact::decimal(exact::digits(raw)?, *scale)?);
            }
            _ => return None,
        }
        self.validity.append_non_null();
        Some(())
    }

    pub(crate) fn push_text(&mut self, text: &str) -> Option<()> {
        match &mut self.data {
            Data::Text(texts) => texts.push(text),
            Data::Dictionary(names) => names.push(text),
            Data::Days(days) => days.push(exact::days(text)?),
            Data::Micros(times) => times.push(exact::micros(text)?),
            _ => return None,
        }
        self.validity.append_non_null();
        Some(())
    }

    pub(crate) fn push_integer(&mut self, number: i64) -> Option<()> {
        if number == 0 && self.zero_is_null {
            self.push_null();
            return Some(());
        }
        match &mut self.data {
            Data::Integer(numbers) | Data::Seconds(numbers) | Data::Millis(numbers) => {
                numbers.push(number);
            }
            Data::SecondsAsMillis(numbers) => numbers.push(number.checked_mul(1_000)?),
            _ => return None,
        }
        self.validity.append_non_null();
        Some(())
    }

    pub(crate) fn push_float(&mut self, number: f64) -> Option<()> {
        let Data::Float(numbers) = &mut self.data else { return None };
        numbers.push(number);
        self.validity.append_non_null();
        Some(())
    }

    pub(crate) fn push_boolean(&mut self, value: bool) -> Option<()> {
        let Data::Boolean(bits) = &mut self.data else { return None };
        bits.append(value);
        self.validity.append_non_null();
        Some(())
    }
}

fn ensure_pushed<E: serde::de::Error>(pushed: Option<()>) -> Result<(), E> {
    pushed.ok_or_else(|| E::custom(SURPRISE))
}

impl<'de> Visitor<'de> for Value<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of the column type")
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<(), E> {
        self.column.push_null();
        Ok(())
    }

    fn visit_bool<E: serde::de::Error>(self, value: bool) -> Result<(), E> {
        ensure_pushed(self.column.push_boolean(value))
    }

    #[expect(clippy::cast_precision_loss, reason = "the client's records round equally")]
    fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<(), E> {
        let pushed = self.column.push_integer(number);
        ensure_pushed(pushed.or_else(|| self.column.push_float(number as f64)))
    }

    #[expect(clippy::cast_precision_loss, reason = "the client's records round equally")]
    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<(), E> {
        let pushed = i64::try_from(number).ok().and_then(|whole| self.column.push_integer(whole));
        ensure_pushed(pushed.or_else(|| self.column.push_float(number as f64)))
    }

    fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<(), E> {
        ensure_pushed(self.column.push_float(number))
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<(), E> {
        ensure_pushed(self.column.push_text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let Data::List(ends, items, _) = &mut self.column.data else {
            return Err(A::Error::custom(SURPRISE));
        };

        let drops_unknown = self.drops_unknown;
        while list.next_element_seed(Value { column: items, drops_unknown })?.is_some() {}

        ends.push(i32::try_from(items.len()).map_err(A::Error::custom)?);
        self.column.validity.append_non_null();
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        let drops_unknown = self.drops_unknown;
        match &mut self.column.data {
            Data::Struct(record) => members(record, map, drops_unknown)?,
            Data::Map(..) => entries(self.column, map, drops_unknown)?,
            _ => return Err(A::Error::custom(SURPRISE)),
        }
        self.column.validity.append_non_null();
        Ok(())
    }
}

fn members<'de, A: MapAccess<'de>>(
    record: &mut Record,
    mut map: A,
    drops_unknown: bool,
) -> Result<(), A::Error> {
    let Record { plan, columns, order } = record;
    let rows = columns.first().map_or(0, Column::len);
    let (mut seen, mut at) = (0, 0);

    while let Some(found) = map.next_key_seed(Name { plan, guess: order.get(at).copied() })? {
        let Some(index) = found else {
            if !drops_unknown {
                return Err(A::Error::custom(SURPRISE));
            }
            map.next_value::<IgnoredAny>()?;
            continue;
        };
        // If a field is repeated, the slow decoder reads the row. It keeps the last value.
        if columns[index].len() > rows {
            return Err(A::Error::custom(SURPRISE));
        }

        map.next_value_seed(Value { column: &mut columns[index], drops_unknown })?;
        match order.get_mut(at) {
            Some(guess) => *guess = index,
            None => order.push(index),
        }
        (seen, at) = (seen + 1, at + 1);
    }

    if seen < columns.len() {
        columns.iter_mut().filter(|column| column.len() == rows).for_each(Column::push_null);
    }
    Ok(())
}

/// Deserializer seed that reads the name of a field and returns the index of the field.
struct Name<'a> {
    plan: &'a crate::plan::Members,
    guess: Option<usize>,
}

impl<'de> DeserializeSeed<'de> for Name<'_> {
    type Value = Option<usize>;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Self::Value, D::Error> {
        json.deserialize_str(self)
    }
}

impl Visitor<'_> for Name<'_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a field")
    }

    #[inline]
    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Self::Value, E> {
        if let Some(guess) = self.guess
            && self.plan.members[guess].name == name
        {
            return Ok(Some(guess));
        }
        Ok(self.plan.by_name.get(name).copied())
    }
}

fn entries<'de, A: MapAccess<'de>>(
    column: &mut Column,
    mut map: A,
    drops_unknown: bool,
) -> Result<(), A::Error> {
    let Data::Map(ends, keys, values, _) = &mut column.data else {
        return Err(A::Error::custom(SURPRISE));
    };

    let mut names = std::collections::HashSet::new();
    while let Some(name) = map.next_key::<String>()? {
        keys.push(&name);
        map.next_value_seed(Value { column: values, drops_unknown })?;
        if !names.insert(name) {
            return Err(A::Error::custom(SURPRISE));
        }
    }

    debug_assert!(last(ends) <= i32::try_from(values.len()).unwrap_or(i32::MAX));
    ends.push(i32::try_from(values.len()).map_err(A::Error::custom)?);
    Ok(())
}
