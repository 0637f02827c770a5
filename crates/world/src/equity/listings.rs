//! Listings of US shares, company profiles, filings and fund holdings.
//!
//! The input is a company or the arguments of a request. The output is rows of the response.

use crate::args::Args;
use crate::context::Context;
use crate::equity::books;
use crate::equity::company::{COMPANIES, Company};
use crate::equity::statement_cells::Filing;
use crate::equity::statements::{self, filing, filing_time, last_filed_quarter, quarter_start};
use crate::missing_fields::number::round;
use crate::random::Seed;
use crate::record::record;
use crate::refusal::Refusal;
use crate::row::Row;
use crate::timestamp::{self, DAY};
use crate::value::Value;

pub(super) fn profile(ctx: &Context, company: &Company) -> Row {
    Row::new(
        company.seed(ctx),
        ctx.now,
        record!(EquityCompanyProfile {
            symbol: company.symbol,
            company_name: company.name,
            exchange: company.exchange,
            employee_count: company.employees(),
            location: company.location(),
            sic_industry: company.industry,
            sic_sector: company.sector,
            sector: company.sector,
            industry: company.industry,
            is_active: company.is_listed(ctx),
            cik: company.cik(),
            sic_code: company.sic_code(),
            listing_date: company.listing_time(),
            source_updated_at: ctx.now - ctx.now.rem_euclid(DAY),
            description: format!("{} is a company with invented data.", company.name),
            website_url: format!("https://{}.example", company.symbol.to_lowercase()),
            sec_filings_url: format!("https://filings.example/{}", company.cik()),
        }),
    )
}

pub(super) fn listings(ctx: &Context, args: &Args) -> Vec<Row> {
    let q = args.text("q").unwrap_or_default().to_lowercase();
    COMPANIES
        .iter()
        .filter(|c| c.symbol.to_lowercase().contains(&q) || c.name.to_lowercase().contains(&q))
        .map(|company| listing(ctx, company))
        .collect()
}

/// Returns the response row of one listing.
fn listing(ctx: &Context, company: &Company) -> Row {
    let id = |name: &str| company.seed(ctx).named(name).uuid();
    let served = if company.has_statements() { "available" } else { "unavailable" };
    let is_listed = company.is_listed(ctx);
    let last = company.delisted.filter(|_| !is_listed).map(|end| timestamp::day_text(end - 1));

    Row::new(
        company.seed(ctx),
        ctx.now,
        record!(EquityListing {
            ticker: company.symbol,
            security_name: company.name,
            listing_symbol_id: id("symbol"),
            listing_id: id("listing"),
            security_id: id("security"),
            issuer_company_id: id("issuer"),

            security_type: if company.is_fund { "etf" } else { "common_stock" },
            stock_type: if company.is_fund { "etf" } else { "common" },
            is_primary: true,
            is_current: is_listed,
            listing_lifecycle_status: if is_listed { "active" } else { "delisted" },
            symbol_identity_status: "confirmed",
            issuer_cik: company.cik(),
            issuer_legal_name: company.name,

            financial_serving_status: served,
            financial_serving_reason: company.serving_reason(),

            listing_currency: "USD",
            listing_exchange_code: company.exchange,
            symbol_exchange_code: company.exchange,
            valid_from: timestamp::day_text(company.listing_time()),
            valid_to: last,
            share_class: company.share_class(),
            reporting_series_id: company.has_statements().then(|| id("series")),
            reporting_series_display_name: company
                .has_statements()
                .then(|| format!("{}, consolidated statements", company.name)),
        }),
    )
}

fn form_type(number: i64) -> &'static str {
    if number.rem_euclid(4) == 3 { "10-K" } else { "10-Q" }
}

pub(super) fn filings(ctx: &Context, company: &Company) -> Vec<Row> {
    (books::FIRST..=last_filed_quarter(ctx))
        .rev()
        .map(|number| {
            let seed = company.seed(ctx).named("filing").at_time(number);
            let Filing { accession, statement, revisions, .. } = filing(ctx, company, number);

            Row::new(
                seed,
                filing_time(number),
                record!(EquityFiling {
                    accession: accession.clone(),
                    form_type: form_type(number),
                    filed_on: timestamp::day_text(filing_time(number)),
                    accepted_at: filing_time(number),
                    source_observed_at: (filing_time(number) + 3_600).min(ctx.now),
                    sec_url: format!("https://filings.example/{accession}"),
                    report_periods: [timestamp::day_text(quarter_start(number + 1) - DAY)],
                    statement_types: ["income_statement", "balance_sheet", "cash_flow"],
                    normalized_statement_field_count: 72,
                    financial_metric_count: 47,
                    source_statement_ids: [statement],
                    source_revision_ids: revisions,
                }),
            )
        })
        .collect()
}

