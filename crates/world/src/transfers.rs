//! Transfers of a token. Every hour has the same number of transfers. The lists, sums and counterparties of a token are
//! computed from these transfers.

use std::collections::{BTreeMap, BTreeSet};

use crate::args::Args;
use crate::assets::Asset;
use crate::chains::block;
use crate::context::Context;
use crate::daily_prices::Daily;
use crate::labels::{self, label_if};
use crate::missing_fields::number::round;
use crate::payment::Payment;
use crate::random::Seed;
use crate::record::record;
use crate::refusal::Refusal;
use crate::row::{Data, Row};
use crate::time_range::{HISTORY, page_window, span};
use crate::timestamp::{self, DAY, HOUR};
use crate::token_amount::Units;
use crate::tokens;
use crate::transaction_hash::{TransactionKind, TransactionPlace};

pub(super) fn data(ctx: &Context, args: &Args) -> Result<Option<Data>, Refusal> {
    Ok(Some(match args.operation.id {
        "token-transfers" => Data::Rows(list(ctx, args)?),
        "token-transfer-stats" => Data::One(stats(ctx, args)?),
        "token-transfer-counterparties" => Data::Rows(counterparties(ctx, args)?),
        _ => return Ok(None),
    }))
}

/// Number of transfers of one token on one chain in each hour.
pub const AN_HOUR: u8 = 2;
/// Number of wallets that transfer one token.
const PARTIES: u64 = 60;
/// Number of hours between a transfer and the later transfer that sends its amount back.
const RETURNED_AFTER: i64 = 12;
/// Maximum time range in seconds, for lists of transfers and for sums over transfers. If a request has a longer range,
/// only its last 90 days are used.
const MOST: i64 = 90 * DAY;

/// Generator of the transfers of one token on one chain.
#[derive(Debug, Clone)]
struct Token {
    asset: &'static Asset,
    address: String,
    chain: &'static str,
    seed: Seed,
    places: u32,
}

/// One transfer. The fields `from` and `to` are indices in the list of wallets that use the token.
#[derive(Debug, Clone, Copy)]
struct Transfer {
    time: i64,
    hour: i64,
    n: u8,
    amount: Units,
    usd: f64,
    from: u64,
    to: u64,
}

impl Token {
    /// Creates the generator for the transfers of an asset on a chain.
    fn new(ctx: &Context, asset: &'static Asset, chain: &str) -> Self {
        let address = asset.address(ctx);
        Token {
            asset,
            chain: tokens::chain_or_default(asset, chain),
            seed: ctx.seed.named("transfer").named(&address.to_lowercase()).named(chain),
            address,
            places: Units::decimal_places(ctx, asset),
        }
    }

    fn from_args(ctx: &Context, args: &Args) -> Result<Self, Refusal> {
        let (asset, _) = tokens::find_token(ctx, args)?;
        Ok(Token::new(ctx, asset, args.text("chain").unwrap_or("ethereum")))
    }

    fn wallet(&self, ctx: &Context, n: u64) -> String {
        tokens::party_address(ctx, &self.address, self.chain, n)
    }

    fn time(&self, hour: i64, n: u8) -> i64 {
        hour * HOUR + self.seed.at_time(hour).at(n.into()).named("at").range(0, HOUR - 1)
    }

    /// Returns the random seed of transfer `n` in an hour, and a flag. The seed determines the wallets and the amount.
    /// The flag is true in the last 12 hours of a UTC day. Each transfer in these hours has the seed of the transfer 12
    /// hours earlier, and sends its amount back. So the transfers of a complete day do not change the balance of a
    /// wallet.
    fn origin(&self, hour: i64, n: u8) -> (Seed, bool) {
        let returns = hour.div_euclid(RETURNED_AFTER).rem_euclid(2) == 1;
        let origin = if returns { hour - RETURNED_AFTER } else { hour };
        (self.seed.at_time(origin).at(n.into()), returns)
    }

    /// Returns the sender and the receiver of transfer `n` in an hour, as indices of wallets.
    fn parties(&self, hour: i64, n: u8) -> (u64, u64) {
        let (seed, returns) = self.origin(hour, n);
        let from = seed.named("from").below(PARTIES);
        // The receiver of a transfer is never its sender.
        let to = (from + 1 + seed.named("to").below(PARTIES - 1)) % PARTIES;
        if returns { (to, from) } else { (from, to) }
    }

    fn amount(&self, hour: i64, n: u8) -> Units {
        let (seed, _) = self.origin(hour, n);
        let amount = seed.named("amount").magnitude(10.0, 2e5) / self.asset.base;
        let units = Units::from_amount(amount, self.places);
        Units { count: units.count.max(1), ..units }
    }

