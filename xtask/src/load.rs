//! Loads OpenAPI documents (version 3.0 or 3.1, JSON or YAML) as JSON values. A parse error contains the line.

use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use crate::fault::{Fault, Result};
use crate::unique_names::{TWICE, UniqueNames};
use crate::yaml;

/// Loads an OpenAPI document from a file, and checks its OpenAPI version.
pub fn description(path: &Path) -> Result<Value> {
    described(path, &text(path)?)
}

/// Parses the text of an OpenAPI document, and checks its OpenAPI version. Errors name the file `path`.
pub fn described(path: &Path, text: &str) -> Result<Value> {
    let document = parsed(path, text)?;
    recognise(&document).map_err(|fault| fault.within(path))?;
    Ok(document)
}

/// Loads a JSON or YAML file. A file that begins with `{` or `[` is JSON.
pub fn document(path: &Path) -> Result<Value> {
    parsed(path, &text(path)?)
}

/// Parses JSON or YAML text. Errors name the file `path`.
pub fn parsed(path: &Path, text: &str) -> Result<Value> {
    parse(text).map_err(|(reason, hint)| Fault::file(path, reason, hint))
}

/// Reads a UTF-8 text file, and removes a byte order mark.
pub fn text(path: &Path) -> Result<String> {
    if path.is_dir() {
        return Err(Fault::file(path, "this is a directory", "pass the path of a file"));
    }
    let bytes = fs::read(path).map_err(|error| {
        Fault::file(path, error.to_string(), "check the path and its permissions")
    })?;
    let text = String::from_utf8(bytes)
        .map_err(|error| Fault::file(path, error.to_string(), "save the file as UTF-8"))?;
    Ok(text.trim_start_matches('\u{feff}').to_owned())
}

pub(crate) fn parse(text: &str) -> std::result::Result<Value, yaml::Wrong> {
    let first = text.trim_start().chars().next();
    match first {
        None => Err(("the file is empty".to_owned(), "download the OpenAPI document again")),
        Some('{' | '[') => serde_json::from_str::<UniqueNames>(text)
            .map(|UniqueNames(document)| document)
            .map_err(|error| match error.to_string() {
                reason if reason.contains(TWICE) => (reason, "remove one of the two fields"),
                reason if reason.starts_with("recursion limit") => (
                    format!("the document is nested deeper than the limit: {reason}"),
                    "write the document with less nesting",
                ),
                reason => (format!("not JSON: {reason}"), "check whether the file is complete"),
            }),
        Some(_) => yaml::parse(text),
    }
}

/// Returns the line numbers at which the actions of an overlay begin. Returns an empty list if the text is not valid
/// YAML or JSON.
#[must_use]
pub fn action_lines(text: &str) -> Vec<u64> {
    #[derive(Deserialize)]
    struct Lines {
        #[serde(default)]
        actions: Vec<serde_saphyr::Spanned<Value>>,
    }

    // JSON is a subset of YAML, so the YAML parser reads both.
    let actions = yaml::parse::<Lines>(text).map(|lines| lines.actions).unwrap_or_default();
    actions.iter().map(|action| action.referenced.line()).collect()
}