pub(super) fn latest_filings(ctx: &Context) -> Vec<Row> {
    let number = last_filed_quarter(ctx);
    COMPANIES
        .iter()
        .filter(|company| company.has_statements())
        .map(|company| {
            let Filing { accession, .. } = filing(ctx, company, number);

            Row::new(
                company.seed(ctx),
                filing_time(number),
                record!(EquityLatestFilingItem {
                    symbol: company.symbol,
                    company_name: company.name,
                    logo_url: company.logo(),
                    form_type: form_type(number),
                    report_period: timestamp::day_text(quarter_start(number + 1) - DAY),
                    filed_on: timestamp::day_text(filing_time(number)),
                    accepted_at: filing_time(number),
                    sec_url: format!("https://filings.example/{accession}"),
                    coverage_fields: ["income_statement", "balance_sheet", "cash_flow"],
                    financial_metric_count: 47,
                }),
            )
        })
        .collect()
}

/// Returns the net assets of a fund in USD at the end of quarter `number`, and its holdings, the largest first.
fn portfolio(ctx: &Context, fund: &Company, number: i64) -> (f64, Vec<Value>) {
    let time = quarter_start(number + 1) - 1;
    let mut holdings: Vec<_> = COMPANIES
        .iter()
        .filter(|company| company.has_statements())
        .map(|company| {
            let seed = fund.seed(ctx).named(company.symbol);
            let shares = (company.shares * 1e6 * seed.between(0.03, 0.08)).round();
            (company, shares, (shares * company.walk(ctx).at(time)).round())
        })
        .collect();
    holdings.sort_by(|a, b| b.2.total_cmp(&a.2));
    let total: f64 = holdings.iter().map(|(_, _, value)| value).sum();

    let holdings = holdings
        .into_iter()
        .map(|(company, shares, value)| {
            let code = Seed::new(0).named("cusip").named(company.symbol).digits(9);
            record!(EquityEtfHolding {
                ticker: company.symbol,
                name: company.name,
                logo_url: company.logo(),
                shares,
                market_value: value,
                weight: round(value / total * 100.0),
                asset_class: "equity",
                cusip: code.clone(),
                isin: format!("US{code}0"),
            })
        })
        .collect();

    (total, holdings)
}

/// Number of the newest quarters for which the scenario `expired-etf-snapshot` hides the portfolio of each fund. A fund
/// has one portfolio for each quarter.
const EXPIRED: i64 = 2;

/// Builds the response row with a fund's holdings in two quarters: the requested quarter and the quarter before it. The
/// row also lists the quarters that can be requested.
pub(super) fn holdings(ctx: &Context, args: &Args, fund: &Company) -> Result<Row, Refusal> {
    if !fund.is_fund {
        return Err(Refusal::not_found(format!("`{}` is not a fund", fund.symbol)));
    }

    let expired = if ctx.scenario.expired_portfolios { EXPIRED } else { 0 };
    let newest = last_filed_quarter(ctx) - expired;
    let as_of = |number: i64| timestamp::day_text(quarter_start(number + 1) - DAY);
    let quarters: Vec<i64> = (newest - 7..=newest).rev().collect();
    let selected = match args.text("as_of") {
        None => newest,
        Some(day) => *quarters.iter().find(|number| as_of(**number) == day).ok_or_else(|| {
            Refusal::not_found(format!("the fund `{}` has no portfolio for `{day}`", fund.symbol))
        })?,
    };
    let class = args.text("asset_class");
    let size = |name: &str| usize::try_from(args.integer(name).unwrap_or(0)).unwrap_or(usize::MAX);
    let (limit, offset) = (size("limit"), size("offset"));

    let snapshots: Vec<_> = [selected, selected - 1]
        .into_iter()
        .map(|number| {
            let (total, holdings) = portfolio(ctx, fund, number);
            let count = holdings.len();
            let page: Vec<_> = holdings
                .into_iter()
                .filter(|holding| class.is_none_or(|class| holding["asset_class"] == class))
                .skip(offset)
                .take(limit)
                .collect();

            record!(EquityEtfSnapshot {
                fund: record!(EquityEtfFund {
                    name: fund.name,
                    cik: fund.cik(),
                    asset_class: "equity",
                    as_of: as_of(number),
                    filing_date: timestamp::day_text(statements::filing_time(number)),
                    source: "N-PORT",
                    total_net_assets: total,
                    total_holdings: count,
                    returned: page.len(),
                    offset,
                }),
                holdings: page,
            })
        })
        .collect();

    let periods: Vec<_> = quarters
        .iter()
        .map(|number| {
            record!(EquityEtfPeriod {
                year: number.div_euclid(4),
                quarter: number.rem_euclid(4) + 1,
                as_of: as_of(*number),
            })
        })
        .collect();

    Ok(Row::new(
        fund.seed(ctx),
        ctx.now,
        record!(EquityEtfHoldingsResponse {
            symbol: fund.symbol,
            available_periods: periods,
            snapshots,
        }),
    ))
}