    fn transfer(&self, prices: &mut Daily, hour: i64, n: u8) -> Transfer {
        let (time, amount) = (self.time(hour, n), self.amount(hour, n));
        let (from, to) = self.parties(hour, n);
        let usd = round(amount.value() * prices.price_at(time));
        Transfer { time, hour, n, amount, usd, from, to }
    }

    /// Returns the transfers of the token with Unix times in `from..=to`, oldest first. If the range is longer than 90
    /// days, returns only the transfers of its last 90 days.
    fn transfers(&self, ctx: &Context, from: i64, to: i64) -> Vec<Transfer> {
        let from = from.max(to - MOST).max(ctx.now - HISTORY);
        let mut prices = Daily::new(self.asset.walk(ctx));
        let mut all: Vec<_> = (from.div_euclid(HOUR)..=to.div_euclid(HOUR))
            .flat_map(|hour| (0..AN_HOUR).map(move |n| (hour, n)))
            .map(|(hour, n)| self.transfer(&mut prices, hour, n))
            .filter(|transfer| (from..=to).contains(&transfer.time))
            .collect();
        all.sort_by_key(|transfer| transfer.time);
        all
    }

    /// Converts a [`Transfer`], which contains two wallet indices, to a [`Moved`] with two wallet addresses and the
    /// transaction hash. The function `address` returns the wallet address for an index.
    fn to_moved(&self, transfer: &Transfer, mut address: impl FnMut(u64) -> String) -> Moved {
        Moved {
            asset: self.asset,
            contract: self.address.clone(),
            chain: self.chain,
            time: transfer.time,
            amount: transfer.amount,
            usd: transfer.usd,
            from: address(transfer.from),
            to: address(transfer.to),
            hash: self.hash(transfer),
        }
    }

    fn hash(&self, transfer: &Transfer) -> String {
        let Transfer { hour, n, .. } = *transfer;
        match TransactionPlace::new(TransactionKind::Token, self.chain, &self.address, hour, n) {
            Some(place) => place.hash(),
            None => self.seed.at_time(hour).at(n.into()).named("hash").hex_number(64),
        }
    }
}

fn list(ctx: &Context, args: &Args) -> Result<Vec<Row>, Refusal> {
    let token = Token::from_args(ctx, args)?;
    let labelled = args.list("include").contains(&"labels");
    let (from, to) = span(ctx, args, 3 * DAY);
    let window = page_window(args);
    let transfers = token.transfers(ctx, from, to);
    let row = |(index, transfer): (usize, &Transfer)| {
        let mut given = record!(TokenTransferItem { timestamp: transfer.time });
        if window.contains(&index) {
            let (sender, receiver) =
                (token.wallet(ctx, transfer.from), token.wallet(ctx, transfer.to));
            given = record!(TokenTransferItem {
                timestamp: transfer.time,
                symbol: token.asset.symbol,
                amount: transfer.amount.to_string(),
                amount_usd: transfer.usd,
                block_number: block(token.chain, transfer.time),
                from_label: label_if(labelled, ctx, &sender),
                to_label: label_if(labelled, ctx, &receiver),
                from_address: sender,
                to_address: receiver,
                tx_hash: token.hash(transfer),
            });
        }

        let row = Row::new(token.seed, transfer.time, given);
        if window.contains(&index) {
            let Transfer { hour, n, .. } = transfer;
            return row.cacheable(ctx, &format!("transfer {hour} {n} {labelled}"));
        }
        row
    };

    Ok(transfers.iter().rev().enumerate().map(row).collect())
}

/// Returns the start and end of the time range for sums over transfers, in Unix seconds. The end is the current time.
/// The `time_range` argument is the length, for example `30d`. If this argument is missing or not a length, the length
/// is seven days.
fn time_range(ctx: &Context, args: &Args) -> (i64, i64) {
    let range = args.text("time_range").and_then(timestamp::window).unwrap_or(7 * DAY);
    (ctx.now - range, ctx.now)
}

/// Returns the sum of the transferred amounts, and the sum of their values in USD.
fn sums<'a>(token: &Token, transfers: impl Iterator<Item = &'a Transfer>) -> (Units, f64) {
    let (count, usd) = transfers.fold((0, 0.0), |(count, usd), transfer| {
        (count + transfer.amount.count, usd + transfer.usd)
    });
    (Units { count, places: token.places }, round(usd))
}

