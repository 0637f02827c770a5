//! Tests that an edit of an OpenAPI document or of the overlay changes only the snapshot lines of the edited API
//! item. Most edits replace one or two lines.

use serde_json::{Map, Value, json};
use similar::{ChangeTag, TextDiff};
use xtask::diff::{Class, diff, in_parallel};
use xtask::facts::Facts;
use xtask::regen;

use crate::changes::{EDITS, Edit, Version};

/// Names of edits that change two properties of an API item. For example, an edit that removes the bound of a
/// parameter also changes the parameter's Rust type.
const TWOFOLD: &[&str] = &[
    "a bound that goes",
    "another type and another range of a parameter",
    "another path of an operation",
    "another record as the answer",
    "overlay: a price",
    "overlay: a price that nobody knows",
];

/// Names of edits that change many snapshot lines. For example, a new operation adds lines for the operation and for
/// each of its parameters.
const WHOLES: &[&str] = &[
    "a text that becomes an enum",
    "an operation more",
    "an operation less",
    "another name of an operation",
    "another name of a record",
    "another name of a member",
    "another name of a parameter",
    "a required parameter more",
    "overlay: the order of arguments",
    "overlay: another name of an operation",
];

fn lines(facts: &Facts) -> String {
    let mut text = String::new();
    for (domain, lines) in facts.lines() {
        for line in lines {
            text.push_str(&format!("{domain} | {line}\n"));
        }
    }
    text
}

/// Effects of one edit of the OpenAPI documents or the overlay. They are the changed lines of the API snapshots, and
/// the reported API changes. Each reported change has a class, such as breaking or additive.
struct Seen {
    what: &'static str,
    lines: Vec<String>,
    classes: Vec<(Class, String)>,
}

fn seen(edit: &Edit, base: &Version, before: &Facts, text: &str) -> Seen {
    let (what, change) = edit;
    let mut version = base.clone();
    change(&mut version);
    let after = version.facts();
    let now = lines(&after);
    let changed = TextDiff::from_lines(text, &now);
    let changed = changed.iter_all_changes().filter(|change| change.tag() != ChangeTag::Equal);
    let lines = changed.map(|change| format!("{}{}", change.tag(), change.value().trim_end()));
    let told = diff(before, &after).changes.into_iter();
    let classes = told.map(|change| {
        let with = if change.with.is_empty() {
            String::new()
        } else {
            format!(" (with {})", change.with.join(", "))
        };
        (change.class, format!("{} {}{with}", change.subject, change.says))
    });
    Seen { what, lines: lines.collect(), classes: classes.collect() }
}

#[test]
fn each_edit_changes_its_own_lines_and_nothing_else() {
    assert!(EDITS.len() >= 40);
    let base = Version::committed();
    let before = base.facts();
    let text = lines(&before);
    let all = |edits: &[Edit]| -> Vec<Seen> {
        edits.iter().map(|edit| seen(edit, &base, &before, &text)).collect()
    };
    let (first, second) = EDITS.split_at(EDITS.len() / 2);
    let (first, second) = in_parallel(|| all(first), || all(second));

    let mut table = String::new();
    let mut wrong = Vec::new();
    for Seen { what, lines, classes } in first.into_iter().chain(second) {
        let count = |sign: char| lines.iter().filter(|line| line.starts_with(sign)).count();
        let (gone, came) = (count('-'), count('+'));
        if lines.is_empty() {
            wrong.push(format!("{what}: no line changes"));
        }
        if !WHOLES.contains(&what) && (gone > 2 || came > 2) {
            wrong.push(format!("{what}: {gone} lines go and {came} come\n{}", lines.join("\n")));
        }
        // The version of the document is in the report's header, and is not a change.
        if classes.is_empty() && what != "the version of the description" {
            wrong.push(format!("{what}: the difference does not tell"));
        }
        if classes.len() > 1 && !TWOFOLD.contains(&what) {
            wrong.push(format!("{what}: told as {classes:#?}"));
        }

        table.push_str(&format!("\n{what}\n"));
        for line in lines {
            let short: String = line.chars().take(240).collect();
            table.push_str(&format!("  {short}\n"));
        }
        for (class, told) in classes {
            table.push_str(&format!("  = {}: {told}\n", class.word()));
        }
    }

    insta::assert_snapshot!(table.trim_start());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn nothing_changes_from_a_version_to_itself() {
    let facts = Version::committed().only(&["market-price", "search-airdrop"]).facts();
    assert_eq!(diff(&facts, &facts).changes, []);
}

/// Tests renamed operations whose records are also renamed. In the report, a renamed record must be listed with its own
/// operation: records of `thing-10` must not be listed with `thing-1`.
#[test]
fn every_renamed_operation_is_told() {
    let version = |prefix: &str| {
        let paths = (0..30).map(|n| {
            let answer =
                json!({"type": "object", "properties": {format!("m{n}"): {"type": "string"}}});
            let operation = json!({"get": {"operationId": format!("{prefix}-{n}"), "tags": ["Things"], "summary": "A thing", "responses":
                {"200": {"description": "ok", "content": {"application/json": {"schema": answer}}}}}});
            (format!("/things/{n}"), operation)
        });
        let document = json!({"openapi": "3.0.3", "info": {"title": "Things", "version": "1"},
            "paths": paths.collect::<Map<String, Value>>()});
        let model = regen::model_in_memory(vec![document], None);
        Facts::from_model(&model.unwrap_or_else(|faults| panic!("{faults}")))
    };

    let changes = diff(&version("thing"), &version("item")).changes;
    let told: Vec<String> = changes
        .iter()
        .map(|change| {
            format!("{} {} (with {})", change.subject, change.says, change.with.join(", "))
        })
        .collect();

    assert_eq!(told.len(), 30, "{told:#?}");
    for change in &changes {
        let n = change.subject.name.trim_start_matches("item-");
        assert_eq!(change.old, Some(format!("thing-{n}")));
        let own = |name: &String| name.starts_with(&format!("Thing{n}"));
        assert!(!change.with.is_empty() && change.with.iter().all(own), "{told:#?}");
    }
}
