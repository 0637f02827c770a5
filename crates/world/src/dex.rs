//! Trades on decentralised exchanges, listed for a token and summed for a protocol.
//!
//! Every token has the same number of trades in each hour. Lists, sums and SQL tables all use these trades.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::args::Args;
use crate::assets::{ASSETS, Asset};
use crate::chains;
use crate::context::Context;
use crate::daily_prices::Daily;
use crate::labels::label_if;
use crate::missing_fields::number::round;
use crate::payment::Payment;
use crate::random::Seed;
use crate::record::record;
use crate::refusal::Refusal;
use crate::row::{Data, Row};
use crate::time_range::{HISTORY, span};
use crate::timestamp::{self, DAY, HOUR};
use crate::tokens;
use crate::transaction_hash::{TransactionKind, TransactionPlace};
use crate::value::Value;

pub(super) fn data(ctx: &Context, args: &Args) -> Result<Option<Data>, Refusal> {
    Ok(Some(match args.operation.id {
        "token-dex-trades" => Data::Rows(trades(ctx, args)?),
        "onchain-dex-activity" => Data::Rows(activity(ctx, args)?),
        _ => return Ok(None),
    }))
}

/// Names of the decentralised exchange protocols.
const PROTOCOLS: &[&str] = &["uniswap", "aerodrome", "curve"];
/// Number of trades of one token on one chain in each hour.
pub const AN_HOUR: u8 = 3;
/// Returns the assets that have trades on a chain. These are the assets whose contract is on the chain, and ETH on Base
/// and Arbitrum. The stablecoins USDC and USDT pay for the trades and are not included.
pub fn traded_on(chain: &str) -> impl Iterator<Item = &'static Asset> {
    ASSETS.iter().filter(move |asset| match asset.symbol {
        "USDC" | "USDT" => false,
        "ETH" if matches!(chain, "base" | "arbitrum") => true,
        _ => asset.chain == chain,
    })
}

/// Number of wallets that trade one token.
const TAKERS: u64 = 90;
/// Index of the first trading wallet in the list of wallets that use a token. Wallets with smaller indices transfer the
/// token but do not trade it.
const FIRST_TAKER: u64 = 20;

/// Generator of the trades of one token on one chain.
#[derive(Debug, Clone)]
struct Book {
    asset: &'static Asset,
    address: String,
    chain: String,
    seed: Seed,
}

/// One trade with its value in USD. The price of the token is computed later, so this struct has no field for the
/// price.
#[derive(Debug, Clone, Copy)]
struct Trade {
    seed: Seed,
    time: i64,
    hour: i64,
    n: u8,
    usd: f64,
    taker: u64,
    protocol: &'static str,
}

impl Book {
    /// Creates the generator for the trades of an asset on a chain.
    fn new(ctx: &Context, asset: &'static Asset, chain: &str) -> Self {
        let address = asset.address(ctx);
        Book {
            asset,
            chain: chain.to_owned(),
            seed: ctx.seed.named("trade").named(&address.to_lowercase()).named(chain),
            address,
        }
    }

    fn time(&self, hour: i64, n: u8) -> i64 {
        hour * HOUR + self.seed.at_time(hour).at(n.into()).named("at").range(0, HOUR - 1)
    }

    fn trade(&self, hour: i64, n: u8) -> Trade {
        self.trade_at(hour, n, self.time(hour, n))
    }

    fn trade_at(&self, hour: i64, n: u8, time: i64) -> Trade {
        let seed = self.seed.at_time(hour).at(n.into());
        Trade {
            seed,
            time,
            hour,
            n,
            usd: seed.named("usd").magnitude(50.0, 200_000.0).round(),
            taker: seed.named("taker").below(TAKERS),
            protocol: seed.named("project").pick(PROTOCOLS),
        }
    }

    /// Returns the trades with Unix times in `from..=to`, unordered.
    fn trades(&self, from: i64, to: i64) -> impl Iterator<Item = Trade> + '_ {
        (from.div_euclid(HOUR)..=to.div_euclid(HOUR))
            .flat_map(|hour| (0..AN_HOUR).map(move |n| (hour, n)))
            .map(|(hour, n)| (hour, n, self.time(hour, n)))
            .filter(move |(.., time)| (from..=to).contains(time))
            .map(|(hour, n, time)| self.trade_at(hour, n, time))
    }

    fn taker(&self, ctx: &Context, number: u64) -> String {
        tokens::party_address(ctx, &self.address, &self.chain, FIRST_TAKER + number)
    }

    fn hash(&self, trade: &Trade) -> String {
        match TransactionPlace::new(
            TransactionKind::Trade,
            &self.chain,
            &self.address,
            trade.hour,
            trade.n,
        ) {
            Some(place) => place.hash(),
            None => trade.seed.named("hash").hex_number(64),
        }
    }
}

