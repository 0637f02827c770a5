//! Topics about an asset.

use crypto_intel_api::generated::catalogue;

use crate::chat::fill::Fill;
use crate::chat::topic::About::Asset;
use crate::chat::topic::Unit::{Day, Number, Percent, Text, Usd};
use crate::chat::topic::{ARTICLES, Fact, MARKETS, Show, Topic, topic};

pub(super) static TOPICS: &[Topic] = &[
    topic(
        Asset,
        "funding",
        &[
            "funding",
            "perp",
            "perps",
            "perpetual",
            "futures",
            "leverage",
            "open interest",
            "derivatives",
        ],
        &catalogue::EXCHANGE_PERP,
        &[("pair", Fill::Pair), ("exchange", Fill::Venue)],
        Show::Facts(&[
            Fact("/data/funding/funding_rate", "Funding rate", Number),
            Fact("/data/funding/mark_price", "Mark price", Usd),
            Fact("/data/open_interest/open_interest_usd", "Open interest", Usd),
        ]),
    )
    .unasked(2),
    topic(
        Asset,
        "liquidations",
        &["liquidation", "liquidations", "liquidated", "rekt"],
        &catalogue::MARKET_LIQUIDATION_EXCHANGE_LIST,
        &[("symbol", Fill::Symbol)],
        Show::Rows(
            "/data",
            &[
                Fact("/exchange", "Exchange", Text),
                Fact("/long_liquidation_usd", "Longs", Usd),
                Fact("/short_liquidation_usd", "Shorts", Usd),
            ],
        ),
    )
    .unasked(7),
    topic(
        Asset,
        "ETF flows",
        &["etf", "etfs", "flow", "flows", "inflow", "inflows", "outflow", "outflows"],
        &catalogue::MARKET_ETF,
        &[("symbol", Fill::Symbol)],
        Show::Series(
            &[
                Fact("/data/0/timestamp", "Day", Day),
                Fact("/data/0/flow_usd", "Flow into funds", Usd),
                Fact("/data/1/flow_usd", "Flow of the day before", Usd),
            ],
            "/data//flow_usd",
        ),
    )
    .unasked(6),
    topic(
        Asset,
        "options",
        &["options", "put", "call", "put call ratio", "max pain"],
        &catalogue::MARKET_OPTIONS,
        &[("symbol", Fill::Symbol)],
        Show::Rows(
            "/data",
            &[
                Fact("/exchange", "Exchange", Text),
                Fact("/open_interest", "Open interest", Usd),
                Fact("/put_call_ratio", "Puts to calls", Number),
            ],
        ),
    ),
    topic(
        Asset,
        "technical indicator",
        &["rsi", "overbought", "oversold", "technical", "technicals", "momentum"],
        &catalogue::MARKET_PRICE_INDICATOR,
        &[
            ("symbol", Fill::Symbol),
            ("indicator", Fill::Given("rsi")),
            ("interval", Fill::Given("1d")),
        ],
        Show::Facts(&[
            Fact("/data/last/value", "RSI of 14 days", Number),
            Fact("/data/last/timestamp", "Day", Day),
        ]),
    ),
    topic(
        Asset,
        "on-chain indicator",
        &["nupl", "onchain", "on chain", "unrealized"],
        &catalogue::MARKET_ONCHAIN_INDICATOR,
        &[("symbol", Fill::Symbol), ("metric", Fill::Given("nupl"))],
        Show::Facts(&[Fact("/data/last/value", "Net unrealised profit and loss", Number)]),
    ),
    topic(
        Asset,
        "order book",
        &["depth", "order book", "orderbook", "spread", "liquidity", "bid", "ask"],
        &catalogue::EXCHANGE_DEPTH,
        &[("pair", Fill::Pair), ("exchange", Fill::Venue), ("limit", Fill::Given("20"))],
        Show::Facts(&[
            Fact("/data/0/bids/0/price", "Best bid", Usd),
            Fact("/data/0/asks/0/price", "Best ask", Usd),
            Fact("/data/0/spread_pct", "Spread", Percent),
        ]),
    ),
    topic(
        Asset,
        "exchange price",
        &["exchange", "ticker", "binance", "coinbase", "kraken", "okx", "bybit"],
        &catalogue::EXCHANGE_PRICE,
        &[("pair", Fill::Pair), ("exchange", Fill::Venue)],
        Show::Facts(&[
            Fact("/data/0/exchange", "Exchange", Text),
            Fact("/data/0/last", "Last price", Usd),
            Fact("/data/0/bid", "Bid", Usd),
            Fact("/data/0/ask", "Ask", Usd),
            Fact("/data/0/change_24h_pct", "24 hours", Percent),
        ]),
    ),
    topic(
        Asset,
        "news",
        &["news", "headline", "headlines", "happened", "happening", "why", "latest", "moved"],
        &catalogue::NEWS_FEED,
        &[("project", Fill::Slug), ("limit", Fill::Rows)],
        Show::Rows("/data", ARTICLES),
    )
    .unasked(3),
    topic(
        Asset,
        "social sentiment",
        &["sentiment", "mood", "bullish", "bearish"],
        &catalogue::SOCIAL_SENTIMENT,
        &[("q", Fill::Slug)],
        Show::Facts(&[Fact("/data/sentiment_score", "Sentiment", Number)]),
    )
    .unasked(8),
    topic(
        Asset,
        "mindshare",
        &["mindshare", "attention", "buzz", "social", "twitter"],
        &catalogue::SOCIAL_MINDSHARE,
        &[("q", Fill::Slug), ("interval", Fill::Given("1d"))],
        Show::Facts(&[Fact("/data/last/value", "Mindshare", Number)]),
    ),
    topic(
        Asset,
        "signals",
        &["signal", "signals", "heat", "heatscore"],
        &catalogue::SIGNAL_DETAIL,
        &[("project_slug", Fill::Slug)],
        Show::Facts(&[Fact("/data/heat_score", "Heat", Number), Fact("/data/price", "Price", Usd)]),
    ),
    topic(
        Asset,
        "funding rounds",
        &["raise", "raised", "fundraising", "funding round", "backers", "investors", "valuation"],
        &catalogue::PROJECT_DETAIL,
        &[("q", Fill::Slug)],
        Show::Rows(
            "/data/funding/rounds",
            &[
                Fact("/round_name", "Round", Text),
                Fact("/date", "Day", Text),
                Fact("/amount", "Raised", Usd),
                Fact("/valuation", "Valuation", Usd),
            ],
        ),
    ),
    topic(
        Asset,
        "token unlocks",
        &["unlock", "unlocks", "vesting", "tokenomics", "allocation"],
        &catalogue::TOKEN_TOKENOMICS,
        &[("symbol", Fill::Symbol)],
        Show::Facts(&[
            Fact("/data/0/timestamp", "Day", Day),
            Fact("/data/0/unlock_amount", "Unlocked", Number),
            Fact("/data/0/unlocked_percentage_of_total_supply", "Unlocked of the supply", Percent),
        ]),
    ),
    topic(
        Asset,
        "holders",
        &["holder", "holders", "whale", "whales"],
        &catalogue::TOKEN_HOLDERS,
        &[("address", Fill::Contract), ("chain", Fill::Chain), ("limit", Fill::Rows)],
        Show::Rows(
            "/data",
            &[Fact("/address", "Address", Text), Fact("/percentage", "Share", Percent)],
        ),
    ),
    topic(
        Asset,
        "DeFi",
        &["defi", "tvl", "fees", "revenue", "locked", "protocol"],
        &catalogue::PROJECT_DEFI_METRICS,
        &[("q", Fill::Slug), ("metric", Fill::Given("tvl"))],
        Show::Facts(&[
            Fact("/data/0/timestamp", "Day", Day),
            Fact("/data/0/value", "Value locked", Usd),
        ]),
    ),
    topic(
        Asset,
        "prediction markets",
        &[
            "prediction",
            "predictions",
            "polymarket",
            "kalshi",
            "odds",
            "bet",
            "bets",
            "probability",
            "chance",
        ],
        &catalogue::SEARCH_PREDICTION_MARKET,
        &[("q", Fill::Name), ("limit", Fill::Rows)],
        Show::Rows("/data", MARKETS),
    )
    .unasked(5),
    topic(
        Asset,
        "prediction markets of crypto",
        &["prediction", "predictions", "polymarket", "kalshi", "odds"],
        &catalogue::SEARCH_PREDICTION_MARKET,
        &[
            ("category", Fill::Given("crypto")),
            ("sort_by", Fill::Given("volume_7d")),
            ("limit", Fill::Rows),
        ],
        Show::Rows("/data", MARKETS),
    ),
    topic(
        Asset,
        "profile",
        &[
            "what is",
            "what s",
            "about",
            "explain",
            "who",
            "project",
            "supply",
            "circulating",
            "market cap",
            "overview",
        ],
        &catalogue::PROJECT_DETAIL,
        &[("q", Fill::Slug)],
        Show::Facts(&[
            Fact("/data/overview/description", "In short", Text),
            Fact("/data/token_info/price_usd", "Price", Usd),
            Fact("/data/token_info/market_cap_usd", "Market value", Usd),
            Fact("/data/token_info/circulating_supply", "In circulation", Number),
            Fact("/data/token_info/total_supply", "Total supply", Number),
            Fact("/data/funding/total_raise", "Raised", Usd),
        ]),
    )
    .unasked(4),
    topic(
        Asset,
        "price",
        &[
            "price",
            "worth",
            "cost",
            "trading",
            "high",
            "low",
            "chart",
            "performance",
            "move",
            "today",
            "week",
            "month",
            "year",
        ],
        &catalogue::MARKET_PRICE,
        &[("symbol", Fill::Symbol), ("time_range", Fill::Range)],
        Show::Series(
            &[
                Fact("/summary/last", "Price", Usd),
                Fact("/summary/change_pct", "Change", Percent),
                Fact("/summary/high", "High", Usd),
                Fact("/summary/low", "Low", Usd),
            ],
            "/data//value",
        ),
    )
    .unasked(1),
];
