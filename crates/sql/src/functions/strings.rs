//! String functions, such as `lower`, `substring` and `format`.
//!
//! `make` returns the result type and the implementation for a function name and argument types, or an error.

use super::encodings::{base64, base64_decoder, hex_of_number, unhex};
use super::letters::{check_utf8, letter_count, letter_starts, reverse_letters, split_letters};
use super::{Built, FunctionCall, Made, constants, count, signed, signed_length, slice};
use crate::problem::{Problem, Result};
use crate::running::check_size;
use crate::text;
use crate::types::{BYTE, Type, UINT64};
use crate::value::Value;

pub(super) fn make(given: &FunctionCall<'_>) -> Made {
    Some(match given.name {
        "lower" | "upper" | "lowerUTF8" | "upperUTF8" | "initcap" | "reverse" | "reverseUTF8"
        | "hex" | "unhex" | "base64Encode" | "base64Decode" => unary(given),
        "length" | "lengthUTF8" | "empty" | "notEmpty" | "ascii" => measure(given),
        "substring" | "substringUTF8" | "left" | "right" | "leftUTF8" | "rightUTF8" => {
            substring(given)
        }
        "concat" | "concatWithSeparator" => concat(given),
        "leftPad" | "rightPad" | "leftPadUTF8" | "rightPadUTF8" => pad(given),
        "repeat" | "space" => repeat(given),
        "trimBoth" | "trimLeft" | "trimRight" => trim(given),
        "translate" => translate(given),
        "format" => format(given),
        "char" => chars(given),
        "startsWith" | "endsWith" => edge(given),
        _ => return None,
    })
}

fn unary(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(1..=1)?;

    if given.name == "reverse" && matches!(given.types[0], Type::Array(_)) {
        return Built::new(given.types[0].clone(), |v| {
            Ok(Value::list(v[0].items().iter().rev().cloned().collect()))
        });
    }
    if given.name == "hex" && !given.types[0].is_text() {
        return hex_of_number(given);
    }

    given.is_text(0)?;
    let of: fn(&[u8]) -> Vec<u8> = match given.name {
        "lower" => |text| text.to_ascii_lowercase(),
        "upper" => |text| text.to_ascii_uppercase(),
        "lowerUTF8" => |text| with_each_valid(text, str::to_lowercase),
        "upperUTF8" => |text| with_each_valid(text, str::to_uppercase),
        "initcap" => initcap,
        "reverse" => |text| text.iter().rev().copied().collect(),
        "reverseUTF8" => reverse_letters,
        "hex" => |text| text.iter().flat_map(|byte| format!("{byte:02X}").into_bytes()).collect(),
        "unhex" => unhex,
        "base64Encode" => base64,
        _ => return base64_decoder(given),
    };

    let keeps_size = matches!(given.name, "lower" | "upper" | "initcap" | "reverse");
    let ty = if keeps_size { given.types[0].clone() } else { Type::String };
    Built::new(ty, move |v| Ok(Value::Text(of(v[0].bytes()).into())))
}

fn initcap(text: &[u8]) -> Vec<u8> {
    let mut begins = true;
    let letter = |byte: &u8| {
        let changed = if begins { byte.to_ascii_uppercase() } else { byte.to_ascii_lowercase() };
        begins = !byte.is_ascii_alphanumeric();
        changed
    };
    text.iter().map(letter).collect()
}

fn measure(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(1..=1)?;
    let is_list = matches!(given.types[0], Type::Array(_) | Type::Map(..));
    if !is_list || matches!(given.name, "lengthUTF8" | "ascii") {
        given.is_text(0)?;
    }
    let size = move |value: &Value| if is_list { value.items().len() } else { value.bytes().len() };
    let is_fixed = matches!(given.types[0], Type::FixedString(_));
    let is_empty = move |value: &Value| {
        if is_fixed { value.bytes().iter().all(|byte| *byte == 0) } else { size(value) == 0 }
    };
    match given.name {
        "length" => Built::new(UINT64, move |v| Ok(count(size(&v[0])))),
        "lengthUTF8" => Built::new(UINT64, |v| Ok(count(letter_count(v[0].bytes())))),
        "empty" => Built::new(BYTE, move |v| Ok(Value::bool(is_empty(&v[0])))),
        "notEmpty" => Built::new(BYTE, move |v| Ok(Value::bool(!is_empty(&v[0])))),
        _ => Built::new(Type::int(32, true), |v| {
            Ok(Value::Int(v[0].bytes().first().copied().unwrap_or(0).into()))
        }),
    }
}

