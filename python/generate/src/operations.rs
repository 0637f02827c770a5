//! Generates the Python module with the methods of all operations. The module has a blocking class and an async class,
//! and both have one method per operation.
//!
//! The input is the catalogue, and the output is the text of `_operations.py`.

use std::fmt::Write as _;

use crypto_intel_api::generated::catalogue::OPERATIONS;
use crypto_intel_api::generated::tables::record;
use crypto_intel_core::{Answer, Operation, Paging, Param, ParamKind, Type};

use crate::HEADER;
use crate::names::{argument, optional, python_type, quoted};

const IMPORTS: &str = "\
from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any, Literal

from . import _records as r
from ._reply import Reply
from ._stream import AsyncTextStream, TextStream
from ._unsent import AsyncPager, Pager

Moment = float | str | datetime.date
\"\"\"Unix seconds, a date as `YYYY-MM-DD`, a `datetime.date`, or a `datetime.datetime` with a time zone.\"\"\"
";

/// Parts of the Python source text that differ between the blocking class and the async class.
struct Way {
    class: &'static str,
    doc: &'static str,
    def: &'static str,
    wait: &'static str,
    pager: &'static str,
    stream: &'static str,
}

const WAYS: [Way; 2] = [
    Way {
        class: "Operations",
        doc: "Each method sends a call and waits for its response.",
        def: "def",
        wait: "",
        pager: "Pager",
        stream: "TextStream",
    },
    Way {
        class: "AsyncOperations",
        doc: "Each method returns an awaitable. Await it to get the response.",
        def: "async def",
        wait: "await ",
        pager: "AsyncPager",
        stream: "AsyncTextStream",
    },
];

pub fn module() -> String {
    let mut text =
        format!("\"\"\"A method for each operation of the service.\"\"\"\n\n{HEADER}\n{IMPORTS}");
    for way in &WAYS {
        let _ = write!(text, "\n\nclass {}:\n    \"\"\"{}\"\"\"\n", way.class, way.doc);
        text.push_str(&sender(way));
        for operation in OPERATIONS {
            text.push_str(&methods(operation, way));
        }
    }
    text
}

/// Generates the Python methods `_call`, `_stream` and `_pager`, which only raise `NotImplementedError`. Subclasses
/// override these methods with methods that send calls.
fn sender(way: &Way) -> String {
    let Way { def, pager, stream, .. } = way;
    format!(
        "
    {def} _call(self, operation: str, arguments: dict[str, Any]) -> Reply[Any]:
        raise NotImplementedError

    {def} _stream(self, operation: str, arguments: dict[str, Any]) -> {stream}[Any]:
        raise NotImplementedError

    def _pager(
        self, operation: str, arguments: dict[str, Any], limits: dict[str, int | None]
    ) -> {pager}[Any]:
        raise NotImplementedError
"
    )
}

/// Generates the methods of an operation. One method sends a call. A paged operation also has a method that reads all
/// rows.
fn methods(operation: &Operation, way: &Way) -> String {
    let name = operation.id.replace('-', "_");
    let id = operation.id;
    let params = params(operation);
    let signature = signature(&params);
    let arguments = arguments(&params);
    let doc = documentation(operation, &params);
    let Way { def, wait, pager, stream, .. } = way;

    let mut text = match answer(operation) {
        Some(answer) => format!(
            "\n    {def} {name}(\n        self,\n{signature}    ) -> Reply[{answer}]:\n{doc}        \
             return {wait}self._call(\n            \"{id}\",\n            {arguments},\n        )\n"
        ),
        None => {
            let whole = whole_of(operation).and_then(answer).unwrap_or_else(|| "Any".to_owned());
            format!(
                "\n    {def} {name}(\n        self,\n{signature}    ) -> {stream}[{whole}]:\n{doc}        \
                 return {wait}self._stream(\n            \"{id}\",\n            {arguments},\n        )\n"
            )
        }
    };

    if operation.paging != Paging::None {
        let row = row(operation);
        let star = if signature.contains("        *,\n") { "" } else { "        *,\n" };
        let _ = write!(
            text,
            "\n    def iter_{name}(\n        self,\n{signature}{star}        max_items: int | None = \
             None,\n        max_pages: int | None = None,\n        max_credits: int | None = None,\n    \
             ) -> {pager}[{row}]:\n        \"\"\"Iterates over all rows of `{name}`.\n\n        \
             Args:\n            max_items: Maximum number of rows.\n            max_pages: Maximum number of pages.\n            \
             max_credits: Maximum number of credits, by the list price of a page.\n\n        \
             The other arguments are the arguments of `{name}`.\n        \"\"\"\n        \
             return self._pager(\n            \"{id}\",\n            {arguments},\n            {{\"items\": \
             max_items, \"pages\": max_pages, \"credits\": max_credits}},\n        )\n",
        );
    }
    text
}

/// Finds the operation that returns the whole answer of `stream` in a single response. Both operations have the same
/// HTTP method and path.
fn whole_of(stream: &Operation) -> Option<&'static Operation> {
    let same = |other: &&&Operation| {
        (other.method == stream.method && other.path == stream.path)
            && !matches!(other.answer, Answer::Stream)
    };
    OPERATIONS.iter().find(same).copied()
}

/// Returns the Python type of an operation's answer. Returns `None` for an answer that is not JSON.
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

/// Returns the Python type of the rows of a paged operation.
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

/// Lists the parameters that a caller of the operation can set.
fn params(operation: &Operation) -> Vec<&'static Param> {
    let set =
        |param: &&Param| !matches!(param.kind, ParamKind::Constant(_)) && param.refused.is_none();
    operation.params.iter().filter(set).collect()
}

fn signature(params: &[&Param]) -> String {
    let mut signature = String::new();
    for param in params.iter().filter(|param| param.required) {
        let ty = parameter_type(param);
        let _ = writeln!(signature, "        {}: {ty},", argument(param.name));
    }
    if params.iter().any(|param| !param.required) {
        signature.push_str("        *,\n");
    }
    for param in params.iter().filter(|param| !param.required) {
        let ty = optional(&parameter_type(param));
        let _ = writeln!(signature, "        {}: {ty} = None,", argument(param.name));
    }
    signature
}

/// Generates the Python dictionary of a call's arguments.
fn arguments(params: &[&Param]) -> String {
    let arguments: Vec<String> = params
        .iter()
        .map(|param| format!("                {:?}: {},\n", param.name, argument(param.name)))
        .collect();
    match arguments.concat() {
        none if none.is_empty() => "{}".to_owned(),
        some => format!("{{\n{some}            }}"),
    }
}

fn parameter_type(param: &Param) -> String {
    let plain = match param.kind {
        ParamKind::String { .. } | ParamKind::Enum(_) => "str",
        ParamKind::Integer { .. } => "int",
        ParamKind::Number { .. } => "float",
        ParamKind::Boolean | ParamKind::Constant(_) => "bool",
        ParamKind::List { .. } => "str | Sequence[str]",
        ParamKind::Moment => "Moment",
        ParamKind::Json(ty) => return python_type(ty, "r."),
    };
    plain.to_owned()
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

    let text = quoted(&text);
    let lines = text.lines().map(|line| format!("        {line}").trim_end().to_owned());
    let text = lines.collect::<Vec<_>>().join("\n");
    format!("        \"\"\"{}\n        \"\"\"\n", text.trim_start())
}
