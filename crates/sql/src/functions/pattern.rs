//! Functions that match strings with LIKE patterns and regular expressions.
//!
//! `make` resolves a call by its function name and its argument types. It returns the result type and the
//! implementation of the function, or an error.

use std::sync::{Arc, Mutex, PoisonError};

use regex::bytes::{Regex, RegexBuilder};

use super::{Built, FunctionCall, Made, constants, count};
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

pub(crate) fn regex(text: &[u8]) -> Result<Regex> {
    compile(&String::from_utf8_lossy(text), false)
}

/// Compiles a LIKE pattern to a regular expression.
fn of_like(text: &[u8], any_case: bool) -> Result<Regex> {
    let text = String::from_utf8_lossy(text).into_owned();
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
            Ok(text(found.and_then(|found| found.get(1).or_else(|| found.get(0)))))
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
            let all = regex.captures_iter(v[0].bytes());
            let all = all.map(|found| text(found.get(1).or_else(|| found.get(0))));
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
        let (mut out, mut done) = (Vec::new(), 0);

        for found in regex.captures_iter(hay) {
            let Some(whole) = found.get(0) else { continue };
            out.extend_from_slice(&hay[done..whole.start()]);

            // `\1` stands for the text of the first capture group.
            let mut letters = new.iter().copied().peekable();
            while let Some(letter) = letters.next() {
                match (letter, letters.peek()) {
                    (b'\\', Some(digit)) if digit.is_ascii_digit() => {
                        let group = found.get(usize::from(digit - b'0'));
                        out.extend_from_slice(group.map_or(&b""[..], |group| group.as_bytes()));
                        letters.next();
                    }
                    (b'\\', Some(b'\\')) => {
                        out.push(b'\\');
                        letters.next();
                    }
                    _ => out.push(letter),
                }
            }

            done = whole.end();
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
        |text| compile(&String::from_utf8_lossy(text), true)
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
        Ok(Value::list(regex.split(v[1].bytes()).map(Value::text).collect()))
    })
}

fn match_any(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(2..=2)?;
    given.is_text(0)?;
    constants::check_needles(given)?;
    Built::new(BYTE, |v| {
        for pattern in v[1].items() {
            if regex(pattern.bytes())?.is_match(v[0].bytes()) {
                return Ok(Value::Int(1));
            }
        }
        Ok(Value::Int(0))
    })
}
