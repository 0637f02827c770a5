//! The service in a box: every operation of the catalogue, answered on loopback with invented
//! but coherent data. For work without a key or a network, for tests and for demos.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let sandbox = crypto_intel_sandbox::Sandbox::start().await?;
//! let url = format!("{}/gateway/v1/market/price?symbol=BTC", sandbox.url());
//! let answer = reqwest::Client::new().get(url).bearer_auth(sandbox.key()).send().await?;
//! assert_eq!(answer.status(), 200);
//! # Ok(())
//! # }
//! ```
//!
//! What it holds requests to, what it charges and how it pages all come from the catalogue; the
//! sandbox has no list of endpoints. Whatever it answers depends on the seed, the clock and the
//! request alone, so that history reads the same whenever it is asked for.
//!
//! # What is unknown
//! Names, handles and contracts that the world does not hold are 404. Some can be made up: an account
//! about anything, such as `zk_daily` or `layer_two_news`; a contract of one digit throughout, such as
//! `0x2222…`, which stands for a token of its chain; and any well-formed address is a wallet, always
//! with the same history. `docs/laws.md` says what else can be relied on.
//!
//! # The chat
//! A question is searched for assets, companies, funds, wallets and topics, also by common names in
//! other languages. The answer shows what the data endpoints say of them at that moment, cites the
//! calls, and opens with what it is. What it does not recognise it says so, and shows the market.
//! Effort and model decide how much is told; `ability` restricts where it looks. A token is four
//! bytes. Of instructions, only words that ask for brevity or for a language are honoured, as far as
//! a machine without a model can.
//!
//! Where tools are offered, the one that suits the question best is asked for, once a question. An
//! answer in a JSON Schema (`response_format`, `text.format`) is filled with figures of the data
//! endpoints. Streams have the events that standard clients build on. The last 256 answers of a key
//! can be gone on from by `previous_response_id`; any other id is a 404.
//!
//! The interface text is silent on most of what standard clients send, so that all of this is
//! assumed. Members without an effect, such as `temperature`, are ignored and
//! [counted](Arrived::ignored); [`Builder::strict_chat`] refuses them.
//!
//! # In a browser
//! The base URL itself is a page (default feature `page`): forms for all operations, answers as table, chart
//! and JSON, each call as Rust, curl and SQL, queries, the chat in a stream, buttons for faults and
//! scenarios, and the last requests. `/?try=market-price&symbol=ETH` is a link to a try.
//!
//! # SQL
//! The default feature `sql` brings the SQL operations and the engine that runs them. Tests that
//! ask nothing of them compile faster without: `default-features = false`; then they answer 501.
//!
//! # States that matter
//! What programs rarely meet and must survive occurs in every world, where the table in
//! `docs/states.md` says: partial funding, unpriced tokens, failures inside a 200, restated figures.
//! What does not, a market crash or a chain that cannot be read, is a [`Scenario`].
//!
//! # Who is answered
//! Programs of this machine: the sandbox listens on loopback, refuses a request whose `Host` is
//! another name (421), since a web page may have pointed its own name here, and one whose `Origin` is
//! a page from elsewhere (403). Connections are bounded in number and in time.
//!
//! # Recordings
//! With the feature `record`, a sandbox is a proxy that records what the service answers, for
//! fixtures of one's own:
//!
//! ```no_run
//! # async fn example() -> std::io::Result<()> {
//! # #[cfg(feature = "record")] {
//! let sandbox = crypto_intel_sandbox::Sandbox::builder()
//!     .record("https://service.example", "tests/tapes")
//!     .start()
//!     .await?;
//! // Point a program with its own key at `sandbox.url()`, and then:
//! sandbox.stop().await?;
//! # }
//! # Ok(())
//! # }
//! ```
//!
//! Each exchange becomes a file of JSON: method, path, query, body, status, the headers of the
//! answer that programs look at, and its body byte for byte, streams included. Keys are left out:
//! no headers of the request are kept, whatever a request brought as a credential is replaced
//! wherever it comes back, also encoded, and so is everything that looks like a key and every member
//! or parameter whose name says that it holds a secret. What cannot be searched for keys (compressed
//! bodies, bodies that are no text or have several parts, a key spread over several events) is not
//! recorded. Look the files through all the same before you publish them: what else is private only
//! you know. No file is written over another, and an answer that was cut off is not recorded
//! (`Sandbox::not_recorded` tells). A reader who leaves a
//! stream early, as programs do after the last event, does not cut it off: it is read on for up to
//! five seconds.
//!
//! [`Builder::replay`] needs no feature and no network. A request gets the answer recorded for its
//! method, path, query and body, whatever the order of parameters and of members of JSON; where
//! there are several they come in the order they were recorded in, and then the last again. Faults
//! and [`Sandbox::requests`] work as always; keys, credits and limits are those of the recording.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]
#![cfg_attr(
    not(feature = "sql"),
    allow(dead_code, reason = "some of the world is shown by the tables of SQL alone")
)]

