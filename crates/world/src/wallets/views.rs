//! Operations about one wallet: details, net worth, transfers and history.
//!
//! The input is a wallet and the arguments of a request. The output is the rows of the response.

use crate::args::Args;
use crate::assets::Asset;
use crate::chains;
use crate::context::Context;
use crate::dex::{self, Traded};
use crate::labels::{label, label_if};
use crate::missing_fields::number::round;
use crate::random::Seed;
use crate::record::record;
use crate::row::Row;
use crate::scenario_effects::Outage;
use crate::time_range::HISTORY;
use crate::timestamp::DAY;
use crate::token_amount::Units;
use crate::tokens;
use crate::value::{Value, json};
use crate::wallets::address::{Family, Wallet};
use crate::wallets::ledger::{self, Holding, Movement};

/// Returns three values of a holding at a Unix time: the balance, the token price in USD, and the balance in USD.
fn value_holding(ctx: &Context, holding: &Holding, time: i64) -> (Units, f64, f64) {
    let price = holding.asset.walk(ctx).at(time - time.rem_euclid(60));
    let units = holding.balance(time);
    (units, round(price), round(units.value() * price))
}

/// Returns the total value of all holdings at a Unix time, in USD.
pub(super) fn total_value(ctx: &Context, holdings: &[Holding], time: i64) -> f64 {
    round(holdings.iter().map(|holding| value_holding(ctx, holding, time).2).sum())
}

pub(super) fn detail(ctx: &Context, args: &Args, wallet: &Wallet) -> Row {
    let wanted = args.list("fields");
    let mut holdings = ledger::holdings(ctx, wallet, args.text("chain"));
    let mut errors = Vec::new();
    if let Some(Outage { chain, .. }) = ctx.scenario.outage
        && holdings.iter().any(|holding| holding.chain == chain)
    {
        holdings.retain(|holding| holding.chain != chain);
        let name = if wallet.family == Family::Solana { "sol_tokens" } else { "evm_tokens" };
        errors.push(json!({"field": name, "message": format!("the data of {chain} are temporarily unavailable")}));
    }
    // For tests: the section `nft` fails for addresses that end in `e`. See `docs/states.md`.
    let lacks_nft = wanted.contains(&"nft") && wallet.address.ends_with(['e', 'E']);
    if lacks_nft {
        errors.push(json!({"field": "nft", "message": "upstream timed out"}));
    }
    let total = total_value(ctx, &holdings, ctx.now);
    let mut chains: Vec<&str> = holdings.iter().map(|holding| holding.chain).collect();
    chains.sort_unstable();
    chains.dedup();

    let by_chain: Vec<_> = chains
        .iter()
        .map(|chain| {
            let of_chain: Vec<_> = holdings.iter().filter(|h| h.chain == *chain).cloned().collect();
            record!(WalletChainItem {
                chain,
                chain_id: chains::by_name(chain).map(|chain| chain.id),
                usd_value: total_value(ctx, &of_chain, ctx.now),
            })
        })
        .collect();

    let section =
        |name: &str, value: Value| if wanted.contains(&name) { value } else { Value::Null };
    let mut given = record!(WalletDetailBody {
        active_chains: section("balance", json!(by_chain)),
        labels: section("labels", label(ctx, &wallet.address)),
        nft: if lacks_nft { Value::Null } else { section("nft", json!([])) },
        errors: if errors.is_empty() { Value::Null } else { errors.into() },
    });
    let mut add = |name: &str, value: Value| given[name] = value;

    if wallet.family == Family::Solana {
        let coin = holdings.iter().find(|holding| holding.asset.symbol == "SOL");
        let coins = coin.map_or_else(String::new, |coin| coin.balance(ctx.now).to_string());
        let balance =
            record!(SolBalanceItem { address: wallet.address.as_str(), sol_balance: coins });
        add("sol_balance", section("balance", balance));
        let tokens = holdings.iter().map(|h| solana_token(ctx, h)).collect();
        add("sol_tokens", section("tokens", tokens));
    } else {
        let balance = record!(EvmBalanceItem {
            address: wallet.address.as_str(),
            total_usd: total,
            chain_balances: by_chain
        });
        add("evm_balance", section("balance", balance));
        let tokens = holdings.iter().map(|h| evm_token(ctx, h)).collect();
        add("evm_tokens", section("tokens", tokens));
    }

    let mut row = Row::new(wallet.seed(ctx), ctx.now, given).complete();
    // A section that is not requested must be absent, not `null`.
    row.given.retain(|_, value| !value.is_null());

    row
}

fn evm_token(ctx: &Context, holding: &Holding) -> Value {
    let (units, price, usd) = value_holding(ctx, holding, ctx.now);
    let asset = holding.asset;
    record!(EvmTokenItem {
        symbol: asset.symbol,
        name: asset.name,
        token_address: asset.address(ctx),
        chain: holding.chain,
        balance: units.to_string(),
        price,
        usd_value: usd,
        is_verified: true,
        logo_url: asset.logo(),
    })
}

