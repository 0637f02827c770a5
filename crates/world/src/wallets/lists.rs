//! Lists of wallets: labels, search results, token holders and the portfolio.
//!
//! The input is the arguments of a request. The output is the rows of the response, or an error.

use crate::args::Args;
use crate::chains;
use crate::context::Context;
use crate::labels::{self, ENTITIES, Entity, label_if};
use crate::missing_fields::number::round;
use crate::random::Seed;
use crate::record::record;
use crate::refusal::Refusal;
use crate::row::Row;
use crate::token_amount::Units;
use crate::tokens;
use crate::value::Value;
use crate::wallets::address::{Wallet, check_address};
use crate::wallets::{holders, ledger, views};

pub(super) fn labels(ctx: &Context, args: &Args) -> Result<Vec<Row>, Refusal> {
    args.list("addresses")
        .into_iter()
        .map(|address| {
            let wallet = Wallet::from_address(&check_address("addresses", address)?);
            let mut label = labels::label(ctx, &wallet.address);
            label["address"] = address.into();
            Ok(Row::new(wallet.seed(ctx), ctx.now, label))
        })
        .collect()
}

/// Finds wallets of known entities by a part of the entity's name, by the entity's type, or by an address.
///
/// For an address that no entity owns, returns a wallet without an owner. A single word also finds a wallet without an
/// owner: `alice` finds the wallet `alice.eth`.
pub(super) fn search(ctx: &Context, args: &Args) -> Vec<Row> {
    let q = args.text("q").unwrap_or_default().trim();
    let lower = q.to_lowercase();
    if let Ok(address) = check_address("q", q) {
        let wallet = Wallet::from_address(&address);
        return vec![match labels::owner(&wallet.address) {
            Some(entity) => entity_row(ctx, entity, &wallet.address),
            None => unowned_row(ctx, &wallet),
        }];
    }

    let is_meant = |entity: &&Entity| {
        let name = entity.name.to_lowercase();
        lower.split_whitespace().any(|word| name.contains(word) || entity.kind == word)
    };
    if lower.is_empty() {
        return Vec::new();
    }

    let mut rows: Vec<_> = ENTITIES
        .iter()
        .filter(is_meant)
        .map(|entity| entity_row(ctx, entity, &entity.addresses[0].0))
        .collect();

    // A single word may also be a registered `.eth` name.
    let is_word = lower.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    if is_word {
        let mut row = unowned_row(ctx, &Wallet::from_address(&format!("{lower}.eth")));
        row.given.insert("label", format!("{lower}.eth"));
        rows.push(row);
    }

    rows
}

fn entity_row(ctx: &Context, entity: &Entity, address: &str) -> Row {
    let all: Vec<_> = entity
        .addresses
        .iter()
        .map(|(address, chain)| record!(WalletSearchAddress { address, chain }))
        .collect();
    let chain = entity.addresses.iter().find(|(known, _)| known.eq_ignore_ascii_case(address));
    let given = record!(WalletSearchItem {
        address,
        chain: chain.map(|(_, chain)| *chain),
        addresses: all.clone(),
        num_addresses: all.len(),
        entity_name: entity.name,
        entity_type: entity.kind,
        label: entity.kind,
        twitter: entity.name.to_lowercase().replace(' ', ""),
    });
    Row::new(ctx.seed.named("entity").named(entity.name), ctx.now, given).complete()
}

fn unowned_row(ctx: &Context, wallet: &Wallet) -> Row {
    let chain =
        ledger::iter_holdings(ctx, wallet, None).next().map_or("ethereum", |held| held.chain);
    let words = labels::label_words(ctx, &wallet.address);
    let given = record!(WalletSearchItem {
        address: wallet.address.as_str(),
        chain,
        num_addresses: 1,
        addresses: [record!(WalletSearchAddress { address: wallet.address.as_str(), chain })],
        label: words.first().map(|(word, _)| *word),
    });
    Row::new(wallet.seed(ctx), ctx.now, given).complete()
}

/// Returns the rows of the largest holders of a token on a chain. The holder with the highest balance is first. Returns
/// an error of kind `NotFound` if the token does not exist on the chain.
pub(super) fn holders(ctx: &Context, args: &Args) -> Result<Vec<Row>, Refusal> {
    let (asset, _) = tokens::find_token(ctx, args)?;
    let chain = args.text("chain").unwrap_or("ethereum");
    let labelled = args.list("include").contains(&"labels");
    let place =
        tokens::asset_chains().zip(0_u8..).find(|((other, on), _)| *other == asset && *on == chain);
    let Some((token, n)) = place else { return Ok(Vec::new()) };

    let mut balances: Vec<_> = holders::token_holders(ctx, asset, chain)
        .into_iter()
        .zip(0_u64..)
        .filter_map(|(address, rank)| {
            let wallet = Wallet::from_address(&address);
            let balance = ledger::holding(ctx, &wallet, token, n, Some(rank))?.balance(ctx.now);
            Some((address, balance))
        })
        .collect();
    balances.sort_by_key(|(_, balance)| std::cmp::Reverse(balance.count));
    let row = |(address, balance): (String, Units)| {
        let owner = labels::owner(&address);
        let given = record!(TokenHolderItem {
            address: address.clone(),
            balance: balance.to_string(),
            percentage: round(balance.value() / asset.supply * 100.0),
            entity_name: owner.map(|owner| owner.name),
            entity_type: owner.map(|owner| owner.kind),
            label: label_if(labelled, ctx, &address),
        });
        Row::new(Wallet::from_address(&address).seed(ctx).named("holder"), ctx.now, given)
    };
    Ok(balances.into_iter().map(row).collect())
}

/// Wallets of the portfolio, each with its label and chain. Their addresses do not depend on the random seed.
const PORTFOLIO: &[(&str, &str)] =
    &[("Main", "ethereum"), ("Trading", "arbitrum"), ("Savings", "base"), ("Cold", "ethereum")];

pub(super) fn portfolio(ctx: &Context) -> Vec<Row> {
    PORTFOLIO
        .iter()
        .map(|(label, chain)| {
            let address = chains::address(Seed::new(0).named("portfolio").named(label), chain);
            let wallet = Wallet::from_address(&address);
            let holdings = ledger::holdings(ctx, &wallet, Some(chain));
            let given = record!(PortfolioWallet {
                address,
                chain,
                label,
                usd_value: Value::from(views::total_value(ctx, &holdings, ctx.now)),
            });
            Row::new(wallet.seed(ctx), ctx.now, given)
        })
        .collect()
}
