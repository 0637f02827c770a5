//! Laws about identifiers, such as wallet addresses. All operations with a parameter for token addresses accept each
//! token address in a response, and likewise for other kinds of identifiers.
//!
//! `docs/identifiers.md` lists the kinds and the operations. The tests write this file if `UPDATE_LAWS=1` is set.

use std::collections::BTreeSet;

use crypto_intel_core::{ParamKind, Rule};
use crypto_intel_world::{Kind as Refused, example};
use serde_json::Value;

use crate::identifier_kinds::{KINDS, Kind};
use crate::world_client::{World, ensure, operation, text};
use crate::{Held, Law};

pub(crate) const LAWS: &[Law] = &[
    (
        "Every operation for a kind of identifier accepts each identifier of this kind in a response",
        identifiers_are_accepted,
    ),
    (
        "Search finds a token on each of its chains, and each has holders and transfers",
        tokens_are_found_on_chains,
    ),
    ("A contract is unknown on other chains than its own", contract_is_unknown_elsewhere),
];

/// Maximum number of identifiers that the test takes from one response. The test then passes these identifiers to other
/// operations.
const TRIED: usize = 6;

/// Returns all values at a JSON pointer. `*` in the pointer stands for each item of a list.
fn values_at<'a>(value: &'a Value, pointer: &str) -> Vec<&'a Value> {
    match pointer.split_once("/*") {
        None => value.pointer(pointer).into_iter().collect(),
        Some((list, rest)) => {
            let items = value.pointer(list).and_then(Value::as_array);
            items.into_iter().flatten().flat_map(|item| values_at(item, rest)).collect()
        }
    }
}

/// Returns some identifiers of one kind, for example UUIDs of projects. Calls all operations that return this kind, and
/// takes at most [`TRIED`] identifiers from each response.
fn identifiers(world: &World, kind: &Kind) -> Result<BTreeSet<Vec<String>>, String> {
    let mut found = BTreeSet::new();
    for (id, arguments, parts) in kind.shown {
        let arguments = add_examples(id, arguments);
        let rows = world.rows(id, &as_strs(&arguments))?;
        let all: BTreeSet<_> =
            rows.iter().take(100).flat_map(|row| identifiers_in(row, parts)).collect();
        let is_shown = rows.is_empty() || !all.is_empty();
        ensure(is_shown, || format!("{id} shows none at {parts:?}"))?;

        let step = all.len().div_ceil(TRIED).max(1);
        found.extend(all.into_iter().step_by(step));
    }
    ensure(!found.is_empty(), || format!("no answer shows a {}", kind.name))?;
    Ok(found)
}

/// Returns the identifiers in a row. An identifier is a list of strings, one for each JSON pointer in `parts`. For
/// example, with the pointers `/address` and `/chain`, each identifier is an address and a chain.
fn identifiers_in(row: &Value, parts: &[&str]) -> Vec<Vec<String>> {
    let columns: Vec<_> = parts.iter().map(|part| values_at(row, part)).collect();
    let count = columns.iter().map(Vec::len).min().unwrap_or(0);
    let mut found = Vec::new();
    for n in 0..count {
        let texts = columns.iter().map(|column| column[n].as_str().map(str::to_owned));
        found.extend(texts.collect::<Option<Vec<_>>>());
    }
    found
}

