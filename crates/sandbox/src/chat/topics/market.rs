//! Topics about the market as a whole.

use crypto_intel_api::generated::catalogue;

use crate::chat::fill::Fill;
use crate::chat::topic::About::Market;
use crate::chat::topic::Unit::{Day, Number, Percent, Text, Usd};
use crate::chat::topic::{ARTICLES, COMPARISON, Fact, GAS, MARKETS, Show, Topic, topic};

const COINS: &[Fact] = &[
    Fact("/symbol", "Asset", Text),
    Fact("/price_usd", "Price", Usd),
    Fact("/change_24h_pct", "24 hours", Percent),
    Fact("/market_cap_usd", "Market value", Usd),
    Fact("/volume_24h_usd", "Volume of 24 hours", Usd),
];

pub(super) static TOPICS: &[Topic] = &[
    topic(
        Market,
        COMPARISON,
        &["compare", "compared", "comparison", "versus", "vs", "or", "difference", "better", "and"],
        &catalogue::MARKET_RANKING,
        &[("limit", Fill::Given("100"))],
        Show::RowsOf("/data", COINS),
    ),
    topic(
        Market,
        "fear and greed",
        &["fear", "greed", "fear greed", "sentiment", "mood"],
        &catalogue::MARKET_FEAR_GREED,
        &[("from", Fill::Since(7))],
        Show::Series(
            &[
                Fact("/data/last/value", "Fear and greed, of 100", Number),
                Fact("/data/last/classification", "In a word", Text),
                Fact("/data/last/timestamp", "Day", Day),
            ],
            "/data//value",
        ),
    )
    .unasked(2),
    topic(
        Market,
        "ETF flows",
        &["etf", "etfs", "inflow", "inflows", "outflow", "outflows"],
        &catalogue::MARKET_ETF,
        &[("symbol", Fill::Given("BTC"))],
        Show::Facts(&[
            Fact("/data/0/symbol", "Funds of", Text),
            Fact("/data/0/timestamp", "Day", Day),
            Fact("/data/0/flow_usd", "Flow into funds", Usd),
        ]),
    ),
    topic(
        Market,
        GAS,
        &["gas", "gwei", "network fee", "network fees"],
        &catalogue::ONCHAIN_GAS_PRICE,
        &[("chain", Fill::Chain)],
        Show::Facts(&[
            Fact("/data/chain", "Chain", Text),
            Fact("/data/gas_price_gwei", "Gas price in gwei", Number),
        ]),
    ),
    topic(
        Market,
        "prediction markets",
        &[
            "prediction",
            "predictions",
            "polymarket",
            "kalshi",
            "odds",
            "bet",
            "bets",
            "betting",
            "probability",
        ],
        &catalogue::SEARCH_PREDICTION_MARKET,
        &[
            ("category", Fill::MarketCategory),
            ("sort_by", Fill::Given("volume_7d")),
            ("limit", Fill::Rows),
        ],
        Show::Rows("/data", MARKETS),
    )
    .unasked(5),
    topic(
        Market,
        "airdrops",
        &["airdrop", "airdrops", "claim", "eligible", "retrodrop"],
        &catalogue::SEARCH_AIRDROP,
        &[("limit", Fill::Rows)],
        Show::Rows(
            "/data",
            &[
                Fact("/project_name", "Project", Text),
                Fact("/status", "Status", Text),
                Fact("/reward_type", "Reward", Text),
                Fact("/total_raise", "Raised", Usd),
            ],
        ),
    ),
    topic(
        Market,
        "Hyperliquid leaderboard",
        &["hyperliquid", "leaderboard", "traders", "trader"],
        &catalogue::HYPERLIQUID_LEADERBOARD,
        &[("limit", Fill::Rows)],
        Show::Rows(
            "/data",
            &[
                Fact("/rank", "Rank", Number),
                Fact("/address", "Trader", Text),
                Fact("/total_pnl", "Profit", Usd),
                Fact("/volume_traded", "Volume", Usd),
            ],
        ),
    ),
    topic(
        Market,
        "yields",
        &["yield", "yields", "apy", "farm", "farming", "pool", "pools", "staking"],
        &catalogue::ONCHAIN_YIELD_RANKING,
        &[("limit", Fill::Rows)],
        Show::Rows(
            "/data",
            &[
                Fact("/project", "Project", Text),
                Fact("/symbol", "Token", Text),
                Fact("/apy", "Yield of a year", Percent),
                Fact("/tvl_usd", "Value locked", Usd),
            ],
        ),
    ),
    topic(
        Market,
        "bridges",
        &["bridge", "bridges", "bridging"],
        &catalogue::ONCHAIN_BRIDGE_RANKING,
        &[("limit", Fill::Rows)],
        Show::Rows(
            "/data",
            &[
                Fact("/project", "Bridge", Text),
                Fact("/volume_usd", "Volume", Usd),
                Fact("/tx_count", "Transactions", Number),
            ],
        ),
    ),
    topic(
        Market,
        "DeFi",
        &["defi", "tvl", "protocols", "protocol"],
        &catalogue::PROJECT_DEFI_RANKING,
        &[("metric", Fill::Given("tvl")), ("limit", Fill::Rows)],
        Show::Rows(
            "/data",
            &[
                Fact("/name", "Protocol", Text),
                Fact("/tvl", "Value locked", Usd),
                Fact("/fees", "Fees", Usd),
                Fact("/revenue", "Revenue", Usd),
            ],
        ),
    )
    .unasked(6),
    topic(
        Market,
        "funding rounds",
        &["fundraising", "raised", "raises", "rounds", "seed round"],
        &catalogue::SEARCH_FUNDRAISING,
        &[("limit", Fill::Rows)],
        Show::Rows("/data", &[Fact("/title", "Title", Text), Fact("/event_at", "Day", Day)]),
    ),
    topic(
        Market,
        "top funds",
        &["fund", "funds", "vc", "vcs", "venture", "investors"],
        &catalogue::FUND_RANKING,
        &[("metric", Fill::Given("portfolio_count")), ("limit", Fill::Rows)],
        Show::Rows(
            "/data",
            &[
                Fact("/name", "Fund", Text),
                Fact("/tier", "Tier", Number),
                Fact("/invested_projects_count", "Projects backed", Number),
            ],
        ),
    ),
    topic(
        Market,
        "listings",
        &["listing", "listings", "listed", "delisted", "delisting"],
        &catalogue::MARKET_LISTING,
        &[("from", Fill::Since(30)), ("limit", Fill::Rows)],
        Show::Rows(
            "/data",
            &[
                Fact("/trading_pair", "Pair", Text),
                Fact("/exchange_name", "Exchange", Text),
                Fact("/published_at", "Day", Day),
            ],
        ),
    ),
    topic(
        Market,
        "signals",
        &["signal", "signals", "heat", "heatscore", "token of the day"],
        &catalogue::SIGNAL_TOKEN_OF_THE_DAY,
        &[("limit", Fill::Rows)],
        Show::Rows("/data", &[Fact("/name", "Project", Text), Fact("/heat_score", "Heat", Number)]),
    ),
    topic(
        Market,
        "mindshare",
        &["mindshare", "trending", "attention", "social", "twitter", "narrative", "narratives"],
        &catalogue::SOCIAL_RANKING,
        &[("limit", Fill::Rows)],
        Show::Rows(
            "/data",
            &[
                Fact("/project/name", "Project", Text),
                Fact("/sentiment_score", "Sentiment", Number),
            ],
        ),
    ),
    topic(
        Market,
        "funding",
        &["funding", "perp", "perps", "futures", "open interest", "derivatives", "leverage"],
        &catalogue::MARKET_FUTURES,
        &[],
        Show::Rows(
            "/data",
            &[
                Fact("/symbol", "Asset", Text),
                Fact("/funding_rate", "Funding rate", Number),
                Fact("/open_interest", "Open interest", Usd),
                Fact("/long_short_ratio", "Longs to shorts", Number),
            ],
        ),
    )
    .unasked(4),
    topic(
        Market,
        "liquidations",
        &["liquidation", "liquidations", "liquidated", "rekt"],
        &catalogue::MARKET_LIQUIDATION_EXCHANGE_LIST,
        &[],
        Show::Rows(
            "/data",
            &[
                Fact("/exchange", "Exchange", Text),
                Fact("/long_liquidation_usd", "Longs", Usd),
                Fact("/short_liquidation_usd", "Shorts", Usd),
            ],
        ),
    ),
    topic(
        Market,
        "latest financials",
        &["stock", "stocks", "equities", "equity", "companies", "earnings"],
        &catalogue::EQUITY_LATEST_FINANCIALS,
        &[("limit", Fill::Rows)],
        Show::Rows(
            "/data",
            &[
                Fact("/symbol", "Ticker", Text),
                Fact("/report_period", "Period ends", Text),
                Fact("/gross_margin/value", "Gross margin", Number),
                Fact("/pe_ttm/value", "Price to earnings", Number),
            ],
        ),
    ),
    topic(
        Market,
        "news",
        &["news", "headline", "headlines", "happened", "happening", "latest"],
        &catalogue::NEWS_FEED,
        &[("limit", Fill::Rows)],
        Show::Rows("/data", ARTICLES),
    )
    .unasked(3),
    topic(
        Market,
        "top assets",
        &[
            "top", "ranking", "biggest", "largest", "best", "worst", "gainers", "gainer", "losers",
            "loser", "market", "leaders", "coins", "tokens", "memes", "meme", "crypto",
        ],
        &catalogue::MARKET_RANKING,
        &[
            ("sort_by", Fill::Sort),
            ("order", Fill::Order),
            ("category", Fill::Category),
            ("limit", Fill::Rows),
        ],
        Show::Rows("/data", COINS),
    )
    .unasked(1),
];