fn substring(given: &FunctionCall<'_>) -> Result<Built> {
    let is_edge = given.name.starts_with("left") || given.name.starts_with("right");
    given.takes(if is_edge { 2..=2 } else { 2..=3 })?;
    given.is_text(0)?;
    for at in 1..given.count() {
        given.is_int(at)?;
    }

    // If the strings are not constant, ClickHouse rejects the constant 0, and also an index such as `ifNull(0, x)`.
    // Otherwise it returns an empty string.
    let can_reject = !is_edge && given.constant(0).is_none();
    let rejects_zero = can_reject
        && constants::has_one_value(&given.nodes[1])
        && !given.nodes[2..].iter().any(|node| constants::varies(node));
    let start =
        if rejects_zero { constants::one_constant(&given.nodes[1]) } else { given.constant(1) };
    if can_reject && start.is_some_and(|start| !start.is_null() && start.int() == 0) {
        return Err(given.fault("indexes begin at 1"));
    }

    let letters = given.name.ends_with("UTF8");
    let name = given.name.trim_end_matches("UTF8").to_owned();
    Built::new(Type::String, move |v| {
        let text = v[0].bytes();
        let n = if is_edge { signed_length(&v[1])? } else { signed(&v[1]) };
        let is_from_end = if name == "right" { n > 0 } else { n < 0 };
        if letters && is_from_end {
            check_utf8(text)?;
        }

        let starts = if letters { letter_starts(text) } else { Vec::new() };
        let size = if letters { starts.len() } else { text.len() };
        let whole = i128::try_from(size).unwrap_or(i128::MAX);
        let range = match name.as_str() {
            "left" => slice(size, 1, Some(n)),
            "right" if n < 0 => slice(size, 1 - n, None),
            "right" => slice(size, 1 + (whole - n).max(0), None),
            _ if n == 0 && rejects_zero => {
                return Err(Problem::text("the indexes of `substring` start at 1"));
            }
            _ if n == 0 => 0..0,
            _ => {
                // If a substring starts before the string, its length is reduced by the distance to the start of the
                // string.
                let length = v.get(2).map(signed_length).transpose()?;
                slice(size, n, length)
            }
        };
        if letters {
            let place = |letter: usize| starts.get(letter).copied().unwrap_or(text.len());
            return Ok(Value::text(&text[place(range.start)..place(range.end)]));
        }
        Ok(Value::text(&text[range]))
    })
}

fn concat(given: &FunctionCall<'_>) -> Result<Built> {
    let arrays = given.types.iter().filter(|ty| matches!(ty, Type::Array(_))).count();
    if given.name == "concat" && arrays > 0 {
        return super::arrays::concat(given);
    }
    let are_all = |test: fn(&Type) -> bool| given.count() > 1 && given.types.iter().all(test);
    if given.name == "concat" && are_all(|ty| matches!(ty, Type::Tuple(_))) {
        return super::maps::concat(given);
    }
    if given.name == "concat" && are_all(|ty| matches!(ty, Type::Map(..))) {
        return super::maps::concat_maps(given);
    }

    let with_separator = given.name == "concatWithSeparator";
    if with_separator {
        given.is_text(0)?;
    }
    if given.count() == 0 {
        return Err(given.fault("the function needs at least one argument"));
    }
    let types = given.types.clone();
    Built::new(Type::String, move |v| {
        let mut out = Vec::new();
        let first = usize::from(with_separator);
        for (at, (value, ty)) in v.iter().zip(&types).enumerate().skip(first) {
            if with_separator && at > 1 {
                out.extend_from_slice(v[0].bytes());
            }
            text::write(value, ty, &mut out);
            check_size(out.len())?;
        }
        Ok(Value::Text(out.into()))
    })
}

