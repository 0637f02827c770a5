//! Finds the identifiers of assets, projects and other entities by name. The output is JSON for the Python module
//! `crypto_intel._resolve`.

use crypto_intel::catalogue::{OPERATIONS, Operation};
use crypto_intel::resolve::{Candidates, Resolve};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::{Map, Value, json};

/// Creates a search that finds the identifiers of an asset, project or other entity by its name, such as `USDC`. If
/// `operation` is set, the search finds only identifiers that this operation accepts as arguments.
pub(crate) fn resolve(
    client: &crypto_intel::Client,
    name: String,
    kinds: Vec<String>,
    operation: Option<&str>,
) -> PyResult<(Resolve, Option<&'static Operation>)> {
    let operation = operation.map(|id| {
        let known = OPERATIONS.iter().copied().find(|known| known.id == id);
        known.ok_or_else(|| PyValueError::new_err(format!("there is no operation {id}")))
    });
    let operation = operation.transpose()?;
    let resolve = kinds.into_iter().fold(client.resolve(name), Resolve::kind);
    let resolve = match operation {
        Some(operation) => resolve.for_operation(operation),
        None => resolve,
    };
    Ok((resolve, operation))
}

/// Formats the candidates of a search as JSON text.
pub(crate) fn written(found: &Candidates, operation: Option<&'static Operation>) -> String {
    let candidates = found.all().iter().map(|candidate| {
        let arguments = operation.and_then(|operation| candidate.arguments(operation));
        let arguments = arguments.map(|arguments| {
            let members =
                arguments.into_iter().map(|(name, value)| (name.to_owned(), value.into()));
            Value::Object(members.collect::<Map<_, _>>())
        });
        json!({
            "kind": candidate.kind,
            "parts": candidate.parts,
            "name": candidate.name,
            "is_exact": candidate.is_exact,
            "found_by": candidate.found_by,
            "arguments": arguments,
        })
    });
    let problem = found.only().err().map(|error| error.message().to_owned());
    let incomplete: Map<String, Value> = found
        .incomplete()
        .iter()
        .map(|(search, reason)| ((*search).to_owned(), reason.as_str().into()))
        .collect();
    let candidates: Value = candidates.collect();
    json!({"candidates": candidates, "problem": problem, "incomplete": incomplete}).to_string()
}
