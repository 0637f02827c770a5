//! Laws of identifiers: an identifier that an answer shows is accepted wherever its kind of identifier is an argument.
//!
//! `docs/identifiers.md` is the table of kinds and operations. `UPDATE_LAWS=1` rewrites it too.

use std::collections::BTreeSet;

use crypto_intel_core::{ParamKind, Rule};
use crypto_intel_world::{Kind as Refused, example};
use serde_json::Value;

use crate::world_client::{World, operation, text, that};
use crate::{Held, Law};

pub(crate) const LAWS: &[Law] = &[
    ("An identifier that an answer shows is accepted by every operation of its kind", closed),
    ("Search finds a token on each of its chains, and each has holders and transfers", on_chains),
    ("A contract is unknown on chains that do not have it", elsewhere),
];

/// A kind of identifier: where answers show it, and which operations take it.
struct Kind {
    name: &'static str,
    /// Operations, their arguments, and JSON pointers to the parts of the identifier in a row. `*` stands for each
    /// item of a list.
    shown: &'static [(&'static str, Arguments, &'static [&'static str])],
    /// Parameters for the parts of the identifier, and the operations that have them.
    taken: &'static [(&'static [&'static str], &'static [&'static str])],
}

type Arguments = &'static [(&'static str, &'static str)];

const KINDS: &[Kind] = &[
    Kind {
        name: "Ticker of an asset",
        shown: &[
            ("market-ranking", &[("limit", "100")], &["/symbol"]),
            ("project-detail", &[("q", "usd-coin")], &["/overview/token_symbol"]),
            ("search-token", &[("q", "eth")], &["/symbol"]),
            ("signal-projects", &[], &["/symbol"]),
            ("market-listing", &[], &["/base_symbol"]),
        ],
        taken: &[
            (
                &["symbol"],
                &[
                    "market-price",
                    "market-price-indicator",
                    "market-liquidation-chart",
                    "market-liquidation-exchange-list",
                    "market-liquidation-order",
                    "market-listing",
                    "token-tokenomics",
                ],
            ),
            (&["q"], &["search-token", "search-project", "project-detail", "exchange-coverage"]),
        ],
    },
    Kind {
        name: "UUID of a project",
        shown: &[
            ("market-ranking", &[("limit", "100")], &["/id"]),
            ("search-project", &[("q", "lido-dao")], &["/id"]),
            ("fund-portfolio", &[("q", "cobalt")], &["/project_id"]),
            ("signal-projects", &[], &["/project_id"]),
            ("signal-projects", &[], &["/token_id"]),
            ("news-feed", &[], &["/project_id"]),
            ("market-futures", &[], &["/project_id"]),
            ("search-airdrop", &[("phase", "all")], &["/project_id"]),
        ],
        taken: &[
            (
                &["id"],
                &[
                    "project-detail",
                    "project-ai-news",
                    "project-defi-metrics",
                    "project-pulse",
                    "market-public-sale",
                    "market-tge",
                    "search-events",
                    "signal-detail",
                    "social-mindshare",
                    "social-sentiment",
                    "token-tokenomics",
                ],
            ),
            (&["project"], &["news-feed"]),
        ],
    },
    Kind {
        name: "Slug of a project",
        shown: &[
            ("market-ranking", &[("limit", "100")], &["/slug"]),
            ("search-project", &[("q", "usd")], &["/slug"]),
            ("signal-token-of-week", &[], &["/project_slug"]),
            ("project-defi-ranking", &[("limit", "100")], &["/slug"]),
            ("fund-portfolio", &[("q", "fjord")], &["/project_slug"]),
        ],
        taken: &[
            (&["project_slug"], &["signal-detail"]),
            (
                &["q"],
                &[
                    "project-detail",
                    "project-ai-news",
                    "project-defi-metrics",
                    "project-pulse",
                    "market-public-sale",
                    "market-tge",
                    "search-events",
                    "search-project",
                    "search-token",
                    "search-news",
                    "search-airdrop",
                    "search-fundraising",
                    "search-social-people",
                    "social-detail",
                    "social-mindshare",
                    "social-sentiment",
                    "social-smart-followers-history",
                    "exchange-coverage",
                ],
            ),
            (&["project"], &["news-feed", "onchain-yield-ranking"]),
        ],
    },
    Kind {
        name: "Name of a project",
        shown: &[
            ("market-ranking", &[("limit", "100")], &["/name"]),
            ("project-defi-ranking", &[("limit", "100")], &["/name"]),
            ("search-airdrop", &[("phase", "all")], &["/project_name"]),
        ],
        taken: &[
            (
                &["q"],
                &[
                    "project-detail",
                    "project-defi-metrics",
                    "market-tge",
                    "search-events",
                    "search-project",
                    "search-token",
                    "search-news",
                    "social-detail",
                    "social-mindshare",
                    "social-sentiment",
                    "search-social-people",
                ],
            ),
            (&["project"], &["news-feed", "onchain-yield-ranking"]),
        ],
    },
    Kind {
        name: "UUID of a fund",
        shown: &[
            ("fund-ranking", &[("limit", "100")], &["/id"]),
            ("search-fund", &[("q", "a")], &["/id"]),
            ("project-detail", &[("q", "aave")], &["/funding/rounds/*/investors/*/id"]),
        ],
        taken: &[(&["id"], &["fund-detail", "fund-portfolio"])],
    },
    Kind {
        name: "Handle",
        shown: &[
            ("project-detail", &[("q", "lido-dao")], &["/overview/x_handle"]),
            ("project-detail", &[("q", "bitcoin")], &["/social/twitter/handle"]),
            ("fund-detail", &[("q", "cobalt")], &["/x_accounts/*/handle"]),
            ("search-social-people", &[("q", "zk")], &["/handle"]),
            ("search-social-posts", &[("q", "zk")], &["/author/handle"]),
            ("social-user-followers", &[], &["/handle"]),
            ("project-pulse", &[], &["/twitter_author/handle"]),
            ("social-ranking", &[], &["/twitter/x_handle"]),
        ],
        taken: &[(
            &["handle"],
            &[
                "social-user",
                "social-user-followers",
                "social-user-following",
                "social-user-posts",
                "social-user-replies",
            ],
        )],
    },
    Kind {
        name: "Account number of a project",
        shown: &[("project-detail", &[("q", "usd-coin")], &["/overview/x_id"])],
        taken: &[(
            &["x_id"],
            &["project-detail", "social-detail", "social-smart-followers-history"],
        )],
    },
    Kind {
        name: "Post",
        shown: &[
            ("social-user-posts", &[], &["/tweet_id"]),
            ("social-user-replies", &[], &["/tweet_id"]),
            ("search-social-posts", &[("q", "zk")], &["/tweet_id"]),
            ("project-pulse", &[], &["/source_tweet/tweet_id"]),
        ],
        taken: &[
            (&["ids"], &["social-tweets", "x-tweets"]),
            (&["tweet_id"], &["social-tweet-replies"]),
        ],
    },
    Kind {
        name: "Article",
        shown: &[("news-feed", &[], &["/id"]), ("search-news", &[("q", "eth")], &["/id"])],
        taken: &[(&["id"], &["news-detail"])],
    },
    Kind {
        name: "Web address",
        shown: &[
            ("news-feed", &[], &["/url"]),
            ("search-web", &[], &["/url"]),
            ("project-detail", &[("q", "aave")], &["/overview/website"]),
            ("fund-detail", &[("q", "fjord")], &["/recent_researches/*/url"]),
        ],
        taken: &[(&["url"], &["web-fetch"])],
    },
    Kind {
        name: "Trading pair",
        shown: &[
            ("exchange-markets", &[("type", "spot")], &["/pair", "/exchange"]),
            ("exchange-markets", &[("exchange", "okx"), ("type", "spot")], &["/pair", "/exchange"]),
        ],
        taken: &[(&["pair", "exchange"], &["exchange-price", "exchange-depth", "exchange-klines"])],
    },
    Kind {
        name: "Pair of a Korean or Japanese venue",
        shown: &[("exchange-coverage", &[("q", "btc")], &["/pair", "/exchange"])],
        taken: &[(&["pair", "exchange"], &["exchange-candles"])],
    },
    Kind {
        name: "Contract on a chain",
        shown: &[
            ("search-token", &[("q", "usdc")], &["/address", "/chain"]),
            ("search-token", &[("q", "eth")], &["/address", "/chain"]),
            ("search-token", &[("q", "a")], &["/address", "/chain"]),
            (
                "project-detail",
                &[("q", "usd-coin")],
                &["/contracts/contracts/*/address", "/contracts/contracts/*/chain"],
            ),
        ],
        taken: &[(
            &["address", "chain"],
            &[
                "dex-token-price",
                "onchain-dex-activity",
                "token-dex-trades",
                "token-holders",
                "token-transfer-counterparties",
                "token-transfer-stats",
                "token-transfers",
            ],
        )],
    },
    Kind {
        name: "Wallet",
        shown: &[
            ("token-holders", &[], &["/address"]),
            ("token-transfers", &[], &["/from_address"]),
            ("token-transfers", &[], &["/to_address"]),
            ("token-dex-trades", &[], &["/taker"]),
            ("search-wallet", &[("q", "fund")], &["/addresses/*/address"]),
            ("polymarket-leaderboard", &[], &["/address"]),
            ("hyperliquid-leaderboard", &[], &["/address"]),
        ],
        taken: &[
            (
                &["address"],
                &[
                    "wallet-detail",
                    "wallet-history",
                    "wallet-net-worth",
                    "wallet-protocols",
                    "wallet-transfers",
                    "polymarket-positions",
                    "polymarket-trades",
                ],
            ),
            (&["addresses"], &["wallet-labels-batch"]),
        ],
    },
    Kind {
        name: "Account of the futures exchange",
        shown: &[("hyperliquid-leaderboard", &[], &["/address"])],
        taken: &[(
            &["address"],
            &[
                "hyperliquid-account",
                "hyperliquid-fills",
                "hyperliquid-orders",
                "hyperliquid-performance",
                "hyperliquid-positions",
                "hyperliquid-trader-stats",
                "hyperliquid-trades",
                "hyperliquid-trades-aggregate",
            ],
        )],
    },
    Kind {
        name: "Transaction on Ethereum",
        shown: &[
            ("wallet-history", &[("chain", "ethereum")], &["/tx_hash"]),
            ("wallet-transfers", &[("chain", "ethereum")], &["/tx_hash"]),
            ("token-transfers", &[("chain", "ethereum")], &["/tx_hash"]),
            ("token-dex-trades", &[("chain", "ethereum")], &["/tx_hash"]),
        ],
        taken: &[(&["hash"], &["onchain-tx"])],
    },
    Kind {
        name: "Condition of a prediction market",
        shown: &[
            ("search-polymarket", &[], &["/markets/*/condition_id"]),
            ("search-prediction-market", &[], &["/condition_id"]),
            ("matching-market-pairs", &[], &["/polymarket/condition_id"]),
            ("polymarket-smart-money", &[], &["/condition_id"]),
            ("polymarket-trades", &[], &["/condition_id"]),
        ],
        taken: &[(
            &["condition_id"],
            &[
                "prediction-market-correlations",
                "polymarket-open-interest",
                "polymarket-price-ohlcv",
                "polymarket-prices",
                "polymarket-smart-money",
                "polymarket-trades",
                "polymarket-volume-split",
                "polymarket-volumes",
                "search-prediction-market",
            ],
        )],
    },
    Kind {
        name: "Slug of a prediction market",
        shown: &[
            ("search-polymarket", &[], &["/markets/*/market_slug"]),
            ("search-prediction-market", &[], &["/market_slug"]),
        ],
        taken: &[(&["market_slug"], &["polymarket-markets"])],
    },
    Kind {
        name: "Slug of an event",
        shown: &[
            ("search-polymarket", &[], &["/event_slug"]),
            ("search-prediction-market", &[], &["/event_slug"]),
            ("matching-market-pairs", &[], &["/polymarket/event_slug"]),
        ],
        taken: &[(&["event_slug"], &["polymarket-events"])],
    },
    Kind {
        name: "Token of an outcome",
        shown: &[
            ("search-polymarket", &[], &["/markets/*/side_a/id"]),
            ("polymarket-prices", &[], &["/side_b/token_id"]),
            ("search-prediction-market", &[], &["/token_id"]),
        ],
        taken: &[(&["token_id"], &["polymarket-orderbooks", "polymarket-volumes"])],
    },
    Kind {
        name: "Ticker of a prediction market",
        shown: &[
            ("kalshi-markets", &[], &["/market_ticker"]),
            ("search-kalshi", &[], &["/markets/*/market_ticker"]),
            ("search-prediction-market", &[], &["/market_ticker"]),
            ("matching-market-pairs", &[], &["/kalshi/market_ticker"]),
        ],
        taken: &[
            (
                &["ticker"],
                &[
                    "kalshi-open-interest",
                    "kalshi-orderbooks",
                    "kalshi-prices",
                    "kalshi-trades",
                    "kalshi-volumes",
                ],
            ),
            (&["market_ticker"], &["kalshi-markets", "search-prediction-market"]),
            (&["kalshi_market_ticker"], &["matching-market-pairs"]),
        ],
    },
    Kind {
        name: "Ticker of an event",
        shown: &[
            ("search-kalshi", &[], &["/event_ticker"]),
            ("kalshi-markets", &[], &["/event_ticker"]),
        ],
        taken: &[(&["event_ticker"], &["kalshi-events"])],
    },
    Kind {
        name: "Ticker of a company with statements",
        shown: &[("equity-latest-financials", &[], &["/symbol"])],
        taken: &[(
            &["symbol"],
            &[
                "equity-balance-sheet",
                "equity-candles",
                "equity-cash-flow",
                "equity-filings",
                "equity-income-statement",
                "equity-metrics",
                "equity-overview",
                "equity-price",
                "equity-profile",
            ],
        )],
    },
    Kind {
        name: "Ticker of a listing",
        shown: &[("equity-listings", &[("q", "a")], &["/ticker"])],
        taken: &[(&["symbol"], &["equity-candles", "equity-price", "equity-profile"])],
    },
];

/// Identifiers of one answer that are tried, spread over its rows.
const TRIED: usize = 6;

/// All values at a pointer; `*` in the pointer stands for each item of a list.
fn at<'a>(value: &'a Value, pointer: &str) -> Vec<&'a Value> {
    match pointer.split_once("/*") {
        None => value.pointer(pointer).into_iter().collect(),
        Some((list, rest)) => {
            let items = value.pointer(list).and_then(Value::as_array);
            items.into_iter().flatten().flat_map(|item| at(item, rest)).collect()
        }
    }
}

