//! Calls the module that computes the response of an operation. For example, the module `airdrops` computes the
//! responses of `search-airdrop`.
//!
//! The input is the arguments of a request. The output is the data of the response, or an error.

use crypto_intel_core::Operation;

use crate::args::Args;
use crate::context::Context;
use crate::refusal::Refusal;
use crate::row::Data;
use crate::{
    airdrops, chains, defi, dex, equity, events, exchange, exchange_coverage, fundraising, funds,
    hyperliquid, indicators, liquidations, market, onchain_indicators, options, pair_listings,
    perps, prediction, project_news, projects, shapes, signals, social, tokens, transactions,
    transfers, wallets, web,
};

type Answerer = fn(&Context, &Args) -> Result<Option<Data>, Refusal>;

/// A domain: a module that computes the responses of one or more operations. `data` is the module's function that
/// computes the responses. `operations` contains the ids of the operations.
struct Domain {
    data: Answerer,
    operations: &'static [&'static str],
}

macro_rules! domains {
    ($($domain:ident: $($operation:literal)*;)*) => {
        &[$(Domain { data: $domain::data, operations: &[$($operation),*] }),*]
    };
}

const DOMAINS: &[Domain] = domains! {
    market: "market-etf" "market-fear-greed" "market-futures" "market-price" "market-ranking";
    exchange: "exchange-candles" "exchange-depth" "exchange-klines" "exchange-markets" "exchange-price";
    exchange_coverage: "exchange-coverage";
    tokens: "dex-token-price" "search-token" "token-tokenomics";
    projects: "market-tge" "project-defi-metrics" "project-defi-ranking" "project-detail" "search-project";
    signals: "signal-detail" "signal-projects" "signal-token-of-the-day" "signal-token-of-week";
    funds: "fund-detail" "fund-portfolio" "fund-ranking" "search-fund";
    equity: "equity-balance-sheet" "equity-candles" "equity-cash-flow" "equity-etf-holdings"
        "equity-filings" "equity-income-statement" "equity-latest-filings" "equity-latest-financials"
        "equity-listings" "equity-metrics" "equity-overview" "equity-price" "equity-profile";
    hyperliquid: "hyperliquid-account" "hyperliquid-candles" "hyperliquid-fills" "hyperliquid-leaderboard"
        "hyperliquid-orders" "hyperliquid-performance" "hyperliquid-positions" "hyperliquid-trader-stats"
        "hyperliquid-trades" "hyperliquid-trades-aggregate" "hyperliquid-trades-context";
    wallets: "portfolio-wallets" "search-wallet" "token-holders" "wallet-detail" "wallet-history"
        "wallet-labels-batch" "wallet-net-worth" "wallet-protocols" "wallet-transfers";
    prediction: "kalshi-events" "kalshi-markets" "kalshi-open-interest" "kalshi-orderbooks" "kalshi-prices"
        "kalshi-ranking" "kalshi-trades" "kalshi-volumes" "matching-market-daily" "matching-market-pairs"
        "polymarket-events" "polymarket-leaderboard" "polymarket-markets" "polymarket-open-interest"
        "polymarket-orderbooks" "polymarket-positions" "polymarket-price-ohlcv" "polymarket-prices"
        "polymarket-smart-money" "polymarket-trades" "polymarket-volume-split" "polymarket-volumes"
        "prediction-market-analytics" "prediction-market-category-metrics" "prediction-market-correlations"
        "search-kalshi" "search-polymarket" "search-prediction-market";
    social: "news-detail" "news-feed" "search-news" "search-social-people" "search-social-posts"
        "social-detail" "social-mindshare" "social-ranking" "social-sentiment"
        "social-smart-followers-history" "social-tweet-replies" "social-tweets" "social-user"
        "social-user-followers" "social-user-following" "social-user-posts" "social-user-replies"
        "x-tweets";
    liquidations: "market-liquidation-chart" "market-liquidation-exchange-list" "market-liquidation-order";
    indicators: "market-price-indicator";
    options: "market-options";
    onchain_indicators: "market-exchange-flow-exchanges" "market-onchain-indicator";
    pair_listings: "market-listing";
    fundraising: "market-public-sale" "search-fundraising";
    airdrops: "search-airdrop" "search-airdrop-activities";
    events: "search-events";
    project_news: "project-ai-news" "project-pulse";
    perps: "exchange-funding-history" "exchange-long-short-ratio" "exchange-perp";
    transfers: "token-transfer-counterparties" "token-transfer-stats" "token-transfers";
    dex: "onchain-dex-activity" "token-dex-trades";
    transactions: "onchain-tx";
    chains: "onchain-gas-price";
    defi: "onchain-bridge-ranking" "onchain-yield-ranking";
    web: "search-web" "web-fetch";
};

fn find_domain(operation: &Operation) -> Option<&'static Domain> {
    DOMAINS.iter().find(|domain| domain.operations.contains(&operation.id))
}

/// Returns true if a module of `crypto-intel-world` computes the rows of the operation. For other operations, [`data`]
/// generates rows from the record types.
#[must_use]
pub fn has_domain(operation: &Operation) -> bool {
    find_domain(operation).is_some()
}

/// Computes the rows of a response.
///
/// # Errors
/// Returns a [`Refusal`] if the asset, wallet, market or other entity does not exist. Also returns a [`Refusal`] if the
/// data of the chain are unavailable.
pub fn data(ctx: &Context, args: &Args) -> Result<Data, Refusal> {
    if let Some(chain) = args.text("chain")
        && ctx.scenario.lost(chain).is_some()
    {
        return Err(Refusal::unavailable(format!(
            "the data of `{chain}` are temporarily unavailable"
        )));
    }

    if let Some(domain) = find_domain(args.operation)
        && let Some(data) = (domain.data)(ctx, args)?
    {
        return Ok(data);
    }
    Ok(shapes::data(ctx, args))
}

#[cfg(test)]
mod tests {
    use crypto_intel_api::generated::catalogue::OPERATIONS;

    use super::*;
    use crate::example;
    use crate::random::Seed;

    #[test]
    fn operation_is_answered_by_its_domain_and_by_no_other() {
        // The current time is 2026-06-15 13:37:42 UTC.
        let ctx = Context::new(Seed::new(1), 1_781_530_662);
        let mut wrong = Vec::new();
        for operation in OPERATIONS {
            let args = example::args(operation, &example::parameters(operation)).unwrap();
            let answers =
                |domain: &Domain| (domain.data)(&ctx, &args).is_ok_and(|data| data.is_some());
            let (ours, others): (Vec<_>, Vec<_>) =
                DOMAINS.iter().partition(|domain| domain.operations.contains(&operation.id));
            if ours.len() > 1 || !ours.into_iter().all(answers) || others.into_iter().any(answers) {
                wrong.push(operation.id);
            }
        }
        assert!(wrong.is_empty(), "the table of domains is wrong about {wrong:?}");
    }
}
