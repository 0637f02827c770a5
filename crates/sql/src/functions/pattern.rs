//! Functions that match strings with LIKE patterns and regular expressions.
//!
//! `make` returns the result type and the implementation for a function name and argument types, or an error.

use std::sync::{Arc, Mutex, PoisonError};

use regex::bytes::{Captures, Regex, RegexBuilder};

use super::{Built, FunctionCall, Made, constants, count, regexp};
use crate::problem::{Problem, Result};
use crate::running::check_size;
use crate::types::{BYTE, Type, UINT64};
use crate::value::Value;

pub(super) fn make(given: &FunctionCall<'_>) -> Made {
    Some(match given.name {
        "like" | "notLike" | "ilike" | "notILike" => like(given),
        "match" => test(given),
        "extract" | "extractAll" | "extractGroups" | "regexpExtract" => extract(given),
        "replaceRegexpOne" | "replaceRegexpAll" => replace(given),
        "countMatches" | "countMatchesCaseInsensitive" => matches(given),
        "splitByRegexp" => split(given),
        "multiMatchAny" => match_any(given),
        _ => return None,
    })
}

/// Cache of the last compiled pattern. In most queries, all rows use the same pattern.
struct Patterns {
    last: Mutex<Option<(Vec<u8>, Arc<Regex>)>>,
    read: fn(&[u8]) -> Result<Regex>,
}

impl Patterns {
    /// Creates a cache that compiles patterns with `read`. The argument with index `at` contains the pattern. If this
    /// argument is constant, the pattern is compiled now.
    fn new(given: &FunctionCall<'_>, at: usize, read: fn(&[u8]) -> Result<Regex>) -> Result<Self> {
        let patterns = Patterns { last: Mutex::new(None), read };
        if let Some(value) = given.constant(at) {
            patterns.get(value.bytes())?;
        }
        Ok(patterns)
    }

    fn get(&self, text: &[u8]) -> Result<Arc<Regex>> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, regex)) = &*last
            && known == text
        {
            return Ok(Arc::clone(regex));
        }
        let regex = Arc::new((self.read)(text)?);
        *last = Some((text.to_vec(), Arc::clone(&regex)));
        Ok(regex)
    }
}

fn compile(pattern: &str, any_case: bool) -> Result<Regex> {
    RegexBuilder::new(pattern)
        .case_insensitive(any_case)
        .dot_matches_new_line(true)
        .unicode(true)
        .size_limit(1 << 20)
        .build()
        .map_err(|error| {
            let last = error.to_string();
            let reason = last.lines().last().unwrap_or_default().trim().to_owned();
            Problem::text(format!("`{pattern}` is not a regular expression: {reason}"))
        })
}

/// Returns a pattern as a string. ClickHouse reads a pattern that is not UTF-8 as Latin-1, which is not supported.
fn utf8(pattern: &[u8]) -> Result<&str> {
    std::str::from_utf8(pattern).map_err(|_| Problem::text("the pattern is not valid UTF-8"))
}

/// Compiles a regular expression in the syntax of RE2.
fn regex_in_case(text: &[u8], any_case: bool) -> Result<Regex> {
    let pattern = utf8(text)?;
    let translated = regexp::translate(pattern).map_err(|problem| {
        Problem::text(format!("`{pattern}` is not a regular expression: {problem}"))
    })?;
    compile(&translated, any_case)
}

fn regex(text: &[u8]) -> Result<Regex> {
    regex_in_case(text, false)
}

/// Returns the first capture group of a match. Without groups in the pattern, returns the whole match.
fn first_group<'h>(regex: &Regex, found: &Captures<'h>) -> Option<regex::bytes::Match<'h>> {
    found.get(usize::from(regex.captures_len() > 1))
}

/// Returns the matches before the first empty match, where ClickHouse stops.
fn filled_matches<'h>(regex: &Regex, text: &'h [u8]) -> impl Iterator<Item = Captures<'h>> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let found = regex.captures_at(text, start)?;
        let whole = found.get(0).filter(|whole| !whole.is_empty())?;
        start = whole.end();
        Some(found)
    })
}