fn pad(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(2..=3)?;
    given.is_text(0)?;
    given.is_any_int(1)?;
    if given.count() == 3 {
        given.is_text(2)?;
    }

    let letters = given.name.ends_with("UTF8");
    let left = given.name.starts_with("left");
    Built::new(Type::String, move |v| {
        if v[1].int() < 0 {
            return Err(Problem::text("the padded length must not be negative"));
        }
        let wanted = usize::try_from(v[1].int()).unwrap_or(usize::MAX);
        check_size(wanted)?;

        let split = |value: &Value| -> Vec<Vec<u8>> {
            // A character starts at each byte that is not a continuation byte. Continuation bytes at the start belong
            // to the first character.
            let is_inside = |byte: &u8| letters && byte & 0xC0 == 0x80;
            let bytes = value.bytes();
            let before = bytes.iter().take_while(|byte| is_inside(byte)).count();
            let parts = bytes[before..].chunk_by(|_, next| is_inside(next));
            let mut parts: Vec<Vec<u8>> = parts.map(<[u8]>::to_vec).collect();
            if let Some(first) = parts.first_mut() {
                first.splice(0..0, bytes[..before].iter().copied());
            }
            parts
        };

        let text = split(&v[0]);
        let filler = v.get(2).map(Value::bytes).filter(|filler| !filler.is_empty()).unwrap_or(b" ");
        let filler =
            if letters { split_letters(filler) } else { filler.chunks(1).collect::<Vec<_>>() };

        if text.is_empty() && wanted == 0 {
            return Ok(v[0].clone());
        }
        if text.len() >= wanted {
            return Ok(Value::text(text[..wanted].concat()));
        }
        let added: Vec<u8> =
            filler.iter().cycle().take(wanted - text.len()).copied().flatten().copied().collect();
        // A string of continuation bytes has no character, but its bytes stay.
        let text = if text.is_empty() { v[0].bytes().to_vec() } else { text.concat() };
        Ok(Value::text(if left { [added, text].concat() } else { [text, added].concat() }))
    })
}

fn repeat(given: &FunctionCall<'_>) -> Result<Built> {
    let is_space = given.name == "space";
    given.takes(if is_space { 1..=1 } else { 2..=2 })?;
    if is_space {
        given.is_int(0)?;
    } else {
        given.is_text(0)?;
        given.is_any_int(1)?;
    }
    Built::new(Type::String, move |v| {
        let text = if is_space { b" " } else { v[0].bytes() };
        let times = usize::try_from(v[v.len() - 1].int().max(0)).unwrap_or(usize::MAX);
        if times > 1_000_000 {
            let message = "a string can be repeated at most 1000000 times";
            return Err(crate::problem::Problem::TooMuch(message.to_owned()));
        }
        check_size(text.len().saturating_mul(times))?;
        Ok(Value::Text(text.repeat(times).into()))
    })
}

fn trim(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(1..=2)?;
    for at in 0..given.count() {
        given.is_text(at)?;
    }
    let name = given.name.to_owned();
    Built::new(Type::String, move |v| {
        let letters = v.get(1).map_or(&b" "[..], Value::bytes);
        let is_cut = |byte: &u8| letters.contains(byte);
        let mut text = v[0].bytes();
        if name != "trimRight" {
            let start = text.iter().position(|byte| !is_cut(byte)).unwrap_or(text.len());
            text = &text[start..];
        }
        if name != "trimLeft" {
            let end = text.iter().rposition(|byte| !is_cut(byte)).map_or(0, |at| at + 1);
            text = &text[..end];
        }
        Ok(Value::text(text))
    })
}

fn translate(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(3..=3)?;
    for at in 0..3 {
        given.is_text(at)?;
    }
    let is_fixed = matches!(given.types[0], Type::FixedString(_));
    if let (Some(Value::Text(from)), Some(Value::Text(to))) = (given.constant(1), given.constant(2))
    {
        if !from.is_ascii() || !to.is_ascii() {
            return Err(given.fault("arguments 2 and 3 must be ASCII strings"));
        }
        let (from, to) = (from.len(), to.len());
        if is_fixed && from != to {
            return Err(given.fault("arguments 2 and 3 must be strings of equal length"));
        }
        if from < to {
            return Err(given.fault("argument 3 must not be longer than argument 2"));
        }
    }

    Built::new(given.types[0].clone(), |v| {
        let (from, to) = (v[1].bytes(), v[2].bytes());
        let letter = |byte: &u8| match from.iter().position(|known| known == byte) {
            Some(at) => to.get(at).copied(),
            None => Some(*byte),
        };
        Ok(Value::Text(v[0].bytes().iter().filter_map(letter).collect::<Vec<u8>>().into()))
    })
}

