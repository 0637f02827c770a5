//! Types of SQL values.
//!
//! The submodules parse and format the names of types, and find the common type of several types.

mod common;
mod text;
mod zone;

pub(crate) use common::common;
pub use zone::Zone;

/// Type of a column or of an expression.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Type {
    /// The type that has no values. It is the element type of `[]`, and the inner type of the literal NULL.
    Nothing,
    /// Booleans, stored as 0 and 1 and displayed as `false` and `true`.
    Bool,
    /// Integers of 8 to 256 bits.
    Int {
        /// Number of bits: 8, 16, 32, 64, 128 or 256.
        bits: u16,
        /// True for signed integers.
        signed: bool,
    },
    /// 32-bit floats.
    Float32,
    /// 64-bit floats.
    Float64,
    /// Decimals with a fixed scale.
    Decimal {
        /// Total number of digits.
        precision: u8,
        /// Number of digits after the decimal point.
        scale: u8,
    },
    /// Byte strings of any length.
    String,
    /// Byte strings with a fixed number of bytes, filled with zero bytes at the end.
    FixedString(usize),
    /// Dates in days since 1970, stored in 16 bits.
    Date,
    /// Dates in days since 1970, in the years 0 to 9999.
    Date32,
    /// Times in seconds since 1970. The time zone is used to display the time.
    DateTime(Zone),
    /// Times in fractions of a second since 1970. The first field is the number of digits of the fraction, for example
    /// 3 for milliseconds. The second field is the time zone for display.
    DateTime64(u8, Zone),
    /// Intervals, such as 3 days. The field is the unit of time.
    Interval(Unit),
    /// Lists of values of one type.
    Array(Box<Type>),
    /// Tuples of values of several types. Each member can have a name.
    Tuple(Vec<(Option<String>, Type)>),
    /// Maps with a key type and a value type.
    Map(Box<Type>, Box<Type>),
    /// Values of the inner type, or NULL.
    Nullable(Box<Type>),
    /// Values of the inner type. ClickHouse stores each distinct value only once.
    LowCardinality(Box<Type>),
    /// Aggregation states, as returned by functions with the suffix `-State`.
    Partial(Box<Partial>),
}

/// The aggregate function to which an aggregation state belongs.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Partial {
    pub(crate) name: String,
    /// Parameters of the aggregate function as SQL text.
    pub(crate) parameters: Vec<String>,
    /// Argument types of the aggregate function.
    pub(crate) types: Vec<Type>,
}

/// A unit of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names describe the units")]
pub enum Unit {
    Nanosecond,
    Microsecond,
    Millisecond,
    Second,
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Quarter,
    Year,
}

impl Unit {
    pub(crate) const ALL: [Unit; 11] = [
        Unit::Nanosecond,
        Unit::Microsecond,
        Unit::Millisecond,
        Unit::Second,
        Unit::Minute,
        Unit::Hour,
        Unit::Day,
        Unit::Week,
        Unit::Month,
        Unit::Quarter,
        Unit::Year,
    ];

    /// Parses the full name of a time unit, such as `minute`, ignoring case.
    pub(crate) fn from_name(name: &str) -> Option<Unit> {
        Unit::ALL.into_iter().find(|unit| format!("{unit:?}").eq_ignore_ascii_case(name))
    }

    /// Parses the name of a time unit, ignoring case. Accepts full names, their plurals, and short forms such as `hh`.
    pub(crate) fn read(name: &str) -> Option<Unit> {
        let name = name.to_ascii_lowercase();
        Unit::from_name(match name.as_str() {
            "ns" => "nanosecond",
            "us" | "u" => "microsecond",
            "ms" => "millisecond",
            "s" | "ss" => "second",
            "mi" | "n" => "minute",
            "h" | "hh" => "hour",
            "d" | "dd" => "day",
            "ww" | "wk" => "week",
            "m" | "mm" => "month",
            "q" | "qq" => "quarter",
            "yy" | "yyyy" => "year",
            name => name.strip_suffix('s').unwrap_or(name),
        })
    }

    /// Returns the length of the unit in seconds. Returns `None` for fractions of a second, and for months and longer
    /// units, whose length varies.
    pub(crate) fn seconds(self) -> Option<i64> {
        Some(match self {
            Unit::Second => 1,
            Unit::Minute => 60,
            Unit::Hour => 3_600,
            Unit::Day => 86_400,
            Unit::Week => 604_800,
            _ => return None,
        })
    }
}

/// The type `UInt8`.
pub(crate) const BYTE: Type = Type::Int { bits: 8, signed: false };
/// The type `UInt16`.
pub(crate) const UINT16: Type = Type::Int { bits: 16, signed: false };
/// The type `UInt32`.
pub(crate) const UINT32: Type = Type::Int { bits: 32, signed: false };
/// The type `UInt64`.
pub(crate) const UINT64: Type = Type::Int { bits: 64, signed: false };
/// The type `Int64`.
pub(crate) const INT64: Type = Type::Int { bits: 64, signed: true };

impl Type {
    pub(crate) fn int(bits: u16, signed: bool) -> Type {
        Type::Int { bits, signed }
    }

    pub(crate) fn array(of: Type) -> Type {
        Type::Array(Box::new(of))
    }

    pub(crate) fn tuple(of: Vec<Type>) -> Type {
        Type::Tuple(of.into_iter().map(|ty| (None, ty)).collect())
    }

