//! The function `toJSONString`, which writes a value as JSON text.

use super::tree::{write_items, write_text};
use crate::text;
use crate::types::Type;
use crate::value::Value;

/// Appends a value of the type `ty` to `out` as JSON text.
pub(super) fn write(value: &Value, ty: &Type, out: &mut String) {
    match (value, ty) {
        (Value::Null, _) => out.push_str("null"),
        (value, Type::Nullable(of) | Type::LowCardinality(of)) => write(value, of, out),

        (value, Type::Array(of)) => {
            write_items(['[', ']'], value.items(), out, |item, out| write(item, of, out));
        }
        (value, Type::Tuple(members)) => {
            let named = !members.is_empty() && members.iter().all(|(name, _)| name.is_some());
            let brackets = if named { ['{', '}'] } else { ['[', ']'] };
            let items = value.items().iter().zip(members);
            write_items(brackets, items, out, |(item, (name, ty)), out| {
                if let (true, Some(name)) = (named, name) {
                    write_text(name, true, out);
                    out.push(':');
                }
                write(item, ty, out);
            });
        }
        (value, Type::Map(key, of)) => write_items(['{', '}'], value.items(), out, |pair, out| {
            if let [k, v] = pair.items() {
                write_text(&text::string(k, key), true, out);
                out.push(':');
                write(v, of, out);
            }
        }),

        (Value::Float(number), _) if !number.is_finite() => out.push_str("null"),
        (value, ty) if ty.is_number() || matches!(ty, Type::Interval(_)) => {
            out.push_str(&text::string(value, ty));
        }
        (value, ty) => write_text(&text::string(value, ty), true, out),
    }
}
