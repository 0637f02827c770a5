//! Table of listed companies and funds.
//!
//! Each table entry has a symbol, a name and an exchange. Methods derive further details from the entry. The prices of
//! a share are derived from the random seed.

use crate::args::Args;
use crate::context::Context;
use crate::price::Walk;
use crate::price_path::Steps;
use crate::random::Seed;
use crate::refusal::Refusal;
use crate::timestamp::DAY;

/// A listed company, or a fund if `is_fund` is true. Company names are real, with two exceptions. All numbers are
/// invented.
#[derive(Debug)]
pub struct Company {
    /// Ticker of the share, for example `AAPL`.
    pub symbol: &'static str,
    /// Name of the company or fund.
    pub name: &'static str,
    pub(super) sector: &'static str,
    pub(super) industry: &'static str,
    pub(super) exchange: &'static str,
    /// Share price in USD around which the random walk moves.
    pub(super) base: f64,
    /// Number of shares in millions.
    pub(super) shares: f64,
    /// Quarterly revenue in 2017, in thousands of USD.
    pub(super) revenue: f64,
    /// Yearly revenue growth as a fraction: 0.12 is 12%.
    pub(super) growth: f64,
    pub(super) cost_share: f64,
    pub(super) research_share: f64,
    pub(super) payout: f64,
    pub(super) is_bank: bool,
    pub(super) is_fund: bool,
    /// Reason code if the company has published no financial statements, such as `publication_missing`. Responses
    /// contain this code. `None` for all other companies and for funds.
    pub(super) unserved: Option<&'static str>,
    /// Unix time of the midnight after the last trading day. `None` if the share is still listed.
    pub(super) delisted: Option<i64>,
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
        base,
        shares,
        revenue,

        exchange: "NASDAQ",
        growth: 0.12,
        cost_share: 0.45,
        research_share: 0.1,
        payout: 0.15,
        is_bank: false,
        is_fund: false,
        unserved: None,
        delisted: None,
    }
}

/// All listed companies and funds of the sandbox.
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
    // Two invented companies without financial statements.
    Company {
        unserved: Some("publication_missing"),
        ..company("NWRB", "Northwind Robotics Corp.", "Industrials", "Machinery", 31.0, 140.0, 1e5)
    },
    Company {
        unserved: Some("publication_terminal_excluded"),
        // 2025-03-29 00:00 UTC. This is a Saturday, so the last trading day was a Friday.
        delisted: Some(1_743_206_400),
        exchange: "NYSE",
        ..company("OLDM", "Old Mill Stores Inc.", "Consumer", "Department Stores", 4.0, 90.0, 3e5)
    },
];

impl Company {
    /// Returns true if the company publishes financial statements. Funds do not.
    pub(super) fn has_statements(&self) -> bool {
        !self.is_fund && self.unserved.is_none()
    }

