//! Settings of the MCP server.
//!
//! They select tools, credit caps and token limits. The server reads them when it starts.

use crypto_intel_jq::Worker;

/// Argument of [`Settings::tool`] that adds typed tools for all allowed operations, and removes the general tools that
/// they replace.
pub(crate) const NATIVE: &str = "native";

/// Settings of a [`Server`](crate::Server).
///
/// # Defaults
/// A server has only the general tools. The limits are 4,000 tokens per result, 50 credits per call and 500 credits per
/// connection. Operations without a published price and jq programs are rejected. Calls need no consent of the user.
/// Input schemas are not strict.
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
    /// tools that search, describe and call operations. It is for clients that search tools themselves.
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

    /// Allows only the operations that `name` selects: an operation, or a domain such as `market`. Further calls of
    /// this method allow more operations. The tools `sql` and `ask` exist only if their domains, `onchain` and `chat`,
    /// are allowed.
    pub fn only(mut self, name: impl Into<String>) -> Self {
        self.only.push(name.into());
        self
    }

    /// Removes all tools that create or delete something at the service, such as `ask`.
    pub fn read_only(mut self, read_only: bool) -> Self {
        self.read_only = read_only;
        self
    }

    /// Sets the maximum number of estimated tokens of one result, at least 200. A tool call that sets no maximum gets
    /// 1,200 tokens. The remaining rows can be read with the handle of the result.
    pub fn max_tokens(mut self, tokens: usize) -> Self {
        self.max_tokens = tokens.max(200);
        self
    }

    /// Sets the maximum credits of one tool call, by list price.
    pub fn max_credits_per_call(mut self, credits: u64) -> Self {
        self.max_credits_per_call = credits;
        self
    }

    /// Sets the maximum credits of a connection. The list price of a call must fit into the remaining credits; after
    /// the call, the credits count that the service reports. Over HTTP, all connections of the server share this cap,
    /// because newer versions of MCP have no connections.
    pub fn max_credits(mut self, credits: u64) -> Self {
        self.max_credits = credits;
        self
    }

    /// Allows operations without a published price. Their calls count as free.
    pub fn allow_unpriced(mut self, allow: bool) -> Self {
        self.allow_unpriced = allow;
        self
    }

    /// If `sandbox` is true, the server's instructions for agents contain the note that all data are invented.
    pub fn sandbox(mut self, sandbox: bool) -> Self {
        self.sandbox = sandbox;
        self
    }

    /// Asks the user for consent before each tool call whose list price is above this number of credits. MCP calls this
    /// request an elicitation. If the client cannot ask its user, these calls are rejected.
    pub fn consent_above(mut self, credits: u64) -> Self {
        self.consent_above = Some(credits);
        self
    }

    /// Writes the input schemas of tools in the form that strict modes of model providers accept. Each property is
    /// required and may be null, and no other property is allowed. The schemas contain no `examples`, no `default` and
    /// no lists of types. An object with arbitrary properties is a string with JSON text.
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
