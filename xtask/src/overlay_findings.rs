//! Finds overlay actions that need a review. There are three kinds of findings:
//!
//! - The target of the action matches nothing in the OpenAPI document.
//! - The action, or its field `x-corrects`, is not needed.
//! - The action contradicts the document, but has no reason in `x-corrects`.

use std::collections::BTreeSet;
use std::fmt;

use serde_json::Value;

use crate::origin;
use crate::report::{Change, Report};
use crate::schemas::escape;

/// Kind of problem with an overlay action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// The action's target matches nothing in the OpenAPI document. A target can list several names, such as
    /// `$.paths['/a','/b']`. The problem is then reported even if only one of these names matches nothing.
    Unmatched,
    /// The action is not needed, for one of two reasons: the OpenAPI document or an earlier action already contains all
    /// values of the action, or the action has the field `x-corrects` but corrects no value of the OpenAPI document.
    Needless,
    /// The action replaces a value of the OpenAPI document, but does not state a reason in `x-corrects`.
    Contradicting,
}

impl Fate {
    /// Returns true if `regen --check` fails because of this kind of finding.
    #[must_use]
    pub fn fails(self) -> bool {
        self != Fate::Needless
    }
}

/// A problem with one overlay action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub fate: Fate,
    /// Index of the action in the overlay, from 0.
    pub action: usize,
    /// Line of the overlay file at which the action begins, if known.
    pub line: Option<u64>,
    pub target: String,
    /// Name that matches nothing, if the target lists several names. The name includes its quotes, such as `'/b'`.
    /// `None` if the finding concerns the whole action.
    pub name: Option<String>,
    pub what: String,
}

impl Finding {
    /// Returns the location for error messages: the line or the index of the action, and its target.
    #[must_use]
    pub fn place(&self) -> String {
        let target = self.target.split_whitespace().collect::<Vec<_>>().join(" ");
        match self.line {
            Some(line) => format!("line {line}: {target}"),
            None => format!("action {}: {target}", self.action),
        }
    }

    fn hint(&self) -> &'static str {
        match self.fate {
            Fate::Unmatched => "update the target, or delete the action",
            Fate::Needless => "delete the action, or the unneeded part of the action",
            Fate::Contradicting => {
                "delete the action, or give a reason next to its `update`: `x-corrects: REASON`"
            }
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "overlay: {}", self.what)?;
        writeln!(f, "     at: {}", self.place())?;
        write!(f, "   hint: {}", self.hint())
    }
}

/// Sets the line of each finding. `lines` contains, for each overlay action, the number of the line at which the action
/// begins.
pub fn locate(findings: &mut [Finding], lines: &[u64]) {
    for finding in findings {
        finding.line = lines.get(finding.action).copied();
    }
}

/// Adds a note for each finding to the report.
pub fn note(findings: &[Finding], report: &mut Report) {
    for finding in findings {
        let (change, what) = match finding.fate {
            Fate::Unmatched => (Change::Dropped, finding.what.clone()),
            Fate::Needless => (
                Change::Decided,
                format!("an overlay action is not needed, because {}", finding.what),
            ),
            Fate::Contradicting => (
                Change::Decided,
                format!("an overlay action contradicts the OpenAPI document: {}", finding.what),
            ),
        };
        report.note(change, what, finding.place());
    }
}

/// Set of the JSON pointers that overlay actions have written. It distinguishes the values of the overlay from the
/// original values of the OpenAPI document.
#[derive(Debug, Default)]
pub(crate) struct Judge {
    /// JSON pointers of the values that earlier overlay actions wrote.
    written: BTreeSet<String>,
}

/// Effect of one overlay action on the OpenAPI document.
#[derive(Debug, Default)]
pub(crate) struct Effect {
    /// True if the action changes or adds a value.
    pub changes: bool,
    /// True if the OpenAPI document already contains a value that the action sets. A value that an earlier overlay
    /// action wrote does not count.
    pub stated: bool,
    /// Returns the number of requests that the sandbox has served so far.
    pub contradicts: Vec<String>,
    /// JSON pointers of the values that the action sets.
    pub sets: Vec<String>,
}

