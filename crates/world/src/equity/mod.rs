//! Listed companies and funds: prices by one walk each, statements by one set of books each.

mod books;
mod cells;
mod listings;
mod ratios;
mod statements;

use serde_json::json;

use crate::args::Args;
use crate::context::Context;
use crate::fill::number::round;
use crate::moment::{self, DAY};
use crate::price::{Walk, Width};
use crate::random::Seed;
use crate::refusal::Refusal;
use crate::row::{Data, Row};

/// A company, or a fund when `is_fund`. Names are of real ones; every figure is invented.
#[derive(Debug)]
pub struct Company {
    /// The ticker.
    pub symbol: &'static str,
    /// The name of the company or fund.
    pub name: &'static str,
    sector: &'static str,
    industry: &'static str,
    exchange: &'static str,
    /// The price around which it moves, in USD.
    base: f64,
    /// Millions of shares.
    shares: f64,
    /// Revenue of a quarter of 2017 in thousands of USD.
    revenue: f64,
    /// Growth of a year, as a fraction.
    growth: f64,
    cost_share: f64,
    research_share: f64,
    payout: f64,
    is_bank: bool,
    is_fund: bool,
}

const fn company(
    symbol: &'static str,
    name: &'static str,
    sector: &'static str,
    industry: &'static str,
    base: f64,
    shares: f64,
    revenue: f64,
) -> Company {
    Company {
        symbol,
        name,
        sector,
        industry,
        exchange: "NASDAQ",
        base,
        shares,
        revenue,
        growth: 0.12,
        cost_share: 0.45,
        research_share: 0.1,
        payout: 0.15,
        is_bank: false,
        is_fund: false,
    }
}

/// Every company and fund.
pub static COMPANIES: &[Company] = &[
    company("AAPL", "Apple Inc.", "Technology", "Consumer Electronics", 210.0, 15_000.0, 55e6),
    company("MSFT", "Microsoft Corporation", "Technology", "Software", 430.0, 7_400.0, 25e6),
    company("NVDA", "NVIDIA Corporation", "Technology", "Semiconductors", 130.0, 24_500.0, 4e6),
    company("GOOGL", "Alphabet Inc.", "Communication", "Internet Content", 175.0, 12_200.0, 26e6),
    company("AMZN", "Amazon.com, Inc.", "Consumer", "Internet Retail", 195.0, 10_500.0, 40e6),
    company("TSLA", "Tesla, Inc.", "Consumer", "Automobiles", 290.0, 3_200.0, 3e6),
    company("COIN", "Coinbase Global, Inc.", "Financials", "Exchanges", 240.0, 250.0, 0.3e6),
    company("MSTR", "Strategy Inc.", "Technology", "Software", 330.0, 240.0, 0.12e6),
    Company {
        is_bank: true,
        exchange: "NYSE",
        research_share: 0.0,
        growth: 0.05,
        ..company("JPM", "JPMorgan Chase & Co.", "Financials", "Banks", 220.0, 2_850.0, 25e6)
    },
    Company {
        is_fund: true,
        exchange: "NYSE Arca",
        ..company("SPY", "S&P 500 Trust", "Fund", "Index", 580.0, 900.0, 1e6)
    },
    Company {
        is_fund: true,
        ..company("QQQ", "Nasdaq 100 Trust", "Fund", "Index", 490.0, 600.0, 1e6)
    },
];

impl Company {
    fn seed(&self, ctx: &Context) -> Seed {
        ctx.seed.named("company").named(self.symbol)
    }

    fn walk(&self, ctx: &Context) -> Walk {
        Walk {
            seed: self.seed(ctx).named("walk"),
            base: self.base,
            volatility: if self.is_fund { 0.008 } else { 0.016 },
            daily_usd: self.base * self.shares * 1e6 * 0.006,
        }
    }

    fn logo(&self) -> String {
        format!("https://img.example/equity/{}.png", self.symbol.to_lowercase())
    }

    fn cik(&self) -> String {
        format!("{:010}", Seed::new(0).named("cik").named(self.symbol).range(100_000, 1_999_999))
    }
}

/// The company of a request's `symbol`.
fn asked(args: &Args) -> Result<&'static Company, Refusal> {
    let symbol = args.text("symbol").unwrap_or_default();
    COMPANIES
        .iter()
        .find(|company| company.symbol.eq_ignore_ascii_case(symbol))
        .ok_or_else(|| Refusal::not_found(format!("no listing has the symbol `{symbol}`")))
}

/// The same, and it must publish statements.
fn reporting(args: &Args) -> Result<&'static Company, Refusal> {
    let company = asked(args)?;
    if company.is_fund {
        let mut refusal = Refusal::not_found(format!(
            "`{}` is a fund and publishes no statements",
            company.symbol
        ));
        refusal.serving_reason = Some("reporting_series_missing");
        return Err(refusal);
    }
    Ok(company)
}

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
