//! Measures how well a JSON value fits a Rust type.
//!
//! A union is an enum whose variants have different types. To decode a JSON value, the union computes the [`Mismatch`]
//! between the value and the type of each variant. It decodes the value as the type with the smallest mismatch. If
//! decoding fails, the union tries the type with the next larger mismatch.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::json_value::{Json, JsonObject};

/// Numbers of differences between a JSON value and a type. If a value is compared with several types, the type with the
/// smallest mismatch fits best. Mismatches are compared by `missing`, then by `unlisted`, `unknown` and `unconfirmed`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Mismatch {
    /// Number of missing fields that the OpenAPI document requires.
    pub missing: usize,
    /// Number of weak matches: strings that are not a known value of their enum, and whole numbers where the type is
    /// `f64`.
    pub unlisted: usize,
    /// Number of unknown fields, plus the number of values whose Rust type accepts every JSON value, such as [`Json`].
    pub unknown: usize,
    /// Number of JSON objects in which no constant field, such as `"kind": "cat"`, confirms the record type. Objects
    /// with the type `BTreeMap` are not counted.
    pub unconfirmed: usize,
}

impl Mismatch {
    /// Adds up the mismatches for all parts of a JSON value, such as the items of a list. Returns `None` if one part
    /// does not match its type.
    pub fn sum(parts: impl Iterator<Item = Option<Mismatch>>) -> Option<Mismatch> {
        parts.into_iter().try_fold(Mismatch::default(), |sum, part| {
            let part = part?;
            Some(Mismatch {
                missing: sum.missing + part.missing,
                unlisted: sum.unlisted + part.unlisted,
                unknown: sum.unknown + part.unknown,
                unconfirmed: sum.unconfirmed + part.unconfirmed,
            })
        })
    }
}

/// A field name, and the constants that the field can have in one variant of a union.
pub type Tag<'a> = (&'a str, &'a [&'a str]);

/// A type that can be a variant of a union.
pub trait ShapeMatch {
    /// Counts the differences between a JSON value and this type, such as unknown fields. Returns `None` if the value
    /// cannot have this type, for example for a string and the type `bool`.
    fn mismatch(value: &Value) -> Option<Mismatch>;
}

