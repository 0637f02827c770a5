//! Values in rows. A value does not contain its type.
//!
//! Values can be compared, hashed and converted. Code that needs the meaning of a value must also have its type.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use ethnum::{AsI256, AsU256, I256, U256};

use crate::types::Type;

/// A value in a row. Its [`Type`] determines what the value means. Dates are stored as a number of days, and decimals
/// as the unscaled integer (150 for `1.50`). Arrays and tuples are lists, and maps are lists of pairs.
#[derive(Debug, Clone, Default)]
pub enum Value {
    /// NULL.
    #[default]
    Null,
    /// Booleans, integers of up to 64 bits, dates, times, intervals and decimals.
    Int(i128),
    /// Integers of the types `Int128`, `UInt128` and `Int256`.
    Wide(Box<I256>),
    /// Integers of the type `UInt256`.
    UWide(Box<U256>),
    /// Floats of 32 or 64 bits.
    Float(f64),
    /// Strings of the types `String` and `FixedString`.
    Text(Arc<[u8]>),
    /// Arrays, tuples and maps.
    List(List),
}

/// Elements of an array, a tuple or a map. Clones share the memory of the elements.
#[derive(Debug, Clone)]
pub struct List {
    items: Arc<[Value]>,
    /// Number of elements of this list. `items` can contain more elements, because a longer list can share `items`.
    len: u32,
    /// Size of the elements in units of [`UNIT`] bytes. 0 if another list shares the elements and already counts their
    /// size.
    units: u32,
}

/// Number of bytes in one unit of the field `List::units`. The unit is larger than a byte so that the size of a list
/// fits into a `u32`, which keeps `Value` small.
const UNIT: usize = 16;

impl List {
    /// Returns a new list of the first `len` elements. Both lists share the memory of the elements. The size of the new
    /// list does not include the elements, so that their memory is counted once.
    pub(crate) fn prefix(&self, len: usize) -> List {
        let len = u32::try_from(len).unwrap_or(u32::MAX).min(self.len);
        List { items: Arc::clone(&self.items), len, units: 0 }
    }
}

impl std::ops::Deref for List {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.items[..self.len as usize]
    }
}

impl From<Arc<[Value]>> for List {
    fn from(items: Arc<[Value]>) -> Self {
        let bytes = items.iter().map(Value::size).sum::<usize>() + 16;
        let len = u32::try_from(items.len()).unwrap_or(u32::MAX);
        List { items, len, units: u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX) }
    }
}

impl FromIterator<Value> for List {
    fn from_iter<I: IntoIterator<Item = Value>>(items: I) -> Self {
        List::from(items.into_iter().collect::<Arc<[Value]>>())
    }
}

impl Value {
    /// Creates a string value.
    pub fn text(text: impl AsRef<[u8]>) -> Value {
        Value::Text(text.as_ref().into())
    }

    pub(crate) fn bool(truth: bool) -> Value {
        Value::Int(truth.into())
    }

    pub(crate) fn list(items: Vec<Value>) -> Value {
        Value::List(Arc::<[Value]>::from(items).into())
    }

    pub(crate) fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    /// Returns the value as an integer. Fractions are truncated, and integers out of range become the smallest or the
    /// largest `i128`. Returns 0 for values that are not numbers.
    pub(crate) fn int(&self) -> i128 {
        match self {
            Value::Int(number) => *number,
            Value::Wide(number) => {
                let last = if **number < I256::ZERO { i128::MIN } else { i128::MAX };
                i128::try_from(**number).unwrap_or(last)
            }
            Value::UWide(number) => i128::try_from(**number).unwrap_or(i128::MAX),
            #[expect(clippy::cast_possible_truncation, reason = "saturates")]
            Value::Float(number) => *number as i128,
            _ => 0,
        }
    }

    pub(crate) fn wide(&self) -> I256 {
        match self {
            Value::Int(number) => I256::from(*number),
            Value::Wide(number) => **number,
            Value::UWide(number) => number.as_i256(),
            Value::Float(number) => I256::from(number.trunc() as i128),
            _ => I256::ZERO,
        }
    }

    /// Returns the value as a float. Returns NaN for values that are not numbers.
    #[expect(clippy::cast_precision_loss, reason = "ClickHouse converts numbers like this")]
    pub(crate) fn float(&self) -> f64 {
        match self {
            Value::Int(number) => *number as f64,
            Value::Float(number) => *number,
            Value::Wide(number) => number.as_f64(),
            Value::UWide(number) => number.as_f64(),
            _ => f64::NAN,
        }
    }