fn recognise(document: &Value) -> Result<()> {
    let Some(members) = document.as_object() else {
        return Err(Fault::at("", "the document is not an object", "pass an OpenAPI document"));
    };

    if members.contains_key("swagger") {
        return Err(Fault::at(
            "/swagger",
            "this is Swagger 2, not OpenAPI 3",
            "ask the publisher for OpenAPI 3, or convert the document first",
        ));
    }

    match members.get("openapi").and_then(Value::as_str) {
        Some(version) if version.starts_with("3.0.") || version.starts_with("3.1.") => {}
        Some(version) => {
            return Err(Fault::at(
                "/openapi",
                format!("OpenAPI {version} is not supported"),
                "use version 3.0 or 3.1; a document without new features of 3.2 can declare 3.1.0",
            ));
        }
        None if members.contains_key("openapi") => {
            return Err(Fault::at(
                "/openapi",
                "the version is not a string",
                "write the version as a string with three numbers: '3.1.0'",
            ));
        }
        None => {
            return Err(Fault::at(
                "/openapi",
                "the field `openapi` with the version is missing",
                "pass an OpenAPI document, not an overlay or a JSON Schema",
            ));
        }
    }

    if !members.get("paths").is_some_and(Value::is_object) {
        return Err(Fault::at(
            "/paths",
            "the document has no object `paths`",
            "add the object `paths`",
        ));
    }

    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> String {
        let seen = parse(text)
            .map_err(|(reason, hint)| format!("{reason} / {hint}"))
            .and_then(|document| recognise(&document).map_err(|fault| fault.to_string()));
        seen.unwrap_err()
    }

    #[test]
    fn name_that_stands_twice_is_a_fault() {
        for text in [r#"{"a": 1, "b": [{"c": 1, "c": 2}]}"#, "a: 1\nb: {c: 1, c: 2}\n"] {
            let (reason, _) = parse(text).unwrap_err();
            assert!(reason.contains('c') && reason.contains("line"), "{reason}");
        }
    }

    #[test]
    fn json_and_yaml_read_alike() {
        let json =
            parse(r#"{"openapi": "3.1.0", "paths": {}, "n": [1, 2.5, null, true]}"#).unwrap();
        let yaml = parse("openapi: 3.1.0\npaths: {}\nn: [1, 2.5, null, true]\n").unwrap();
        assert_eq!(json, yaml);
        recognise(&json).unwrap();
        // YAML 1.1 would read `NO` as false.
        let country = parse("codes: [NO, no, off, y, true, 0x10, null, ~]").unwrap();
        assert_eq!(
            country["codes"],
            serde_json::json!(["NO", "no", "off", "y", true, 16, null, null])
        );
    }

    #[test]
    fn every_action_of_an_overlay_has_a_line() {
        let lines = action_lines;
        let yaml = "overlay: 1.0.0\nactions:\n  # A remark.\n  - target: >-\n      $.paths\n      .*\n    \
                    update: {x: 1}\n\n  - {target: $, update: {}}\n";
        assert_eq!(lines(yaml), [4, 9]);
        let json = "{\"overlay\": \"1.0.0\",\n \"actions\": [{\"target\": \"$\"},\n  {\n  \"target\": \"$\"}]}";
        assert_eq!(lines(json), [2, 3]);
        assert!(lines("[").is_empty());
    }

    #[test]
    fn what_is_not_a_description_is_refused_with_a_hint() {
        insta::assert_snapshot!(fault(""), @"the file is empty / download the OpenAPI document again");
        insta::assert_snapshot!(fault("{\"openapi\": "), @"not JSON: EOF while parsing a value at line 1 column 12 / check whether the file is complete");
        assert!(fault("a: [1,\nb: 2").starts_with("not YAML: "));
        assert!(
            fault(&"[".repeat(1000)).starts_with("the document is nested deeper than the limit")
        );
        insta::assert_snapshot!(fault("[]"), @"
        error: the document is not an object
           at: #
         hint: pass an OpenAPI document
        ");

        insta::assert_snapshot!(fault("swagger: '2.0'"), @"
        error: this is Swagger 2, not OpenAPI 3
           at: #/swagger
         hint: ask the publisher for OpenAPI 3, or convert the document first
        ");
        insta::assert_snapshot!(fault("openapi: 3.2.0"), @"
        error: OpenAPI 3.2.0 is not supported
           at: #/openapi
         hint: use version 3.0 or 3.1; a document without new features of 3.2 can declare 3.1.0
        ");

        insta::assert_snapshot!(fault("{\"openapi\": \"3.0.3\"}"), @"
        error: the document has no object `paths`
           at: #/paths
         hint: add the object `paths`
        ");
    }
}
