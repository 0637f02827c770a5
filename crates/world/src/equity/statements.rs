//! Income statement, balance sheet and cash flow statement of a company for a reporting period.

use std::rc::Rc;

use crate::args::Args;
use crate::context::Context;
use crate::equity::books::{self, Quarter};
use crate::equity::company::Company;
use crate::equity::statement_cells::{self, Cell, Filing, Standing, usd};
use crate::price::Walk;
use crate::record::{member, record};
use crate::row::Row;
use crate::timestamp::{self, DAY};
use crate::value::Value;

/// Days from the end of a quarter until companies file their statements for this quarter.
const FILED_AFTER: i64 = 35;

/// A reporting period of a company: the sum of its quarters, and the sum of the same quarters one year earlier.
#[derive(Debug, Clone, Copy)]
pub(super) struct Period {
    pub(super) quarter: Quarter,
    pub(super) year_before: Option<Quarter>,
    /// Number of quarters in the period.
    pub(super) length: usize,
    walk: Walk,
}

impl Period {
    /// Returns the share price at the end of the period, in USD. The price is computed on demand, because few
    /// statements contain it.
    pub(super) fn price(&self) -> f64 {
        self.walk.at(quarter_start(self.quarter.number + 1) - 1)
    }
}

type Cells = fn(&Company, &Period) -> Vec<(&'static str, Cell)>;

/// Returns the start of quarter `number`, in Unix seconds.
pub(super) fn quarter_start(number: i64) -> i64 {
    let (year, month) = (number.div_euclid(4), number.rem_euclid(4) * 3 + 1);
    timestamp::read_day(&format!("{year:04}-{month:02}-01")).unwrap_or(0)
}

/// Returns the Unix time at which companies file their statements for quarter `number`.
pub(super) fn filing_time(number: i64) -> i64 {
    quarter_start(number + 1) + FILED_AFTER * DAY
}

/// Returns the filing of a company for a quarter. `number` is `year * 4 + quarter - 1`, as in [`Quarter`].
pub(super) fn filing(ctx: &Context, company: &Company, number: i64) -> Filing {
    let year = timestamp::date(filing_time(number)).year().rem_euclid(100);
    let seed = company.seed(ctx).named("filing").at_time(number);
    let standing = Standing::new(company, number, last_filed_quarter(ctx));
    let mut revisions = vec![seed.named("revision").uuid()];
    if standing == Standing::Restated {
        revisions.push(seed.named("restated").uuid());
    }
    Filing {
        accession: format!("{}-{year:02}-{:06}", company.cik(), number % 1_000_000),
        statement: seed.named("statement").uuid(),
        revisions,
        standing,
    }
}

/// Returns the newest quarter for which companies have filed statements, as the number `year * 4 + quarter - 1`.
pub(super) fn last_filed_quarter(ctx: &Context) -> i64 {
    let date = timestamp::date(ctx.now);
    let mut number = i64::from(date.year()) * 4 + i64::from((date.month() - 1) / 3);
    while filing_time(number) > ctx.now {
        number -= 1;
    }
    number
}

/// Returns all reporting periods of one kind (`quarterly`, `ytd`, `annual` or `ttm`) of a company, newest first.
pub(super) fn periods(
    ctx: &Context,
    company: &Company,
    kind: &str,
) -> impl Iterator<Item = Period> {
    let books = books::build(company, company.seed(ctx).named("books"), last_filed_quarter(ctx));
    let walk = company.walk(ctx);
    let kind = kind.to_owned();

    (0..books.len()).rev().filter_map(move |end| {
        let stretch = |end| period_quarters(&books, end, &kind);
        let quarters = stretch(end)?;
        let quarter = books::merge(quarters)?;
        let year_before = end.checked_sub(4).and_then(stretch).and_then(books::merge);
        Some(Period { quarter, year_before, length: quarters.len(), walk })
    })
}

/// Returns the quarters of the reporting period that ends with the quarter `books[end]`. `kind` is the kind of period,
/// for example `annual`. Returns `None` if no complete period of this kind ends with this quarter: for example, an
/// `annual` period must end with a fourth quarter.
fn period_quarters<'a>(books: &'a [Quarter], end: usize, kind: &str) -> Option<&'a [Quarter]> {
    let place = books.get(end)?.number.rem_euclid(4);
    let length = match kind {
        "ytd" => usize::try_from(place).ok()? + 1,
        "annual" if place == 3 => 4,
        "ttm" => 4,
        "annual" => return None,
        _ => 1,
    };
    books.get((end + 1).checked_sub(length)?..=end)
}

