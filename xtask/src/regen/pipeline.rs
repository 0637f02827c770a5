//! Runs the steps of the generator in memory. No step reads or writes files.
//!
//! The inputs are parsed OpenAPI documents and the overlay. The outputs are the model, the generated source code and
//! the report. The steps are:
//!
//! - `join` merges the documents and converts them to OpenAPI 3.0.
//! - `regen::inputs` applies the overlay.
//! - `prepare` runs the other passes.
//! - `decide` computes the types and the model. It calls `prepare`.
//! - `transform` generates the source code. It calls `decide`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::fault::{Faults, Result};
use crate::model::{Enum, Model};
use crate::overlay_findings::Finding;
use crate::passes::{self, runtime_types};
use crate::report::Report;
use crate::types::{self, Types};
use crate::{check, emit, read};

/// Output of the generator in memory: the model and the generated files.
pub struct Output {
    pub model: Model,
    /// Version numbers in the OpenAPI documents, in the order of the input files.
    pub versions: Vec<String>,
    /// Text of the file `REPORT.md`, which lists the changes to the OpenAPI documents.
    pub report: String,
    /// JSON text of `openapi.json`: the merged OpenAPI document, adapted for tools in other programming languages.
    pub openapi: String,
    /// Generated source files. The key is the path relative to `src/generated`.
    pub sources: BTreeMap<String, String>,
    /// Overlay actions that a maintainer must review.
    pub findings: Vec<Finding>,
}

/// Merges OpenAPI documents into one document of version 3.0.
pub(super) fn join(documents: Vec<Value>) -> Result<(Value, Report)> {
    let mut report = Report::default();
    let mut document = passes::merge::merge(documents, &mut report)?;
    passes::references::media_types(&mut document, &mut report);
    check::outline(&mut document, &mut report)?;
    passes::references::references(&mut document, &mut report);
    passes::down_convert::down_convert(&mut document, &mut report);
    Ok((document, report))
}

/// Runs all steps after the overlay was applied: the passes, the model and the source code.
pub(super) fn transform(document: Value, mut report: Report) -> Result<Output, Faults> {
    let openapi = emit::openapi(&document);
    let model = decide(document, &mut report)?;
    let header = header(&model);
    let sources = emit::sources(&model, &format!("//! {header}"));
    let counts = format!(
        "# Generation report\n\n{header}\n\n{} operations, {} records, {} enums, {} domains.",
        model.operations.len(),
        model.records.len(),
        model.enums.len(),
        model.tags.len(),
    );
    let report = report.to_markdown(&counts);
    Ok(Output { model, versions: Vec::new(), report, openapi, sources, findings: Vec::new() })
}

/// Builds the model of an OpenAPI document. After a fault, the passes continue without the invalid part, so the error
/// contains all faults of the document.
pub(super) fn decide(document: Value, notes: &mut Report) -> Result<Model, Faults> {
    finish_model(document, notes).map_err(|faults| notes.attributed(faults))
}

fn finish_model(mut document: Value, notes: &mut Report) -> Result<Model, Faults> {
    let (runtime_types, enums) = prepare(&mut document, notes)?;
    let names: BTreeSet<String> = enums.keys().cloned().collect();
    let types = types::types(&document, &names, &runtime_types, notes).unwrap_or_else(|reason| {
        notes.refuse(types::locate(&document, &names, &runtime_types, reason));
        Types::default()
    });

    let model = model(&document, runtime_types, enums, &types, notes);
    match notes.faults() {
        Some(faults) => Err(faults),
        None => Ok(model),
    }
}

/// Runs the passes after the overlay, in order. The passes change `document`. Returns the names of the runtime crate's
/// types that `document` uses, and the enums of `document`.
pub(super) fn prepare(
    document: &mut Value,
    notes: &mut Report,
) -> Result<(BTreeSet<String>, BTreeMap<String, Enum>), Faults> {
    check::outline(document, notes)?;
    check::shape(document, notes);
    passes::inline::inline(document, notes);
    passes::unused_parts::unused_parts(document, notes);
    passes::normalize_operations::normalize_operations(document, notes);
    passes::rename::rename(document, notes);
    passes::streaming::streaming(document, notes);
    check::schemas(document, notes);
    let runtime_types = runtime_types::runtime_types(document, notes);
    passes::compose::compose(document, notes);
    Ok((runtime_types, passes::enums::enums(document, notes)))
}

/// Builds the model from the OpenAPI document after all passes.
fn model(
    document: &Value,
    runtime_types: BTreeSet<String>,
    enums: BTreeMap<String, Enum>,
    types: &Types,
    report: &mut Report,
) -> Model {
    let operations = read::operations(document, types, report);
    let (records, unions) = read::records(document, &operations, types, report);

    for operation in &operations {
        if let Some(note) = &operation.note {
            report.note(crate::report::Change::Assumed, note.clone(), operation.id.clone());
        }
    }

    let plans = read::plans(document).unwrap_or_else(|fault| {
        report.refuse(fault);
        Vec::new()
    });
    let tiers = read::tiers(document).unwrap_or_else(|fault| {
        report.refuse(fault);
        Vec::new()
    });
    let top_up = read::top_up(document).unwrap_or_else(|fault| {
        report.refuse(fault);
        None
    });

    let model = Model {
        title: read::text(&document["info"], "title"),
        version: read::text(&document["info"], "version"),
        tags: read::tags(document, report),
        operations,
        records,
        unions,
        enums,
        tiers,
        plans,
        top_up,
        runtime_types,
    };

    check::names(&model, report);
    model
}

fn header(model: &Model) -> String {
    let source = emit::line(&format!("{} {}", model.title, model.version));
    format!("Generated by `cargo xtask regen` from {source}. Do not edit.")
}
