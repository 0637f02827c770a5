//! Writes Rust enums that also accept unknown values.

use crate::model::Enum;

/// Writes an enum as an `rt::open_enum!` macro call. Code formatters do not change macro calls, so this function
/// indents the text itself.
pub(crate) fn open_enum(open: &Enum) -> String {
    let doc = super::docs::line(&open.doc);
    let doc = if doc.is_empty() { format!("Values of `{}`.", open.name) } else { doc };
    let variants = open.variants.iter().map(|(value, variant)| {
        let doc = super::docs::code(value);
        format!("        /// {doc}\n        {variant} = {value:?},\n")
    });
    let numbers =
        if open.integers { format!("rt::from_integers!({});\n", open.name) } else { String::new() };

    format!(
        "\nrt::open_enum! {{\n    /// {doc}\n    {} {{\n{}    }}\n}}\n{numbers}",
        open.name,
        variants.collect::<String>()
    )
}
