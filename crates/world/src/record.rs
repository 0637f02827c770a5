//! Builds response rows from some of their fields. The module `missing_fields` generates the other fields.
//!
//! A field of a row can be set, absent or `null`. The generated structs cannot express these three states, so a row is
//! built as a JSON value.
//!
//! The record tables are generated from the service's API description. The crate `world` still compiles if a new
//! description removes a field or changes its type. A field that is no longer in the tables is omitted from the row. A
//! value that does not have the new type is converted or omitted. `cargo xtask adopt` lists the code that sets a
//! removed or changed field, by file and line.

use crate::value::{Members, Value};
use crypto_intel_api::generated::tables::RECORDS;
use crypto_intel_core::Type;

/// Builds a JSON object of a record type from field names and values, as a [`Value`].
///
/// ```ignore
/// record!(EtfTickerFlow { ticker: "ALPH", flow_usd: 8e6 })
/// ```
macro_rules! record {
    ($record:ident { $($member:ident $(: $value:expr)?),* $(,)? }) => {
        $crate::record::record!(@row $record [$(stringify!($member)),*] [$(
            $crate::record::Cell::json($crate::record::record!(@given $member $(: $value)?)),
        )*])
    };

    // The names are sorted at compile time. Their types are also looked up at compile time.
    (@row $record:ident [$($name:expr),*] [$($cell:expr,)*]) => {{
        const NAMES: &[&str] = &[$($name),*];
        const ORDER: [usize; NAMES.len()] = $crate::record::sorted(NAMES);
        const KINDS: [$crate::record::FieldKind; NAMES.len()] =
            $crate::record::kinds(stringify!($record), NAMES);
        $crate::record::row(NAMES, &ORDER, &KINDS, [$($cell),*])
    }};

    // As in a struct literal, `name` alone stands for `name: name`.
    (@given $member:ident : $value:expr) => { $value };
    (@given $member:ident) => { $member };

    // Fields whose names are not Rust identifiers are written as string literals.
    ($record:ident { $($member:literal : $value:expr),* $(,)? }) => {
        $crate::record::record!(@row $record [$($member),*] [$($crate::record::Cell::json($value),)*])
    };
}

/// Returns the name of a record field as a string: `member!(XTweet.text)` is `"text"`. The record name `XTweet` does
/// not change the result. It shows readers and `cargo xtask adopt` to which record the field belongs.
macro_rules! member {
    ($record:ident . $member:ident) => {
        stringify!($member)
    };
}

pub(crate) use {member, record};

/// Builds a JSON object from field names and values. `order` contains the indices of the names in alphabetical order,
/// and `kinds` contains the expected type of each field. A value that cannot be converted to the expected type is
/// omitted.
pub(crate) fn row<const COUNT: usize>(
    names: &[&'static str],
    order: &[usize; COUNT],
    kinds: &[FieldKind; COUNT],
    mut values: [Value; COUNT],
) -> Value {
    let members = order.iter().filter_map(|&at| {
        let value = kinds[at].convert(std::mem::take(&mut values[at]))?;
        Some((names[at], value))
    });
    Value::Object(Members::from_sorted(members))
}

/// Simplified type of a field. It distinguishes only the types that matter for building a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FieldKind {
    /// The record type has no field with this name.
    Missing,
    /// A string, or an enum of strings.
    Text,
    /// An integer or a timestamp.
    Whole,
    Number,
    Flag,
    Any,
    /// A record or a map.
    Object,
    List,
}

impl FieldKind {
    const fn from_type(ty: &Type) -> Self {
        match ty {
            Type::String | Type::Enum(_) => FieldKind::Text,
            Type::Integer | Type::UnixSeconds | Type::UnixMillis => FieldKind::Whole,
            Type::Number => FieldKind::Number,
            Type::Boolean => FieldKind::Flag,
            Type::Any => FieldKind::Any,
            Type::Record(_) | Type::Map(_) => FieldKind::Object,
            Type::List(_) => FieldKind::List,
        }
    }

    /// Converts a JSON value to this type. Returns `None` if that is impossible. All types except
    /// [`FieldKind::Missing`] accept `null`.
    pub(crate) fn convert(self, value: Value) -> Option<Value> {
        let fits = match (self, &value) {
            (FieldKind::Missing, _) => false,
            (FieldKind::Any, _) | (_, Value::Null) => true,
            (FieldKind::Text, Value::String(_)) | (FieldKind::Flag, Value::Bool(_)) => true,
            (FieldKind::Number, Value::Number(_)) => true,
            (FieldKind::Whole, Value::Number(number)) => {
                number.as_i64().is_some() || number.as_u64().is_some()
            }
            (FieldKind::Object, Value::Object(_)) | (FieldKind::List, Value::Array(_)) => true,
            _ => false,
        };
        if fits { Some(value) } else { self.convert_other(&value) }
    }

    /// Converts a JSON value of another type to this type: a number to a string, a string to a number, or a decimal
    /// number to an integer.
    fn convert_other(self, value: &Value) -> Option<Value> {
        match (self, value) {
            (FieldKind::Text, Value::Number(number)) => Some(number.to_string().into()),
            (FieldKind::Whole, Value::Number(number)) => Some((number.as_f64()? as i64).into()),
            (FieldKind::Whole, Value::String(text)) => Some(text.parse::<i64>().ok()?.into()),
            (FieldKind::Number, Value::String(text)) => Some(text.parse::<f64>().ok()?.into()),
            _ => None,
        }
    }
}

