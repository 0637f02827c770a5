//! Applies the overlay (OpenAPI Overlay 1.0). The overlay contains this project's additions and corrections to the
//! published OpenAPI document.

use serde_json::Value;
use serde_json_path::JsonPath;

use super::unused_parts::EXTENSIONS;
use crate::closest::guess;
use crate::fault::{Fault, Result};
use crate::origin;
use crate::overlay_findings::{Effect, Fate, Finding, Judge};
use crate::report::{Change, Report};
use crate::schemas::escape;

/// Applies each action of `overlay`, in order. Returns findings about actions that need a review.
///
/// # Errors
///
/// Returns an error if the overlay is not valid.
pub fn overlay(document: &mut Value, overlay: &Value, report: &mut Report) -> Result<Vec<Finding>> {
    let version = overlay.get("overlay").and_then(Value::as_str).unwrap_or_default();
    if !version.starts_with("1.0") {
        return Err(Fault::at(
            "/overlay",
            "the file is not an Overlay 1.0 document",
            "write `overlay: 1.0.0`",
        ));
    }

    let actions = overlay.get("actions").and_then(Value::as_array).ok_or_else(|| {
        Fault::at("/actions", "the overlay has no list `actions`", "add `actions` to the overlay")
    })?;

    let mut judge = Judge::default();
    let mut findings = Vec::new();
    for (index, action) in actions.iter().enumerate() {
        let action = Action::read(index, action)?;
        // If the target had a wrong JSON type, `check::outline` has already removed it and reported a fault. The action
        // resolves this fault.
        if action.update.is_none() && report.settle(action.target) {
            continue;
        }
        let fate = action.apply(index, document, &mut judge, report);
        findings.extend(fate.into_iter().map(|Judgement { fate, name, what }| Finding {
            fate,
            action: index,
            line: None,
            target: action.target.to_owned(),
            name,
            what,
        }));
    }
    Ok(findings)
}

/// A problem with one overlay action.
struct Judgement {
    fate: Fate,
    /// A name from the action's target that the document does not contain. For example, the target `$.paths['/a','/b']`
    /// has the name `'/b'`, but the document has no path `/b`. `None` if the problem concerns the whole action.
    name: Option<String>,
    what: String,
}

impl Judgement {
    fn whole(fate: Fate, what: impl Into<String>) -> Self {
        Judgement { fate, name: None, what: what.into() }
    }
}

struct Action<'a> {
    target: &'a str,
    path: JsonPath,
    /// The JSON value to merge into the target. If it is `None`, the action removes the target.
    update: Option<&'a Value>,
    /// Value of the action's field `x-corrects`: the reason why the OpenAPI document is wrong. Without a reason, an
    /// action that contradicts the document is reported as a finding.
    corrects: Option<&'a str>,
}

impl<'a> Action<'a> {
    fn read(index: usize, action: &'a Value) -> Result<Self> {
        let place = format!("/actions/{index}");
        known_fields(&place, action)?;
        let target = action.get("target").and_then(Value::as_str).ok_or_else(|| {
            Fault::at(&place, "the action has no target", "add `target` with a JSONPath (RFC 9535)")
        })?;
        let path = JsonPath::parse(target).map_err(|error| {
            Fault::at(
                format!("{place}/target"),
                format!("`{target}`: {error}"),
                "write the target as a JSONPath (RFC 9535)",
            )
        })?;

        let remove = action.get("remove").is_some_and(|remove| remove == true);
        let update = action.get("update").filter(|_| !remove);
        if !remove && update.is_none() {
            return Err(Fault::at(
                &place,
                "the action does nothing",
                "add `update` or `remove: true` to the action",
            ));
        }

        if remove && target.trim() == "$" {
            return Err(Fault::at(
                &place,
                "the action would remove the whole document",
                "use a target inside the document, such as `$.paths['/old']`",
            ));
        }

        let corrects = match action.get("x-corrects") {
            None => None,
            Some(Value::String(reason)) if !reason.trim().is_empty() => Some(reason.trim()),
            Some(_) => {
                return Err(Fault::at(
                    format!("{place}/x-corrects"),
                    "`x-corrects` contains no reason",
                    "explain in one sentence why the OpenAPI document is wrong",
                ));
            }
        };

        if let Some(update) = update {
            known_extensions(&format!("{place}/update"), update)?;
        }
        Ok(Action { target, path, update, corrects })
    }