type Values = Vec<(&'static str, String)>;

/// Returns the example arguments of an operation together with the `given` arguments. Leaves out example arguments that
/// have the name of a given argument, and those that cannot be combined with a given argument.
fn add_examples(id: &str, given: &[(&'static str, &str)]) -> Values {
    let operation = operation(id);
    let is_given = |name: &str| given.iter().any(|(known, _)| *known == name);
    let is_excluded = |name: &str| {
        operation.rules.iter().any(|rule| {
            let (Rule::AtLeastOne(names) | Rule::ExactlyOne(names)) = rule;
            names.contains(&name) && names.iter().any(|other| is_given(other))
        })
    };
    let usual = example::parameters(operation).into_iter();
    let kept = usual.filter(|(name, _)| !is_given(name) && !is_excluded(name));
    kept.map(|(name, value)| (name, example::written(&value)))
        .chain(given.iter().map(|(name, text)| (*name, (*text).to_owned())))
        .collect()
}

fn as_strs(values: &Values) -> Vec<(&str, &str)> {
    values.iter().map(|(name, text)| (*name, text.as_str())).collect()
}

/// Returns true if each argument is an allowed value of its parameter. For example, returns false for the chain `tron`
/// if the operation does not support this chain.
fn has_choices(id: &str, given: &[(&str, &str)]) -> bool {
    let operation = operation(id);
    given.iter().all(|(name, text)| match operation.param(name).map(|(_, param)| param.kind) {
        Some(ParamKind::Enum(choices)) => choices.contains(text),
        _ => true,
    })
}

fn identifiers_are_accepted(world: &World) -> Held {
    let mut refused = BTreeSet::new();
    for kind in KINDS {
        for identifier in identifiers(world, kind)? {
            for (params, operations) in kind.taken {
                let parts = params.iter().copied();
                let given: Vec<_> = parts.zip(identifier.iter().map(String::as_str)).collect();
                for id in operations.iter().filter(|id| has_choices(id, &given)) {
                    let values = add_examples(id, &given);
                    if let Err(refusal) = world.all_rows(id, &as_strs(&values)) {
                        refused.insert(format!("{}: {id} {given:?}: {refusal}", kind.name));
                    }
                }
            }
        }
    }
    ensure(refused.is_empty(), || format!("{} refused: {refused:#?}", refused.len()))
}

/// Returns the address and the chain of each token with this ticker in the results of `search-token`.
fn token_contracts(world: &World, symbol: &str) -> Result<Vec<(String, String)>, String> {
    let found = world.rows("search-token", &[("q", symbol)])?;
    let found = found.iter().filter(|row| row["symbol"] == symbol);
    Ok(found.map(|row| (text(row, "address").to_owned(), text(row, "chain").to_owned())).collect())
}

fn tokens_are_found_on_chains(world: &World) -> Held {
    for (symbol, least) in [("USDC", 5), ("ETH", 4), ("SOL", 1)] {
        let found = token_contracts(world, symbol)?;
        ensure(found.len() >= least, || format!("{symbol} on {found:?}"))?;
        for (address, chain) in &found {
            let given = [("address", address.as_str()), ("chain", chain.as_str())];
            for id in ["token-holders", "token-transfers"] {
                if has_choices(id, &given) {
                    let rows = world.rows(id, &given)?;
                    ensure(!rows.is_empty(), || format!("{id} of {symbol} on {chain} is empty"))?;
                }
            }
        }
    }
    Ok(())
}

fn contract_is_unknown_elsewhere(world: &World) -> Held {
    let found = token_contracts(world, "AAVE")?;
    ensure(found.len() == 1, || format!("{found:?}"))?;
    for id in ["token-holders", "token-transfers", "token-transfer-stats", "dex-token-price"] {
        for chain in ["base", "solana", "tron"] {
            let given = [("address", found[0].0.as_str()), ("chain", chain)];
            if has_choices(id, &given) {
                let refused = world.all_rows(id, &given).err().map(|refusal| refusal.kind);
                ensure(refused == Some(Refused::NotFound), || {
                    format!("{id} on {chain}: {refused:?}")
                })?;
            }
        }
    }
    Ok(())
}

/// Returns the expected text of `docs/identifiers.md`.
pub(crate) fn table() -> String {
    let mut table = String::from(
        "# Identifiers of the sandbox\n\nAn identifier from a response can be passed to every operation that accepts \
         identifiers of its kind.\nA test checks the table of identifiers with the data of several random seeds: \
         `cargo test -p crypto-intel-world --test laws identifiers`.\n\n\
         | Kind | Shown by | Accepted by |\n|---|---|---|\n",
    );
    for kind in KINDS {
        let shown: BTreeSet<_> = kind.shown.iter().map(|(id, ..)| format!("`{id}`")).collect();
        let shown: Vec<_> = shown.into_iter().collect();
        let taken = kind.taken.iter().map(|(params, operations)| {
            let operations: Vec<_> = operations.iter().map(|id| format!("`{id}`")).collect();
            format!("{} in {}", params.join(" and "), operations.join(", "))
        });
        let taken: Vec<_> = taken.collect();
        table.push_str(&format!(
            "| {} | {} | {} |\n",
            kind.name,
            shown.join(", "),
            taken.join("; ")
        ));
    }
    table
}
