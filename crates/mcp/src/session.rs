//! State of a session. The state contains the client, the credit limits and the stored results. All tools of the
//! session share this state.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crypto_intel::credits::{Budget, Estimate};
use crypto_intel::{Client, ClientBuilder, Error};
use rmcp::task_manager::TaskManager;
use serde::Serialize;

use crate::caller::{Caller, Consent};
use crate::problem::Problem;
use crate::result_store::Store;
use crate::settings::Settings;
use crate::tokens;

/// State of a session, which all of its tools share.
pub(crate) struct Session {
    pub(crate) client: Client,
    pub(crate) settings: Settings,
    pub(crate) store: Store,
    /// Long calls that run as MCP tasks.
    pub(crate) tasks: TaskManager,
    used: Arc<UsageCounter>,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("settings", &self.settings).finish_non_exhaustive()
    }
}

/// Counters of a server for tool calls and for tokens in their results. All sessions of the server share the counters.
#[derive(Debug, Default)]
struct UsageCounter {
    calls: AtomicU64,
    tokens: AtomicU64,
}

/// Number of tool calls of a server, and number of tokens in their results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct Usage {
    /// Number of tool calls, including rejected calls.
    pub calls: u64,
    /// Estimated number of tokens of all results; see [`estimate_tokens`](crate::estimate_tokens).
    pub tokens: u64,
}

/// Cost of a call, and remaining credits.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Cost {
    /// Maximum list price of the call. Absent if the price is not published, or if it equals `charged`.
    #[serde(skip_serializing_if = "Option::is_none")]
    list_price: Option<u64>,
    /// Credits used, as the service reports them. Absent if the service does not report them.
    #[serde(skip_serializing_if = "Option::is_none")]
    charged: Option<i64>,
    /// Remaining credits of the limit in [`Settings::max_credits`].
    left: u64,
}

/// Token budget of a result if the caller sets no budget. The caller can read the remaining rows without further
/// credits, with the handle of the stored result.
const DEFAULT_TOKENS: usize = 1_200;

impl Session {
    /// Creates a session with a new client. The settings limit the credits of this client. The client rejects a call if
    /// the list price of the call exceeds the remaining credits.
    pub(crate) fn new(builder: ClientBuilder, settings: Settings) -> Result<Self, Error> {
        let budget = Budget::credits(settings.max_credits).as_reported();
        let budget = if settings.allow_unpriced { budget.allow_unknown() } else { budget };
        let client = builder.budget(budget).build()?;
        Ok(Session {
            client,
            settings,
            store: Store::with_secret_handles(),
            tasks: TaskManager::new(),
            used: Arc::default(),
        })
    }

    /// Creates another session, which has its own stored results. Both sessions share the client, the credit limits and
    /// the usage counters.
    pub(crate) fn with_own_results(&self) -> Self {
        Session {
            client: self.client.clone(),
            settings: self.settings.clone(),
            store: Store::default(),
            tasks: TaskManager::new(),
            used: self.used.clone(),
        }
    }

    /// Adds a tool call and the tokens of its result to the usage counters.
    pub(crate) fn count(&self, answer: &str) {
        self.used.calls.fetch_add(1, Ordering::Relaxed);
        self.used.tokens.fetch_add(tokens::estimate(answer) as u64, Ordering::Relaxed);
    }

    pub(crate) fn usage(&self) -> Usage {
        Usage {
            calls: self.used.calls.load(Ordering::Relaxed),
            tokens: self.used.tokens.load(Ordering::Relaxed),
        }
    }

    /// Returns the token budget of a result: the caller's budget `asked`, or the default if `asked` is `None`. The
    /// returned budget is at least 200, and at most the maximum in the settings.
    pub(crate) fn tokens(&self, asked: Option<usize>) -> usize {
        asked.unwrap_or(DEFAULT_TOKENS).clamp(200, self.settings.max_tokens.max(200))
    }

    /// Checks the list price of a call. Returns an error if the price exceeds a credit limit, or if the price is
    /// unknown and the settings reject unknown prices. Asks the user for consent to an expensive call. `own` is the
    /// limit that the caller has set for this call.
    pub(crate) async fn allow(
        &self,
        price: Estimate,
        own: Option<u64>,
        caller: &Caller,
    ) -> Result<(), Problem> {
        self.check(price, own)?;
        let Some(limit) = self.settings.consent_above else { return Ok(()) };
        let Some(most) = price.credits().filter(|most| most.0 > limit) else { return Ok(()) };

        let problem = |message| Err(Problem::over_cap(message));
        match caller.consent(format!("This call costs up to {most} by list price. Allow it?")).await {
            Consent::Given => Ok(()),
            Consent::Declined => problem(format!("the user did not allow this call with a list price of up to {most}"))
                .map_err(|problem| problem.next("do not repeat the call; use a cheaper operation, or ask the user")),
            Consent::CannotAsk => problem(format!(
                "the list price is up to {most}; calls above {limit} credits need the user's consent, but this client cannot ask for it"
            ))
            .map_err(|problem| problem.next(
                "request fewer pages, use a cheaper operation, or ask the user to start the server with a larger `--consent-above`",
            )),
        }
    }

    /// Returns an error if the list price of a call exceeds a credit limit. If the price is not published, returns an
    /// error unless the settings allow calls without a published price. `own` is the limit that the caller has set for
    /// this call.
    fn check(&self, price: Estimate, own: Option<u64>) -> Result<(), Problem> {
        let Some(most) = price.credits() else {
            if self.settings.allow_unpriced {
                return Ok(());
            }
            return Err(Problem::over_cap("the price of this operation is not published")
                .next("use another operation, or ask the user to start the server with `--allow-unpriced`"));
        };

        let cap = self.settings.max_credits_per_call;
        let own = own.unwrap_or(cap);
        if most.0 > own.min(cap) {
            let (whose, next) = if own < cap {
                (
                    "`max_credits`",
                    "raise `max_credits`, request fewer pages, or use another operation",
                )
            } else {
                (
                    "the server's cap per call",
                    "request fewer pages, split the call, or use another operation",
                )
            };
            return Err(Problem::over_cap(format!(
                "the list price is up to {most}, but {whose} allows only {} credits",
                own.min(cap)
            ))
            .next(next));
        }

        let left = self.left();
        if most.0 > left {
            return Err(Problem::over_cap(format!(
                "the list price is up to {most}, but only {left} of the connection's {} credits are left",
                self.settings.max_credits
            ))
            .next("answer with the data that you have; free tools such as `read_result` still work"));
        }
        Ok(())
    }

    /// Returns the remaining credits of the limit in [`Settings::max_credits`]. All sessions that share the client
    /// share this limit.
    pub(crate) fn left(&self) -> u64 {
        self.client.ledger().remaining().map_or(u64::MAX, |left| left.0)
    }

    /// Returns the cost of a finished call.
    pub(crate) fn cost(&self, price: Estimate, charged: Option<i64>) -> Cost {
        let list_price = price.credits().map(|most| most.0);
        let is_charged =
            list_price.is_some_and(|list| Some(list) == charged.and_then(|n| n.try_into().ok()));
        Cost { list_price: list_price.filter(|_| !is_charged), charged, left: self.left() }
    }
}
