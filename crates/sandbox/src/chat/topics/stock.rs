//! Topics about a listed company or fund.

use crypto_intel_api::generated::catalogue;

use crate::chat::fill::Fill;
use crate::chat::topic::About::Company;
use crate::chat::topic::Unit::{Number, Percent, Text, Usd};
use crate::chat::topic::{Fact, Show, Topic, topic};

pub(super) static TOPICS: &[Topic] = &[
    topic(
        Company,
        "income statement",
        &["revenue", "income", "earnings", "earn", "profit", "eps", "margin", "margins", "sales"],
        &catalogue::EQUITY_INCOME_STATEMENT,
        &[("symbol", Fill::Symbol), ("limit", Fill::Given("1"))],
        Show::Facts(&[
            Fact("/data/0/report_period", "Period ends", Text),
            Fact("/data/0/revenue/value", "Revenue", Usd),
            Fact("/data/0/operating_income/value", "Operating income", Usd),
            Fact("/data/0/net_income/value", "Net income", Usd),
            Fact("/data/0/eps_diluted/value", "Earnings a share", Usd),
        ]),
    )
    .unasked(2),
    topic(
        Company,
        "balance sheet",
        &["balance", "balance sheet", "debt", "assets", "liabilities", "equity", "cash"],
        &catalogue::EQUITY_BALANCE_SHEET,
        &[("symbol", Fill::Symbol), ("limit", Fill::Given("1"))],
        Show::Facts(&[
            Fact("/data/0/report_period", "Period ends", Text),
            Fact("/data/0/total_assets/value", "Assets", Usd),
            Fact("/data/0/total_debt/value", "Debt", Usd),
            Fact("/data/0/cash_and_equivalents/value", "Cash", Usd),
        ]),
    )
    .unasked(4),
    topic(
        Company,
        "cash flow",
        &["cash flow", "free cash flow", "capex"],
        &catalogue::EQUITY_CASH_FLOW,
        &[("symbol", Fill::Symbol), ("limit", Fill::Given("1"))],
        Show::Facts(&[
            Fact("/data/0/report_period", "Period ends", Text),
            Fact("/data/0/operating_cash_flow/value", "From operations", Usd),
            Fact("/data/0/free_cash_flow/value", "Free cash flow", Usd),
        ]),
    )
    .unasked(5),
    topic(
        Company,
        "metrics",
        &["valuation", "pe", "p e", "ratio", "ratios", "metrics", "multiple"],
        &catalogue::EQUITY_METRICS,
        &[("symbol", Fill::Symbol), ("limit", Fill::Given("1"))],
        Show::Facts(&[
            Fact("/data/0/market_cap/value", "Market value", Usd),
            Fact("/data/0/price_to_earnings_ratio/value", "Price to earnings", Number),
            Fact("/data/0/return_on_equity/value", "Return on equity", Number),
        ]),
    )
    .unasked(3),
    topic(
        Company,
        "filings",
        &["filing", "filings", "10 k", "10 q", "sec"],
        &catalogue::EQUITY_FILINGS,
        &[("symbol", Fill::Symbol), ("limit", Fill::Rows)],
        Show::Rows(
            "/data",
            &[
                Fact("/form_type", "Form", Text),
                Fact("/filed_on", "Filed on", Text),
                Fact("/accession", "Accession", Text),
            ],
        ),
    )
    .unasked(7),
    topic(
        Company,
        "holdings",
        &["holdings", "holds", "portfolio", "constituents"],
        &catalogue::EQUITY_ETF_HOLDINGS,
        &[("symbol", Fill::Symbol)],
        Show::Rows(
            "/data/snapshots/0/holdings",
            &[
                Fact("/ticker", "Ticker", Text),
                Fact("/weight", "Weight", Percent),
                Fact("/market_value", "Value", Usd),
            ],
        ),
    )
    .unasked(2),
    topic(
        Company,
        "profile",
        &["what is", "about", "explain", "who", "sector", "industry", "company", "overview"],
        &catalogue::EQUITY_PROFILE,
        &[("symbol", Fill::Symbol)],
        Show::Facts(&[
            Fact("/data/company_name", "Name", Text),
            Fact("/data/sector", "Sector", Text),
            Fact("/data/industry", "Industry", Text),
            Fact("/data/exchange", "Exchange", Text),
        ]),
    )
    .unasked(6),
    topic(
        Company,
        "price",
        &["price", "stock", "share", "shares", "worth", "trading", "today"],
        &catalogue::EQUITY_PRICE,
        &[("symbol", Fill::Symbol)],
        Show::Facts(&[
            Fact("/data/price", "Price", Usd),
            Fact("/data/day_change_percent", "Day", Percent),
        ]),
    )
    .unasked(1),
];