fn stats(ctx: &Context, args: &Args) -> Result<Row, Refusal> {
    let token = Token::from_args(ctx, args)?;
    let (from, to) = time_range(ctx, args);
    let transfers = token.transfers(ctx, from, to);
    let (amount, usd) = sums(&token, transfers.iter());
    let count_wallets = |wallet: fn(&Transfer) -> u64| {
        let addresses: BTreeSet<_> = transfers.iter().map(wallet).collect();
        addresses.into_iter().map(|n| token.wallet(ctx, n)).collect::<BTreeSet<_>>().len()
    };

    let mut given = record!(TransferStatsBody {
        total_transfers: transfers.len(),
        total_amount: amount.to_string(),
        total_amount_usd: usd,
        first_transfer_at: transfers.first().map_or(0, |transfer| transfer.time),
        last_transfer_at: transfers.last().map_or(0, |transfer| transfer.time),
        unique_senders: count_wallets(|transfer| transfer.from),
        unique_receivers: count_wallets(|transfer| transfer.to),
        enriched_ratio: 1.0,
    });

    if args.list("include").contains(&"series") {
        let days = transfers.chunk_by(|a, b| a.time.div_euclid(DAY) == b.time.div_euclid(DAY));
        given["series"] = days
            .map(|day| {
                let (amount, usd) = sums(&token, day.iter());
                record!(TransferSeriesPoint {
                    date: day[0].time - day[0].time.rem_euclid(DAY),
                    amount: amount.to_string(),
                    amount_usd: usd,
                    transfer_count: day.len(),
                    enriched_ratio: 1.0,
                })
            })
            .collect();
    }

    Ok(Row::new(token.seed, ctx.now, given).complete())
}

/// Returns one row per counterparty, with sums over its transfers. If the `direction` argument is `to`, the
/// counterparties are the wallets that received the token. Otherwise they are the wallets that sent the token. Wallets
/// with a label in the `exclude_labels` argument are omitted.
fn counterparties(ctx: &Context, args: &Args) -> Result<Vec<Row>, Refusal> {
    let token = Token::from_args(ctx, args)?;
    let (from, to) = time_range(ctx, args);
    let is_receiver = args.text("direction") == Some("to");
    let unwanted = args.list("exclude_labels");
    let labelled = args.list("include").contains(&"labels");
    let mut parties: BTreeMap<String, Vec<Transfer>> = BTreeMap::new();
    let mut addresses: BTreeMap<u64, String> = BTreeMap::new();

    for transfer in token.transfers(ctx, from, to) {
        let n = if is_receiver { transfer.to } else { transfer.from };
        let name = addresses.entry(n).or_insert_with(|| token.wallet(ctx, n)).clone();
        parties.entry(name).or_default().push(transfer);
    }

    parties.retain(|address, _| {
        let words = labels::label_words(ctx, address);
        !words.iter().any(|(word, _)| unwanted.contains(word))
    });
    let mut ranked: Vec<_> = parties
        .into_iter()
        .map(|(address, transfers)| {
            let (amount, usd) = sums(&token, transfers.iter());
            let figure = match args.text("metric") {
                Some("amount") => amount.value(),
                Some("amount_usd") => usd,
                _ => transfers.len() as f64,
            };

            let given = record!(TransferCounterpartyItem {
                counterparty_address: address.clone(),
                transfer_count: transfers.len(),
                amount: amount.to_string(),
                amount_usd: usd,
                first_transfer_at: transfers.first().map_or(0, |transfer| transfer.time),
                last_transfer_at: transfers.last().map_or(0, |transfer| transfer.time),
                label: label_if(labelled, ctx, &address),
            });

            (figure, Row::new(token.seed.named(&address), ctx.now, given))
        })
        .collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));

    Ok(ranked.into_iter().map(|(_, row)| row).collect())
}

/// A transfer of a token, with the addresses of both wallets and the hash of the transaction.
#[derive(Debug)]
pub struct Moved {
    /// The transferred asset.
    pub asset: &'static Asset,
    /// Address of the token contract on the chain.
    pub contract: String,
    /// Name of the chain, for example `ethereum`.
    pub chain: &'static str,
    /// Unix time of the transfer.
    pub time: i64,
    /// Transferred amount of the token.
    pub amount: Units,
    /// Value in USD at the time of the transfer.
    pub usd: f64,
    /// Wallet address of the sender.
    pub from: String,
    /// Wallet address of the receiver.
    pub to: String,
    /// Hash of the transaction.
    pub hash: String,
}

