//! Converts names, types and descriptions to Python source text.

use crypto_intel_api::generated::tables::record;
use crypto_intel_core::Type;

/// Reserved words of Python.
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

/// Converts the name of a parameter to the name of a Python argument. A reserved word gets an underscore: `class`
/// becomes `class_`.
pub fn argument(name: &str) -> String {
    let name = name.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    if is_name(&name) && name != "self" { name } else { format!("{name}_") }
}

/// Converts a type of the OpenAPI document to a Python type. Names of records begin with `prefix`, such as `r.` if the
/// records are in the module `r`.
pub fn python_type(ty: Type, prefix: &str) -> String {
    match ty {
        Type::String => "str".to_owned(),
        Type::Enum(values) => literals(values),
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

/// Formats an enum as a Python type. A `Literal` with the known values enables completion in editors. The type also
/// allows any other string.
fn literals(values: &[&str]) -> String {
    if values.is_empty() {
        return "str".to_owned();
    }
    let values: Vec<String> = values.iter().map(|value| format!("{value:?}")).collect();
    format!("Literal[{}] | str", values.join(", "))
}

/// Returns a Python type that also allows `None`.
pub fn optional(ty: &str) -> String {
    if ty == "Any" { ty.to_owned() } else { format!("{ty} | None") }
}

/// Escapes a text for a Python docstring.
pub fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace("\"\"\"", "'''");
    let end = if text.ends_with('"') { " " } else { "" };
    format!("{text}{end}")
}
