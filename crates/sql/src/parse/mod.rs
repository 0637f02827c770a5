//! Parser for one SQL statement.
//!
//! The input is the text of a SELECT or DESCRIBE. The output is the syntax tree, the text with uniform spaces and
//! without comments, and the position of the outermost LIMIT.

mod calls;
mod expr;
mod from;
mod primary;
mod query;
mod settings;
mod text;
mod window;

use crate::ast::Query;
use crate::lex::{Token, TokenKind, line_and_column, tokens};
use crate::problem::{Problem, Result};

/// Maximum nesting depth of expressions and queries.
const DEPTH: usize = 60;
/// Maximum number of operators in a query. Operators can be nested without parentheses, so this maximum limits the
/// depth of the syntax tree. Recursive functions visit the tree, so its depth must be limited.
const OPERATORS: usize = 1_000;

/// A parsed SQL statement.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Statement {
    Query(Query),
    /// `DESCRIBE table` or `DESCRIBE (SELECT ...)`.
    Describe(crate::ast::From),
}

/// A parsed SQL statement. All statements are read-only.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    pub(crate) statement: Statement,
    /// Text of the statement with uniform spaces and without comments. Two statements that differ only in spaces and
    /// comments have equal texts.
    spelled: String,
    /// LIMIT of the outermost SELECT, or the position at which a LIMIT can be inserted. Positions are byte offsets in
    /// the field `spelled`.
    limit: LimitPlace,
    /// Setting `join_use_nulls`. If it is true, a join fills the columns of a missing matching row with NULL.
    /// Otherwise, it uses default values.
    pub(crate) use_nulls: bool,
}

/// The LIMIT of the outermost SELECT.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LimitPlace {
    /// The query has no LIMIT. The value is the byte offset at which a LIMIT can be inserted.
    Missing(usize),
    /// The LIMIT is a plain number. The values are this number, and the byte offsets at which the number starts and
    /// ends in the field `spelled` of [`Parsed`].
    Number(u64, usize, usize),
    /// The LIMIT is not a plain number, or no LIMIT can be inserted. No LIMIT can be inserted into a UNION, a DESCRIBE
    /// or a query in parentheses.
    Other,
}

impl Parsed {
    /// Parses the text of one statement.
    ///
    /// # Errors
    /// Returns an error if the text is not exactly one SELECT (with or without WITH) or one DESCRIBE. Also returns an
    /// error if the text is too long, is nested too deeply, or contains too many operators.
    pub fn read(text: &str) -> Result<Self> {
        let mut parser = Parser {
            text,
            tokens: tokens(text)?,
            at: 0,
            depth: 0,
            operators: 0,
            operation_end: usize::MAX,
            extends: false,
            last_limit: None,
            tail: None,
            use_nulls: false,
        };
        parser.check_start()?;
        let statement = parser.statement()?;
        let end = parser.tail.unwrap_or(parser.at);
        while parser.symbol(";") {}
        if parser.peek() != &TokenKind::End {
            let rest = parser.describe_next();
            return Err(Problem::text(format!(
                "only one query is allowed, but {rest} begins a second query"
            )));
        }

        let (spelled, places) = text::spell(&parser.tokens[..end]);
        let limit = parser.limit_place(&statement, &places, spelled.len());
        let use_nulls = parser.use_nulls;
        Ok(Parsed { statement, spelled: with_nulls(spelled, use_nulls), limit, use_nulls })
    }

    /// Returns the text of the statement with uniform spaces and without comments. FORMAT and SETTINGS at the end are
    /// omitted, except for the setting `join_use_nulls = 1`.
    #[must_use]
    pub fn normalised(&self) -> &str {
        &self.spelled
    }

    /// Returns true if the text that [`Self::normalised`] returns ends with `SETTINGS join_use_nulls = 1`.
    #[must_use]
    pub fn has_settings(&self) -> bool {
        self.use_nulls
    }

