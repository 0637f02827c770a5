//! Topics about holders: funds and wallets.

use crypto_intel_api::generated::catalogue;

use crate::chat::fill::Fill;
use crate::chat::topic::About::{Fund, Wallet};
use crate::chat::topic::Unit::{Day, Number, Text, Usd};
use crate::chat::topic::{Fact, Show, Topic, topic};

pub(super) static TOPICS: &[Topic] = &[
    topic(
        Fund,
        "portfolio",
        &["portfolio", "invested", "backed", "backs", "investments", "projects"],
        &catalogue::FUND_PORTFOLIO,
        &[("q", Fill::Name), ("limit", Fill::Rows)],
        Show::Rows(
            "/data",
            &[
                Fact("/project_name", "Project", Text),
                Fact("/invested_at", "Day", Day),
                Fact("/total_raise", "Raised", Usd),
            ],
        ),
    )
    .unasked(2),
    topic(
        Fund,
        "profile",
        &["fund", "what is", "who", "about", "tier", "vc"],
        &catalogue::FUND_DETAIL,
        &[("q", Fill::Name)],
        Show::Facts(&[
            Fact("/data/description", "In short", Text),
            Fact("/data/tier", "Tier", Number),
            Fact("/data/invested_projects_count", "Projects backed", Number),
        ]),
    )
    .unasked(1),
    topic(
        Wallet,
        "positions",
        &["positions", "position", "hyperliquid", "perp", "perps", "leverage", "margin"],
        &catalogue::HYPERLIQUID_POSITIONS,
        &[("address", Fill::Address)],
        Show::Rows(
            "/data/positions",
            &[
                Fact("/symbol", "Market", Text),
                Fact("/side", "Side", Text),
                Fact("/position_value", "Value", Usd),
                Fact("/unrealized_pnl", "Unrealised", Usd),
            ],
        ),
    )
    .unasked(4),
    topic(
        Wallet,
        "perp account",
        &["hyperliquid", "account", "equity"],
        &catalogue::HYPERLIQUID_ACCOUNT,
        &[("address", Fill::Address)],
        Show::Facts(&[
            Fact("/data/total_value_usd", "Value on Hyperliquid", Usd),
            Fact("/data/perp/account_value", "Perpetuals", Usd),
        ]),
    )
    .unasked(5),
    topic(
        Wallet,
        "transfers",
        &[
            "transfer",
            "transfers",
            "transaction",
            "transactions",
            "sent",
            "received",
            "activity",
            "history",
        ],
        &catalogue::WALLET_TRANSFERS,
        &[("address", Fill::Address), ("limit", Fill::Rows)],
        Show::Rows(
            "/data",
            &[
                Fact("/timestamp", "Day", Day),
                Fact("/flow", "Flow", Text),
                Fact("/token_symbol", "Token", Text),
                Fact("/amount_usd", "Value", Usd),
            ],
        ),
    )
    .unasked(3),
    topic(
        Wallet,
        "net worth",
        &["net worth", "worth", "richer", "growth"],
        &catalogue::WALLET_NET_WORTH,
        &[("address", Fill::Address)],
        Show::Series(
            &[
                Fact("/data/last/timestamp", "Day", Day),
                Fact("/data/last/usd_value", "Net worth", Usd),
                Fact("/data/0/usd_value", "At first", Usd),
            ],
            "/data//usd_value",
        ),
    )
    .unasked(2),
    topic(
        Wallet,
        "holdings",
        &[
            "hold",
            "holds",
            "holding",
            "holdings",
            "tokens",
            "wallet",
            "address",
            "balance",
            "portfolio",
            "who",
        ],
        &catalogue::WALLET_DETAIL,
        &[("address", Fill::Address)],
        Show::Facts(&[
            Fact("/data/labels/entity_name", "Known as", Text),
            Fact("/data/evm_balance/total_usd", "Value", Usd),
            Fact("/data/evm_tokens/0/symbol", "First token", Text),
            Fact("/data/evm_tokens/0/usd_value", "Worth", Usd),
        ]),
    )
    .unasked(1),
];
