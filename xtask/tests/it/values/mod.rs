//! Tests values, not only types: samples that a description allows are decoded and encoded with the generated types.
//!
//! `schemas` and `sample` generate values from the description alone, and an independent validator confirms them.
//! `decode` decodes them by the model, `compare` finds lost parts, and `law` counts. `VALUES` is the number of
//! samples.

mod compare;
mod decode;
mod law;
mod sample;
mod schemas;
mod untyped;

use std::env;
use std::path::{Path, PathBuf};

use xtask::{load, regen};

use law::{Row, Subject, run, table};
use schemas::Schemas;

/// Number of samples that all descriptions of a test share.
fn wanted(default: usize) -> usize {
    env::var("VALUES").ok().and_then(|count| count.parse().ok()).unwrap_or(default)
}

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
    let each = wanted(4_000).div_ceil(model.records.len() * 2);
    let row = run(&subject, each);
    println!("{}", table(std::slice::from_ref(&row)));
    assert!(row.samples >= 3_000 && row.unsampled == 0, "{}", table(std::slice::from_ref(&row)));
    assert_held(&[row]);
}

#[test]
fn values_of_small_descriptions_survive() {
    let each = wanted(1_000).div_ceil(250);
    let mut rows = Vec::new();
    for (name, document) in crate::corpus::accepted() {
        let output = regen::run_in_memory(vec![document.clone()], None).unwrap();
        let schemas = Schemas::new(vec![document]);
        let subject = Subject { name, model: &output.model, schemas: &schemas, generated: None };
        rows.push(run(&subject, each));
    }
    println!("{}", table(&rows));
    assert_held(&rows);
}

/// Descriptions in the folder `CORPUS`, which `.ci/values` downloads.
#[test]
#[ignore = "needs the folder CORPUS with public descriptions"]
fn values_of_public_descriptions_survive() {
    let folder = PathBuf::from(env::var("CORPUS").expect("the folder CORPUS"));
    let mut files: Vec<PathBuf> =
        folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let each = wanted(5_000).div_ceil(files.len());
    let rows: Vec<Row> = files.iter().filter_map(|file| public(file, each)).collect();
    for trouble in rows.iter().flat_map(|row| &row.troubles) {
        println!("{trouble}");
    }
    println!("{}", table(&rows));
}

fn public(file: &Path, count: usize) -> Option<Row> {
    let output = match regen::run(&[file.to_owned()], None) {
        Ok(output) => output,
        Err(faults) => {
            println!("{}: refused\n{faults}", file.display());
            return None;
        }
    };
    let schemas = Schemas::new(vec![load::description(file).ok()?]);
    let name = file.file_stem()?.to_string_lossy().into_owned();
    let subject = Subject { name: &name, model: &output.model, schemas: &schemas, generated: None };
    let parts = output.model.records.len() + output.model.unions.len();
    Some(run(&subject, count.div_ceil(parts.max(1) * 2)))
}
