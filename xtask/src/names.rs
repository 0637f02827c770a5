//! Names: from the description's spelling to Rust's.

use heck::{ToPascalCase, ToShoutySnakeCase, ToSnakeCase};

const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Keeps letters, digits and separators; everything else separates words. A sign is a word of its
/// own when it is all there is.
fn words(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { ' ' }).collect()
}

/// `ETFTickerFlow` → `EtfTickerFlow`, `prediction market` → `PredictionMarket`.
#[must_use]
pub fn type_name(text: &str) -> String {
    let mut name = pascal(text);
    // `x-y-z` is `XYZ`, and that is `Xyz`: the generator spells the names it is given once more.
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

/// `storageKeys` → `storage_keys`, `type` → `type_`, `24h` → `hour_24`.
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

/// `market-price` → `MarketPriceRequest`.
#[must_use]
pub fn request_name(id: &str) -> String {
    format!("{}Request", type_name(id))
}

/// `market-price` → `MARKET_PRICE`.
#[must_use]
pub fn static_name(text: &str) -> String {
    let name = words(text).to_shouty_snake_case();
    if name.starts_with(|c: char| c.is_ascii_digit()) { format!("N{name}") } else { name }
}

/// The name of an enum value. Spans such as `4h` are spelled by their unit, because `1m` (a
/// minute) and `1M` (a month) differ in case only.
#[must_use]
pub fn variant_name(text: &str) -> String {
    let name = span(text).map_or_else(|| pascal(text), |(unit, number)| format!("{unit}{number}"));
    if name == "Self" { "Self_".to_owned() } else { name }
}

/// Unit and number of a span of time.
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
