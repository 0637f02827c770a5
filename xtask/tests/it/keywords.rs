//! Tests the effect of each keyword of OpenAPI 3.0, OpenAPI 3.1 and JSON Schema 2020-12, at each location where it
//! is valid.

use std::collections::{BTreeMap, BTreeSet};

use document::{base, keywords, places, schemas};
use serde_json::{Value, json};
use xtask::facts::Facts;
use xtask::regen;

mod document;
/// Locations that the report covers with a general sentence and does not list individually. For example, the sentence
/// about server URLs covers each `server` object. Each entry is a location and a text that the general sentence
/// contains.
const IN_A_WHOLE: &[(&str, &str)] = &[
    ("contact", "a field of `info` is ignored"),
    ("licence", "a field of `info` is ignored"),
    ("server", "server URLs"),
    ("server variable", "server URLs"),
    ("external docs", "a link to documentation is ignored"),
    ("encoding", "`encoding` of a request body"),
    ("response header", "`headers` of a response"),
    ("link", "`links` of a response"),
    ("security scheme", "the bearer token"),
    ("security flow", "a security scheme other than a bearer token is ignored"),
    ("cookie parameter", "a cookie parameter is ignored; `CallOptions::headers` can send cookies"),
    (
        "component response",
        "the schema of an error body is ignored; the client selects the error kind by the HTTP status",
    ),
    ("discriminator", "constant fields select the record of a union"),
];

/// Keywords that may have no effect on the generator's output, because the report already contains a sentence that
/// covers them. Each entry is a location, a keyword, and a part of this sentence.
const REPORTED_BEFORE: &[(&str, &str, &str)] = &[
    ("document", "servers", "server URLs"),
    ("info", "contact", "a field of `info` is ignored"),
    ("info", "license", "a field of `info` is ignored"),
    ("components", "securitySchemes", "the bearer token"),
    ("operation", "callbacks", "callbacks of the service are ignored"),
    ("response", "headers", "`headers` of a response"),
    ("response", "links", "`links` of a response"),
];

/// Keywords whose test value has no effect, for one of three reasons:
/// - The test value is the default of the keyword.
/// - The document already contains the keyword, and the test value has the same meaning as the old value.
/// - The keyword has no meaning for the type of the parameter, such as `explode` for a string.
const SAME: &[(&str, &str)] = &[
    ("document", "openapi"),
    ("path parameter", "explode"),
    ("component parameter", "explode"),
    ("component parameter", "style"),
    ("query parameter", "explode"),
    ("query parameter", "style"),
    ("header parameter", "explode"),
    ("header parameter", "style"),
];

/// Returns the reason why a keyword is allowed to leave the generator's output unchanged. Returns `None` if the keyword
/// must change the output.
fn granted(before: &Seen, place: &str, keyword: &str) -> Option<String> {
    if SAME.contains(&(place, keyword)) {
        return Some("means the same as without it".to_owned());
    }
    let whole = IN_A_WHOLE.iter().find(|(whole, _)| *whole == place).map(|(_, sentence)| sentence);
    let own = REPORTED_BEFORE.iter().find(|row| (row.0, row.1) == (place, keyword));
    let sentence = whole.or(own.map(|(.., sentence)| sentence))?;
    let is_reported = before.report.iter().any(|line| line.contains(sentence));
    is_reported.then(|| format!("in a part that the report names: {sentence}"))
}

/// Output of the generator for one document: the code, the snapshot lines, and the lines of the report.
struct Seen {
    code: Value,
    snapshot: BTreeSet<String>,
    report: BTreeSet<String>,
}

fn seen(document: &Value) -> Result<Seen, String> {
    let output =
        regen::run_in_memory(vec![document.clone()], None).map_err(|faults| faults.to_string())?;
    let lines = Facts::from_model(&output.model).lines().into_values().flatten().collect();
    // Each JSON pointer is on a line below its sentence. Both are joined here.
    let (mut title, mut sentence, mut report) = (String::new(), String::new(), BTreeSet::new());
    for line in output.report.lines() {
        if let Some(words) = line.strip_prefix("## ") {
            title = words.split(':').next().unwrap_or_default().to_owned();
        } else if let Some(words) = line.strip_prefix("- ") {
            let words = words.rsplit_once(" (").map_or(words, |(words, _)| words);
            sentence = words.split(" by the enum `").next().unwrap_or_default().to_owned();
        } else if let Some(place) = line.strip_prefix("  - ") {
            report.insert(format!("{title}: {sentence}\u{0}{place}"));
        }
    }
    Ok(Seen { code: json!(output.sources), snapshot: lines, report })
}

