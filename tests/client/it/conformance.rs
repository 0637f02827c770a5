//! Checks the list of statements about the service's API. For each statement the list names the code that implements
//! it, and the test that fails without this code.
//!
//! The input is `conformance/statements.txt`, with one statement per line, and the catalogue of operations. The output
//! is the page `docs/conformance.md`, which `UPDATE_CONFORMANCE=1` writes.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use crypto_intel::catalogue::{OPERATIONS, Provenance};

const STATEMENTS: &str = include_str!("conformance/statements.txt");
/// Section topics for which each statement must name a test. A topic is written in the section heading of
/// `conformance/statements.txt`, such as `## Cost of calls [money]`.
const CONCERNS_WITH_TESTS: [&str; 4] = ["errors", "keys", "money", "paging"];
/// Test that reads only the OpenAPI documents and their overlay. It passes even if a generated file is wrong, so it
/// proves nothing about code outside `spec/`.
const READS_DESCRIPTIONS: &str = "tests/it/surface.rs::what_users_see";
const SOURCES: [&str; 4] = ["stated", "described", "observed", "assumed"];

/// Section of `conformance/statements.txt`. It consists of a heading and the statements below this heading.
struct Section {
    title: &'static str,
    concern: Option<&'static str>,
    statements: Vec<Statement>,
}

struct Statement {
    text: &'static str,
    /// File with the code or data that implements the statement, such as `spec/overlay.yaml`. The path is relative to
    /// the root of the workspace.
    place: Option<&'static str>,
    /// Test that checks this statement of the documentation, in the form `FILE::FUNCTION`.
    test: Option<&'static str>,
    source: &'static str,
}

#[test]
fn every_statement_names_code_and_a_test_that_exist() {
    let mut faults = Vec::new();
    let mut files = BTreeMap::new();
    for section in sections() {
        let needs_test = section.concern.is_some_and(|name| CONCERNS_WITH_TESTS.contains(&name));
        for statement in &section.statements {
            let reason = fault(statement, needs_test, &mut files);
            faults.extend(reason.map(|reason| format!("{}: {reason}", statement.text)));
        }
    }

    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn the_table_of_statements_is_up_to_date() {
    let path = root().join("docs/conformance.md");
    let text = page(&sections());
    if std::env::var_os("UPDATE_CONFORMANCE").is_some() {
        std::fs::write(&path, &text).unwrap();
    }

    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == text, "docs/conformance.md is out of date: run with UPDATE_CONFORMANCE=1");
}

/// Returns the reason why `statement` is invalid, for example because its test does not exist. Returns `None` if
/// `statement` is valid. `files` caches the contents of test files.
fn fault(
    statement: &Statement,
    needs_test: bool,
    files: &mut BTreeMap<String, Option<String>>,
) -> Option<String> {
    if !SOURCES.contains(&statement.source) {
        return Some(format!("`{}` is not one of {SOURCES:?}", statement.source));
    }
    if let Some(place) = statement.place.filter(|place| !root().join(place).is_file()) {
        return Some(format!("there is no file `{place}`"));
    }

    let Some(test) = statement.test else {
        return needs_test.then(|| "it needs a test".to_owned());
    };
    if test == READS_DESCRIPTIONS
        && statement.place.is_some_and(|place| !place.starts_with("spec/"))
    {
        return Some(format!("`{test}` reads only `spec/`"));
    }
    let Some((file, function)) = test.split_once("::") else {
        return Some(format!("`{test}` is not FILE::FUNCTION"));
    };
    let text = files
        .entry(file.to_owned())
        .or_insert_with(|| std::fs::read_to_string(root().join(file)).ok())
        .as_deref();

    (!text.is_some_and(|text| is_test(text, function)))
        .then(|| format!("there is no test `{test}`"))
}

/// Returns true if the source text contains a test function with this name. A test function has a test attribute, or is
/// inside `proptest!`.
fn is_test(source: &str, function: &str) -> bool {
    let Some((before, _)) = source.split_once(&format!("fn {function}(")) else { return false };
    let before = before.trim_end().trim_end_matches("async").trim_end();
    let lines = before.lines().rev().map(str::trim);
    lines.take_while(|line| !line.is_empty() && *line != "}").any(|line| {
        ["#[test]", "#[tokio::test", "proptest! {"].iter().any(|start| line.starts_with(start))
    })
}

