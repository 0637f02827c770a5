//! Lexer, which splits the text of a query into tokens.
//!
//! The input is the text. The output is a list of tokens with their byte offsets, or an error. The error contains the
//! position in the text, unless the text is too long or contains a NUL character.

use crate::problem::{Problem, Result};

/// Maximum length of a query in bytes.
const LONGEST: usize = 64 << 10;

/// A token and its position in the query text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    /// Byte offset of the token in the query text.
    pub(crate) at: usize,
}

/// Kind of a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A word without quotes: a keyword or an identifier.
    Word(String),
    /// A quoted identifier. The flag is true for double quotes and false for backticks.
    Quoted(String, bool),
    /// A number as written in the query, without underscores.
    Number(String),
    /// Content of a string in single quotes. Escapes are already replaced.
    Text(Vec<u8>),
    /// An operator or a bracket.
    Symbol(&'static str),
    /// The end of the query text.
    End,
}

/// Operators and brackets, with the longest ones first.
const SYMBOLS: &[&str] = &[
    "<=>", "->", "::", "||", "<=", ">=", "<>", "!=", "==", "(", ")", "[", "]", "{", "}", ",", ";",
    ".", "+", "-", "*", "/", "%", "=", "<", ">", "?", ":",
];

/// Splits `text` into tokens. The last token is [`TokenKind::End`].
///
/// # Errors
/// Returns an error if the text is too long, contains a NUL character or contains an invalid token.
pub(crate) fn tokens(text: &str) -> Result<Vec<Token>> {
    if text.len() > LONGEST {
        return Err(Problem::text(format!("the query or type is longer than {LONGEST} bytes")));
    }
    if text.contains('\0') {
        return Err(Problem::text("the text contains a NUL character"));
    }

    let mut lexer = Lexer { text, at: 0 };
    let mut found = Vec::new();
    loop {
        lexer.skip_blanks()?;
        let at = lexer.at;
        let is_member = matches!(found.last(), Some(Token { kind: TokenKind::Symbol("."), .. }));
        let kind = lexer.next(is_member)?;
        let is_end = kind == TokenKind::End;
        found.push(Token { kind, at });
        if is_end {
            return Ok(found);
        }
    }
}

/// Formats a byte offset as line and column for error messages.
pub(crate) fn line_and_column(text: &str, at: usize) -> String {
    // The byte offset can be inside a character.
    let end = (0..=at.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    let before = &text[..end];
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    format!("line {line}, column {column}")
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn fault(&self, message: &str) -> Problem {
        Problem::text(format!("{message} at {}", line_and_column(self.text, self.at)))
    }

    fn skip_blanks(&mut self) -> Result<()> {
        loop {
            let rest = self.rest();
            let blanks = rest.len() - rest.trim_start().len();
            self.at += blanks;

            let rest = self.rest();
            if ["--", "//", "#!", "# "].iter().any(|start| rest.starts_with(start)) {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                self.at += comment(rest).ok_or_else(|| self.fault("a comment has no end"))?;
            } else if blanks == 0 {
                return Ok(());
            }
        }
    }

    /// Reads the next token. `is_member` is true after a dot: the tokens of `t.1.2` are `t`, `.`, `1`, `.` and `2`, not
    /// `1.2`.
    fn next(&mut self, is_member: bool) -> Result<TokenKind> {
        let Some(first) = self.peek() else { return Ok(TokenKind::End) };
        match first {
            '\'' => Ok(TokenKind::Text(self.quoted('\'')?)),
            '"' | '`' => {
                let name = String::from_utf8(self.quoted(first)?)
                    .map_err(|_| self.fault("a name is not valid UTF-8"))?;
                if name.is_empty() {
                    return Err(self.fault("a name is empty"));
                }
                Ok(TokenKind::Quoted(name, first == '"'))
            }
            '0'..='9' => self.number(is_member),
            c if c.is_alphabetic() || c == '_' => Ok(self.word()),
            _ => self.symbol(),
        }
    }

    fn word(&mut self) -> TokenKind {
        let rest = self.rest();
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let word = rest[..end].to_owned();
        self.at += end;
        TokenKind::Word(word)
    }

    fn symbol(&mut self) -> Result<TokenKind> {
        let found = SYMBOLS.iter().find(|symbol| self.rest().starts_with(**symbol));
        let symbol = *found.ok_or_else(|| {
            let what = self.peek().unwrap_or(' ');
            self.fault(&format!("`{}` is not a token of SQL", what.escape_debug()))
        })?;
        self.at += symbol.len();
        Ok(TokenKind::Symbol(symbol))
    }

    fn number(&mut self, is_member: bool) -> Result<TokenKind> {
        let rest = self.rest();
        let bytes = rest.as_bytes();
        let lower = rest.get(..2).map(str::to_ascii_lowercase);

        let end = match lower.as_deref() {
            _ if is_member => digits(bytes, |b| b.is_ascii_digit()),
            Some("0x") => 2 + digits(&bytes[2..], |b| b.is_ascii_hexdigit()),
            Some("0b") => 2 + digits(&bytes[2..], |b| matches!(b, b'0' | b'1')),
            _ => decimal(bytes),
        };

        let after = rest[end..].chars().next();
        if after.is_some_and(|c| c.is_alphanumeric() || c == '_') {
            return Err(self.fault("a letter, digit or underscore follows a number"));
        }
        let text = rest[..end].replace('_', "");
        self.at += end;
        Ok(TokenKind::Number(text))
    }

    /// Reads a quoted string or identifier. Two quotes in a row stand for one quote, and a backslash starts an escape.
    fn quoted(&mut self, quote: char) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut letters = self.rest().char_indices().skip(1).peekable();

        while let Some((at, letter)) = letters.next() {
            if letter == quote {
                if letters.peek().is_none_or(|(_, next)| *next != quote) {
                    self.at += at + quote.len_utf8();
                    return Ok(bytes);
                }
                letters.next();
                bytes.push(quote as u8);
            } else if letter == '\\' {
                let Some((at, escaped)) = letters.next() else { break };
                if escaped == 'x' {
                    let start = self.at + at + 1;
                    let byte = self.text.get(start..start + 2);
                    let byte = byte.and_then(|hex| u8::from_str_radix(hex, 16).ok());
                    bytes.push(byte.ok_or_else(|| self.fault("`\\x` needs two digits"))?);
                    letters.nth(1);
                } else {
                    escape(escaped, &mut bytes);
                }
            } else {
                bytes.extend(letter.encode_utf8(&mut [0; 4]).bytes());
            }
        }

        Err(self.fault("a string has no end"))
    }
}

