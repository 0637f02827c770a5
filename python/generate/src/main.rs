//! Writes `_operations.py` and `_records.py` from the catalogue and the record tables.
//!
//! `cargo run -p crypto-intel-python-generate -- FOLDER` writes; with `--check` it compares.

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

use crypto_intel_api::generated::catalogue::OPERATIONS;
use crypto_intel_api::generated::tables::{RECORDS, record};
use crypto_intel_core::{Answer, Operation, Paging, Param, ParamKind, RecordRow, Type};

const HEADER: &str =
    "# Written by `crypto-intel-python-generate` from the catalogue. Do not edit.\n";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (folder, checks) = match &args[..] {
        [folder] => (Path::new(folder), false),
        [folder, check] if check == "--check" => (Path::new(folder), true),
        _ => {
            eprintln!("usage: crypto-intel-python-generate FOLDER [--check]");
            return ExitCode::from(2);
        }
    };

    for (name, text) in [("_operations.py", operations()), ("_records.py", records())] {
        let path = folder.join(name);
        if !checks {
            if let Err(error) = std::fs::write(&path, text) {
                eprintln!("{}: {error}", path.display());
                return ExitCode::FAILURE;
            }
        } else if std::fs::read_to_string(&path).ok().as_deref() != Some(&text) {
            eprintln!("{} is not what the catalogue says: write it again", path.display());
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn records() -> String {
    let mut text = format!(
        "\"\"\"The records of the service, as they come: dictionaries.\n\nA member may be absent, \
         and others may come that this release does not know.\n\"\"\"\n\n{HEADER}\n\
         from __future__ import annotations\n\nfrom typing import Any, TypedDict\n"
    );
    for record in RECORDS {
        text.push_str(&typed_dict(record));
    }
    text
}

fn typed_dict(record: &RecordRow) -> String {
    let name = record.name;
    let plain = record.fields.iter().all(|field| is_name(field.name));
    let mut text = String::from("\n\n");
    if plain {
        let _ = writeln!(text, "class {name}(TypedDict, total=False):");
        if record.fields.is_empty() {
            text.push_str("    pass\n");
        }
    } else {
        let _ = writeln!(text, "{name} = TypedDict(\n    \"{name}\",\n    {{");
    }

    for field in record.fields {
        let ty = python_type(field.ty, "");
        let ty = if field.nullable && ty != "Any" { format!("{ty} | None") } else { ty };
        if plain {
            let _ = writeln!(text, "    {}: {ty}", field.name);
            if !field.doc.is_empty() {
                let _ = writeln!(text, "    {}", docstring(field.doc));
            }
        } else {
            let _ = writeln!(text, "        {:?}: \"{ty}\",", field.name);
        }
    }
    if !plain {
        text.push_str("    },\n    total=False,\n)\n");
    }
    text
}

fn docstring(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace("\"\"\"", "'''");
    let end = if text.ends_with('"') { " " } else { "" };
    format!("\"\"\"{text}{end}\"\"\"")
}

/// The type of a value; records in the module `prefix`.
fn python_type(ty: Type, prefix: &str) -> String {
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

fn operations() -> String {
    let mut text = format!(
        "\"\"\"A method for each operation of the service.\"\"\"\n\n{HEADER}\n\
         from __future__ import annotations\n\nimport datetime\n\
         from collections.abc import Sequence\nfrom typing import Any\n\n\
         from . import _records as r\nfrom ._reply import AsyncPager, Pager, Reply\n\n\
         Moment = int | str | datetime.date\n\
         \"\"\"Unix seconds, a date `YYYY-MM-DD`, or a date or time of `datetime`.\"\"\"\n"
    );
    for (class, kind, doc) in [
        ("Operations", Way::Sync, "Each method sends a call and waits for its answer."),
        ("AsyncOperations", Way::Async, "Each method is awaited for the answer of its call."),
    ] {
        let _ = write!(text, "\n\nclass {class}:\n    \"\"\"{doc}\"\"\"\n{}", sender(kind));
        for operation in OPERATIONS {
            if let Some(answer) = answer(operation) {
                text.push_str(&method(operation, &answer, kind));
            }
        }
    }
    text
}

#[derive(Clone, Copy, PartialEq)]
enum Way {
    Sync,
    Async,
}

/// What the methods need of the class that has them.
fn sender(way: Way) -> &'static str {
    match way {
        Way::Sync => {
            "
    def _call(self, operation: str, arguments: dict[str, Any]) -> Reply[Any]:
        raise NotImplementedError

    def _pager(
        self, operation: str, arguments: dict[str, Any], limits: dict[str, int | None]
    ) -> Pager[Any]:
        raise NotImplementedError
"
        }
        Way::Async => {
            "
    async def _call(self, operation: str, arguments: dict[str, Any]) -> Reply[Any]:
        raise NotImplementedError

    def _pager(
        self, operation: str, arguments: dict[str, Any], limits: dict[str, int | None]
    ) -> AsyncPager[Any]:
        raise NotImplementedError
"
        }
    }
}

/// The type of what is answered, and of a row where there are rows; `None` for what is no JSON.
fn answer(operation: &Operation) -> Option<String> {
    let ty = |ty| python_type(ty, "r.");
    match operation.answer {
        Answer::Rows { row, .. } => Some(format!("list[{}]", ty(row))),
        Answer::One { data, .. } => Some(ty(data)),
        Answer::Bare(Type::Record(name)) => {
            let data = record(name)?.fields.iter().find(|field| field.name == "data");
            Some(ty(data.map_or(Type::Record(name), |data| data.ty)))
        }
        Answer::Bare(other) => Some(ty(other)),
        Answer::Stream | Answer::Bytes | Answer::Empty => None,
    }
}

fn method(operation: &Operation, answer: &str, way: Way) -> String {
    let name = operation.id.replace('-', "_");
    let set =
        |param: &&Param| !matches!(param.kind, ParamKind::Constant(_)) && param.refused.is_none();
    let params = || operation.params.iter().filter(set);

    let mut signature = String::new();
    for param in params().filter(|param| param.required) {
        let _ = writeln!(signature, "        {}: {},", argument(param.name), parameter_type(param));
    }
    if params().any(|param| !param.required) {
        signature.push_str("        *,\n");
    }
    for param in params().filter(|param| !param.required) {
        let ty = parameter_type(param);
        let ty = if ty == "Any" { ty } else { format!("{ty} | None") };
        let _ = writeln!(signature, "        {}: {ty} = None,", argument(param.name));
    }

    let arguments: Vec<String> = params()
        .map(|param| format!("                {:?}: {},\n", param.name, argument(param.name)))
        .collect();
    let arguments = match arguments.concat() {
        none if none.is_empty() => "{}".to_owned(),
        some => format!("{{\n{some}            }}"),
    };

    let (def, wait) = match way {
        Way::Sync => ("def", ""),
        Way::Async => ("async def", "await "),
    };
    let doc = documentation(operation, &params().collect::<Vec<_>>());
    let mut text = format!(
        "\n    {def} {name}(\n        self,\n{signature}    ) -> Reply[{answer}]:\n{doc}        \
         return {wait}self._call(\n            \"{}\",\n            {arguments},\n        )\n",
        operation.id
    );

    if operation.paging != Paging::None {
        let (pager, row) = match way {
            Way::Sync => ("Pager", row(operation)),
            Way::Async => ("AsyncPager", row(operation)),
        };
        let star = if signature.contains("        *,\n") { "" } else { "        *,\n" };
        let _ = write!(
            text,
            "\n    def iter_{name}(\n        self,\n{signature}{star}        max_items: int | None = \
             None,\n        max_pages: int | None = None,\n        max_credits: int | None = None,\n    \
             ) -> {pager}[{row}]:\n        \"\"\"Every row of `{name}`, page after page.\"\"\"\n        \
             return self._pager(\n            \"{}\",\n            {arguments},\n            {{\"items\": \
             max_items, \"pages\": max_pages, \"credits\": max_credits}},\n        )\n",
            operation.id
        );
    }
    text
}

fn row(operation: &Operation) -> String {
    match operation.answer {
        Answer::Rows { row, .. } => python_type(row, "r."),
        Answer::Bare(Type::Record(name)) => {
            let fields = record(name).map(|record| record.fields).unwrap_or_default();
            let list = fields.iter().find_map(|field| match field.ty {
                Type::List(row) => Some(python_type(*row, "r.")),
                _ => None,
            });
            list.unwrap_or_else(|| "Any".to_owned())
        }
        _ => "Any".to_owned(),
    }
}

fn documentation(operation: &Operation, params: &[&Param]) -> String {
    let mut text = format!("{}.", operation.summary.trim_end_matches('.'));
    if let Some(why) = operation.deprecated {
        let _ = write!(text, "\n\nDeprecated: {why}");
    }
    if !params.is_empty() {
        text.push_str("\n\nArgs:");
    }
    for param in params {
        let doc = param.doc.split_whitespace().collect::<Vec<_>>().join(" ");
        let _ = write!(text, "\n    {}: {doc}", argument(param.name));
        if let ParamKind::Enum(values) = param.kind {
            let _ = write!(text, " One of `{}`.", values.join("`, `"));
        }
        if let Some(default) = param.default {
            let _ = write!(text, " By default `{default}`.");
        }
    }
    let text = text.replace('\\', "\\\\").replace("\"\"\"", "'''");
    let lines = text.lines().map(|line| format!("        {line}").trim_end().to_owned());
    let text = lines.collect::<Vec<_>>().join("\n");
    format!("        \"\"\"{}\n        \"\"\"\n", text.trim_start())
}

fn parameter_type(param: &Param) -> String {
    match param.kind {
        ParamKind::String { .. } | ParamKind::Enum(_) => "str",
        ParamKind::Integer { .. } => "int",
        ParamKind::Number { .. } => "float",
        ParamKind::Boolean | ParamKind::Constant(_) => "bool",
        ParamKind::List { .. } => "str | Sequence[str]",
        ParamKind::Moment => "Moment",
        ParamKind::Json(_) => "Any",
    }
    .to_owned()
}

/// Words that cannot be names, of those that parameters and members have been called.
const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield",
];

fn is_name(text: &str) -> bool {
    let starts = text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    let holds = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    starts && holds && !KEYWORDS.contains(&text)
}

/// The name of a parameter in Python.
fn argument(name: &str) -> String {
    let name = name.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    if is_name(&name) && name != "self" { name } else { format!("{name}_") }
}