/// Maximum age of the trades in a token's list of trades, in seconds. This is also the default time range for sums of
/// trades.
const REACH: i64 = 7 * DAY;

fn trades(ctx: &Context, args: &Args) -> Result<Vec<Row>, Refusal> {
    let (asset, _) = tokens::find_token(ctx, args)?;
    let book = Book::new(ctx, asset, args.text("chain").unwrap_or("ethereum"));
    let labelled = args.list("include").contains(&"labels");
    let mut all: Vec<_> = book.trades(ctx.now - REACH, ctx.now).collect();
    all.sort_by_key(|trade| std::cmp::Reverse(trade.time));
    let (at, book) = (*ctx, Rc::new(book));
    let view = if labelled { "labelled trade" } else { "trade" };

    Ok(all
        .into_iter()
        .map(|trade| {
            let book = Rc::clone(&book);
            let known = record!(DexTradeItem { block_time: trade.time });
            let rest = move || {
                let price = Daily::new(book.asset.walk(&at)).price_at(trade.time);
                trade_fields(&at, &book, &trade, price, labelled)
            };
            Row::lazy(trade.seed, trade.time, known, rest).cacheable(ctx, view)
        })
        .collect())
}

/// The bought or the sold token of a trade, with its amount.
#[derive(Debug)]
pub struct Side {
    /// Ticker of the token.
    pub symbol: &'static str,
    /// Amount in units of the token.
    pub amount: f64,
    /// Contract address if the token is the traded token. `None` if the token is the stablecoin on the other side of
    /// the trade.
    pub contract: Option<String>,
}

/// One trade on a decentralised exchange, with addresses, amounts and transaction hash.
#[derive(Debug)]
pub struct Traded {
    /// Name of the chain.
    pub chain: &'static str,
    /// Unix time of the trade.
    pub time: i64,
    /// Name of the exchange protocol.
    pub protocol: &'static str,
    /// Version of the protocol's contracts, `v2` or `v3`.
    pub version: &'static str,
    /// Tickers of both tokens with the traded token first, for example `UNI-USDC`.
    pub pair: String,
    /// Token and amount that the trading wallet received.
    pub bought: Side,
    /// Token and amount that the trading wallet paid.
    pub sold: Side,
    /// Value in USD at the time of the trade.
    pub usd: f64,
    /// Address of the trading wallet.
    pub taker: String,
    /// Hash of the trade's transaction.
    pub hash: String,
}

fn to_traded(ctx: &Context, book: &Book, chain: &'static str, trade: &Trade, price: f64) -> Traded {
    let seed = trade.seed;
    let token = book.asset.symbol;
    let quote = if token == "USDC" { "USDT" } else { "USDC" };
    let is_buy = seed.named("buys").chance(0.5);
    let contract = Some(book.address.clone());
    let own = Side { symbol: token, amount: round(trade.usd / price), contract };
    let paid = Side { symbol: quote, amount: trade.usd, contract: None };
    let (bought, sold) = if is_buy { (own, paid) } else { (paid, own) };

    Traded {
        chain,
        time: trade.time,
        protocol: trade.protocol,
        version: seed.named("version").pick(&["v2", "v3"]),
        pair: format!("{token}-{quote}"),
        bought,
        sold,
        usd: trade.usd,
        taker: book.taker(ctx, trade.taker),
        hash: book.hash(trade),
    }
}

/// Returns the trades of an asset on one day, up to the current time, unordered. `day` is in days since 1970-01-01.
pub fn of_day(ctx: &Context, asset: &'static Asset, chain: &'static str, day: i64) -> Vec<Traded> {
    let book = Book::new(ctx, asset, chain);
    let mut prices = Daily::new(asset.walk(ctx));
    // Transactions before the available history cannot be looked up, so their trades are not listed.
    let (from, to) = ((day * DAY).max(ctx.now - HISTORY), (day * DAY + DAY - 1).min(ctx.now));
    book.trades(from, to)
        .map(|trade| to_traded(ctx, &book, chain, &trade, prices.price_at(trade.time)))
        .collect()
}

/// Returns the trades of one token by one wallet, unordered. Includes only trades with Unix times in `from..=to` and
/// within the available history. `number` is the index of the wallet in the list of wallets that use the token.
pub(super) fn wallet_trades(
    ctx: &Context,
    (asset, chain): (&'static Asset, &'static str),
    number: u64,
    (from, to): (i64, i64),
) -> Vec<Traded> {
    let Some(taker) = number.checked_sub(FIRST_TAKER).filter(|taker| *taker < TAKERS) else {
        return Vec::new();
    };
    let book = Book::new(ctx, asset, chain);
    let mut prices = Daily::new(asset.walk(ctx));
    book.trades(from.max(ctx.now - HISTORY), to)
        .filter(|trade| trade.taker == taker)
        .map(|trade| to_traded(ctx, &book, chain, &trade, prices.price_at(trade.time)))
        .collect()
}

