//! Types of values, as the dialect has them.

use std::fmt;

use crate::lex::{Kind, Token, tokens};
use crate::problem::{Problem, Result};

/// The type of a column or of an expression.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Type {
    /// Of no value at all: the elements of `[]`, and of NULL below `Nullable`.
    Nothing,
    /// 0 and 1 that show as `false` and `true`.
    Bool,
    /// Whole numbers of 8 to 256 bits.
    Int {
        /// 8, 16, 32, 64, 128 or 256.
        bits: u16,
        /// Whether there are negative ones.
        signed: bool,
    },
    /// Fractions of 32 bits.
    Float32,
    /// Fractions of 64 bits.
    Float64,
    /// Decimal fractions with a fixed number of digits behind the point.
    Decimal {
        /// Digits in all.
        precision: u8,
        /// Digits behind the point.
        scale: u8,
    },
    /// Bytes.
    String,
    /// So many bytes.
    FixedString(usize),
    /// Days since 1970.
    Date,
    /// Days since 1970, from 1900 to 2299.
    Date32,
    /// Seconds since 1970; whether the time zone UTC is part of the name.
    DateTime(bool),
    /// Parts of a second since 1970: digits behind the point, and as above.
    DateTime64(u8, bool),
    /// A length of time.
    Interval(Unit),
    /// Values of one type.
    Array(Box<Type>),
    /// Values of several types, which may have names.
    Tuple(Vec<(Option<String>, Type)>),
    /// Pairs.
    Map(Box<Type>, Box<Type>),
    /// Of the type, or NULL.
    Nullable(Box<Type>),
    /// Of the type; how it is stored is another matter.
    LowCardinality(Box<Type>),
}

/// A unit of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "they say what they are")]
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

    /// The unit called so, in any case.
    pub(crate) fn read(name: &str) -> Option<Unit> {
        let name = name.strip_suffix('s').unwrap_or(name);
        let short = match name.to_ascii_lowercase().as_str() {
            "s" | "ss" => "second",
            "mi" | "n" => "minute",
            "h" | "hh" => "hour",
            "d" | "dd" => "day",
            "w" | "ww" | "wk" => "week",
            "m" | "mm" => "month",
            "q" | "qq" => "quarter",
            "yy" | "yyyy" => "year",
            _ => name,
        };
        Unit::ALL.into_iter().find(|unit| format!("{unit:?}").eq_ignore_ascii_case(short))
    }

    /// Seconds of the units that all last as long.
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

/// `UInt8`.
pub(crate) const BYTE: Type = Type::Int { bits: 8, signed: false };
/// `UInt16`.
pub(crate) const UINT16: Type = Type::Int { bits: 16, signed: false };
/// `UInt32`.
pub(crate) const UINT32: Type = Type::Int { bits: 32, signed: false };
/// `UInt64`.
pub(crate) const UINT64: Type = Type::Int { bits: 64, signed: false };
/// `Int64`.
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

    /// The type that also has NULL. Arrays, tuples and maps stay what they are.
    pub(crate) fn nullable(self) -> Type {
        match self {
            Type::Nullable(_) | Type::Array(_) | Type::Tuple(_) | Type::Map(..) => self,
            Type::LowCardinality(inner) => Type::LowCardinality(Box::new(inner.nullable())),
            other => Type::Nullable(Box::new(other)),
        }
    }

    pub(crate) fn nullable_if(self, is_nullable: bool) -> Type {
        if is_nullable { self.nullable() } else { self }
    }

    /// What it is without `LowCardinality` and `Nullable` around it.
    pub(crate) fn bare(&self) -> &Type {
        match self {
            Type::Nullable(inner) | Type::LowCardinality(inner) => inner.bare(),
            other => other,
        }
    }

    /// Without `LowCardinality` around it.
    pub(crate) fn plain(&self) -> &Type {
        match self {
            Type::LowCardinality(inner) => inner.plain(),
            other => other,
        }
    }

    /// Without `LowCardinality` anywhere in it.
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

    /// Whether it is a whole number of more bits than 64.
    pub(crate) fn is_wide(&self) -> bool {
        matches!(self, Type::Int { bits: 128 | 256, .. })
    }

    pub(crate) fn is_float(&self) -> bool {
        matches!(self, Type::Float32 | Type::Float64)
    }

    pub(crate) fn is_number(&self) -> bool {
        self.is_int() || self.is_float() || matches!(self, Type::Decimal { .. })
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

    pub(crate) fn is_null(&self) -> bool {
        *self.bare() == Type::Nothing
    }

    /// Bits and sign of a whole number.
    pub(crate) fn int_parts(&self) -> Option<(u16, bool)> {
        match self {
            Type::Int { bits, signed } => Some((*bits, *signed)),
            Type::Bool => Some((8, false)),
            _ => None,
        }
    }

    /// The value of this type that a text stands for.
    ///
    /// # Errors
    /// For a text that stands for none.
    pub fn value(&self, text: &str) -> Result<crate::Value> {
        crate::text::read(text.as_bytes(), self)
    }

    /// The type called `text`.
    ///
    /// # Errors
    /// For names that the dialect, or this engine, does not have.
    pub fn read(text: &str) -> Result<Type> {
        let tokens = tokens(text)?;
        let mut reader = Reader { tokens: &tokens, at: 0, depth: 0 };
        let ty = reader.ty()?;
        if reader.tokens[reader.at].kind != Kind::End {
            return Err(unknown(text));
        }
        Ok(ty)
    }
}

