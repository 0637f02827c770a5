//! Finds strings in double quotes that the author of an SQL query meant as values. In SQL, double quotes enclose a
//! column name.

use std::collections::HashSet;

/// Token of an SQL query. Kinds of tokens that this module treats in the same way share one variant.
#[derive(Debug, PartialEq)]
enum Token {
    /// Keyword, name without quotes, or name in backticks.
    Word(String),
    /// Text in double quotes.
    Quoted(String),
    /// String in single quotes, or number.
    Value,
    /// Operator, parenthesis or any other character.
    Sign(char),
}

/// Returns the strings in double quotes that the author of a query probably meant as values. They follow a comparison
/// operator or `LIKE`, or are in an `IN` list, and the query never uses them as names. For example, `WHERE chain =
/// "ethereum"` compares two columns, although the author meant a string.
pub(crate) fn double_quoted_values(query: &str) -> Vec<String> {
    let tokens = tokens(query);
    let (mut values, mut names) = (Vec::new(), HashSet::new());
    // Number of parentheses that are open since the beginning of an `IN` list.
    let mut in_list = 0_usize;

    for (index, token) in tokens.iter().enumerate() {
        let before = index.checked_sub(1).map(|index| &tokens[index]);
        let after_in = is_word(before, &["in"]);
        match token {
            Token::Sign('(') if after_in || in_list > 0 => in_list += 1,
            Token::Sign(')') => in_list = in_list.saturating_sub(1),
            Token::Word(name) => _ = names.insert(name.as_str()),
            Token::Quoted(text) => {
                let compared = matches!(before, Some(Token::Sign('=' | '<' | '>')));
                let listed = in_list == 1 && matches!(before, Some(Token::Sign('(' | ',')));
                match compared || listed || is_word(before, &["like", "ilike"]) {
                    true => values.push(text.as_str()),
                    false => _ = names.insert(text),
                }
            }
            Token::Value | Token::Sign(_) => {}
        }
    }

    // A value that was found once is not reported again.
    let found = values.into_iter().filter(|value| names.insert(value));
    found.map(str::to_owned).collect()
}

fn is_word(token: Option<&Token>, words: &[&str]) -> bool {
    matches!(token, Some(Token::Word(word)) if words.iter().any(|one| word.eq_ignore_ascii_case(one)))
}

/// Splits a query into tokens. Comments and white space are dropped. Quoted text without a closing quote extends to the
/// end of the query.
fn tokens(query: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = query;
    while let Some(first) = rest.chars().next() {
        let (token, length) = next_token(rest, first);
        tokens.extend(token);
        rest = &rest[length..];
    }
    tokens
}

/// Returns the first token of `rest`, and the token's length in bytes. If `rest` begins with white space or a comment,
/// returns `None` and the number of bytes to skip. `first` is the first character of `rest`.
fn next_token(rest: &str, first: char) -> (Option<Token>, usize) {
    if ["--", "//", "#!", "# "].iter().any(|start| rest.starts_with(start)) {
        return (None, rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return (None, comment_length(rest));
    }

    if matches!(first, '\'' | '"' | '`') {
        let (text, length) = quoted_text(rest, first);
        let token = match first {
            '\'' => Token::Value,
            '"' => Token::Quoted(text),
            _ => Token::Word(text),
        };
        return (Some(token), length);
    }

    if first.is_alphanumeric() || first == '_' {
        let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let is_number = first.is_ascii_digit();
        let token = if is_number { Token::Value } else { Token::Word(rest[..length].to_owned()) };
        return (Some(token), length);
    }
    ((!first.is_whitespace()).then_some(Token::Sign(first)), first.len_utf8())
}

/// Returns the length of the comment at the beginning of `rest`, in bytes. A comment can contain other comments. A
/// comment without an end extends to the end of the query.
fn comment_length(rest: &str) -> usize {
    let (mut at, mut open) = (2, 1);
    while open > 0 {
        match rest.as_bytes().get(at..at + 2) {
            Some(b"/*") => (at, open) = (at + 2, open + 1),
            Some(b"*/") => (at, open) = (at + 2, open - 1),
            Some(_) => at += 1,
            None => return rest.len(),
        }
    }
    at
}

/// Returns the quoted text at the beginning of `rest`, and its length in bytes including the quotes. Inside the quotes,
/// a doubled quote means one quote. A backslash is dropped, and the next character belongs to the text, even if it is a
/// quote.
fn quoted_text(rest: &str, quote: char) -> (String, usize) {
    let mut text = String::new();
    let mut chars = rest.char_indices().skip(1).peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => text.extend(chars.next().map(|(_, escaped)| escaped)),
            _ if c == quote => match chars.next_if(|(_, next)| *next == quote) {
                Some(_) => text.push(quote),
                None => return (text, at + 1),
            },
            _ => text.push(c),
        }
    }
    (text, rest.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::double_quoted_values;

    #[test]
    fn double_quoted_text_after_comparison_or_in_list_is_value() {
        for (query, expected) in [
            (r#"SELECT 1 WHERE chain = "ethereum""#, &["ethereum"][..]),
            (r#"SELECT 1 WHERE chain != "a" AND b >= "c" OR d LIKE "e%""#, &["a", "c", "e%"]),
            (r#"SELECT 1 WHERE chain IN ("a", 'b', "c")"#, &["a", "c"]),
            (r#"SELECT 1 WHERE chain NOT IN (lower("a"), "b")"#, &["b"]),
            (r#"SELECT "chain" FROM t WHERE "chain" = 'a'"#, &[]),
            (r#"SELECT maker FROM t WHERE taker = "maker""#, &[]),
            (r#"SELECT x AS "total" FROM t WHERE y = "total""#, &[]),
            (r#"SELECT '= "a"', `b` -- = "c""#, &[]),
            (r#"SELECT 1 /* = "a" */ WHERE b = 'it''s "x"'"#, &[]),
            (r#"SELECT 1 WHERE a = /*/ "x" */ "y""#, &["y"]),
            (r#"SELECT 1 WHERE a = /* /* */ "x" */ "y" /*"#, &["y"]),
            ("SELECT 1 // = \"x\"\n WHERE a = \"y\" # = \"z\"", &["y"]),
            (r#"SELECT 1 WHERE a = "b"" c""#, &["b\" c"]),
            (r#"SELECT 1 WHERE a = "open"#, &["open"]),
            ("", &[]),
        ] {
            assert_eq!(double_quoted_values(query), expected, "{query}");
        }
    }

    proptest! {
        #[test]
        fn no_query_panics(query in r#"[a-z"'`=(),\\/*\-é 0-9]{0,60}"#) {
            double_quoted_values(&query);
        }
    }
}
