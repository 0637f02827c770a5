//! Formats values for tables and charts, with rounded numbers. Data formats such as JSON and CSV contain the exact
//! values instead.

use crypto_intel::catalogue::Type;

use super::node::Node;

/// Meaning of a field's values, which determines how they are formatted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meaning {
    Text,
    /// Number that identifies something, such as a block or a year. It is not rounded.
    Label,
    Number,
    Usd,
    Percent,
    Seconds,
    Millis,
    Nested,
}

/// Returns the words of the last part of a field path. The words of `quote.market_cap_usd` are `market`, `cap` and
/// `usd`.
pub(crate) fn words(name: &str) -> impl Iterator<Item = &str> {
    name.rsplit('.').next().unwrap_or(name).split(['_', '-'])
}

/// Returns true if a field name contains one of the wanted words, ignoring ASCII case.
pub(crate) fn has_word(name: &str, wanted: &[&str]) -> bool {
    words(name).any(|word| wanted.iter().any(|wanted| word.eq_ignore_ascii_case(wanted)))
}

/// Determines the meaning of a field from its name, its type and a sample value. For example, a field `market_cap_usd`
/// that contains a number is an amount in USD.
pub(crate) fn meaning(name: &str, ty: Option<Type>, sample: &Node) -> Meaning {
    match ty {
        Some(Type::UnixSeconds) => return Meaning::Seconds,
        Some(Type::UnixMillis) => return Meaning::Millis,
        _ => {}
    }
    let is_figure = matches!(sample, Node::Number(_)) || is_metric(sample);
    let is_digits =
        matches!(sample, Node::Text(text) if !text.is_empty() && text.parse::<f64>().is_ok());
    match sample {
        _ if is_metric(sample) && !has_word(name, &["ratio", "margin", "growth"]) => {
            Meaning::Number
        }
        Node::List(_) | Node::Object(_) if !is_metric(sample) => Meaning::Nested,
        _ if !is_figure && !is_digits => Meaning::Text,
        _ if has_word(name, &["pct", "percent", "percentage", "percents"]) => Meaning::Percent,
        _ if has_word(name, &["usd", "tvl", "fdv"]) || name.ends_with("market_cap") => Meaning::Usd,
        _ if is_digits => Meaning::Text,
        _ if has_word(name, LABELS) => Meaning::Label,
        _ => Meaning::Number,
    }
}

/// Words in the names of numeric identifiers, such as `block` in `block_number`. Numeric identifiers are not rounded.
const LABELS: &[&str] = &[
    "id",
    "ids",
    "block",
    "number",
    "blockNumber",
    "chainId",
    "year",
    "quarter",
    "cik",
    "code",
    "nonce",
    "index",
    "version",
];

/// Returns true if the value is a figure of a financial statement: a JSON object with the fields `value` and `status`.
pub(crate) fn is_metric(node: &Node) -> bool {
    node.member("status").is_some_and(Node::is_scalar)
        && node.member("value").is_some_and(Node::is_scalar)
}

/// Formats a value for a table cell, depending on the meaning of its field.
pub(crate) fn show(node: &Node, meaning: Meaning) -> String {
    match node {
        Node::Null => MISSING.to_owned(),
        _ if is_metric(node) => metric(node, meaning),
        Node::Bool(true) => "yes".to_owned(),
        Node::Bool(false) => "no".to_owned(),
        Node::Number(digits) => figure(digits, meaning),
        Node::Text(text) if matches!(meaning, Meaning::Usd | Meaning::Percent) => {
            figure(text, meaning)
        }
        Node::Text(text) => shortened(text),

        Node::List(items) if items.iter().all(Node::is_scalar) => {
            let shown: Vec<_> = items.iter().map(|item| show(item, Meaning::Text)).collect();
            shown.join(", ")
        }
        Node::List(items) => format!("[{} items]", items.len()),
        Node::Object(members) => {
            let scalars =
                members.iter().filter(|(_, value)| value.is_scalar() && !value.is_empty());
            let shown: Vec<_> = scalars
                .map(|(name, value)| format!("{name}={}", show(value, Meaning::Text)))
                .collect();
            match shown.is_empty() {
                true => format!("{{{} members}}", members.len()),
                false => shown.join(" "),
            }
        }
    }
}

