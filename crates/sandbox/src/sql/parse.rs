//! From text to one query: what is no single SELECT is refused here, before anything is looked up.

use sqlparser::ast::{Expr, Query, SetExpr, Statement};
use sqlparser::dialect::ClickHouseDialect;
use sqlparser::keywords::Keyword;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Token, Tokenizer, Whitespace};

use super::problem::Problem;

/// Longest text of a query in bytes.
const LONGEST: usize = 64 << 10;
/// Most operators of a query. Each may lie inside the next, and what walks the tree is recursive.
const OPERATORS: usize = 500;
/// How deep parentheses and subqueries may lie in each other.
const DEPTH: usize = 50;

/// One query.
#[derive(Debug, Clone)]
pub(super) struct Parsed {
    pub(super) query: Query,
    /// `WITH 5 AS five`: names for values, which the parser has no place for.
    pub(super) scalars: Vec<(String, Expr)>,
    /// `LIMIT 1 BY a LIMIT 10`: the second limit, for which it has no place either.
    pub(super) limit: Option<Expr>,
}

impl Parsed {
    /// The query in one spelling: texts that differ in blanks and comments alone are one query.
    pub(super) fn normalised(&self) -> String {
        let mut text = String::new();
        for (name, value) in &self.scalars {
            text.push_str(&format!("WITH {value} AS {name} "));
        }
        text.push_str(&self.query.to_string());
        if let Some(limit) = &self.limit {
            text.push_str(&format!(" LIMIT {limit}"));
        }
        text
    }
}

/// The query that `text` holds.
///
/// # Errors
/// For anything but one SELECT, which may begin with WITH.
pub(super) fn parse(text: &str) -> Result<Parsed, Problem> {
    if text.len() > LONGEST {
        return Err(Problem::text(format!("the text is longer than {LONGEST} bytes")));
    }
    if text.contains('\0') {
        return Err(Problem::text("the text holds a NUL character"));
    }

    let dialect = ClickHouseDialect {};
    let tokens = Tokenizer::new(&dialect, text)
        .tokenize_with_location()
        .map_err(|error| Problem::text(error.to_string()))?;

    check_size(tokens.iter().map(|token| &token.token))?;
    check_endings(tokens.iter().map(|token| &token.token))?;

    let mut parser =
        Parser::new(&dialect).with_recursion_limit(DEPTH).with_tokens_with_locations(tokens);
    check_start(&parser)?;

    let parsed = query(&mut parser).map_err(|error| match error {
        ParserError::RecursionLimitExceeded => {
            Problem::text(format!("the query nests more than {DEPTH} levels deep"))
        }
        ParserError::ParserError(message) | ParserError::TokenizerError(message) => {
            Problem::text(message)
        }
    })?;
    while parser.consume_token(&Token::SemiColon) {}

    match parser.peek_token().token {
        Token::EOF => {}
        _ => {
            let rest = parser.peek_token();
            let message =
                format!("one query is taken, and `{rest}` begins another{}", rest.span.start);
            return Err(Problem::text(message));
        }
    }

    check_reads(&parsed.query)?;

    Ok(parsed)
}

fn check_size<'a>(tokens: impl Iterator<Item = &'a Token>) -> Result<(), Problem> {
    let operators = tokens
        .filter(|token| match token {
            Token::Word(word) => matches!(
                word.keyword,
                Keyword::AND
                    | Keyword::OR
                    | Keyword::XOR
                    | Keyword::NOT
                    | Keyword::IS
                    | Keyword::IN
                    | Keyword::LIKE
                    | Keyword::ILIKE
                    | Keyword::BETWEEN
                    | Keyword::UNION
                    | Keyword::INTERSECT
                    | Keyword::EXCEPT
                    | Keyword::COLLATE
                    | Keyword::AT
            ),
            Token::Number(..)
            | Token::SingleQuotedString(_)
            | Token::Comma
            | Token::Period
            | Token::LParen
            | Token::RParen
            | Token::EOF
            | Token::Whitespace(
                Whitespace::Space
                | Whitespace::Newline
                | Whitespace::Tab
                | Whitespace::SingleLineComment { .. }
                | Whitespace::MultiLineComment(_),
            ) => false,
            _ => true,
        })
        .count();

    if operators > OPERATORS {
        return Err(Problem::text(format!("{operators} operators are more than {OPERATORS}")));
    }

    Ok(())
}