/// Describes the effect of the keyword that was added to `document`. For example, the text `code; snapshot` means that
/// code and snapshot changed. `before` is the output without this keyword. Returns `None` if code and snapshot are
/// unchanged and the report has no new line.
fn outcome(before: &Seen, document: &Value) -> Option<String> {
    let after = match seen(document) {
        Ok(after) => after,
        Err(faults) => {
            let first = faults.lines().next().unwrap_or_default();
            return Some(format!("fault: {}", first.trim_start_matches("error: ")));
        }
    };
    let mut cells = Vec::new();
    if after.code != before.code {
        cells.push("code".to_owned());
    }
    if after.snapshot != before.snapshot {
        cells.push("snapshot".to_owned());
    }
    let new = after.report.difference(&before.report);
    let sentences: BTreeSet<&str> = new.filter_map(|line| line.split('\u{0}').next()).collect();
    cells.extend(sentences.into_iter().map(str::to_owned));
    (!cells.is_empty()).then(|| cells.join("; "))
}

/// Adds each keyword of each location to a document, runs the generator, and stores the effect of the keyword in
/// `table`. Returns one line for each keyword without an effect, except for the allowed cases; see [`granted`].
fn rows(version: &str, places: &[(&str, String, Value)], table: &mut Table) -> Vec<String> {
    let whole = base(version);
    let before = seen(&whole).unwrap_or_else(|faults| panic!("{faults}"));
    let mut silent = Vec::new();
    for (place, pointer, keywords) in places {
        for (keyword, value) in keywords.as_object().unwrap() {
            let mut document = whole.clone();
            let node = document.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}"));
            if node.get(keyword) == Some(value) {
                continue;
            }
            node[keyword] = value.clone();
            match outcome(&before, &document).or_else(|| granted(&before, place, keyword)) {
                Some(cell) => {
                    let versions = table.entry((keyword.clone(), cell)).or_default();
                    versions.entry((*place).to_owned()).or_default().insert(version.to_owned());
                }
                None => silent.push(format!("{place} | {keyword} | {version}")),
            }
        }
    }
    silent
}

/// Effects of schema keywords. A key is a keyword, such as `nullable`, and one of its effects, such as `code;
/// snapshot`. The value contains the locations where the keyword has this effect, such as `any value`, each with its
/// OpenAPI versions.
type Table = BTreeMap<(String, String), BTreeMap<String, BTreeSet<String>>>;

#[test]
fn each_keyword_at_each_place_has_an_outcome() {
    let mut table = Table::new();
    let mut places = places();
    let mut silent = rows("3.0.3", &places, &mut table);
    let schemas = schemas().into_iter();
    places.extend(schemas.map(|(place, pointer, value)| (place, pointer, keywords(&value))));
    silent.extend(rows("3.1.0", &places, &mut table));
    assert!(silent.is_empty(), "{} keywords leave no trace:\n{}", silent.len(), silent.join("\n"));

    let count = |what: &str| {
        let cells = table
            .iter()
            .filter(|((_, cell), _)| cell.split("; ").any(|part| part.starts_with(what)));
        format!("{} {what}", cells.map(|(_, places)| places.len()).sum::<usize>())
    };

    let cells: usize = table.values().map(BTreeMap::len).sum();
    let counts = [
        "code",
        "snapshot",
        "Decided",
        "Rewritten",
        "Opened",
        "Loosened",
        "Dropped",
        "fault",
        "in a part",
        "means the same",
    ];

    let mut lines =
        vec![format!("{cells} pairs of keyword and place: {}", counts.map(count).join(", "))];
    lines.extend(table.iter().map(|((keyword, cell), places)| {
        let places = places.iter().map(|(place, versions)| {
            let only = versions.len() == 1 && versions.contains("3.0.3");
            if only { format!("{place} (3.0)") } else { place.clone() }
        });
        format!("{keyword} | {cell} | {}", places.collect::<Vec<_>>().join(", "))
    }));

    insta::assert_snapshot!(lines.join("\n"));
}
