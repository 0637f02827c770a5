//! Reads the operations of the OpenAPI document into the model. Errors in an operation become faults in the report.

use serde_json::Value;

use super::extensions::{
    accepts, finds, free_window, misplaced, paging, paging_params, patience, prefix, price,
    provenance, row_order, rules, seen_live, tier,
};
use super::reader::Reader;
use super::{deprecated, module, text};
use crate::fault::{Fault, Result};
use crate::model::{Operation, Param, Provenance, Rule};
use crate::names::value_name;
use crate::origin;
use crate::report::Report;
use crate::schemas::{METHODS, escape};
use crate::types::Types;

/// Reads all operations. The result is sorted by module and operation identifier.
pub fn operations(document: &Value, types: &Types, report: &mut Report) -> Vec<Operation> {
    let reader = Reader { document, types };
    let mut operations = Vec::new();
    for (path, item) in document.get("paths").and_then(Value::as_object).into_iter().flatten() {
        for method in METHODS {
            let Some(operation) = item.get(*method) else { continue };
            let place = format!("/paths/{}/{method}", escape(path));
            match reader.operation(&place, path, method, operation, report) {
                Ok(operation) => operations.push(operation),
                Err(fault) => report.refuse(fault),
            }
        }
    }
    operations.sort_by(|a, b| (&a.module, &a.id).cmp(&(&b.module, &b.id)));
    operations
}

impl Reader<'_> {
    /// Reads one operation: its parameters, extensions, response and price. Checks that the operation has
    /// all parameters that the extensions mention.
    fn operation(
        &self,
        place: &str,
        path: &str,
        method: &str,
        operation: &Value,
        report: &mut Report,
    ) -> Result<Operation> {
        let tag =
            operation.pointer("/tags/0").and_then(Value::as_str).unwrap_or_default().to_owned();
        let at = &origin::location(operation, place);
        let (body, params) = self.params(place, at, operation, report)?;

        let rules = rules(at, operation)?;
        for Rule::AtLeastOne(names) | Rule::ExactlyOne(names) in &rules {
            all_exist(names, &params, &format!("{at}/x-identifiers"))?;
        }
        let paging = paging(at, operation)?;
        all_exist(&paging_params(&paging), &params, &format!("{at}/x-paging"))?;
        let (success, answer) = self.answer(place, operation);
        let paging = self.fitting(paging, &answer, at, report);

        let row_order = row_order(at, operation, self.row_fields(&answer), report)?;
        all_exist(row_order.since.as_slice(), &params, &format!("{at}/x-rows"))?;

        let provenance = provenance(at, operation)?;
        let note = operation.get("x-assumed").and_then(Value::as_str).map(str::to_owned);
        if provenance == Provenance::Assumed && note.is_none() {
            return Err(Fault::at(
                at,
                "`x-provenance` is `assumed`, but `x-assumed` is missing",
                "add `x-assumed` to the operation or to the overlay, with a sentence about the assumption",
            )
            .settled_by("update: {x-assumed: ...}"));
        }

        let (tier, price) = match tier(at, self.document, operation)? {
            Some((tier, price)) => (Some(tier), price),
            None => (None, price(at, operation)?),
        };
        let path = path.split('#').next().unwrap_or_default().to_owned();
        let id = text(operation, "operationId");
        let mut summary = text(operation, "summary");
        if summary.is_empty() {
            summary = first_sentence(&text(operation, "description"), &id);
        }

        Ok(Operation {
            method: method.to_uppercase(),
            misplaced: misplaced(at, operation)?,
            patience: patience(at, operation)?,
            prefix: prefix(at, &path, operation)?,
            seen_live: seen_live(at, operation)?,
            path,

            module: module(&tag),
            tag,
            id,
            summary,
            doc: text(operation, "description"),

            finds: finds(at, operation, &params)?,
            accepts: accepts(at, operation, &params)?,
            params,
            body,
            rules,
            success,
            answer,
            paging,
            row_order,

            free_window: free_window(self.document, &price, success)?,
            price,
            tier,
            provenance,
            note,
            deprecated: deprecated(operation),
            twin_of: operation.get("x-twin-of").and_then(Value::as_str).map(str::to_owned),
        })
    }
}

fn all_exist(names: &[String], params: &[Param], at: &str) -> Result<()> {
    let missing = names.iter().find(|name| !params.iter().any(|param| param.name == **name));
    match missing {
        None => Ok(()),
        Some(name) => Err(Fault::at(
            at,
            format!("the operation has no parameter `{name}`"),
            "write the name of a parameter of the operation in the overlay",
        )),
    }
}

/// Returns the first sentence of a description, at most 120 characters. If the description is empty, returns the words
/// of the operation's identifier.
fn first_sentence(text: &str, id: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let end = line.find(". ").unwrap_or(line.trim_end_matches('.').len());
    let sentence: String = line[..end].chars().take(120).collect();
    if sentence.is_empty() { value_name(id).replace('_', " ") } else { sentence }
}
