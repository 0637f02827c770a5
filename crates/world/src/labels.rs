//! Owners and labels of wallet addresses. Known entities own some addresses. The other addresses have no owner, but
//! some have a label.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::chains::address;
use crate::context::Context;
use crate::funds;
use crate::missing_fields::number::round;
use crate::random::Seed;
use crate::record::record;
use crate::value::Value;

/// A company or fund that owns wallets.
#[derive(Debug)]
pub struct Entity {
    /// Name of the entity.
    pub name: &'static str,
    /// Type of the entity, for example `exchange` or `fund`.
    pub kind: &'static str,
    /// Wallet addresses of the entity, each with its chain. The addresses do not depend on the random seed.
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

/// Chain of each wallet of an entity. Each entity has one wallet for each element of this list.
const HOMES: &[&str] = &["ethereum", "ethereum", "base", "arbitrum", "solana"];

/// All entities that own wallets: exchanges, bridges, market makers, custodians and venture funds.
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

/// Finds the entity that owns a wallet address.
pub(super) fn owner(address: &str) -> Option<&'static Entity> {
    OWNERS.get(&address.to_lowercase()).and_then(|n| ENTITIES.get(*n))
}

/// Returns the address of wallet `n` in the list of entity wallets on Ethereum. Indices beyond the end of the list
/// start again at the first wallet.
pub(super) fn known_wallet(n: u64) -> &'static str {
    let count = ENTITIES.len() as u64;
    let entity = &ENTITIES[(n % count) as usize];
    &entity.addresses[(n / count % 2) as usize].0
}

/// Returns the labels of an address, each with a confidence from 0 to 1. If an entity owns the address, the label is
/// the type of the entity. About a third of the other addresses have a label such as `whale`.
pub(super) fn label_words(ctx: &Context, address: &str) -> Vec<(&'static str, f64)> {
    let seed = ctx.seed.named("label").named(&address.to_lowercase());
    match owner(address) {
        Some(entity) => vec![(entity.kind, round(seed.between(0.9, 1.0)))],
        None if seed.chance(0.35) => {
            let label = seed.named("word").pick(&["whale", "trader", "airdrop_hunter", "holder"]);
            vec![(label, round(seed.between(0.55, 0.9)))]
        }
        None => Vec::new(),
    }
}

/// Returns the JSON record with the owner and the labels of an address. All responses contain the same record for the
/// address.
pub fn label(ctx: &Context, address: &str) -> Value {
    let owner = owner(address);
    let words: Vec<_> = label_words(ctx, address)
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

/// Returns the JSON record with the labels of an address if `wanted` is true, and `null` otherwise.
pub(super) fn label_if(wanted: bool, ctx: &Context, address: &str) -> Value {
    if wanted { label(ctx, address) } else { Value::Null }
}
