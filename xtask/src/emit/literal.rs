//! Rust literals as text, for generated tables.

use std::fmt::Display;

/// A string literal.
pub(super) fn text(text: &str) -> String {
    format!("{text:?}")
}

/// An `Option` of a literal.
pub(super) fn option(value: Option<impl Display>) -> String {
    value.map_or_else(|| "None".to_owned(), |value| format!("Some({value})"))
}

/// A slice on one line.
pub(super) fn list(items: impl Iterator<Item = String>) -> String {
    format!("&[{}]", items.collect::<Vec<_>>().join(", "))
}

/// A slice with one line per item.
pub(super) fn lines(items: impl Iterator<Item = String>) -> String {
    let items: String = items.map(|item| format!("\n        {item},")).collect();
    if items.is_empty() { "&[]".to_owned() } else { format!("&[{items}\n    ]") }
}