fn unknown(text: &str) -> Problem {
    Problem::text(format!("there is no type `{text}`"))
}

struct Reader<'a> {
    tokens: &'a [Token],
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    fn symbol(&mut self, symbol: &str) -> bool {
        let found = matches!(&self.tokens[self.at].kind, Kind::Symbol(found) if *found == symbol);
        self.at += usize::from(found);
        found
    }

    fn ty(&mut self) -> Result<Type> {
        self.depth += 1;
        if self.depth > 20 {
            return Err(Problem::text("a type nests too deep"));
        }
        let Kind::Word(name) = &self.tokens[self.at].kind else {
            return Err(unknown("a sign"));
        };
        self.at += 1;
        let ty = match name.as_str() {
            "Array" => Type::array(self.one()?),
            "Nullable" => match self.one()? {
                inner @ (Type::Array(_) | Type::Tuple(_) | Type::Map(..)) => {
                    return Err(Problem::text(format!("`{inner}` cannot be inside Nullable")));
                }
                Type::Nullable(_) => {
                    return Err(Problem::text("Nullable cannot be inside Nullable"));
                }
                inner => inner.nullable(),
            },
            "LowCardinality" => Type::LowCardinality(Box::new(self.one()?)),
            "Tuple" => Type::Tuple(self.members()?),
            "Map" => {
                self.expect("(")?;
                let key = self.ty()?;
                self.expect(",")?;
                let value = self.ty()?;
                self.expect(")")?;
                Type::Map(Box::new(key), Box::new(value))
            }
            name => self.simple(name)?,
        };
        self.depth -= 1;
        Ok(ty)
    }

    fn expect(&mut self, symbol: &str) -> Result<()> {
        if self.symbol(symbol) { Ok(()) } else { Err(Problem::text("a type is not complete")) }
    }

    fn one(&mut self) -> Result<Type> {
        self.expect("(")?;
        let inner = self.ty()?;
        self.expect(")")?;
        Ok(inner)
    }

    fn members(&mut self) -> Result<Vec<(Option<String>, Type)>> {
        self.expect("(")?;
        let mut members = Vec::new();
        if self.symbol(")") {
            return Ok(members);
        }
        loop {
            let named = match (&self.tokens[self.at].kind, &self.tokens[self.at + 1].kind) {
                (Kind::Word(name) | Kind::Quoted(name, _), Kind::Word(_)) => Some(name.clone()),
                _ => None,
            };
            self.at += usize::from(named.is_some());
            members.push((named, self.ty()?));
            if self.symbol(")") {
                return Ok(members);
            }
            self.expect(",")?;
        }
    }

    /// A type without others inside; its arguments are numbers and a time zone.
    fn simple(&mut self, name: &str) -> Result<Type> {
        let mut numbers: Vec<u64> = Vec::new();
        let mut utc = false;
        if self.symbol("(") {
            loop {
                match &self.tokens[self.at].kind {
                    Kind::Number(digits) => {
                        numbers.push(digits.parse().map_err(|_| unknown(name))?)
                    }
                    Kind::Text(zone) if matches!(zone.as_slice(), b"UTC" | b"Etc/UTC") => {
                        utc = true
                    }
                    Kind::Text(zone) => {
                        let zone = String::from_utf8_lossy(zone);
                        return Err(Problem::text(format!("times are UTC here, not `{zone}`")));
                    }
                    _ => return Err(unknown(name)),
                }
                self.at += 1;
                if !self.symbol(",") {
                    break;
                }
            }
            self.expect(")")?;
        }
        named(name, &numbers, utc).ok_or_else(|| unknown(name))
    }
}