/// Compiles a LIKE pattern to a regular expression.
fn of_like(text: &[u8], any_case: bool) -> Result<Regex> {
    let text = utf8(text)?;
    // A percent sign at the start or at the end also matches bytes that are not UTF-8.
    let inner = text.trim_start_matches('%');
    let mut pattern = String::from(if inner.len() == text.len() { "^" } else { "" });
    let start = inner.trim_end_matches('%');
    let is_escaped = start.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1;
    let (inner, end) = if is_escaped || start == inner { (inner, "$") } else { (start, "") };
    let mut letters = inner.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '%' => pattern.push_str(".*"),
            '_' => pattern.push('.'),
            '\\' => match letters.next() {
                Some(escaped @ ('%' | '_' | '\\')) => {
                    pattern.push_str(&regex::escape(&escaped.to_string()))
                }
                Some(other) => pattern.push_str(&regex::escape(&format!("\\{other}"))),
                None => return Err(Problem::text("a LIKE pattern ends in a backslash")),
            },
            other => pattern.push_str(&regex::escape(&other.to_string())),
        }
    }
    pattern.push_str(end);
    compile(&pattern, any_case)
}

fn like(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(2..=2)?;
    given.is_text(0)?;
    given.is_text(1)?;
    let any_case = given.name.to_ascii_lowercase().contains("ilike");
    let negated = given.name.starts_with("not");
    let read: fn(&[u8]) -> Result<Regex> =
        if any_case { |text| of_like(text, true) } else { |text| of_like(text, false) };
    let patterns = Patterns::new(given, 1, read)?;
    Built::new(BYTE, move |v| {
        let regex = patterns.get(v[1].bytes())?;
        Ok(Value::bool(regex.is_match(v[0].bytes()) != negated))
    })
}

fn test(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(2..=2)?;
    given.is_text(0)?;
    given.is_text(1)?;
    let patterns = Patterns::new(given, 1, regex)?;
    Built::new(BYTE, move |v| Ok(Value::bool(patterns.get(v[1].bytes())?.is_match(v[0].bytes()))))
}

fn extract(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(2..=3)?;
    given.is_text(0)?;
    given.is_text(1)?;
    if given.count() == 3 {
        given.is_int(2)?;
    }

    let patterns = Patterns::new(given, 1, regex)?;
    let text = |found: Option<regex::bytes::Match<'_>>| {
        Value::text(found.map_or(&b""[..], |found| found.as_bytes()))
    };

    match given.name {
        "extract" => Built::new(Type::String, move |v| {
            let regex = patterns.get(v[1].bytes())?;
            let found = regex.captures(v[0].bytes());
            Ok(text(found.and_then(|found| first_group(&regex, &found))))
        }),
        "regexpExtract" => Built::new(Type::String, move |v| {
            let regex = patterns.get(v[1].bytes())?;
            let group = v.get(2).map_or(1, Value::int);
            let group = usize::try_from(group).unwrap_or(usize::MAX);
            if group >= regex.captures_len() {
                return Err(Problem::text("`regexpExtract`: the group index is out of range"));
            }
            Ok(text(regex.captures(v[0].bytes()).and_then(|found| found.get(group))))
        }),

        "extractAll" => Built::new(Type::array(Type::String), move |v| {
            let regex = patterns.get(v[1].bytes())?;
            let all = filled_matches(&regex, v[0].bytes());
            let all = all.map(|found| text(first_group(&regex, &found)));
            Ok(Value::list(all.collect()))
        }),
        _ => Built::new(Type::array(Type::String), move |v| {
            let regex = patterns.get(v[1].bytes())?;
            if regex.captures_len() == 1 {
                return Err(Problem::text("`extractGroups`: the pattern has no groups"));
            }
            let found = regex.captures(v[0].bytes());
            let groups = found
                .map(|found| (1..regex.captures_len()).map(|at| text(found.get(at))).collect());
            Ok(Value::list(groups.unwrap_or_default()))
        }),
    }
}

