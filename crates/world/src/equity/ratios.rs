//! Financial ratios, margins and growth rates, computed from statements and prices.
//!
//! The input is a company and a reporting period. The output is the fields of a response row.

use crate::context::Context;
use crate::equity::books::Quarter;
use crate::equity::company::{COMPANIES, Company};
use crate::equity::statement_cells::{self, Cell, usd};
use crate::equity::statements::{self, Period, shares};
use crate::record::record;
use crate::row::Row;
use crate::timestamp;

fn gross_profit(q: &Quarter) -> i64 {
    q.revenue - q.cost
}

fn ebitda(q: &Quarter) -> i64 {
    q.operating_income() + q.depreciation
}

fn free_cash_flow(q: &Quarter) -> i64 {
    q.operating_cash - q.capex
}

pub(super) fn metrics(company: &Company, period: &Period) -> Vec<(&'static str, Cell)> {
    let (q, before) = (&period.quarter, period.year_before.as_ref());
    let share = |a: i64, b: i64| Cell::ratio(usd(a), usd(b));
    let growth = |f: fn(&Quarter) -> i64| Cell::growth(usd(f(q)), before.map(|b| usd(f(b))));
    let of_goods = |cell: Cell| {
        if company.is_bank { Cell::NotApplicable("bank_statement_format") } else { cell }
    };

    let cap = period.price() * shares(q);
    let value = cap + usd(q.debt - q.cash);
    let eps = usd(q.net_income) / shares(q);
    let eps_before = before.map(|b| usd(b.net_income) / shares(b));
    let working_capital = q.current_assets() - q.current_liabilities();
    #[expect(clippy::cast_precision_loss, reason = "at most four quarters")]
    let days = period.length as f64 * 91.25;

    let mut cells = vec![
        ("market_cap", Cell::Derived(cap)),
        ("enterprise_value", Cell::Derived(value)),
        ("enterprise_value_to_ebitda_ratio", Cell::ratio(value, usd(ebitda(q)))),
        ("enterprise_value_to_revenue_ratio", Cell::ratio(value, usd(q.revenue))),
        ("price_to_earnings_ratio", Cell::ratio(cap, usd(q.net_income))),
        ("price_to_sales_ratio", Cell::ratio(cap, usd(q.revenue))),
        ("price_to_book_ratio", Cell::ratio(cap, usd(q.equity()))),
        ("peg_ratio", Cell::Missing("forecast_missing")),
        ("earnings_per_share", Cell::Derived(eps)),
        ("earnings_per_share_growth", Cell::growth(eps, eps_before)),
        ("book_value_per_share", Cell::Derived(usd(q.equity()) / shares(q))),
        ("free_cash_flow_per_share", Cell::Derived(usd(free_cash_flow(q)) / shares(q))),
        ("operating_cash_flow_per_share", Cell::Derived(usd(q.operating_cash) / shares(q))),
        ("change_in_cash_per_share", Cell::Derived(usd(q.cash - q.beginning_cash) / shares(q))),
    ];

    cells.extend([
        ("gross_margin", of_goods(share(gross_profit(q), q.revenue))),
        ("operating_margin", share(q.operating_income(), q.revenue)),
        ("ebit_margin", share(q.operating_income(), q.revenue)),
        ("ebitda_margin", share(ebitda(q), q.revenue)),
        ("net_margin", share(q.net_income, q.revenue)),
        ("free_cash_flow_margin", share(free_cash_flow(q), q.revenue)),
        ("free_cash_flow_yield", Cell::ratio(usd(free_cash_flow(q)), cap)),
        ("ebitda", Cell::Derived(usd(ebitda(q)))),
        ("net_debt", Cell::Derived(usd(q.debt - q.cash))),
        ("revenue_growth", growth(|q| q.revenue)),
        ("earnings_growth", growth(|q| q.net_income)),
        ("operating_income_growth", growth(Quarter::operating_income)),
        ("ebitda_growth", growth(ebitda)),
        ("free_cash_flow_growth", growth(free_cash_flow)),
        ("book_value_growth", growth(Quarter::equity)),
    ]);

    cells.extend([
        ("return_on_assets", share(q.net_income, q.assets())),
        ("return_on_equity", share(q.net_income, q.equity())),
        ("return_on_invested_capital", share(q.operating_income() - q.tax, q.equity() + q.debt)),
        ("asset_turnover", share(q.revenue, q.assets())),
        ("inventory_turnover", of_goods(share(q.cost, q.inventory))),
        ("receivables_turnover", share(q.revenue, q.receivables)),
        ("working_capital_turnover", share(q.revenue, working_capital)),
        ("days_sales_outstanding", Cell::ratio(usd(q.receivables) * days, usd(q.revenue))),
        (
            "operating_cycle",
            of_goods(Cell::ratio(
                usd(q.receivables) * days
                    + usd(q.inventory) * days * usd(q.revenue) / usd(q.cost).max(1.0),
                usd(q.revenue),
            )),
        ),
    ]);

    cells.extend([
        ("current_ratio", share(q.current_assets(), q.current_liabilities())),
        ("quick_ratio", share(q.cash + q.receivables, q.current_liabilities())),
        ("cash_ratio", share(q.cash, q.current_liabilities())),
        ("operating_cash_flow_ratio", share(q.operating_cash, q.current_liabilities())),
        ("debt_to_assets", share(q.debt, q.assets())),
        ("debt_to_equity", share(q.debt, q.equity())),
        ("liabilities_to_assets", share(q.liabilities(), q.assets())),
        ("interest_coverage", share(q.operating_income(), q.interest)),
        ("payout_ratio", share(q.dividends, q.net_income)),
    ]);

    cells
}

