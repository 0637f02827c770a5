//! The function `toJSONString`, which writes a value as JSON text.

use super::tree::write_text;
use crate::text;
use crate::types::Type;
use crate::value::Value;

/// Appends a value of the type `ty` to `out` as JSON text.
pub(super) fn write(value: &Value, ty: &Type, out: &mut String) {
    match (value, ty) {
        (Value::Null, _) => out.push_str("null"),
        (value, Type::Nullable(of) | Type::LowCardinality(of)) => write(value, of, out),
        (value, Type::Array(of)) => {
            out.push('[');
            for (at, item) in value.items().iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                write(item, of, out);
            }
            out.push(']');
        }
        (value, Type::Tuple(members)) => {
            let named = !members.is_empty() && members.iter().all(|(name, _)| name.is_some());
            out.push(if named { '{' } else { '[' });
            for (at, (item, (name, ty))) in value.items().iter().zip(members).enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                if let (true, Some(name)) = (named, name) {
                    write_text(name, true, out);
                    out.push(':');
                }
                write(item, ty, out);
            }
            out.push(if named { '}' } else { ']' });
        }
        (value, Type::Map(key, of)) => {
            out.push('{');
            for (at, pair) in value.items().iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                if let [k, v] = pair.items() {
                    write_text(&text::string(k, key), true, out);
                    out.push(':');
                    write(v, of, out);
                }
            }
            out.push('}');
        }
        (Value::Float(number), _) if !number.is_finite() => out.push_str("null"),
        (value, ty) if ty.is_number() || matches!(ty, Type::Interval(_)) => {
            out.push_str(&text::string(value, ty));
        }
        (value, ty) => write_text(&text::string(value, ty), true, out),
    }
}
