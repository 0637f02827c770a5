//! Parameter values that are whole numbers, with conversions from all integer types.

use crate::value::Value;

/// A parameter value that is a whole number. Every integer type of Rust can be converted to it.
///
/// A number out of range is rejected when the call is sent. The error message contains the name of the parameter and
/// the number.
///
/// ```
/// use crypto_intel_core::{Value, WholeNumber};
///
/// for number in [WholeNumber::from(10u32), 10usize.into(), 10.into()] {
///     assert_eq!(Value::from(number), Value::Integer(10));
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WholeNumber(Digits);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Digits {
    Few(i64),
    /// Decimal digits of a number that does not fit in 64 bits. No parameter accepts this number, but the error message
    /// contains its digits.
    Many(String),
}

impl WholeNumber {
    fn from_number<N: ToString + TryInto<i64> + Copy>(number: &N) -> Self {
        let few = (*number).try_into().map(Digits::Few);
        WholeNumber(few.unwrap_or_else(|_| Digits::Many(number.to_string())))
    }
}

impl From<WholeNumber> for Value {
    fn from(number: WholeNumber) -> Self {
        match number.0 {
            Digits::Few(number) => Value::Integer(number),
            Digits::Many(digits) => Value::Text(digits),
        }
    }
}

/// Implements `From` for a type, from each integer type of Rust, such as `From<i8>` and `From<u64>`. The first argument
/// is the type. The second argument is the function that converts the integer, by default `to_string`.
#[macro_export]
#[doc(hidden)]
macro_rules! from_integers {
    ($name:ident) => {
        $crate::from_integers!($name, ::std::string::ToString::to_string);
    };
    ($name:ident, $make:path) => {
        $crate::from_integers!(@ $name $make;
            i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);
    };
    (@ $name:ident $make:path; $($integer:ident)*) => {$(
        impl From<$integer> for $name {
            fn from(number: $integer) -> Self {
                $make(&number).into()
            }
        }
    )*};
}
from_integers!(WholeNumber, WholeNumber::from_number);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_beyond_i64_keep_their_digits() {
        for (number, value) in [
            (WholeNumber::from(u64::MAX), Value::from("18446744073709551615")),
            (WholeNumber::from(i64::MAX), Value::Integer(i64::MAX)),
            (WholeNumber::from(i128::MIN), Value::Text(i128::MIN.to_string())),
            (WholeNumber::from(-1i8), Value::Integer(-1)),
        ] {
            assert_eq!(Value::from(number), value);
        }
    }
}