mod account;
mod answer;
mod app;
mod builder;
mod chat;
mod clock;
mod context;
mod control;
mod cursor;
mod distort;
mod fault;
mod guard;
mod in_process;
mod log;
mod memo;
#[cfg(feature = "page")]
mod page;
mod paging;
mod refusal;
mod route;
mod scenario;
mod server;
mod sql;
mod stop;
mod tape;

use std::io;
use std::sync::Arc;

pub use account::DEFAULT_KEY;
pub use builder::Builder;
pub use clock::Clock;
pub use crypto_intel_core::UnixSeconds;
pub use crypto_intel_world::{example, schema};
pub use fault::{Fault, UnknownFault};
pub use in_process::InProcess;
pub use log::Arrived;
pub use scenario::{Scenario, UnknownScenario};

use app::App;
use server::Server;

/// A running sandbox. Dropping it stops it: the requests under way are finished, no others are
/// taken.
pub struct Sandbox {
    app: Arc<App>,
    /// None for a sandbox that is asked in process alone.
    server: Option<Server>,
    clock: Clock,
    key: String,
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

    /// The base URL, without a slash at its end: `http://127.0.0.1:40123`. Without a socket it names
    /// a host that nothing on any network answers for.
    #[must_use]
    pub fn url(&self) -> String {
        match &self.server {
            Some(server) => format!("http://{}", server.address),
            None => "http://sandbox.invalid".to_owned(),
        }
    }

    /// What the sandbox answers, as a `tower` service, for programs in the same process: no socket
    /// and no HTTP client in between. The world, the keys and the faults are the same.
    /// [`Builder::without_socket`] makes a sandbox that has nothing else.
    #[must_use]
    pub fn service(&self) -> InProcess {
        InProcess::new(Arc::clone(&self.app))
    }

    /// The first key.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Credits left of a key; `None` for a key the sandbox does not know.
    #[must_use]
    pub fn balance(&self, key: &str) -> Option<i64> {
        self.app.accounts().balance_of(key)
    }

    /// Credits that a key was charged so far; `None` for a key the sandbox does not know. It counts
    /// calls whose answer never arrived too, which a client's ledger cannot know.
    #[must_use]
    pub fn charged(&self, key: &str) -> Option<i64> {
        self.app.accounts().charged_to(key)
    }

    /// The clock, to be moved.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The token that control paths ask for, where they are [enabled](Builder::control).
    #[must_use]
    pub fn control_token(&self) -> Option<&str> {
        self.app.control.as_deref()
    }

    /// Requests so far, refused ones included.
    #[must_use]
    pub fn requests_served(&self) -> u64 {
        self.app.served()
    }

    /// The last thousand requests, oldest first.
    #[must_use]
    pub fn requests(&self) -> Vec<Arrived> {
        self.app.log.entries()
    }

    /// Forgets the requests so far.
    pub fn forget_requests(&self) {
        self.app.log.clear();
    }

    /// Misbehaves towards requests to come.
    ///
    /// # Errors
    /// When no request can ever meet the fault.
    pub fn inject(&self, fault: Fault) -> Result<(), UnknownFault> {
        self.app.faults.add(fault)
    }

    /// The faults that still wait for requests, first the one that is due first. Empty once all
    /// have happened, which a test can assert.
    #[must_use]
    pub fn faults(&self) -> Vec<Fault> {
        self.app.faults.waiting()
    }

    /// Behaves again.
    pub fn clear_faults(&self) {
        self.app.faults.clear();
    }

    /// Begins a scenario now, by the sandbox's clock. One of the same name ends.
    pub fn play(&self, scenario: Scenario) {
        self.app.stage.begin(scenario, self.clock.now().0);
    }

    /// Ends a scenario; what it did to the world is as if it had never been.
    pub fn end(&self, scenario: Scenario) {
        self.app.stage.end(Some(scenario));
    }

    /// The scenarios that play, in the order in which they began.
    #[must_use]
    pub fn playing(&self) -> Vec<Scenario> {
        self.app.stage.now_playing()
    }

    /// What a recording lacks of what passed through, and why: answers that were cut off or too
    /// large, a service that did not answer, files that could not be written. The last hundred.
    #[cfg(feature = "record")]
    #[must_use]
    pub fn not_recorded(&self) -> Vec<String> {
        match &self.app.tape {
            Some(tape::Tape::Record(recorder)) => recorder.missed(),
            _ => Vec::new(),
        }
    }

    /// Stops and waits until the requests under way are answered, and on file where they are
    /// recorded, but no longer than [`Builder::stop_within`] says: what is under way then is cut off.
    ///
    /// # Errors
    /// When the server failed.
    pub async fn stop(mut self) -> io::Result<()> {
        match self.server.take() {
            Some(server) => server.stop().await?,
            None => self.app.stop.now(),
        }
        #[cfg(feature = "record")]
        if let Some(tape::Tape::Record(recorder)) = &self.app.tape {
            recorder.settled().await;
        }
        Ok(())
    }
}

impl Drop for Sandbox {
    /// Jobs run on threads of their own, socket or not.
    fn drop(&mut self) {
        self.app.stop.now();
    }
}

impl std::fmt::Debug for Sandbox {
    /// Without the keys.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sandbox").field("url", &self.url()).finish_non_exhaustive()
    }
}
