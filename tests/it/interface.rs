//! Tests that the generated code matches the service's prose documentation: operations, parameters, enum values
//! and record fields.
//!
//! The tests also fail if a generated file is edited by hand.

mod records;

use std::collections::BTreeSet;

use crypto_intel_api::generated::catalogue::{OPERATIONS, PLANS, TOP_UPS};
use crypto_intel_api::generated::{chat, equity, hyperliquid, onchain, search, shared};
use crypto_intel_core::{
    Answer, MetricValue, Operation, Paging, Param, ParamKind, Price, Provenance, Record,
};

fn operation(id: &str) -> &'static Operation {
    OPERATIONS.iter().find(|one| one.id == id).unwrap_or_else(|| panic!("no operation `{id}`"))
}

fn param(id: &str, name: &str) -> &'static Param {
    operation(id).param(name).unwrap_or_else(|| panic!("`{id}` has no `{name}`")).1
}

/// Returns the default, the minimum and the maximum of an integer parameter.
fn whole_number(param: &Param) -> (Option<&str>, Option<i64>, Option<i64>) {
    let ParamKind::Integer { min, max } = param.kind else { panic!("{param:?}") };
    (param.default, min, max)
}

#[test]
fn records_have_the_fields_that_the_interface_shows() {
    let mut faults = Vec::new();
    for (record, fields, stated) in records::RECORDS {
        for mark in stated.split_whitespace() {
            let name = mark.trim_start_matches(['?', '~']);
            match fields.iter().find(|field| field.name == name) {
                None => faults.push(format!("{record} has no `{name}`")),
                Some(field)
                    if !mark.starts_with('~') && field.expected == mark.starts_with('?') =>
                {
                    faults.push(format!("{record}.{name}: required is {}", field.expected));
                }
                Some(_) => {}
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// Tests the fields of the record `MetricValue` (a number of a financial statement). The record is hand-written.
#[test]
fn figures_of_statements_have_the_fields_of_the_interface() {
    let names: Vec<_> = MetricValue::FIELDS.iter().map(|field| field.name).collect();
    for name in "value status value_origin reason_code quality_reason_codes formula_version \
        applicability_version source_accessions source_financial_metric_snapshot_ids source_revision_ids \
        source_statement_ids"
        .split_whitespace()
    {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
}

#[test]
fn enums_have_the_values_that_the_interface_shows() {
    let periods = "quarterly annual ttm";
    let statement_periods = "quarterly ytd annual ttm";

    let chat = [
        (
            chat::ChatCompletionsRequestModel::KNOWN,
            "svc-ask svc-research svc-1.5 svc-1.5-instant svc-1.5-thinking",
        ),
        (chat::ChatCompletionsRequestReasoningEffort::KNOWN, "low medium high"),
        (
            chat::ChatCompletionsRequestAbility::KNOWN,
            "search evm_onchain solana_onchain market_analysis calculate",
        ),
        (chat::ChatCompletionsRequestCitation::KNOWN, "source chart"),
        // `tool` is an assumption. Standard clients send the result of a function with this role.
        (chat::ChatMessageRole::KNOWN, "system user assistant tool"),
        (chat::ChatToolType::KNOWN, "function"),
        (chat::ChatChoiceFinishReason::KNOWN, "stop length tool_calls content_filter error"),
        (chat::ResponsesRequestModel::KNOWN, "svc-2.0 svc-2.0-instant"),
        (chat::ResponsesReasoningEffort::KNOWN, "none minimal low medium high xhigh"),
    ];

    let data = [
        (onchain::SqlJobStatus::KNOWN, "queued running succeeded failed canceled"),
        (onchain::StructuredFilterOp::KNOWN, "eq neq gt gte lt lte like in not_in"),
        (onchain::StructuredSortOrder::KNOWN, "asc desc"),
        (shared::Order::KNOWN, "asc desc"),
        (
            search::AirdropSearchItemStatus::KNOWN,
            "POTENTIAL CONFIRMED SNAPSHOT VERIFICATION REWARD_AVAILABLE DISTRIBUTED",
        ),
        (search::AirdropTaskItemStatus::KNOWN, "OPEN CLOSED UPCOMING"),
        (
            search::AirdropSearchItemRewardType::KNOWN,
            "airdrop points whitelist nft role ambassador",
        ),
        (search::FundraisingSearchSourceType::KNOWN, "social news"),
    ];

    let trading = [
        (hyperliquid::FundingStatus::KNOWN, "complete partial unavailable"),
        (hyperliquid::HyperliquidEpisodeSource::KNOWN, "warehouse live"),
        (hyperliquid::HyperliquidFillSide::KNOWN, "buy sell"),
        (hyperliquid::HyperliquidPositionSide::KNOWN, "long short"),
        (hyperliquid::HyperliquidPositionLeverageType::KNOWN, "cross isolated"),
        (hyperliquid::HyperliquidOpenOrderMarketType::KNOWN, "perp spot"),
        (
            hyperliquid::HyperliquidTradesAggregateGroupBy::KNOWN,
            "day symbol direction size_bucket hold_bucket",
        ),
        (equity::EquityBalanceSheetItemPeriod::KNOWN, statement_periods),
        (equity::EquityCashFlowItemPeriod::KNOWN, statement_periods),
        (equity::EquityIncomeStatementItemPeriod::KNOWN, statement_periods),
        (equity::EquityFinancialMetricsItemPeriod::KNOWN, periods),
        (
            equity::EquityListingFinancialServingReason::KNOWN,
            "reporting_series_missing publication_missing publication_terminal_excluded",
        ),
        (shared::DiscoverMarketItemPlatform::KNOWN, "polymarket kalshi"),
        (shared::DiscoverMarketItemSmartMoneyDirection::KNOWN, "BULLISH BEARISH NEUTRAL"),
    ];

    for (known, stated) in chat.into_iter().chain(data).chain(trading) {
        let known: BTreeSet<_> = known.iter().copied().collect();
        let stated: BTreeSet<_> = stated.split_whitespace().collect();
        assert_eq!(known, stated);
    }
}

#[test]
fn credits_cost_what_the_interface_states() {
    let plans: Vec<_> =
        PLANS.iter().map(|plan| (plan.name, plan.usd_per_credit, plan.above)).collect();
    assert_eq!(
        plans,
        [
            ("List", "0.006", 0),
            ("Starter", "0.005", 100_000),
            ("Pro", "0.004", 500_000),
            ("Plus", "0.0035", 1_000_000),
            ("Growth", "0.003", 1_500_000),
        ]
    );
    assert_eq!((TOP_UPS[0].usd, TOP_UPS[0].credits), ("20", 3_330));

    for id in ["responses", "responses-stream"] {
        for (model, effort, credits) in [
            ("svc-2.0-instant", None, 20),
            ("svc-2.0-instant", Some("xhigh"), 20),
            ("svc-2.0", None, 20),
            ("svc-2.0", Some("none"), 20),
            ("svc-2.0", Some("minimal"), 30),
            ("svc-2.0", Some("low"), 50),
            ("svc-2.0", Some("medium"), 120),
            ("svc-2.0", Some("high"), 150),
            ("svc-2.0", Some("xhigh"), 200),
        ] {
            let price = operation(id).list_price(Some(model), effort);
            assert_eq!(price, Price::Credits(credits), "{id} {model} {effort:?}");
        }
    }
    assert_eq!(operation("credit-balance").price, Price::Free);
}

/// Paths below `/gateway/v1/` that the prose documentation lists as GET operations.
const GETS: &str = "exchange/depth exchange/funding-history exchange/klines exchange/long-short-ratio \
    exchange/markets exchange/perp exchange/price fund/detail fund/portfolio fund/ranking market/etf \
    market/fear-greed market/futures market/liquidation/chart market/liquidation/exchange-list \
    market/liquidation/order market/onchain-indicator market/options market/price market/price-indicator \
    market/ranking news/detail news/feed onchain/bridge/ranking onchain/gas-price onchain/schema onchain/tx \
    onchain/yield/ranking prediction-market/category-metrics prediction-market/kalshi/events \
    prediction-market/kalshi/markets prediction-market/kalshi/open-interest prediction-market/kalshi/prices \
    prediction-market/kalshi/ranking prediction-market/kalshi/trades prediction-market/polymarket/trades \
    social/user/posts prediction-market/kalshi/volumes";
const POSTS: &str = "onchain/query onchain/sql responses";

#[test]
fn operations_have_the_paths_of_the_interface() {
    let paths: BTreeSet<_> = OPERATIONS.iter().map(|one| (one.method.as_str(), one.path)).collect();
    for (method, stated) in [("GET", GETS), ("POST", POSTS)] {
        for path in stated.split_whitespace() {
            let path = format!("/gateway/v1/{path}");
            assert!(paths.contains(&(method, path.as_str())), "{method} {path}");
        }
    }
    assert!(paths.contains(&("POST", "/v1/chat/completions")));
    assert!(paths.contains(&("GET", "/v1/me/credit-balance")));

    let data: Vec<_> =
        OPERATIONS.iter().filter(|one| one.tag != "Chat" && one.tag != "Account").collect();
    assert!(data.iter().all(|one| one.path.starts_with("/gateway/v1/")));
    let others = data.iter().filter(|one| one.method.as_str() != "GET").count();
    assert!(data.len() > 20 * others, "{others} of {}", data.len());

    // A later OpenAPI document lacks these operations. The prose documentation has one of them.
    let social = OPERATIONS.iter().filter(|one| one.path.starts_with("/gateway/v1/social/"));
    assert_eq!(social.count(), 12);
    for path in [
        "search/social/people",
        "search/social/posts",
        "search/kalshi",
        "search/polymarket",
        "hyperliquid/trader/stats",
    ] {
        assert!(paths.contains(&("GET", format!("/gateway/v1/{path}").as_str())), "{path}");
    }
}

#[test]
fn retired_and_deprecated_parts_are_those_of_the_interface() {
    for one in OPERATIONS {
        assert_eq!(one.deprecated.is_some(), one.path == "/v1/chat/completions", "{}", one.id);
    }
    for name in [
        "EquityBalanceSheetItem",
        "EquityCashFlowItem",
        "EquityFinancialMetricsItem",
        "EquityIncomeStatementItem",
        "EquityLatestFinancialsItem",
    ] {
        let record = crypto_intel_api::generated::tables::record(name).expect("a record");
        let is_deprecated = |name: &str| {
            record.fields.iter().any(|field| field.name == name && field.deprecated.is_some())
        };
        assert!(is_deprecated("duration_months") && !is_deprecated("duration_days"), "{name}");
    }
}

/// Tests the parameter `limit`: its default is 20 and its maximum is 100, except in the operations that the variable
/// `stated` lists. Also tests offsets, and the parameter `max_rows` of SQL operations.
#[test]
fn pages_have_the_sizes_of_the_interface() {
    let others: BTreeSet<_> = OPERATIONS
        .iter()
        .filter_map(|one| {
            let found = one.param("limit")?.1;
            let (default, min, max) = whole_number(found);
            let is_usual = (default, min, max) == (Some("20"), Some(1), Some(100));
            let numbers = format!("{} {} {}", one.id, default?, max?);
            (!is_usual).then_some(numbers)
        })
        .collect();
    let stated = "exchange-candles 100 300, exchange-funding-history 100 500, exchange-klines 100 1000, \
        exchange-long-short-ratio 50 500, exchange-markets 100 5000, kalshi-orderbooks 100 200, \
        kalshi-trades 50 500, market-exchange-flow-exchanges 100 100, market-liquidation-chart 500 4500, \
        matching-market-daily 200 10000, news-feed 20 50, onchain-structured-query 20 10000, \
        polymarket-orderbooks 100 200, polymarket-positions 50 100, polymarket-trades 50 500, \
        project-ai-news 20 50, project-pulse 20 50, search-news 10 100, social-smart-followers-history 36 100";
    let stated: BTreeSet<_> = stated.split(", ").map(str::to_owned).collect();
    assert_eq!(others, stated);

    for one in OPERATIONS {
        if let Paging::Offset { offset, .. } = one.paging {
            let (default, min, _) = whole_number(param(one.id, offset));
            // The OpenAPI document declares no default for this operation.
            let default = default.or((one.id == "onchain-structured-query").then_some("0"));
            assert_eq!((default, min), (Some("0"), Some(0)), "{}", one.id);
        }
    }
    for id in ["onchain-sql", "onchain-sql-job-create", "onchain-sql-preflight"] {
        let found = whole_number(param(id, "max_rows"));
        assert_eq!(found, (Some("1000"), Some(1), Some(10_000)), "{id}");
    }
}

/// Compares parameters of operations with the service's prose documentation. Tests the parameters of
/// `polymarket-trades` and `social-user-posts`: names, required parameters, accepted values and defaults. For
/// `chat-completions`, `responses` and `onchain-sql`, tests only which parameters are required.
#[test]
fn parameters_are_those_of_the_interface() {
    let trades = operation("polymarket-trades");
    assert!(trades.rules.is_empty() && trades.params.iter().all(|param| !param.required));
    for name in ["condition_id", "address", "from", "to", "offset"] {
        param(trades.id, name);
    }
    let values = |id: &str, name: &str| match param(id, name).kind {
        ParamKind::Enum(values) => (values.join(" "), param(id, name).default),
        kind => panic!("{kind:?}"),
    };
    assert_eq!(values(trades.id, "outcome_label").0, "Yes No");
    assert_eq!(
        values(trades.id, "sort_by"),
        ("timestamp notional_volume_usd".to_owned(), Some("timestamp"))
    );
    let amount = param(trades.id, "min_amount").kind;
    assert!(matches!(amount, ParamKind::Number { min: Some(0.0), max: None }), "{amount:?}");

    let posts = operation("social-user-posts");
    let required: Vec<_> = posts.params.iter().filter(|param| param.required).collect();
    assert_eq!(required.iter().map(|param| param.name).collect::<Vec<_>>(), ["handle"]);
    assert_eq!(values(posts.id, "filter"), ("all original".to_owned(), Some("all")));
    assert!(matches!(posts.paging, Paging::Cursor { .. }), "{:?}", posts.paging);

    for (id, required) in [
        ("chat-completions", "messages model"),
        ("responses", "input model"),
        ("onchain-sql", "sql"),
    ] {
        let names: BTreeSet<_> = operation(id)
            .params
            .iter()
            .filter(|param| param.required)
            .map(|param| param.name)
            .collect();
        assert_eq!(names, required.split(' ').collect(), "{id}");
    }
}

/// Tests that each common parameter of the prose documentation, such as `symbol` or `chain`, is in at least one
/// operation. Also tests the known values of `chain`.
#[test]
fn shared_parameters_exist() {
    for name in "symbol q id address time_range interval granularity chain currency metric type sort_by order \
        limit offset cursor"
        .split_whitespace()
    {
        assert!(OPERATIONS.iter().any(|one| one.param(name).is_some()), "{name}");
    }

    let eleven = "ethereum polygon bsc solana avalanche arbitrum optimism fantom base linea cyber";
    let missing: Vec<_> =
        eleven.split(' ').filter(|chain| !shared::Chain::KNOWN.contains(chain)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    let short = ["eth", "sol", "matic"].map(|name| shared::Chain::KNOWN.contains(&name));
    assert_eq!(short, [false; 3]);
    let lists: BTreeSet<_> = OPERATIONS
        .iter()
        .filter_map(|one| one.param("chain"))
        .filter_map(|(_, param)| match param.kind {
            ParamKind::Enum(values) => Some(values),
            _ => None,
        })
        .collect();
    assert!(lists.len() > 3, "each operation has its own list: {lists:?}");
}

/// Tests the list of prediction market operations whose responses have no envelope, that is, neither `data` nor `meta`.
#[test]
fn four_data_operations_have_no_envelope() {
    let bare: Vec<_> = OPERATIONS
        .iter()
        .filter(|one| matches!(one.answer, Answer::Bare(_)) && one.tag == "Prediction Market")
        .map(|one| one.id)
        .collect();
    assert_eq!(
        bare,
        [
            "kalshi-orderbooks",
            "polymarket-orderbooks",
            "polymarket-price-ohlcv",
            "polymarket-volume-split"
        ]
    );
}

#[test]
fn provenance_separates_what_the_interface_shows_from_assumptions() {
    for one in OPERATIONS {
        let expected = match one.id {
            "chat-completions"
            | "chat-completions-stream"
            | "responses"
            | "responses-stream"
            | "polymarket-trades"
            | "social-user-posts" => Provenance::InterfaceText,
            "credit-balance"
            | "kalshi-ranking"
            | "onchain-sql-job-results"
            | "portfolio-wallets"
            | "prediction-market-category-metrics"
            | "x-tweets" => Provenance::Assumed,
            id if id.starts_with("equity-") => Provenance::Assumed,
            _ => continue,
        };
        assert_eq!(one.provenance, expected, "{}", one.id);
    }
}
