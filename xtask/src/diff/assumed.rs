//! Finds undocumented operations for which a new OpenAPI document confirms or refutes the overlay's assumptions.

use serde_json::Value;

use crate::assumptions::{self, Met, Verdict};
use crate::fault::Result;
use crate::load;
use crate::model::{Model, Provenance};
use crate::regen::Inputs;

/// One API version: the generator's input files and the model built from them.
pub(super) type Version<'a> = (&'a Inputs, &'a Model);

/// Returns the undocumented operations for which the new OpenAPI documents confirm or refute an assumption of the old
/// overlay. An operation is skipped in two cases:
///
/// - The old and the new documents describe the operation identically, and both confirm the assumption.
/// - The new overlay no longer marks the operation as undocumented.
pub(super) fn decided(old: Version, new: Version) -> Result<Vec<Met>> {
    let is_assumed =
        |model: &Model| model.operations.iter().any(|op| op.provenance == Provenance::Assumed);
    if old.0.descriptions == new.0.descriptions || !is_assumed(old.1) {
        return Ok(Vec::new());
    }

    let (before, now) = (documents(old.0)?, documents(new.0)?);
    let is_news = |met: &Met| match met.verdict {
        Verdict::Open => false,
        Verdict::Refuted(_) => true,
        Verdict::Confirmed => operation_value(&before, met) != operation_value(&now, met),
    };
    // If the new overlay no longer assumes the operation, the assumption was already resolved.
    let is_open = |met: &Met| {
        let mut same = new.1.operations.iter().filter(|op| op.id == met.operation);
        same.all(|op| op.provenance == Provenance::Assumed)
    };
    let met = assumptions::meet(old.1, new.1);
    Ok(met.into_iter().filter(|met| is_news(met) && is_open(met)).collect())
}

fn documents(inputs: &Inputs) -> Result<Vec<Value>> {
    inputs.descriptions.iter().map(|(path, text)| load::described(path, text)).collect()
}

/// Returns the JSON value of an operation in the first OpenAPI document that contains it.
fn operation_value<'a>(documents: &'a [Value], met: &Met) -> Option<&'a Value> {
    documents.iter().find_map(|document| {
        let item = document.get("paths")?.get(&met.path)?;
        item.get(met.method.to_lowercase())
    })
}