/// Returns the number of trades of an asset with Unix times in `from..=to`, within the available history.
pub fn count(ctx: &Context, asset: &'static Asset, chain: &str, from: i64, to: i64) -> i64 {
    let book = Book::new(ctx, asset, chain);
    let (from, to) = (from.max(ctx.now - HISTORY), to.min(ctx.now));
    timestamp::count_hourly(from, to, AN_HOUR, |hour, n| book.time(hour, n))
}

fn trade_fields(ctx: &Context, book: &Book, trade: &Trade, price: f64, labelled: bool) -> Value {
    let Traded { time, protocol, version, pair, bought, sold, usd, taker, hash, .. } =
        to_traded(ctx, book, "", trade, price);
    record!(DexTradeItem {
        block_time: time,
        project: protocol,
        version,
        token_pair: pair,
        token_bought_symbol: bought.symbol,
        token_bought_amount: bought.amount,
        token_bought_address: bought.contract,
        token_sold_symbol: sold.symbol,
        token_sold_amount: sold.amount,
        token_sold_address: sold.contract,
        amount_usd: usd,
        tx_hash: hash,
        taker_label: label_if(labelled, ctx, &taker),
        taker,
    })
}

fn activity(ctx: &Context, args: &Args) -> Result<Vec<Row>, Refusal> {
    let chain = args.text("chain").unwrap_or("ethereum");
    let (from, to) = span(ctx, args, REACH);
    let from = from.max(ctx.now - HISTORY).max(to - 365 * DAY);
    let protocol = args.text("project").map(str::to_lowercase);
    let books: Vec<_> = match &protocol {
        Some(name) if !PROTOCOLS.contains(&name.as_str()) => {
            return Err(Refusal::not_found(format!("no exchange protocol is called `{name}`")));
        }
        // The sums of a protocol include the trades of all tokens on the chain.
        Some(_) => traded_on(chain).map(|asset| Book::new(ctx, asset, chain)).collect(),
        None => vec![Book::new(ctx, tokens::find_token(ctx, args)?.0, chain)],
    };

    // Two wallet indices may have the same address, and one wallet may trade several tokens. So addresses are counted.
    let traders = |takers: &BTreeSet<(usize, u64)>| {
        let address = |(n, taker): &(usize, u64)| books[*n].taker(ctx, *taker);
        takers.iter().map(address).collect::<BTreeSet<_>>().len()
    };
    let by_day = args.text("group_by") == Some("day");
    let first = |day: i64| if by_day { (day * DAY).max(from) } else { from };
    let days = if by_day { from.div_euclid(DAY)..=to.div_euclid(DAY) } else { 0..=0 };

    Ok(days
        .map(|day| {
            let start = first(day);
            let end = if by_day { (day * DAY + DAY - 1).min(to) } else { to };
            let (mut count, mut usd, mut takers) = (0, 0.0, BTreeSet::new());

            for (n, book) in books.iter().enumerate() {
                let is_meant =
                    |trade: &Trade| protocol.as_ref().is_none_or(|name| trade.protocol == name);
                for trade in book.trades(start, end).filter(is_meant) {
                    count += 1;
                    usd += trade.usd;
                    takers.insert((n, trade.taker));
                }
            }

            let given = record!(DexActivityItem {
                timestamp: start,
                trades: count,
                volume_usd: usd,
                active_traders: traders(&takers),
                enriched_ratio: 1.0,
            });

            Row::new(ctx.seed, start, given)
        })
        .collect())
}

/// Returns the payment of a transaction that is a trade on a decentralised exchange. The sender is the trading wallet,
/// and the receiver is a contract of the exchange protocol. Returns `None` if no such trade exists in the available
/// history.
pub(super) fn payment(ctx: &Context, place: &TransactionPlace) -> Option<Payment> {
    let asset = tokens::find_asset(ctx, &place.address(), place.chain)?;
    let book = Book::new(ctx, asset, place.chain);
    if place.n >= AN_HOUR || place.slot.checked_mul(HOUR)? < ctx.now - HISTORY {
        return None;
    }
    let trade = book.trade(place.slot, place.n);
    (trade.time <= ctx.now).then(|| {
        let contract = router(trade.protocol, place.chain);
        Payment::contract_call(book.taker(ctx, trade.taker), contract, trade.time)
    })
}

/// Returns the address of the contract that traders call to use a protocol. The address does not depend on the random
/// seed.
#[must_use]
pub fn router(protocol: &str, chain: &str) -> String {
    chains::address(Seed::new(0).named("router").named(protocol).named(chain), chain)
}
