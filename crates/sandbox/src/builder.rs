//! Settings of a sandbox.
//!
//! A test sets options of a [`Builder`]. [`Builder::start`] then returns a running sandbox.

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

/// Builder of a [`Sandbox`].
///
/// # Defaults
/// - The port is a free port, and the random seed is 0.
/// - The only API key is [`DEFAULT_KEY`], with 1,000,000 credits. Calls without a key are allowed.
/// - The clock is the system's clock.
/// - The rate limit is off, because a test suite can make more calls per minute than the service allows.
/// - Repeats of a paid call are free for 3 minutes, except for chat calls and SQL jobs.
/// - No faults are active.
/// - A synchronous SQL query runs for at most 30 seconds, and a SQL job for at most 5 minutes.
/// - At most two SQL jobs run at once, and at most 16 more wait in the queue. A running job does not pause.
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
    /// Starts a sandbox with the [defaults](Builder#defaults) of the builder.
    ///
    /// # Errors
    /// Returns an error if no loopback port is available.
    pub async fn start() -> io::Result<Self> {
        Builder::default().start().await
    }

    /// Returns a builder with the default settings.
    pub fn builder() -> Builder {
        Builder::default()
    }
}

impl Builder {
    /// Sets the loopback port. Port 0 chooses a free port.
    pub fn port(mut self, port: u16) -> Self {
        self.port = port;
        self
    }

    /// Sets the random seed. Sandboxes with equal seeds have equal data.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Adds an API key with a balance in credits. The first added key replaces [`DEFAULT_KEY`].
    pub fn key(mut self, key: impl Into<String>, credits: i64) -> Self {
        self.keys.push((key.into(), credits));
        self
    }

    /// Rejects calls without an API key with status 401. By default, calls without a key use the free allowance.
    pub fn require_key(mut self, require: bool) -> Self {
        self.require_key = require;
        self
    }

    /// Sets the clock of the sandbox. The generated data end at the clock's time. The clock also decides when a day
    /// begins, and when time limits expire.
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// Sets the maximum number of requests in any 60 seconds. The limit applies to each API key. Requests without a key
    /// are counted by IP address. `None` means no limit.
    pub fn rate_limit(mut self, per_minute: Option<usize>) -> Self {
        self.rate_limit = per_minute;
        self
    }

    /// Sets how long repeats of a paid call are free. Any call of the same endpoint is a repeat, even with other
    /// arguments. Repeats of chat calls are free only if [`free_chat_repeats`](Self::free_chat_repeats) is enabled. SQL
    /// jobs are never free. Zero disables free repeats.
    pub fn free_repeats(mut self, window: Duration) -> Self {
        self.free_repeats = window;
        self
    }

    /// If `free` is true, repeats of a chat call are free for the time set by [`free_repeats`](Self::free_repeats). By
    /// default, each chat call is charged. The API documentation of the service promises free repeats for "the same
    /// endpoint, whatever the parameters". The documentation also lists a price per call for each chat model, so chat
    /// repeats are possibly not free.
    pub fn free_chat_repeats(mut self, free: bool) -> Self {
        self.free_chat_repeats = free;
        self
    }

    /// Adds a fault, such as an error status or a delay, that affects later requests.
    pub fn fault(mut self, fault: Fault) -> Self {
        self.faults.push(fault);
        self
    }

    /// Replaces the generated responses of an operation. See [`Override`] and [`Sandbox::answer`].
    pub fn answer(mut self, operation: impl Into<String>, answers: impl Into<Override>) -> Self {
        self.overrides.push((operation.into(), answers.into()));
        self
    }

    /// Adds a scenario that is active from the start. Several scenarios can be active at once.
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

    /// Enables the [control paths](crate#control-over-http) and the request header `x-sandbox-fault`. This header
    /// contains a [`Fault`] as text. The fault affects only the request with the header.
    ///
    /// Requests for the control paths must contain the token [`Sandbox::control_token`] in the header
    /// `x-sandbox-token`. The sandbox's own page has this token. The token is random unless
    /// [`control_token`](Self::control_token) sets it.
    pub fn control(mut self, enable: bool) -> Self {
        self.control = enable.then(guard::new_token);
        self
    }

    /// Enables the same features as [`control(true)`](Self::control), and sets the token. Requests for the
    /// [control paths](crate#control-over-http) must contain this token in the header `x-sandbox-token`.
    pub fn control_token(mut self, token: impl Into<String>) -> Self {
        self.control = Some(token.into());
        self
    }

    /// Allows web pages of an origin on this machine, such as `http://localhost:3000`, to read responses (CORS).
    /// Without an allowed origin, only the sandbox's own page can read responses in a browser.
    pub fn allow_origin(mut self, origin: impl Into<String>) -> Self {
        self.origins.push(origin.into());
        self
    }

    /// Starts the sandbox with a [saved state](SavedState). The state replaces these settings of the builder: the seed,
    /// time, speed of the clock, rate limit, free repeats, chats, [`strict_chat`](Self::strict_chat) and SQL settings.
    /// Keys, faults, scenarios and overrides of the builder are added to the state.
    ///
    /// The API keys of the state stay valid. The state contains only their hashes and balances. Pass a key to
    /// [`key`](Self::key) if [`Sandbox::key`] should return this key. Its balance is the balance in the state.
    pub fn load(mut self, state: SavedState) -> Self {
        self.state = Some(state);
        self
    }

