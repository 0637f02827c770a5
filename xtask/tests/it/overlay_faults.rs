//! Tests faults about values that the overlay sets. Such a fault must contain the file and the line of the
//! overlay.

use serde_json::json;
use xtask::regen::Inputs;

fn description() -> String {
    json!({
        "openapi": "3.0.3",
        "info": {"title": "x", "version": "1"},
        "tags": [{"name": "A"}],
        "paths": {"/a/b": {
            "get": {
                "operationId": "a", "tags": ["A"], "summary": "s",
                "parameters": [{"name": "q", "in": "query", "schema": {"type": "string", "enum": ["a", "b"]}}],
                "responses": {"200": {"description": "d", "content": {"application/json": {
                    "schema": {"$ref": "#/components/schemas/R"}}}}}},
            "post": {
                "operationId": "b", "tags": ["A"], "summary": "s",
                "responses": {"204": {"description": "d"}}}}},
        "components": {"schemas": {
            "R": {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"$ref": "#/components/schemas/S"}}},
            "S": {"type": "object", "properties": {"n": {"type": "integer"}}}}},
    })
    .to_string()
}

/// Returns the faults that the generator reports for an overlay with one action. Returns `None` if there are no
/// faults. The action begins in line 4 of the overlay.
fn faults(target: &str, update: &str) -> Option<String> {
    let overlay = format!(
        "overlay: 1.0.0\nactions:\n  # The first action.\n  - target: {target}\n    update: {update}\n"
    );
    let inputs = Inputs {
        descriptions: vec![("a.json".into(), description())],
        overlay: Some(("own.yaml".into(), overlay)),
    };
    inputs.output().err().map(|faults| faults.to_string())
}

#[test]
fn fault_of_a_value_of_the_overlay_names_its_line() {
    let get = "$.paths['/a/b'].get";
    let parameter = "$.paths['/a/b'].get.parameters[0]";
    let record = "$.components.schemas.R";
    let member = "$.components.schemas.R.properties.a";

    let extensions = [
        (get, "{x-credits: many}"),
        (get, "{x-credits: [{model: m}]}"),
        (get, "{x-paging: {kind: pages}}"),
        (get, "{x-paging: {kind: offset, limit: l}}"),
        (get, "{x-paging: {kind: offset, limit: l, offset: o}}"),
        (get, "{x-identifiers: [{one: [q]}]}"),
        (get, "{x-identifiers: [{at-least-one: [z]}]}"),
        (get, "{x-rows: 7}"),
        (get, "{x-rows: {order: a}}"),
        (get, "{x-rows: {since: q}}"),
        (get, "{x-misplaced: 7}"),
        (get, "{x-patience: long}"),
        (get, "{x-prefix: /z}"),
        (get, "{x-seen-live: yesterday}"),
        (get, "{x-provenance: rumour}"),
        (get, "{x-arguments: [z]}"),
        (get, "{x-rename: b}"),
        ("$", "{x-free-window: long}"),
        ("$", "{x-plans: 7}"),
        ("$", "{x-top-up: 7}"),
        (parameter, "{x-param: riddle}"),
        (record, "{x-rename: 7}"),
        (member, "{x-native: Nothing}"),
    ];

    let parts_of_the_document = [
        (get, "{responses: {'200': 7}}"),
        (parameter, "{in: body}"),
        (parameter, "{schema: 7}"),
        (parameter, "{schema: {$ref: '#/components/schemas/Nowhere'}}"),
        (member, "{type: strin}"),
        (member, "{enum: 7}"),
        (member, "{$ref: '#/components/schemas/Nowhere'}"),
        (record, "{properties: 7}"),
        (record, "{properties: {new: {type: strin}}}"),
    ];

    let rows = [&extensions[..], &parts_of_the_document].concat();
    let mut wrong = Vec::new();
    for &(target, update) in &rows {
        match faults(target, update) {
            None => wrong.push(format!("{target} {update}: accepted")),
            Some(told) if told.contains("at: own.yaml, line 4, which sets a.json#") => {}
            Some(told) if told.contains("at: own.yaml, line 4#/actions/0/update/x-") => {}
            Some(told) => wrong.push(format!("{target} {update}:\n{told}")),
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), rows.len(), wrong.join("\n\n"));
}

#[test]
fn fault_of_the_description_does_not_name_the_overlay() {
    let told = faults("$.paths['/a/b'].get", "{x-credits: 2}");
    assert_eq!(told, None);
    let broken = description().replace("\"integer\"", "\"strin\"");
    let inputs = Inputs {
        descriptions: vec![("a.json".into(), broken)],
        overlay: Some((
            "own.yaml".into(),
            "overlay: 1.0.0\nactions:\n  - target: $.components.schemas.R\n    update: {description: d}\n".into(),
        )),
    };
    let told = inputs.output().err().unwrap().to_string();
    assert!(
        told.contains("a.json#/components/schemas/R/properties/a") && !told.contains("own.yaml"),
        "{told}"
    );
}
