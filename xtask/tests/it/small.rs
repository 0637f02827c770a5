//! Small descriptions, and functions that run both generators on them.

use serde_json::{Value, json};
use xtask::regen::{self, Output};

/// Returns a description with the operation `things-list`, `GET /things`.
pub(crate) fn listing(parameters: Value, answer: Value, schemas: Value) -> Value {
    json!({
        "openapi": "3.0.3",
        "info": {"title": "Small", "version": "7.7.7"},
        "paths": {"/things": {"get": {
            "operationId": "things-list", "tags": ["Things"], "summary": "Things",
            "parameters": parameters,
            "responses": {"200": {"description": "ok",
                "content": {"application/json": {"schema": answer}}}}}}},
        "components": {"schemas": schemas}
    })
}

/// Returns a description whose response is the record `Thing` with these fields.
pub(crate) fn thing(schema: Value) -> Value {
    listing(json!([]), json!({"$ref": "#/components/schemas/Thing"}), json!({"Thing": schema}))
}

/// Returns a description with the operation `things-make`, `POST /things`, that has this body.
pub(crate) fn posting(body: Value) -> Value {
    let mut document = listing(json!([]), json!({"type": "string"}), json!({}));
    let item = document["paths"]["/things"].as_object_mut().unwrap();
    let mut operation = item.remove("get").unwrap();
    operation["operationId"] = "things-make".into();
    operation["requestBody"] = body;
    item.insert("post".to_owned(), operation);
    document
}

/// Returns the output of our generator.
#[track_caller]
pub(crate) fn treated(document: &Value) -> Output {
    regen::run_in_memory(vec![document.clone()], None)
        .unwrap_or_else(|fault| panic!("{fault}\n{document:#}"))
}

/// Returns the fault with which our generator rejects a description.
#[track_caller]
pub(crate) fn fault(document: &Value) -> String {
    match regen::run_in_memory(vec![document.clone()], None) {
        Ok(_) => panic!("no fault in {document:#}"),
        Err(fault) => fault.to_string(),
    }
}

/// Joins all code of our generator to one text, with collapsed spaces so that line breaks do not matter.
#[track_caller]
pub(crate) fn code(document: &Value) -> String {
    let sources = treated(document).sources;
    let text: Vec<_> = sources.values().flat_map(|text| text.split_whitespace()).collect();
    text.join(" ")
}

/// Returns the output of the external generator without our passes: tokens separated by blanks, or its error.
pub(crate) fn untreated(document: &Value) -> Result<String, String> {
    xtask::progenitor::untreated(document)
        .map(|tokens| tokens.to_string())
        .map_err(|fault| fault.to_string())
}
