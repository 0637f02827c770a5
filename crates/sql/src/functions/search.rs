//! Functions that search, replace and split strings.
//!
//! The function `make` resolves a call by the name of the called function and the argument types. It returns the result
//! type and the implementation of the function, or an error.

use super::letters::{letter_count, letter_start};
use super::{Built, FunctionCall, Made, constants, count};
use crate::problem::{Problem, Result};
use crate::running::check_size;
use crate::types::{BYTE, Type, UINT64};
use crate::value::Value;

pub(super) fn make(given: &FunctionCall<'_>) -> Made {
    Some(match given.name {
        "position" | "positionCaseInsensitive" | "positionUTF8" | "locate" => position(given),
        "countSubstrings" | "countSubstringsCaseInsensitive" => occurrences(given),
        "replaceAll" | "replaceOne" => replace(given),
        "splitByChar" | "splitByString" | "splitByWhitespace" | "alphaTokens" => split(given),
        "splitByNonAlpha" => split(given),
        "splitPart" | "substringIndex" => piece(given),
        "arrayStringConcat" => join(given),
        "multiSearchAny" | "multiSearchAnyCaseInsensitive" => search_any(given),
        "hasToken" => has_token(given),
        _ => return None,
    })
}

/// Returns the byte index of the first occurrence of `needle` in `hay` that starts at or after `from`.
fn find(hay: &[u8], needle: &[u8], from: usize) -> Option<usize> {
    memchr::memmem::find(hay.get(from..)?, needle).map(|at| at + from)
}

fn position(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(2..=3)?;
    given.is(1, "String", |ty| *ty == Type::String)?;
    let are_constant = given.constant(0).is_some() && given.constant(1).is_some();
    match given.types[0] {
        Type::FixedString(_) if !are_constant => {
            let message = "a FixedString is accepted only if both arguments are constant";
            return Err(given.fault(&format!("{message}: use toString")));
        }
        Type::FixedString(_) => {}
        _ => given.is_text(0)?,
    }

    let swapped = given.name == "locate";
    let any_case = given.name == "positionCaseInsensitive";
    let letters = given.name == "positionUTF8";
    Built::new(UINT64, move |v| {
        let (mut hay, mut needle) = (v[0].bytes().to_vec(), v[1].bytes().to_vec());
        if swapped {
            std::mem::swap(&mut hay, &mut needle);
        }
        if any_case {
            hay.make_ascii_lowercase();
            needle.make_ascii_lowercase();
        }
        let from = v.get(2).map_or(0, |from| usize::try_from(from.int() - 1).unwrap_or(0));
        let start = if letters { letter_start(&hay, from) } else { Some(from) };
        let found = start.and_then(|start| find(&hay, &needle, start));
        Ok(found.map_or(Value::Int(0), |at| {
            count(1 + if letters { letter_count(&hay[..at]) } else { at })
        }))
    })
}

fn occurrences(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(2..=2)?;
    given.is_text(0)?;
    given.is_text(1)?;
    let any_case = given.name.ends_with("Insensitive");
    Built::new(UINT64, move |v| {
        let (mut hay, mut needle) = (v[0].bytes().to_vec(), v[1].bytes().to_vec());
        if any_case {
            hay.make_ascii_lowercase();
            needle.make_ascii_lowercase();
        }
        if needle.is_empty() {
            return Ok(Value::Int(0));
        }
        Ok(count(memchr::memmem::find_iter(&hay, &needle).count()))
    })
}

fn replace(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(3..=3)?;
    for at in 0..3 {
        given.is_text(at)?;
    }
    let once = given.name == "replaceOne";
    Built::new(Type::String, move |v| {
        let (hay, needle, new) = (v[0].bytes(), v[1].bytes(), v[2].bytes());
        if needle.is_empty() {
            return Ok(v[0].clone());
        }
        let (mut out, mut done) = (Vec::with_capacity(hay.len()), 0);
        for at in memchr::memmem::find_iter(hay, needle) {
            out.extend_from_slice(&hay[done..at]);
            out.extend_from_slice(new);
            done = at + needle.len();
            check_size(out.len())?;
            if once {
                break;
            }
        }
        out.extend_from_slice(&hay[done..]);
        Ok(Value::Text(out.into()))
    })
}

fn texts<'a>(parts: impl Iterator<Item = &'a [u8]>) -> Result<Value> {
    let parts: Vec<Value> = parts.map(Value::text).collect();
    check_size(parts.iter().map(Value::size).sum())?;
    Ok(Value::list(parts))
}

