//! Keeps the repository's documentation texts when a new OpenAPI document is adopted.
//!
//! The result has the structure of the new document and the texts of the repository's document. A text of a new
//! operation or field becomes a placeholder, and the report shows the publisher's text. `spec/texts.lock` contains a
//! hash of each replaced text of the publisher, and the location of the text. If the next run of `cargo xtask adopt`
//! computes another hash for the same location, the publisher has changed the text.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::schemas::escape;

/// Path of the file that contains hashes of the publisher's documentation texts. The path is relative to the
/// repository root.
pub(super) const LOCK: &str = "spec/texts.lock";
/// Start of each placeholder. A placeholder marks a documentation text that a person must write.
pub const PLACEHOLDER: &str = "To be worded";

const HEAD: &str = "\
# Written by `cargo xtask adopt`: for each documentation text that we replaced by our own words, the start of the
# SHA-256 of the publisher's text. If the publisher changes the text, `adopt` reports it. Do not edit.
";

/// OpenAPI fields that contain documentation texts.
const TEXTS: &[&str] = &["description", "summary"];
/// OpenAPI fields with example values. The publisher's examples can contain the publisher's name, so they are removed
/// or replaced by the repository's examples.
const SAMPLES: &[&str] = &["example", "examples"];
/// OpenAPI fields that contain a map whose keys are names, such as the property names in `properties`.
const NAMED: &[&str] = &[
    "paths",
    "schemas",
    "properties",
    "patternProperties",
    "parameters",
    "responses",
    "headers",
    "requestBodies",
    "securitySchemes",
    "content",
    "encoding",
    "callbacks",
    "links",
    "$defs",
    "definitions",
    "dependentSchemas",
    "variables",
    "mapping",
    "discriminator",
    "scopes",
    "pathItems",
];
/// OpenAPI fields that contain plain values. Objects inside these fields have no documentation texts.
const DATA: &[&str] = &["enum", "default", "const", "required", "security", "mapping"];

/// Hashes of the publisher's documentation texts. The key is the JSON pointer of the text.
pub(super) type Hashes = BTreeMap<String, String>;

/// Differences between the publisher's documentation texts in the old and the new OpenAPI document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Texts {
    /// The publisher's texts for which the repository has no text, for example for new operations and fields. Each pair
    /// is the JSON pointer of a text, and the text.
    pub new: Vec<(String, String)>,
    /// One entry for each text that the publisher changed: the JSON pointer, the repository's text, and the publisher's
    /// new text.
    pub changed: Vec<(String, String, String)>,
}

/// Replaces the documentation texts of `new` by the repository's texts. `ours` are the repository's documents. If
/// several documents contain an object, such as an operation or a field, the texts of the first document are used.
pub(super) fn keep_ours(ours: &[&Value], new: &mut Value, hashes: &mut Hashes) -> Texts {
    let mut keeper = Keeper { hashes, texts: Texts::default() };
    keeper.top(ours, new);
    keeper.texts
}

struct Keeper<'a> {
    hashes: &'a mut Hashes,
    texts: Texts,
}

