//! Generates JSON texts of records from the fuzzer's bytes. Most fields have their declared type. The other fields are
//! missing, unknown, repeated, null or of another type, as in the responses of a faulty service.

use crypto_intel_api::generated::tables;
use crypto_intel_core::Type;
use libfuzzer_sys::arbitrary::{Result, Unstructured};

/// Maximum nesting depth of generated records. Record types can contain themselves.
const DEPTH: usize = 4;
/// Numbers in spellings and sizes that JSON decoders often handle differently.
const NUMBERS: [&str; 16] = [
    "0",
    "-0",
    "-0.0",
    "1.0",
    "1.50",
    "1e3",
    "1E-7",
    "0.1",
    "12345678901234567890.123456789",
    "9007199254740993",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "18446744073709551616",
    "1e400",
    "1e-400",
];
const STRINGS: [&str; 10] = [
    "",
    "BTC",
    "1.5",
    "2026-01-31",
    "2026-01-31T10:20:30.5Z",
    "0000-13-40",
    "a\"b\\c",
    "\u{1f600}\u{0}",
    "null",
    "-",
];

/// Appends a JSON value of this type to `out`. Sometimes appends a value of another type instead.
pub fn value(
    input: &mut Unstructured<'_>,
    ty: &Type,
    depth: usize,
    out: &mut String,
) -> Result<()> {
    if input.ratio(1, 16)? {
        return any(input, depth, out);
    }
    match ty {
        Type::Integer | Type::UnixSeconds | Type::UnixMillis | Type::Number => number(input, out)?,
        Type::Boolean => out.push_str(if input.arbitrary()? { "true" } else { "false" }),
        Type::Enum(values) if input.arbitrary()? => text(input.choose(values)?, out),
        Type::String | Type::Enum(_) => string(input, out)?,
        Type::Any => any(input, depth, out)?,
        Type::Record(name) => record(input, name, depth, out)?,
        Type::List(_) | Type::Map(_) if depth >= DEPTH => out.push_str("null"),
        Type::List(inner) => {
            items(input, ('[', ']'), out, |input, out| value(input, inner, depth + 1, out))?
        }
        Type::Map(inner) => {
            items(input, ('{', '}'), out, |input, out| member(input, inner, depth, out))?
        }
    }
    Ok(())
}

/// Appends a JSON object with the fields of a record. Some fields are missing, repeated, null or unknown.
pub fn record(
    input: &mut Unstructured<'_>,
    name: &str,
    depth: usize,
    out: &mut String,
) -> Result<()> {
    let fields = tables::record(name).expect("a record").fields;
    let mut members = Vec::new();
    for field in fields {
        let mut member = String::new();
        text(field.name, &mut member);
        member.push(':');

        match input.int_in_range(0..=31)? {
            0 => continue,
            1 => member.push_str("null"),
            2 => {
                member.clear();
                string(input, &mut member)?;
                member.push(':');
                any(input, depth, &mut member)?;
            }
            _ if depth >= DEPTH && !field.required => continue,
            _ => value(input, &field.ty, depth + 1, &mut member)?,
        }
        members.push(member);
    }

    if !members.is_empty() && input.ratio(1, 16)? {
        let index = input.choose_index(members.len())?;
        members.push(members[index].clone());
    }

    out.push('{');
    out.push_str(&members.join(","));
    out.push('}');
    Ok(())
}

/// Appends a JSON value of any type.
fn any(input: &mut Unstructured<'_>, depth: usize, out: &mut String) -> Result<()> {
    match input.int_in_range(0..=if depth < DEPTH { 6 } else { 4 })? {
        0 => out.push_str("null"),
        1 => out.push_str("true"),
        2 => out.push_str("false"),
        3 => number(input, out)?,
        4 => string(input, out)?,
        5 => items(input, ('[', ']'), out, |input, out| any(input, depth + 1, out))?,
        _ => items(input, ('{', '}'), out, |input, out| member(input, &Type::Any, depth, out))?,
    }
    Ok(())
}

fn member(input: &mut Unstructured<'_>, ty: &Type, depth: usize, out: &mut String) -> Result<()> {
    string(input, out)?;
    out.push(':');
    value(input, ty, depth + 1, out)
}

/// Appends a JSON list or a JSON object with up to three items. `open` and `close` are its brackets, such as `[` and
/// `]`. `part` appends one item.
fn items<'a>(
    input: &mut Unstructured<'a>,
    (open, close): (char, char),
    out: &mut String,
    mut part: impl FnMut(&mut Unstructured<'a>, &mut String) -> Result<()>,
) -> Result<()> {
    out.push(open);
    for index in 0..input.int_in_range(0..=3)? {
        if index > 0 {
            out.push(',');
        }
        part(input, out)?;
    }
    out.push(close);
    Ok(())
}

fn number(input: &mut Unstructured<'_>, out: &mut String) -> Result<()> {
    match input.int_in_range(0..=3)? {
        0 => out.push_str(&input.arbitrary::<i64>()?.to_string()),
        1 => out.push_str(&input.arbitrary::<i16>()?.to_string()),
        2 => out.push_str(&(f64::from(input.arbitrary::<i32>()?) / 128.0).to_string()),
        _ => out.push_str(input.choose(&NUMBERS)?),
    }
    Ok(())
}

fn string(input: &mut Unstructured<'_>, out: &mut String) -> Result<()> {
    match input.arbitrary()? {
        true => text(input.choose(&STRINGS)?, out),
        false => text(input.arbitrary::<&str>()?, out),
    }
    Ok(())
}

fn text(text: &str, out: &mut String) {
    out.push_str(&serde_json::Value::from(text).to_string());
}
