//! Parser for expressions, which uses operator precedence.
//!
//! The input is the list of tokens. The output is a node of the syntax tree, or an error that contains the position in
//! the text.

use super::Parser;
use crate::ast::{Expr, Literal};
use crate::lex::TokenKind;
use crate::problem::{Problem, Result};

/// Keywords that end an expression. They cannot be an alias without AS: in `SELECT 1 FROM t`, `FROM` is not an alias.
const RESERVED: &[&str] = &[
    "FROM",
    "WHERE",
    "PREWHERE",
    "GROUP",
    "HAVING",
    "ORDER",
    "LIMIT",
    "OFFSET",
    "UNION",
    "EXCEPT",
    "INTERSECT",
    "AND",
    "OR",
    "AS",
    "THEN",
    "ELSE",
    "WHEN",
    "END",
    "ON",
    "USING",
    "JOIN",
    "INNER",
    "CROSS",
    "QUALIFY",
    "WINDOW",
    "SETTINGS",
    "FORMAT",
    "BY",
    "BETWEEN",
    "IN",
    "LIKE",
    "ILIKE",
    "IS",
    "WITH",
    "INTO",
    "ASC",
    "DESC",
    "NULLS",
    "ROWS",
    "RANGE",
    "PRECEDING",
    "FOLLOWING",
    "REGEXP",
    "DIV",
    "MOD",
    "GLOBAL",
    "APPLY",
    "REPLACE",
    "STEP",
    "TO",
    "INTERPOLATE",
    "ARRAY",
    "LEFT",
    "RIGHT",
    "FULL",
    "ASOF",
    "ANY",
    "SEMI",
    "ANTI",
    "SAMPLE",
    "FINAL",
    "UNBOUNDED",
    "FOR",
    "COLLATE",
    "FETCH",
];

/// Precedence of operators. An operator with a larger number binds more tightly.
mod power {
    pub(super) const TERNARY: u8 = 1;
    pub(super) const OR: u8 = 2;
    pub(super) const AND: u8 = 3;
    pub(super) const NOT: u8 = 4;
    pub(super) const COMPARE: u8 = 6;
    pub(super) const CONCAT: u8 = 7;
    pub(super) const SUM: u8 = 8;
    pub(super) const PRODUCT: u8 = 9;
    pub(super) const NEGATE: u8 = 10;
}

const BINARY: &[(&str, &str, u8)] = &[
    ("=", "equals", power::COMPARE),
    ("==", "equals", power::COMPARE),
    ("!=", "notEquals", power::COMPARE),
    ("<>", "notEquals", power::COMPARE),
    ("<", "less", power::COMPARE),
    ("<=", "lessOrEquals", power::COMPARE),
    (">", "greater", power::COMPARE),
    (">=", "greaterOrEquals", power::COMPARE),
    ("<=>", "isNotDistinctFrom", power::COMPARE),
    ("||", "concat", power::CONCAT),
    ("+", "plus", power::SUM),
    ("-", "minus", power::SUM),
    ("*", "multiply", power::PRODUCT),
    ("/", "divide", power::PRODUCT),
    ("%", "modulo", power::PRODUCT),
];

/// Functions whose nested calls ClickHouse merges: `a AND b AND c` is one call with three arguments.
const FLAT: &[&str] = &["and", "or", "concat"];