fn replace(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(3..=3)?;
    for at in 0..3 {
        given.is_text(at)?;
    }

    let patterns = Patterns::new(given, 1, regex)?;
    let once = given.name == "replaceRegexpOne";
    Built::new(Type::String, move |v| {
        let regex = patterns.get(v[1].bytes())?;
        let (hay, new) = (v[0].bytes(), v[2].bytes());
        let (mut out, mut done, mut start) = (Vec::new(), 0, 0);
        // An empty pattern matches nothing here.
        let end = if v[1].bytes().is_empty() { 0 } else { hay.len() + 1 };

        while start < end
            && let Some(found) = regex.captures_at(hay, start)
            && let Some(whole) = found.get(0)
        {
            out.extend_from_slice(&hay[done..whole.start()]);

            // `\1` stands for the text of the first capture group.
            let mut letters = new.iter().copied().peekable();
            while let Some(letter) = letters.next() {
                match (letter, letters.peek()) {
                    (b'\\', Some(digit)) if digit.is_ascii_digit() => {
                        let group = usize::from(digit - b'0');
                        if group >= regex.captures_len() {
                            return Err(Problem::text("the replacement names an unknown group"));
                        }
                        let group = found.get(group);
                        out.extend_from_slice(group.map_or(&b""[..], |group| group.as_bytes()));
                        letters.next();
                    }
                    (b'\\', Some(_)) => out.extend(letters.next()),
                    _ => out.push(letter),
                }
            }

            done = whole.end();
            start = done + usize::from(whole.is_empty());
            check_size(out.len())?;
            if once {
                break;
            }
        }

        out.extend_from_slice(&hay[done..]);
        Ok(Value::Text(out.into()))
    })
}

fn matches(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(2..=2)?;
    given.is_text(0)?;
    given.is_text(1)?;
    let read: fn(&[u8]) -> Result<Regex> = if given.name.ends_with("Insensitive") {
        |text| match text.is_ascii() {
            true => regex_in_case(text, true),
            // ClickHouse ignores the case of non-ASCII letters in some patterns only.
            false => Err(Problem::text("`countMatchesCaseInsensitive` needs an ASCII pattern")),
        }
    } else {
        regex
    };
    let patterns = Patterns::new(given, 1, read)?;
    Built::new(UINT64, move |v| {
        let regex = patterns.get(v[1].bytes())?;
        let found = regex.find_iter(v[0].bytes()).filter(|found| !found.is_empty());
        Ok(count(found.count()))
    })
}

fn split(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(2..=2)?;
    given.is_text(0)?;
    given.is_text(1)?;
    let patterns = Patterns::new(given, 0, regex)?;
    Built::new(Type::array(Type::String), move |v| {
        let regex = patterns.get(v[0].bytes())?;
        if v[0].bytes().is_empty() {
            return Ok(Value::list(v[1].bytes().chunks(1).map(Value::text).collect()));
        }
        let (text, mut parts, mut done) = (v[1].bytes(), Vec::new(), 0);
        for whole in filled_matches(&regex, text).filter_map(|found| found.get(0)) {
            parts.push(Value::text(&text[done..whole.start()]));
            done = whole.end();
        }
        parts.push(Value::text(&text[done..]));
        Ok(Value::list(parts))
    })
}

fn match_any(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(2..=2)?;
    given.is_text(0)?;
    constants::check_needles(given)?;
    Built::new(BYTE, |v| {
        let text = v[0].bytes();
        // ClickHouse uses Hyperscan here. `$` also matches before a final line break, and `\s` matches a vertical tab.
        let is_unclear = text.ends_with(b"\n") || text.contains(&b'\x0b');
        for pattern in v[1].items() {
            if is_unclear && pattern.bytes().iter().any(|byte| matches!(byte, b'$' | b'\\')) {
                return Err(Problem::text(
                    "`multiMatchAny` does not support `$` and `\\` in a pattern if the text ends with a line break or contains a vertical tab",
                ));
            }
            if regex(pattern.bytes())?.is_match(text) {
                return Ok(Value::Int(1));
            }
        }
        Ok(Value::Int(0))
    })
}