/// Returns the fields of a company overview. The fields are selected from the three financial statements and the
/// metrics.
pub(super) fn overview(company: &Company, period: &Period) -> Vec<(&'static str, Cell)> {
    const SHOWN: &[&str] = &[
        "cash_and_equivalents",
        "current_ratio",
        "debt_to_equity",
        "ebit",
        "ebit_margin",
        "ebitda",
        "ebitda_margin",
        "eps_basic",
        "eps_diluted",
        "free_cash_flow",
        "gross_margin",
        "gross_profit",
    ];
    let mut cells = Vec::new();
    for source in [statements::income, statements::balance, statements::cash_flow, metrics] {
        cells.extend(source(company, period).into_iter().filter(|(name, _)| SHOWN.contains(name)));
    }

    cells
}

/// Returns one row for each company that publishes statements, with metrics of the last twelve reported months.
pub(super) fn latest(ctx: &Context) -> Vec<Row> {
    COMPANIES
        .iter()
        .filter(|company| company.has_statements())
        .filter_map(|company| {
            let period = statements::periods(ctx, company, "ttm").next()?;
            let number = period.quarter.number;
            let wanted = [
                ("revenue_growth", "revenue_growth"),
                ("gross_margin", "gross_margin"),
                ("operating_margin", "operating_margin"),
                ("return_on_equity", "return_on_equity"),
                ("price_to_earnings_ratio", "pe_ttm"),
            ];
            let all = metrics(company, &period);

            let mut cells: Vec<_> = wanted
                .iter()
                .filter_map(|(from, to)| Some((*to, all.iter().find(|(name, _)| name == from)?.1)))
                .collect();
            cells.push(("free_cash_flow", Cell::Derived(usd(free_cash_flow(&period.quarter)))));

            let mut row = Row::new(
                company.seed(ctx),
                statements::filing_time(number),
                record!(EquityLatestFinancialsItem {
                    symbol: company.symbol,
                    company_name: company.name,
                    logo_url: company.logo(),
                    report_period: timestamp::day_text(
                        statements::quarter_start(number + 1) - timestamp::DAY
                    ),
                    filed_on: timestamp::day_text(statements::filing_time(number)),
                    period_start: timestamp::day_text(statements::quarter_start(number - 3)),
                    duration_months: 12,
                    duration_days: (statements::quarter_start(number + 1)
                        - statements::quarter_start(number - 3))
                        / timestamp::DAY,
                    source_updated_at: statements::filing_time(number),
                }),
            );

            let filing = statements::filing(ctx, company, number);
            statement_cells::write(&mut row.given, cells, &filing);
            Some(row)
        })
        .collect()
}
