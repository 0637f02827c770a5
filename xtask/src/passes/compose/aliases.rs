//! Inlines aliases. An alias is a schema in `components.schemas` that is a list, a map or a plain value such as a
//! string. Each `$ref` to an alias is replaced by a copy of its schema.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::hoist::hoist_where;
use super::{is_union, target};
use crate::graph::{self, Graph};
use crate::origin;
use crate::report::{Change, Report};
use crate::schemas;

/// Inlines the schemas in `components.schemas` that are lists, maps or plain values, so that they do not become wrapper
/// types. Enums and unions keep their names. Returns true if the document changed.
pub(super) fn aliases(document: &mut Value, report: &mut Report) -> bool {
    name_circular_unions(document, report);
    let aliases = find_aliases(document);
    if aliases.is_empty() {
        return false;
    }
    let aliases = bounded(aliases, report);

    // An alias can refer to another alias, but not to itself, so the number of rounds is limited.
    for _ in 0..=STEPS {
        let mut changed = false;
        schemas::each_mut(document, &mut |place, schema| {
            let Some(alias) = target(schema).and_then(|target| aliases.get(target)) else { return };
            report.note(
                Change::Rewritten,
                "a reference to a list, map or plain value is replaced with a copy of its target",
                origin::location(schema, place),
            );

            let mut written = alias.clone();
            for kept in KEPT {
                if let Some(value) = schema.get(*kept) {
                    written[*kept] = value.clone();
                }
            }
            *schema = written;
            changed = true;
        });
        if !changed {
            break;
        }
    }

    if let Some(Value::Object(components)) = document.pointer_mut("/components/schemas") {
        components.retain(|name, _| !aliases.contains_key(&format!("{PREFIX}{name}")));
    }
    true
}

/// Returns the schemas in `components.schemas` that are lists, maps or plain values. The key is the `$ref` text that
/// refers to the schema.
fn find_aliases(document: &Value) -> BTreeMap<String, Value> {
    let is_alias = |schema: &Value| {
        let object = schema.get("properties").is_some();
        let named =
            ["enum", "x-native", "x-is-native"].iter().any(|key| schema.get(*key).is_some());
        !object && !named && !is_union(schema)
    };

    let components = document.pointer("/components/schemas").and_then(Value::as_object);
    components
        .into_iter()
        .flatten()
        .filter(|(_, schema)| is_alias(schema))
        .map(|(name, schema)| (format!("{PREFIX}{name}"), schema.clone()))
        .collect()
}

/// Finds aliases that contain themselves, and moves their unions into `components.schemas`. For example, an alias `M`
/// is a map, and each value is a string or another `M`. The union of string and `M` becomes a component. A union
/// component is not inlined, so the alias no longer contains itself.
fn name_circular_unions(document: &mut Value, report: &mut Report) {
    let targets = targets(&find_aliases(document));
    let places: Vec<String> =
        graph::circular(&targets).iter().map(|name| format!("{}/", &name[1..])).collect();
    if places.is_empty() {
        return;
    }
    let is_inside = |place: &str| places.iter().any(|circular| place.starts_with(circular));
    schemas::each_mut(document, &mut |place, schema| {
        let Some(members) = schema.as_object_mut().filter(|_| is_inside(place)) else { return };
        if !members.contains_key("oneOf") {
            let shapes = members.remove("anyOf").map(|shapes| ("oneOf".to_owned(), shapes));
            members.extend(shapes);
        }
    });
    hoist_where(document, report, &|place, schema| is_inside(place) && is_union(schema));
}

const PREFIX: &str = "#/components/schemas/";

/// Fields next to a `$ref` that are kept when a copy of the referenced schema replaces the `$ref`. These fields
/// overwrite the fields of the copy.
const KEPT: &[&str] = &[
    "description",
    "nullable",
    "default",
    "deprecated",
    "x-deprecated",
    "x-param",
    "x-file",
    "x-native",
    origin::AT,
];

/// Maximum number of aliases in one inlined alias, including the alias itself. `STEPS` is their maximum nesting depth.
/// An alias above one of the two limits becomes a schema that allows any JSON value.
const PARTS: usize = 100;
const STEPS: usize = 30;

/// Replaces aliases that cannot be inlined. The new schema allows any JSON value. An alias cannot be inlined in three
/// cases:
///
/// - The alias contains itself.
/// - The alias contains too many aliases ([`PARTS`]).
/// - Its aliases are nested too deeply ([`STEPS`]).
fn bounded(mut aliases: BTreeMap<String, Value>, report: &mut Report) -> BTreeMap<String, Value> {
    let mut targets = targets(&aliases);
    let endless: Vec<String> = graph::circular(&targets).into_iter().map(str::to_owned).collect();
    for name in endless {
        report.note(
            Change::Loosened,
            "a component that contains itself is read as any JSON value",
            name.trim_start_matches('#'),
        );
        targets.insert(name.clone(), Vec::new());
        aliases.insert(name, json!({}));
    }

    let mut sizes = BTreeMap::new();
    for name in targets.keys() {
        size(name, &targets, &mut sizes);
    }
    for (name, (parts, steps)) in sizes {
        if parts > PARTS || steps > STEPS {
            report.note(
                Change::Loosened,
                "a component that contains too many other components is read as any JSON value",
                name.trim_start_matches('#'),
            );
            aliases.insert(name, json!({}));
        }
    }
    aliases
}

/// Returns, for each alias, the aliases to which it refers directly. An alias with two references to the alias `A` has
/// `A` twice in its list.
fn targets(aliases: &BTreeMap<String, Value>) -> Graph {
    let mut targets = BTreeMap::new();
    for (name, schema) in aliases {
        let mut found = Vec::new();
        let mut holder = json!({"components": {"schemas": {"": schema}}});
        schemas::each_mut(&mut holder, &mut |_, schema| {
            let target = schema.get("$ref").and_then(Value::as_str);
            found.extend(target.filter(|target| aliases.contains_key(*target)).map(str::to_owned));
        });
        targets.insert(name.clone(), found);
    }
    targets
}

/// Returns the number of aliases that are expanded when one alias is inlined, and their nesting depth. Both numbers
/// include the alias itself. For example, if the alias `A` has two references to `B` and `B` has no references, `A` has
/// the number 3 and the depth 2. The alias must not contain itself.
fn size(
    name: &str,
    targets: &Graph,
    known: &mut BTreeMap<String, (usize, usize)>,
) -> (usize, usize) {
    if let Some(size) = known.get(name) {
        return *size;
    }
    let (mut parts, mut steps) = (1usize, 1);
    for target in &targets[name] {
        let (more, below) = size(target, targets, known);
        parts = parts.saturating_add(more);
        steps = steps.max(below.saturating_add(1));
    }
    known.insert(name.to_owned(), (parts, steps));
    (parts, steps)
}
