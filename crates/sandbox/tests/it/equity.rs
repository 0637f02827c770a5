//! Tests that the items of a company's financial statements add up, and that ratios follow from the statements.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::support::Bench;

pub(crate) const COMPANIES: [&str; 4] = ["AAPL", "NVDA", "TSLA", "JPM"];

/// Returns the rows of the operation `id` for a company. The keys of the map are the values of the field
/// `report_period`, which is the end date of the reporting period.
async fn all(bench: &Bench, id: &str, symbol: &str, period: &str) -> BTreeMap<String, Value> {
    let more = [("symbol", json!(symbol)), ("period", json!(period)), ("limit", json!(100))];
    let answer = bench.example(id, &more).await.json;
    let rows = answer["data"].as_array().unwrap_or_else(|| panic!("{id} {symbol}: {answer}"));
    assert!(rows.len() > 5, "{id} {symbol}");
    rows.iter()
        .map(|row| (row["report_period"].as_str().unwrap().to_owned(), row.clone()))
        .collect()
}

/// Returns the number in a cell of a row, such as `revenue` of an income statement. Panics if the cell has no value.
#[track_caller]
fn number(row: &Value, name: &str) -> f64 {
    row[name]["value"].as_f64().unwrap_or_else(|| panic!("{name}: {}", row[name]))
}

#[track_caller]
fn same(a: f64, b: f64, what: &str) {
    assert!((a - b).abs() <= 1e-9 * a.abs().max(b.abs()), "{what}: {a} and {b}");
}

#[tokio::test]
async fn balances_balance_and_cash_flows_into_them() {
    let bench = Bench::start().await;
    for symbol in COMPANIES {
        statements_add_up(&bench, symbol).await;
    }
}

/// Checks that the balance sheet, cash flow and income statement of a company add up in each quarter.
pub(crate) async fn statements_add_up(bench: &Bench, symbol: &str) {
    let balances = all(bench, "equity-balance-sheet", symbol, "quarterly").await;
    let flows = all(bench, "equity-cash-flow", symbol, "quarterly").await;
    let incomes = all(bench, "equity-income-statement", symbol, "quarterly").await;

    for (end, sheet) in &balances {
        let what = format!("{symbol} {end}");
        let sum = |names: &[&str]| names.iter().map(|name| number(sheet, name)).sum::<f64>();
        same(
            number(sheet, "total_assets"),
            sum(&["total_liabilities", "shareholders_equity"]),
            &what,
        );
        same(number(sheet, "total_assets"), sum(&["current_assets", "non_current_assets"]), &what);
        same(
            number(sheet, "total_liabilities"),
            sum(&["current_liabilities", "non_current_liabilities"]),
            &what,
        );
        same(number(sheet, "liabilities_and_equity"), number(sheet, "total_assets"), &what);
        let flow = &flows[end];
        same(number(flow, "ending_cash"), number(sheet, "cash_and_equivalents"), &what);

        let moved: f64 =
            ["operating_cash_flow", "investing_cash_flow", "financing_cash_flow", "fx_effect"]
                .iter()
                .map(|name| number(flow, name))
                .sum();
        same(number(flow, "change_in_cash"), moved, &what);
        same(number(flow, "ending_cash"), number(flow, "beginning_cash") + moved, &what);
        let income = &incomes[end];
        same(number(flow, "net_income"), number(income, "net_income"), &what);

        same(
            number(income, "operating_income"),
            number(income, "revenue") - number(income, "total_operating_costs"),
            &what,
        );
        same(
            number(income, "eps_basic"),
            number(income, "net_income") / number(income, "weighted_average_shares"),
            &what,
        );
    }
}

