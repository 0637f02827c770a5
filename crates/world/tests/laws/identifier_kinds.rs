//! Table of identifier kinds, such as wallet addresses. For each kind, the table lists the operations that return its
//! identifiers and the operations that accept them.

/// A kind of identifier, such as a wallet address. An identifier can have several parts, such as a chain and an
/// address.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    /// Operations that return identifiers of this kind. Each entry has the operation id, the arguments, and one JSON
    /// pointer for each part of the identifier. A pointer such as `/symbol` selects a value of a response row. `*` in a
    /// pointer stands for each item of a list.
    pub(crate) shown: &'static [(&'static str, Arguments, &'static [&'static str])],
    /// Operations that accept identifiers of this kind. Each entry has two lists: names of parameters, and ids of the
    /// operations that have all these parameters. Each part of the identifier has one parameter, for example `address`
    /// and `chain`.
    pub(crate) taken: &'static [(&'static [&'static str], &'static [&'static str])],
}

pub(crate) type Arguments = &'static [(&'static str, &'static str)];

pub(crate) const KINDS: &[Kind] = &[
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
