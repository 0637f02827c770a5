//! Listed companies and funds: prices by one walk each, statements by one set of books each.

mod books;
mod cells;
mod company;
mod listings;
mod ratios;
mod statements;

use serde_json::json;

use crate::args::Args;
use crate::context::Context;
use crate::fill::number::round;
use crate::moment::{self, DAY};
use crate::price::Width;
use crate::refusal::Refusal;
use crate::row::{Data, Row};

use company::{asked, reporting};

pub use company::{COMPANIES, Company};

pub(super) fn data(ctx: &Context, args: &Args) -> Result<Option<Data>, Refusal> {
    Ok(Some(match args.operation.id {
        "equity-price" => Data::One(price(ctx, asked(args)?)),
        "equity-candles" => Data::One(candles(ctx, args, asked(args)?)?),
        "equity-profile" => Data::One(listings::profile(ctx, asked(args)?)),
        "equity-listings" => Data::Rows(listings::listings(ctx, args)),
        "equity-filings" => Data::Rows(listings::filings(ctx, reporting(args)?)),
        "equity-latest-filings" => Data::Rows(listings::latest_filings(ctx)),
        "equity-latest-financials" => Data::Rows(ratios::latest(ctx)),
        "equity-etf-holdings" => Data::One(listings::holdings(ctx, args, asked(args)?)?),
        "equity-income-statement" => {
            Data::Rows(statements::rows(ctx, args, reporting(args)?, statements::income))
        }
        "equity-balance-sheet" => {
            Data::Rows(statements::rows(ctx, args, reporting(args)?, statements::balance))
        }
        "equity-cash-flow" => {
            Data::Rows(statements::rows(ctx, args, reporting(args)?, statements::cash_flow))
        }
        "equity-metrics" => {
            Data::Rows(statements::rows(ctx, args, reporting(args)?, ratios::metrics))
        }
        "equity-overview" => {
            let company = reporting(args)?;
            let rows = statements::rows(ctx, args, company, ratios::overview);
            let mut row = rows.into_iter().next().ok_or_else(|| {
                Refusal::not_found(format!("`{}` has not reported yet", company.symbol))
            })?;
            row.given.insert("company_name".to_owned(), company.name.into());
            row.given.insert("exchange".to_owned(), company.exchange.into());
            Data::One(row)
        }
        _ => return Ok(None),
    }))
}

/// The price now and how it compares with a day before.
fn day_change(ctx: &Context, company: &Company) -> (f64, f64, f64) {
    let walk = company.walk(ctx);
    let (now, before) =
        (round(walk.at(ctx.now)), round(walk.at(ctx.now - ctx.now.rem_euclid(DAY))));
    (now, round(now - before), round((now / before - 1.0) * 100.0))
}

fn price(ctx: &Context, company: &Company) -> Row {
    let (price, change, percent) = day_change(ctx, company);
    Row::new(
        company.seed(ctx),
        ctx.now,
        json!({
            "symbol": company.symbol, "name": company.name, "logo_url": company.logo(),
            "price": price, "currency": "USD", "price_timestamp": ctx.now,
            "day_change": change, "day_change_percent": percent, "tokenized": null,
        }),
    )
}

fn candles(ctx: &Context, args: &Args, company: &Company) -> Result<Row, Refusal> {
    let interval = args.text("interval").unwrap_or("day");
    let width = match interval {
        "minute" => Some(Width::Seconds(60)),
        text if text.chars().next().is_some_and(|c| c.is_ascii_digit()) => Width::read(text),
        "hour" | "day" | "week" | "month" => Width::read(interval),
        _ => None,
    };

    let Some(width) = width else {
        let message =
            format!("`interval` must be minute, hour, day, week or month, not `{interval}`");
        return Err(Refusal::unfit(message));
    };
    let to = args.moment("to").unwrap_or(ctx.now).min(ctx.now);
    let from = args.moment("from").unwrap_or_else(|| width.back(to, 90)).max(width.back(to, 2_000));
    let is_weekend = |time: i64| moment::date(time).weekday().to_monday_zero_offset() > 4;

    let candles: Vec<_> = company
        .walk(ctx)
        .candles(from, to + 1, width, ctx.now)
        .into_iter()
        // Exchanges rest on weekends; weeks and months are longer than one.
        .filter(|candle| matches!(width, Width::Week | Width::Month) || !is_weekend(candle.start))
        .map(|candle| {
            #[expect(clippy::cast_possible_truncation, reason = "a number of shares")]
            let volume = candle.volume as i64;
            json!({
                "timestamp": candle.start,
                "open": round(candle.open), "high": round(candle.high),
                "low": round(candle.low), "close": round(candle.close), "volume": volume,
            })
        })
        .collect();
    let (price, change, percent) = day_change(ctx, company);

    Ok(Row::new(
        company.seed(ctx),
        ctx.now,
        json!({
            "symbol": company.symbol, "interval": interval, "interval_multiplier": 1,
            "start_date": moment::day_text(from), "end_date": moment::day_text(to),
            "candles": candles,
            "latest_price": {
                "price": price, "timestamp": ctx.now,
                "day_change": change, "day_change_percent": percent,
            },
        }),
    ))
}
