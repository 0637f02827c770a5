//! Perpetual-futures accounts. Holdings, profits and rankings are computed from the fills of the accounts.

mod account;
mod ledger;
mod views;

use crate::args::Args;
use crate::assets;
use crate::context::Context;
use crate::missing_fields::number::round;
use crate::price::Width;
use crate::record::{member, record};
use crate::refusal::Refusal;
use crate::row::{Data, Row};
use crate::timestamp::{self, DAY};
use crate::value::Value;

use account::{Account, Sums};
use ledger::{Coverage, Episode, LedgerFill};

pub(super) fn data(ctx: &Context, args: &Args) -> Result<Option<Data>, Refusal> {
    let account = || Account::from_args(ctx, args);
    Ok(Some(match args.operation.id {
        "hyperliquid-candles" => Data::Rows(candles(ctx, args)?),
        "hyperliquid-leaderboard" => Data::Rows(leaderboard(ctx, args)),
        "hyperliquid-fills" => Data::Rows(fills(ctx, &account()?, args)),
        "hyperliquid-trades" => Data::Rows(trades(ctx, &account()?)),
        "hyperliquid-trades-aggregate" => Data::Rows(aggregate(ctx, &account()?, args)),
        "hyperliquid-trades-context" => Data::One(trade_context(&account()?, args)),
        "hyperliquid-positions" => Data::One(views::positions(ctx, &account()?)),
        "hyperliquid-account" => Data::One(views::account(ctx, &account()?)),
        "hyperliquid-orders" => Data::One(views::orders(ctx, &account()?, args)),
        "hyperliquid-performance" => Data::One(views::performance(ctx, &account()?)),
        "hyperliquid-trader-stats" => {
            let account = account()?;
            let (from, to) = time_range(ctx, args);
            let stats = stats(ctx, &account, from, to);
            Data::One(Row::new(account.seed, ctx.now, stats))
        }
        _ => return Ok(None),
    }))
}

fn time_range(ctx: &Context, args: &Args) -> (i64, i64) {
    let window = match args.text("time_range") {
        Some("all") | None => crate::time_range::HISTORY,
        Some(text) => timestamp::window(text).unwrap_or(crate::time_range::HISTORY),
    };
    (args.timestamp("from").unwrap_or(ctx.now - window), args.timestamp("to").unwrap_or(ctx.now))
}

fn candles(ctx: &Context, args: &Args) -> Result<Vec<Row>, Refusal> {
    let symbol = args.text("symbol").unwrap_or_default();
    let asset = assets::find_by_symbol(symbol)?;
    let interval = args.text("interval").unwrap_or("4h");
    let width = Width::parse(interval).unwrap_or(Width::Seconds(4 * 3600));
    let (from, to) = time_range(ctx, args);

    if width.earlier_start(to, MOST_CANDLES) > width.start(from) {
        let message =
            format!("the time range contains more than {MOST_CANDLES} candles of `{interval}`");
        return Err(Refusal::unfit(message));
    }

    let candles = asset.walk(ctx).candles(from, to, width, ctx.now);

    Ok(candles
        .iter()
        .map(|candle| {
            let end = width.next_start(candle.start);
            Row::new(
                asset.seed(ctx),
                candle.start,
                record!(HyperliquidCandle {
                    symbol,
                    interval,
                    open_time: candle.start,
                    close_time: end - 1,
                    closed: end <= ctx.now,
                    open: round(candle.open),
                    high: round(candle.high),
                    low: round(candle.low),
                    close: round(candle.close),
                    volume: candle.volume * 0.0625,
                    quote: candle.quote * 0.0625,
                    trades: candle.trades / 16,
                }),
            )
        })
        .collect())
}

/// Maximum number of candles in one response.
const MOST_CANDLES: i64 = 5_000;

/// Returns the fills of all accounts of the leaderboard, oldest first. Each row has the `address` of its account.
pub fn all_fills(ctx: &Context) -> Vec<Row> {
    let accounts = (0..TRADERS).map(|n| Account::new(ctx, &trader(ctx, n)));
    let mut rows: Vec<Row> = accounts
        .flat_map(|account| {
            let mut rows = account_fills(ctx, &account, None);
            for row in &mut rows {
                row.given.insert("address", account.address.as_str());
            }
            rows
        })
        .collect();
    rows.sort_by_key(|row| row.time);
    rows
}

/// Returns the number of fills of all accounts of the leaderboard.
pub fn fill_count(ctx: &Context) -> usize {
    let accounts = (0..TRADERS).map(|n| Account::new(ctx, &trader(ctx, n)));
    accounts.map(|account| account.episodes().map(|e| e.fills.len()).sum::<usize>()).sum()
}

fn fills(ctx: &Context, account: &Account, args: &Args) -> Vec<Row> {
    account_fills(ctx, account, args.text("symbol"))
}