    /// Wraps the type in `Nullable`. Arrays, tuples, maps and aggregation states stay unchanged, because they cannot be
    /// Nullable.
    pub(crate) fn nullable(self) -> Type {
        match self {
            Type::Nullable(_)
            | Type::Array(_)
            | Type::Tuple(_)
            | Type::Map(..)
            | Type::Partial(_) => self,
            Type::LowCardinality(inner) => Type::LowCardinality(Box::new(inner.nullable())),
            other => Type::Nullable(Box::new(other)),
        }
    }

    pub(crate) fn nullable_if(self, is_nullable: bool) -> Type {
        if is_nullable { self.nullable() } else { self }
    }

    /// Returns the type without an outer `LowCardinality` and `Nullable`.
    pub(crate) fn bare(&self) -> &Type {
        match self {
            Type::Nullable(inner) | Type::LowCardinality(inner) => inner.bare(),
            other => other,
        }
    }

    /// Returns the type without an outer `LowCardinality`.
    pub(crate) fn plain(&self) -> &Type {
        match self {
            Type::LowCardinality(inner) => inner.plain(),
            other => other,
        }
    }

    /// Returns the type with each `LowCardinality(T)` replaced by `T`, also inside arrays, maps and tuples. For
    /// example, `Array(LowCardinality(String))` becomes `Array(String)`.
    pub(crate) fn full(&self) -> Type {
        match self {
            Type::LowCardinality(of) | Type::Nullable(of) if self.is_nullable() => {
                of.full().nullable()
            }
            Type::LowCardinality(of) => of.full(),
            Type::Array(of) => Type::array(of.full()),
            Type::Map(key, value) => Type::Map(Box::new(key.full()), Box::new(value.full())),
            Type::Tuple(members) => {
                Type::Tuple(members.iter().map(|(name, ty)| (name.clone(), ty.full())).collect())
            }
            other => other.clone(),
        }
    }

    pub(crate) fn is_nullable(&self) -> bool {
        match self {
            Type::Nullable(_) => true,
            Type::LowCardinality(inner) => inner.is_nullable(),
            _ => false,
        }
    }

    pub(crate) fn is_int(&self) -> bool {
        matches!(self, Type::Int { .. } | Type::Bool)
    }

    /// Returns true for integers of more than 64 bits.
    pub(crate) fn is_wide(&self) -> bool {
        matches!(self, Type::Int { bits: 128 | 256, .. })
    }

    pub(crate) fn is_float(&self) -> bool {
        matches!(self, Type::Float32 | Type::Float64)
    }

    pub(crate) fn is_number(&self) -> bool {
        self.is_int() || self.is_float() || matches!(self, Type::Decimal { .. })
    }

    /// Returns true for integers of at most 64 bits, and for Bool.
    pub(crate) fn is_whole(&self) -> bool {
        self.is_int() && !self.is_wide()
    }

    /// Returns true for arrays, maps and tuples.
    pub(crate) fn is_list(&self) -> bool {
        matches!(self, Type::Array(_) | Type::Map(..) | Type::Tuple(_))
    }

    pub(crate) fn is_text(&self) -> bool {
        matches!(self, Type::String | Type::FixedString(_))
    }

    pub(crate) fn is_date(&self) -> bool {
        matches!(self, Type::Date | Type::Date32)
    }

    pub(crate) fn is_time(&self) -> bool {
        matches!(self, Type::DateTime(_) | Type::DateTime64(..))
    }

    /// Returns true if the type is an aggregation state or contains one at any depth.
    pub(crate) fn has_partial(&self) -> bool {
        match self {
            Type::Partial(_) => true,
            Type::Array(of) | Type::Nullable(of) | Type::LowCardinality(of) => of.has_partial(),
            Type::Map(_, of) => of.has_partial(),
            Type::Tuple(members) => members.iter().any(|(_, ty)| ty.has_partial()),
            _ => false,
        }
    }

    pub(crate) fn is_null(&self) -> bool {
        *self.bare() == Type::Nothing
    }

    /// Returns true for arrays, tuples and maps that contain a Nullable type at any depth.
    pub(crate) fn has_nullable_member(&self) -> bool {
        let can_be_null = |ty: &Type| ty.is_nullable() || ty.has_nullable_member();
        match self.bare() {
            Type::Array(of) => can_be_null(of),
            Type::Tuple(members) => members.iter().any(|(_, ty)| can_be_null(ty)),
            Type::Map(_, value) => can_be_null(value),
            _ => false,
        }
    }

    /// Returns true if both types store their values in the same form. The types can differ only in the names of tuple
    /// members, and in Bool instead of UInt8.
    pub(crate) fn is_stored_like(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::Array(a), Type::Array(b)) | (Type::Nullable(a), Type::Nullable(b)) => {
                a.is_stored_like(b)
            }
            (Type::Tuple(a), Type::Tuple(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|((_, a), (_, b))| a.is_stored_like(b))
            }
            (Type::Map(k, v), Type::Map(l, w)) => k.is_stored_like(l) && v.is_stored_like(w),
            (Type::Bool, ty) | (ty, Type::Bool) => *ty == Type::Bool || *ty == BYTE,
            (a, b) => a == b,
        }
    }

    /// Returns the time zone of a time type. Returns the zone of the server for other types.
    pub(crate) fn zone(&self) -> Zone {
        match self.bare() {
            Type::DateTime(zone) | Type::DateTime64(_, zone) => *zone,
            _ => Zone::SERVER,
        }
    }

    /// Returns the number of bits of an integer type, and a flag that is true for signed types. Returns `(8, false)`
    /// for Bool, and `None` for all other types.
    pub(crate) fn int_parts(&self) -> Option<(u16, bool)> {
        match self {
            Type::Int { bits, signed } => Some((*bits, *signed)),
            Type::Bool => Some((8, false)),
            _ => None,
        }
    }
}
