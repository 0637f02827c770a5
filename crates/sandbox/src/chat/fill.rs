//! Parameters of the calls that an answer is made of: from the question, or left out.

use crypto_intel_api::generated::catalogue;
use crypto_intel_api::generated::shared::Chain;

use crate::context::Context;
use crypto_intel_world::choices;
use crypto_intel_world::timestamp::{self, DAY};

use super::subject::Subject;
use super::words::Words;

/// Where the value of a parameter comes from.
#[derive(Debug, Clone, Copy)]
pub(super) enum Fill {
    Given(&'static str),
    /// The ticker.
    Symbol,
    /// The ticker in USDT.
    Pair,
    /// The name as words to search for.
    Name,
    Slug,
    /// Of a wallet.
    Address,
    /// The address of the asset's token.
    Contract,
    Chain,
    /// The stretch of time.
    Range,
    /// So many days ago.
    Since(i64),
    /// As many rows as the answer shows.
    Rows,
    Sort,
    Order,
    Category,
    MarketCategory,
    Venue,
}

/// Optional parts of a question besides its subjects and topics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Details {
    range: &'static str,
    chain: Option<&'static str>,
    venue: Option<&'static str>,
    sort: Option<(&'static str, &'static str)>,
    category: Option<&'static str>,
    market_category: Option<&'static str>,
}

impl Default for Details {
    fn default() -> Self {
        Details {
            range: "7d",
            chain: None,
            venue: None,
            sort: None,
            category: None,
            market_category: None,
        }
    }
}

type Table<T> = &'static [(&'static str, T)];

/// Words and what they mean. The first that is there counts.
const RANGES: Table<&str> = &[
    ("today", "1d"),
    ("24h", "1d"),
    ("24 hours", "1d"),
    ("day", "1d"),
    ("14d", "14d"),
    ("two weeks", "14d"),
    ("week", "7d"),
    ("30d", "30d"),
    ("month", "30d"),
    ("90d", "90d"),
    ("quarter", "90d"),
    ("year", "365d"),
    ("365d", "365d"),
    ("ever", "max"),
    ("all time", "max"),
];

const SORTS: Table<(&str, &str)> = &[
    ("gainers", ("change_24h", "desc")),
    ("gainer", ("change_24h", "desc")),
    ("losers", ("change_24h", "asc")),
    ("loser", ("change_24h", "asc")),
    ("worst", ("change_24h", "asc")),
    ("best", ("change_24h", "desc")),
    ("volume", ("volume_24h", "desc")),
    ("traded", ("volume_24h", "desc")),
];

const CATEGORIES: Table<&str> = &[
    ("meme", "MEME"),
    ("memes", "MEME"),
    ("memecoins", "MEME"),
    ("ai", "AI"),
    ("l1", "L1"),
    ("layer 1", "L1"),
    ("l2", "L2"),
    ("layer 2", "L2"),
    ("gaming", "GAMING"),
    ("stablecoins", "STABLECOIN"),
    ("stablecoin", "STABLECOIN"),
    ("rwa", "RWA"),
    ("depin", "DEPIN"),
    ("defi coins", "DEFI"),
    ("defi tokens", "DEFI"),
];

fn meant<T: Copy>(words: &Words<'_>, table: Table<T>) -> Option<T> {
    table.iter().find(|(word, _)| words.has(word)).map(|(_, meaning)| *meaning)
}

fn listed(words: &Words<'_>, list: &[&'static str]) -> Option<&'static str> {
    list.iter().find(|word| words.has(word)).copied()
}

impl Details {
    pub(super) fn of(words: &Words<'_>) -> Self {
        Details {
            range: meant(words, RANGES).unwrap_or("7d"),
            chain: listed(words, Chain::KNOWN),
            venue: listed(words, choices(&catalogue::EXCHANGE_PRICE, "exchange")),
            sort: meant(words, SORTS),
            category: meant(words, CATEGORIES),
            market_category: listed(
                words,
                choices(&catalogue::PREDICTION_MARKET_ANALYTICS, "category"),
            ),
        }
    }

    /// Whether the question names this chain.
    pub(super) fn is_on(&self, chain: &str) -> bool {
        self.chain == Some(chain)
    }

    /// The stretch of time, where the topic has one.
    pub(super) fn range(&self) -> &'static str {
        self.range
    }
}

impl Fill {
    /// The value for a question about `subject`; `None` where it says nothing of the kind.
    pub(super) fn value(
        self,
        ctx: &Context<'_>,
        details: &Details,
        subject: Option<&Subject>,
        rows: usize,
    ) -> Option<String> {
        let asset = match subject {
            Some(Subject::Asset(asset)) => Some(*asset),
            _ => None,
        };
        let text = |text: Option<&str>| text.map(str::to_owned);
        match self {
            Fill::Given(value) => Some(value.to_owned()),
            Fill::Symbol => text(subject?.symbol()),
            Fill::Pair => Some(format!("{}/USDT", asset?.symbol)),
            Fill::Slug => Some(asset?.slug()),
            Fill::Name => match subject? {
                Subject::Asset(asset) => Some(asset.name.to_owned()),
                Subject::Company(company) => Some(company.name.to_owned()),
                Subject::Fund(fund) => Some((*fund).to_owned()),
                Subject::Wallet(_) => None,
            },
            Fill::Address => match subject? {
                Subject::Wallet(address) => Some(address.clone()),
                _ => None,
            },
            Fill::Contract => Some(asset?.address(ctx)),
            Fill::Chain => {
                text(asset.map(|asset| asset.chain).or(details.chain).or(Some("ethereum")))
            }
            Fill::Range => Some(details.range.to_owned()),
            Fill::Since(days) => Some(timestamp::day_text(ctx.now - days * DAY)),
            Fill::Rows => Some(rows.to_string()),
            Fill::Sort => text(details.sort.map(|(by, _)| by)),
            Fill::Order => text(details.sort.map(|(_, order)| order)),
            Fill::Category => text(details.category),
            Fill::MarketCategory => text(details.market_category),
            Fill::Venue => text(details.venue),
        }
    }
}
