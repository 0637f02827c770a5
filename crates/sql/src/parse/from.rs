//! Parser for the FROM clause: tables, table functions, and joins.
//!
//! The output is a node of the syntax tree, or an error that contains the position in the text.

use super::Parser;
use crate::ast::{ArrayJoin, Expr, From, Join, On, Side, Strictness};
use crate::lex::TokenKind;
use crate::problem::{Problem, Result};

/// Words that can follow a table and are never its alias.
const NO_ALIAS: &[&str] = &[
    "ON",
    "USING",
    "JOIN",
    "LEFT",
    "RIGHT",
    "INNER",
    "FULL",
    "CROSS",
    "ASOF",
    "ANY",
    "ALL",
    "SEMI",
    "ANTI",
    "GLOBAL",
    "WHERE",
    "PREWHERE",
    "GROUP",
    "ORDER",
    "HAVING",
    "LIMIT",
    "OFFSET",
    "UNION",
    "EXCEPT",
    "INTERSECT",
    "ARRAY",
    "WINDOW",
    "QUALIFY",
    "SETTINGS",
    "FORMAT",
    "FINAL",
    "SAMPLE",
    "INTO",
    "WITH",
    "PASTE",
    "NATURAL",
    "OUTER",
    "AND",
    "OR",
    "INTERPOLATE",
    "FETCH",
];

impl Parser<'_> {
    /// Parses the tables after FROM. Each ARRAY JOIN that follows a table is appended to `array_joins`.
    pub(super) fn from(&mut self, array_joins: &mut Vec<ArrayJoin>) -> Result<From> {
        let mut left = self.table()?;
        loop {
            if let Some(join) = self.array_join()? {
                array_joins.push(join);
                continue;
            }
            if self.symbol(",") {
                let right = self.table()?;
                let (side, strictness, on) = (Side::Cross, Strictness::All, On::Nothing);
                left = From::Join(Box::new(Join { left, right, side, strictness, on }));
                continue;
            }
            let Some((side, strictness)) = self.join_kind()? else { return Ok(left) };
            if !array_joins.is_empty() {
                return Err(Problem::text(
                    "JOIN after ARRAY JOIN is not supported: use a subquery",
                ));
            }
            let right = self.table()?;
            let on = self.join_on(side)?;
            self.count_operator()?;
            left = From::Join(Box::new(Join { left, right, side, strictness, on }));
        }
    }

    /// Parses the words up to JOIN, such as `LEFT ANY JOIN`. The words can be written in several orders. Returns `None`
    /// if the next words are not a JOIN.
    fn join_kind(&mut self) -> Result<Option<(Side, Strictness)>> {
        let sides = [
            ("INNER", Side::Inner),
            ("LEFT", Side::Left),
            ("RIGHT", Side::Right),
            ("FULL", Side::Full),
            ("CROSS", Side::Cross),
        ];
        let strictnesses = [
            ("ANY", Strictness::Any),
            ("ALL", Strictness::All),
            ("SEMI", Strictness::Semi),
            ("ANTI", Strictness::Anti),
            ("ASOF", Strictness::Asof),
        ];

        let start = self.at;
        let mut side = None;
        let mut strictness = None;
        self.word("GLOBAL");
        loop {
            if let Some((_, found)) = sides.iter().find(|(word, _)| self.is(word)) {
                side = Some(*found);
            } else if let Some((_, found)) = strictnesses.iter().find(|(word, _)| self.is(word)) {
                strictness = Some(*found);
            } else if !self.is("OUTER") {
                break;
            }
            self.next();
        }

        if self.is("PASTE") || self.is("NATURAL") {
            let what = self.describe_next();
            return Err(Problem::text(format!("this kind of JOIN is not supported: {what}")));
        }
        if !self.word("JOIN") {
            self.at = start;
            return Ok(None);
        }
        let default = match strictness {
            Some(Strictness::Semi | Strictness::Anti) => Side::Left,
            _ => Side::Inner,
        };
        Ok(Some((side.unwrap_or(default), strictness.unwrap_or(Strictness::All))))
    }

    fn join_on(&mut self, side: Side) -> Result<On> {
        if side == Side::Cross {
            return Ok(On::Nothing);
        }
        if self.word("ON") {
            return Ok(On::Condition(self.expr()?));
        }
        if self.word("USING") {
            let has_brackets = self.symbol("(");
            let names = self.list(Self::name)?;
            if has_brackets {
                self.expect(")")?;
            }
            return Ok(On::Using(names));
        }
        self.unexpected("ON or USING")
    }

    /// Parses a table, a table function or a subquery, with its alias.
    pub(super) fn table(&mut self) -> Result<From> {
        if self.symbol("(") {
            let is_query = ["SELECT", "WITH"].iter().any(|word| self.is(word));
            if is_query || self.is_symbol_at(0, "(") {
                return self.subquery_table();
            }
            return self.deeper(|parser| {
                let mut arrays = Vec::new();
                let from = parser.from(&mut arrays)?;
                if !arrays.is_empty() {
                    return Err(Problem::text("ARRAY JOIN inside parentheses is not supported"));
                }
                parser.expect(")")?;
                Ok(from)
            });
        }

        let mut name = vec![self.name()?];
        while self.symbol(".") {
            name.push(self.name()?);
        }
        if name.len() == 1 && self.symbol("(") {
            let name = name.remove(0);
            let args = if self.is_symbol_at(0, ")") {
                Vec::new()
            } else {
                self.list(Self::argument_of_a_table)?
            };
            self.expect(")")?;
            let alias = self.table_alias()?;
            return Ok(From::Function { name, args, alias });
        }
        let alias = self.table_alias()?;
        Ok(From::Table { name, alias })
    }

    fn argument_of_a_table(&mut self) -> Result<Expr> {
        self.expr()
    }

    pub(super) fn table_alias(&mut self) -> Result<Option<String>> {
        if self.word("AS") {
            return Ok(Some(self.name()?));
        }
        let is_alias = match self.peek() {
            TokenKind::Quoted(..) => true,
            TokenKind::Word(word) => !NO_ALIAS.iter().any(|no| no.eq_ignore_ascii_case(word)),
            _ => false,
        };
        if is_alias { Ok(Some(self.name()?)) } else { Ok(None) }
    }
}