impl Keeper<'_> {
    /// Merges the top-level fields of the repository's document and the new document. The repository's title, server
    /// URLs and contacts are kept. The version is taken from the new document.
    fn top(&mut self, ours: &[&Value], new: &mut Value) {
        let Some(members) = new.as_object_mut() else { return };
        if let Some(known) = ours.first() {
            let version = members.get("info").and_then(|info| info.get("version")).cloned();
            for name in ["info", "servers", "externalDocs"] {
                match known.get(name) {
                    Some(value) => members.insert(name.to_owned(), value.clone()),
                    None => members.remove(name),
                };
            }
            // The publisher's own extensions can contain its name.
            members.retain(|name, _| !name.starts_with("x-") || known.get(name).is_some());
            if let (Some(version), Some(info)) = (version, members.get_mut("info")) {
                info["version"] = version;
            }
        }

        for name in ["tags", "paths", "components"] {
            let Some(part) = members.get_mut(name) else { continue };
            let known: Vec<&Value> = ours.iter().filter_map(|ours| ours.get(name)).collect();
            match name {
                "components" => {
                    self.each_named(&known, part, "/components", |keeper, known, part, place| {
                        keeper.each_named(known, part, place, Keeper::node);
                    })
                }
                "paths" => self.each_named(&known, part, "/paths", Keeper::node),
                _ => self.node(&known, part, "/tags"),
            }
        }
    }

    /// Calls `visit` for each entry of the JSON object `new`, for example for each schema of `/components/schemas`.
    /// `place` is the JSON pointer of `new`. The arguments of `visit` are:
    ///
    /// - The values that have the entry's key in the JSON objects `ours`.
    /// - The value of the entry in `new`.
    /// - The JSON pointer of the entry.
    fn each_named(
        &mut self,
        ours: &[&Value],
        new: &mut Value,
        place: &str,
        visit: impl Fn(&mut Self, &[&Value], &mut Value, &str),
    ) {
        for (name, part) in new.as_object_mut().into_iter().flatten() {
            let known: Vec<&Value> = ours.iter().filter_map(|ours| ours.get(name)).collect();
            visit(self, &known, part, &format!("{place}/{}", escape(name)));
        }
    }

    /// Replaces the documentation texts in `new` and in its nested values. `ours` contains the values that correspond
    /// to `new` in the repository's documents. Their texts replace the texts of `new`. A text without a replacement
    /// becomes a placeholder. `place` is the JSON pointer of `new`. If an array item has a `name`, the pointer
    /// contains this name, and not the index: `/paths/~1a/get/parameters/limit`.
    fn node(&mut self, ours: &[&Value], new: &mut Value, place: &str) {
        match new {
            Value::Array(items) => {
                for (index, item) in items.iter_mut().enumerate() {
                    let known: Vec<&Value> =
                        ours.iter().filter_map(|ours| counterpart(ours, item, index)).collect();
                    let place = format!("{place}/{}", key_of(item, index));
                    self.node(&known, item, &place);
                }
            }
            Value::Object(members) => self.members(ours, members, place),
            _ => {}
        }
    }

    fn members(&mut self, ours: &[&Value], members: &mut Map<String, Value>, place: &str) {
        let known = ours.first().and_then(|ours| ours.as_object());
        self.restore_own_texts(known, members);
        for text in TEXTS {
            self.text(known, members, text, place);
        }

        for (name, part) in members.iter_mut() {
            let below: Vec<&Value> = ours.iter().filter_map(|ours| ours.get(name)).collect();
            let place = format!("{place}/{}", escape(name));
            let is_data = DATA.contains(&name.as_str()) || SAMPLES.contains(&name.as_str());
            if is_data || name.starts_with("x-") {
                continue;
            }
            if NAMED.contains(&name.as_str()) && part.is_object() {
                self.each_named(&below, part, &place, Keeper::node);
            } else {
                self.node(&below, part, &place);
            }
        }
    }

    /// Replaces fields such as `title` and `example`, because they can contain the publisher's name. The new values are
    /// the fields of `known`, the corresponding object in the repository's document. For example, if `known` has no
    /// `title`, the `title` is removed.
    fn restore_own_texts(
        &self,
        known: Option<&Map<String, Value>>,
        members: &mut Map<String, Value>,
    ) {
        let is_ours = |name: &str| {
            SAMPLES.contains(&name)
                || ["title", "externalDocs", "servers"].contains(&name)
                || name.starts_with("x-")
        };
        members.retain(|name, _| {
            !is_ours(name) || known.is_some_and(|known| known.contains_key(name))
        });
        for (name, value) in known.into_iter().flatten() {
            if is_ours(name) {
                members.insert(name.clone(), value.clone());
            }
        }
    }

    fn text(
        &mut self,
        known: Option<&Map<String, Value>>,
        members: &mut Map<String, Value>,
        name: &str,
        place: &str,
    ) {
        let ours = known.and_then(|known| known.get(name)).and_then(Value::as_str);
        let theirs = members.get(name).and_then(Value::as_str).map(str::to_owned);
        let place = format!("{place}/{name}");

        match (ours, theirs) {
            (Some(ours), Some(theirs)) if ours != theirs => {
                let hash = hash(&theirs);
                let before = self.hashes.insert(place.clone(), hash.clone());
                if before.is_some_and(|before| before != hash) {
                    self.texts.changed.push((place, ours.to_owned(), theirs));
                }
                members.insert(name.to_owned(), ours.into());
            }
            (Some(ours), None) if !members.contains_key("$ref") => {
                members.insert(name.to_owned(), ours.into());
            }
            (None, Some(theirs)) => {
                members.insert(name.to_owned(), placeholder(members).into());
                self.hashes.insert(place.clone(), hash(&theirs));
                self.texts.new.push((place, theirs));
            }
            _ => {}
        }
    }
}

/// Returns the item of the array `ours` that corresponds to `item`. Items with a `name`, such as parameters, correspond
/// if `name` and `in` are equal. Any other item corresponds to the item with the same index.
fn counterpart<'a>(ours: &'a Value, item: &Value, index: usize) -> Option<&'a Value> {
    let ours = ours.as_array()?;
    match item.get("name") {
        Some(name) => ours
            .iter()
            .find(|known| known.get("name") == Some(name) && known.get("in") == item.get("in")),
        None => ours.get(index),
    }
}

fn key_of(item: &Value, index: usize) -> String {
    item.get("name").and_then(Value::as_str).map_or_else(|| index.to_string(), escape)
}