/// Identifiers of a kind that answers show.
fn identifiers(world: &World, kind: &Kind) -> Result<BTreeSet<Vec<String>>, String> {
    let mut found = BTreeSet::new();
    for (id, arguments, parts) in kind.shown {
        let arguments = with_example(id, arguments);
        let rows = world.rows(id, &borrowed(&arguments))?;
        let all: BTreeSet<_> =
            rows.iter().take(100).flat_map(|row| identifiers_in(row, parts)).collect();
        let is_shown = rows.is_empty() || !all.is_empty();
        that(is_shown, || format!("{id} shows none at {parts:?}"))?;

        let step = all.len().div_ceil(TRIED).max(1);
        found.extend(all.into_iter().step_by(step));
    }
    that(!found.is_empty(), || format!("no answer shows a {}", kind.name))?;
    Ok(found)
}

/// Identifiers in a row. Each pointer leads to one part of them.
fn identifiers_in(row: &Value, parts: &[&str]) -> Vec<Vec<String>> {
    let columns: Vec<_> = parts.iter().map(|part| at(row, part)).collect();
    let count = columns.iter().map(Vec::len).min().unwrap_or(0);
    let mut found = Vec::new();
    for n in 0..count {
        let texts = columns.iter().map(|column| column[n].as_str().map(str::to_owned));
        found.extend(texts.collect::<Option<Vec<_>>>());
    }
    found
}