/// Returns the response rows of a statement, one for each reporting period, newest first.
pub(super) fn rows(
    ctx: &Context,
    args: &Args,
    company: &'static Company,
    cells: Cells,
) -> Vec<Row> {
    let kind: Rc<str> = args.text("period").unwrap_or("quarterly").into();
    // A newer filing can change the status of older filings, so the cache key contains the newest quarter.
    let view = format!("{} {kind} {}", args.operation.id, last_filed_quarter(ctx));
    let is_income = args.operation.id == "equity-income-statement";

    periods(ctx, company, &kind)
        .map(|period| {
            let number = period.quarter.number;
            let seed = company.seed(ctx).named("filing").at_time(number);
            let known = record!(EquityOverviewItem { symbol: company.symbol, period: &*kind });
            let (filed, at, kind) = (filing_time(number), *ctx, Rc::clone(&kind));
            let rest = move || {
                let mut given = statement(&at, company, &kind, &period, cells);
                if is_income {
                    given[member!(EquityIncomeStatementItem.eps_calculation_method)] =
                        "net_income_divided_by_shares".into();
                }
                given
            };
            Row::lazy(seed, filed, known, rest).cacheable(ctx, &view)
        })
        .collect()
}

fn statement(ctx: &Context, company: &Company, kind: &str, period: &Period, cells: Cells) -> Value {
    let number = period.quarter.number;
    let (end, filed) = (quarter_start(number + 1) - DAY, filing_time(number));
    let first = number + 1 - i64::try_from(period.length).unwrap_or(1);
    let (start, place) = (quarter_start(first), number.rem_euclid(4) + 1);
    let fiscal_period: Value =
        if kind == "annual" { "FY".into() } else { format!("Q{place}").into() };

    let mut given = record!(EquityOverviewItem {
        symbol: company.symbol,
        currency: "USD",
        period: kind,
        report_period: timestamp::day_text(end),
        period_start: timestamp::day_text(start),
        fiscal_year: number.div_euclid(4),
        fiscal_quarter: place,
        fiscal_period,
        duration_days: (end - start) / DAY + 1,
        duration_months: period.length * 3,
        calculated_at: filed,
        source_updated_at: filed,
        formula_version: "f3",
    });
    if let Some(members) = given.as_object_mut() {
        statement_cells::write(members, cells(company, period), &filing(ctx, company, number));
    }

    given
}

#[expect(clippy::cast_precision_loss, reason = "thousands of shares")]
pub(super) fn shares(quarter: &Quarter) -> f64 {
    (quarter.shares * 1_000) as f64
}

/// Returns [`Cell::NotApplicable`] for a bank, and `cell` for any other company. Callers use this function for values
/// that banks do not report.
fn unless_bank(company: &Company, cell: Cell) -> Cell {
    if company.is_bank { Cell::NotApplicable("bank_statement_format") } else { cell }
}

pub(super) fn income(company: &Company, period: &Period) -> Vec<(&'static str, Cell)> {
    let (q, before) = (&period.quarter, period.year_before.as_ref());
    let growth =
        |figure: fn(&Quarter) -> i64| Cell::growth(usd(figure(q)), before.map(|b| usd(figure(b))));
    let (operating, net) = (q.operating_income(), usd(q.net_income));

    let mut cells = vec![
        ("revenue", Cell::usd(q.revenue)),
        ("revenue_yoy", growth(|q| q.revenue)),
        ("cost_of_revenue", unless_bank(company, Cell::usd(q.cost))),
        ("gross_profit", unless_bank(company, Cell::usd(q.revenue - q.cost))),
        (
            "research_and_development",
            if company.research_share > 0.0 {
                Cell::usd(q.research)
            } else {
                Cell::Missing("not_reported")
            },
        ),
        ("sga_expense", Cell::usd(q.sga)),
        ("operating_expense", Cell::usd(q.research + q.sga)),
        ("total_operating_costs", Cell::usd(q.cost + q.research + q.sga)),
    ];

    cells.extend([
        ("operating_income", Cell::usd(operating)),
        ("operating_income_yoy", growth(Quarter::operating_income)),
        ("ebit", Cell::Derived(usd(operating))),
        ("ebitda", Cell::Derived(usd(operating + q.depreciation))),
        ("interest_expense", Cell::usd(q.interest)),
        ("income_tax_expense", Cell::usd(q.tax)),
        ("net_income", Cell::usd(q.net_income)),
        ("net_income_yoy", growth(|q| q.net_income)),
        ("net_income_common_stock", Cell::usd(q.net_income)),
        ("net_income_discontinued_operations", Cell::Missing("not_reported")),
        (
            "net_income_non_controlling_interests",
            Cell::NotApplicable("no_non_controlling_interests"),
        ),
        ("weighted_average_shares", Cell::Reported(shares(q))),
        ("weighted_average_shares_diluted", Cell::Reported(shares(q) * 1.01)),
        ("eps_basic", Cell::Derived(net / shares(q))),
        ("eps_diluted", Cell::Derived(net / (shares(q) * 1.01))),
        ("dividends_per_common_share", Cell::Derived(usd(q.dividends) / shares(q))),
    ]);

    cells
}

