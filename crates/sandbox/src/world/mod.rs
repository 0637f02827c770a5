//! The world: what the domains show, each from the same assets, companies, wallets and markets.
//!
//! A domain knows what must agree with other domains and gives that much of a row; the rest of
//! its members is filled in from the record tables. An operation no domain knows is filled in
//! altogether.

mod airdrops;
pub(crate) mod assets;
pub(crate) mod chains;
mod daily;
mod debuts;
mod defi;
pub(crate) mod dex;
pub(crate) mod equity;
mod events;
mod exchange;
pub(crate) mod funds;
pub(crate) mod hyperliquid;
mod indicators;
pub(crate) mod labels;
mod liquidations;
pub(crate) mod market;
mod onchain_indicators;
mod options;
mod perps;
pub(crate) mod prediction;
pub(crate) mod price;
pub(crate) mod projects;
mod pulse;
mod raising;
mod receipts;
pub(crate) mod social;
mod splits;
pub(crate) mod tokens;
pub(crate) mod transactions;
pub(crate) mod transfers;
pub(crate) mod units;
mod wallets;
mod web;

use crypto_intel_core::{Operation, Paging, ParamKind};
use serde_json::Value;

use crate::args::Args;
use crate::context::Context;
use crate::fill::Given;
use crate::random::Seed;
use crate::refusal::Refusal;

/// What is known of one record, and where the rest of it comes from.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub(crate) given: Given,
    /// Of the thing shown, so that its filled-in members agree wherever it appears.
    pub(crate) seed: Seed,
    /// Unix seconds.
    pub(crate) time: i64,
    /// Whether optional members that are not given stay absent.
    pub(crate) complete: bool,
}

impl Row {
    /// A row of an object; anything else has no members. A member that is `null` where the
    /// record has no `null` stays absent.
    pub(crate) fn new(seed: Seed, time: i64, given: Value) -> Self {
        let given = match given {
            Value::Object(members) => members,
            _ => Given::new(),
        };
        Row { given, seed, time, complete: false }
    }

    /// The same, of which nothing optional is filled in.
    pub(crate) fn complete(mut self) -> Self {
        self.complete = true;
        self
    }
}

/// What a domain has for a request.
#[derive(Debug)]
pub(crate) enum Data {
    /// Every row, before it is filtered, sorted and cut into pages.
    Rows(Vec<Row>),
    /// One record.
    One(Row),
}

type Domain = fn(&Context<'_>, &Args) -> Result<Option<Data>, Refusal>;

const DOMAINS: &[Domain] = &[
    market::data,
    exchange::data,
    tokens::data,
    projects::data,
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
    debuts::data,
    raising::data,
    airdrops::data,
    events::data,
    pulse::data,
    perps::data,
    transfers::data,
    dex::data,
    transactions::data,
    chains::data,
    defi::data,
    web::data,
];

/// What the world has for a request; `None` where no domain knows the operation.
///
/// # Errors
/// 404 for something the world does not have.
pub(crate) fn data(ctx: &Context<'_>, args: &Args) -> Result<Option<Data>, Refusal> {
    for domain in DOMAINS {
        if let Some(data) = domain(ctx, args)? {
            return Ok(Some(data));
        }
    }
    Ok(None)
}

/// The values that the catalogue lists for a parameter; none where it lists none.
pub(crate) fn choices(operation: &Operation, param: &str) -> &'static [&'static str] {
    match operation.param(param).map(|(_, param)| param.kind) {
        Some(ParamKind::Enum(values)) => values,
        _ => &[],
    }
}

/// The stretch of time a request asks for, in Unix seconds: `from` and `to`, else a lookback of
/// `time_range`, else of `default` seconds. It ends at `now` at the latest.
pub(crate) fn span(ctx: &Context<'_>, args: &Args, default: i64) -> (i64, i64) {
    let to = args.moment("to").or_else(|| args.moment("end_time")).unwrap_or(ctx.now).min(ctx.now);
    let window = match args.text("time_range") {
        Some("max" | "all") => HISTORY,
        Some(text) => crate::moment::window(text).unwrap_or(default),
        None => default,
    };
    // Nothing reaches back further.
    let from = args.moment("from").or_else(|| args.moment("start_time")).unwrap_or(to - window);
    (from.max(ctx.now - HISTORY), to)
}

/// Numbers of the rows that a request for a page by offset shows. Others need no more than what
/// sorts and filters them.
fn page_window(args: &Args) -> std::ops::Range<usize> {
    let Paging::Offset { limit, offset } = args.operation.paging else { return 0..usize::MAX };
    let number = |name: &str, usual| usize::try_from(args.integer(name).unwrap_or(usual));
    let start = number(offset, 0).unwrap_or(usize::MAX);
    start..start.saturating_add(number(limit, 20).unwrap_or(0))
}

/// How far back anything reaches: five years, in seconds.
pub(crate) const HISTORY: i64 = 5 * 365 * crate::moment::DAY;

#[cfg(test)]
mod tests {
    use axum::http::HeaderMap;
    use crypto_intel_api::generated::catalogue::OPERATIONS;
    use crypto_intel_core::{In, Operation};

    use super::*;
    use crate::args::Carriers;
    use crate::cursor::Cursors;
    use crate::example;

    /// Operations that are answered elsewhere, and by whom.
    const ELSEWHERE: &[(&str, &str)] = &[
        ("credit-balance", "the accounts"),
        ("chat-completions", "the chat"),
        ("chat-completions-stream", "the chat"),
        ("responses", "the chat"),
        ("responses-stream", "the chat"),
    ];

    /// The request of an operation's example.
    fn args(operation: &'static Operation) -> Args {
        let mut query = form_urlencoded::Serializer::new(String::new());
        let (mut path, mut headers, mut body) = (Vec::new(), HeaderMap::new(), Given::new());
        for (name, value) in example::parameters(operation) {
            let text = example::written(&value);
            match operation.param(name).map(|(_, param)| param.location) {
                Some(In::Path) => path.push((name, text)),
                Some(In::Header) => {
                    headers.insert(name, text.parse().unwrap());
                }
                Some(In::Body) => {
                    body.insert(name.to_owned(), value);
                }
                _ => {
                    query.append_pair(name, &text);
                }
            }
        }
        let carriers = Carriers {
            query: &query.finish(),
            path_values: &path,
            headers: &headers,
            body: (!body.is_empty()).then_some(&body),
            switches: &[],
            undescribed: &[],
        };
        Args::read(operation, carriers).unwrap()
    }

    #[test]
    fn every_operation_is_answered_by_a_domain() {
        let ctx = Context {
            seed: Seed::new(1),
            cursors: &Cursors::new(Seed::new(1)),
            // 2026-06-15 13:37:42 UTC.
            now: 1_781_530_662,
            nonce: 0,
            credits_used: 0,
            cached: false,
        };
        let invented: Vec<_> = OPERATIONS
            .iter()
            .filter(|operation| !ELSEWHERE.iter().any(|(id, _)| *id == operation.id))
            .filter(|operation| !crate::sql::is_sql(operation))
            .filter(|operation| matches!(data(&ctx, &args(operation)), Ok(None)))
            .map(|operation| operation.id)
            .collect();
        assert!(invented.is_empty(), "nobody knows {invented:?}");
        for (id, _) in ELSEWHERE {
            assert!(OPERATIONS.iter().any(|operation| operation.id == *id), "no operation {id}");
        }
    }
}