/// Returns the placeholder for a documentation text of the JSON object `members`. If `members` is a schema or a
/// parameter with a single type, the placeholder contains this type, such as `To be worded: integer.`
fn placeholder(members: &Map<String, Value>) -> String {
    let schema = members.get("schema").and_then(Value::as_object).unwrap_or(members);
    let text =
        |name: &str| schema.get(name).and_then(Value::as_str).map(|text| format!(" ({text})"));
    match schema.get("type") {
        Some(Value::String(ty)) => {
            format!("{PLACEHOLDER}: {ty}{}.", text("format").unwrap_or_default())
        }
        _ => format!("{PLACEHOLDER}."),
    }
}

/// Returns the first 8 bytes of the SHA-256 hash of a text, in hexadecimal.
fn hash(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// Parses the text of `spec/texts.lock`.
#[must_use]
pub(super) fn read(text: &str) -> Hashes {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .filter_map(|line| line.split_once(' '))
        .map(|(hash, place)| (place.to_owned(), hash.to_owned()))
        .collect()
}

/// Formats the hashes of the publisher's documentation texts as the text of `spec/texts.lock`.
#[must_use]
pub(super) fn hash_lines(hashes: &Hashes) -> String {
    let lines = hashes.iter().map(|(place, hash)| format!("{hash} {place}\n"));
    format!("{HEAD}{}", lines.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn ours() -> Value {
        json!({"info": {"title": "Ours", "version": "1"}, "servers": [],
            "paths": {"/a": {"get": {"summary": "Our summary", "parameters": [
                {"name": "q", "in": "query", "description": "Our text", "schema": {"type": "string", "examples": ["x"]}}]}}},
            "components": {"schemas": {"R": {"type": "object", "properties": {
                "description": {"type": "string", "description": "Our words"}}}}}})
    }

    fn theirs() -> Value {
        json!({"info": {"title": "Brand", "version": "2", "contact": {"url": "https://brand.example"}},
            "servers": [{"url": "https://api.brand.example"}], "externalDocs": {"url": "https://brand.example"},
            "paths": {"/a": {"get": {"summary": "Brand summary", "parameters": [
                {"name": "n", "in": "query", "description": "Brand number", "schema": {"type": "integer", "examples": ["brand"]}},
                {"name": "q", "in": "query", "description": "Brand text", "schema": {"type": "string"}}]}}},
            "components": {"schemas": {"R": {"type": "object", "title": "Brand", "properties": {
                "description": {"type": "string", "description": "Brand words"},
                "more": {"type": "number", "description": "Brand more"}}}}}})
    }

    #[test]
    fn structure_is_theirs_and_words_are_ours() {
        let (mut new, mut hashes) = (theirs(), Hashes::new());
        let texts = keep_ours(&[&ours()], &mut new, &mut hashes);

        assert!(!new.to_string().to_lowercase().contains("brand"), "{new}");
        assert_eq!(new["info"], json!({"title": "Ours", "version": "2"}));
        let get = &new["paths"]["/a"]["get"];
        assert_eq!(get["summary"], "Our summary");
        assert_eq!(get["parameters"][0]["description"], "To be worded: integer.");
        assert_eq!(get["parameters"][1]["description"], "Our text");
        assert_eq!(get["parameters"][1]["schema"]["examples"], json!(["x"]));
        let members = &new["components"]["schemas"]["R"]["properties"];
        assert_eq!(members["description"]["description"], "Our words");
        let new: Vec<&str> = texts.new.iter().map(|(_, theirs)| theirs.as_str()).collect();
        assert_eq!(new, ["Brand number", "Brand more"]);
        assert!(texts.changed.is_empty());
    }

    #[test]
    fn changed_text_of_the_publisher_is_reported_beside_ours() {
        let mut hashes = Hashes::new();
        keep_ours(&[&ours()], &mut theirs(), &mut hashes);
        hashes = read(&hash_lines(&hashes));

        let mut later = theirs();
        later["paths"]["/a"]["get"]["summary"] = json!("Brand fraction");
        let texts = keep_ours(&[&ours()], &mut later, &mut hashes);

        let place = "/paths/~1a/get/summary".to_owned();
        assert_eq!(texts.changed, [(place, "Our summary".to_owned(), "Brand fraction".to_owned())]);
        assert_eq!(later["paths"]["/a"]["get"]["summary"], "Our summary");
    }

    #[test]
    fn our_own_description_changes_nothing() {
        let (mut same, mut hashes) = (ours(), Hashes::new());
        let texts = keep_ours(&[&ours()], &mut same, &mut hashes);
        assert_eq!((same, texts, hashes), (ours(), Texts::default(), Hashes::new()));
    }
}
