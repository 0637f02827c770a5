//! How a sandbox is set up.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::account::{Accounts, DEFAULT_KEY, Rules};
use crate::app::App;
use crate::chat::{Chat, Pace};
use crate::clock::Clock;
use crate::fault::Fault;
use crate::guard;
use crate::running::Sandbox;
use crate::scenario::Scenario;
use crate::server::{Patience, Server};
use crate::sql;
use crate::stop::Stop;
use crate::tape::{Player, Tape};

/// Sets up a [`Sandbox`].
///
/// # Defaults
/// A free port; seed 0; one key, [`DEFAULT_KEY`], with 1,000,000 credits; calls without a key
/// allowed; the system's clock; no rate limit, because a test suite makes more calls than the
/// service's 100 a minute; a repeat of a paid call free for 3 minutes; no faults; SQL that is waited
/// for within 30 seconds, two jobs side by side and sixteen behind them, at full speed.
#[derive(Debug, Clone)]
#[must_use]
pub struct Builder {
    port: u16,
    seed: u64,
    keys: Vec<(String, i64)>,
    require_key: bool,
    clock: Clock,
    rate_limit: Option<usize>,
    free_repeats: Duration,
    free_chat_repeats: bool,
    faults: Vec<Fault>,
    scenarios: Vec<Scenario>,
    control: Option<String>,
    patience: Patience,
    pace: Pace,
    strict_chat: bool,
    replay: Option<PathBuf>,
    #[cfg(feature = "record")]
    record: Option<(String, PathBuf)>,
    sql: sql::Settings,
}

/// Credits of [`DEFAULT_KEY`].
const DEFAULT_BALANCE: i64 = 1_000_000;

impl Default for Builder {
    fn default() -> Self {
        Builder {
            port: 0,
            seed: 0,
            keys: Vec::new(),
            require_key: false,
            clock: Clock::system(),
            rate_limit: None,
            free_repeats: Duration::from_secs(180),
            free_chat_repeats: false,
            faults: Vec::new(),
            scenarios: Vec::new(),
            control: None,
            patience: Patience::default(),
            pace: Pace::default(),
            strict_chat: false,
            replay: None,
            #[cfg(feature = "record")]
            record: None,
            sql: sql::Settings::default(),
        }
    }
}

impl Sandbox {
    /// Starts a sandbox with the defaults of [`Builder`].
    ///
    /// # Errors
    /// When no loopback port can be listened on.
    pub async fn start() -> io::Result<Self> {
        Builder::default().start().await
    }

    /// Sets up a sandbox.
    pub fn builder() -> Builder {
        Builder::default()
    }
}

impl Builder {
    /// The loopback port to listen on; 0 takes a free one.
    pub fn port(mut self, port: u16) -> Self {
        self.port = port;
        self
    }

    /// The seed of all data. Sandboxes with one seed hold the same world.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Adds a key with a balance in credits. The first key given replaces [`DEFAULT_KEY`].
    pub fn key(mut self, key: impl Into<String>, credits: i64) -> Self {
        self.keys.push((key.into(), credits));
        self
    }

    /// Whether a call without a key is refused with 401 instead of using the free allowance.
    pub fn require_key(mut self, require: bool) -> Self {
        self.require_key = require;
        self
    }

    /// The clock by which data end, days turn and windows run out.
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// Most requests in any 60 seconds for each key, or address without one; `None` for no limit.
    pub fn rate_limit(mut self, per_minute: Option<usize>) -> Self {
        self.rate_limit = per_minute;
        self
    }

    /// How long after a paid call further calls of the same endpoint are free; zero for never.
    pub fn free_repeats(mut self, window: Duration) -> Self {
        self.free_repeats = window;
        self
    }

    /// Whether the window of [`free_repeats`](Self::free_repeats) counts for the chat too. The interface
    /// text gives the window for "the same endpoint, whatever the parameters", and prices the chat by
    /// model apart from that; so it does not, if nothing is set.
    pub fn free_chat_repeats(mut self, free: bool) -> Self {
        self.free_chat_repeats = free;
        self
    }

    /// Adds a fault that waits for requests from the start.
    pub fn fault(mut self, fault: Fault) -> Self {
        self.faults.push(fault);
        self
    }