/// Returns the mismatch between a JSON value and a record type. Returns `None` if the value cannot be this record.
///
/// - `needed`: the fields that the OpenAPI document requires, each with a flag. The flag is true if decoding fails
///   without the field.
/// - `tags`: fields with their allowed constants, such as `kind` with the constant `cat`. If such a field contains
///   another string, number or boolean, the result is `None`.
/// - `is_known`: returns true for the names of all fields of the record.
#[must_use]
pub fn fields_mismatch<'a>(
    value: &Value,
    needed: impl Iterator<Item = (&'a str, bool)>,
    tags: &[Tag<'_>],
    is_known: impl Fn(&str) -> bool,
) -> Option<Mismatch> {
    let members = value.as_object()?;
    let mut confirmed = 0;
    for (name, constants) in tags {
        match members.get(*name).and_then(|member| is_one_of(member, constants)) {
            Some(false) => return None,
            Some(true) => confirmed += 1,
            None => {}
        }
    }

    let mut missing = 0;
    for (name, fatal) in needed {
        match members.contains_key(name) {
            true => {}
            false if fatal => return None,
            false => missing += 1,
        }
    }

    Some(Mismatch {
        missing,
        unlisted: 0,
        unknown: members.keys().filter(|name| !is_known(name)).count(),
        unconfirmed: usize::from(confirmed == 0),
    })
}

/// Returns true if `value` is one of the constants. Returns `None` for `null`, lists and objects, which are never
/// constants.
fn is_one_of(value: &Value, constants: &[&str]) -> Option<bool> {
    match value {
        Value::String(text) => Some(constants.contains(&text.as_str())),
        Value::Number(_) | Value::Bool(_) => Some(constants.contains(&value.to_string().as_str())),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

macro_rules! plain {
    ($($ty:ty: $test:expr;)*) => {$(
        impl ShapeMatch for $ty {
            fn mismatch(value: &Value) -> Option<Mismatch> {
                let test: fn(&Value) -> bool = $test;
                test(value).then(Mismatch::default)
            }
        }
    )*};
}
plain! {
    String: Value::is_string;
    bool: Value::is_boolean;
    i64: |value| crate::json::whole(value).is_some();
}

impl ShapeMatch for i128 {
    fn mismatch(value: &Value) -> Option<Mismatch> {
        let number = value.as_number()?;
        let whole = crate::json::whole(value).is_some() || number.is_u64();
        let large = number.as_f64().is_some_and(|number| number.fract() == 0.0);
        (whole || large).then(Mismatch::default)
    }
}

impl ShapeMatch for f64 {
    fn mismatch(value: &Value) -> Option<Mismatch> {
        let number = value.as_number()?;
        let whole = number.is_i64() || number.is_u64();
        Some(Mismatch { unlisted: usize::from(whole), ..Mismatch::default() })
    }
}

impl ShapeMatch for Value {
    fn mismatch(_: &Value) -> Option<Mismatch> {
        Some(Mismatch { unknown: 1, ..Mismatch::default() })
    }
}

impl ShapeMatch for Map<String, Value> {
    fn mismatch(value: &Value) -> Option<Mismatch> {
        value.is_object().then(|| Mismatch { unconfirmed: 1, ..Mismatch::default() })
    }
}

impl ShapeMatch for Json {
    fn mismatch(value: &Value) -> Option<Mismatch> {
        Value::mismatch(value)
    }
}

impl ShapeMatch for JsonObject {
    fn mismatch(value: &Value) -> Option<Mismatch> {
        Map::mismatch(value)
    }
}

impl<T: ShapeMatch> ShapeMatch for BTreeMap<String, T> {
    fn mismatch(value: &Value) -> Option<Mismatch> {
        Mismatch::sum(value.as_object()?.values().map(T::mismatch))
    }
}

impl<T: ShapeMatch> ShapeMatch for Vec<T> {
    fn mismatch(value: &Value) -> Option<Mismatch> {
        Mismatch::sum(value.as_array()?.iter().map(T::mismatch))
    }
}

impl<T: ShapeMatch> ShapeMatch for Option<T> {
    fn mismatch(value: &Value) -> Option<Mismatch> {
        if value.is_null() { Some(Mismatch::default()) } else { T::mismatch(value) }
    }
}

impl<T: ShapeMatch> ShapeMatch for Box<T> {
    fn mismatch(value: &Value) -> Option<Mismatch> {
        T::mismatch(value)
    }
}

macro_rules! tuples {
    ($($first:ident $($rest:ident)*)?) => {$(
        impl<$first: ShapeMatch, $($rest: ShapeMatch),*> ShapeMatch for ($first, $($rest,)*) {
            fn mismatch(value: &Value) -> Option<Mismatch> {
                let places: &[fn(&Value) -> Option<Mismatch>] = &[$first::mismatch, $($rest::mismatch),*];
                let items = value.as_array().filter(|items| items.len() == places.len())?;
                Mismatch::sum(items.iter().zip(places).map(|(item, mismatch)| mismatch(item)))
            }
        }
        tuples!($($rest)*);
    )?};
}
tuples!(A B C D E F G H I J K L);

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn list_mismatch_is_sum_of_its_items() {
        let listed = |value: Value| Vec::<Option<i64>>::mismatch(&value);
        assert_eq!(listed(json!([1, null])), Some(Mismatch::default()));
        assert_eq!(listed(json!([1, "a"])), None);
        assert_eq!(<(String, i64)>::mismatch(&json!(["a"])), None);
        assert_eq!(<(String, i64)>::mismatch(&json!(["a", 1])), Some(Mismatch::default()));
        assert!(Vec::<f64>::mismatch(&json!([1, 2])) > Vec::<i64>::mismatch(&json!([1, 2])));
        assert!(
            Map::<String, Value>::mismatch(&json!({}))
                > BTreeMap::<String, i64>::mismatch(&json!({}))
        );
    }

    #[test]
    fn only_a_known_constant_confirms_a_record() {
        let unconfirmed = |value: Value| {
            let tags: &[Tag<'_>] = &[("kind", &["cat", "1"])];
            fields_mismatch(&value, std::iter::empty(), tags, |_| true)
                .map(|mismatch| mismatch.unconfirmed)
        };
        assert_eq!(unconfirmed(json!({"kind": "cat"})), Some(0));
        assert_eq!(unconfirmed(json!({"kind": 1})), Some(0));
        assert_eq!(unconfirmed(json!({"kind": "dog"})), None);
        for value in [json!({}), json!({"kind": null}), json!({"kind": []}), json!({"kind": {}})] {
            assert_eq!(unconfirmed(value.clone()), Some(1), "{value}");
        }
    }

    #[test]
    fn i128_matches_numbers_without_fraction() {
        for (value, taken) in [
            (json!(1.0), true),
            (json!(u64::MAX), true),
            (json!(1.8e19), true),
            (json!(0.5), false),
        ] {
            assert_eq!(i128::mismatch(&value).is_some(), taken, "{value}");
        }
    }
}
