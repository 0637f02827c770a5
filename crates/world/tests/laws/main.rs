//! The laws of the world: what must be true of it for every seed and at every time. Each is checked
//! against rows as the service shows them, over seeds and times that are spread but always the same.
//!
//! `docs/laws.md` is the table of them; `UPDATE_LAWS=1 cargo test -p crypto-intel-world --test laws`
//! writes it anew.

mod caches;
mod equity;
mod market;
mod prediction;
mod prices;
mod states;
mod time;
mod venues;
mod wallets;
mod world_client;

use world_client::World;

/// Whether a law holds, and otherwise what contradicts it.
type Held = Result<(), String>;

/// What a law says, and how it is checked.
type Law = (&'static str, fn(&World) -> Held);

const PARTS: &[(&str, &[Law])] = &[
    ("Assets and projects", market::LAWS),
    ("Prices over time", prices::LAWS),
    ("Exchanges", venues::LAWS),
    ("Prediction markets", prediction::LAWS),
    ("Companies and funds", equity::LAWS),
    ("Wallets, tokens and transactions", wallets::LAWS),
    ("Time, people and the whole", time::LAWS),
    ("What is remembered", caches::LAWS),
];

/// Worlds that each law is tried on.
const CASES: u64 = 6;

/// The counterexamples of a part.
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
fn laws_of_time_hold() {
    check(time::LAWS);
}

#[test]
fn laws_of_what_is_remembered_hold() {
    check(caches::LAWS);
}

/// The table of laws is what is checked.
#[test]
fn the_table_of_laws_is_up_to_date() {
    let mut text = String::from(
        "# The laws of the world\n\nWhat holds in the sandbox's world for every seed and at every time, \
         so that a program's tests can rely on it.\nEach is a test over several worlds: \
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

    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/laws.md");
    if std::env::var_os("UPDATE_LAWS").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    let written = std::fs::read_to_string(path).unwrap_or_default();
    assert!(written == text, "docs/laws.md is out of date: run with UPDATE_LAWS=1");
}
