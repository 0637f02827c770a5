//! Parser and formatter for the names of types.
//!
//! The parser converts a text such as `Nullable(UInt64)` to a type, or returns an error.

use std::fmt;

use super::{Partial, Type, Zone};
use crate::lex::{Token, TokenKind, tokens};
use crate::problem::{Problem, Result};
use crate::quote::identifier;

impl Type {
    /// Parses the name of a type, such as `Nullable(UInt64)`.
    ///
    /// # Errors
    /// Returns an error if ClickHouse has no type with this name, or if this engine does not support the type.
    pub fn read(text: &str) -> Result<Type> {
        let tokens = tokens(text)?;
        let mut reader = Reader { tokens: &tokens, at: 0, depth: 0 };
        let ty = reader.ty()?;
        if reader.tokens[reader.at].kind != TokenKind::End {
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
        let found =
            matches!(&self.tokens[self.at].kind, TokenKind::Symbol(found) if *found == symbol);
        self.at += usize::from(found);
        found
    }

    fn ty(&mut self) -> Result<Type> {
        self.depth += 1;
        if self.depth > 20 {
            return Err(Problem::text("a type is nested too deeply"));
        }

        let TokenKind::Word(name) = &self.tokens[self.at].kind else {
            return Err(unknown("a sign"));
        };
        self.at += 1;

        let ty = match name.as_str() {
            "Array" => Type::array(self.parenthesized_type()?),
            "Nullable" => match self.parenthesized_type()? {
                inner @ (Type::Array(_)
                | Type::Tuple(_)
                | Type::Map(..)
                | Type::Nullable(_)
                | Type::LowCardinality(_)) => {
                    return Err(Problem::text(format!("`{inner}` cannot be inside Nullable")));
                }
                inner => inner.nullable(),
            },
            "LowCardinality" => low_cardinality(self.parenthesized_type()?)?,
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

    fn parenthesized_type(&mut self) -> Result<Type> {
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
                (TokenKind::Word(name) | TokenKind::Quoted(name, _), TokenKind::Word(_)) => {
                    Some(name.clone())
                }
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

    /// Parses the arguments of a type that has no inner type. The arguments can be numbers, as in `Decimal(9, 2)`, and
    /// a time zone, as in `DateTime('UTC')`.
    fn simple(&mut self, name: &str) -> Result<Type> {
        let mut numbers: Vec<u64> = Vec::new();
        let mut zone = Zone::SERVER;
        if self.symbol("(") {
            loop {
                match &self.tokens[self.at].kind {
                    TokenKind::Number(digits) => {
                        numbers.push(digits.parse().map_err(|_| unknown(name))?)
                    }
                    TokenKind::Text(name) => zone = Zone::read(&String::from_utf8_lossy(name))?,
                    _ => return Err(unknown(name)),
                }
                self.at += 1;
                if !self.symbol(",") {
                    break;
                }
            }
            self.expect(")")?;
        }
        simple_type(name, &numbers, zone).ok_or_else(|| unknown(name))
    }
}

fn low_cardinality(inner: Type) -> Result<Type> {
    if !inner.bare().is_text() {
        let message = format!("LowCardinality accepts only String and FixedString, not {inner}");
        return Err(Problem::text(message));
    }
    Ok(Type::LowCardinality(Box::new(inner)))
}

fn simple_type(name: &str, numbers: &[u64], zone: Zone) -> Option<Type> {
    let small = |at: usize| numbers.get(at).and_then(|n| u8::try_from(*n).ok());
    let decimal = |precision: u8, scale: Option<u8>| {
        let scale = scale?;
        (scale <= precision && (1..=38).contains(&precision))
            .then_some(Type::Decimal { precision, scale })
    };

    let lower = name.to_ascii_lowercase();
    let ty = match (name, lower.as_str()) {
        ("DateTime", _) | (_, "timestamp" | "datetime") if numbers.is_empty() => {
            Type::DateTime(zone)
        }
        ("DateTime" | "DateTime64", _) => Type::DateTime64(small(0).unwrap_or(3).min(9), zone),
        // ClickHouse rejects longer strings too, unless a setting allows them.
        ("FixedString", _) => match usize::try_from(*numbers.first()?) {
            Ok(size @ 1..=256) => Type::FixedString(size),
            _ => return None,
        },

        ("Decimal", _) | (_, "decimal" | "dec" | "numeric") => {
            return decimal(
                small(0).unwrap_or(10),
                if numbers.len() > 1 { small(1) } else { Some(0) },
            );
        }
        ("Decimal32", _) => return decimal(9, small(0)),
        ("Decimal64", _) => return decimal(18, small(0)),
        ("Decimal128", _) => return decimal(38, small(0)),

        // All other types have no parameters.
        _ if !numbers.is_empty() || zone != Zone::SERVER => return None,
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

/// Parses the name of an integer type, from `UInt8` to `Int256`.
fn int(name: &str) -> Option<Type> {
    let (signed, digits) = match name.strip_prefix("UInt") {
        Some(digits) => (false, digits),
        None => (true, name.strip_prefix("Int")?),
    };
    let bits: u16 = digits.parse().ok()?;
    [8, 16, 32, 64, 128, 256].contains(&bits).then_some(Type::Int { bits, signed })
}

impl fmt::Display for Partial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if !self.parameters.is_empty() {
            write!(f, "({})", self.parameters.join(", "))?;
        }
        self.types.iter().try_for_each(|ty| write!(f, ", {ty}"))
    }
}

impl Type {
    /// Returns the name of the type in the format of `toTypeName`, with each member of a named tuple on a separate
    /// line.
    pub(crate) fn on_lines(&self) -> String {
        Named(self, Some(1)).to_string()
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Named(self, None).fmt(f)
    }
}

/// A type to format, and an optional indentation level. If the level is set, each member of a named tuple is written on
/// a separate line.
struct Named<'a>(&'a Type, Option<usize>);

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Named(ty, depth) = *self;
        match ty {
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
            Type::DateTime(zone) => match zone.name() {
                Some(name) => write!(f, "DateTime('{name}')"),
                None => f.write_str("DateTime"),
            },
            Type::DateTime64(scale, zone) => match zone.name() {
                Some(name) => write!(f, "DateTime64({scale}, '{name}')"),
                None => write!(f, "DateTime64({scale})"),
            },
            Type::Interval(unit) => write!(f, "Interval{unit:?}"),

            Type::Array(of) => write!(f, "Array({})", Named(of, depth)),
            Type::Map(key, value) => {
                write!(f, "Map({}, {})", Named(key, depth), Named(value, depth))
            }
            Type::Nullable(of) => write!(f, "Nullable({})", Named(of, depth)),
            Type::LowCardinality(of) => write!(f, "LowCardinality({})", Named(of, depth)),
            Type::Partial(partial) => write!(f, "AggregateFunction({partial})"),
            Type::Tuple(members) => write_tuple(members, depth, f),
        }
    }
}

fn write_tuple(
    members: &[(Option<String>, Type)],
    depth: Option<usize>,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    f.write_str("Tuple(")?;
    for (at, (name, ty)) in members.iter().enumerate() {
        let comma = if at > 0 { "," } else { "" };
        let space = if at > 0 { " " } else { "" };
        match (name.as_deref().map(identifier), depth) {
            (Some(name), Some(depth)) => {
                let indent = "    ".repeat(depth);
                write!(f, "{comma}\n{indent}{name} {}", Named(ty, Some(depth + 1)))?;
            }
            (Some(name), None) => write!(f, "{comma}{space}{name} {ty}")?,
            (None, _) => write!(f, "{comma}{space}{}", Named(ty, depth))?,
        }
    }
    f.write_str(")")
}
