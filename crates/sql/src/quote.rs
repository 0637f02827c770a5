//! Quoting of identifiers and strings for use in the text of a query.

/// Returns a column or table name for use in the text of a query. A name such as `tx_hash` stays unchanged. A name is
/// put in backticks if it is empty, starts with a digit, or has a character that is not an ASCII letter, a digit or
/// `_`.
#[must_use]
pub fn identifier(name: &str) -> String {
    let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && !name.is_empty();
    if is_plain { name.to_owned() } else { self::name(name) }
}

/// Returns a string as an SQL string literal. Characters that could end the literal early are escaped.
#[must_use]
pub fn literal(text: &str) -> String {
    quoted(text.as_bytes())
}

/// Returns bytes as an SQL string literal in single quotes.
pub(crate) fn quoted(bytes: &[u8]) -> String {
    quote_with('\'', bytes)
}

/// Returns an identifier in backticks.
pub(crate) fn name(name: &str) -> String {
    quote_with('`', name.as_bytes())
}

/// Returns bytes in quotes. Backslashes, the character `quote`, some control characters such as line breaks, and bytes
/// that are not UTF-8 are escaped.
fn quote_with(quote: char, bytes: &[u8]) -> String {
    let mut text = String::from(quote);
    for chunk in bytes.utf8_chunks() {
        for letter in chunk.valid().chars() {
            match letter {
                '\\' => text.push_str("\\\\"),
                '\n' => text.push_str("\\n"),
                '\t' => text.push_str("\\t"),
                '\r' => text.push_str("\\r"),
                '\0' => text.push_str("\\0"),
                '\u{8}' => text.push_str("\\b"),
                '\u{c}' => text.push_str("\\f"),
                other if other == quote => text.extend(['\\', quote]),
                other => text.push(other),
            }
        }
        for byte in chunk.invalid() {
            text.push_str(&format!("\\x{byte:02X}"));
        }
    }
    text.push(quote);
    text
}