    /// Returns the bytes of a string. Returns an empty slice for other values.
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Value::Text(bytes) => bytes,
            _ => &[],
        }
    }

    /// Returns the elements of a list. Returns an empty slice for other values.
    pub(crate) fn items(&self) -> &[Value] {
        match self {
            Value::List(items) => items,
            _ => &[],
        }
    }

    /// Returns true for numbers other than 0. Returns false for NULL and for values that are not numbers.
    pub(crate) fn is_true(&self) -> bool {
        match self {
            Value::Int(number) => *number != 0,
            Value::Float(number) => *number != 0.0,
            Value::Wide(number) => **number != I256::ZERO,
            Value::UWide(number) => **number != U256::ZERO,
            _ => false,
        }
    }

    /// Returns the approximate size of the value in memory in bytes. This method runs in constant time, also for long
    /// lists.
    #[must_use]
    pub fn size(&self) -> usize {
        let held = match self {
            Value::Text(bytes) => bytes.len() + 16,
            Value::List(list) => list.units as usize * UNIT,
            Value::Wide(_) | Value::UWide(_) => 32,
            _ => 0,
        };
        size_of::<Value>() + held
    }

    /// Returns the approximate size in bytes of the value in a result. List elements that share memory are counted each
    /// time, because the result contains each of them.
    pub(crate) fn written_size(&self) -> usize {
        match self {
            Value::List(items) => {
                size_of::<Value>() + 16 + items.iter().map(Value::written_size).sum::<usize>()
            }
            other => other.size(),
        }
    }

    /// Compares two values of the same type. NULL is larger than all other values, and NaN is larger than all other
    /// numbers.
    pub(crate) fn order(&self, other: &Value) -> Ordering {
        match (self, other) {
            (Value::Int(a), Value::Int(b)) => a.cmp(b),
            (Value::Float(a), Value::Float(b)) => order_floats(*a, *b),
            (Value::Text(a), Value::Text(b)) => a.cmp(b),
            (Value::Int(_) | Value::Wide(_), Value::Int(_) | Value::Wide(_)) => {
                self.wide().cmp(&other.wide())
            }
            (Value::UWide(a), Value::UWide(b)) => a.cmp(b),
            (Value::UWide(a), Value::Int(_) | Value::Wide(_)) => match other.wide() {
                negative if negative < I256::ZERO => Ordering::Greater,
                b => (**a).cmp(&b.as_u256()),
            },
            (Value::Int(_) | Value::Wide(_), Value::UWide(_)) => other.order(self).reverse(),
            (Value::List(a), Value::List(b)) => {
                let pairs = a.iter().zip(b.iter());
                let first = pairs.map(|(a, b)| a.order(b)).find(|order| order.is_ne());
                first.unwrap_or_else(|| a.len().cmp(&b.len()))
            }

            (Value::Int(_) | Value::Wide(_) | Value::UWide(_), Value::Float(b)) => {
                // The float of a larger integer is never smaller. Only if both floats are equal, digits may be lost.
                order_floats(self.float(), *b).then_with(|| order_whole(self.wide(), *b))
            }
            (Value::Float(_), Value::Int(_) | Value::Wide(_) | Value::UWide(_)) => {
                other.order(self).reverse()
            }

            (Value::Null, Value::Null) => Ordering::Equal,
            (Value::Null, _) => Ordering::Greater,
            (_, Value::Null) => Ordering::Less,
            (a, b) => order_floats(a.float(), b.float()),
        }
    }

    /// Compares two sort keys. NULL and NaN, also inside lists, come last in both sort directions. With `nulls_first`,
    /// they come first.
    pub(crate) fn order_as_key(
        &self,
        other: &Value,
        backwards: bool,
        nulls_first: bool,
    ) -> Ordering {
        let turned = |order: Ordering, turn: bool| if turn { order.reverse() } else { order };
        if let (Value::List(left), Value::List(right)) = (self, other) {
            let mut pairs = left.iter().zip(right.iter());
            let first = pairs.find_map(|(a, b)| {
                Some(a.order_as_key(b, backwards, nulls_first)).filter(|order| order.is_ne())
            });
            return first.unwrap_or_else(|| turned(left.len().cmp(&right.len()), backwards));
        }

        let rank = |value: &Value| u8::from(value.is_nan()) + 2 * u8::from(value.is_null());
        let ranks = turned(rank(self).cmp(&rank(other)), nulls_first);
        ranks.then_with(|| turned(self.order(other), backwards))
    }

    /// Returns true if the SQL operator `=` returns true for the values. 0 and -0 are equal, and NaN is not equal to
    /// any value.
    pub(crate) fn equals(&self, other: &Value) -> bool {
        !self.is_nan() && !other.is_nan() && self.order(other).is_eq()
    }

    /// Replaces -0 by 0. Other values stay unchanged.
    pub(crate) fn with_positive_zero(self) -> Value {
        match self {
            Value::Float(number) => Value::Float(number + 0.0),
            value => value,
        }
    }

    pub(crate) fn is_nan(&self) -> bool {
        matches!(self, Value::Float(number) if number.is_nan())
    }
}

