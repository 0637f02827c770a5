//! Names, types and texts as Python writes them.

use crypto_intel_api::generated::tables::record;
use crypto_intel_core::Type;

/// The words that Python keeps for itself.
const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield",
];

pub fn is_name(text: &str) -> bool {
    let starts = text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    let holds = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    starts && holds && !KEYWORDS.contains(&text)
}

/// The name of a parameter in Python.
pub fn argument(name: &str) -> String {
    let name = name.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    if is_name(&name) && name != "self" { name } else { format!("{name}_") }
}

/// The type of a value; records in the module `prefix`.
pub fn python_type(ty: Type, prefix: &str) -> String {
    match ty {
        Type::String | Type::Enum(_) => "str".to_owned(),
        Type::Integer | Type::UnixSeconds | Type::UnixMillis => "int".to_owned(),
        Type::Number => "float".to_owned(),
        Type::Boolean => "bool".to_owned(),
        Type::Any => "Any".to_owned(),
        Type::Record(name) if record(name).is_some() => format!("{prefix}{name}"),
        Type::Record(_) => "dict[str, Any]".to_owned(),
        Type::List(inner) => format!("list[{}]", python_type(*inner, prefix)),
        Type::Map(inner) => format!("dict[str, {}]", python_type(*inner, prefix)),
    }
}

/// A type that may be missing.
pub fn optional(ty: &str) -> String {
    if ty == "Any" { ty.to_owned() } else { format!("{ty} | None") }
}

/// What may stand between the quotes of a docstring.
pub fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace("\"\"\"", "'''");
    let end = if text.ends_with('"') { " " } else { "" };
    format!("{text}{end}")
}
