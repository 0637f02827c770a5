//! Parser for SELECT and its clauses.
//!
//! The input is the list of tokens. The output is a node of the syntax tree, or an error that contains the position in
//! the text.

use super::{Parser, Statement};
use crate::ast::{ArrayJoin, Expr, Fill, From, Grouping, LimitBy, Order, Query, Select, Set, With};
use crate::lex::TokenKind;
use crate::problem::{Problem, Result};

/// Maximum number of SELECTs in a UNION.
const PARTS: usize = 200;

/// Token indexes for the LIMIT of a SELECT: the tokens that contain the maximum number of rows, and the token before
/// which a missing LIMIT can be inserted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LimitTokens {
    /// Range of the tokens that contain the maximum number of rows, such as the token `5` in `LIMIT 5`. The range
    /// consists of the index of the first token and the index after the last token. `None` for a query without LIMIT.
    pub(super) value: Option<(usize, usize)>,
    /// Index of the token before which a LIMIT can be inserted.
    pub(super) belongs_at: usize,
}

impl Parser<'_> {
    pub(super) fn statement(&mut self) -> Result<Statement> {
        if self.word("DESCRIBE") || self.word("DESC") {
            self.word("TABLE");
            let from = self.table()?;
            // FORMAT and SETTINGS of the described subquery do not end the statement.
            self.tail = None;
            return Ok(Statement::Describe(from));
        }
        let query = self.query()?;
        self.check_clauses()?;
        self.format()?;
        self.settings()?;
        Ok(Statement::Query(query))
    }

    /// Returns an error if the next clause is INTO OUTFILE, which is not supported.
    fn check_clauses(&self) -> Result<()> {
        if self.is("INTO") {
            return Err(Problem::text(
                "INTO OUTFILE is not supported: rows are returned in the response",
            ));
        }
        Ok(())
    }

    /// Parses a query, which can consist of several SELECTs joined by UNION, EXCEPT or INTERSECT.
    pub(super) fn query(&mut self) -> Result<Query> {
        self.deeper(|parser| {
            let mut parts = vec![parser.intersection()?];
            let mut set: Option<Set> = None;
            while let Some(next) = parser.set_operator()? {
                let part = parser.intersection()?;
                if parts.len() >= PARTS {
                    return Err(Problem::text(format!("UNION joins more than {PARTS} queries")));
                }
                // SELECTs with the same set operator are siblings. A different operator starts a new level. Each
                // EXCEPT also starts a new level.
                if set.is_some_and(|set| set != next || matches!(set, Set::Except(_)))
                    && let Some(kind) = set
                {
                    parts = vec![Query::Set(kind, parts)];
                }
                parts.push(part);
                set = Some(next);
            }
            Ok(match set {
                Some(set) => Query::Set(set, parts),
                None => parts.remove(0),
            })
        })
    }

    fn set_operator(&mut self) -> Result<Option<Set>> {
        if self.word("UNION") {
            if self.word("ALL") {
                return Ok(Some(Set::UnionAll));
            }
            if self.word("DISTINCT") {
                return Ok(Some(Set::UnionDistinct));
            }
            return self.unexpected("ALL or DISTINCT after UNION");
        }
        if self.is("EXCEPT") {
            self.next();
            let distinct = self.word("DISTINCT");
            self.word("ALL");
            return Ok(Some(Set::Except(distinct)));
        }
        Ok(None)
    }

    /// Parses SELECTs that are joined by INTERSECT, which binds more tightly than UNION and EXCEPT.
    fn intersection(&mut self) -> Result<Query> {
        let mut first = self.set_operand()?;
        while self.word("INTERSECT") {
            let distinct = self.word("DISTINCT");
            self.word("ALL");
            let next = self.set_operand()?;
            first = Query::Set(Set::Intersect(distinct), vec![first, next]);
        }
        Ok(first)
    }

    fn set_operand(&mut self) -> Result<Query> {
        if self.symbol("(") {
            let query = self.query()?;
            self.expect(")")?;
            self.last_limit = None;
            self.tail = None;
            return Ok(query);
        }
        let with = self.with()?;
        if !with.is_empty() && self.is_symbol_at(0, "(") {
            return self.unexpected("SELECT");
        }
        let mut select = self.select()?;
        select.with = with;
        Ok(Query::Select(Box::new(select)))
    }

    fn with(&mut self) -> Result<Vec<With>> {
        if !self.word("WITH") {
            return Ok(Vec::new());
        }
        let recursive = self.word("RECURSIVE");
        self.list(|parser| {
            let is_name = matches!(parser.peek(), TokenKind::Word(_) | TokenKind::Quoted(..));
            if is_name && parser.is_at(1, "AS") && parser.is_symbol_at(2, "(") {
                let name = parser.name()?;
                parser.at += 2;
                let query = parser.query()?;
                parser.expect(")")?;
                return Ok(With::Table(name, query, recursive));
            }

            match parser.expr()? {
                Expr::Alias(value, name) => Ok(With::Value(*value, name)),
                _ => parser.unexpected("AS and a name"),
            }
        })
    }

    fn select(&mut self) -> Result<Select> {
        if !self.is("SELECT") {
            let verbs = ["INSERT", "UPDATE", "DELETE", "MERGE"];
            if let Some(verb) = verbs.iter().find(|verb| self.is(verb)) {
                return Err(Problem::text(format!("{verb} is not allowed: a query can only read")));
            }
            return self.unexpected("SELECT");
        }
        self.next();

        let mut select = Select::default();
        if self.word("DISTINCT") {
            if self.word("ON") {
                self.expect("(")?;
                select.distinct_on = self.list(Self::expr)?;
                self.expect(")")?;
            } else {
                select.distinct = true;
            }
        } else {
            self.word("ALL");
        }
        select.list = self.select_list()?;
        self.check_clauses()?;
        if self.word("FROM") {
            let from = self.from(&mut select.array_join)?;
            select.from = Some(from);
        }
        self.conditions(&mut select)?;
        self.groups(&mut select)?;
        self.order_and_limits(&mut select)?;
        Ok(select)
    }

    fn select_list(&mut self) -> Result<Vec<Expr>> {
        let mut list = vec![self.expr()?];
        while self.symbol(",") {
            // A comma is allowed after the last expression.
            if self.is("FROM") {
                break;
            }
            list.push(self.expr()?);
        }
        Ok(list)
    }

    pub(super) fn array_join(&mut self) -> Result<Option<ArrayJoin>> {
        let left = self.skip_words(&["LEFT", "ARRAY", "JOIN"]);
        if !left && !self.skip_words(&["ARRAY", "JOIN"]) {
            return Ok(None);
        }
        Ok(Some(ArrayJoin { left, arrays: self.list(Self::expr)? }))
    }

    fn conditions(&mut self, select: &mut Select) -> Result<()> {
        if self.is("SAMPLE") || self.is("FINAL") {
            let what = if self.is("SAMPLE") { "SAMPLE" } else { "FINAL" };
            return Err(Problem::text(format!("{what} is not supported: tables return all rows")));
        }
        while let Some(join) = self.array_join()? {
            select.array_join.push(join);
        }
        if self.word("PREWHERE") {
            select.prewhere = Some(self.expr()?);
        }
        if self.word("WHERE") {
            select.filter = Some(self.expr()?);
        }
        Ok(())
    }

    fn groups(&mut self, select: &mut Select) -> Result<()> {
        if self.skip_words(&["GROUP", "BY"]) {
            self.group_keys(select)?;
        }
        while self.is("WITH") {
            if self.skip_words(&["WITH", "TOTALS"]) {
                select.totals = true;
            } else if self.skip_words(&["WITH", "ROLLUP"]) {
                select.grouping = Grouping::Rollup;
            } else if self.skip_words(&["WITH", "CUBE"]) {
                select.grouping = Grouping::Cube;
            } else {
                return self.unexpected("TOTALS, ROLLUP or CUBE");
            }
        }
        if self.word("HAVING") {
            select.having = Some(self.expr()?);
        }

        if self.word("WINDOW") {
            select.windows = self.list(|parser| {
                let name = parser.name()?;
                parser.expect_word("AS")?;
                parser.expect("(")?;
                Ok((name, parser.window()?))
            })?;
        }
        if self.word("QUALIFY") {
            select.qualify = Some(self.expr()?);
        }

        Ok(())
    }

    fn group_keys(&mut self, select: &mut Select) -> Result<()> {
        if self.word("ALL") {
            select.group_all = true;
            return Ok(());
        }
        if self.skip_words(&["GROUPING", "SETS"]) {
            self.expect("(")?;
            select.grouping = Grouping::Sets;
            select.sets = self.list(|parser| {
                if !parser.symbol("(") {
                    return Ok(vec![parser.expr()?]);
                }
                let keys = if parser.is_symbol_at(0, ")") {
                    Vec::new()
                } else {
                    parser.list(Self::expr)?
                };
                parser.expect(")")?;
                Ok(keys)
            })?;
            return self.expect(")");
        }

        let is_list = self.is_symbol_at(1, "(");
        let of = |parser: &mut Self| {
            parser.next();
            parser.expect("(")?;
            let keys = parser.list(Self::expr)?;
            parser.expect(")")?;
            Ok(keys)
        };
        if is_list && self.is("ROLLUP") {
            select.grouping = Grouping::Rollup;
            select.group = of(self)?;
        } else if is_list && self.is("CUBE") {
            select.grouping = Grouping::Cube;
            select.group = of(self)?;
        } else {
            select.group = self.list(Self::expr)?;
        }
        Ok(())
    }

    fn order_and_limits(&mut self, select: &mut Select) -> Result<()> {
        if self.skip_words(&["ORDER", "BY"]) {
            if self.is("ALL") {
                self.next();
                select.order_all = true;
                self.word("ASC");
            } else {
                select.order = self.list(Self::order)?;
            }
            if self.word("INTERPOLATE") {
                select.interpolate = Some(self.interpolations()?);
            }
        }

        let mut limit = LimitTokens { value: None, belongs_at: self.at };
        while self.is("LIMIT") || self.is("OFFSET") {
            if self.is("OFFSET") {
                if limit.value.is_none() {
                    limit.belongs_at = self.at;
                }
                self.next();
                select.offset = Some(self.expr()?);
                if !self.word("ROWS") {
                    self.word("ROW");
                }
                break;
            }
            self.one_limit(select, &mut limit)?;
        }
        self.last_limit = Some(limit);
        // SETTINGS and FORMAT have an effect only at the end of the statement.
        self.tail = None;
        self.settings()
    }

    fn one_limit(&mut self, select: &mut Select, tokens: &mut LimitTokens) -> Result<()> {
        self.expect_word("LIMIT")?;
        let mut start = self.at;
        let mut limit = self.expr()?;
        let mut offset = None;
        if self.symbol(",") {
            offset = Some(limit);
            start = self.at;
            limit = self.expr()?;
        }
        let end = self.at;
        if self.word("OFFSET") {
            offset = Some(self.expr()?);
        }

        if self.word("BY") {
            let by = self.list(Self::expr)?;
            select.limit_by = Some(LimitBy { limit, offset, by });
            tokens.belongs_at = self.at;
            return Ok(());
        }
        select.with_ties = self.skip_words(&["WITH", "TIES"]);
        select.limit = Some(limit);
        select.offset = offset;
        tokens.value = Some((start, end));
        Ok(())
    }

    pub(super) fn order(&mut self) -> Result<Order> {
        let expr = self.expr()?;
        let descending = self.word("DESC") || self.word("DESCENDING");
        if !descending && !self.word("ASC") {
            self.word("ASCENDING");
        }
        let nulls_first = if self.skip_words(&["NULLS", "FIRST"]) {
            Some(true)
        } else if self.skip_words(&["NULLS", "LAST"]) {
            Some(false)
        } else {
            None
        };
        if self.is("COLLATE") {
            return Err(Problem::text(
                "COLLATE is not supported: strings are ordered by their bytes",
            ));
        }

        let mut fill = None;
        if self.skip_words(&["WITH", "FILL"]) {
            let mut found = Fill::default();
            if self.word("FROM") {
                found.from = Some(self.expr()?);
            }
            if self.word("TO") {
                found.to = Some(self.expr()?);
            }
            if self.word("STEP") {
                found.step = Some(self.expr()?);
            }
            fill = Some(found);
        }
        Ok(Order { expr, descending, nulls_first, fill })
    }

    fn interpolations(&mut self) -> Result<Vec<(String, Option<Expr>)>> {
        if !self.symbol("(") {
            return Ok(Vec::new());
        }
        let found = self.list(|parser| {
            let name = parser.name()?;
            let value = if parser.word("AS") { Some(parser.expr()?) } else { None };
            Ok((name, value))
        })?;
        self.expect(")")?;
        Ok(found)
    }

    /// Parses a subquery in FROM with its alias. The opening parenthesis is already parsed.
    pub(super) fn subquery_table(&mut self) -> Result<From> {
        let query = Box::new(self.query()?);
        self.expect(")")?;
        let alias = self.table_alias()?;
        let mut columns = Vec::new();
        if alias.is_some() && self.is_symbol_at(0, "(") {
            self.next();
            columns = self.list(Self::name)?;
            self.expect(")")?;
        }
        Ok(From::Query { query, alias, columns })
    }
}