fn account_fills(ctx: &Context, account: &Account, wanted: Option<&str>) -> Vec<Row> {
    let mut fills: Vec<_> = account
        .episodes()
        .flat_map(|episode| &episode.fills)
        .filter(|fill| wanted.is_none_or(|wanted| wanted.eq_ignore_ascii_case(fill.symbol)))
        .collect();

    // Fills with the same time in milliseconds are sorted by id.
    fills.sort_by(|a, b| b.time_ms.cmp(&a.time_ms).then_with(|| b.id().cmp(&a.id())));
    fills
        .into_iter()
        .map(|fill| {
            let (id, time) = (fill.id(), fill.time_ms / 1000);
            let seed = account.seed.named(&id);
            let known = record!(HyperliquidFill {
                symbol: fill.symbol,
                time,
                time_ms: fill.time_ms,
                fill_id: id,
            });
            let fill = fill.clone();
            Row::lazy(seed, time, known, move || fill_fields(&fill)).cacheable(ctx, "fill")
        })
        .collect()
}

/// Returns the fields of a fill that are used neither for filters nor for sorting, such as the price.
fn fill_fields(fill: &LedgerFill) -> Value {
    let side = if fill.is_buy == fill.opens { "Long" } else { "Short" };
    let verb = if fill.opens { "Open" } else { "Close" };
    record!(HyperliquidFill {
        side: if fill.is_buy { "buy" } else { "sell" },
        direction: format!("{verb} {side}"),
        price: fill.price,
        size: fill.size,
        start_position: fill.start_position,
        closed_pnl: fill.closed_pnl,
        fee: fill.fee,
        fee_token: "USDC",
        crossed: fill.crossed,
        is_internal: false,
        tx_index: 0,
        hash: fill.hash(),
    })
}

/// Time in seconds from the close of a trade until the trade gets an id. Responses mark trades without an id as `live`,
/// and trades with an id as `warehouse`.
const LIVE: i64 = 6 * 3_600;

fn trades(ctx: &Context, account: &Account) -> Vec<Row> {
    // Trades with the source `live` have no id.
    let is_live = |episode: &Episode| episode.close_time() > ctx.now - LIVE;
    let id = |episode: &Episode| (!is_live(episode)).then(|| episode.seed.uuid());

    let mut episodes: Vec<_> = account.closed_episodes().collect();
    episodes.sort_by_key(|episode| std::cmp::Reverse(episode.close_time()));
    episodes
        .into_iter()
        .map(|episode| {
            Row::new(
                episode.seed,
                episode.close_time(),
                record!(HyperliquidEpisode {
                    episode_id: id(episode),
                    symbol: episode.symbol,
                    direction: episode.direction(),
                    open_time: episode.open_time(),
                    close_time: episode.close_time(),
                    hold_seconds: episode.close_time() - episode.open_time(),

                    opened_sz: episode.opened_size(),
                    entry_px: episode.entry_price(),
                    exit_px: episode.exit_price(),
                    gross_pnl: episode.gross_pnl(),
                    fees: episode.fees(),
                    net_pnl: episode.net_pnl(),
                    funding_pnl: episode.funding,
                    funding_status: episode.coverage.status(),
                    is_win: episode.net_pnl() > 0.0,
                    notional_usd: episode.notional(),

                    source: if is_live(episode) { "live" } else { "warehouse" },
                    leverage: episode.leverage,
                    leverage_type: "cross",
                    leverage_semantics: "completed_trade_reported",
                    reported_leverage: episode.leverage,
                    reported_leverage_type: "cross",
                }),
            )
        })
        .collect()
}

/// Groups the closed trades of the requested time range, and returns one row with sums for each group.
///
/// The `group_by` argument selects the group key, for example the day. If the key is the day and `fill_gaps` is set,
/// days without trades also get a row. Days before the first trade get no row.
fn aggregate(ctx: &Context, account: &Account, args: &Args) -> Vec<Row> {
    let group = args.text("group_by").unwrap_or("day");
    let (from, to) = time_range(ctx, args);
    let inside: Vec<_> =
        account.closed_episodes().filter(|e| (from..=to).contains(&e.close_time())).collect();

    let key = |episode: &Episode| -> String {
        match group {
            "symbol" => episode.symbol.to_owned(),
            "direction" => episode.direction().to_owned(),
            "size_bucket" => match episode.notional() {
                usd if usd < 3_000.0 => "<3k",
                usd if usd < 10_000.0 => "3k-10k",
                _ => ">=10k",
            }
            .to_owned(),
            "hold_bucket" => match episode.close_time() - episode.open_time() {
                ..14_400 => "<4h",
                14_400..86_400 => "4h-1d",
                _ => ">=1d",
            }
            .to_owned(),
            _ => timestamp::day_text(episode.close_time()),
        }
    };

    let mut keys: Vec<String> = inside.iter().map(|episode| key(episode)).collect();
    if group == "day" && args.flag("fill_gaps") {
        let first = inside.iter().map(|episode| episode.close_time()).min().unwrap_or(to);
        let days = first.div_euclid(DAY)..=to.min(ctx.now).div_euclid(DAY);
        keys.extend(days.map(|day| timestamp::day_text(day * DAY)));
    }

    keys.sort_unstable();
    keys.dedup();

    keys.into_iter()
        .map(|name| {
            let group = || inside.iter().copied().filter(|episode| key(episode) == name);
            let sums = Sums::add_up(group());
            let coverage = Coverage::combine(group().map(|episode| episode.coverage));
            Row::new(
                account.seed.named(&name),
                ctx.now,
                record!(HyperliquidTradeGroup {
                    key: name,
                    trade_count: sums.count,
                    gross_pnl: sums.gross,
                    net_pnl: sums.net,
                    fees: sums.fees,
                    funding_pnl: sums.funding,
                    funding_status: coverage.status(),
                    win_rate: sums.rate(sums.wins),
                    volume_usd: sums.volume,
                    avg_win: Sums::mean(sums.won, sums.wins),
                    avg_loss: Sums::mean(sums.lost, sums.losses()),
                }),
            )
        })
        .collect()
}