impl Judge {
    /// Determines the effect of an overlay action that merges `update` into the JSON value `node`. Stores this effect
    /// in `effect`. `place` is the JSON pointer of `node`.
    pub(crate) fn update(
        &mut self,
        place: &str,
        node: Option<&Value>,
        update: &Value,
        effect: &mut Effect,
    ) {
        match (node.filter(|node| !node.is_null()), update) {
            (Some(Value::Object(members)), Value::Object(update)) => {
                for (name, value) in update {
                    let place = format!("{place}/{}", escape(name));
                    self.update(&place, members.get(name), value, effect);
                }
            }
            (None, Value::Object(update)) if !update.is_empty() => {
                for (name, value) in update {
                    self.update(&format!("{place}/{}", escape(name)), None, value, effect);
                }
            }

            (None, _) => self.write(place, effect),
            (Some(Value::Array(items)), update) => self.append(place, items, update, effect),
            (Some(node), update) if origin::same(node, update) => {
                effect.stated |= !self.written.contains(place);
            }
            (Some(node), update) => {
                if !self.written.contains(place) {
                    effect.contradicts.push(format!(
                        "`{place}` is {} in the OpenAPI document, but {} in the overlay",
                        short(node),
                        short(update)
                    ));
                }
                self.write(place, effect);
            }
        }
    }

    /// Stores in `effect` the effect of an overlay action that appends `update` to the JSON array at `place`.
    ///
    /// A new value of an `enum` contradicts the OpenAPI document, unless an earlier overlay action changed this `enum`.
    /// New items of other arrays never contradict the document.
    fn append(&mut self, place: &str, items: &[Value], update: &Value, effect: &mut Effect) {
        let update = match update {
            Value::Array(update) => update.as_slice(),
            one => std::slice::from_ref(one),
        };
        let new: Vec<&Value> = update
            .iter()
            .filter(|value| !items.iter().any(|item| origin::same(item, value)))
            .collect();
        if new.is_empty() {
            effect.stated |= !self.written.contains(place);
            return;
        }
        if place.ends_with("/enum") && !self.written.contains(place) {
            let new: Vec<String> = new.into_iter().map(short).collect();
            effect.contradicts.push(format!(
                "the enum `{place}` of the document does not contain {}",
                new.join(", ")
            ));
        }
        self.write(place, effect);
    }

    fn write(&mut self, place: &str, effect: &mut Effect) {
        effect.changes = true;
        effect.sets.push(place.to_owned());
        self.written.insert(place.to_owned());
    }

    /// Updates the JSON pointers in `written` after an overlay action removed the value at `place`. The pointers to the
    /// value and its nested values are removed. If the value was an array item, the indexes of the later items in the
    /// pointers are reduced by one.
    pub(crate) fn removed(&mut self, place: &str, document: &Value) {
        let below = format!("{place}/");
        self.written.retain(|known| *known != place && !known.starts_with(&below));
        let Some((list, index)) = place.rsplit_once('/') else { return };
        // The keys of an object can be numbers too, such as the statuses of responses.
        if !document.pointer(list).is_some_and(Value::is_array) {
            return;
        }
        let Ok(index) = index.parse::<usize>() else { return };
        let list = format!("{list}/");
        let moved: Vec<String> =
            self.written.iter().filter(|known| known.starts_with(&list)).cloned().collect();
        for known in moved {
            let rest = &known[list.len()..];
            let (number, rest) = rest.split_once('/').unwrap_or((rest, ""));
            let Ok(number) = number.parse::<usize>() else { continue };
            if number > index {
                self.written.remove(&known);
                let rest = if rest.is_empty() { String::new() } else { format!("/{rest}") };
                self.written.insert(format!("{list}{}{rest}", number - 1));
            }
        }
    }
}

