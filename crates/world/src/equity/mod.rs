//! Listed companies and funds. A random walk generates the prices of each share. Financial statements come from
//! generated quarterly accounts.

mod books;
pub(crate) mod calendar;
mod company;
mod listings;
mod ratios;
mod statement_cells;
mod statements;

use crate::args::Args;
use crate::context::Context;
use crate::missing_fields::number::round;
use crate::price::{Candle, Width};
use crate::record::record;
use crate::refusal::Refusal;
use crate::row::{Data, Row};
use crate::timestamp::{self, DAY};
use crate::value::{Value, json};

use company::{find_company, find_reporting};

pub use company::{COMPANIES, Company};

pub(super) fn data(ctx: &Context, args: &Args) -> Result<Option<Data>, Refusal> {
    Ok(Some(match args.operation.id {
        "equity-price" => {
            let company = find_company(args)?;
            Data::One(price(&company.quote_context(ctx), args, company))
        }
        "equity-candles" => {
            let company = find_company(args)?;
            Data::One(candles(&company.quote_context(ctx), args, company)?)
        }

        "equity-profile" => Data::One(listings::profile(ctx, find_company(args)?)),
        "equity-listings" => Data::Rows(listings::listings(ctx, args)),
        "equity-filings" => Data::Rows(listings::filings(ctx, find_reporting(args)?)),
        "equity-latest-filings" => Data::Rows(listings::latest_filings(ctx)),
        "equity-latest-financials" => Data::Rows(ratios::latest(ctx)),
        "equity-etf-holdings" => Data::One(listings::holdings(ctx, args, find_company(args)?)?),

        "equity-income-statement" => {
            Data::Rows(statements::rows(ctx, args, find_reporting(args)?, statements::income))
        }
        "equity-balance-sheet" => {
            Data::Rows(statements::rows(ctx, args, find_reporting(args)?, statements::balance))
        }
        "equity-cash-flow" => {
            Data::Rows(statements::rows(ctx, args, find_reporting(args)?, statements::cash_flow))
        }
        "equity-metrics" => {
            Data::Rows(statements::rows(ctx, args, find_reporting(args)?, ratios::metrics))
        }
        "equity-overview" => {
            let company = find_reporting(args)?;
            let rows = statements::rows(ctx, args, company, ratios::overview);
            let mut row = rows.into_iter().next().map(Row::whole).ok_or_else(|| {
                Refusal::not_found(format!("`{}` has not published a report yet", company.symbol))
            })?;
            row.given.insert("company_name", company.name);
            row.given.insert("exchange", company.exchange);
            Data::One(row)
        }
        _ => return Ok(None),
    }))
}

/// Returns the last share price in USD, its change since the end of the previous trading day, and this change in
/// percent.
fn day_change(ctx: &Context, company: &Company) -> (f64, f64, f64) {
    let walk = company.walk(ctx);
    let now = calendar::last_quote_time(ctx.minute());
    // `session` is the start of the last trading day that began before `now`. `before` is the end of the trading day
    // before it.
    let session = calendar::last_session((now - 1).div_euclid(DAY) * DAY);
    let before = calendar::last_session(session - DAY) + DAY;

    let (price, before) = (round(walk.at(now)), round(walk.at(before)));
    (price, round(price - before), round((price / before - 1.0) * 100.0))
}

/// Returns a JSON list with the token that represents a share. Every second listed share has a token. Returns `None`
/// for the other shares.
fn share_token(ctx: &Context, company: &Company, price: f64) -> Option<Value> {
    let seed = company.seed(ctx).named("tokenized");
    let is_mapped = company.index() % 2 == 0 && company.is_listed(ctx);
    is_mapped.then(|| {
        json!([{
            "symbol": format!("{}X", company.symbol), "name": format!("Tokenized {}", company.name),
            "chain": "ethereum", "address": seed.hex_number(40),
            "price": round(price * (1.0 + seed.at_time(ctx.minute()).bell() * 0.001)),
        }])
    })
}

fn price(ctx: &Context, args: &Args, company: &Company) -> Row {
    let (price, change, percent) = day_change(ctx, company);
    let mut row = Row::new(
        company.seed(ctx),
        ctx.now,
        record!(EquityMeta {
            symbol: company.symbol,
            name: company.name,
            logo_url: company.logo(),
            price,
            currency: "USD",
            price_timestamp: calendar::last_quote_time(ctx.now),
            day_change: change,
            day_change_percent: percent,
        }),
    )
    .complete();
    // The field is present only if the request asks for it and the share has a token.
    if args.flag("include_tokenized")
        && let Some(tokens) = share_token(ctx, company, price)
    {
        row.given.insert("tokenized", tokens);
    }

    row
}

/// Returns the candles of a share on trading days. Candles of weeks and months are merged from daily candles.
fn get_candles(ctx: &Context, company: &Company, from: i64, to: i64, width: Width) -> Vec<Candle> {
    let walk = company.walk(ctx);
    let is_session =
        |candle: &Candle| calendar::is_session(candle.start - candle.start.rem_euclid(DAY));
    if !matches!(width, Width::Week | Width::Month) {
        let all = walk.candles(from, to + 1, width, ctx.now);
        return all.into_iter().filter(is_session).collect();
    }

    let first = if width.start(from) < from { width.next_start(width.start(from)) } else { from };
    let last = width.next_start(width.start(to));
    let days = walk.candles(first, last, Width::Seconds(DAY), ctx.now);
    let days: Vec<_> = days.into_iter().filter(is_session).collect();
    days.chunk_by(|a, b| width.start(a.start) == width.start(b.start))
        .filter_map(|days| {
            let mut days = days.iter();
            let first = Candle { start: width.start(days.clone().next()?.start), ..*days.next()? };
            Some(days.fold(first, |whole, day| whole.merge(day)))
        })
        .collect()
}

fn candles(ctx: &Context, args: &Args, company: &Company) -> Result<Row, Refusal> {
    let interval = args.text("interval").unwrap_or("day");
    let width = match interval {
        "minute" => Some(Width::Seconds(60)),
        text if text.chars().next().is_some_and(|c| c.is_ascii_digit()) => Width::parse(text),
        "hour" | "day" | "week" | "month" => Width::parse(interval),
        _ => None,
    };

    let Some(width) = width else {
        let message =
            format!("`interval` must be minute, hour, day, week or month, not `{interval}`");
        return Err(Refusal::unfit(message));
    };
    let to = args.timestamp("to").unwrap_or(ctx.now).min(ctx.now);
    let from = args.timestamp("from").unwrap_or_else(|| width.earlier_start(to, 90));
    let from = from.max(width.earlier_start(to, 2_000));
    let candles: Vec<_> = get_candles(ctx, company, from, to, width)
        .into_iter()
        .map(|candle| {
            #[expect(clippy::cast_possible_truncation, reason = "a number of shares")]
            let volume = candle.volume as i64;
            record!(EquityCandle {
                timestamp: candle.start,
                open: round(candle.open),
                high: round(candle.high),
                low: round(candle.low),
                close: round(candle.close),
                volume,
            })
        })
        .collect();
    let (price, change, percent) = day_change(ctx, company);

    Ok(Row::new(
        company.seed(ctx),
        ctx.now,
        record!(EquityCandlesResponse {
            symbol: company.symbol,
            interval,
            interval_multiplier: 1,
            start_date: timestamp::day_text(from),
            end_date: timestamp::day_text(to),
            candles,
            latest_price: record!(EquityLatestPrice {
                price,
                timestamp: calendar::last_quote_time(ctx.now),
                day_change: change,
                day_change_percent: percent,
            }),
        }),
    ))
}