    /// Returns true if the query has a LIMIT, or if no LIMIT can be inserted, as in a UNION.
    #[must_use]
    pub fn has_limit(&self) -> bool {
        !matches!(self.limit, LimitPlace::Missing(_))
    }

    /// Returns the text of the statement with a LIMIT of at most `most` rows. Inserts a missing LIMIT and lowers a
    /// LIMIT that is too large. The text is unchanged if the LIMIT is not a plain number, or if no LIMIT can be
    /// inserted, as in a UNION.
    #[must_use]
    pub fn limited(&self, most: usize) -> String {
        let mut text = self.spelled.clone();
        match self.limit {
            LimitPlace::Missing(at) => text.insert_str(at, &format!(" LIMIT {most}")),
            LimitPlace::Number(asked, from, to) if asked > most as u64 => {
                text.replace_range(from..to, &most.to_string());
            }
            LimitPlace::Number(..) | LimitPlace::Other => {}
        }
        text
    }
}

/// Parser with the list of tokens and its current position.
pub(super) struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    operators: usize,
    /// Index of the token after the last parsed operation with AND, OR or a symbol, such as `a AND b` or `a + b`.
    operation_end: usize,
    /// True if a binary operation ends directly before the current operator, such as `a AND b` before the second AND in
    /// `a AND b AND c`. False for `(a AND b) AND c`.
    extends: bool,
    /// Tokens of the last parsed LIMIT clause, or the position at which a LIMIT can be inserted.
    last_limit: Option<query::LimitTokens>,
    /// Index of the token with which the clauses SETTINGS and FORMAT at the end of the statement start. `None` if the
    /// statement has neither clause.
    tail: Option<usize>,
    /// Value of the setting `join_use_nulls`.
    use_nulls: bool,
}

