//! Parser for names, function calls, and calls with special syntax such as `CAST(x AS Int8)`.
//!
//! The input is the list of tokens. The output is a node of the syntax tree, or an error that contains the position in
//! the text.

use super::Parser;
use super::expr::is_reserved;
use crate::ast::{Call, Columns, Expr, Literal, Over};
use crate::lex::TokenKind;
use crate::problem::{Problem, Result};

/// Time units, each with two spellings. The first is used in queries (`DAY`), the second in function names such as
/// `toIntervalDay` (`Day`).
const UNITS: &[(&str, &str)] = &[
    ("NANOSECOND", "Nanosecond"),
    ("MICROSECOND", "Microsecond"),
    ("MILLISECOND", "Millisecond"),
    ("SECOND", "Second"),
    ("MINUTE", "Minute"),
    ("HOUR", "Hour"),
    ("DAY", "Day"),
    ("WEEK", "Week"),
    ("MONTH", "Month"),
    ("QUARTER", "Quarter"),
    ("YEAR", "Year"),
];

/// Names of functions whose first argument can be a time unit without quotes.
const WITH_UNIT: &[&str] = &[
    "datediff",
    "date_diff",
    "timestampdiff",
    "timestamp_diff",
    "dateadd",
    "date_add",
    "timestampadd",
    "timestamp_add",
    "datesub",
    "date_sub",
    "timestampsub",
    "timestamp_sub",
];

fn unit(word: &str) -> Option<&'static str> {
    let word = word.to_ascii_uppercase();
    let name = match word.as_str() {
        "NS" => "NANOSECOND",
        "MS" => "MILLISECOND",
        "SS" | "S" => "SECOND",
        "MI" | "N" => "MINUTE",
        "HH" | "H" => "HOUR",
        "DD" | "D" => "DAY",
        "WW" | "WK" => "WEEK",
        "MM" | "M" => "MONTH",
        "QQ" | "Q" => "QUARTER",
        "YY" | "YYYY" => "YEAR",
        name => name.strip_suffix('S').unwrap_or(name),
    };
    UNITS.iter().find(|(known, _)| *known == name).map(|(_, name)| *name)
}

