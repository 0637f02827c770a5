//! Passes that convert a published OpenAPI document step by step to a form that the generator accepts. Each pass
//! changes the document and adds its changes to the report.

pub mod compose;
pub mod down_convert;
pub mod enums;
pub mod inline;
pub mod loosen;
pub mod merge;
pub mod normalize_operations;
pub mod overlay;
pub mod references;
pub mod rename;
pub mod runtime_types;
pub mod streaming;
pub mod unused_parts;

#[cfg(test)]
pub(crate) mod testing {
    use serde_json::Value;

    use crate::report::Report;

    /// Runs a pass on a test document. Returns the JSON text of the document, followed by the report.
    pub(crate) fn show(mut document: Value, pass: impl FnOnce(&mut Value, &mut Report)) -> String {
        let mut report = Report::default();
        pass(&mut document, &mut report);
        let text = serde_json::to_string_pretty(&document).unwrap();
        format!("{text}\n{}", report.to_markdown("---"))
    }

    /// Returns a test document with a single schema, which is called `S`.
    pub(crate) fn with_schema(schema: Value) -> Value {
        serde_json::json!({"components": {"schemas": {"S": schema}}})
    }

    /// Runs a pass on a test document with the schema `S`. Returns the changed schema.
    pub(crate) fn schema_after(
        schema: Value,
        pass: impl FnOnce(&mut Value, &mut Report),
    ) -> String {
        let mut document = with_schema(schema);
        pass(&mut document, &mut Report::default());
        document["components"]["schemas"]["S"].to_string()
    }
}
