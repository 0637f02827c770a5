//! Settings of the MCP server.
//!
//! The settings select tools, and limit credits and tokens. The server reads the settings when it starts.

use crypto_intel_jq::Worker;

/// Special name for [`Settings::tool`]. This name adds a typed tool for each allowed operation, and removes the general
/// tools that search, describe and call operations.
pub(crate) const NATIVE: &str = "native";

/// Settings of a [`Server`](crate::Server).
///
/// # Defaults
/// The server has only the general tools. The limits are 4,000 tokens per result, 50 credits per call and 500 credits
/// per connection. The server rejects jq programs, and operations without a published price. Calls do not need the
/// user's consent. Input schemas are not strict.
#[derive(Debug, Clone)]
#[must_use]
pub struct Settings {
    pub(crate) tools: Vec<String>,
    pub(crate) without: Vec<String>,
    pub(crate) only: Vec<String>,
    pub(crate) read_only: bool,
    pub(crate) max_tokens: usize,
    pub(crate) max_credits_per_call: u64,
    pub(crate) max_credits: u64,
    pub(crate) allow_unpriced: bool,
    pub(crate) sandbox: bool,
    pub(crate) jq_worker: Option<Worker>,
    pub(crate) consent_above: Option<u64>,
    pub(crate) strict_schemas: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            tools: Vec::new(),
            without: Vec::new(),
            only: Vec::new(),
            read_only: false,
            max_tokens: 4_000,
            max_credits_per_call: 50,
            max_credits: 500,
            allow_unpriced: false,
            sandbox: false,
            jq_worker: None,
            consent_above: None,
            strict_schemas: false,
        }
    }
}

impl Settings {
    /// Returns the default settings.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a typed tool for each operation that `name` selects: an operation (`market-price`), a domain (`market`) or
    /// `all`. The name `native` adds a typed tool for each operation that [`only`](Self::only) allows, and removes the
    /// general tools that search, describe and call operations. Use `native` for clients that can search a long list of
    /// tools themselves.
    pub fn tool(mut self, name: impl Into<String>) -> Self {
        self.tools.push(name.into());
        self
    }

    /// Returns true if typed tools replace the tools that search, describe and call operations.
    pub(crate) fn is_native(&self) -> bool {
        self.tools.iter().any(|name| name == NATIVE)
    }

    /// Removes a tool, such as `ask` or `sql`.
    pub fn without(mut self, tool: impl Into<String>) -> Self {
        self.without.push(tool.into());
        self
    }

    /// Allows only the operations that `name` selects. The name is an operation, or a domain such as `market`. If this
    /// method is called several times, the server allows the operations of all names. The tool `sql` needs the
    /// operation `onchain-sql`, and the tool `ask` needs the operation `responses` of the domain `chat`.
    pub fn only(mut self, name: impl Into<String>) -> Self {
        self.only.push(name.into());
        self
    }

    /// If `read_only` is true, removes all tools that create or delete something at the service, such as `ask`.
    pub fn read_only(mut self, read_only: bool) -> Self {
        self.read_only = read_only;
        self
    }

    /// Sets the maximum size of one result, in estimated tokens. A value below 200 counts as 200. If a tool call does
    /// not set `max_tokens`, the result of the call has at most 1,200 tokens. The agent can read the remaining rows
    /// with the handle of the result.
    pub fn max_tokens(mut self, tokens: usize) -> Self {
        self.max_tokens = tokens.max(200);
        self
    }

    /// Sets the maximum list price of one tool call, in credits.
    pub fn max_credits_per_call(mut self, credits: u64) -> Self {
        self.max_credits_per_call = credits;
        self
    }

    /// Sets the maximum credits of a connection. A call is allowed if its list price is at most the remaining credits.
    /// After the call, the credits that the service reports are subtracted. For a call whose price depends on a model,
    /// such as `ask`, the list price is subtracted. Over HTTP, all callers that use the server's API key share one
    /// limit. In newer versions of MCP, requests have no session, so the server cannot distinguish these callers.
    pub fn max_credits(mut self, credits: u64) -> Self {
        self.max_credits = credits;
        self
    }

    /// Allows calls of operations without a published price. Before such a call, the credit limits treat the call as
    /// free. After the call, the credits that the service reports are subtracted from the remaining credits. Also
    /// allows models without a published price in the tool `ask`. Calls of these models always count as free.
    pub fn allow_unpriced(mut self, allow: bool) -> Self {
        self.allow_unpriced = allow;
        self
    }

    /// If `sandbox` is true, the server's instructions for agents contain the note that all data are invented.
    pub fn sandbox(mut self, sandbox: bool) -> Self {
        self.sandbox = sandbox;
        self
    }

    /// Asks the user for consent before each tool call with a list price above this number of credits. The question is
    /// an MCP elicitation request. If the client does not support such requests, the server rejects these calls.
    pub fn consent_above(mut self, credits: u64) -> Self {
        self.consent_above = Some(credits);
        self
    }

    /// If `strict` is true, input schemas of tools have the form that strict modes of model providers accept. In this
    /// form, every property is required, and no other property is allowed. To omit an optional argument, callers pass
    /// null. The schemas contain no `examples`, no `default` and no lists of types. An object with arbitrary properties
    /// is passed as a string with JSON text.
    pub fn strict_schemas(mut self, strict: bool) -> Self {
        self.strict_schemas = strict;
        self
    }

    /// Runs jq programs with this worker process. Without a worker, tools reject jq programs.
    pub fn jq_worker(mut self, worker: Worker) -> Self {
        self.jq_worker = Some(worker);
        self
    }
}