fn solana_token(ctx: &Context, holding: &Holding) -> Value {
    let asset = holding.asset;
    record!(SolTokenItem {
        symbol: asset.symbol,
        name: asset.name,
        token_address: asset.address(ctx),
        balance: holding.balance(ctx.now).to_string(),
        decimals: tokens::decimals(asset),
        is_verified: true,
        logo_url: asset.logo(),
    })
}

pub(super) fn net_worth(ctx: &Context, wallet: &Wallet) -> Vec<Row> {
    let holdings = ledger::holdings(ctx, wallet, None);
    let today = ctx.now.div_euclid(DAY);
    let mut rows: Vec<_> = (today - 29..=today)
        .map(|day| day * DAY)
        .chain([ctx.now])
        .map(|time| {
            let given = record!(WalletNetWorthPoint {
                timestamp: time,
                usd_value: total_value(ctx, &holdings, time)
            });
            Row::new(wallet.seed(ctx), time, given)
        })
        .collect();
    rows.dedup_by_key(|row| row.time);
    rows
}

/// Returns true if `text` is the ticker of an asset or the address of its token contract. Ignores case.
fn matches_asset(ctx: &Context, asset: &Asset, text: &str) -> bool {
    asset.symbol.eq_ignore_ascii_case(text) || asset.address(ctx).eq_ignore_ascii_case(text)
}

pub(super) fn transfers(ctx: &Context, args: &Args, wallet: &Wallet) -> Vec<Row> {
    let labelled = args.list("include").contains(&"labels");
    let token = args.text("token");
    ledger::movements(ctx, wallet, args.text("chain").unwrap_or("ethereum"), ctx.now)
        .iter()
        .filter(|movement| token.is_none_or(|token| matches_asset(ctx, movement.asset, token)))
        .map(|movement| {
            let mut row = party_row(ctx, movement, labelled);
            let more = record!(WalletTransferItem {
                flow: if movement.is_in { "in" } else { "out" },
                amount: movement.amount.to_string(),
                amount_usd: movement.usd(ctx),
                token_symbol: movement.asset.symbol,
                token_address: movement.asset.address(ctx),
                activity_type: "transfer",
            });
            if let Value::Object(more) = more {
                row.given.extend(more);
            }

            row
        })
        .collect()
}

/// Returns a row with the fields that the transfer list and the history of a wallet have in common.
fn party_row(ctx: &Context, movement: &Movement, labelled: bool) -> Row {
    let given = record!(WalletHistoryItem {
        timestamp: movement.time,
        from_address: movement.from.as_str(),
        to_address: movement.to.as_str(),
        tx_hash: movement.hash.as_str(),
        from_label: label_if(labelled, ctx, &movement.from),
        to_label: label_if(labelled, ctx, &movement.to),
    });
    Row::new(movement.seed, movement.time, given)
}

/// Returns the rows of a wallet's transfers and trades, newest first. If the `before` argument (a Unix time) is set,
/// returns only rows before this time. If the available history starts at or after this time, returns no rows.
pub(super) fn history(ctx: &Context, args: &Args, wallet: &Wallet) -> Vec<Row> {
    let labelled = args.list("include").contains(&"labels");
    let end = args.integer("before").map_or(ctx.now, |before| (before - 1).min(ctx.now));
    if end < ctx.now - HISTORY {
        return Vec::new();
    }
    let chain = args.text("chain").unwrap_or("ethereum");
    let movements = ledger::movements(ctx, wallet, chain, end);
    let transfers = movements.iter().map(|movement| {
        let mut row = party_row(ctx, movement, labelled);
        row.given.insert("value", movement.amount.to_string());
        row.given.insert("tx_type", "transfer");
        row
    });
    let trades = ledger::trades(ctx, wallet, chain, end);
    let swaps = trades.iter().map(|trade| swap_row(ctx, trade, labelled));

    let mut rows: Vec<_> = transfers.chain(swaps).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.time));
    rows
}

/// Builds the row of a trade in the history of the trading wallet. In the row, the wallet calls a contract of the
/// exchange protocol. The value is the amount of the token that the wallet received.
fn swap_row(ctx: &Context, trade: &Traded, labelled: bool) -> Row {
    let router = dex::router(trade.protocol, trade.chain);
    let given = record!(WalletHistoryItem {
        timestamp: trade.time,
        from_label: label_if(labelled, ctx, &trade.taker),
        from_address: trade.taker.as_str(),
        to_label: label_if(labelled, ctx, &router),
        to_address: router,
        tx_hash: trade.hash.as_str(),
        tx_type: "swap",
        value: trade.bought.amount.to_string(),
    });
    Row::new(Seed::new(0).named(&trade.hash), trade.time, given)
}