    /// Adds a scenario that plays from the start. Several can play at once.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> std::io::Result<()> {
    /// use crypto_intel_sandbox::{Sandbox, Scenario};
    ///
    /// let crash = Sandbox::builder().scenario(Scenario::market_crash()).start().await?;
    /// assert_eq!(crash.playing(), [Scenario::market_crash()]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn scenario(mut self, scenario: Scenario) -> Self {
        self.scenarios.push(scenario);
        self
    }

    /// Whether faults can also be asked for over HTTP: by a request that has the header
    /// `x-sandbox-fault`, for itself, and by `POST /sandbox/faults` with a [`Fault`] in its
    /// written form as the body (`DELETE` removes all, `GET` lists those that wait). In the same way
    /// `/sandbox/scenarios` begins, ends and lists each [`Scenario`]. The paths ask for a token in the header
    /// `x-sandbox-token`, so that no web page can use it; [`Sandbox::control_token`] has it, new
    /// for each sandbox unless [`control_token`](Self::control_token) sets it.
    pub fn control(mut self, enable: bool) -> Self {
        self.control = enable.then(guard::new_token);
        self
    }

    /// Enables the control path with this token.
    pub fn control_token(mut self, token: impl Into<String>) -> Self {
        self.control = Some(token.into());
        self
    }

    /// How long the sandbox waits for the requests under way when it stops. What is under way then
    /// is cut off.
    pub fn stop_within(mut self, time: Duration) -> Self {
        self.patience.stop = time;
        self
    }

    /// How long the head of a request may take, and its body after that. A connection without a
    /// head in time is closed; a body that is late is answered with 408.
    pub fn request_within(mut self, head: Duration, body: Duration) -> Self {
        self.patience.head = head;
        self.patience.body = body;
        self
    }

    /// How many connections may be open at once. Further ones wait until one closes; 0 counts as 1.
    pub fn connections(mut self, limit: usize) -> Self {
        self.patience.connections = limit.max(1);
        self
    }

    /// How long a SQL query that is waited for may run before it is answered with 408: 30 seconds,
    /// if nothing is set.
    pub fn sql_window(mut self, window: Duration) -> Self {
        self.sql.window = window;
        self
    }

    /// How long a SQL job may run before it fails: 5 minutes, if nothing is set.
    pub fn sql_job_time(mut self, time: Duration) -> Self {
        self.sql.job_time = time;
        self
    }

    /// How many SQL jobs run side by side, and how many wait behind them before the next is
    /// rejected: 2 and 16, if nothing is set.
    pub fn sql_jobs(mut self, running: usize, queued: usize) -> Self {
        self.sql.workers = running;
        self.sql.queue = queued;
        self
    }

    /// How long a SQL job rests after each day of a table that it reads, and once if it reads
    /// none: not at all, if nothing is set. For watching progress and cancelling.
    pub fn sql_pace(mut self, rest: Duration) -> Self {
        self.sql.pace = rest;
        self
    }

    /// How long a stream of the chat waits before the first piece of its answer, and between the
    /// pieces. By default everything leaves at once. A fault that changes the body of a stream
    /// takes effect when its last piece was due.
    pub fn stream_pace(mut self, first: Duration, between: Duration) -> Self {
        self.pace = Pace { first, between };
        self
    }

    /// Whether the chat holds requests to the interface text by the letter. Otherwise it takes what
    /// standard clients send beyond it: members such as `temperature` are ignored and
    /// [counted](crate::Arrived::ignored), tools and formats of answers have their usual effect.
    pub fn strict_chat(mut self, strict: bool) -> Self {
        self.strict_chat = strict;
        self
    }

    /// Answers with what was recorded in a directory, and with nothing else: a request that was
    /// not recorded gets 404 with the code `NOT_RECORDED`. See [the crate](crate#recordings).
    pub fn replay(mut self, directory: impl Into<PathBuf>) -> Self {
        self.replay = Some(directory.into());
        self
    }

    /// Hands every request on to the service at `upstream`, with the caller's own key, and records
    /// the exchange in a directory, without the key. See [the crate](crate#recordings).
    #[cfg(feature = "record")]
    pub fn record(mut self, upstream: impl Into<String>, directory: impl Into<PathBuf>) -> Self {
        self.record = Some((upstream.into(), directory.into()));
        self
    }

    /// Where answers come from that are not made here.
    #[cfg_attr(not(feature = "record"), expect(unused_variables, reason = "only a recorder stops"))]
    fn tape(&self, stop: &Stop) -> io::Result<Option<Tape>> {
        #[cfg(feature = "record")]
        if let Some((upstream, directory)) = &self.record {
            if self.replay.is_some() {
                let message = "a sandbox can record or replay, not both";
                return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
            }
            let (clock, stop) = (self.clock.clone(), stop.clone());
            let recorder = crate::tape::Recorder::open(upstream, directory, clock, stop)?;
            return Ok(Some(Tape::Record(recorder)));
        }
        self.replay
            .as_deref()
            .map(|directory| Player::open(directory).map(Tape::Replay))
            .transpose()
    }

    /// Starts the sandbox on the current tokio runtime.
    ///
    /// # Errors
    /// When the port cannot be listened on, a recording cannot be read or made, or no request can
    /// ever meet one of the faults.
    pub async fn start(self) -> io::Result<Sandbox> {
        let (port, patience) = (self.port, self.patience);
        let mut sandbox = self.without_socket()?;
        sandbox.server = Some(Server::start(Arc::clone(&sandbox.app), port, patience).await?);
        Ok(sandbox)
    }

    /// The sandbox without a socket, for [`Sandbox::service`].
    ///
    /// # Errors
    /// When a recording cannot be read or made, or no request can ever meet one of the faults.
    pub fn without_socket(mut self) -> io::Result<Sandbox> {
        if self.keys.is_empty() {
            self.keys.push((DEFAULT_KEY.to_owned(), DEFAULT_BALANCE));
        }
        let key = self.keys[0].0.clone();

        let rules = Rules {
            require_key: self.require_key,
            per_minute: self.rate_limit,
            window: self.free_repeats,
            chat_window: self.free_chat_repeats,
        };
        let accounts = Accounts::new(rules, std::mem::take(&mut self.keys));
        let chat = Chat::new(self.pace, self.strict_chat);
        let mut app =
            App::new(self.seed, self.clock.clone(), accounts, chat, self.sql, self.control.take());
        app.tape = self.tape(&app.stop)?;
        let app = Arc::new(app);

        let now = self.clock.now().0;
        for scenario in self.scenarios {
            app.stage.begin(scenario, now);
        }
        for fault in self.faults {
            let invalid = |error| io::Error::new(io::ErrorKind::InvalidInput, error);
            app.faults.add(fault).map_err(invalid)?;
        }

        Ok(Sandbox { app, server: None, clock: self.clock, key })
    }
}