/// Returns the length of the comment at the beginning of `text`, in bytes. A comment can contain other comments.
/// Returns `None` if the comment has no end.
fn comment(text: &str) -> Option<usize> {
    let (mut at, mut open) = (2, 1);
    while open > 0 {
        match text.as_bytes().get(at..at + 2)? {
            b"/*" => (at, open) = (at + 2, open + 1),
            b"*/" => (at, open) = (at + 2, open - 1),
            _ => at += 1,
        }
    }
    Some(at)
}

/// Returns the length of the digits at the beginning of `bytes`, including underscores between digits. For example, the
/// result is 5 for `1_000+x`.
fn digits(bytes: &[u8], is_digit: impl Fn(u8) -> bool) -> usize {
    let inside = |at: &usize| {
        let between =
            bytes[*at] == b'_' && *at > 0 && bytes.get(at + 1).is_some_and(|b| is_digit(*b));
        !(is_digit(bytes[*at]) || between)
    };
    (0..bytes.len()).find(inside).unwrap_or(bytes.len())
}

fn decimal(bytes: &[u8]) -> usize {
    let is_digit = |b: u8| b.is_ascii_digit();
    let mut end = digits(bytes, is_digit);
    if bytes.get(end) == Some(&b'.') {
        end += 1 + digits(&bytes[end + 1..], is_digit);
    }

    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let power = digits(&bytes[(end + 1 + sign).min(bytes.len())..], is_digit);
        if power > 0 {
            end += 1 + sign + power;
        }
    }
    end
}

/// Appends the character that an escape such as `\n` stands for. Unknown escapes are copied with their backslash.
fn escape(letter: char, bytes: &mut Vec<u8>) {
    match letter {
        'n' => bytes.push(b'\n'),
        't' => bytes.push(b'\t'),
        'r' => bytes.push(b'\r'),
        'b' => bytes.push(8),
        'f' => bytes.push(12),
        'a' => bytes.push(7),
        'v' => bytes.push(11),
        'e' => bytes.push(27),
        '0' => bytes.push(0),
        '\\' | '\'' | '"' | '`' | '/' => bytes.push(letter as u8),
        _ => {
            bytes.push(b'\\');
            bytes.extend(letter.encode_utf8(&mut [0; 4]).bytes());
        }
    }
}
