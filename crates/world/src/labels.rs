//! Owners of wallets: known entities with their addresses, and labels for all other addresses.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::chains::address;
use crate::context::Context;
use crate::funds;
use crate::missing_fields::number::round;
use crate::random::Seed;
use crate::record::record;
use crate::value::Value;

/// An entity that owns wallets.
#[derive(Debug)]
pub struct Entity {
    /// Name of the entity.
    pub name: &'static str,
    /// Type, for example `exchange` or `fund`.
    pub kind: &'static str,
    /// Addresses with their chains. They are the same in every world.
    pub addresses: Vec<(String, &'static str)>,
}

const OTHERS: &[(&str, &str)] = &[
    ("Harbour Exchange", "exchange"),
    ("Lighthouse Exchange", "exchange"),
    ("Northwind Exchange", "exchange"),
    ("Saltmarsh Bridge", "bridge"),
    ("Meridian Market Making", "market_maker"),
    ("Tidepool Trading", "market_maker"),
    ("Granary Custody", "custodian"),
];

/// Chains of an entity's addresses, in order.
const HOMES: &[&str] = &["ethereum", "ethereum", "base", "arbitrum", "solana"];

/// All entities: exchanges, bridges, trading firms, and the funds of the world.
pub static ENTITIES: LazyLock<Vec<Entity>> = LazyLock::new(|| {
    let funds = funds::FUNDS.iter().map(|name| (*name, "fund"));
    OTHERS.iter().copied().chain(funds).map(|(name, kind)| entity(name, kind)).collect()
});

fn entity(name: &'static str, kind: &'static str) -> Entity {
    let seed = Seed::new(0).named("entity").named(name);
    let addresses =
        HOMES.iter().enumerate().map(|(n, chain)| (address(seed.at(n as u64), chain), *chain));
    Entity { name, kind, addresses: addresses.collect() }
}

static OWNERS: LazyLock<HashMap<String, usize>> = LazyLock::new(|| {
    let of = |(n, entity): (usize, &Entity)| {
        entity
            .addresses
            .iter()
            .map(move |(address, _)| (address.to_lowercase(), n))
            .collect::<Vec<_>>()
    };
    ENTITIES.iter().enumerate().flat_map(of).collect()
});

/// Finds the entity that owns an address.
pub(super) fn owner(address: &str) -> Option<&'static Entity> {
    OWNERS.get(&address.to_lowercase()).and_then(|n| ENTITIES.get(*n))
}

/// Returns the wallet number `n` among the entities' wallets on EVM chains. Numbers beyond the last wallet start
/// again at the first.
pub(super) fn known_wallet(n: u64) -> &'static str {
    let count = ENTITIES.len() as u64;
    let entity = &ENTITIES[(n % count) as usize];
    &entity.addresses[(n / count % 2) as usize].0
}

/// Returns the labels of an address with their confidence: the type of its owner, or else a guess for about a third
/// of all addresses.
pub(super) fn words(ctx: &Context, address: &str) -> Vec<(&'static str, f64)> {
    let seed = ctx.seed.named("label").named(&address.to_lowercase());
    match owner(address) {
        Some(entity) => vec![(entity.kind, round(seed.between(0.9, 1.0)))],
        None if seed.chance(0.35) => {
            let word = seed.named("word").pick(&["whale", "trader", "airdrop_hunter", "holder"]);
            vec![(word, round(seed.between(0.55, 0.9)))]
        }
        None => Vec::new(),
    }
}

/// Returns the label record of an address. It is identical in all responses that contain the address.
pub fn label(ctx: &Context, address: &str) -> Value {
    let owner = owner(address);
    let words: Vec<_> = words(ctx, address)
        .into_iter()
        .map(|(word, confidence)| record!(WalletLabelInfo { label: word, confidence }))
        .collect();
    record!(WalletLabelItem {
        address,
        entity_name: owner.map(|entity| entity.name),
        entity_type: owner.map(|entity| entity.kind),
        labels: words,
    })
}

/// Returns the label record if `wanted`, else `null`.
pub(super) fn label_if(wanted: bool, ctx: &Context, address: &str) -> Value {
    if wanted { label(ctx, address) } else { Value::Null }
}