fn named(name: &str, numbers: &[u64], utc: bool) -> Option<Type> {
    let small = |at: usize| numbers.get(at).and_then(|n| u8::try_from(*n).ok());
    let decimal = |precision: u8, scale: Option<u8>| {
        let scale = scale?;
        (scale <= precision && (1..=38).contains(&precision))
            .then_some(Type::Decimal { precision, scale })
    };
    let lower = name.to_ascii_lowercase();
    let ty = match (name, lower.as_str()) {
        ("DateTime", _) | (_, "timestamp" | "datetime") if numbers.is_empty() => {
            Type::DateTime(utc)
        }
        ("DateTime" | "DateTime64", _) => Type::DateTime64(small(0).unwrap_or(3).min(9), utc),
        ("FixedString", _) => Type::FixedString(usize::try_from(*numbers.first()?).ok()?),
        ("Decimal", _) | (_, "decimal" | "dec" | "numeric") => {
            return decimal(
                small(0).unwrap_or(10),
                if numbers.len() > 1 { small(1) } else { Some(0) },
            );
        }
        ("Decimal32", _) => return decimal(9, small(0)),
        ("Decimal64", _) => return decimal(18, small(0)),
        ("Decimal128", _) => return decimal(38, small(0)),
        _ if !numbers.is_empty() || utc => return None,
        ("String", _) | (_, "text" | "varchar" | "char" | "blob" | "string") => Type::String,
        ("Date", _) | (_, "date") => Type::Date,
        ("Date32", _) => Type::Date32,
        ("Float32", _) | (_, "float" | "real") => Type::Float32,
        ("Float64", _) | (_, "double") => Type::Float64,
        ("Bool", _) | (_, "bool" | "boolean") => Type::Bool,
        ("Nothing", _) => Type::Nothing,
        (_, "tinyint") => Type::int(8, true),
        (_, "smallint") => Type::int(16, true),
        (_, "int" | "integer") => Type::int(32, true),
        (_, "bigint") => Type::int(64, true),
        (name, _) => return int(name),
    };
    Some(ty)
}

/// `UInt8` to `Int256`.
fn int(name: &str) -> Option<Type> {
    let (signed, digits) = match name.strip_prefix("UInt") {
        Some(digits) => (false, digits),
        None => (true, name.strip_prefix("Int")?),
    };
    let bits: u16 = digits.parse().ok()?;
    [8, 16, 32, 64, 128, 256].contains(&bits).then_some(Type::Int { bits, signed })
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Nothing => f.write_str("Nothing"),
            Type::Bool => f.write_str("Bool"),
            Type::Int { bits, signed: true } => write!(f, "Int{bits}"),
            Type::Int { bits, signed: false } => write!(f, "UInt{bits}"),
            Type::Float32 => f.write_str("Float32"),
            Type::Float64 => f.write_str("Float64"),
            Type::Decimal { precision, scale } => write!(f, "Decimal({precision}, {scale})"),
            Type::String => f.write_str("String"),
            Type::FixedString(n) => write!(f, "FixedString({n})"),
            Type::Date => f.write_str("Date"),
            Type::Date32 => f.write_str("Date32"),
            Type::DateTime(false) => f.write_str("DateTime"),
            Type::DateTime(true) => f.write_str("DateTime('UTC')"),
            Type::DateTime64(scale, false) => write!(f, "DateTime64({scale})"),
            Type::DateTime64(scale, true) => write!(f, "DateTime64({scale}, 'UTC')"),
            Type::Interval(unit) => write!(f, "Interval{unit:?}"),
            Type::Array(of) => write!(f, "Array({of})"),
            Type::Map(key, value) => write!(f, "Map({key}, {value})"),
            Type::Nullable(of) => write!(f, "Nullable({of})"),
            Type::LowCardinality(of) => write!(f, "LowCardinality({of})"),
            Type::Tuple(members) => {
                f.write_str("Tuple(")?;
                for (at, (name, ty)) in members.iter().enumerate() {
                    let comma = if at > 0 { ", " } else { "" };
                    match name {
                        Some(name) => {
                            write!(f, "{comma}{} {ty}", crate::names::identifier(name))?;
                        }
                        None => write!(f, "{comma}{ty}")?,
                    }
                }
                f.write_str(")")
            }
        }
    }
}

