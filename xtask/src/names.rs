//! Converts names of an OpenAPI document to valid Rust names that are not yet in use.

use heck::{ToPascalCase, ToShoutySnakeCase, ToSnakeCase};

const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Replaces all characters except ASCII letters and digits by spaces. Other letters are first transliterated to ASCII.
fn words(text: &str) -> String {
    let plain = if text.is_ascii() { text.into() } else { deunicode::deunicode(text) };
    plain.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { ' ' }).collect()
}

/// Replaces punctuation by words: `*` becomes `Star`, and `>=1` becomes `Greater Equal 1`.
fn signs(text: &str) -> String {
    let name = |c: char| match c {
        '.' => "Dot",
        ',' => "Comma",
        ':' => "Colon",
        ';' => "Semicolon",
        '!' => "Not",
        '?' => "Question",
        '_' => "Underscore",

        '+' => "Plus",
        '-' => "Minus",
        '*' => "Star",
        '/' => "Slash",
        '%' => "Percent",
        '^' => "Caret",
        '=' => "Equal",
        '<' => "Less",
        '>' => "Greater",

        '&' => "And",
        '|' => "Or",
        '#' => "Hash",
        '$' => "Dollar",
        '@' => "At",
        '~' => "Tilde",
        '\\' => "Backslash",

        '(' | ')' | '[' | ']' | '{' | '}' => "Bracket",
        '"' | '\'' | '`' => "Quote",
        c if c.is_whitespace() => "Space",
        _ => "Sign",
    };

    let plain = deunicode::deunicode(text);
    plain
        .chars()
        .map(|c| match c {
            c if c.is_ascii_alphanumeric() => c.to_string(),
            c => format!(" {} ", name(c)),
        })
        .collect()
}

/// Returns the first of the names `name`, `name2`, `name3` and so on for which `taken` returns false.
#[must_use]
pub fn unique(name: &str, taken: impl Fn(&str) -> bool) -> String {
    if !taken(name) {
        return name.to_owned();
    }
    let numbered = (2u64..).map(|number| format!("{name}{number}"));
    numbered.into_iter().find(|name| !taken(name)).unwrap_or_else(|| name.to_owned())
}

/// Converts an enum value to a unique variant name. If the letters and digits alone are not unique, punctuation is
/// spelled as words. If the name with these words is not unique either, a number is appended.
#[must_use]
pub fn free_variant(text: &str, taken: impl Fn(&str) -> bool) -> String {
    let plain = variant_name(text);
    let plain = if plain == "Other" { "OtherValue".to_owned() } else { plain };
    if !plain.is_empty() && !taken(&plain) {
        return plain;
    }
    let spelled = pascal(&signs(text));
    let spelled = if spelled.is_empty() { "Empty".to_owned() } else { spelled };
    unique(&spelled, taken)
}

/// Converts a name to a Rust type name: `ETFTickerFlow` → `EtfTickerFlow`, `prediction market` → `PredictionMarket`.
#[must_use]
pub fn type_name(text: &str) -> String {
    let mut name = pascal(text);
    // `x-y-z` becomes `XYZ`, which becomes `Xyz`. The generator converts some names twice, so a second conversion must
    // not change the result.
    loop {
        let next = pascal(&name);
        if next == name {
            return name;
        }
        name = next;
    }
}

fn pascal(text: &str) -> String {
    let name = words(text).to_pascal_case();
    if name.starts_with(|c: char| c.is_ascii_digit()) { format!("N{name}") } else { name }
}

/// Converts a name to a Rust field or argument name: `storageKeys` → `storage_keys`, `type` → `type_`, `24h` →
/// `hour_24`.
#[must_use]
pub fn value_name(text: &str) -> String {
    if let Some((unit, number)) = span(text) {
        return format!("{}_{number}", unit.to_lowercase());
    }
    let name = words(text).to_snake_case();
    if KEYWORDS.contains(&name.as_str()) {
        format!("{name}_")
    } else if name.starts_with(|c: char| c.is_ascii_digit()) {
        format!("n{name}")
    } else {
        name
    }
}

/// Converts an operation identifier to the name of its request type: `market-price` → `MarketPriceRequest`.
#[must_use]
pub fn request_name(id: &str) -> String {
    format!("{}Request", type_name(id))
}

/// Converts an operation identifier to the name of a Rust static: `market-price` → `MARKET_PRICE`.
#[must_use]
pub fn static_name(text: &str) -> String {
    let name = words(text).to_shouty_snake_case();
    if name.starts_with(|c: char| c.is_ascii_digit()) { format!("N{name}") } else { name }
}

/// Converts an enum value to a Rust variant name. The unit of a duration becomes a word, so `4h` becomes `Hour4`. The
/// words distinguish `1m` (a minute) from `1M` (a month).
#[must_use]
pub fn variant_name(text: &str) -> String {
    let name = span(text).map_or_else(|| pascal(text), |(unit, number)| format!("{unit}{number}"));
    if name == "Self" { "Self_".to_owned() } else { name }
}

/// Splits a duration such as `4h` into the name of its unit (`Hour`) and its number (`4`). Returns `None` if the text
/// is not a duration.
fn span(text: &str) -> Option<(&'static str, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let unit = match &text[digits..] {
        "s" => "Second",
        "m" => "Minute",
        "h" => "Hour",
        "d" => "Day",
        "w" => "Week",
        "M" => "Month",
        "y" | "Y" => "Year",
        _ => return None,
    };
    (digits > 0).then_some((unit, &text[..digits]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_rust() {
        for (text, ty, value) in [
            ("market-price", "MarketPrice", "market_price"),
            ("ETFTickerFlow", "EtfTickerFlow", "etf_ticker_flow"),
            ("storageKeys", "StorageKeys", "storage_keys"),
            ("DataResponseInterface {}", "DataResponseInterface", "data_response_interface"),
            ("Prediction Market", "PredictionMarket", "prediction_market"),
            ("type", "Type", "type_"),
            ("24h", "N24h", "hour_24"),
            ("2nd", "N2nd", "n2nd"),
            ("yParity", "YParity", "y_parity"),
            ("x-y-z", "Xyz", "x_y_z"),
        ] {
            assert_eq!((type_name(text).as_str(), value_name(text).as_str()), (ty, value));
        }
    }

    #[test]
    fn spans_are_spelled_by_their_unit() {
        for (text, name) in [
            ("1m", "Minute1"),
            ("1M", "Month1"),
            ("365d", "Day365"),
            ("max", "Max"),
            ("REWARD_AVAILABLE", "RewardAvailable"),
            ("exchange-flows/inflow", "ExchangeFlowsInflow"),
            ("svc-2.0-instant", "Svc20Instant"),
            ("a-b", "AB"),
            ("self", "Self_"),
        ] {
            assert_eq!(variant_name(text), name);
        }
    }
}