/// Clauses whose first word the parser would take for an alias.
fn check_endings<'a>(tokens: impl Iterator<Item = &'a Token>) -> Result<(), Problem> {
    let words: Vec<&Token> =
        tokens.filter(|token| !matches!(token, Token::Whitespace(_))).collect();
    let is = |token: Option<&&Token>, text: &str| match token {
        Some(Token::Word(word)) => {
            word.quote_style.is_none() && word.value.eq_ignore_ascii_case(text)
        }
        _ => false,
    };

    for at in 0..words.len() {
        let (here, next) = (words.get(at), words.get(at + 1));
        let third = words.get(at + 2);
        if is(here, "INTO") && is(next, "OUTFILE") {
            return Err(Problem::text("INTO OUTFILE is not taken: a query only reads"));
        }

        if is(here, "SETTINGS")
            && matches!(next, Some(Token::Word(_)))
            && third == Some(&&Token::Eq)
        {
            return Err(Problem::text("SETTINGS is not taken: limits are the service's"));
        }

        if is(here, "FORMAT")
            && matches!(next, Some(Token::Word(_)))
            && matches!(third, None | Some(Token::SemiColon | Token::EOF))
        {
            return Err(Problem::text("FORMAT is not taken: rows always come as JSON"));
        }
    }

    Ok(())
}

/// Says it plainly for what is no query at all.
fn check_start(parser: &Parser<'_>) -> Result<(), Problem> {
    match parser.peek_token().token {
        Token::Word(word) if matches!(word.keyword, Keyword::SELECT | Keyword::WITH) => Ok(()),
        Token::LParen => Ok(()),
        Token::EOF => Err(Problem::text("there is no query")),
        other => {
            let message = format!("only SELECT, or WITH and SELECT, is run, not `{other}`");
            Err(Problem::text(message))
        }
    }
}

fn query(parser: &mut Parser<'_>) -> Result<Parsed, ParserError> {
    let mut scalars = Vec::new();
    // Values come first, then tables: `WITH 5 AS five, t AS (SELECT ...)`.
    if has_value(parser) {
        parser.next_token();
        loop {
            let value = parser.parse_expr()?;
            parser.expect_keyword(Keyword::AS)?;
            scalars.push((parser.parse_identifier()?.value, value));
            if !parser.consume_token(&Token::Comma) {
                break;
            }

            if is_table(parser, 0) {
                // The rest is an ordinary WITH; its keyword is where the comma was.
                let with = parser.parse_comma_separated(Parser::parse_cte)?;
                let mut query = *parser.parse_query()?;
                let first = sqlparser::ast::With {
                    with_token: sqlparser::ast::helpers::attached_token::AttachedToken::empty(),
                    recursive: false,
                    cte_tables: with,
                };

                query.with = match query.with {
                    None => Some(first),
                    Some(_) => return Err(ParserError::ParserError("WITH stands twice".into())),
                };
                return end(parser, query, scalars);
            }
        }
    }

    let query = *parser.parse_query()?;
    end(parser, query, scalars)
}

fn end(
    parser: &mut Parser<'_>,
    query: Query,
    scalars: Vec<(String, Expr)>,
) -> Result<Parsed, ParserError> {
    let limit =
        if parser.parse_keyword(Keyword::LIMIT) { Some(parser.parse_expr()?) } else { None };
    Ok(Parsed { query, scalars, limit })
}

/// Whether a WITH is next whose first part is a value.
fn has_value(parser: &Parser<'_>) -> bool {
    let is = |n: usize, keyword: Keyword| match parser.peek_nth_token(n).token {
        Token::Word(word) => word.keyword == keyword,
        _ => false,
    };
    is(0, Keyword::WITH) && !is(1, Keyword::RECURSIVE) && !is_table(parser, 1)
}