/// Creates `format(pattern, args..)`, which replaces `{}` or `{0}` in the pattern by arguments.
fn format(given: &FunctionCall<'_>) -> Result<Built> {
    if given.count() < 2 {
        return Err(given.fault("the pattern or its first argument is missing"));
    }
    let pattern = given.constant_text(0)?;
    let (pieces, end) = format_pieces(&pattern, given.count() - 1)
        .ok_or_else(|| given.fault("the pattern contains an invalid placeholder"))?;
    let types = given.types.clone();

    Built::new(Type::String, move |v| {
        let mut out = Vec::new();
        for (before, place) in &pieces {
            out.extend_from_slice(before.as_bytes());
            text::write(&v[place + 1], &types[place + 1], &mut out);
            check_size(out.len())?;
        }
        out.extend_from_slice(end.as_bytes());
        Ok(Value::Text(out.into()))
    })
}

/// Splits a pattern of `format` into its placeholders. Returns the text before each placeholder with the index of the
/// placeholder's argument, and the text after the last placeholder. Each index is less than `count`. Returns `None` if
/// a placeholder is invalid, or if the pattern contains both `{}` and a placeholder with a number, such as `{0}`.
fn format_pieces(pattern: &str, count: usize) -> Option<(Vec<(String, usize)>, String)> {
    let (mut pieces, mut before, mut rest) = (Vec::new(), String::new(), pattern);
    let mut are_numbered = None;
    while let Some(at) = rest.find(['{', '}']) {
        before.push_str(&rest[..at]);
        let sign = &rest[at..=at];
        if rest[at + 1..].starts_with(sign) {
            before.push_str(sign);
            rest = &rest[at + 2..];
            continue;
        }

        let (inside, after) = rest[at..].strip_prefix('{')?.split_once('}')?;
        let is_numbered = !inside.is_empty();
        // In ClickHouse, `}}` does not end a placeholder.
        if *are_numbered.get_or_insert(is_numbered) != is_numbered || after.starts_with('}') {
            return None;
        }
        let is_number = inside.bytes().all(|byte| byte.is_ascii_digit());
        let place = if is_numbered { inside.parse().ok()? } else { pieces.len() };
        if !is_number || place >= count {
            return None;
        }
        pieces.push((std::mem::take(&mut before), place));
        rest = after;
    }

    before.push_str(rest);
    Some((pieces, before))
}

fn chars(given: &FunctionCall<'_>) -> Result<Built> {
    for at in 0..given.count() {
        given.is(at, "a number of at most 64 bits", |ty| {
            ty.is_int() && !ty.is_wide() || ty.is_float()
        })?;
    }
    Built::new(Type::String, |v| {
        let byte = |value: &Value| crate::value::wrap(value.int(), 8, false).to_le_bytes()[0];
        Ok(Value::Text(v.iter().map(byte).collect::<Vec<u8>>().into()))
    })
}

fn edge(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(2..=2)?;
    given.is_text(0)?;
    given.is_text(1)?;
    let starts = given.name == "startsWith";
    Built::new(BYTE, move |v| {
        let (text, edge) = (v[0].bytes(), v[1].bytes());
        Ok(Value::bool(if starts { text.starts_with(edge) } else { text.ends_with(edge) }))
    })
}

/// Applies `change` to the parts of a text that are valid UTF-8. Other bytes stay unchanged.
fn with_each_valid(text: &[u8], change: fn(&str) -> String) -> Vec<u8> {
    let parts = text.utf8_chunks();
    parts.flat_map(|part| [change(part.valid()).as_bytes(), part.invalid()].concat()).collect()
}