    /// Sets how long a stopping sandbox waits for the requests in progress. After this time, the sandbox closes their
    /// connections.
    pub fn stop_within(mut self, time: Duration) -> Self {
        self.patience.stop = time;
        self
    }

    /// Sets the time limits for receiving the head and the body of a request. If the head is late, the sandbox closes
    /// the connection. If the body is late, the sandbox responds with status 408.
    pub fn request_within(mut self, head: Duration, body: Duration) -> Self {
        self.patience.head = head;
        self.patience.body = body;
        self
    }

    /// Sets the maximum number of open connections, at least 1. Further connections wait until one closes.
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

    /// Sets how many SQL jobs run at once, and how many more wait in the queue. The defaults are 2 running and 16
    /// waiting jobs. Further jobs are rejected.
    pub fn sql_jobs(mut self, running: usize, queued: usize) -> Self {
        self.sql.workers = running;
        self.sql.queue = queued;
        self
    }

    /// Slows SQL jobs down. A job pauses for `rest` after each day of data that it reads from a table, and at least
    /// once. By default a job does not pause. A slow job helps to watch progress and to test cancellation.
    pub fn sql_pace(mut self, rest: Duration) -> Self {
        self.sql.pace = rest;
        self
    }

    /// Sets the delays in a chat stream. `first` is the delay after the opening events, which contain no text.
    /// `between` is the delay before each later event. By default, the sandbox does not delay events. If a [`Fault`]
    /// changes the body, the sandbox waits until the stream is complete, and sends the changed body without delays.
    pub fn stream_pace(mut self, first: Duration, between: Duration) -> Self {
        self.pace = Pace { first, between };
        self
    }

    /// Rejects chat requests with fields that the API documentation of the service does not describe. By default, the
    /// sandbox accepts these requests. It supports the fields for tools and response formats, as standard clients
    /// expect. It ignores other fields, such as `temperature`, and [lists](crate::Arrived::ignored) them in the request
    /// log.
    pub fn strict_chat(mut self, strict: bool) -> Self {
        self.strict_chat = strict;
        self
    }

    /// Replays the recorded responses in a directory instead of generating responses. A request without a recording
    /// gets status 404 with the code `NOT_RECORDED`. See [Recordings](crate#recordings).
    pub fn replay(mut self, directory: impl Into<PathBuf>) -> Self {
        self.replay = Some(directory.into());
        self
    }

    /// Forwards every request with the caller's own API key to the service at `upstream`. Records each request and its
    /// response in a directory, without the key. See [Recordings](crate#recordings).
    #[cfg(feature = "record")]
    pub fn record(mut self, upstream: impl Into<String>, directory: impl Into<PathBuf>) -> Self {
        self.record = Some((upstream.into(), directory.into()));
        self
    }

    /// Opens the recorder or the player, if one is configured.
    ///
    /// # Errors
    /// Returns an error in these cases:
    /// - Both a recorder and a player are configured.
    /// - The URL of the service is invalid.
    /// - The directory cannot be read or created.
    /// - A file to replay is not a valid recording.
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
    /// Returns an error in these cases:
    /// - The port is not available.
    /// - An origin of [`allow_origin`](Self::allow_origin) is not an origin on this machine.
    /// - A recording cannot be read or created.
    /// - The builder combines at least two of recording, [`replay`](Self::replay) and [`load`](Self::load).
    /// - A saved state cannot be loaded.
    /// - A fault can never affect a request, for example because it is limited to an unknown operation.
    /// - An override of [`answer`](Self::answer) is not valid, for example because the operation cannot return the
    ///   response.
    pub async fn start(self) -> io::Result<Sandbox> {
        let port = self.port;
        let mut sandbox = self.without_socket()?;
        sandbox.server = Some(sandbox.host.listen(port).await?);
        Ok(sandbox)
    }

    /// Creates a sandbox without a socket, for use with [`Sandbox::service`].
    ///
    /// # Errors
    /// Returns an error in these cases:
    /// - An origin of [`allow_origin`](Self::allow_origin) is not an origin on this machine.
    /// - A recording cannot be read or created.
    /// - The builder combines at least two of recording, [`replay`](Self::replay) and [`load`](Self::load).
    /// - A saved state cannot be loaded.
    /// - A fault can never affect a request, for example because it is limited to an unknown operation.
    /// - An override of [`answer`](Self::answer) is not valid, for example because the operation cannot return the
    ///   response.
    pub fn without_socket(mut self) -> io::Result<Sandbox> {
        let serving = self.serving()?;
        let state = self.state.take();
        let host = match &state {
            Some(_) if self.has_tape() => {
                let problem = "a sandbox that records or replays cannot load a state";
                return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
            }
            Some(state) => Host::from_saved(state, self.clock.clone(), serving)?,
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

    /// Creates a sandbox with the settings of the builder, and without a saved state.
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
        // `PermissionDenied` is reserved for the port: programs then suggest another port.
        app.tape = self.tape(&app.stop).map_err(|error| match error.kind() {
            io::ErrorKind::PermissionDenied => io::Error::other(error.to_string()),
            _ => error,
        })?;
        app.overrides = Overrides::new(app.tape.is_some());
        Ok(Host::new(app, clock, serving))
    }
}