type Values = Vec<(&'static str, String)>;

/// Arguments of the example call, with `given` instead of those that have the same name or exclude it.
fn with_example(id: &str, given: &[(&'static str, &str)]) -> Values {
    let operation = operation(id);
    let is_given = |name: &str| given.iter().any(|(known, _)| *known == name);
    let is_excluded = |name: &str| {
        operation.rules.iter().any(|rule| {
            let (Rule::AtLeastOne(names) | Rule::ExactlyOne(names)) = rule;
            names.contains(&name) && names.iter().any(|other| is_given(other))
        })
    };
    let usual = example::parameters(operation).into_iter();
    let kept = usual.filter(|(name, _)| !is_given(name) && !is_excluded(name));
    kept.map(|(name, value)| (name, example::written(&value)))
        .chain(given.iter().map(|(name, text)| (*name, (*text).to_owned())))
        .collect()
}

fn borrowed(values: &Values) -> Vec<(&str, &str)> {
    values.iter().map(|(name, text)| (*name, text.as_str())).collect()
}

/// Whether the interface allows these arguments: some operations take fewer chains than others.
fn has_choices(id: &str, given: &[(&str, &str)]) -> bool {
    let operation = operation(id);
    given.iter().all(|(name, text)| match operation.param(name).map(|(_, param)| param.kind) {
        Some(ParamKind::Enum(choices)) => choices.contains(text),
        _ => true,
    })
}

fn closed(world: &World) -> Held {
    let mut refused = BTreeSet::new();
    for kind in KINDS {
        for identifier in identifiers(world, kind)? {
            for (params, operations) in kind.taken {
                let parts = params.iter().copied();
                let given: Vec<_> = parts.zip(identifier.iter().map(String::as_str)).collect();
                for id in operations.iter().filter(|id| has_choices(id, &given)) {
                    let values = with_example(id, &given);
                    if let Err(refusal) = world.shown(id, &borrowed(&values)) {
                        refused.insert(format!("{}: {id} {given:?}: {refusal}", kind.name));
                    }
                }
            }
        }
    }
    that(refused.is_empty(), || format!("{} refused: {refused:#?}", refused.len()))
}

/// Chains on which search finds a token with this ticker.
fn found_on(world: &World, symbol: &str) -> Result<Vec<(String, String)>, String> {
    let found = world.rows("search-token", &[("q", symbol)])?;
    let found = found.iter().filter(|row| row["symbol"] == symbol);
    Ok(found.map(|row| (text(row, "address").to_owned(), text(row, "chain").to_owned())).collect())
}

fn on_chains(world: &World) -> Held {
    for (symbol, least) in [("USDC", 5), ("ETH", 4), ("SOL", 1)] {
        let found = found_on(world, symbol)?;
        that(found.len() >= least, || format!("{symbol} on {found:?}"))?;
        for (address, chain) in &found {
            let given = [("address", address.as_str()), ("chain", chain.as_str())];
            for id in ["token-holders", "token-transfers"] {
                if has_choices(id, &given) {
                    let rows = world.rows(id, &given)?;
                    that(!rows.is_empty(), || format!("{id} of {symbol} on {chain} is empty"))?;
                }
            }
        }
    }
    Ok(())
}

fn elsewhere(world: &World) -> Held {
    let found = found_on(world, "AAVE")?;
    that(found.len() == 1, || format!("{found:?}"))?;
    for id in ["token-holders", "token-transfers", "token-transfer-stats", "dex-token-price"] {
        for chain in ["base", "solana", "tron"] {
            let given = [("address", found[0].0.as_str()), ("chain", chain)];
            if has_choices(id, &given) {
                let refused = world.shown(id, &given).err().map(|refusal| refusal.kind);
                that(refused == Some(Refused::NotFound), || {
                    format!("{id} on {chain}: {refused:?}")
                })?;
            }
        }
    }
    Ok(())
}

/// The table of `docs/identifiers.md`.
pub(crate) fn table() -> String {
    let mut table = String::from(
        "# Identifiers of the sandbox\n\nAn operation accepts each identifier of a kind that any answer shows. A test \
         checks this table in several worlds:\n`cargo test -p crypto-intel-world --test laws identifiers`.\n\n\
         | Kind | Shown by | Accepted by |\n|---|---|---|\n",
    );
    for kind in KINDS {
        let shown: BTreeSet<_> = kind.shown.iter().map(|(id, ..)| format!("`{id}`")).collect();
        let shown: Vec<_> = shown.into_iter().collect();
        let taken = kind.taken.iter().map(|(params, operations)| {
            let operations: Vec<_> = operations.iter().map(|id| format!("`{id}`")).collect();
            format!("{} in {}", params.join(" and "), operations.join(", "))
        });
        let taken: Vec<_> = taken.collect();
        table.push_str(&format!(
            "| {} | {} | {} |\n",
            kind.name,
            shown.join(", "),
            taken.join("; ")
        ));
    }
    table
}
