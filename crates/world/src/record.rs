//! Records as the world writes them: each member is held against the record tables when the world
//! is compiled.
//!
//! A row of the world is seldom a whole record: what a domain knows is given, `fill/` decides the
//! rest, and what is absent, `null` and left open are three things. The generated structs cannot say
//! that, so that a record is built as JSON; but a member that the record does not have, or a text
//! where it has a number, fails to compile.

use crate::value::{Members, Value};
use crypto_intel_api::generated::tables::RECORDS;
use crypto_intel_core::Type;

/// A record of the tables with the members that are known, as a [`Value`].
///
/// ```ignore
/// record!(EtfTickerFlow { ticker: "ALPH", flow_usd: 8e6 })
/// ```
macro_rules! record {
    ($record:ident { $($member:ident $(: $value:expr)?),* $(,)? }) => {
        $crate::record::record!(@sorted [$(stringify!($member)),*] [$(
            $crate::record::cell::<
                { $crate::record::kind(stringify!($record), stringify!($member)) },
                _,
            >($crate::record::record!(@given $member $(: $value)?)),
        )*])
    };

    // Names are sorted when the world is compiled.
    (@sorted [$($name:expr),*] [$($cell:expr,)*]) => {{
        const NAMES: &[&str] = &[$($name),*];
        const ORDER: [usize; NAMES.len()] = $crate::record::sorted(NAMES);
        $crate::value::Value::Object($crate::value::Members::of(NAMES, &ORDER, [$($cell),*]))
    }};

    // As in a struct, a variable of the member's name is its value.
    (@given $member:ident : $value:expr) => { $value };
    (@given $member:ident) => { $member };

    // Members whose names are no identifiers.
    ($record:ident { $($member:literal : $value:expr),* $(,)? }) => {
        $crate::record::record!(@sorted [$($member),*] [$(
            $crate::record::cell::<{ $crate::record::kind(stringify!($record), $member) }, _>(
                $value,
            ),
        )*])
    };
}

/// The name of a member of a record of the tables.
macro_rules! member {
    ($record:ident . $member:ident) => {{
        const _: u8 = $crate::record::kind(stringify!($record), stringify!($member));
        stringify!($member)
    }};
}

pub(crate) use {member, record};

/// A text, or one of some texts.
pub(crate) const TEXT: u8 = 0;
/// A whole number, a moment among them.
pub(crate) const WHOLE: u8 = 1;
/// A number.
pub(crate) const NUMBER: u8 = 2;
/// True or false.
pub(crate) const FLAG: u8 = 3;
/// Anything.
pub(crate) const ANY: u8 = 4;
/// A record, or an object with members of one type.
pub(crate) const OBJECT: u8 = 5;
/// A list.
pub(crate) const LIST: u8 = 6;

/// What the member of a record holds. What the tables do not have fails to compile.
pub(crate) const fn kind(record: &str, member: &str) -> u8 {
    let (mut low, mut high) = (0, RECORDS.len());
    while low < high {
        let middle = usize::midpoint(low, high);
        match order(RECORDS[middle].name, record) {
            0 => return kind_of(middle, member),
            1.. => high = middle,
            _ => low = middle + 1,
        }
    }
    panic!("the tables have no record of this name")
}

const fn kind_of(record: usize, member: &str) -> u8 {
    let fields = RECORDS[record].fields;
    let mut at = 0;
    while at < fields.len() {
        if order(fields[at].name, member) == 0 {
            return match fields[at].ty {
                Type::String | Type::Enum(_) => TEXT,
                Type::Integer | Type::UnixSeconds | Type::UnixMillis => WHOLE,
                Type::Number => NUMBER,
                Type::Boolean => FLAG,
                Type::Any => ANY,
                Type::Record(_) | Type::Map(_) => OBJECT,
                Type::List(_) => LIST,
            };
        }
        at += 1;
    }
    panic!("the record has no member of this name")
}

