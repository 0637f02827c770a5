//! Conversion of tokens to text with uniform spaces.
//!
//! The input is a list of tokens. The output is the text and the byte range of each token in the text.

use crate::lex::{Token, TokenKind};

/// Keywords that are written in upper case, for example `SELECT` for `select`. Keywords that are often column names are
/// not in the list.
const KEYWORDS: &[&str] = &[
    "SELECT",
    "FROM",
    "WHERE",
    "GROUP",
    "ORDER",
    "BY",
    "HAVING",
    "LIMIT",
    "OFFSET",
    "WITH",
    "AS",
    "AND",
    "OR",
    "NOT",
    "IN",
    "LIKE",
    "ILIKE",
    "BETWEEN",
    "IS",
    "NULL",
    "UNION",
    "ALL",
    "DISTINCT",
    "JOIN",
    "LEFT",
    "RIGHT",
    "INNER",
    "FULL",
    "OUTER",
    "CROSS",
    "ON",
    "USING",
    "CASE",
    "WHEN",
    "THEN",
    "ELSE",
    "END",
    "DESC",
    "ASC",
    "OVER",
    "PARTITION",
    "INTERVAL",
    "EXISTS",
    "PREWHERE",
    "QUALIFY",
    "WINDOW",
];

/// Joins tokens to text. Also returns the start and end of each token in the text as byte offsets.
pub(super) fn spell(tokens: &[Token]) -> (String, Vec<(usize, usize)>) {
    let mut text = String::new();
    let mut places = Vec::with_capacity(tokens.len());
    let mut before: Option<&TokenKind> = None;
    for token in tokens {
        if before.is_some_and(|before| is_apart(before, &token.kind)) {
            text.push(' ');
        }
        let start = text.len();
        write(&token.kind, &mut text);
        places.push((start, text.len()));
        before = Some(&token.kind);
    }
    (text, places)
}

/// Returns true if a space is written between the two tokens.
fn is_apart(before: &TokenKind, after: &TokenKind) -> bool {
    let opens = matches!(before, TokenKind::Symbol("(" | "[" | "." | "::"));
    let closes = matches!(after, TokenKind::Symbol(")" | "]" | "," | "." | "::"));
    // No space is written between the name of a function or array and the bracket after it.
    let is_call = matches!(after, TokenKind::Symbol("(" | "["))
        && match before {
            TokenKind::Word(word) => keyword(word).is_none(),
            TokenKind::Quoted(..) | TokenKind::Symbol(")" | "]") => true,
            _ => false,
        };
    !(opens || closes || is_call)
}

fn keyword(word: &str) -> Option<&'static str> {
    KEYWORDS.iter().find(|keyword| keyword.eq_ignore_ascii_case(word)).copied()
}

fn write(kind: &TokenKind, text: &mut String) {
    match kind {
        TokenKind::Word(word) => text.push_str(keyword(word).unwrap_or(word)),
        TokenKind::Quoted(name, _) => text.push_str(&crate::quote::name(name)),
        TokenKind::Number(digits) => text.push_str(digits),
        TokenKind::Text(bytes) => text.push_str(&crate::quote::quoted(bytes)),
        TokenKind::Symbol(symbol) => text.push_str(symbol),
        TokenKind::End => {}
    }
}
