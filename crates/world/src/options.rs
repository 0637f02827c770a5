//! Options: open contracts for each strike price and exchange, and sums over these contracts.
//!
//! The input is the arguments of a request. The output is the rows of the response, or an error.

use crate::args::Args;
use crate::assets::{self, Asset};
use crate::context::Context;
use crate::missing_fields::number::round;
use crate::record::record;
use crate::refusal::Refusal;
use crate::row::{Data, Row};
use crate::timestamp::DAY;

pub(super) fn data(ctx: &Context, args: &Args) -> Result<Option<Data>, Refusal> {
    if args.operation.id != "market-options" {
        return Ok(None);
    }
    let asset = assets::find_by_symbol(args.text("symbol").unwrap_or_default())?;
    Ok(Some(Data::Rows(VENUES.iter().map(|venue| venue_row(ctx, asset, venue)).collect())))
}

/// Exchanges, each with its share of all open contracts.
const VENUES: &[(&str, f64)] =
    &[("Deribit", 0.72), ("CME", 0.11), ("Binance", 0.07), ("OKX", 0.06), ("Bybit", 0.04)];

/// Open call and put contracts at one strike price, in units of the asset.
#[derive(Debug)]
struct Strike {
    price: f64,
    calls: f64,
    puts: f64,
}

/// Returns the 21 strikes of an asset on an exchange. All strike prices are round numbers. The lowest strike price is
/// about half of the asset's price at the start of the current 30-day period. The distance between two neighbouring
/// strike prices is from 3% to 10% of this asset price.
fn strikes(ctx: &Context, asset: &Asset, venue: &str, share: f64) -> Vec<Strike> {
    let walk = asset.walk(ctx);
    let month = ctx.now - ctx.now.rem_euclid(30 * DAY);
    let (start, price) = (walk.at(month), walk.at(ctx.now - ctx.now.rem_euclid(DAY)));
    let step = 10_f64.powf((start * 0.05).log10().floor());
    let step = step * if start * 0.05 / step >= 5.0 { 5.0 } else { 2.0 };
    let seed = asset.seed(ctx).named("options").named(venue).at_time(ctx.now.div_euclid(DAY));

    (0..=20_u64)
        .map(|n| {
            let price_of = ((start * 0.5 / step).round()
                + n as f64 * (start * 0.05 / step).round().max(1.0))
                * step;
            let distance = (price_of / price).ln();

            // Most contracts have a strike near the price: calls above the price, and puts below it.
            let around = |center: f64| (-((distance - center) / 0.25).powi(2)).exp();
            let size = |name: &str, center: f64| {
                let noise = seed.named(name).at(n).between(0.6, 1.4);
                round(asset.supply * 0.002 * share * around(center) * noise)
            };

            Strike { price: price_of, calls: size("calls", 0.12), puts: size("puts", -0.1) }
        })
        .collect()
}

/// Returns the max pain price. This is the strike price at which all contract holders together receive the least money.
fn max_pain(strikes: &[Strike]) -> f64 {
    let paid = |settled: f64| -> f64 {
        strikes
            .iter()
            .map(|strike| {
                strike.calls * (settled - strike.price).max(0.0)
                    + strike.puts * (strike.price - settled).max(0.0)
            })
            .sum()
    };
    let least = strikes.iter().min_by(|a, b| paid(a.price).total_cmp(&paid(b.price)));
    least.map_or(0.0, |strike| strike.price)
}

fn venue_row(ctx: &Context, asset: &Asset, (venue, share): &(&str, f64)) -> Row {
    let strikes = strikes(ctx, asset, venue, *share);
    let calls: f64 = strikes.iter().map(|strike| strike.calls).sum();
    let puts: f64 = strikes.iter().map(|strike| strike.puts).sum();
    let seed = asset.seed(ctx).named("options").named(venue);
    let interest = (calls + puts) * asset.price(ctx);
    let turnover = seed.named("volume").at_time(ctx.now.div_euclid(DAY)).between(0.05, 0.15);
    Row::new(
        seed,
        ctx.now,
        record!(MarketOptionsItem {
            symbol: asset.symbol,
            project_id: asset.id(),
            exchange: venue,
            open_interest: round(interest),
            volume_24h: round(interest * turnover),
            put_call_ratio: round(puts / calls.max(f64::MIN_POSITIVE)),
            max_pain_price: round(max_pain(&strikes)),
            updated_at: ctx.now,
        }),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn max_pain_is_the_strike_with_the_least_payout() {
        let strike = |price, calls, puts| Strike { price, calls, puts };
        let even = [strike(90.0, 1.0, 5.0), strike(100.0, 9.0, 9.0), strike(110.0, 5.0, 1.0)];
        assert_eq!(max_pain(&even), 100.0);
        let calls = [strike(90.0, 9.0, 0.0), strike(100.0, 1.0, 0.0)];
        assert_eq!(max_pain(&calls), 90.0);
    }
}
