//! Listing events: the times at which exchanges list or remove trading pairs.
//!
//! Time is divided into slots of eight hours, and each slot has a listing event for one pair. A pair here is a
//! combination of asset, exchange, product and quote currency. The number of the slot determines the pair. Events of a
//! time range are therefore computed without earlier events.

use crate::args::Args;
use crate::assets::{self, ASSETS, Asset};
use crate::context::Context;
use crate::random::Seed;
use crate::record::record;
use crate::refusal::Refusal;
use crate::row::{Data, Row};
use crate::time_range::{HISTORY, span};
use crate::timestamp::{DAY, HOUR};

pub(super) fn data(ctx: &Context, args: &Args) -> Result<Option<Data>, Refusal> {
    Ok(match args.operation.id {
        "market-listing" => Some(Data::Rows(listing(ctx, args)?)),
        _ => None,
    })
}

const VENUES: &[&str] = &["binance", "okx", "bybit", "coinbase", "kraken", "gate", "upbit", "mexc"];
const PRODUCTS: &[&str] = &["spot", "margin", "perp", "pre_market_perp"];
const QUOTES: [&str; 3] = ["USDT", "USDC", "USD"];
/// Length of a time slot in seconds. One listing event takes effect in each time slot.
const STEP: i64 = 8 * HOUR;
/// Difference between the pair indexes of two consecutive listing events. After an event about the pair with index `i`,
/// the next event is about the pair with index `i + STRIDE`, modulo the number of pairs. `STRIDE` and the number of
/// pairs have no common divisor above 1, so each pair gets an event.
const STRIDE: i64 = 1_009;

/// A listing event of a trading pair on an exchange.
#[derive(Debug, Clone)]
pub(super) struct ListingEvent {
    pub(super) asset: &'static Asset,
    pub(super) venue: &'static str,
    pub(super) product: &'static str,
    pub(super) quote: &'static str,
    pub(super) kind: &'static str,
    /// Unix time at which the event takes effect.
    pub(super) time: i64,
    published: i64,
    seed: Seed,
}

/// Returns the quote currencies of an asset. They are the same on every exchange, and never include the asset itself.
pub(super) fn asset_quotes(asset: &Asset) -> [&'static str; 3] {
    QUOTES.map(|quote| if quote == asset.symbol { "EUR" } else { quote })
}

fn pair_count() -> i64 {
    (ASSETS.len() * VENUES.len() * PRODUCTS.len() * QUOTES.len()) as i64
}

fn event(ctx: &Context, slot: i64) -> ListingEvent {
    let pair = (slot * STRIDE).rem_euclid(pair_count()) as usize;
    let (asset, rest) = (pair % ASSETS.len(), pair / ASSETS.len());
    let (venue, rest) = (rest % VENUES.len(), rest / VENUES.len());
    let seed = ctx.seed.named("debut").at_time(slot);
    let time = slot * STEP + seed.named("at").range(0, STEP - 1);
    let quote = rest / PRODUCTS.len() % QUOTES.len();
    ListingEvent {
        asset: &ASSETS[asset],
        venue: VENUES[venue],
        product: PRODUCTS[rest % PRODUCTS.len()],
        quote: asset_quotes(&ASSETS[asset])[quote],
        kind: match seed.named("kind").below(20) {
            0 | 1 => "delisting",
            2 => "cancelled",
            3 => "advanced",
            4 => "postponed",
            _ => "listing",
        },
        time,
        published: time - seed.named("notice").range(HOUR, 3 * DAY),
        seed,
    }
}

/// Returns the listing events that take effect in `from..=to` (Unix seconds), newest first.
fn events(ctx: &Context, from: i64, to: i64) -> impl Iterator<Item = ListingEvent> {
    let from = from.max(ctx.now - HISTORY);
    (from.div_euclid(STEP)..=to.div_euclid(STEP))
        .rev()
        .map(|slot| event(ctx, slot))
        .filter(move |event| (from..=to).contains(&event.time))
}

/// Returns the listing events of one asset in the last `days` days, newest first.
pub(super) fn asset_events(ctx: &Context, asset: &Asset, days: i64) -> Vec<ListingEvent> {
    events(ctx, ctx.now - days * DAY, ctx.now).filter(|event| event.asset == asset).collect()
}

/// Returns the exchanges that listed an asset for spot trading in the last 720 days. The second result is the Unix time
/// of the asset's newest listing event in these days, or 0 without events.
pub(super) fn listing_venues(ctx: &Context, asset: &Asset) -> (Vec<&'static str>, i64) {
    let events = asset_events(ctx, asset, 720);
    let mut venues: Vec<_> = events
        .iter()
        .filter(|event| event.kind == "listing" && event.product == "spot")
        .map(|event| event.venue)
        .collect();
    venues.sort_unstable();
    venues.dedup();
    (venues, events.first().map_or(0, |event| event.time))
}

fn listing(ctx: &Context, args: &Args) -> Result<Vec<Row>, Refusal> {
    let symbols: Vec<_> =
        args.list("symbol").into_iter().map(assets::find_by_symbol).collect::<Result<_, _>>()?;
    let (from, to) = span(ctx, args, 30 * DAY);
    let venue = args.text("exchange").map(str::to_lowercase);
    let (product, kind) = (args.text("product").unwrap_or("all"), args.text("type"));

    Ok(events(ctx, from, to)
        .filter(|event| symbols.is_empty() || symbols.contains(&event.asset))
        .filter(|event| venue.as_ref().is_none_or(|venue| event.venue == venue))
        .filter(|event| product == "all" || event.product == product)
        .filter(|event| kind.is_none_or(|kind| event.kind == kind))
        .map(|event| {
            let (base, quote) = (event.asset.symbol, event.quote);
            let given = record!(ListingEventItem {
                base_symbol: base,
                quote_symbol: quote,
                trading_pair: format!("{base}/{quote}"),
                exchange_name: event.venue,
                product: event.product,
                event_type: event.kind,
                effective_at: event.time,
                published_at: event.published,
            });
            Row::new(event.seed, event.time, given)
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pair_gets_one_slot_before_any_gets_two() {
        let mut seen: Vec<i64> =
            (0..pair_count()).map(|slot| (slot * STRIDE).rem_euclid(pair_count())).collect();
        seen.sort_unstable();
        assert!(seen.iter().copied().eq(0..pair_count()));
    }
}