/// Whether `name AS (` or `name (` is next, `n` tokens on.
fn is_table(parser: &Parser<'_>, n: usize) -> bool {
    let token = |offset: usize| parser.peek_nth_token(n + offset).token;
    let Token::Word(_) = token(0) else { return false };
    let is_as = matches!(token(1), Token::Word(word) if word.keyword == Keyword::AS);
    let is_query = |token: Token| match token {
        Token::Word(word) => matches!(word.keyword, Keyword::SELECT | Keyword::WITH),
        Token::LParen => true,
        _ => false,
    };
    is_as && token(2) == Token::LParen && is_query(token(3)) || columns_follow(parser, n)
}

/// Whether `name (a, b) AS (` is next.
fn columns_follow(parser: &Parser<'_>, n: usize) -> bool {
    let token = |offset: usize| parser.peek_nth_token(n + offset).token;
    if token(1) != Token::LParen {
        return false;
    }
    let mut offset = 2;
    loop {
        match token(offset) {
            Token::Word(_) | Token::Comma => offset += 1,
            Token::RParen => break,
            _ => return false,
        }
    }
    matches!(token(offset + 1), Token::Word(word) if word.keyword == Keyword::AS)
        && token(offset + 2) == Token::LParen
        && matches!(token(offset + 3), Token::Word(word)
            if matches!(word.keyword, Keyword::SELECT | Keyword::WITH))
}

/// A WITH may also stand before INSERT, UPDATE and DELETE.
fn check_reads(query: &Query) -> Result<(), Problem> {
    let refused = |statement: &Statement| {
        let text = statement.to_string();
        let verb = text.split_whitespace().next().unwrap_or_default().to_owned();
        Err(Problem::text(format!("{verb} is not run: a query only reads")))
    };
    match &*query.body {
        SetExpr::Insert(statement)
        | SetExpr::Update(statement)
        | SetExpr::Delete(statement)
        | SetExpr::Merge(statement) => refused(statement),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_one_query_have_one_spelling() {
        let spell = |text: &str| parse(text).unwrap().normalised();
        assert_eq!(spell("select  1 -- one\n"), spell("SELECT 1;"));
        assert_ne!(spell("SELECT 1"), spell("SELECT 2"));
        assert_ne!(spell("WITH 1 AS x SELECT x"), spell("WITH 2 AS x SELECT x"));
    }

    #[test]
    fn values_and_tables_may_follow_with() {
        for (text, values, tables) in [
            ("WITH 1 AS a SELECT a", 1, 0),
            ("WITH (SELECT 1) AS a SELECT a", 1, 0),
            ("WITH 1 AS a, 2 AS b, t AS (SELECT 1) SELECT a", 2, 1),
            ("WITH t AS (SELECT 1), u (x) AS (SELECT 2) SELECT 1", 0, 2),
            ("WITH u (x, y) AS (SELECT 2, 3) SELECT 1", 0, 1),
            ("WITH toDate('2026-01-01') AS day SELECT day", 1, 0),
        ] {
            let parsed = parse(text).unwrap_or_else(|problem| panic!("{text}: {problem}"));
            assert_eq!(parsed.scalars.len(), values, "{text}");
            let with = parsed.query.with.map_or(0, |with| with.cte_tables.len());
            assert_eq!(with, tables, "{text}");
        }
    }

    #[test]
    fn a_chain_that_would_nest_too_deep_is_counted_first() {
        let sum = format!("SELECT {}1", "1+".repeat(20_000));
        assert!(parse(&sum).unwrap_err().to_string().contains("operators"));
        let nested = format!("SELECT {}1{}", "(".repeat(2_000), ")".repeat(2_000));
        assert!(parse(&nested).unwrap_err().to_string().contains("deep"));
        let list = format!("SELECT 1 IN ({}1)", "2,".repeat(5_000));
        assert!(parse(&list).is_ok());
    }
}