/// Formats a JSON value as a code span of at most 60 characters.
fn short(value: &Value) -> String {
    let mut value = value.clone();
    origin::unmark(&mut value);
    let text = value.to_string();
    if text.chars().count() <= 60 {
        return format!("`{text}`");
    }
    let start: String = text.chars().take(57).collect();
    format!("`{start}...`")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    use crate::passes::overlay::overlay;

    /// Applies overlay actions to a test document. Returns the findings: index of the action, kind, text.
    #[track_caller]
    fn found(actions: Value) -> Vec<(usize, Fate, String)> {
        let mut document = json!({"paths": {
            "/a": {"get": {"summary": "A", "tags": ["T"], "x-credits": 2,
                "parameters": [{"name": "p", "schema": {"type": "string", "enum": ["x", "y"]}}, {"name": "q"}]}},
            "/b": {"get": {"summary": "B"}}}});
        origin::mark(&mut document, None);
        let overlay_of = json!({"overlay": "1.0.0", "actions": actions});
        let findings = overlay(&mut document, &overlay_of, &mut Report::default()).unwrap();
        findings.into_iter().map(|found| (found.action, found.fate, found.what)).collect()
    }

    #[track_caller]
    fn fate(action: Value) -> Option<Fate> {
        let found = found(json!([action]));
        assert!(found.len() < 2, "{found:?}");
        found.first().map(|(_, fate, _)| *fate)
    }

    #[test]
    fn each_action_has_its_fate() {
        let get = |update: Value| json!({"target": "$.paths['/a'].get", "update": update});
        let list = |update: Value| json!({"target": "$.paths['/a'].get.parameters[0].schema", "update": update});
        let rows = [
            // The document does not contain the value that the action sets.
            (get(json!({"x-paging": {"kind": "none"}})), None),
            (get(json!({"parameters": [{"name": "r"}]})), None),
            (json!({"target": "$.paths['/b']", "remove": true}), None),
            // Only one of the two matched operations already has the value.
            (json!({"target": "$.paths.*.get", "update": {"tags": ["T"]}}), None),
            // The target does not exist, as after a path was renamed.
            (json!({"target": "$.paths['/c']", "update": {"x": 1}}), Some(Fate::Unmatched)),
            (json!({"target": "$.paths['/a','/c']", "update": {"x": 1}}), Some(Fate::Unmatched)),
            (json!({"target": "$.paths['/c']", "remove": true}), Some(Fate::Unmatched)),
            // The document already contains the value that the action sets.
            (get(json!({"x-credits": 2})), Some(Fate::Needless)),
            (get(json!({"tags": ["T"]})), Some(Fate::Needless)),
            (get(json!({"tags": "T"})), Some(Fate::Needless)),
            (list(json!({"enum": ["y"]})), Some(Fate::Needless)),
            // The document contains another value than the action sets.
            (get(json!({"x-credits": 3})), Some(Fate::Contradicting)),
            (get(json!({"tags": "U", "summary": {}})), Some(Fate::Contradicting)),
            (list(json!({"type": "integer"})), Some(Fate::Contradicting)),
            (list(json!({"enum": ["x", "z"]})), Some(Fate::Contradicting)),
        ];

        for (action, expected) in rows {
            assert_eq!(fate(action.clone()), expected, "{action}");
        }
    }

    #[test]
    fn removed_response_leaves_the_other_statuses_as_they_are() {
        let get = "$.paths['/b'].get";
        let responses = json!({"200": {"description": "a"}, "404": {"description": "b"}});
        let actions = json!([
            {"target": get, "update": {"responses": responses}},
            {"target": format!("{get}.responses['200']"), "remove": true},
            {"target": format!("{get}.responses['404']"), "update": {"description": "c"}},
        ]);
        assert_eq!(found(actions), []);
    }

    #[test]
    fn a_reason_makes_a_contradiction_a_correction() {
        let action = |update: Value, reason: &str| json!({"target": "$.paths['/a'].get", "update": update, "x-corrects": reason});
        assert_eq!(fate(action(json!({"x-credits": 3}), "callers are charged 3")), None);
        // Here `x-corrects` is next to an update that replaces no value.
        assert_eq!(fate(action(json!({"x-credits": 2}), "r")), Some(Fate::Needless));
        assert_eq!(fate(action(json!({"x-unit": 2}), "r")), Some(Fate::Needless));
    }

    #[test]
    fn an_action_may_change_what_an_earlier_one_wrote() {
        let on = |target: &str, update: Value| json!({"target": target, "update": update});
        let all = found(json!([
            on("$.paths.*.get", json!({"x-patience": 1})),
            on("$.paths['/b'].get", json!({"x-patience": 2})),
            on("$.paths['/b'].get", json!({"x-patience": 2})),
            on("$.paths['/a'].get.parameters[1]", json!({"x-param": "list"})),
            {"target": "$.paths['/a'].get.parameters[0]", "remove": true},
            on("$.paths['/a'].get.parameters[0]", json!({"x-param": "day"})),
        ]));
        let all: Vec<_> =
            all.iter().map(|(action, fate, what)| (*action, *fate, what.as_str())).collect();
        assert_eq!(all, [(2, Fate::Needless, "an earlier action already contains this value")]);
    }

    #[test]
    fn a_finding_says_where_and_what_to_do() {
        let mut findings = vec![Finding {
            fate: Fate::Contradicting,
            action: 1,
            line: None,
            target: "$.paths['/a']\n   .get".to_owned(),
            name: None,
            what: "`/a` is 1 in the description, but 2 in the overlay".to_owned(),
        }];
        assert_eq!(findings[0].place(), "action 1: $.paths['/a'] .get");
        locate(&mut findings, &[3, 17]);
        insta::assert_snapshot!(findings[0], @"
        overlay: `/a` is 1 in the description, but 2 in the overlay
             at: line 17: $.paths['/a'] .get
           hint: delete the action, or give a reason next to its `update`: `x-corrects: REASON`
        ");
    }
}
