//! Settings of a sandbox.
//!
//! A test sets options here, and `start` returns a running sandbox.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::account::{Accounts, DEFAULT_KEY, Rules};
use crate::app::App;
use crate::chat::{Chat, Pace};
use crate::clock::Clock;
use crate::cors::Origins;
use crate::fault::Fault;
use crate::guard;
use crate::host::Host;
use crate::overrides::{Override, Overrides};
use crate::running::Sandbox;
use crate::saved::SavedState;
use crate::scenario::Scenario;
use crate::server::Patience;
use crate::serving::Serving;
use crate::sql;
use crate::stop::Stop;
use crate::tape::{Player, Tape};

/// Builds a [`Sandbox`].
///
/// # Defaults
/// A free port; seed 0; one key, [`DEFAULT_KEY`], with 1,000,000 credits; calls without a key are
/// allowed; the system's clock; no rate limit, because a test suite makes more than 100 calls a
/// minute; repeats of a paid call are free for 3 minutes; no faults; SQL queries run for at most 30
/// seconds, jobs two at once with sixteen more in the queue, at full speed.
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
    overrides: Vec<(String, Override)>,
    origins: Vec<String>,
    state: Option<SavedState>,
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

/// Initial credits of [`DEFAULT_KEY`].
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
            overrides: Vec::new(),
            origins: Vec::new(),
            state: None,
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

fn invalid(error: impl std::error::Error + Send + Sync + 'static) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, error)
}

impl Sandbox {
    /// Starts a sandbox with the defaults of [`Builder`].
    ///
    /// # Errors
    /// If no loopback port is available.
    pub async fn start() -> io::Result<Self> {
        Builder::default().start().await
    }

    /// Returns a builder with defaults.
    pub fn builder() -> Builder {
        Builder::default()
    }
}

impl Builder {
    /// Sets the loopback port. 0 chooses a free one.
    pub fn port(mut self, port: u16) -> Self {
        self.port = port;
        self
    }

    /// Sets the random seed. Sandboxes with equal seeds have equal data.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Adds a key with a balance in credits. The first added key replaces [`DEFAULT_KEY`].
    pub fn key(mut self, key: impl Into<String>, credits: i64) -> Self {
        self.keys.push((key.into(), credits));
        self
    }

    /// Rejects calls without a key with 401. By default they use the free allowance.
    pub fn require_key(mut self, require: bool) -> Self {
        self.require_key = require;
        self
    }

    /// Sets the clock. It decides the end of all data, the day, and the expiry of time limits.
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// Sets the maximum requests in any 60 seconds, per key or per address without a key. `None`
    /// sets no limit.
    pub fn rate_limit(mut self, per_minute: Option<usize>) -> Self {
        self.rate_limit = per_minute;
        self
    }

    /// Sets the time after a paid call in which the same endpoint is free. Zero disables it.
    pub fn free_repeats(mut self, window: Duration) -> Self {
        self.free_repeats = window;
        self
    }

    /// Applies the time of [`free_repeats`](Self::free_repeats) to the chat too. By default it does
    /// not apply: the interface text gives it for "the same endpoint, whatever the parameters", and
    /// prices the chat separately by model.
    pub fn free_chat_repeats(mut self, free: bool) -> Self {
        self.free_chat_repeats = free;
        self
    }

    /// Adds a fault for a later request.
    pub fn fault(mut self, fault: Fault) -> Self {
        self.faults.push(fault);
        self
    }

    /// Replaces the generated responses of an operation; see [`Override`] and [`Sandbox::answer`].
    pub fn answer(mut self, operation: impl Into<String>, answers: impl Into<Override>) -> Self {
        self.overrides.push((operation.into(), answers.into()));
        self
    }

    /// Adds a scenario that is active from the start. Several can be active at once.
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

    /// Enables the [control paths](crate#control-over-http), and the header `x-sandbox-fault`, with which a request
    /// asks for a [`Fault`] in its text form. The paths require the token of [`Sandbox::control_token`] in the header
    /// `x-sandbox-token`, so that no web page can use them. The token is random unless
    /// [`control_token`](Self::control_token) sets it.
    pub fn control(mut self, enable: bool) -> Self {
        self.control = enable.then(guard::new_token);
        self
    }

    /// Enables the control path, and sets its token.
    pub fn control_token(mut self, token: impl Into<String>) -> Self {
        self.control = Some(token.into());
        self
    }

    /// Allows web pages of an origin on this machine, such as `http://localhost:3000`, to read responses (CORS).
    /// Without it, a browser shows responses only to the sandbox's own page.
    pub fn allow_origin(mut self, origin: impl Into<String>) -> Self {
        self.origins.push(origin.into());
        self
    }

    /// Starts with a [saved state](SavedState). Seed, clock, keys, limits, chats and SQL settings are those of the
    /// state. The state has only hashes of keys: name a saved key with [`key`](Self::key) to have it in
    /// [`Sandbox::key`]. A key that the state does not have is added. Faults, scenarios and answers of the builder are
    /// added to those of the state.
    pub fn load(mut self, state: SavedState) -> Self {
        self.state = Some(state);
        self
    }

    /// Sets how long a stopping sandbox waits for running requests. Then it closes their
    /// connections.
    pub fn stop_within(mut self, time: Duration) -> Self {
        self.patience.stop = time;
        self
    }

    /// Sets the time limits for the head and for the body of a request. A connection with a late
    /// head is closed; a late body gets status 408.
    pub fn request_within(mut self, head: Duration, body: Duration) -> Self {
        self.patience.head = head;
        self.patience.body = body;
        self
    }

