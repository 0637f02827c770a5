//! Functions that create small OpenAPI documents, and functions that run our generator and the public generator
//! progenitor on them.

use serde_json::{Value, json};
use xtask::regen::{self, Output};

/// Returns an OpenAPI document with one operation `things-list` (`GET /things`).
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

/// Returns an OpenAPI document with one operation, whose response is the record `Thing` with this schema.
pub(crate) fn thing(schema: Value) -> Value {
    listing(json!([]), json!({"$ref": "#/components/schemas/Thing"}), json!({"Thing": schema}))
}

/// Returns an OpenAPI document with one operation `things-make` (`POST /things`), which has this request body.
pub(crate) fn posting(body: Value) -> Value {
    let mut document = listing(json!([]), json!({"type": "string"}), json!({}));
    let item = document["paths"]["/things"].as_object_mut().unwrap();
    let mut operation = item.remove("get").unwrap();
    operation["operationId"] = "things-make".into();
    operation["requestBody"] = body;
    item.insert("post".to_owned(), operation);
    document
}

/// Returns the output of our generator. Panics if it rejects the document.
#[track_caller]
pub(crate) fn treated(document: &Value) -> Output {
    regen::run_in_memory(vec![document.clone()], None)
        .unwrap_or_else(|fault| panic!("{fault}\n{document:#}"))
}

/// Returns the faults of a document that our generator rejects. Panics if it accepts the document.
#[track_caller]
pub(crate) fn fault(document: &Value) -> String {
    match regen::run_in_memory(vec![document.clone()], None) {
        Ok(_) => panic!("no fault in {document:#}"),
        Err(fault) => fault.to_string(),
    }
}

/// Returns all code that our generator writes, as one text. Each run of spaces and line breaks is replaced by one
/// space.
#[track_caller]
pub(crate) fn code(document: &Value) -> String {
    let sources = treated(document).sources;
    let text: Vec<_> = sources.values().flat_map(|text| text.split_whitespace()).collect();
    text.join(" ")
}

/// Returns the code that progenitor generates from a document, without the passes of our generator. If progenitor
/// fails, returns its error message.
pub(crate) fn untreated(document: &Value) -> Result<String, String> {
    xtask::progenitor::untreated(document)
        .map(|tokens| tokens.to_string())
        .map_err(|fault| fault.to_string())
}
