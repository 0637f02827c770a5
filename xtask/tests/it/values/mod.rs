//! Tests the decoding of values with the generated types. The values are random samples that an OpenAPI document
//! allows, or that a later version of the service may send.
//!
//! The modules `schemas` and `sample` generate the samples from the OpenAPI document alone. An independent validator
//! checks the samples that must be valid. The module `decode` decodes and encodes each sample as the generator's model
//! specifies. The test then compares the sample and the result. The environment variable `VALUES` is the approximate
//! number of samples of a test.

mod compare;
mod decode;
mod law;
mod sample;
mod schemas;
mod untyped;

use serde_json::Value;
use xtask::{load, regen};

use crate::public::{self, number};
use law::{Row, Subject, run, table};
use schemas::Schemas;

#[track_caller]
fn assert_held(rows: &[Row]) {
    let troubles: Vec<&str> =
        rows.iter().flat_map(|row| &row.troubles).map(String::as_str).collect();
    assert!(troubles.is_empty(), "{}\n{}", troubles.join("\n"), table(rows));
}

#[test]
fn values_of_our_description_survive() {
    let model = regen::published().unwrap_or_else(|faults| panic!("{faults}")).model;
    let paths = regen::DESCRIPTIONS.iter().chain([&regen::UNPUBLISHED]);
    let documents = paths.map(|path| load::description(&regen::root().join(path)).unwrap());
    let schemas = Schemas::new(documents.collect());
    let subject = Subject {
        name: "our description",
        model: &model,
        schemas: &schemas,
        generated: Some(crypto_intel_api::generated::round_trip::round_trip),
    };
    let each = number("VALUES", 4_000).div_ceil(model.records.len() * 2);
    let row = run(&subject, each);
    println!("{}", table(std::slice::from_ref(&row)));
    assert!(row.samples >= 3_000 && row.unsampled == 0, "{}", table(std::slice::from_ref(&row)));
    assert_held(&[row]);
}

/// Minimum share, from 0 to 1, of the records and unions in public OpenAPI documents that have no failed sample. For
/// example, a sample fails if decoding and encoding changes its JSON value.
const HELD: f64 = 0.995;

#[test]
fn values_of_other_descriptions_survive() {
    let documents = public::documents();
    let is_public = public::folder().is_some();
    let each = number("VALUES", 1_000).div_ceil(documents.len());
    let rows: Vec<Row> =
        documents.into_iter().map(|(name, document)| row(&name, document, each)).collect();

    println!("{}", table(&rows));
    if !is_public {
        return assert_held(&rows);
    }
    let sum = |count: fn(&Row) -> usize| rows.iter().map(count).sum::<usize>() as f64;
    let held = sum(|row| row.held) / sum(|row| row.components);
    println!("{:.2} % of the records and unions are held", 100.0 * held);
    rows.iter().flat_map(|row| &row.troubles).for_each(|trouble| println!("{trouble}"));
    assert!(held >= HELD, "{held}");
    assert_eq!(sum(|row| row.untyped.unexplained.len()), 0.0, "untyped without a reason");
}

/// Tests an OpenAPI document with approximately `count` samples. Returns the results.
fn row(name: &str, document: Value, count: usize) -> Row {
    let output = regen::run_in_memory(vec![document.clone()], None)
        .unwrap_or_else(|faults| panic!("{name}: {faults}"));
    let schemas = Schemas::new(vec![document]);
    let subject = Subject { name, model: &output.model, schemas: &schemas, generated: None };
    let parts = output.model.records.len() + output.model.unions.len();
    run(&subject, count.div_ceil(parts.max(1) * 2))
}