    /// Sets the maximum number of open connections, at least 1. Further ones wait until one closes.
    pub fn connections(mut self, limit: usize) -> Self {
        self.patience.connections = limit.max(1);
        self
    }

    /// Sets the time limit of a synchronous SQL query, by default 30 seconds. A longer query gets
    /// status 408.
    pub fn sql_window(mut self, window: Duration) -> Self {
        self.sql.window = window;
        self
    }

    /// Sets the time limit of a SQL job, by default 5 minutes. A longer job fails.
    pub fn sql_job_time(mut self, time: Duration) -> Self {
        self.sql.job_time = time;
        self
    }

    /// Sets how many SQL jobs run at once, and how many more wait in the queue. By default these
    /// are 2 and 16. Further jobs are rejected.
    pub fn sql_jobs(mut self, running: usize, queued: usize) -> Self {
        self.sql.workers = running;
        self.sql.queue = queued;
        self
    }

    /// Sets a pause of SQL jobs after each day of a table that they read, at least one per job. By
    /// default there is none. It helps to watch progress and to test cancellation.
    pub fn sql_pace(mut self, rest: Duration) -> Self {
        self.sql.pace = rest;
        self
    }

    /// Sets the delay of a chat stream before the first piece of the answer, and between the pieces. By default there
    /// is none. A fault that changes the body takes effect at the end of the stream.
    pub fn stream_pace(mut self, first: Duration, between: Duration) -> Self {
        self.pace = Pace { first, between };
        self
    }

    /// Rejects chat requests that the interface text does not describe. By default, fields of
    /// standard clients such as `temperature` are ignored and [counted](crate::Arrived::ignored),
    /// and tools and response formats have their usual effect.
    pub fn strict_chat(mut self, strict: bool) -> Self {
        self.strict_chat = strict;
        self
    }

    /// Returns recorded responses of a directory, and no others. A request without a recording gets
    /// 404 with the code `NOT_RECORDED`. See [the crate](crate#recordings).
    pub fn replay(mut self, directory: impl Into<PathBuf>) -> Self {
        self.replay = Some(directory.into());
        self
    }

    /// Forwards every request to the service at `upstream` with the caller's own key, and records
    /// the exchange in a directory, without the key. See [the crate](crate#recordings).
    #[cfg(feature = "record")]
    pub fn record(mut self, upstream: impl Into<String>, directory: impl Into<PathBuf>) -> Self {
        self.record = Some((upstream.into(), directory.into()));
        self
    }

    /// Opens the recording, if one is configured.
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
    /// If the port is not available, a recording cannot be read or created, or a fault can never
    /// occur.
    pub async fn start(self) -> io::Result<Sandbox> {
        let port = self.port;
        let mut sandbox = self.without_socket()?;
        sandbox.server = Some(sandbox.host.listen(port).await?);
        Ok(sandbox)
    }

    /// Creates a sandbox without a socket, for [`Sandbox::service`].
    ///
    /// # Errors
    /// If a recording cannot be read or created, a fault can never occur, or an operation cannot return a response that
    /// was set for it.
    pub fn without_socket(mut self) -> io::Result<Sandbox> {
        let serving = self.serving()?;
        let state = self.state.take();
        let host = match &state {
            Some(_) if self.has_tape() => {
                let problem = "a sandbox that records or replays cannot load a state";
                return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
            }
            Some(state) => Host::restored(state, self.clock.clone(), serving)?,
            None => self.fresh(serving)?,
        };

        let app = host.app();
        let key = if state.is_some() {
            let mut accounts = app.accounts();
            accounts.find(DEFAULT_KEY);
            self.keys.iter().for_each(|(key, credits)| accounts.learn(key, *credits));
            accounts.known_keys().next().unwrap_or_default().to_owned()
        } else {
            app.accounts().known_keys().next().unwrap_or_default().to_owned()
        };

        let now = self.clock.now().0;
        for scenario in self.scenarios {
            app.stage.begin(scenario, now);
        }
        for fault in self.faults {
            app.faults.add(fault).map_err(invalid)?;
        }
        for (operation, answers) in self.overrides {
            app.overrides.add(&operation, answers).map_err(invalid)?;
        }

        Ok(Sandbox { host: Arc::new(host), server: None, key })
    }

    fn has_tape(&self) -> bool {
        #[cfg(feature = "record")]
        if self.record.is_some() {
            return true;
        }
        self.replay.is_some()
    }

    fn serving(&mut self) -> io::Result<Serving> {
        let mut origins = Origins::default();
        for origin in &self.origins {
            origins
                .add(origin)
                .map_err(|problem| io::Error::new(io::ErrorKind::InvalidInput, problem))?;
        }
        let control = self.control.take();
        Ok(Serving { patience: self.patience, pace: self.pace, origins, control })
    }

    /// Creates a host without a saved state.
    fn fresh(&mut self, serving: Serving) -> io::Result<Host> {
        if self.keys.is_empty() {
            self.keys.push((DEFAULT_KEY.to_owned(), DEFAULT_BALANCE));
        }
        let rules = Rules {
            require_key: self.require_key,
            per_minute: self.rate_limit,
            window: self.free_repeats,
            chat_window: self.free_chat_repeats,
        };
        let accounts = Accounts::new(rules, std::mem::take(&mut self.keys));
        let chat = Chat::new(self.pace, self.strict_chat);
        let (control, clock, stop) = (serving.control.clone(), self.clock.clone(), Stop::new());
        let mut app = App::new(self.seed, clock.clone(), accounts, chat, self.sql, control, stop);
        app.tape = self.tape(&app.stop)?;
        app.overrides = Overrides::new(app.tape.is_some());
        Ok(Host::new(app, clock, serving))
    }
}