impl Parser<'_> {
    /// Parses an expression with an optional alias.
    pub(super) fn expr(&mut self) -> Result<Expr> {
        let expr = self.deeper(|parser| parser.binary(0))?;
        if self.word("AS") {
            return Ok(Expr::Alias(Box::new(expr), self.name()?));
        }
        let is_alias = match self.peek() {
            TokenKind::Quoted(..) => true,
            TokenKind::Word(word) => !RESERVED.iter().any(|no| no.eq_ignore_ascii_case(word)),
            _ => false,
        };
        if is_alias && !matches!(expr, Expr::Columns(_)) {
            return Ok(Expr::Alias(Box::new(expr), self.name()?));
        }
        Ok(expr)
    }

    /// Parses an expression without an alias. AS after the expression then belongs to another construct, such as CAST.
    pub(super) fn without_alias(&mut self) -> Result<Expr> {
        self.deeper(|parser| parser.binary(0))
    }

    /// Parses an expression that ends before the next AND or comparison operator. An example is `1 + 2` in
    /// `ROWS BETWEEN 1 + 2 PRECEDING AND CURRENT ROW`.
    pub(super) fn above_and(&mut self) -> Result<Expr> {
        self.deeper(|parser| parser.binary(power::CONCAT))
    }

    pub(super) fn binary(&mut self, least: u8) -> Result<Expr> {
        let mut left = self.prefix()?;
        while let Some(next) = self.operator(left, least)? {
            match next {
                Continued::With(expr) => left = expr,
                Continued::Ended(expr) => return Ok(expr),
            }
            self.count_operator()?;
        }
        Err(Problem::Internal("an expression did not end".to_owned()))
    }

    /// Parses the operator after `left` and its right operand. Returns [`Continued::Ended`] if the next token is not an
    /// operator, or if the precedence of the operator is below `least`.
    fn operator(&mut self, left: Expr, least: u8) -> Result<Option<Continued>> {
        let symbol = match self.peek() {
            TokenKind::Symbol(symbol) => *symbol,
            TokenKind::Word(word) => {
                let word = word.to_ascii_uppercase();
                return self.word_operator(left, least, &word).map(Some);
            }
            _ => return Ok(Some(Continued::Ended(left))),
        };

        if let Some((_, name, binds)) = BINARY.iter().find(|(text, ..)| *text == symbol) {
            if *binds < least {
                return Ok(Some(Continued::Ended(left)));
            }
            let right = self.right_operand(*binds)?;
            return Ok(Some(Continued::With(self.join(name, left, right))));
        }
        if symbol == "?" && least <= power::TERNARY {
            self.next();
            let yes = self.expr()?;
            self.expect(":")?;
            let no = self.deeper(|parser| parser.binary(power::TERNARY))?;
            return Ok(Some(Continued::With(Expr::call("if", vec![left, yes, no]))));
        }
        if symbol == "->" && least == 0 {
            self.next();
            let params = lambda_parameters(&left)
                .ok_or_else(|| Problem::text("lambda parameter names are expected before `->`"))?;
            let body = self.deeper(|parser| parser.binary(0))?;
            return Ok(Some(Continued::With(Expr::Lambda(params, Box::new(body)))));
        }
        Ok(Some(Continued::Ended(left)))
    }

    /// Parses an operator and its right operand. Also sets the field `extends`: true if a binary operation ends directly
    /// before the operator. In `a AND b AND c`, `extends` is true for the second AND, so `join` creates one call with
    /// three arguments. In `(a AND b) AND c`, `extends` is false.
    fn right_operand(&mut self, binds: u8) -> Result<Expr> {
        let extends = self.operation_end == self.at;
        self.next();
        let right = self.binary_right(binds)?;
        self.extends = extends;
        Ok(right)
    }

    /// Creates the call `name(left, right)`. As in ClickHouse, `a AND b AND c` becomes one call with three arguments,
    /// but `(a AND b) AND c` does not.
    fn join(&mut self, name: &str, left: Expr, right: Expr) -> Expr {
        self.operation_end = self.at;
        match left {
            Expr::Call(mut call) if self.extends && FLAT.contains(&name) && call.name == name => {
                call.args.push(right);
                Expr::Call(call)
            }
            left => Expr::call(name, vec![left, right]),
        }
    }

    /// Parses the right operand of an operator with the precedence `binds`. The operand contains only operators that
    /// bind more tightly.
    pub(super) fn binary_right(&mut self, binds: u8) -> Result<Expr> {
        self.deeper(|parser| parser.binary(binds + 1))
    }

    fn word_operator(&mut self, left: Expr, least: u8, word: &str) -> Result<Continued> {
        let logic = [("OR", "or", power::OR), ("AND", "and", power::AND)];
        if let Some((_, name, binds)) = logic.iter().find(|(text, ..)| *text == word) {
            if *binds < least {
                return Ok(Continued::Ended(left));
            }
            let right = self.right_operand(*binds)?;
            return Ok(Continued::With(self.join(name, left, right)));
        }
        let products = [("DIV", "intDiv"), ("MOD", "modulo")];
        if let Some((_, name)) = products.iter().find(|(text, _)| *text == word) {
            if power::PRODUCT < least {
                return Ok(Continued::Ended(left));
            }
            self.next();
            let right = self.binary_right(power::PRODUCT)?;
            return Ok(Continued::With(Expr::call(name, vec![left, right])));
        }
        if power::COMPARE < least {
            return Ok(Continued::Ended(left));
        }

        match word {
            "IS" => self.is_test(left),
            "BETWEEN" | "IN" | "LIKE" | "ILIKE" | "REGEXP" => self.comparison(left, false),
            "GLOBAL" if self.is_at(1, "IN") || self.is_at(1, "NOT") => {
                self.next();
                let negated = self.word("NOT");
                self.comparison(left, negated)
            }
            "NOT"
                if ["BETWEEN", "IN", "LIKE", "ILIKE", "REGEXP"]
                    .iter()
                    .any(|w| self.is_at(1, w)) =>
            {
                self.next();
                self.comparison(left, true)
            }
            _ => Ok(Continued::Ended(left)),
        }
    }

    fn is_test(&mut self, left: Expr) -> Result<Continued> {
        self.expect_word("IS")?;
        let negated = self.word("NOT");
        if self.skip_words(&["DISTINCT", "FROM"]) {
            let name = if negated { "isNotDistinctFrom" } else { "isDistinctFrom" };
            let right = self.binary_right(power::COMPARE)?;
            return Ok(Continued::With(Expr::call(name, vec![left, right])));
        }
        self.expect_word("NULL")?;
        let name = if negated { "isNotNull" } else { "isNull" };
        Ok(Continued::With(Expr::call(name, vec![left])))
    }

    fn comparison(&mut self, left: Expr, negated: bool) -> Result<Continued> {
        if self.word("BETWEEN") {
            let low = self.binary_right(power::COMPARE)?;
            self.expect_word("AND")?;
            let high = self.binary_right(power::COMPARE)?;
            let (first, second, both) = if negated {
                ("less", "greater", "or")
            } else {
                ("greaterOrEquals", "lessOrEquals", "and")
            };
            let low = Expr::call(first, vec![left.clone(), low]);
            let high = Expr::call(second, vec![left, high]);
            // ClickHouse does not merge the call for BETWEEN with an AND after it.
            self.operation_end = usize::MAX;
            return Ok(Continued::With(Expr::call(both, vec![low, high])));
        }
        if self.word("IN") {
            let set = self.binary_right(power::COMPARE)?;
            return Ok(Continued::With(Expr::In(Box::new(left), Box::new(set), negated)));
        }

        let name = if self.word("LIKE") {
            if negated { "notLike" } else { "like" }
        } else if self.word("ILIKE") {
            if negated { "notILike" } else { "ilike" }
        } else {
            self.expect_word("REGEXP")?;
            "match"
        };
        let pattern = self.binary_right(power::COMPARE)?;
        let found = Expr::call(name, vec![left, pattern]);
        let negated_match = negated && name == "match";
        Ok(Continued::With(if negated_match { Expr::call("not", vec![found]) } else { found }))
    }

    pub(super) fn prefix(&mut self) -> Result<Expr> {
        if self.is("NOT") {
            self.next();
            self.count_operator()?;
            let value = self.deeper_chain(|parser| parser.binary(power::NOT))?;
            return Ok(Expr::call("not", vec![value]));
        }
        if self.symbol("-") {
            // A minus sign before a number, `inf` or `nan` is part of the number.
            let literal = match self.peek() {
                TokenKind::Number(digits) => Some(number(digits, true)?),
                _ if self.is_symbol_at(1, "(") => None,
                _ if self.is("INF") || self.is("INFINITY") => {
                    Some(Literal::Float(f64::NEG_INFINITY))
                }
                _ if self.is("NAN") => Some(Literal::Float(f64::NAN)),
                _ => None,
            };

            if let Some(literal) = literal {
                let start = self.at - 1;
                self.next();
                return self.postfix(Expr::Literal(literal), start);
            }
            self.count_operator()?;
            let value = self.deeper(|parser| parser.binary(power::NEGATE))?;
            return Ok(Expr::call("negate", vec![value]));
        }
        if self.symbol("+") {
            return self.deeper(|parser| parser.binary(power::NEGATE));
        }
        let start = self.at;
        let value = self.primary()?;
        self.postfix(value, start)
    }

    /// Parses the operand of a prefix operator, such as `NOT x` in `NOT NOT x`. A chain of prefix operators does not
    /// increase the nesting depth. Only the maximum number of operators limits the length of the chain.
    pub(super) fn deeper_chain<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let depth = self.depth;
        self.depth = depth.saturating_sub(1);
        let done = self.deeper(work);
        self.depth = depth;
        done
    }
}

