//! Tests of laws: statements about the sandbox's invented data that are true for every random seed and at every
//! time. Each law is tested with a fixed set of seeds and times, on rows as the sandbox returns them.
//!
//! `docs/laws.md` lists all laws. `UPDATE_LAWS=1 cargo test -p crypto-intel-world --test laws` rewrites
//! `docs/laws.md`.

mod caches;
mod equity;
mod identifier_kinds;
mod identifiers;
mod market;
mod prediction;
mod prices;
mod states;
mod ties;
mod time;
mod venues;
mod wallets;
mod world_client;

use world_client::World;

/// Result of a check. The error is a message with the values that violate the law.
type Held = Result<(), String>;

/// A law. The text is the law's sentence in `docs/laws.md`, and the function checks the law.
type Law = (&'static str, fn(&World) -> Held);

const PARTS: &[(&str, &[Law])] = &[
    ("Assets and projects", market::LAWS),
    ("Prices over time", prices::LAWS),
    ("Exchanges", venues::LAWS),
    ("Prediction markets", prediction::LAWS),
    ("Companies and funds", equity::LAWS),
    ("Wallets, tokens and transactions", wallets::LAWS),
    ("Across operations", ties::LAWS),
    ("Time, people, and all operations", time::LAWS),
    ("Identifiers", identifiers::LAWS),
    ("Caches", caches::LAWS),
];

/// Number of test cases for each law. Each case has a random seed and a time.
const CASES: u64 = 6;

/// Checks each law for all pairs of a seed and a time. Panics with the violated laws and the first counterexample
/// of each.
fn check(laws: &[Law]) {
    let mut broken = Vec::new();
    for (says, holds) in laws {
        for case in 0..CASES {
            let world = World::from_number(case);
            if let Err(why) = holds(&world) {
                let (seed, now) = (case, world.ctx.now);
                broken.push(format!("{says}\n    seed {seed} at {now}: {why}"));
                break;
            }
        }
    }
    assert!(broken.is_empty(), "{} of {} broken:\n{}", broken.len(), laws.len(), broken.join("\n"));
}

#[test]
fn laws_of_the_market_hold() {
    check(market::LAWS);
}

#[test]
fn laws_of_prices_hold() {
    check(prices::LAWS);
}

#[test]
fn laws_of_exchanges_hold() {
    check(venues::LAWS);
}

#[test]
fn laws_of_prediction_markets_hold() {
    check(prediction::LAWS);
}

#[test]
fn laws_of_companies_hold() {
    check(equity::LAWS);
}

#[test]
fn laws_of_wallets_hold() {
    check(wallets::LAWS);
}

#[test]
fn laws_across_operations_hold() {
    check(ties::LAWS);
}

#[test]
fn laws_of_time_hold() {
    check(time::LAWS);
}

#[test]
fn laws_of_identifiers_hold() {
    check(identifiers::LAWS);
}

#[test]
fn laws_of_caches_hold() {
    check(caches::LAWS);
}

/// Tests that `docs/laws.md` lists all laws.
#[test]
fn table_of_laws_is_up_to_date() {
    let mut text = String::from(
        "# Laws of the sandbox's data\n\nThese statements about the data of the sandbox are true for every random \
         seed and at every time. Tests of programs can rely on them.\n\
         A test checks each law with the data of several random seeds: \
         `cargo test -p crypto-intel-world --test laws`.\n",
    );
    let mut number = 0;
    for (part, laws) in PARTS {
        text.push_str(&format!("\n## {part}\n\n| | |\n|---|---|\n"));
        for (says, _) in *laws {
            number += 1;
            text.push_str(&format!("| {number} | {says} |\n"));
        }
    }

    is_up_to_date("laws.md", &text);
}

/// Tests that `docs/identifiers.md` lists all kinds of identifiers.
#[test]
fn table_of_identifiers_is_up_to_date() {
    is_up_to_date("identifiers.md", &identifiers::table());
}

/// Asserts that a file in `docs` has the expected text. If the environment variable `UPDATE_LAWS` is set, the
/// function first writes this text to the file.
fn is_up_to_date(file: &str, text: &str) {
    let path = format!("{}/../../docs/{file}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("UPDATE_LAWS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == text, "docs/{file} is out of date: run with UPDATE_LAWS=1");
}
