//! Settings of the server.

use crypto_intel_jq::Worker;

/// Settings of a [`Server`](crate::Server).
///
/// # Defaults
/// The general tools alone; 4,000 tokens for a result; 50 credits for a call and 500 for a
/// connection; no calls of operations whose price is not published; no jq programs.
#[derive(Debug, Clone)]
#[must_use]
pub struct Settings {
    pub(crate) tools: Vec<String>,
    pub(crate) max_tokens: usize,
    pub(crate) max_credits_per_call: u64,
    pub(crate) max_credits: u64,
    pub(crate) allow_unpriced: bool,
    pub(crate) sandbox: bool,
    pub(crate) jq_worker: Option<Worker>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            tools: Vec::new(),
            max_tokens: 4_000,
            max_credits_per_call: 50,
            max_credits: 500,
            allow_unpriced: false,
            sandbox: false,
            jq_worker: None,
        }
    }
}

impl Settings {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a typed tool for each operation of `name`: an operation (`market-price`), a domain
    /// (`market`), or `all`.
    pub fn tool(mut self, name: impl Into<String>) -> Self {
        self.tools.push(name.into());
        self
    }

    /// Tokens of one result at most, about; the rest is read on by its handle. At least 200.
    pub fn max_tokens(mut self, tokens: usize) -> Self {
        self.max_tokens = tokens.max(200);
        self
    }

    /// Credits that one tool call may cost at most, by list price.
    pub fn max_credits_per_call(mut self, credits: u64) -> Self {
        self.max_credits_per_call = credits;
        self
    }

    /// Credits that a connection may spend at most, by list price. Over HTTP it holds for all
    /// connections of the server together, because the newer protocol has no connections.
    pub fn max_credits(mut self, credits: u64) -> Self {
        self.max_credits = credits;
        self
    }

    /// Whether operations may be called whose price is not published. They count as free.
    pub fn allow_unpriced(mut self, allow: bool) -> Self {
        self.allow_unpriced = allow;
        self
    }

    /// Whether the service is the sandbox, so that agents are told that all data are invented.
    pub fn sandbox(mut self, sandbox: bool) -> Self {
        self.sandbox = sandbox;
        self
    }

    /// Runs jq programs with this worker. Without a worker, tools reject programs.
    pub fn jq_worker(mut self, worker: Worker) -> Self {
        self.jq_worker = Some(worker);
        self
    }
}