/// The smallest type that holds every value of all `types`, if there is one.
pub(crate) fn common(types: &[&Type]) -> Option<Type> {
    let nullable = types.iter().any(|ty| ty.is_nullable());
    let all_low = types.iter().all(|ty| matches!(ty, Type::LowCardinality(_)));
    let bare: Vec<&Type> =
        types.iter().map(|ty| ty.bare()).filter(|ty| **ty != Type::Nothing).collect();
    let Some(first) = bare.first() else { return Some(Type::Nothing.nullable_if(nullable)) };

    let found =
        if bare.iter().all(|ty| ty == first) { (*first).clone() } else { common_bare(&bare)? };
    let holds_null = !matches!(found, Type::Array(_) | Type::Tuple(_) | Type::Map(..));
    if nullable && !holds_null {
        return None;
    }
    let found = found.nullable_if(nullable);
    Some(if all_low { Type::LowCardinality(Box::new(found)) } else { found })
}

fn common_bare(types: &[&Type]) -> Option<Type> {
    if types.iter().all(|ty| ty.is_text()) {
        return Some(Type::String);
    }
    if types.iter().all(|ty| ty.is_date() || ty.is_time()) {
        return Some(common_time(types));
    }
    if types.iter().all(|ty| ty.is_number()) {
        return common_number(types);
    }

    let inner = |of: fn(&Type) -> Option<&Type>| -> Option<Type> {
        common(&types.iter().map(|ty| of(ty)).collect::<Option<Vec<_>>>()?)
    };
    match types[0] {
        Type::Array(_) => {
            let of = |ty: &Type| -> Option<Type> {
                if let Type::Array(of) = ty { Some((**of).clone()) } else { None }
            };
            let all: Vec<Type> = types.iter().map(|ty| of(ty)).collect::<Option<_>>()?;
            Some(Type::array(common(&all.iter().collect::<Vec<_>>())?))
        }
        Type::Map(..) => {
            let key = inner(|ty| if let Type::Map(key, _) = ty { Some(key) } else { None })?;
            let value = inner(|ty| if let Type::Map(_, value) = ty { Some(value) } else { None })?;
            Some(Type::Map(Box::new(key), Box::new(value)))
        }
        Type::Tuple(first) => {
            let mut members = Vec::new();
            for at in 0..first.len() {
                let mut all = Vec::new();
                for ty in types {
                    let Type::Tuple(other) = ty else { return None };
                    if other.len() != first.len() {
                        return None;
                    }
                    all.push(&other[at].1);
                }
                members.push((None, common(&all)?));
            }
            Some(Type::Tuple(members))
        }
        _ => None,
    }
}

fn common_time(types: &[&Type]) -> Type {
    let scale = types.iter().filter_map(|ty| match ty {
        Type::DateTime64(scale, _) => Some(*scale),
        _ => None,
    });
    if let Some(scale) = scale.max() {
        return Type::DateTime64(scale, false);
    }
    if types.iter().any(|ty| ty.is_time()) {
        return Type::DateTime(false);
    }
    Type::Date32
}

fn common_number(types: &[&Type]) -> Option<Type> {
    let largest = |signed: bool| {
        types.iter().filter_map(|ty| ty.int_parts()).filter(|p| p.1 == signed).map(|p| p.0).max()
    };
    let (signed, unsigned) = (largest(true).unwrap_or(0), largest(false).unwrap_or(0));

    if types.iter().any(|ty| matches!(ty, Type::Decimal { .. })) {
        return common_decimal(types, signed.max(unsigned));
    }
    if types.iter().any(|ty| ty.is_float()) {
        // A fraction holds whole numbers of half its bits.
        let bits = signed.max(unsigned);
        let has_double = types.iter().any(|ty| **ty == Type::Float64);
        return match bits {
            0..=16 if !has_double => Some(Type::Float32),
            0..=32 => Some(Type::Float64),
            _ => None,
        };
    }
    if signed > 0 && unsigned >= signed {
        return (unsigned != 64 && unsigned != 256).then(|| Type::int(unsigned * 2, true));
    }
    Some(Type::int(signed.max(unsigned), signed > 0))
}

fn common_decimal(types: &[&Type], int_bits: u16) -> Option<Type> {
    let (mut precision, mut scale) = (0, 0);
    for ty in types {
        match ty {
            Type::Decimal { precision: p, scale: s } => {
                scale = scale.max(*s);
                precision = precision.max(*p);
            }
            Type::Int { .. } | Type::Bool => {}
            _ => return None,
        }
    }
    let digits = match int_bits {
        0 => 0,
        8 => 3,
        16 => 5,
        32 => 10,
        64 => 20,
        _ => return None,
    };
    let needed = (digits + scale).max(precision);
    let class = [9, 18, 38].into_iter().find(|class| needed <= *class)?;
    Some(Type::Decimal { precision: class, scale })
}