impl Parser<'_> {
    pub(super) fn word_primary(&mut self, word: String) -> Result<Expr> {
        let upper = word.to_ascii_uppercase();
        let is_call = self.is_symbol_at(1, "(");

        match upper.as_str() {
            "NULL" => return self.literal(Literal::Null),
            "TRUE" => return self.literal(Literal::Bool(true)),
            "FALSE" => return self.literal(Literal::Bool(false)),
            "NAN" if !is_call => return self.literal(Literal::Float(f64::NAN)),
            "INF" | "INFINITY" if !is_call => return self.literal(Literal::Float(f64::INFINITY)),

            "CASE" => return self.case(),
            "INTERVAL" if !is_call || !self.is_symbol_at(0, ".") => {
                if let Some(interval) = self.interval()? {
                    return Ok(interval);
                }
            }
            "DATE" | "TIMESTAMP" if matches!(self.peek_at(1), TokenKind::Text(_)) => {
                self.next();
                let name = if upper == "DATE" { "toDate" } else { "toDateTime" };
                let TokenKind::Text(text) = self.next() else { return self.unexpected("a string") };
                return Ok(Expr::call(name, vec![Expr::Literal(Literal::Text(text))]));
            }

            // Calls with a syntax of their own
            "EXISTS" if is_call => {
                self.at += 2;
                let query = self.query()?;
                self.expect(")")?;
                return Ok(Expr::Exists(Box::new(query)));
            }
            "CAST" if is_call => return self.cast(),
            "EXTRACT" if is_call => {
                if let Some(found) = self.extract_unit()? {
                    return Ok(found);
                }
            }
            "TRIM" if is_call => return self.trim(),
            "SUBSTRING" if is_call => return self.substring("substring".to_owned()),
            "POSITION" if is_call => return self.position("position".to_owned()),
            "COLUMNS" if is_call => return self.columns(),

            _ if is_reserved(&word)
                && !(is_call && matches!(upper.as_str(), "LIKE" | "AND" | "OR" | "FORMAT")) =>
            {
                return self.unexpected("a value");
            }
            _ => {}
        }

        self.next();
        self.column_or_call(word)
    }

    fn literal(&mut self, literal: Literal) -> Result<Expr> {
        self.next();
        Ok(Expr::Literal(literal))
    }

    /// Parses a column or a function call whose first identifier is already parsed.
    pub(super) fn column_or_call(&mut self, name: String) -> Result<Expr> {
        if self.is_symbol_at(0, "(") {
            return self.call(name);
        }
        let mut names = vec![name];
        while self.is_symbol_at(0, ".")
            && matches!(self.peek_at(1), TokenKind::Word(_) | TokenKind::Quoted(..))
        {
            self.next();
            names.push(self.name()?);
        }
        Ok(Expr::Name(names))
    }

    fn case(&mut self) -> Result<Expr> {
        self.expect_word("CASE")?;
        let subject = if self.is("WHEN") { None } else { Some(self.expr()?) };
        let mut args: Vec<Expr> = subject.iter().cloned().collect();
        while self.word("WHEN") {
            args.push(self.expr()?);
            self.expect_word("THEN")?;
            args.push(self.expr()?);
            self.count_operator()?;
        }
        if args.len() < 2 {
            return self.unexpected("WHEN");
        }
        args.push(if self.word("ELSE") { self.expr()? } else { Expr::Literal(Literal::Null) });
        self.expect_word("END")?;
        Ok(Expr::call(if subject.is_some() { "caseWithExpression" } else { "multiIf" }, args))
    }

    /// Parses `INTERVAL 1 DAY`, `INTERVAL '1' DAY` or `INTERVAL '1 day'`. Returns `None` if `interval` is the name of a
    /// column.
    fn interval(&mut self) -> Result<Option<Expr>> {
        let start = self.at;
        self.expect_word("INTERVAL")?;
        if let TokenKind::Text(text) = self.peek() {
            let text = String::from_utf8_lossy(text).into_owned();
            let mut words = text.split_whitespace();
            if let (Some(amount), Some(unit_text), None) =
                (words.next(), words.next(), words.next())
            {
                let unit = unit(unit_text).ok_or_else(|| no_unit(unit_text))?;
                let amount = parse_integer(amount)?;
                self.next();
                return Ok(Some(Expr::call(&format!("toInterval{unit}"), vec![amount])));
            }
        }

        let begins = matches!(
            self.peek(),
            TokenKind::Number(_)
                | TokenKind::Text(_)
                | TokenKind::Word(_)
                | TokenKind::Symbol("(" | "-")
        );
        if !begins || matches!(self.peek(), TokenKind::Word(word) if is_reserved(word)) {
            self.at = start;
            return Ok(None);
        }

        let amount = self.deeper(|parser| parser.amount())?;
        let TokenKind::Word(word) = self.peek().clone() else {
            return self.unexpected("a unit of time");
        };
        let unit = unit(&word).ok_or_else(|| no_unit(&word))?;
        self.next();
        let amount = match amount {
            Expr::Literal(Literal::Text(text)) => parse_integer(&String::from_utf8_lossy(&text))?,
            other => other,
        };
        Ok(Some(Expr::call(&format!("toInterval{unit}"), vec![amount])))
    }

    /// Parses the number in an interval, such as `1` in `INTERVAL 1 DAY`.
    fn amount(&mut self) -> Result<Expr> {
        self.above_and()
    }

    fn cast(&mut self) -> Result<Expr> {
        self.at += 2;
        let value = self.deeper(|parser| parser.without_alias())?;
        let ty = if self.word("AS") {
            Expr::text(&self.type_text()?)
        } else {
            self.expect(",")?;
            self.expr()?
        };
        self.expect(")")?;
        Ok(Expr::call("CAST", vec![value, ty]))
    }

    /// Parses a type, such as `Decimal(9, 2)`, and returns its text.
    pub(super) fn type_text(&mut self) -> Result<String> {
        let mut text = self.name()?;
        if self.is_symbol_at(0, "(") {
            let start = self.at;
            let mut open = 0_usize;
            loop {
                match self.next() {
                    TokenKind::Symbol("(") => open += 1,
                    TokenKind::Symbol(")") => open -= 1,
                    TokenKind::End => return self.unexpected("`)`"),
                    _ => {}
                }
                if open == 0 {
                    break;
                }
            }
            text.push_str(&super::text::spell(&self.tokens[start..self.at]).0);
        }
        Ok(text)
    }

    /// Parses `EXTRACT(YEAR FROM x)`. Returns `None` if the call is the string function `extract`.
    fn extract_unit(&mut self) -> Result<Option<Expr>> {
        let TokenKind::Word(word) = self.peek_at(2).clone() else { return Ok(None) };
        if !self.is_at(3, "FROM") {
            return Ok(None);
        }
        let name = match unit(&word) {
            Some("Day") => "toDayOfMonth",
            Some("Second") => "toSecond",
            Some("Minute") => "toMinute",
            Some("Hour") => "toHour",
            Some("Month") => "toMonth",
            Some("Quarter") => "toQuarter",
            Some("Year") => "toYear",
            _ => return Err(no_unit(&word)),
        };
        self.at += 4;
        let value = self.expr()?;
        self.expect(")")?;
        Ok(Some(Expr::call(name, vec![value])))
    }

    fn trim(&mut self) -> Result<Expr> {
        let sides = [("BOTH", "trimBoth"), ("LEADING", "trimLeft"), ("TRAILING", "trimRight")];
        let Some((_, name)) = sides.iter().find(|(side, _)| self.is_at(2, side)) else {
            self.next();
            return self.call("trimBoth".to_owned());
        };
        self.at += 3;
        let letters = self.expr()?;
        self.expect_word("FROM")?;
        let value = self.expr()?;
        self.expect(")")?;
        Ok(Expr::call(name, vec![value, letters]))
    }

    /// Parses `substring(x FROM 2 FOR 3)` or `substring(x, 2, 3)`.
    fn substring(&mut self, name: String) -> Result<Expr> {
        self.at += 2;
        let mut args = vec![self.expr()?];
        let comma = self.symbol(",");
        if comma || self.word("FROM") {
            args.push(self.expr()?);
            if self.symbol(",") || self.word("FOR") {
                args.push(self.expr()?);
            }
        }
        self.expect(")")?;
        Ok(Expr::call(&name, args))
    }

    /// Parses `position('a' IN x)` or `position(x, 'a')`.
    fn position(&mut self, name: String) -> Result<Expr> {
        let start = self.at;
        self.at += 2;
        let needle = self.above_and()?;
        if self.word("IN") {
            let hay = self.expr()?;
            self.expect(")")?;
            return Ok(Expr::call(&name, vec![hay, needle]));
        }
        self.at = start + 1;
        self.call(name)
    }

    /// Parses `COLUMNS('pattern')`.
    fn columns(&mut self) -> Result<Expr> {
        self.at += 2;
        let TokenKind::Text(pattern) = self.next() else {
            return Err(Problem::text("COLUMNS takes a pattern in single quotes"));
        };
        self.expect(")")?;
        let pattern = Some(String::from_utf8_lossy(&pattern).into_owned());
        self.column_changes(Columns { pattern, ..Columns::default() })
    }

    /// Parses the arguments of a function call and the clauses after it. The function name is already parsed.
    fn call(&mut self, name: String) -> Result<Expr> {
        let is_difference = matches!(
            name.to_ascii_lowercase().replace('_', "").as_str(),
            "datediff" | "timestampdiff"
        );
        let name = if is_difference { "dateDiff".to_owned() } else { name };
        let (mut args, mut distinct) = self.arguments(&name)?;
        let mut parameters = Vec::new();
        if self.is_symbol_at(0, "(") {
            if distinct {
                return self.unexpected("DISTINCT is not allowed in parameters");
            }
            parameters = args;
            (args, distinct) = self.arguments(&name)?;
        }
        self.count_operator()?;
        if let Some(moved) = rewrite_date_add(&name, &args) {
            return Ok(moved);
        }

        let nulls = ["RESPECT", "IGNORE"];
        if nulls.iter().any(|word| self.is(word)) && self.is_at(1, "NULLS") {
            if self.is("RESPECT") {
                return Err(Problem::text("RESPECT NULLS is not supported"));
            }
            self.at += 2;
        }
        let mut filter = None;
        if self.is("FILTER") && self.is_symbol_at(1, "(") {
            self.at += 2;
            self.expect_word("WHERE")?;
            filter = Some(self.expr()?);
            self.expect(")")?;
        }
        let mut over = None;
        if self.word("OVER") {
            over = Some(if self.symbol("(") {
                Over::Window(Box::new(self.deeper(Self::window)?))
            } else {
                Over::Name(self.name()?)
            });
        }
        Ok(Expr::Call(Box::new(Call { name, parameters, args, distinct, filter, over })))
    }

    fn arguments(&mut self, name: &str) -> Result<(Vec<Expr>, bool)> {
        self.expect("(")?;
        let distinct = self.is("DISTINCT");
        if distinct {
            self.next();
        }
        let mut args = Vec::new();
        if self.symbol(")") {
            return Ok((args, distinct));
        }
        let takes_unit = WITH_UNIT.contains(&name.to_ascii_lowercase().as_str());
        if takes_unit
            && self.is_symbol_at(1, ",")
            && let TokenKind::Word(word) = self.peek()
            && let Some(unit) = unit(word)
        {
            args.push(Expr::text(&unit.to_ascii_lowercase()));
            self.at += 2;
        }
        args.extend(self.list(Self::expr)?);
        self.expect(")")?;
        Ok((args, distinct))
    }
}

