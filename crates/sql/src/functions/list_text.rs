//! Parser for the text form that lists and tuples have in ClickHouse: `[1,2]` or `('a',[2.5])`.
//!
//! In ClickHouse, a cast of a list literal such as `[1, 2]::Array(Int8)` parses the text of the literal. So the SQL
//! parser replaces the literal by the string `'[1, 2]'`, which this module parses.

use crate::problem::{Problem, Result};
use crate::text;
use crate::types::Type;
use crate::value::Value;

/// Parses the text of a list or a tuple. Strings, dates and times must be quoted, and numbers must not be quoted.
pub(super) fn read(text: &str, ty: &Type) -> Result<Value> {
    let mut reader = Reader { rest: text.trim() };
    let value = reader.value(ty)?;
    if reader.rest.is_empty() { Ok(value) } else { Err(reader.fault("the end of the list")) }
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn fault(&self, what: &str) -> Problem {
        let rest = if self.rest.is_empty() { "the end" } else { self.rest };
        Problem::text(format!("invalid text of an array or tuple: {what} is expected at `{rest}`"))
    }

    /// Skips spaces and then `symbol`. Returns false if the next character is not `symbol`.
    fn symbol(&mut self, symbol: char) -> bool {
        let after = self.rest.trim_start().strip_prefix(symbol);
        self.rest = after.map_or(self.rest, str::trim_start);
        after.is_some()
    }

    fn expect(&mut self, symbol: char) -> Result<()> {
        if self.symbol(symbol) { Ok(()) } else { Err(self.fault(&format!("`{symbol}`"))) }
    }

    fn value(&mut self, ty: &Type) -> Result<Value> {
        match ty {
            Type::Array(of) => {
                let mut items = Vec::new();
                self.expect('[')?;
                while !self.symbol(']') {
                    if !items.is_empty() {
                        self.expect(',')?;
                    }
                    items.push(self.value(of)?);
                }
                Ok(Value::list(items))
            }
            Type::Tuple(members) => {
                let mut items = Vec::new();
                self.expect('(')?;
                for (_, ty) in members {
                    if !items.is_empty() {
                        self.expect(',')?;
                    }
                    items.push(self.value(ty)?);
                }
                self.expect(')')?;
                Ok(Value::list(items))
            }

            ty if ty.bare().is_number() => {
                let end = self.rest.find([',', ']', ')', ' ']).unwrap_or(self.rest.len());
                text::read(self.take(end).as_bytes(), ty.bare())
            }
            ty => {
                let quoted = self.rest.strip_prefix('\'').ok_or_else(|| self.fault("a quote"))?;
                let end = quoted.find(['\'', '\\']).filter(|at| quoted[*at..].starts_with('\''));
                let end = end.ok_or_else(|| self.fault("a string without backslashes"))?;
                self.rest = &quoted[end + 1..];
                text::read(&quoted.as_bytes()[..end], ty.bare())
            }
        }
    }

    fn take(&mut self, end: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }
}