/// Returns the transfers of an asset on a chain on one day, up to the current time. `day` is in days since 1970-01-01.
pub fn of_day(ctx: &Context, asset: &'static Asset, chain: &'static str, day: i64) -> Vec<Moved> {
    let token = Token::new(ctx, asset, chain);
    let (from, to) = (day * DAY, (day * DAY + DAY - 1).min(ctx.now));
    // Each wallet occurs several times a day, so its address is computed only once.
    let mut parties = BTreeMap::new();
    let mut party = |n| parties.entry(n).or_insert_with(|| token.wallet(ctx, n)).clone();
    token
        .transfers(ctx, from, to)
        .iter()
        .map(|transfer| token.to_moved(transfer, &mut party))
        .collect()
}

/// One of the wallets that transfer a token on a chain.
#[derive(Debug, Clone)]
pub(super) struct Party {
    token: Token,
    number: u64,
}

impl Party {
    /// Creates the wallet with index `number` in the list of wallets that use a token. Only the first [`PARTIES`]
    /// wallets of the list occur in the transfers of this module. For all other wallets, returns `None`.
    pub(super) fn new(
        ctx: &Context,
        asset: &'static Asset,
        chain: &str,
        number: u64,
    ) -> Option<Self> {
        (number < PARTIES).then(|| Party { token: Token::new(ctx, asset, chain), number })
    }

    /// Returns the transfers from and to the wallet with Unix times in `from..=to`.
    pub(super) fn transfers(&self, ctx: &Context, from: i64, to: i64) -> Vec<Moved> {
        let from = from.max(ctx.now - HISTORY);
        let mut prices = Daily::new(self.token.asset.walk(ctx));
        let mut all = Vec::new();
        for hour in from.div_euclid(HOUR)..=to.div_euclid(HOUR) {
            for n in 0..AN_HOUR {
                let (sender, receiver) = self.token.parties(hour, n);
                let is_own = self.number == sender || self.number == receiver;
                if is_own && (from..=to).contains(&self.token.time(hour, n)) {
                    all.push(self.token.transfer(&mut prices, hour, n));
                }
            }
        }
        let party = |n| self.token.wallet(ctx, n);
        all.iter().map(|transfer| self.token.to_moved(transfer, party)).collect()
    }

    /// Returns the amounts that the wallet has received until `time` (Unix seconds), minus the amounts that the wallet
    /// has sent. Each amount is sent back about 12 hours later, so the result includes only amounts that are not yet
    /// sent back at `time`. The result can be negative.
    pub(super) fn received_amount(&self, time: i64) -> i64 {
        let last = time.div_euclid(HOUR);
        let recent = (last - 2 * RETURNED_AFTER..=last)
            .flat_map(|hour| (0..AN_HOUR).map(move |n| (hour, n)))
            .filter(|(hour, n)| {
                let (_, returns) = self.token.origin(*hour, *n);
                let is_returned = self.token.time(hour + RETURNED_AFTER, *n) <= time;
                !returns && !is_returned && self.token.time(*hour, *n) <= time
            });
        recent
            .map(|(hour, n)| match self.token.parties(hour, n) {
                (_, to) if to == self.number => self.token.amount(hour, n).count,
                (from, _) if from == self.number => -self.token.amount(hour, n).count,
                _ => 0,
            })
            .sum()
    }
}

/// Returns the number of transfers of an asset with Unix times in `from..=to`, within the available history.
pub fn count(ctx: &Context, asset: &'static Asset, chain: &str, from: i64, to: i64) -> i64 {
    let token = Token::new(ctx, asset, chain);
    let (from, to) = (from.max(ctx.now - HISTORY), to.min(ctx.now));
    timestamp::count_hourly(from, to, AN_HOUR, |hour, n| token.time(hour, n))
}

/// Finds the token transfer in a transaction. Returns `None` if the transaction does not exist, is in the future or is
/// older than the available history.
pub(super) fn payment(ctx: &Context, place: &TransactionPlace) -> Option<Payment> {
    let asset = tokens::find_asset(ctx, &place.address(), place.chain)?;
    let token = Token::new(ctx, asset, place.chain);
    if place.n >= AN_HOUR || place.slot.checked_mul(HOUR)? < ctx.now - HISTORY {
        return None;
    }
    let mut prices = Daily::new(token.asset.walk(ctx));
    let transfer = token.transfer(&mut prices, place.slot, place.n);
    (transfer.time <= ctx.now).then(|| {
        let (from, to) = (token.wallet(ctx, transfer.from), token.wallet(ctx, transfer.to));
        let amount = transfer.amount.raw(tokens::decimals(token.asset));
        Payment::new(ctx, token.asset, place.chain, (from, to), amount, transfer.time)
    })
}