/// Returns the simplified types of the fields `names` of a record type. For example, [`FieldKind::Whole`] is the
/// simplified type of an integer field and of a Unix timestamp field.
pub(crate) const fn kinds<const COUNT: usize>(record: &str, names: &[&str]) -> [FieldKind; COUNT] {
    let mut kinds = [FieldKind::Missing; COUNT];
    let mut at = 0;
    while at < COUNT {
        kinds[at] = kind(record, names[at]);
        at += 1;
    }
    kinds
}

/// Returns the simplified type of the field `member` in the record type `record`, for example [`FieldKind::Whole`] for
/// a Unix timestamp. Returns [`FieldKind::Missing`] if the field or the record type does not exist.
pub(crate) const fn kind(record: &str, member: &str) -> FieldKind {
    let (mut low, mut high) = (0, RECORDS.len());
    while low < high {
        let middle = usize::midpoint(low, high);
        match order(RECORDS[middle].name, record) {
            0 => return kind_in_record(middle, member),
            1.. => high = middle,
            _ => low = middle + 1,
        }
    }
    FieldKind::Missing
}

const fn kind_in_record(record: usize, member: &str) -> FieldKind {
    let fields = RECORDS[record].fields;
    let mut at = 0;
    while at < fields.len() {
        if order(fields[at].name, member) == 0 {
            return FieldKind::from_type(&fields[at].ty);
        }
        at += 1;
    }
    FieldKind::Missing
}

/// Sorts `names` alphabetically, and returns their old indices in the new order: `["b", "a"]` gives `[1, 0]`. If a name
/// occurs twice, the program does not compile.
pub(crate) const fn sorted<const COUNT: usize>(names: &[&str]) -> [usize; COUNT] {
    let mut numbers = [0; COUNT];
    let mut done = 0;
    while done < COUNT {
        let mut at = done;
        while at > 0 && order(names[numbers[at - 1]], names[done]) > 0 {
            numbers[at] = numbers[at - 1];
            at -= 1;
        }
        assert!(at == 0 || order(names[numbers[at - 1]], names[done]) != 0, "a field is set twice");
        numbers[at] = done;
        done += 1;
    }
    numbers
}

/// Compares two strings at compile time. Returns -1 if `a` is before `b`, 0 if both are equal, and 1 if `a` is after
/// `b`.
const fn order(a: &str, b: &str) -> i8 {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut at = 0;
    while at < a.len() && at < b.len() {
        if a[at] != b[at] {
            return if a[at] < b[at] { -1 } else { 1 };
        }
        at += 1;
    }
    if a.len() == b.len() {
        0
    } else if a.len() < b.len() {
        -1
    } else {
        1
    }
}

/// A Rust type whose values can be the values of record fields, such as `f64` or `String`. The values are converted to
/// JSON.
pub(crate) trait Cell {
    /// Converts the Rust value to a JSON value.
    fn json(self) -> Value;
}

impl Cell for Value {
    fn json(self) -> Value {
        self
    }
}

impl Cell for Members {
    fn json(self) -> Value {
        self.into()
    }
}

/// Converts `None` to `null`. If the record type does not allow `null` in the field, the field is omitted when the
/// record is written to the response.
impl<T: Cell> Cell for Option<T> {
    fn json(self) -> Value {
        self.map_or(Value::Null, Cell::json)
    }
}

macro_rules! cells {
    ($($ty:ty),*) => {
        $(
            impl Cell for $ty {
                fn json(self) -> Value {
                    self.to_owned().into()
                }
            }
        )*
    };
}

cells!(&str, String, &String, &&str, i32, i64, u32, u64, usize, &i64, f64, &f64, bool);

impl<T: Into<Value>> Cell for Vec<T> {
    fn json(self) -> Value {
        self.into()
    }
}

impl<T: Into<Value> + Clone> Cell for &[T] {
    fn json(self) -> Value {
        self.into()
    }
}

impl<T: Into<Value>, const COUNT: usize> Cell for [T; COUNT] {
    fn json(self) -> Value {
        self.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::json;

    #[test]
    fn kind_finds_every_member_of_every_record() {
        for record in RECORDS {
            for field in record.fields {
                assert_eq!(
                    kind(record.name, field.name),
                    FieldKind::from_type(&field.ty),
                    "{field:?}"
                );
            }
        }
    }

    #[test]
    fn kind_of_unknown_member_or_record_is_missing() {
        assert_eq!(kind("EtfTickerFlow", "flow"), FieldKind::Missing);
        assert_eq!(kind("EtfTickerFlows", "flow_usd"), FieldKind::Missing);
    }

    #[test]
    fn record_keeps_known_members_and_leaves_out_unknown_ones() {
        let none: Option<&str> = None;
        let built = record!(PulseSourceTweet { tweet_id: "7", text: none });
        assert_eq!(built, json!({"tweet_id": "7", "text": null}));

        let built = record!(PulseSourceTweet { tweet_id: 7, retired: true });
        assert_eq!(built, json!({"tweet_id": "7"}));
        assert_eq!(member!(PulseSourceTweet.text), "text");
    }

    #[test]
    fn convert_parses_numbers_and_formats_texts_or_returns_none() {
        assert_eq!(FieldKind::Number.convert("1.5".into()), Some(1.5.into()));
        assert_eq!(FieldKind::Whole.convert("x".into()), None);
        assert_eq!(FieldKind::Flag.convert(1.into()), None);
        assert_eq!(FieldKind::Text.convert(Value::Null), Some(Value::Null));
    }
}
