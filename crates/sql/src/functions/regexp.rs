//! Translates regular expressions from the syntax of RE2, the library of ClickHouse, to the syntax of the crate
//! `regex`.
//!
//! RE2 limits `\w`, `\d`, `\s` and `\b` to ASCII, and its classes have no operators such as `&&`. Escapes and flags
//! that RE2 does not support are errors.

use std::str::Chars;

use crate::problem::{Problem, Result};

/// Unicode classes that both libraries define alike.
const UNICODE_CLASSES: &str = "L Lu Ll Lt Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po S Sm Sc Sk So Z Zs Zl Zp \
    Latin Greek Cyrillic Han Hiragana Katakana Hangul Arabic Hebrew Thai";
const POSIX_CLASSES: &str =
    "alnum alpha ascii blank cntrl digit graph lower print punct space upper word xdigit";

fn fault<T>(reason: &str) -> Result<T> {
    Err(Problem::text(reason))
}

fn is_listed(name: &str, list: &str) -> bool {
    list.split(' ').any(|known| known == name)
}

/// Translates a pattern. The result has the same capture groups as the pattern.
pub(super) fn translate(pattern: &str) -> Result<String> {
    let mut letters = pattern.chars();
    let (mut out, mut was_repeated) = (String::new(), false);
    while let Some(letter) = letters.clone().next() {
        let rest = letters.as_str();
        let repeats = matches!(letter, '*' | '+' | '?') || is_count(rest)?;
        if repeats && was_repeated {
            return fault("a repetition directly follows a repetition");
        }
        was_repeated = repeats;

        if repeats {
            let length = if letter == '{' { rest.find('}').unwrap_or(0) + 1 } else { 1 };
            let length = length + usize::from(rest[length..].starts_with('?'));
            out.push_str(&rest[..length]);
            letters = rest[length..].chars();
        } else if let Some(set) = set(&mut letters)? {
            out.push_str(&set);
        } else if let Some(anchor @ ("\\b" | "\\B" | "\\A" | "\\z")) = rest.get(..2) {
            out.push_str(&format!("(?-u:{anchor})"));
            letters = rest[2..].chars();
        } else if letter == '[' {
            class(&mut letters, &mut out)?;
        } else if letter == '\\' || letter == '{' {
            out.push_str(&single(&mut letters)?);
        } else {
            check_group(rest)?;
            out.push(letter);
            letters.next();
        }
    }
    Ok(out)
}

/// Rejects groups such as `(?x)` and `(?P<a.b>)`, which only the crate `regex` supports.
fn check_group(text: &str) -> Result<()> {
    let Some(start) = text.strip_prefix("(?") else { return Ok(()) };
    let (flags, rest) = start.split_at(start.find([':', ')', '<']).unwrap_or(start.len()));
    let name = rest.strip_prefix('<').and_then(|rest| rest.split('>').next()).unwrap_or_default();
    if !name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_') {
        return fault("the name of a group can contain ASCII letters, digits and `_`");
    }
    if flags.contains(['u', 'x', 'R']) {
        return fault("the flags of a group can be `i`, `m`, `s` and `U`");
    }
    Ok(())
}

/// Returns true if the text starts with a count such as `{2,3}`. RE2 treats other braces as text.
fn is_count(text: &str) -> Result<bool> {
    let inner = text.strip_prefix('{').and_then(|text| text.split_once('}'));
    let Some((inner, _)) = inner else { return Ok(false) };
    let (low, high) = inner.split_once(',').unwrap_or((inner, inner));
    let is_number = |text: &str| {
        text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'))
    };
    if low.is_empty() || !is_number(low) || !is_number(high) {
        return Ok(false);
    }
    let is_large = |text: &str| text.parse::<u64>().map_or(!text.is_empty(), |count| count > 1000);
    if is_large(low) || is_large(high) { fault("a count is above 1000") } else { Ok(true) }
}

/// Translates an escape that stands for a set of characters, such as `\d`. Returns `None` for other text.
fn set(letters: &mut Chars<'_>) -> Result<Option<String>> {
    let rest = letters.as_str();
    let found = match rest.get(..2) {
        Some("\\d") => "[0-9]",
        Some("\\D") => "[^0-9]",
        Some("\\w") => "[0-9A-Za-z_]",
        Some("\\W") => "[^0-9A-Za-z_]",
        Some("\\s") => "[\\t\\n\\f\\r ]",
        Some("\\S") => "[^\\t\\n\\f\\r ]",

        Some(start @ ("\\p" | "\\P")) => {
            let braced = rest[2..].strip_prefix('{').and_then(|rest| rest.split_once('}'));
            let name = rest[2..].get(..1).filter(|_| braced.is_none());
            let (name, after) = braced.or(name.map(|name| (name, &rest[3..]))).unwrap_or_default();
            if !is_listed(name, UNICODE_CLASSES) {
                return fault(&format!("`{name}` is not a supported Unicode class"));
            }
            *letters = after.chars();
            return Ok(Some(format!("{start}{{{name}}}")));
        }
        _ => return Ok(None),
    };
    *letters = rest[2..].chars();
    Ok(Some(found.to_owned()))
}

/// Translates a single character, which can be an escape.
fn single(letters: &mut Chars<'_>) -> Result<String> {
    match letters.next() {
        Some('\\') => match letters.next() {
            Some(letter @ ('a' | 'f' | 'n' | 'r' | 't' | 'v')) => Ok(format!("\\{letter}")),
            Some('x') => {
                let rest = letters.as_str();
                let end =
                    if rest.starts_with('{') { rest.find('}').map_or(0, |at| at + 1) } else { 2 };
                let digits = rest.get(..end).unwrap_or_default();
                *letters = rest[digits.len()..].chars();
                Ok(format!("\\x{digits}"))
            }
            Some(letter) if letter.is_ascii() && !letter.is_ascii_alphanumeric() => {
                Ok(regex::escape(&letter.to_string()))
            }
            _ => fault("a backslash starts no supported escape"),
        },
        Some(letter) => Ok(regex::escape(&letter.to_string())),
        None => fault("a class has no end"),
    }
}

/// Translates a class such as `[a-z]`. Each character is escaped, because `regex` has operators inside classes.
fn class(letters: &mut Chars<'_>, out: &mut String) -> Result<()> {
    let start = if letters.as_str().starts_with("[^") { "[^" } else { "[" };
    out.push_str(start);
    *letters = letters.as_str()[start.len()..].chars();
    let mut is_first = true;

    while is_first || !letters.as_str().starts_with(']') {
        is_first = false;
        let rest = letters.as_str();
        if let Some((name, after)) = rest.strip_prefix("[:").and_then(|rest| rest.split_once(":]"))
        {
            if !is_listed(name.trim_start_matches('^'), POSIX_CLASSES) {
                return fault(&format!("`[:{name}:]` is not a class"));
            }
            out.push_str(&format!("[:{name}:]"));
            *letters = after.chars();
        } else if let Some(set) = set(letters)? {
            out.push_str(&set);
        } else {
            out.push_str(&single(letters)?);
            if letters.as_str().starts_with('-') && !letters.as_str().starts_with("-]") {
                letters.next();
                out.push('-');
                out.push_str(&single(letters)?);
            }
        }
    }

    letters.next();
    out.push(']');
    Ok(())
}