/// The numbers of `names` by their letters. A name that is there twice fails to compile.
pub(crate) const fn sorted<const COUNT: usize>(names: &[&str]) -> [usize; COUNT] {
    let mut numbers = [0; COUNT];
    let mut done = 0;
    while done < COUNT {
        let mut at = done;
        while at > 0 && order(names[numbers[at - 1]], names[done]) > 0 {
            numbers[at] = numbers[at - 1];
            at -= 1;
        }
        assert!(
            at == 0 || order(names[numbers[at - 1]], names[done]) != 0,
            "a member is given twice"
        );
        numbers[at] = done;
        done += 1;
    }
    numbers
}

/// The bytes of `a` before (-1), like (0) or after (1) those of `b`.
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

/// What a member of this kind can be given.
pub(crate) trait Cell<const KIND: u8> {
    /// As JSON.
    fn json(self) -> Value;
}

/// `value` as the JSON of a member of this kind.
pub(crate) fn cell<const KIND: u8, T: Cell<KIND>>(value: T) -> Value {
    value.json()
}

/// A value that is made where the kind is not known; tests judge it by the tables.
impl<const KIND: u8> Cell<KIND> for Value {
    fn json(self) -> Value {
        self
    }
}

/// Nothing is `null`, and absent where the record has no `null`.
impl<const KIND: u8, T: Cell<KIND>> Cell<KIND> for Option<T> {
    fn json(self) -> Value {
        self.map_or(Value::Null, Cell::json)
    }
}

macro_rules! cells {
    ($($kind:ident: $($ty:ty),*;)*) => {
        $($(
            impl Cell<$kind> for $ty {
                fn json(self) -> Value {
                    self.to_owned().into()
                }
            }
        )*)*
    };
}

cells! {
    TEXT: &str, String, &String, &&str;
    WHOLE: i32, i64, u32, u64, usize, &i64;
    // A whole number is a number too.
    NUMBER: i32, i64, u32, u64, usize, f64, &i64, &f64;
    FLAG: bool;
    ANY: &str, String, i64, f64, bool;
    OBJECT: Members;
}

impl<T: Into<Value>> Cell<LIST> for Vec<T> {
    fn json(self) -> Value {
        self.into()
    }
}

impl<T: Into<Value> + Clone> Cell<LIST> for &[T] {
    fn json(self) -> Value {
        self.into()
    }
}

impl<T: Into<Value>, const COUNT: usize> Cell<ANY> for [T; COUNT] {
    fn json(self) -> Value {
        self.into()
    }
}

impl<T: Into<Value>, const COUNT: usize> Cell<LIST> for [T; COUNT] {
    fn json(self) -> Value {
        self.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::json;

    #[test]
    fn every_member_of_every_record_is_found() {
        for record in RECORDS {
            for field in record.fields {
                let expected = match field.ty {
                    Type::String | Type::Enum(_) => TEXT,
                    Type::Integer | Type::UnixSeconds | Type::UnixMillis => WHOLE,
                    Type::Number => NUMBER,
                    Type::Boolean => FLAG,
                    Type::Any => ANY,
                    Type::Record(_) | Type::Map(_) => OBJECT,
                    Type::List(_) => LIST,
                };
                assert_eq!(kind(record.name, field.name), expected, "{record:?} {field:?}");
            }
        }
    }

    #[test]
    #[should_panic(expected = "no member")]
    fn a_member_that_is_not_there_is_none() {
        kind("EtfTickerFlow", "flow");
    }

    #[test]
    #[should_panic(expected = "no record")]
    fn a_record_that_is_not_there_is_none() {
        kind("EtfTickerFlows", "flow_usd");
    }

    #[test]
    fn a_record_is_what_it_says() {
        let none: Option<&str> = None;
        let built = record!(PulseSourceTweet { tweet_id: "7", text: none });
        assert_eq!(built, json!({"tweet_id": "7", "text": null}));
        assert_eq!(member!(PulseSourceTweet.text), "text");
    }
}
