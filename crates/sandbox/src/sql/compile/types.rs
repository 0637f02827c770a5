//! Types of values, as far as they decide how a value is compared, added to and shown.

use super::super::problem::Problem;

/// The type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ty {
    /// Of NULL alone.
    Null,
    Int,
    Float,
    Text,
    Date,
    DateTime,
    /// Held as JSON text.
    Array,
    /// What an array holds, and what cannot be told.
    Any,
}

impl Ty {
    /// The type of a column declared as `name`; `None` for a type the dialect does not have.
    pub(crate) fn read(name: &str) -> Option<Self> {
        let name = name.trim();
        let inner = |outer: &str| name.strip_prefix(outer)?.strip_suffix(')');
        if let Some(inner) = inner("Nullable(").or_else(|| inner("LowCardinality(")) {
            return Ty::read(inner);
        }
        let head = name.split('(').next().unwrap_or_default().to_ascii_lowercase();
        Some(match head.as_str() {
            "bool" | "boolean" | "int" | "integer" | "bigint" | "smallint" | "tinyint" => Ty::Int,
            "float" | "float32" | "float64" | "double" | "real" | "decimal" | "decimal32"
            | "decimal64" | "decimal128" | "decimal256" | "numeric" => Ty::Float,
            "string" | "text" | "varchar" | "char" | "fixedstring" | "uuid" => Ty::Text,
            "date" | "date32" => Ty::Date,
            "datetime" | "datetime64" | "timestamp" => Ty::DateTime,
            "array" => Ty::Array,
            "int8" | "int16" | "int32" | "int64" | "int128" | "int256" | "uint8" | "uint16"
            | "uint32" | "uint64" | "uint128" | "uint256" => Ty::Int,
            _ => return None,
        })
    }

    pub(crate) fn is_time(self) -> bool {
        matches!(self, Ty::Date | Ty::DateTime)
    }

    pub(crate) fn is_number(self) -> bool {
        matches!(self, Ty::Int | Ty::Float)
    }

    /// What holds values of both.
    pub(crate) fn or(self, other: Ty) -> Ty {
        match (self, other) {
            (a, b) if a == b => a,
            (Ty::Null, other) | (other, Ty::Null) => other,
            (Ty::Int, Ty::Float) | (Ty::Float, Ty::Int) => Ty::Float,
            (Ty::Date, Ty::DateTime) | (Ty::DateTime, Ty::Date) => Ty::DateTime,
            _ => Ty::Any,
        }
    }

    /// What a row of another type is filled with in place of nothing.
    pub(crate) fn empty(self) -> &'static str {
        match self {
            Ty::Int | Ty::Date | Ty::DateTime => "0",
            Ty::Float => "0.0",
            Ty::Text => "''",
            Ty::Array => "'[]'",
            Ty::Null | Ty::Any => "NULL",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Ty::Null => "NULL",
            Ty::Int => "a whole number",
            Ty::Float => "a number",
            Ty::Text => "a text",
            Ty::Date => "a date",
            Ty::DateTime => "a time",
            Ty::Array => "an array",
            Ty::Any => "anything",
        }
    }
}

/// A compiled expression.
#[derive(Debug, Clone)]
pub(crate) struct Sql {
    pub(crate) text: String,
    pub(crate) ty: Ty,
    /// A column that stands outside every aggregate.
    pub(crate) bare: Option<String>,
    pub(crate) has_aggregate: bool,
    pub(crate) has_window: bool,
    /// Whether it is the same for every row.
    pub(crate) is_constant: bool,
    /// The text, of a text literal: it may stand for a date or a number.
    pub(crate) literal: Option<String>,
}

impl Sql {
    /// An expression without parts.
    pub(crate) fn new(text: impl Into<String>, ty: Ty) -> Self {
        Sql {
            text: text.into(),
            ty,
            bare: None,
            has_aggregate: false,
            has_window: false,
            is_constant: true,
            literal: None,
        }
    }

    /// The same with what its parts bring along.
    pub(crate) fn of<'a>(mut self, parts: impl IntoIterator<Item = &'a Sql>) -> Self {
        for part in parts {
            if self.bare.is_none() {
                self.bare.clone_from(&part.bare);
            }
            self.has_aggregate |= part.has_aggregate;
            self.has_window |= part.has_window;
            self.is_constant &= part.is_constant;
        }
        self
    }

    /// Refuses what has not the wanted type.
    pub(crate) fn must_be(&self, wanted: Ty, what: &str) -> Result<(), Problem> {
        let fits = match (wanted, self.ty) {
            (_, Ty::Any | Ty::Null) => true,
            (Ty::Float, ty) => ty.is_number(),
            (Ty::DateTime, ty) => ty.is_time() || ty == Ty::Int,
            (wanted, ty) => wanted == ty,
        };
        if fits {
            return Ok(());
        }
        let message = format!("{what} must be {}, not {}", wanted.name(), self.ty.name());
        Err(Problem::text(message))
    }

    /// Whether two values can be compared.
    pub(crate) fn compares_with(&self, other: &Sql) -> Result<(), Problem> {
        let class = |ty: Ty| match ty {
            Ty::Null | Ty::Any => None,
            Ty::Text => Some(0),
            Ty::Array => Some(1),
            Ty::Int | Ty::Float | Ty::Date | Ty::DateTime => Some(2),
        };
        match (class(self.ty), class(other.ty)) {
            (Some(a), Some(b)) if a != b => {
                let (a, b) = (self.ty.name(), other.ty.name());
                Err(Problem::text(format!("{a} cannot be compared with {b}")))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_types_are_read() {
        for (name, ty) in [
            ("UInt64", Ty::Int),
            ("Nullable(Float64)", Ty::Float),
            ("LowCardinality(Nullable(String))", Ty::Text),
            ("DateTime64(3)", Ty::DateTime),
            ("Decimal(38, 18)", Ty::Float),
            ("Array(String)", Ty::Array),
        ] {
            assert_eq!(Ty::read(name), Some(ty), "{name}");
        }
        assert_eq!(Ty::read("Tuple(String)"), None);
    }
}