/// Text that a table cell shows for a missing value.
const MISSING: &str = "–";

/// Formats a figure of a financial statement, or the reason why the value of the figure is missing.
fn metric(node: &Node, meaning: Meaning) -> String {
    let text = |name: &str| match node.member(name) {
        Some(Node::Text(text)) => Some(text.as_str()),
        _ => None,
    };
    let status = text("status").unwrap_or_default();
    match node.member("value") {
        Some(value @ (Node::Number(_) | Node::Text(_))) if status == "available" => {
            show(value, meaning)
        }
        _ => match text("reason_code") {
            Some(reason) => format!("{MISSING} {} ({reason})", status.replace('_', " ")),
            None => format!("{MISSING} {}", status.replace('_', " ")),
        },
    }
}

fn figure(digits: &str, meaning: Meaning) -> String {
    match meaning {
        Meaning::Label | Meaning::Text | Meaning::Nested => digits.to_owned(),
        Meaning::Number => number(digits),
        Meaning::Usd => match number(digits).strip_prefix('-') {
            Some(positive) => format!("-${positive}"),
            None => format!("${}", number(digits)),
        },
        Meaning::Percent => match digits.parse::<f64>() {
            // A negative percentage that rounds to zero is shown without its sign.
            Ok(percent) => format!("{percent:.2}%").replace("-0.00%", "0.00%"),
            Err(_) => digits.to_owned(),
        },
        Meaning::Seconds => digits.parse().map_or(digits.to_owned(), |s: i64| time(s, digits)),
        Meaning::Millis => {
            digits.parse().map_or(digits.to_owned(), |ms: i64| time(ms.div_euclid(1000), digits))
        }
    }
}

/// Formats Unix seconds as date and time in UTC. The time of day is omitted at midnight, and the seconds are omitted if
/// they are zero. Returns `otherwise` if the time is out of range.
pub(crate) fn time(seconds: i64, otherwise: &str) -> String {
    let Ok(moment) = jiff::Timestamp::from_second(seconds) else { return otherwise.to_owned() };
    let format = match seconds.rem_euclid(86_400) {
        0 => "%Y-%m-%d",
        rest if rest % 60 == 0 => "%Y-%m-%d %H:%M",
        _ => "%Y-%m-%d %H:%M:%S",
    };
    moment.strftime(format).to_string()
}

/// Rounds a number and adds commas between thousands, or a suffix for large numbers: `1234567890` becomes `1.23B`.
pub(crate) fn number(digits: &str) -> String {
    let Ok(value) = digits.parse::<f64>() else { return digits.to_owned() };
    if !value.is_finite() {
        return digits.to_owned();
    }
    let size = value.abs();
    let is_whole = !digits.contains(['.', 'e', 'E']);
    match size {
        0.0 => "0".to_owned(),
        _ if is_whole && size < 1e7 => grouped(digits),
        _ if size >= 1e15 => format!("{value:.3e}"),
        _ if size >= 1e12 => format!("{:.2}T", value / 1e12),
        _ if size >= 1e9 => format!("{:.2}B", value / 1e9),
        _ if size >= 1e6 => format!("{:.2}M", value / 1e6),
        _ if size >= 100.0 => grouped(&format!("{value:.2}")),
        _ if size >= 1.0 => trimmed(&format!("{value:.4}"), 2),
        _ if size >= 1e-6 => {
            // The number of decimals gives four significant digits.
            let places = 3 + (-size.log10().floor()) as usize;
            trimmed(&format!("{value:.places$}"), 2)
        }
        _ => format!("{value:.3e}"),
    }
}

/// Removes trailing zeros of a decimal number, but keeps the first `places` decimals.
fn trimmed(text: &str, places: usize) -> String {
    let Some((whole, fraction)) = text.split_once('.') else { return text.to_owned() };
    let kept = fraction.trim_end_matches('0').len().max(places.min(fraction.len()));
    format!("{whole}.{}", &fraction[..kept])
}