    /// Applies the action to the document, and returns the problems with the action.
    fn apply(
        &self,
        index: usize,
        document: &mut Value,
        judge: &mut Judge,
        report: &mut Report,
    ) -> Vec<Judgement> {
        // The targets are collected as JSON pointers, because the loop changes the document. The loop runs backwards,
        // so that the removal of an array item does not change the index of the next one.
        let found = self.path.query_located(document);
        let found: Vec<String> = found.locations().map(|place| place.to_json_pointer()).collect();
        let mut wrong = self.unmatched(document, &found);

        let mut effect = Effect::default();
        for pointer in found.iter().rev() {
            let Some(update) = self.update else {
                report.note(Change::Dropped, "a value is removed by the overlay", pointer.as_str());
                remove_value(document, pointer);
                judge.removed(pointer, document);
                effect.changes = true;
                continue;
            };
            if let Some(node) = document.pointer_mut(pointer) {
                judge.update(pointer, Some(node), update, &mut effect);
                combine(node, update);
            }
        }

        for place in &effect.sets {
            report.overlay_sets(origin::at(document, place), index);
        }
        if !found.is_empty() {
            wrong.extend(self.judged(&effect, report));
        }
        wrong
    }

    fn unmatched(&self, document: &Value, found: &[String]) -> Vec<Judgement> {
        if found.is_empty() {
            let what = "the target of an overlay action matches nothing";
            return vec![Judgement::whole(Fate::Unmatched, what)];
        }
        let gone = split_target(self.target).into_iter().filter(|(_, only)| {
            let one = JsonPath::parse(only).ok();
            one.is_some_and(|path| path.query(document).is_empty())
        });
        gone.map(|(name, _)| {
            let what =
                format!("the name {name} in the target of an overlay action matches nothing");
            Judgement { fate: Fate::Unmatched, name: Some(name), what }
        })
        .collect()
    }

    fn judged(&self, effect: &Effect, report: &mut Report) -> Vec<Judgement> {
        if !effect.changes {
            let who = if effect.stated { "the description" } else { "an earlier action" };
            return vec![Judgement::whole(
                Fate::Needless,
                format!("{who} already contains this value"),
            )];
        }
        match self.corrects {
            None => {
                let told = effect.contradicts.iter();
                told.map(|what| Judgement::whole(Fate::Contradicting, what)).collect()
            }
            Some(_) if effect.contradicts.is_empty() => {
                let what =
                    "the action has `x-corrects`, but replaces no value of the OpenAPI document";
                vec![Judgement::whole(Fate::Needless, what)]
            }
            Some(reason) => {
                let what = format!("the overlay corrects the OpenAPI document: {reason}");
                report.note(Change::Decided, what, self.target);
                Vec::new()
            }
        }
    }
}

/// Rejects an overlay action with unknown fields, which are probably misspelt.
fn known_fields(place: &str, action: &Value) -> Result<()> {
    let known = ["description", "remove", "target", "update", "x-corrects"];
    let mut fields = action.as_object().into_iter().flat_map(serde_json::Map::keys);
    let Some(name) = fields.find(|name| !known.contains(&name.as_str())) else { return Ok(()) };
    let hint = guess(name, &known)
        .unwrap_or_else(|| "use the fields target, update, remove and x-corrects".to_owned());
    let what = format!("overlay actions have no field `{name}`");
    Err(Fault::at(format!("{place}/{}", escape(name)), what, hint))
}

/// Extension fields (`x-`) whose value must be a string.
const TEXTS: &[&str] =
    &["x-enum", "x-native", "x-param", "x-prefix", "x-provenance", "x-refused", "x-rename"];