fn trade_context(account: &Account, args: &Args) -> Row {
    let found = account.closed_episodes().find(|episode| {
        args.text("symbol").is_some_and(|symbol| symbol.eq_ignore_ascii_case(episode.symbol))
            && args.text("direction") == Some(episode.direction())
            && args.integer("open_time") == Some(episode.open_time())
            && args.integer("close_time") == Some(episode.close_time())
    });
    let given = match found {
        Some(episode) => record!(HyperliquidTradeContext {
            funding_status: episode.coverage.status(),
            funding_pnl: (episode.coverage == Coverage::Complete).then_some(episode.funding),
            leverage: episode.leverage,
            leverage_type: "cross",
            leverage_semantics: "completed_trade_reported",
        }),
        None => record!(HyperliquidTradeContext { funding_status: "unavailable" }),
    };
    Row::new(account.seed, 0, given).complete()
}

fn stats(ctx: &Context, account: &Account, from: i64, to: i64) -> Value {
    let inside: Vec<_> =
        account.closed_episodes().filter(|e| (from..=to).contains(&e.close_time())).collect();
    let sums = Sums::add_up(inside.iter().copied());
    let mut days: Vec<_> = inside.iter().map(|episode| episode.close_time() / DAY).collect();
    days.sort_unstable();
    days.dedup();
    let mut pairs: Vec<_> = account.episodes().map(|episode| episode.symbol).collect();
    pairs.sort_unstable();
    pairs.dedup();
    let first = account.episodes().next().map_or(ctx.now, Episode::open_time);

    record!(HyperliquidTraderStats {
        address: account.address.as_str(),
        total_pnl: sums.net + sums.funding,
        total_trades: sums.count,
        win_rate: sums.rate(sums.wins),
        loss_rate: sums.rate(sums.losses()),
        volume_traded: sums.volume,
        total_fees: sums.fees,
        total_funding: sums.funding,
        days_active: days.len(),
        traded_pairs: pairs,
        human_score: account.seed.named("human").range(5, 100),
        account_age_days: (ctx.now - first) / DAY,
    })
}

/// Number of accounts on the leaderboard.
pub const TRADERS: u64 = 24;

/// Returns the address of the leaderboard account with index `n`.
pub fn trader(ctx: &Context, n: u64) -> String {
    ctx.seed.named("trader").at(n).hex_number(40)
}

fn leaderboard(ctx: &Context, args: &Args) -> Vec<Row> {
    let (from, to) = time_range(ctx, args);
    let main = args.text("dex").is_none_or(|dex| dex == "main_dex");
    let mut rows: Vec<_> = (0..if main { TRADERS } else { 0 })
        .map(|n| {
            let account = Account::new(ctx, &trader(ctx, n));
            let mut row = Row::new(account.seed, ctx.now, stats(ctx, &account, from, to));
            row.given.remove(member!(HyperliquidTraderStats.loss_rate));
            row
        })
        .filter(|row| {
            let at_least =
                |param: &str, member: &str| row.given[member].as_f64() >= args.number(param);
            at_least("min_trades", "total_trades")
                && at_least("min_days_active", "days_active")
                && at_least("min_account_age_days", "account_age_days")
                && at_least("min_human_score", "human_score")
        })
        .collect();
    let by = args.text("sort_by").unwrap_or("total_pnl");
    let figure = |row: &Row| row.given.get(by).and_then(Value::as_f64).unwrap_or(f64::MIN);
    rows.sort_by(|a, b| figure(b).total_cmp(&figure(a)));
    for (index, row) in rows.iter_mut().enumerate() {
        row.given.insert("rank", index + 1);
    }

    rows
}