/// Result of parsing the operator after an expression. For `a` followed by `+ b`, `With` contains `a + b`. If the
/// expression `a` ends before the next token, `Ended` contains `a`.
enum Continued {
    With(Expr),
    Ended(Expr),
}

pub(super) fn lambda_parameters(expr: &Expr) -> Option<Vec<String>> {
    let name = |expr: &Expr| match expr {
        Expr::Name(names) if names.len() == 1 => Some(names[0].clone()),
        _ => None,
    };
    match expr {
        Expr::Tuple(items) => items.iter().map(name).collect(),
        one => name(one).map(|name| vec![name]),
    }
}

/// Returns true if the word is a keyword that cannot be the name of a column. A few of these words, such as `LIKE`, can
/// be the name of a function.
pub(super) fn is_reserved(word: &str) -> bool {
    let ends = [
        "FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "UNION", "AND", "OR", "AS", "THEN",
        "ELSE", "WHEN", "END", "ON", "JOIN", "BY", "SELECT", "IN", "BETWEEN", "LIKE", "OFFSET",
        "PREWHERE", "QUALIFY", "SETTINGS", "FORMAT", "INTO",
    ];
    ends.iter().any(|no| no.eq_ignore_ascii_case(word))
}

/// Converts the text of a number to a literal.
pub(super) fn number(digits: &str, negative: bool) -> Result<Literal> {
    let lower = digits.to_ascii_lowercase();
    let whole = match lower.get(..2) {
        Some("0x") => i128::from_str_radix(&lower[2..], 16).ok(),
        Some("0b") => i128::from_str_radix(&lower[2..], 2).ok(),
        _ => lower.parse::<i128>().ok(),
    };
    if let Some(whole) = whole {
        let value = if negative { -whole } else { whole };
        if (i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(&value) {
            return Ok(Literal::Int(value));
        }
    }
    let value: f64 =
        lower.parse().map_err(|_| Problem::text(format!("`{digits}` is not a number")))?;
    Ok(Literal::Float(if negative { -value } else { value }))
}
