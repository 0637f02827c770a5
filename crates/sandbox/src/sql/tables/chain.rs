//! What happens on chains: the transfers and trades that the token endpoints show.

use rusqlite::types::Value;

use crate::context::Context;
use crate::moment::DAY;
use crate::random::Seed;
use crate::world::assets::{ASSETS, Asset};
use crate::world::tokens::{self, Trade, Transfer};

/// Chains with tables of their own.
pub(super) const CHAINS: [&str; 6] = ["ethereum", "base", "bsc", "arbitrum", "tron", "solana"];

/// The assets that move on a chain: its own, and the dollars that are everywhere.
pub(super) fn assets(chain: &str) -> impl Iterator<Item = &'static Asset> {
    ASSETS.iter().filter(move |asset| {
        asset.chain == chain
            || asset.symbol == "USDC"
            || (asset.symbol == "USDT" && chain == "tron")
            || (asset.symbol == "ETH" && matches!(chain, "base" | "arbitrum"))
    })
}

/// One asset on one day, and what everything about it has in common.
fn each_hour<R>(
    ctx: &Context<'_>,
    chain: &'static str,
    day: i64,
    is_wanted: impl Fn(&Asset) -> bool,
    make: impl Fn(&'static Asset, &str, &crate::world::price::Candle, &mut Vec<R>),
) -> Vec<R> {
    let mut rows = Vec::new();
    for asset in assets(chain).filter(|asset| is_wanted(asset)) {
        let address = asset.address(ctx);
        for hour in asset.walk(ctx).hours(day) {
            if hour.start > ctx.now {
                break;
            }
            make(asset, &address, &hour, &mut rows);
        }
    }
    rows
}

/// A transfer or a trade with the address of its token.
pub(super) struct Moved {
    pub(super) transfer: Transfer,
    pub(super) address: String,
    pub(super) chain: &'static str,
}

pub(super) fn transfers(ctx: &Context<'_>, chain: &'static str, day: i64) -> Vec<Moved> {
    let mut rows = each_hour(
        ctx,
        chain,
        day,
        |_| true,
        |asset, address, hour, rows| {
            for transfer in tokens::transfers_of_hour(ctx, asset, address, chain, hour) {
                if transfer.time <= ctx.now {
                    rows.push(Moved { transfer, address: address.to_owned(), chain });
                }
            }
        },
    );
    rows.sort_by_key(|row: &Moved| row.transfer.time);
    rows
}

pub(super) struct Traded {
    pub(super) trade: Trade,
    pub(super) address: String,
    pub(super) dollars: String,
    pub(super) chain: &'static str,
}

pub(super) fn trades(ctx: &Context<'_>, chain: &'static str, day: i64) -> Vec<Traded> {
    let usdc = ASSETS.iter().find(|asset| asset.symbol == "USDC");
    let dollars = usdc.map(|asset| asset.address(ctx)).unwrap_or_default();
    let is_wanted = |asset: &Asset| !matches!(asset.symbol, "USDC" | "USDT");
    let mut rows = each_hour(ctx, chain, day, is_wanted, |asset, address, hour, rows| {
        for trade in tokens::trades_of_hour(ctx, asset, address, chain, hour) {
            if trade.time <= ctx.now {
                let (address, dollars) = (address.to_owned(), dollars.clone());
                rows.push(Traded { trade, address, dollars, chain });
            }
        }
    });
    rows.sort_by_key(|row: &Traded| row.trade.time);
    rows
}

/// The seed of what is known of a transaction beyond its transfer.
pub(super) fn transaction(moved: &Moved) -> Seed {
    moved.transfer.seed.named("transaction")
}

/// Gas of a transaction and the price of a unit, in wei.
pub(super) fn gas(moved: &Moved) -> (i64, i64) {
    let seed = transaction(moved);
    let price = match moved.chain {
        "ethereum" => seed.named("price").magnitude(8e8, 4e10),
        _ => seed.named("price").magnitude(5e6, 5e8),
    };
    #[expect(clippy::cast_possible_truncation, reason = "far below the largest whole number")]
    (seed.named("gas").range(46_000, 210_000), price as i64)
}

/// Units of the smallest kind, as digits: amounts have up to 18 digits behind the point, which no
/// number holds.
pub(super) fn raw(amount: f64, decimals: u32) -> String {
    let text = format!("{amount:.*}", decimals as usize);
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() { "0".to_owned() } else { digits.to_owned() }
}

pub(super) fn date(time: i64) -> Value {
    Value::Integer(time - time.rem_euclid(DAY))
}

#[cfg(test)]
mod tests {
    use super::raw;

    #[test]
    fn amounts_in_smallest_units_keep_their_digits() {
        assert_eq!(raw(1.5, 6), "1500000");
        assert_eq!(raw(0.000_001, 6), "1");
        assert_eq!(raw(0.0, 18), "0");
        assert_eq!(raw(1_234.5, 18), "1234500000000000000000");
    }
}