/// Rejects unknown extension fields (`x-`), and extension fields that should be strings but are not. The passes would
/// ignore these fields without an error. Fields inside `example`, `examples` and `default` are not checked.
fn known_extensions(place: &str, update: &Value) -> Result<()> {
    match update {
        Value::Object(members) => members.iter().try_for_each(|(name, value)| {
            let place = format!("{place}/{}", escape(name));
            known_extension(&place, name, value)?;
            if ["example", "examples", "default"].contains(&name.as_str()) {
                return Ok(());
            }
            known_extensions(&place, value)
        }),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .try_for_each(|(index, item)| known_extensions(&format!("{place}/{index}"), item)),
        _ => Ok(()),
    }
}

/// Rejects one field for the reasons that [`known_extensions`] lists.
fn known_extension(place: &str, name: &str, value: &Value) -> Result<()> {
    if name.starts_with("x-") && !EXTENSIONS.contains(&name) {
        let hint = guess(name, EXTENSIONS)
            .unwrap_or_else(|| "a comment in spec/overlay.yaml lists the extensions".to_owned());
        return Err(Fault::at(place, format!("the extension `{name}` does not exist"), hint));
    }
    if TEXTS.contains(&name) && !value.is_string() {
        return Err(Fault::at(place, format!("`{name}` is not a string"), "write a string"));
    }
    Ok(())
}

/// Splits a JSONPath with a list of names, such as `$.paths['/a','/b']`, into one JSONPath per name. Returns each
/// quoted name with its JSONPath. Returns an empty list for a JSONPath without a list of names.
fn split_target(target: &str) -> Vec<(String, String)> {
    let mut targets = Vec::new();
    for (start, _) in target.match_indices("['") {
        let names = names(&target[start + 1..]);
        let Some((_, end)) = names.last() else { continue };
        if names.len() < 2 {
            continue;
        }
        let (head, tail) = (&target[..=start], &target[start + 1 + end..]);
        targets.extend(names.iter().map(|(name, _)| (name.clone(), format!("{head}{name}{tail}"))));
    }
    targets
}

/// Parses the quoted names in the brackets of a JSONPath. `text` begins after the bracket, such as `'/a','/b'].get`.
/// Returns each name with its quotes, and the byte offset of the name's end in `text`. Returns an empty list for any
/// other text, such as `0].get`.
fn names(text: &str) -> Vec<(String, usize)> {
    let mut names = Vec::new();
    let mut at = 0;
    loop {
        let rest = &text[at..];
        let blank = rest.len() - rest.trim_start().len();
        let Some(quoted) = rest[blank..].strip_prefix('\'') else { return Vec::new() };
        let Some(length) = quoted.find('\'') else { return Vec::new() };
        let end = at + blank + length + 2;
        names.push((text[at + blank..end].to_owned(), end));
        let after = text[end..].trim_start();
        if after.starts_with(']') {
            return names;
        }
        if !after.starts_with(',') {
            return Vec::new();
        }
        at = text.len() - after.len() + 1;
    }
}

fn remove_value(document: &mut Value, pointer: &str) {
    let Some((parent, token)) = pointer.rsplit_once('/') else { return };
    let token = token.replace("~1", "/").replace("~0", "~");
    match document.pointer_mut(parent) {
        Some(Value::Object(members)) => {
            members.remove(&token);
        }
        Some(Value::Array(items)) => {
            if let Ok(index) = token.parse::<usize>().map(|index| index.min(items.len())) {
                items.drain(index..(index + 1).min(items.len()));
            }
        }
        _ => {}
    }
}

