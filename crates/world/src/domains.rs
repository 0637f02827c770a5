//! Dispatches each operation to the domain that answers it.

use crate::args::Args;
use crate::context::Context;
use crate::refusal::Refusal;
use crate::row::Data;
use crate::{
    airdrops, chains, defi, dex, equity, events, exchange, exchange_coverage, fundraising, funds,
    hyperliquid, indicators, liquidations, market, onchain_indicators, options, pair_listings,
    perps, prediction, project_news, projects, signals, social, tokens, transactions, transfers,
    wallets, web,
};

type Domain = fn(&Context, &Args) -> Result<Option<Data>, Refusal>;

const DOMAINS: &[Domain] = &[
    market::data,
    exchange::data,
    exchange_coverage::data,
    tokens::data,
    projects::data,
    signals::data,
    funds::data,
    equity::data,
    hyperliquid::data,
    wallets::data,
    prediction::data,
    social::data,
    liquidations::data,
    indicators::data,
    options::data,
    onchain_indicators::data,
    pair_listings::data,
    fundraising::data,
    airdrops::data,
    events::data,
    project_news::data,
    perps::data,
    transfers::data,
    dex::data,
    transactions::data,
    chains::data,
    defi::data,
    web::data,
];

/// Computes the rows of a call.
///
/// # Errors
/// [`Refusal`] for things that the world does not have, and for operations that no domain answers: chat, SQL
/// and accounts.
pub fn data(ctx: &Context, args: &Args) -> Result<Data, Refusal> {
    if let Some(chain) = args.text("chain")
        && ctx.scenario.lost(chain).is_some()
    {
        return Err(Refusal::unavailable(format!(
            "the data of `{chain}` are temporarily unavailable"
        )));
    }

    for domain in DOMAINS {
        if let Some(data) = domain(ctx, args)? {
            return Ok(data);
        }
    }
    Err(Refusal::not_found(format!("no domain of the world answers `{}`", args.operation.id)))
}

#[cfg(test)]
mod tests {
    use crypto_intel_api::generated::catalogue::OPERATIONS;
    use crypto_intel_core::Operation;

    use super::*;
    use crate::example;
    use crate::random::Seed;

    /// Operations that are answered outside of this crate, and by which part.
    const ELSEWHERE: &[(&str, &str)] = &[
        ("credit-balance", "the accounts"),
        ("chat-completions", "the chat"),
        ("chat-completions-stream", "the chat"),
        ("responses", "the chat"),
        ("responses-stream", "the chat"),
    ];

    /// The SQL operations have their own engine.
    fn is_sql(operation: &Operation) -> bool {
        let path = operation.path.strip_prefix("/gateway/v1/onchain/").unwrap_or_default();
        matches!(path.split('/').next(), Some("sql" | "query" | "schema"))
    }

    /// Arguments of an operation's example.
    fn args(operation: &'static Operation) -> Args {
        example::args(operation, &example::parameters(operation)).unwrap()
    }

    #[test]
    fn every_operation_is_answered_by_a_domain() {
        // 2026-06-15 13:37:42 UTC.
        let ctx = Context::new(Seed::new(1), 1_781_530_662);
        let invented: Vec<_> = OPERATIONS
            .iter()
            .filter(|operation| !ELSEWHERE.iter().any(|(id, _)| *id == operation.id))
            .filter(|operation| !is_sql(operation))
            .filter(|operation| data(&ctx, &args(operation)).is_err())
            .map(|operation| operation.id)
            .collect();
        assert!(invented.is_empty(), "nobody knows {invented:?}");
        for (id, _) in ELSEWHERE {
            assert!(OPERATIONS.iter().any(|operation| operation.id == *id), "no operation {id}");
        }
    }
}
