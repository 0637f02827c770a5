//! Positions of Polymarket traders. A position contains the shares that a trader holds of one outcome. A position is
//! computed from the trader's trades in the last 14 days.
//!
//! The results are the positions of one wallet address, or the leaderboard of all traders.

use crate::context::Context;
use crate::missing_fields::number::round;
use crate::prediction::ledger::{self, TRADERS, Trade};
use crate::prediction::market::{Market, markets, opposite};
use crate::prediction::trades;
use crate::record::record;
use crate::row::Row;

/// Position of a wallet in one outcome of a market. It contains the number of shares, and the USD paid for them.
#[derive(Debug, Clone, Default)]
struct OutcomeHolding {
    shares: f64,
    paid: f64,
}

/// Positions of all traders. In each trade, the taker buys the outcome of the trade, and the maker buys the opposite
/// outcome.
#[derive(Debug)]
struct Books {
    /// All markets, each with its current price of "yes".
    markets: Vec<(Market, f64)>,
    /// Positions of each trader in each outcome of each market. The function [`position_index`] computes the index of a
    /// position in this list. A position without trades has zero shares.
    held: Vec<OutcomeHolding>,
    /// Number of trades, and traded volume in USD, of each trader.
    traded: Vec<(i64, f64)>,
}

impl Books {
    /// Computes the positions of all traders. If `only` is set, computes the positions of this trader only.
    fn new(ctx: &Context, only: Option<u64>) -> Self {
        let all = markets(ctx);
        let mut books = Books {
            held: vec![OutcomeHolding::default(); trader_index(TRADERS) * all.len() * 2],
            traded: vec![(0, 0.0); trader_index(TRADERS)],
            markets: Vec::new(),
        };

        for (place, market) in all.iter().enumerate() {
            for trade in ledger::trades(market, ctx.now - trades::REACH, ctx.now + 1) {
                books.add(place, trade, only);
            }
        }

        let priced = all.into_iter().map(|market| {
            let yes = market.yes_price(ctx.now);
            (market, yes)
        });
        books.markets = priced.collect();
        books
    }

    fn add(&mut self, index: usize, trade: Trade, only: Option<u64>) {
        if only.is_some_and(|only| only != trade.taker && only != trade.maker) {
            return;
        }

        let shares = trade.usd / trade.price;
        for (trader, is_yes) in [(trade.taker, trade.is_yes), (trade.maker, !trade.is_yes)] {
            if only.is_some_and(|only| only != trader) {
                continue;
            }

            let cost = if is_yes == trade.is_yes { trade.price } else { opposite(trade.price) };
            let held = &mut self.held[position_index(trader, index, is_yes)];
            held.shares += shares;
            held.paid += shares * cost;
            let (count, usd) = &mut self.traded[trader_index(trader)];
            *count += 1;
            *usd += trade.usd;
        }
    }

    /// Returns the positions in which a trader has shares, in the order of the field `markets`.
    fn trader_positions(&self, trader: u64) -> impl Iterator<Item = Position<'_>> {
        let outcomes = self.markets.iter().enumerate().flat_map(move |(index, (market, yes))| {
            [false, true].map(|is_yes| Position {
                market,
                is_yes,
                price: if is_yes { *yes } else { opposite(*yes) },
                held: &self.held[position_index(trader, index, is_yes)],
            })
        });
        outcomes.filter(|position| position.held.shares > 0.0)
    }
}

/// A position of a trader, with its market and current price.
#[derive(Debug, Clone, Copy)]
struct Position<'a> {
    market: &'a Market,
    is_yes: bool,
    /// Current price of one share of the outcome, from 0 to 1.
    price: f64,
    held: &'a OutcomeHolding,
}

/// Returns the index of a position in `Books::held`. `market` is the index of the market.
fn position_index(trader: u64, market: usize, is_yes: bool) -> usize {
    (market * trader_index(TRADERS) + trader_index(trader)) * 2 + usize::from(is_yes)
}

fn trader_index(trader: u64) -> usize {
    usize::try_from(trader).unwrap_or(0)
}

/// Number of shares in a position, and profit of the position in USD.
struct PositionValue {
    size: f64,
    profit: f64,
}

impl Position<'_> {
    fn value(&self) -> PositionValue {
        let size = round(self.held.shares);
        PositionValue { size, profit: round(size * self.price - self.held.paid) }
    }
}

fn position_row(ctx: &Context, trader: u64, position: Position<'_>) -> Row {
    let PositionValue { size, profit } = position.value();
    let Position { market, is_yes, price, held } = position;
    Row::new(
        ctx.seed.named("predictor holds").at(trader).at(market.number).at(is_yes.into()),
        ctx.now,
        record!(PolymarketPosition {
            condition_id: market.condition_id.as_str(),
            question: market.text.as_str(),
            outcome_label: if is_yes { "Yes" } else { "No" },
            size,
            avg_price: round(held.paid / held.shares),
            cur_price: price,
            current_value: round(size * price),
            cash_pnl: profit,
            realized_pnl: 0.0,
            redeemable: !market.is_active() && is_yes,
        }),
    )
}

/// Returns one row for each position of a wallet. Returns no rows for a wallet that does not trade on Polymarket.
pub(super) fn positions(ctx: &Context, address: &str) -> Vec<Row> {
    let Some(trader) = trades::find_trader(ctx, address) else { return Vec::new() };
    let books = Books::new(ctx, Some(trader));
    books.trader_positions(trader).map(|position| position_row(ctx, trader, position)).collect()
}

/// Returns the rows of the leaderboard, one for each trader. Profits and counts in the rows are computed from the
/// positions and trades of the traders.
pub(super) fn leaderboard(ctx: &Context) -> Vec<Row> {
    let books = Books::new(ctx, None);
    (0..TRADERS)
        .map(|n| {
            let positions: Vec<_> = books.trader_positions(n).collect();
            let settled = |wanted: bool| {
                let is_wanted =
                    |held: &&Position<'_>| !held.market.is_active() && held.is_yes == wanted;
                positions.iter().filter(is_wanted).count()
            };
            let (held, won, lost) = (positions.len(), settled(true), settled(false));
            let pnl = positions.iter().map(|position| position.value().profit).sum();
            let (count, usd) = books.traded[trader_index(n)];

            Row::new(
                ctx.seed.named("predictor").at(n),
                ctx.now,
                record!(LeaderboardItem {
                    address: trades::trader(ctx, n),
                    pnl: round(pnl),
                    positions: held,
                    positions_won: won,
                    positions_lost: lost,
                    positions_open: held - won - lost,
                    trade_count: count,
                    volume: usd,
                }),
            )
        })
        .collect()
}
