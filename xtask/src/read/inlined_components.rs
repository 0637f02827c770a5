//! Finds schemas of `components.schemas` that do not become Rust types.

use std::collections::BTreeSet;

use serde_json::Value;

use super::reader::JSON;
use crate::model::{Answer, Operation};
use crate::schemas::METHODS;

/// Names of the schemas in `components.schemas` that are response envelopes or request bodies. Usually, such a schema
/// does not become a Rust type.
#[derive(Default)]
pub(super) struct InlinedComponents {
    /// Response objects with the fields `data` and `meta`. The runtime type `Envelope` replaces them.
    pub envelopes: BTreeSet<String>,
    /// Names of the schemas of request bodies. The fields of a schema become parameters of the operations that use it
    /// as their body.
    pub bodies: BTreeSet<String>,
}

impl InlinedComponents {
    pub(super) fn new(document: &Value, operations: &[Operation]) -> Self {
        let enveloped: BTreeSet<&str> = operations
            .iter()
            .filter(|operation| {
                matches!(operation.answer, Answer::Rows { .. } | Answer::One { .. })
            })
            .map(|operation| operation.id.as_str())
            .collect();

        let mut inlined = InlinedComponents::default();
        let items = document.get("paths").and_then(Value::as_object).into_iter().flatten();
        for operation in
            items.flat_map(|(_, item)| METHODS.iter().filter_map(|method| item.get(*method)))
        {
            let body = operation.pointer(&format!("/requestBody/content/{JSON}/schema/$ref"));
            inlined.bodies.extend(body.and_then(name_of));

            let id = operation.get("operationId").and_then(Value::as_str).unwrap_or_default();
            let answers = operation.get("responses").and_then(Value::as_object);
            for (_, answer) in answers.into_iter().flatten().filter(|_| enveloped.contains(id)) {
                let target = answer.pointer(&format!("/content/{JSON}/schema/$ref"));
                inlined.envelopes.extend(target.and_then(name_of));
            }
        }
        inlined
    }
}

pub(super) fn name_of(target: &Value) -> Option<String> {
    Some(target.as_str()?.rsplit('/').next()?.to_owned())
}
