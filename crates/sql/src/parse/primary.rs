//! Parser for operands: literals, names, expressions in parentheses, and suffixes such as `[1]`.
//!
//! The input is the list of tokens. The output is a node of the syntax tree, or an error with its position in the query
//! text.

use super::Parser;
use super::expr::number;
use crate::ast::{Columns, Expr, Literal};
use crate::lex::TokenKind;
use crate::problem::Result;

impl Parser<'_> {
    /// Parses the suffixes of an operand: `x[1]`, `x.1`, `x.name` and `x::Type`.
    ///
    /// `start` is the index of the first token of the operand `value`.
    pub(super) fn postfix(&mut self, mut value: Expr, start: usize) -> Result<Expr> {
        loop {
            if self.symbol("[") {
                let index = self.expr()?;
                self.expect("]")?;
                value = Expr::call("arrayElement", vec![value, index]);
            } else if self.is_symbol_at(0, "::") {
                // ClickHouse converts the text of a number or a list, so the result of `1.10::String` is `1.10`.
                if is_text_of_literals(&value) && !matches!(value, Expr::Literal(Literal::Text(_)))
                {
                    let (from, to) = (self.tokens[start].at, self.tokens[self.at].at);
                    value = Expr::text(self.text[from..to].trim());
                }
                self.next();
                let ty = self.type_text()?;
                value = Expr::call("CAST", vec![value, Expr::text(&ty)]);
            } else if self.is_symbol_at(0, ".") && !is_number(&value) {
                self.next();
                value = self.member(value)?;
            } else {
                return Ok(value);
            }
            self.count_operator()?;
        }
    }

    pub(super) fn member(&mut self, of: Expr) -> Result<Expr> {
        if self.symbol("*") {
            let Expr::Name(of) = of else { return self.unexpected("a name") };
            return self.column_changes(Columns { of, ..Columns::default() });
        }
        if let TokenKind::Number(digits) = self.peek() {
            let index = number(digits, false)?;
            self.next();
            return Ok(Expr::call("tupleElement", vec![of, Expr::Literal(index)]));
        }
        let name = self.name()?;
        Ok(match of {
            Expr::Name(mut names) => {
                names.push(name);
                Expr::Name(names)
            }
            of => Expr::call("tupleElement", vec![of, Expr::text(&name)]),
        })
    }

    /// Parses the modifiers EXCEPT, REPLACE and APPLY after `*` or `COLUMNS`.
    pub(super) fn column_changes(&mut self, mut columns: Columns) -> Result<Expr> {
        loop {
            if self.is("EXCEPT") && !self.is_at(1, "SELECT") && !self.is_at(1, "DISTINCT") {
                self.next();
                if self.symbol("(") {
                    columns.except.extend(self.list(Self::name)?);
                    self.expect(")")?;
                } else {
                    columns.except.push(self.name()?);
                }
            } else if self.word("REPLACE") {
                let one = |parser: &mut Self| match parser.expr()? {
                    Expr::Alias(value, name) => Ok((*value, name)),
                    _ => parser.unexpected("AS and a name"),
                };
                columns.replace.extend(self.maybe_in_brackets(|parser| parser.list(one))?);
            } else if self.word("APPLY") {
                columns.apply.push(self.maybe_in_brackets(Self::expr)?);
            } else {
                return Ok(Expr::Columns(columns));
            }
        }
    }

    /// Parses a part of a query, with or without parentheses around it.
    fn maybe_in_brackets<T>(&mut self, part: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let has_brackets = self.symbol("(");
        let found = part(self)?;
        if has_brackets {
            self.expect(")")?;
        }
        Ok(found)
    }

    pub(super) fn primary(&mut self) -> Result<Expr> {
        match self.peek().clone() {
            TokenKind::Number(digits) => {
                let literal = number(&digits, false)?;
                self.next();
                Ok(Expr::Literal(literal))
            }
            TokenKind::Text(bytes) => {
                self.next();
                Ok(Expr::Literal(Literal::Text(bytes)))
            }

            TokenKind::Quoted(name, is_double) => {
                self.next();
                if is_double && !self.is_symbol_at(0, "(") && !self.is_symbol_at(0, ".") {
                    return Ok(Expr::DoubleQuoted(name));
                }
                self.column_or_call(name)
            }
            TokenKind::Word(word) => self.word_primary(word),

            TokenKind::Symbol("(") => self.brackets(),
            TokenKind::Symbol("[") => {
                self.next();
                let items =
                    if self.is_symbol_at(0, "]") { Vec::new() } else { self.list(Self::expr)? };
                self.expect("]")?;
                Ok(Expr::Array(items))
            }
            TokenKind::Symbol("*") => {
                self.next();
                self.column_changes(Columns::default())
            }
            _ => self.unexpected("a value"),
        }
    }

    /// Parses an expression in parentheses, a tuple or a subquery: `(1)`, `(1, 2)` or `(SELECT 1)`.
    pub(super) fn brackets(&mut self) -> Result<Expr> {
        self.expect("(")?;
        if self.is("SELECT") || self.is("WITH") {
            let query = self.query()?;
            self.expect(")")?;
            return Ok(Expr::Subquery(Box::new(query)));
        }
        if self.symbol(")") {
            return Ok(Expr::Tuple(Vec::new()));
        }
        let first = self.expr()?;
        if self.symbol(")") {
            return Ok(first);
        }
        let mut items = vec![first];
        while self.symbol(",") {
            if self.is_symbol_at(0, ")") {
                break;
            }
            items.push(self.expr()?);
        }
        self.expect(")")?;
        Ok(Expr::Tuple(items))
    }
}

/// Returns true for number literals. A number literal cannot have a suffix that begins with a dot, such as `.1` in
/// `t.1`.
fn is_number(expr: &Expr) -> bool {
    matches!(expr, Expr::Literal(Literal::Int(_) | Literal::Float(_)))
}

/// Returns true for number and string literals, and for arrays and tuples that contain only such literals.
fn is_text_of_literals(expr: &Expr) -> bool {
    match expr {
        Expr::Literal(literal) => !matches!(literal, Literal::Null | Literal::Bool(_)),
        Expr::Array(items) | Expr::Tuple(items) => items.iter().all(is_text_of_literals),
        _ => false,
    }
}
