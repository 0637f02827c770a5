//! Owners of wallets: entities with a few addresses each, and what is known of all others.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::chains::address;
use crate::context::Context;
use crate::funds;
use crate::missing_fields::number::round;
use crate::random::Seed;
use crate::record::record;
use crate::value::Value;

/// An owner of wallets.
#[derive(Debug)]
pub struct Entity {
    /// What it is called.
    pub name: &'static str,
    /// What it is: an exchange, a fund, …
    pub kind: &'static str,
    /// Its addresses, the same in every world, each with its chain.
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

/// Chains on which an entity has its addresses, in turn.
const HOMES: &[&str] = &["ethereum", "ethereum", "base", "arbitrum", "solana"];

/// Every entity: venues and traders, and the funds of the world.
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

/// The owner of an address, where it is known.
pub(super) fn owner(address: &str) -> Option<&'static Entity> {
    OWNERS.get(&address.to_lowercase()).and_then(|n| ENTITIES.get(*n))
}

/// A wallet of some entity, for the chains that entities are on.
pub(super) fn known_wallet(seed: Seed) -> &'static str {
    let entity = &ENTITIES[seed.below(ENTITIES.len() as u64) as usize];
    &entity.addresses[seed.named("address").below(2) as usize].0
}

/// Words that describe an address: that of its owner, or what its habits suggest.
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

/// The label of an address, the same wherever the address appears.
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

/// The label where it was asked for.
pub(super) fn label_if(wanted: bool, ctx: &Context, address: &str) -> Value {
    if wanted { label(ctx, address) } else { Value::Null }
}