#[tokio::test]
async fn periods_sum_and_growth_follows_from_what_is_shown() {
    let bench = Bench::start().await;
    let id = "equity-income-statement";
    for symbol in COMPANIES {
        let quarters = all(&bench, id, symbol, "quarterly").await;
        let quarter_values: Vec<&Value> = quarters.values().collect();
        for (kind, length) in [("annual", 4), ("ttm", 4)] {
            for (end, row) in all(&bench, id, symbol, kind).await {
                let place = quarters.keys().position(|key| *key == end).unwrap();
                let sum: f64 = quarter_values[place + 1 - length..=place]
                    .iter()
                    .map(|q| number(q, "revenue"))
                    .sum();
                same(number(&row, "revenue"), sum, &format!("{symbol} {kind} {end}"));
            }
        }

        for pair in quarter_values.windows(5) {
            let growth = &pair[4]["revenue_yoy"];
            same(
                growth["value"].as_f64().unwrap(),
                number(pair[4], "revenue") / number(pair[0], "revenue") - 1.0,
                symbol,
            );
            assert_eq!(growth["value_origin"], "derived");
        }

        assert_eq!(quarter_values[0]["revenue_yoy"]["status"], "missing");
        assert_eq!(quarter_values[0]["revenue_yoy"]["reason_code"], "prior_period_missing");
    }
}

#[tokio::test]
async fn metrics_follow_from_statements_and_prices() {
    let bench = Bench::start().await;
    for symbol in COMPANIES {
        let metrics = all(&bench, "equity-metrics", symbol, "ttm").await;
        let incomes = all(&bench, "equity-income-statement", symbol, "ttm").await;
        let sheets = all(&bench, "equity-balance-sheet", symbol, "ttm").await;

        for (end, row) in &metrics {
            let (income, sheet) = (&incomes[end], &sheets[end]);
            same(
                number(row, "net_margin"),
                number(income, "net_income") / number(income, "revenue"),
                symbol,
            );
            same(
                number(row, "debt_to_assets"),
                number(sheet, "total_debt") / number(sheet, "total_assets"),
                symbol,
            );

            same(
                number(row, "price_to_book_ratio"),
                number(row, "market_cap") / number(sheet, "shareholders_equity"),
                symbol,
            );
        }

        let overview = bench
            .example("equity-overview", &[("symbol", json!(symbol)), ("period", json!("ttm"))])
            .await
            .json;
        let end = overview["data"]["report_period"].as_str().unwrap();
        same(number(&overview["data"], "ebitda"), number(&incomes[end], "ebitda"), symbol);
    }
}

#[tokio::test]
async fn a_bank_has_cells_that_do_not_apply() {
    let bench = Bench::start().await;
    let bank = all(&bench, "equity-balance-sheet", "JPM", "annual").await;
    let maker = all(&bench, "equity-balance-sheet", "AAPL", "annual").await;
    for (end, sheet) in &bank {
        assert_eq!(sheet["inventory"]["status"], "not_applicable");
        assert!(sheet["deposit_liabilities"]["value"].is_number());
        assert_eq!(maker[end]["deposit_liabilities"]["status"], "not_applicable");
        assert_eq!(maker[end]["tax_assets"]["status"], "missing");
    }
}

#[tokio::test]
async fn funds_hold_companies_and_publish_no_statements() {
    let bench = Bench::start().await;
    let seen = bench.example("equity-income-statement", &[("symbol", json!("SPY"))]).await;
    assert_eq!(seen.status, 404);
    assert_eq!(seen.json["error"]["financial_serving_reason"], "reporting_series_missing");
    let data = bench.example("equity-etf-holdings", &[]).await.json["data"].clone();
    let newest = &data["snapshots"][0];
    let holdings = newest["holdings"].as_array().unwrap();
    let sum = |name: &str| holdings.iter().map(|h| h[name].as_f64().unwrap()).sum::<f64>();
    assert!((sum("weight") - 100.0).abs() < 1e-3);
    assert_eq!(sum("market_value"), newest["fund"]["total_net_assets"].as_f64().unwrap());
    assert_eq!(newest["fund"]["as_of"], data["available_periods"][0]["as_of"]);
}
