//! Laws of the world: statements that are true for every seed and at every time. Each law is checked against rows as
//! the sandbox returns them, for a fixed set of seeds and times.
//!
//! `docs/laws.md` is the table of all laws. `UPDATE_LAWS=1 cargo test -p crypto-intel-world --test laws`
//! rewrites it.

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

/// Result of a check; the error describes the contradiction.
type Held = Result<(), String>;

/// A law in words, and the function that checks it.
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

/// Number of worlds in which each law is checked.
const CASES: u64 = 6;

/// Checks laws in all worlds, and panics with the counterexamples.
fn check(laws: &[Law]) {
    let mut broken = Vec::new();
    for (says, holds) in laws {
        for case in 0..CASES {
            let world = World::number(case);
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
fn laws_of_what_is_remembered_hold() {
    check(caches::LAWS);
}

/// Checks that `docs/laws.md` lists the checked laws.
#[test]
fn the_table_of_laws_is_up_to_date() {
    let mut text = String::from(
        "# The laws of the world\n\nThese statements are true in the sandbox's world for every seed and at every \
         time. Tests of programs can rely on them.\nEach law is a test over several worlds: \
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

/// Checks that `docs/identifiers.md` lists the kinds of identifiers.
#[test]
fn the_table_of_identifiers_is_up_to_date() {
    is_up_to_date("identifiers.md", &identifiers::table());
}

/// Compares a file of `docs` with the text that it should have. Writes the text first if `UPDATE_LAWS` is set.
fn is_up_to_date(file: &str, text: &str) {
    let path = format!("{}/../../docs/{file}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("UPDATE_LAWS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == text, "docs/{file} is out of date: run with UPDATE_LAWS=1");
}
