//! Formats Rust literals as text for generated tables.

use std::fmt::Display;

/// Formats a Rust string literal.
pub(super) fn text(text: &str) -> String {
    format!("{text:?}")
}

/// Formats a Rust `Option`, such as `Some(5)` or `None`.
pub(super) fn option(value: Option<impl Display>) -> String {
    value.map_or_else(|| "None".to_owned(), |value| format!("Some({value})"))
}

/// Formats a Rust slice on one line, such as `&[1, 2]`.
pub(super) fn list(items: impl Iterator<Item = String>) -> String {
    format!("&[{}]", items.collect::<Vec<_>>().join(", "))
}

/// Formats a Rust slice with one line per item.
pub(super) fn lines(items: impl Iterator<Item = String>) -> String {
    let items: String = items.map(|item| format!("\n        {item},")).collect();
    if items.is_empty() { "&[]".to_owned() } else { format!("&[{items}\n    ]") }
}