    /// Returns the reason code for missing financial statements. `None` if the company publishes them.
    pub(super) fn serving_reason(&self) -> Option<&'static str> {
        self.unserved.or(self.is_fund.then_some("reporting_series_missing"))
    }

    /// Returns the index of the company in [`COMPANIES`].
    pub(super) fn index(&self) -> i64 {
        let index = COMPANIES.iter().position(|company| company.symbol == self.symbol);
        index.and_then(|index| i64::try_from(index).ok()).unwrap_or(0)
    }

    /// Returns the context with which the prices of the share are computed. For a delisted company, the current time of
    /// this context is never after the last trading day.
    pub(super) fn quote_context(&self, ctx: &Context) -> Context {
        let now = self.delisted.map_or(ctx.now, |end| (end - 1).min(ctx.now));
        Context { now, ..*ctx }
    }

    /// Returns true if the company is listed at the current time.
    pub(super) fn is_listed(&self, ctx: &Context) -> bool {
        self.delisted.is_none_or(|end| ctx.now < end)
    }

    pub(super) fn seed(&self, ctx: &Context) -> Seed {
        ctx.seed.named("company").named(self.symbol)
    }

    pub(super) fn walk(&self, ctx: &Context) -> Walk {
        let fixed = |name: &str, low: f64, high: f64| {
            Seed::new(0).named(name).named(self.symbol).between(low, high)
        };
        Walk {
            steps: Steps {
                own: self.seed(ctx).named("walk"),
                market: ctx.seed.named("equity market"),
                correlation: if self.is_fund { 0.88 } else { fixed("correlation", 0.5, 0.8) },
            },
            base: self.base,
            volatility: if self.is_fund { 0.009 } else { fixed("volatility", 0.014, 0.026) },
            daily_usd: self.base * self.shares * 1e6 * 0.006,
            crash: None,
        }
    }

    pub(super) fn logo(&self) -> String {
        format!("https://img.example/equity/{}.png", self.symbol.to_lowercase())
    }

    /// Returns the Unix time at which the ticker came into use: a midnight from 1980 to 2015.
    pub(super) fn listing_time(&self) -> i64 {
        Seed::new(0).named("listed").named(self.symbol).range(3_652, 16_800) * DAY
    }

    /// Returns the standard industrial classification (SIC) code of the company's industry.
    pub(super) fn sic_code(&self) -> &'static str {
        match self.industry {
            "Consumer Electronics" => "3571",
            "Semiconductors" => "3674",
            "Automobiles" => "3711",
            "Machinery" => "3559",
            "Department Stores" => "5311",
            "Internet Retail" => "5961",
            "Banks" => "6021",
            "Exchanges" => "6200",
            "Index" => "6726",
            "Internet Content" => "7370",
            _ => "7372",
        }
    }

    /// Returns the class of the company's shares, for example `Class A`.
    pub(super) fn share_class(&self) -> &'static str {
        match self.symbol {
            "GOOGL" | "COIN" | "MSTR" => "Class A",
            _ if self.is_fund => "Units",
            _ => "Common",
        }
    }

    /// Returns the number of employees, estimated from revenue and costs. `None` for funds.
    pub(super) fn employees(&self) -> Option<i64> {
        if self.is_fund {
            return None;
        }
        // Approximate current yearly revenue, and the yearly revenue of one employee, in thousands of USD.
        let (revenue, each) = (self.revenue * 4.0 * 2.2, 450.0 + 900.0 * (1.0 - self.cost_share));
        #[expect(clippy::cast_possible_truncation, reason = "a number of people")]
        let people = (revenue / each).round() as i64;
        Some(people.max(50))
    }

    /// Returns the city of the company's headquarters.
    pub(super) fn location(&self) -> &'static str {
        match self.sector {
            "Financials" | "Fund" => "New York, NY",
            "Consumer" => "Seattle, WA",
            _ => "San Jose, CA",
        }
    }

    pub(super) fn cik(&self) -> String {
        format!("{:010}", Seed::new(0).named("cik").named(self.symbol).range(100_000, 1_999_999))
    }
}

/// Finds the company whose ticker is the `symbol` argument.
pub(super) fn find_company(args: &Args) -> Result<&'static Company, Refusal> {
    let symbol = args.text("symbol").unwrap_or_default();
    COMPANIES
        .iter()
        .find(|company| company.symbol.eq_ignore_ascii_case(symbol))
        .ok_or_else(|| Refusal::not_found(format!("no listing has the symbol `{symbol}`")))
}

/// Finds the company whose ticker is the `symbol` argument. Returns an error if the company has no financial
/// statements.
pub(super) fn find_reporting(args: &Args) -> Result<&'static Company, Refusal> {
    let company = find_company(args)?;
    if company.has_statements() {
        return Ok(company);
    }
    let what = if company.is_fund { "is a fund and publishes" } else { "has published" };
    let mut refusal = Refusal::not_found(format!("`{}` {what} no statements", company.symbol));
    refusal.serving_reason = company.serving_reason();
    Err(refusal)
}
