//! Tests random edits of the repository's OpenAPI document. For each edit, the generator must write code that compiles,
//! or return a fault with a JSON pointer. The generator must stay within a time limit and never panic.
//!
//! Continuous integration tests a sample. `EDITS=2000 COMPILED=100 cargo test -p xtask --test it edits` tests more
//! edits.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;
use xtask::{load, regen};

use crate::corpus::{compiles, module_of};
use crate::mutations::{change, pointers, replacements};

/// Maximum time of the generator for one edited document.
const LIMIT: Duration = Duration::from_secs(10);

fn number(name: &str, usual: usize) -> usize {
    std::env::var(name).map_or(usual, |text| text.parse().unwrap())
}

/// Generator of deterministic random numbers (SplitMix64).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % end as u64) as usize
    }
}

/// Returns the OpenAPI document with at most six random paths. With all paths, each edit would take a second.
fn few(document: &Value, numbers: &mut Numbers) -> Value {
    let mut few = document.clone();
    let paths = few["paths"].as_object_mut().unwrap();
    let all: Vec<String> = paths.keys().cloned().collect();
    let kept: BTreeSet<&String> = (0..6).map(|_| &all[numbers.below(all.len())]).collect();
    paths.retain(|path, _| kept.contains(path));

    // The components that these operations use.
    let mut reached: BTreeSet<String> = BTreeSet::new();
    let mut open: Vec<Value> = vec![few["paths"].clone()];
    while let Some(node) = open.pop() {
        match node {
            Value::Array(items) => open.extend(items),
            Value::Object(members) => {
                if let Some(target) = members.get("$ref").and_then(Value::as_str)
                    && let Some(name) = target.strip_prefix("#/components/schemas/")
                {
                    let name = name.replace("%20", " ").replace("%7B", "{").replace("%7D", "}");
                    if reached.insert(name.clone()) {
                        open.push(document["components"]["schemas"][&name].clone());
                    }
                }
                open.extend(members.into_iter().map(|(_, member)| member));
            }
            _ => {}
        }
    }
    let schemas = few["components"]["schemas"].as_object_mut().unwrap();
    schemas.retain(|name, _| reached.contains(name));
    few
}

#[test]
fn random_edits_end_in_code_that_compiles_or_in_a_fault() {
    let (edits, compiled) = (number("EDITS", 40), number("COMPILED", 5));
    let root = regen::root();
    let whole = load::description(&root.join(regen::DESCRIPTIONS[0])).unwrap();
    let overlay = load::document(&root.join(regen::OVERLAY)).unwrap();
    let mut numbers = Numbers(number("SEED", 11) as u64);
    let dir = TempDir::new().unwrap();
    let (mut features, mut modules) = (BTreeSet::new(), String::new());
    let (mut accepted, mut refused, mut slowest) = (0, 0, Duration::ZERO);
    let mut wrong = Vec::new();

    for edit in 0..edits {
        let mut document = few(&whole, &mut numbers);
        let mut all = Vec::new();
        pointers(&document, "", &mut all);
        let values = replacements(&document, &all[..all.len().min(400)]);
        let (at, how) = (all[1 + numbers.below(all.len() - 1)].clone(), numbers.below(3) as u8);
        let with = &values[numbers.below(values.len())];
        change(&mut document, &at, how, with);

        let start = Instant::now();
        let run = || regen::run_in_memory(vec![document.clone()], Some(&overlay));
        let outcome = catch_unwind(AssertUnwindSafe(run));
        slowest = slowest.max(start.elapsed());
        let told = format!("edit {edit}: {how} at {at} with {with}");

        match outcome {
            Err(_) => wrong.push(format!("{told}: a panic")),
            Ok(_) if start.elapsed() > LIMIT => {
                wrong.push(format!("{told}: {:?}", start.elapsed()))
            }
            Ok(Err(faults)) => {
                refused += 1;
                let faults = faults.to_string();
                let names_place = faults.lines().any(|line| {
                    let place = line.trim_start().strip_prefix("at: ");
                    // The location of a fault contains a JSON pointer after `#`, also for an overlay action.
                    place.is_some_and(|place| place.contains('#'))
                });
                if faults.contains("please report") || !names_place {
                    wrong.push(format!("{told}: {faults}"));
                }
            }

            Ok(Ok(output)) => {
                accepted += 1;
                if accepted <= compiled {
                    let module = format!("d{accepted}");
                    features.extend(output.model.tags.iter().map(|tag| tag.feature()));
                    module_of(dir.path(), &module, output);
                    modules.push_str(&format!("/// {}\npub mod {module};\n", told.escape_debug()));
                }
            }
        }
    }

    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    compiles(dir.path(), &features, &modules, "");
    println!("{edits} edits: {accepted} accepted, {refused} refused, the slowest {slowest:?}");
}