/// Adds commas between the thousands of a number: `1234.5` becomes `1,234.5`.
fn grouped(text: &str) -> String {
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text),
    };
    let (whole, fraction) = rest.split_once('.').map_or((rest, None), |(w, f)| (w, Some(f)));
    let mut out = String::from(sign);
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    if let Some(fraction) = fraction {
        out.push('.');
        out.push_str(fraction);
    }
    out
}

/// Shortens addresses and hashes to their first 6 and last 4 characters. In all other texts, replaces line breaks and
/// repeated spaces by single spaces.
fn shortened(text: &str) -> String {
    let is_hex = text
        .strip_prefix("0x")
        .is_some_and(|rest| rest.len() >= 20 && rest.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let is_base58 = (32..=90).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && text.bytes().any(|byte| byte.is_ascii_digit())
        && text.bytes().any(|byte| byte.is_ascii_uppercase());
    if is_hex || is_base58 {
        return format!("{}…{}", &text[..6], &text[text.len() - 4..]);
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_read_as_people_write_them() {
        for (digits, shown) in [
            ("0", "0"),
            ("1234", "1,234"),
            ("-1234567", "-1,234,567"),
            ("12345678", "12.35M"),
            ("67250.123", "67,250.12"),
            ("1.5", "1.50"),
            ("3.14159", "3.1416"),
            ("0.00001234", "0.00001234"),
            ("0.25", "0.25"),
            ("1234567890.5", "1.23B"),
            ("2.5e12", "2.50T"),
            ("1e400", "1e400"),
            ("0.0000000123", "1.230e-8"),
        ] {
            assert_eq!(number(digits), shown, "{digits}");
        }
    }

    #[test]
    fn meanings_come_from_types_and_names() {
        let number = Node::Number("1".to_owned());
        for (name, ty, expected) in [
            ("timestamp", Some(Type::UnixSeconds), Meaning::Seconds),
            ("time_ms", Some(Type::UnixMillis), Meaning::Millis),
            ("volume_24h_usd", Some(Type::Number), Meaning::Usd),
            ("market_cap", Some(Type::Number), Meaning::Usd),
            ("change_24h_pct", Some(Type::Number), Meaning::Percent),
            ("block_number", Some(Type::Integer), Meaning::Label),
            ("price", None, Meaning::Number),
        ] {
            assert_eq!(meaning(name, ty, &number), expected, "{name}");
        }
    }

    #[test]
    fn a_missing_figure_says_why() {
        let missing = Node::parse(r#"{"value":null,"status":"missing","reason_code":"not_filed"}"#);
        assert_eq!(show(&missing, Meaning::Number), "– missing (not_filed)");
        let there = Node::parse(r#"{"value":1234.5,"status":"available"}"#);
        assert_eq!(show(&there, Meaning::Number), "1,234.50");
        assert_eq!(show(&Node::Null, Meaning::Usd), "–");
        let odd = Node::parse(r#"{"value":0,"status":"not_applicable"}"#);
        assert_eq!(show(&odd, Meaning::Number), "– not applicable");
    }

    #[test]
    fn addresses_keep_their_ends() {
        let address = "0xd8da6bf26964af9d7eed9e03e53415d37aa96045";
        assert_eq!(shortened(address), "0xd8da…6045");
        assert_eq!(shortened("two  words\nhere"), "two words here");
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in ".*", name in "[a-z_]{0,20}") {
            let node = Node::parse(&text);
            show(&node, meaning(&name, None, &node));
            number(&text);
        }

        #[test]
        fn a_shown_number_is_near_the_number(value in -1e12f64..1e12) {
            let shown = number(&format!("{value}")).replace(',', "");
            let (digits, unit) = match shown.chars().last() {
                Some('T') => (&shown[..shown.len() - 1], 1e12),
                Some('B') => (&shown[..shown.len() - 1], 1e9),
                Some('M') => (&shown[..shown.len() - 1], 1e6),
                _ => (shown.as_str(), 1.0),
            };
            let read = digits.parse::<f64>().expect("a number") * unit;
            prop_assert!((read - value).abs() <= value.abs() * 0.006, "{} {}", shown, value);
        }
    }
}