pub(super) fn balance(company: &Company, period: &Period) -> Vec<(&'static str, Cell)> {
    let q = &period.quarter;
    let zero = || Cell::Missing("not_reported");

    let mut cells = vec![
        ("cash_and_equivalents", Cell::usd(q.cash)),
        ("receivables", Cell::usd(q.receivables)),
        ("inventory", unless_bank(company, Cell::usd(q.inventory))),
        ("current_investments", zero()),
        ("current_assets", Cell::usd(q.current_assets())),
        ("property_plant_and_equipment", Cell::usd(q.property)),
        ("goodwill_and_intangible_assets", Cell::usd(q.goodwill)),
        ("non_current_investments", Cell::usd(q.investments)),
        ("other_non_current_assets", Cell::usd(0)),
        ("non_current_assets", Cell::usd(q.assets() - q.current_assets())),
        ("tax_assets", zero()),
        ("total_assets", Cell::usd(q.assets())),
    ];

    cells.extend([
        ("payables", Cell::usd(q.payables)),
        ("deferred_revenue", unless_bank(company, Cell::usd(q.deferred))),
        (
            "deposit_liabilities",
            if company.is_bank { Cell::usd(q.deferred) } else { Cell::NotApplicable("not_a_bank") },
        ),
        ("current_debt", Cell::usd(q.current_debt())),
        ("other_current_liabilities", Cell::usd(0)),
        ("current_liabilities", Cell::usd(q.current_liabilities())),
        ("non_current_debt", Cell::usd(q.debt - q.current_debt())),
        ("other_non_current_liabilities", Cell::usd(0)),
        ("non_current_liabilities", Cell::usd(q.liabilities() - q.current_liabilities())),
        ("tax_liabilities", zero()),
        ("total_liabilities", Cell::usd(q.liabilities())),
    ]);

    cells.extend([
        ("retained_earnings", Cell::usd(q.retained)),
        ("accumulated_oci", Cell::usd(q.oci)),
        ("shareholders_equity", Cell::usd(q.equity())),
        ("liabilities_and_equity", Cell::usd(q.liabilities() + q.equity())),
        ("total_debt", Cell::Derived(usd(q.debt))),
        ("net_debt", Cell::Derived(usd(q.debt - q.cash))),
        ("working_capital", Cell::Derived(usd(q.current_assets() - q.current_liabilities()))),
        ("outstanding_shares", Cell::Reported(shares(q))),
    ]);

    cells
}

pub(super) fn cash_flow(_: &Company, period: &Period) -> Vec<(&'static str, Cell)> {
    let q = &period.quarter;
    let financing = q.debt_issued + q.equity_issued - q.dividends;
    vec![
        ("net_income", Cell::usd(q.net_income)),
        ("depreciation_and_amortization", Cell::usd(q.depreciation)),
        ("share_based_compensation", Cell::usd(q.stock_compensation)),
        ("operating_cash_flow", Cell::usd(q.operating_cash)),
        ("capital_expenditure", Cell::usd(-q.capex)),
        ("business_acquisitions_and_disposals", Cell::usd(-q.acquisitions)),
        ("investment_acquisitions_and_disposals", Cell::usd(-q.investment_purchases)),
        ("investing_cash_flow", Cell::usd(-q.capex - q.acquisitions - q.investment_purchases)),
        ("debt_issuance_repayment", Cell::usd(q.debt_issued)),
        ("equity_issuance_purchase", Cell::usd(q.equity_issued)),
        ("dividends_and_distributions", Cell::usd(-q.dividends)),
        ("financing_cash_flow", Cell::usd(financing)),
        ("fx_effect", Cell::usd(q.fx)),
        ("change_in_cash", Cell::usd(q.cash - q.beginning_cash)),
        ("beginning_cash", Cell::usd(q.beginning_cash)),
        ("ending_cash", Cell::usd(q.cash)),
        ("free_cash_flow", Cell::Derived(usd(q.operating_cash - q.capex))),
    ]
}