fn split(given: &FunctionCall<'_>) -> Result<Built> {
    let ty = Type::array(Type::String);
    if matches!(given.name, "splitByWhitespace" | "alphaTokens" | "splitByNonAlpha") {
        given.takes(1..=1)?;
        given.is_text(0)?;
        let is_cut: fn(&u8) -> bool = match given.name {
            "splitByWhitespace" => is_space,
            "alphaTokens" => |byte| !byte.is_ascii_alphabetic(),
            // ClickHouse does not treat `~` as punctuation.
            _ => |byte| is_space(byte) || byte.is_ascii_punctuation() && *byte != b'~',
        };
        return Built::new(ty, move |v| {
            texts(v[0].bytes().split(is_cut).filter(|p| !p.is_empty()))
        });
    }

    given.takes(2..=3)?;
    given.is_text(0)?;
    given.is_text(1)?;
    if given.count() == 3 {
        given.is_int(2)?;
    }
    if given.name == "splitByChar"
        && let Some(separator) = given.constant(0)
        && separator.bytes().len() != 1
    {
        return Err(given.fault("the separator must be a single byte"));
    }
    Built::new(ty, |v| {
        let most = v.get(2).map_or(0, Value::int);
        let parts = split_bytes(v[1].bytes(), v[0].bytes());
        let most = if most > 0 { usize::try_from(most).unwrap_or(usize::MAX) } else { usize::MAX };
        texts(parts.into_iter().take(most))
    })
}

/// Returns true for white space. As in ClickHouse, this includes the vertical tab.
fn is_space(byte: &u8) -> bool {
    byte.is_ascii_whitespace() || *byte == b'\x0B'
}

/// Splits a string at each separator. If the separator is empty, splits the string into single bytes.
fn split_bytes<'a>(text: &'a [u8], separator: &[u8]) -> Vec<&'a [u8]> {
    if separator.is_empty() {
        return text.chunks(1).collect();
    }
    let (mut parts, mut done) = (Vec::new(), 0);
    for at in memchr::memmem::find_iter(text, separator) {
        parts.push(&text[done..at]);
        done = at + separator.len();
    }
    parts.push(&text[done..]);
    parts
}

fn piece(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(3..=3)?;
    given.is_text(0)?;
    given.is_text(1)?;
    given.is_int(2)?;
    let is_part = given.name == "splitPart";
    if is_part {
        return Err(given.fault("the function is not supported: use splitByString and an index"));
    }
    if given.constant(1).is_some_and(|separator| separator.bytes().len() > 1) {
        return Err(given.fault("the separator must be a single byte"));
    }
    Built::new(Type::String, |v| {
        let (text, separator, n) = (v[0].bytes(), v[1].bytes(), v[2].int());
        if i64::try_from(n).is_err() {
            return Err(Problem::text("the maximum number of substrings must fit into Int64"));
        }
        if n == 0 || separator.is_empty() {
            return Ok(Value::text(""));
        }
        let parts = split_bytes(text, separator);
        let wanted = usize::try_from(n.unsigned_abs()).unwrap_or(usize::MAX).min(parts.len());
        let kept = if n > 0 { &parts[..wanted] } else { &parts[parts.len() - wanted..] };
        Ok(Value::text(kept.join(separator)))
    })
}

fn join(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(1..=2)?;
    let of = given.element(0)?;
    if given.count() == 2 {
        given.is_text(1)?;
    }
    Built::new(Type::String, move |v| {
        let separator = v.get(1).map_or(&b""[..], Value::bytes);
        let mut out = Vec::new();
        let known = v[0].items().iter().filter(|item| !item.is_null());
        for (at, item) in known.enumerate() {
            if at > 0 {
                out.extend_from_slice(separator);
            }
            match of.bare() {
                Type::FixedString(_) => {
                    out.extend_from_slice(crate::text::without_padding(item.bytes()));
                }
                of => crate::text::write(item, of, &mut out),
            }
            check_size(out.len())?;
        }
        Ok(Value::Text(out.into()))
    })
}

fn has_token(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(2..=2)?;
    given.is_text(0)?;
    given.is_text(1)?;
    Built::new(BYTE, |v| {
        let mut words = v[0].bytes().split(|b| b.is_ascii() && !b.is_ascii_alphanumeric());
        Ok(Value::bool(words.any(|word| word == v[1].bytes())))
    })
}

fn search_any(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(2..=2)?;
    given.is_text(0)?;
    constants::check_needles(given)?;
    let any_case = given.name.ends_with("Insensitive");
    Built::new(BYTE, move |v| {
        let mut hay = v[0].bytes().to_vec();
        if any_case {
            hay.make_ascii_lowercase();
        }
        let found = v[1].items().iter().any(|needle| {
            let needle = needle.bytes();
            let needle = if any_case { needle.to_ascii_lowercase() } else { needle.to_vec() };
            find(&hay, &needle, 0).is_some()
        });
        Ok(Value::bool(found))
    })
}