/// Parses `conformance/statements.txt`. Each statement is a line with four cells: text, file, test and source. The
/// value `=` in the cell of the file or test repeats the value of the previous statement.
fn sections() -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    let mut above = ["-", "-"];
    for line in STATEMENTS.lines().filter(|line| !line.is_empty() && !line.starts_with("# ")) {
        if let Some(heading) = line.strip_prefix("## ") {
            sections.push(section(heading));
            continue;
        }

        let [text, place, test, source] = cells(line);
        above = [
            if place == "=" { above[0] } else { place },
            if test == "=" { above[1] } else { test },
        ];
        let [place, test] = above.map(|value| (value != "-").then_some(value));
        let last = sections.last_mut().expect("a heading comes first");
        last.statements.push(Statement { text, place, test, source });
    }

    sections
}

fn section(heading: &'static str) -> Section {
    let (title, concern) = match heading.split_once(" [") {
        Some((title, concern)) => (title, Some(concern.trim_end_matches(']'))),
        None => (heading, None),
    };
    Section { title, concern, statements: Vec::new() }
}

fn cells(line: &'static str) -> [&'static str; 4] {
    let cells: Vec<_> = line.split(" | ").map(str::trim).collect();
    cells.try_into().unwrap_or_else(|_| panic!("not four cells: {line}"))
}

/// Renders the page `docs/conformance.md`.
fn page(sections: &[Section]) -> String {
    let all: Vec<_> = sections.iter().flat_map(|section| &section.statements).collect();
    let untested = all.iter().filter(|statement| statement.test.is_none()).count();
    let mut text = format!(
        "# Conformance\n\n\
         This page lists each statement of the service's documentation, with the file that implements the \
         statement, and with a test.\n\
         `{}` checks that the files and tests on this page exist.\n\
         With `UPDATE_CONFORMANCE=1`, the same command writes this page.\n\n\
         {} statements: {}. {untested} have no test. Each statement about money, keys, paging and errors has a test.\n",
        "cargo test -p crypto-intel-client-tests --test it conformance",
        all.len(),
        counts(&all),
    );

    for section in sections {
        let _ = write!(
            text,
            "\n## {}\n\n| statement | code | test | source |\n|---|---|---|---|\n",
            section.title
        );
        for Statement { text: says, place, test, source } in &section.statements {
            let place = place
                .map_or("none".to_owned(), |place| format!("[{}](../{place})", file_name(place)));
            let test = test.map_or("**none**".to_owned(), test_link);
            let _ = writeln!(text, "| {says} | {place} | {test} | {source} |");
        }
    }

    text.push_str(&operations());
    text
}

/// Formats the number of documentation statements from each of the [`SOURCES`], such as `200 stated, 40 described`.
fn counts(statements: &[&Statement]) -> String {
    let count = |source| statements.iter().filter(|statement| statement.source == source).count();
    SOURCES.map(|source| format!("{} {source}", count(source))).join(", ")
}

fn test_link(test: &str) -> String {
    let (file, function) = test.split_once("::").unwrap_or((test, ""));
    format!("[`{function}`](../{file})")
}

fn file_name(path: &str) -> &str {
    let start = path.rmatch_indices('/').nth(1).map_or(0, |(index, _)| index + 1);
    &path[start..]
}

/// Renders a table with one row for each operation. A row contains the source of the operation, such as `assumed`, and
/// the day of the last successful call to the live service.
fn operations() -> String {
    let mut text = String::from(
        "\n## Operations\n\n\
         The source of each operation, and the day on which the live service answered it. Days come from\n\
         `cintel doctor --contract --overlay`; an operation without a day was never called on the live service.\n\n\
         | operation | source | seen live |\n|---|---|---|\n",
    );
    for operation in OPERATIONS {
        let source = match operation.provenance {
            Provenance::Assumed => "assumed",
            Provenance::InterfaceText => "stated",
            _ => "described",
        };
        let seen = operation.seen_live.unwrap_or_default();
        let _ = writeln!(text, "| `{}` | {source} | {seen} |", operation.id);
    }

    text
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
