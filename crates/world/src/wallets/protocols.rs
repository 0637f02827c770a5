//! DeFi positions of a wallet. A wallet can lend, borrow, stake, or supply tokens to liquidity pools.

use crate::assets::{self, Asset};
use crate::context::Context;
use crate::missing_fields::number::round;
use crate::random::Seed;
use crate::record::{member, record};
use crate::row::Row;
use crate::value::{Value, json};
use crate::wallets::address::{Family, Wallet};

/// DeFi protocols in which wallets have positions. Each entry has the ticker of the project and the kind of position.
const PLACES: &[(&str, &str)] = &[
    ("AAVE", "Lending"),
    ("UNI", "Liquidity Pool"),
    ("LDO", "Staked"),
    ("AERO", "Liquidity Pool"),
    ("ONDO", "Yield"),
];

pub(super) fn positions(ctx: &Context, wallet: &Wallet) -> Vec<Row> {
    if wallet.family != Family::Evm {
        return Vec::new();
    }
    let mut rows: Vec<_> = PLACES
        .iter()
        .filter_map(|(symbol, kind)| {
            let seed = wallet.seed(ctx).named("protocol").named(symbol);
            // Every wallet has a lending position.
            (*symbol == "AAVE" || seed.chance(0.45))
                .then(|| assets::find_by_symbol(symbol).ok())
                .flatten()
                .map(|project| protocol_row(ctx, project, kind, seed))
        })
        .collect();
    let usd = |row: &Row| row.given[member!(WalletProtocolItem.total_usd)].as_f64().unwrap_or(0.0);
    rows.sort_by(|a, b| usd(b).total_cmp(&usd(a)));
    rows
}

fn protocol_row(ctx: &Context, project: &Asset, kind: &str, seed: Seed) -> Row {
    let chain = project.chain;
    let part = |symbol: &str, low: f64, high: f64| -> Option<(Value, f64)> {
        let asset = assets::find_by_symbol(symbol).ok()?;
        let price = round(asset.price(ctx));
        let amount =
            round(seed.named("amount").named(symbol).magnitude(low, high) / asset.walk(ctx).base);
        let token = record!(WalletProtocolToken {
            symbol: asset.symbol,
            name: asset.name,
            chain,
            price,
            amount,
            token_address: asset.address(ctx),
        });
        Some((token, amount * price))
    };
    let mut usd = 0.0;

    let mut tokens = |sign: f64, parts: &[Option<(Value, f64)>]| -> Value {
        usd += parts.iter().flatten().map(|(_, worth)| sign * worth).sum::<f64>();
        parts.iter().flatten().map(|(token, _)| token.clone()).collect()
    };
    let none = json!([]);
    let (supply, borrow, pooled) = match kind {
        "Lending" => (
            tokens(1.0, &[part("ETH", 2_000.0, 90_000.0), part("USDC", 500.0, 40_000.0)]),
            tokens(-1.0, &[part("USDT", 50.0, 1_000.0)]),
            none,
        ),
        "Liquidity Pool" => (
            none.clone(),
            none,
            tokens(1.0, &[part("ETH", 500.0, 30_000.0), part("USDC", 500.0, 30_000.0)]),
        ),
        "Staked" => (tokens(1.0, &[part("ETH", 1_000.0, 60_000.0)]), none.clone(), none),
        _ => (tokens(1.0, &[part("USDC", 1_000.0, 60_000.0)]), none.clone(), none),
    };
    let rewards = tokens(1.0, &[part(project.symbol, 1.0, 400.0)]);
    let total = round(usd);

    Row::new(
        seed,
        ctx.now,
        record!(WalletProtocolItem {
            protocol_name: project.name,
            chain,
            logo_url: project.logo(),
            site_url: project.website(),
            total_usd: total,
            positions: [record!(WalletProtocolPosition {
                name: kind,
                balance_usd: total,
                supply_tokens: supply,
                borrow_tokens: borrow,
                lp_tokens: pooled,
                reward_tokens: rewards,
            })],
        }),
    )
}