/// Rewrites `date_add(DAY, 2, x)` to `x + INTERVAL 2 DAY`. Returns `None` for other functions.
fn rewrite_date_add(name: &str, args: &[Expr]) -> Option<Expr> {
    let name = name.to_ascii_lowercase().replace('_', "");
    let operator = match name.as_str() {
        "dateadd" | "timestampadd" => "plus",
        "datesub" | "timestampsub" => "minus",
        _ => return None,
    };
    match args {
        [moment, interval] => Some(Expr::call(operator, vec![moment.clone(), interval.clone()])),
        [Expr::Literal(Literal::Text(text)), number, moment] => {
            let unit = unit(&String::from_utf8_lossy(text))?;
            let interval = Expr::call(&format!("toInterval{unit}"), vec![number.clone()]);
            Some(Expr::call(operator, vec![moment.clone(), interval]))
        }
        _ => None,
    }
}

fn no_unit(word: &str) -> Problem {
    Problem::text(format!("INTERVAL has no unit `{word}`"))
}

fn parse_integer(text: &str) -> Result<Expr> {
    let number: i64 = text
        .trim()
        .parse()
        .map_err(|_| Problem::text(format!("INTERVAL needs integers, not `{text}`")))?;
    Ok(Expr::Literal(Literal::Int(number.into())))
}