impl Parser<'_> {
    pub(super) fn peek(&self) -> &TokenKind {
        self.peek_at(0)
    }

    pub(super) fn peek_at(&self, ahead: usize) -> &TokenKind {
        let last = self.tokens.len() - 1;
        &self.tokens[(self.at + ahead).min(last)].kind
    }

    pub(super) fn next(&mut self) -> TokenKind {
        let kind = self.peek().clone();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        kind
    }

    /// Describes the next token and its position for error messages.
    pub(super) fn describe_next(&self) -> String {
        let token = &self.tokens[self.at];
        let end = self.tokens.get(self.at + 1).map_or(self.text.len(), |next| next.at);
        let what = self.text.get(token.at..end).unwrap_or_default().trim();
        let what: String = what.chars().take(30).collect();
        let place = line_and_column(self.text, token.at);
        if token.kind == TokenKind::End {
            "the end of the text".to_owned()
        } else {
            format!("`{what}` at {place}")
        }
    }

    pub(super) fn unexpected<T>(&self, wanted: &str) -> Result<T> {
        Err(Problem::text(format!("{wanted} is expected, not {}", self.describe_next())))
    }

    /// Returns true if the next token is `word`, ignoring case.
    pub(super) fn is(&self, word: &str) -> bool {
        self.is_at(0, word)
    }

    pub(super) fn is_at(&self, ahead: usize, word: &str) -> bool {
        matches!(self.peek_at(ahead), TokenKind::Word(found) if found.eq_ignore_ascii_case(word))
    }

    pub(super) fn is_symbol_at(&self, ahead: usize, symbol: &str) -> bool {
        matches!(self.peek_at(ahead), TokenKind::Symbol(found) if *found == symbol)
    }

    /// Skips the next token if it is `word`, and returns true in this case.
    pub(super) fn word(&mut self, word: &str) -> bool {
        let found = self.is(word);
        if found {
            self.next();
        }
        found
    }

    /// Skips the next tokens if they are `words`, and returns true in this case.
    pub(super) fn skip_words(&mut self, words: &[&str]) -> bool {
        let found = words.iter().enumerate().all(|(n, word)| self.is_at(n, word));
        if found {
            self.at += words.len();
        }
        found
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Result<()> {
        if self.word(word) { Ok(()) } else { self.unexpected(word) }
    }

    pub(super) fn symbol(&mut self, symbol: &str) -> bool {
        let found = self.is_symbol_at(0, symbol);
        if found {
            self.next();
        }
        found
    }

    pub(super) fn expect(&mut self, symbol: &str) -> Result<()> {
        if self.symbol(symbol) { Ok(()) } else { self.unexpected(&format!("`{symbol}`")) }
    }

    /// Parses an identifier with or without quotes.
    pub(super) fn name(&mut self) -> Result<String> {
        match self.peek() {
            TokenKind::Word(_) | TokenKind::Quoted(..) => match self.next() {
                TokenKind::Word(name) | TokenKind::Quoted(name, _) => Ok(name),
                _ => self.unexpected("a name"),
            },
            _ => self.unexpected("a name"),
        }
    }

    /// Parses a list with commas between the items, such as `a, b, c`. `one` parses an item.
    pub(super) fn list<T>(&mut self, one: impl Fn(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let mut all = vec![one(self)?];
        while self.symbol(",") {
            all.push(one(self)?);
        }
        Ok(all)
    }

    /// Runs `work` one nesting level deeper. Returns an error if the query is nested too deeply.
    pub(super) fn deeper<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= DEPTH {
            return Err(Problem::text(format!("the query nests more than {DEPTH} levels deep")));
        }
        self.depth += 1;
        let done = work(self);
        self.depth -= 1;
        done
    }

    pub(super) fn count_operator(&mut self) -> Result<()> {
        self.operators += 1;
        if self.operators > OPERATORS {
            return Err(Problem::text(format!("the query has more than {OPERATORS} operators")));
        }
        Ok(())
    }

    /// Returns an error if the first token does not start a SELECT or DESCRIBE statement.
    fn check_start(&self) -> Result<()> {
        match self.peek() {
            TokenKind::Symbol("(") => Ok(()),
            TokenKind::End => Err(Problem::text("there is no query")),
            TokenKind::Word(word) if is_start(word) => Ok(()),
            _ => {
                let what = self.describe_next();
                Err(Problem::text(format!(
                    "only SELECT queries (optionally with WITH) are allowed, not {what}"
                )))
            }
        }
    }

    fn limit_place(
        &self,
        statement: &Statement,
        places: &[(usize, usize)],
        whole: usize,
    ) -> LimitPlace {
        // The last LIMIT of a UNION belongs only to the last SELECT.
        let Statement::Query(Query::Select(_)) = statement else { return LimitPlace::Other };
        let Some(limit) = &self.last_limit else { return LimitPlace::Other };
        match limit.value {
            None => {
                let before = limit.belongs_at.checked_sub(1).and_then(|at| places.get(at));
                LimitPlace::Missing(before.map_or(whole, |(_, end)| *end))
            }
            Some((from, to)) if to == from + 1 => match &self.tokens[from].kind {
                TokenKind::Number(digits) => match digits.parse() {
                    Ok(number) => LimitPlace::Number(number, places[from].0, places[from].1),
                    Err(_) => LimitPlace::Other,
                },
                _ => LimitPlace::Other,
            },
            Some(_) => LimitPlace::Other,
        }
    }
}

/// Appends `SETTINGS join_use_nulls = 1` to the text of a query if `use_nulls` is true. Other settings do not change
/// the rows, so they are omitted.
fn with_nulls(spelled: String, use_nulls: bool) -> String {
    if use_nulls { format!("{spelled} SETTINGS join_use_nulls = 1") } else { spelled }
}

fn is_start(word: &str) -> bool {
    ["SELECT", "WITH", "DESCRIBE", "DESC"].iter().any(|start| start.eq_ignore_ascii_case(word))
}
