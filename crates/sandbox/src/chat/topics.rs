//! Table of topics for chat answers. A topic belongs to one kind of subject, such as a crypto asset. For example, the
//! topic `price` of an asset shows values from the response of the operation `market-price`.
//!
//! Each row of the table contains the words that select a topic, an operation with its arguments, and JSON pointers
//! into the operation's response. An answer first shows the topics that the question mentions. Other topics about the
//! subjects of the question follow, up to the maximum number of paragraphs for the requested effort and model.

use crypto_intel_api::generated::catalogue;
use crypto_intel_core::Operation;

use About::{Asset, Company, Market, Wallet};

/// Kind of subject to which a topic applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum About {
    /// A crypto asset, such as ETH.
    Asset,
    /// A listed company or a listed fund.
    Company,
    /// A wallet, which is identified by its address.
    Wallet,
    /// The whole market, for a question without a subject.
    Market,
}

/// One topic of chat answers: an operation to call, and the values that an answer shows. The values are taken from the
/// response of the operation. For example, the topic `price` of an asset calls `market-price`.
#[derive(Debug)]
pub(super) struct Topic {
    pub(super) about: About,
    /// Name of the topic, such as `price`. In a chat answer, the title of a paragraph about this topic ends with the
    /// name, as in `Ethereum (ETH): price`.
    pub(super) name: &'static str,
    /// Lower-case words that select the topic if a question contains one of them. The words are separated by spaces.
    pub(super) words: &'static str,
    pub(super) operation: &'static Operation,
    /// Names and values of the call's arguments. The value `{symbol}` is replaced by the symbol of the subject. The
    /// value `{address}` is replaced by the wallet address of the subject, and so on for other kinds of identifiers.
    pub(super) arguments: &'static [(&'static str, &'static str)],
    /// Values that a chat answer shows for this topic. Each entry contains a label, such as `Price`, and a JSON pointer
    /// into the response of `operation`, such as `/summary/last`.
    pub(super) values: &'static [(&'static str, &'static str)],
}

const fn topic(
    about: About,
    name: &'static str,
    words: &'static str,
    operation: &'static Operation,
    arguments: &'static [(&'static str, &'static str)],
    values: &'static [(&'static str, &'static str)],
) -> Topic {
    Topic { about, name, words, operation, arguments, values }
}

/// Arguments of an operation whose only argument is the symbol of the subject.
const SYMBOL: &[(&str, &str)] = &[("symbol", "{symbol}")];
/// Arguments of an operation whose only argument is the wallet address of the subject.
const ADDRESS: &[(&str, &str)] = &[("address", "{address}")];
/// Labels and JSON pointers of the values that an answer shows for news articles. For example, an answer shows the
/// title of the first article.
const ARTICLES: &[(&str, &str)] =
    &[("Title", "/data/0/title"), ("Source", "/data/0/source"), ("Title", "/data/1/title")];

pub(super) static TOPICS: &[Topic] = &[
    topic(
        Asset,
        "price",
        "price worth cost trading today week",
        &catalogue::MARKET_PRICE,
        &[("symbol", "{symbol}"), ("time_range", "7d")],
        &[
            ("Price", "/summary/last"),
            ("Change in percent", "/summary/change_pct"),
            ("High", "/summary/high"),
            ("Low", "/summary/low"),
        ],
    ),
    topic(
        Asset,
        "funding",
        "funding perp perpetual futures leverage",
        &catalogue::EXCHANGE_PERP,
        &[("pair", "{pair}")],
        &[
            ("Funding rate", "/data/funding/funding_rate"),
            ("Mark price", "/data/funding/mark_price"),
            ("Open interest", "/data/open_interest/open_interest_usd"),
        ],
    ),
    topic(
        Asset,
        "news",
        "news headlines happened why moved latest",
        &catalogue::NEWS_FEED,
        &[("project", "{slug}"), ("limit", "2")],
        ARTICLES,
    ),
    topic(
        Asset,
        "profile",
        "what about explain project supply overview",
        &catalogue::PROJECT_DETAIL,
        &[("q", "{slug}")],
        &[
            ("Description", "/data/overview/description"),
            ("Market value", "/data/token_info/market_cap_usd"),
            ("Circulating supply", "/data/token_info/circulating_supply"),
            ("Total supply", "/data/token_info/total_supply"),
        ],
    ),
    topic(
        Asset,
        "prediction markets",
        "prediction polymarket kalshi odds bet probability",
        &catalogue::SEARCH_PREDICTION_MARKET,
        &[("q", "{name}"), ("platform", "polymarket"), ("limit", "1")],
        &[
            ("Question", "/data/0/question"),
            ("Probability", "/data/0/latest_price"),
            ("Volume of 7 days", "/data/0/volume_7d"),
        ],
    ),
    topic(
        Asset,
        "liquidations",
        "liquidation liquidations liquidated",
        &catalogue::MARKET_LIQUIDATION_EXCHANGE_LIST,
        SYMBOL,
        &[
            ("Exchange", "/data/0/exchange"),
            ("Long liquidations", "/data/0/long_liquidation_usd"),
            ("Short liquidations", "/data/0/short_liquidation_usd"),
        ],
    ),
    topic(
        Company,
        "price",
        "price stock share worth trading today",
        &catalogue::EQUITY_PRICE,
        SYMBOL,
        &[("Price", "/data/price"), ("Change over the day in percent", "/data/day_change_percent")],
    ),
    topic(
        Company,
        "income statement",
        "revenue income earnings profit margin sales",
        &catalogue::EQUITY_INCOME_STATEMENT,
        &[("symbol", "{symbol}"), ("limit", "1")],
        &[
            ("End of the period", "/data/0/report_period"),
            ("Revenue", "/data/0/revenue/value"),
            ("Net income", "/data/0/net_income/value"),
        ],
    ),
    topic(
        Wallet,
        "holdings",
        "hold holds holdings tokens balance portfolio",
        &catalogue::WALLET_DETAIL,
        ADDRESS,
        &[
            ("Value", "/data/evm_balance/total_usd"),
            ("First token", "/data/evm_tokens/0/symbol"),
            ("Value of the first token", "/data/evm_tokens/0/usd_value"),
        ],
    ),
    topic(
        Market,
        "top assets",
        "top ranking biggest best market coins crypto",
        &catalogue::MARKET_RANKING,
        &[("limit", "2")],
        &[
            ("Asset", "/data/0/symbol"),
            ("Price", "/data/0/price_usd"),
            ("Asset", "/data/1/symbol"),
            ("Price", "/data/1/price_usd"),
        ],
    ),
    topic(
        Market,
        "news",
        "news headlines happened latest",
        &catalogue::NEWS_FEED,
        &[("limit", "2")],
        ARTICLES,
    ),
];
