//! The world: what the domains show, each from the same assets, companies, wallets and markets.
//!
//! A domain knows what must agree with other domains and gives that much of a row; the rest of
//! its members is filled in from the record tables. An operation no domain knows is filled in
//! altogether.

pub(crate) mod assets;
pub(crate) mod equity;
mod exchange;
pub(crate) mod funds;
pub(crate) mod hyperliquid;
pub(crate) mod market;
pub(crate) mod prediction;
pub(crate) mod price;
pub(crate) mod projects;
pub(crate) mod social;
pub(crate) mod tokens;
pub(crate) mod wallets;

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

/// The stretch of time a request asks for, in Unix seconds: `from` and `to`, else a lookback of
/// `time_range`, else of `default` seconds. It ends at `now` at the latest.
pub(crate) fn span(ctx: &Context<'_>, args: &Args, default: i64) -> (i64, i64) {
    let to = args.moment("to").or_else(|| args.moment("end_time")).unwrap_or(ctx.now).min(ctx.now);
    let window = match args.text("time_range") {
        Some("max" | "all") => HISTORY,
        Some(text) => crate::moment::window(text).unwrap_or(default),
        None => default,
    };
    let from = args.moment("from").or_else(|| args.moment("start_time")).unwrap_or(to - window);
    (from, to)
}

/// How far back anything reaches: five years, in seconds.
pub(crate) const HISTORY: i64 = 5 * 365 * crate::moment::DAY;