/// Merges an update into a JSON value by the rules of the Overlay specification. Objects are merged, values are
/// appended to arrays, and any other value is replaced.
fn combine(node: &mut Value, update: &Value) {
    match (node, update) {
        (Value::Object(members), Value::Object(update)) => {
            for (name, value) in update {
                combine(members.entry(name).or_insert(Value::Null), value);
            }
        }
        (Value::Array(items), Value::Array(update)) => items.extend(update.iter().cloned()),
        (Value::Array(items), update) => items.push(update.clone()),
        (node, update) => *node = update.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn after(actions: Value) -> std::result::Result<Value, String> {
        let mut document = json!({"paths": {"/a": {"get": {"tags": ["A"], "parameters": [
            {"name": "limit"}, {"name": "offset"}]}}, "/b": {"get": {"parameters": [{"name": "q"}]}}}});
        let mut report = Report::default();
        overlay(&mut document, &json!({"overlay": "1.0.0", "actions": actions}), &mut report)
            .map_err(|fault| fault.to_string())?;
        Ok(document["paths"].take())
    }

    #[test]
    fn misspelt_extension_of_an_action_is_a_fault() {
        let action = |update: Value| json!({"overlay": "1.0.0", "actions": [{"target": "$.paths", "update": update}]});
        let run = |update: Value| {
            overlay(&mut json!({"paths": {}}), &action(update), &mut Report::default())
        };
        let fault = run(json!({"get": {"x-credit": 2}})).unwrap_err().to_string();
        assert!(fault.contains("/actions/0/update/get/x-credit"), "{fault}");
        assert!(fault.contains("did you mean `x-credits`"), "{fault}");
        assert!(run(json!({"x-credits": 2, "example": {"x-credit": 2}})).is_ok());

        let misspelt = json!([{"target": "$.paths", "update": {}, "x-correct": "why"}]);
        let fault = after(misspelt).unwrap_err();
        assert!(fault.contains("did you mean `x-corrects`"), "{fault}");
    }

    #[test]
    fn operations_are_found_by_their_parameters() {
        let changed = after(json!([{
            "target": "$.paths.*[?@.parameters[?@.name=='offset']]",
            "update": {"x-paging": {"kind": "offset"}, "tags": "B"},
        }]))
        .unwrap();
        assert_eq!(changed["/a"]["get"]["x-paging"], json!({"kind": "offset"}));
        assert_eq!(changed["/a"]["get"]["tags"], json!(["A", "B"]));
        assert_eq!(changed["/b"]["get"], json!({"parameters": [{"name": "q"}]}));
    }

    #[test]
    fn several_elements_of_a_list_are_removed() {
        let changed = after(json!([
            {"target": "$.paths['/a'].get.parameters[*]", "remove": true},
            {"target": "$.paths['/b']", "remove": true},
        ]))
        .unwrap();
        assert_eq!(changed, json!({"/a": {"get": {"tags": ["A"], "parameters": []}}}));
    }

    #[test]
    fn a_name_of_a_list_that_matches_nothing_is_noted() {
        let mut document = json!({"paths": {"/a": {"get": {}}, "/b": {"get": {}}}});
        let action =
            json!({"target": "$.paths['/a', '/b','/gone']['get','post']", "update": {"x": 1}});
        let actions = json!({"overlay": "1.0.0", "actions": [action]});
        let found = overlay(&mut document, &actions, &mut Report::default()).unwrap();
        assert_eq!(document["paths"]["/b"]["get"]["x"], 1);
        let told: Vec<&str> = found.iter().map(|found| found.what.as_str()).collect();
        assert_eq!(
            told,
            [
                "the name '/gone' in the target of an overlay action matches nothing",
                "the name 'post' in the target of an overlay action matches nothing",
            ]
        );
    }

    #[test]
    fn a_faulty_action_is_named_by_its_place() {
        insta::assert_snapshot!(after(json!([{"target": "$.paths", "update": {}}, {"update": {}}])).unwrap_err(), @"
        error: the action has no target
           at: #/actions/1
         hint: add `target` with a JSONPath (RFC 9535)
        ");
        assert!(
            after(json!([{"target": "paths[", "update": {}}]))
                .unwrap_err()
                .contains("/actions/0/target")
        );
        assert!(after(json!([{"target": "$"}])).unwrap_err().contains("does nothing"));
    }
}