/// Compares an integer with a float without a loss of digits. The conversion of the integer to a float must return this
/// float, so both have the same sign.
fn order_whole(integer: I256, float: f64) -> Ordering {
    if float < 0.0 {
        return integer.cmp(&float.as_i256());
    }
    let is_above = float >= 2_f64.powi(256);
    if is_above { Ordering::Less } else { integer.as_u256().cmp(&float.as_u256()) }
}

fn order_floats(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}

/// Equality of grouping keys and of members of a set, for example in GROUP BY and IN. 0 and -0 are different, and all
/// NaN values are equal.
impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Value::Float(a), Value::Float(b)) => {
                a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
            }
            (Value::List(a), Value::List(b)) => a.len() == b.len() && a.iter().eq(b.iter()),
            (Value::Null, Value::Null) => true,
            (Value::Null, _) | (_, Value::Null) => false,
            (a, b) => a.order(b).is_eq(),
        }
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Value::Null => state.write_u8(0),
            Value::Int(number) => number.hash(state),
            Value::Wide(number) => number.hash(state),
            Value::UWide(number) => number.hash(state),
            // All NaN values are equal.
            Value::Float(number) if number.is_nan() => state.write_u8(2),
            Value::Float(number) => state.write_u64(number.to_bits()),
            Value::Text(bytes) => bytes.hash(state),
            Value::List(items) => items.hash(state),
        }
    }
}

/// Returns the default value of a type, for example 0, an empty string or NULL.
pub(crate) fn default(ty: &Type) -> Value {
    match ty {
        Type::Nullable(_) | Type::Nothing => Value::Null,
        Type::LowCardinality(of) => default(of),
        Type::Float32 | Type::Float64 => Value::Float(0.0),
        Type::String => Value::text(""),
        Type::FixedString(n) => Value::Text(vec![0; *n].into()),
        Type::Array(_) | Type::Map(..) => Value::list(Vec::new()),
        Type::Tuple(members) => Value::list(members.iter().map(|(_, ty)| default(ty)).collect()),
        Type::Int { bits: 256, signed: false } => Value::UWide(Box::new(U256::ZERO)),
        Type::Int { bits: 128 | 256, .. } => Value::Wide(Box::new(I256::ZERO)),
        _ => Value::Int(0),
    }
}

/// Reduces an integer to its lowest `bits` bits, like an overflow in ClickHouse. Types of more than 64 bits are not
/// reduced.
pub(crate) fn wrap(number: i128, bits: u16, signed: bool) -> i128 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the result has only the lowest bits, as in ClickHouse"
    )]
    match (bits, signed) {
        (8, false) => i128::from(number as u8),
        (16, false) => i128::from(number as u16),
        (32, false) => i128::from(number as u32),
        (64, false) => i128::from(number as u64),
        (8, true) => i128::from(number as i8),
        (16, true) => i128::from(number as i16),
        (32, true) => i128::from(number as i32),
        (64, true) => i128::from(number as i64),
        _ => number,
    }
}

/// Converts a 256-bit integer to a value of an integer type. Higher bits are dropped.
pub(crate) fn wide(number: I256, bits: u16, signed: bool) -> Value {
    match (bits, signed) {
        (256, false) => Value::UWide(Box::new(number.as_u256())),
        (128, false) => Value::Wide(Box::new(I256::from(number.as_u128()))),
        (128, true) => Value::Wide(Box::new(I256::from(number.as_i128()))),
        (256, true) => Value::Wide(Box::new(number)),
        _ => Value::Int(wrap(number.as_i128(), bits, signed)),
    }
}

/// Converts a float to an integer in a register of 32 or 64 bits, as x86 processors do. A number outside the range of
/// the register becomes the smallest signed integer of the register. The caller reduces the result to `bits` bits.
#[expect(clippy::cast_possible_truncation, reason = "conversions saturate")]
pub(crate) fn machine_int(number: f64, bits: u16, signed: bool) -> i128 {
    let register = |number: f64| {
        let whole = number.trunc();
        if (-2_f64.powi(63)..2_f64.powi(63)).contains(&whole) { whole as i64 } else { i64::MIN }
    };
    match (bits, signed) {
        (8 | 16, _) | (32, true) => {
            let whole = number.trunc();
            let fits = (-2_f64.powi(31)..2_f64.powi(31)).contains(&whole);
            i128::from(if fits { whole as i32 } else { i32::MIN })
        }
        (64, false) => {
            let (low, high) = (register(number), register(number - 2_f64.powi(63)));
            i128::from(low | (high & (low >> 63)))
        }
        _ => i128::from(register(number)),
    }
}
