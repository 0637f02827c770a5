//! A sandbox of the service in one process. It serves every operation of the catalogue on a loopback port, with
//! generated data that are consistent between operations. It needs no key of the service and no network. Tests and
//! demos use it in place of the service.
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
//! The catalogue defines how the sandbox validates requests, charges credits and splits lists into pages. Therefore,
//! the sandbox needs no list of endpoints of its own. The data in a response depend only on the random seed, the clock,
//! the active scenarios and the request. Data with a past timestamp stay the same when the clock moves on.
//!
//! # Unknown identifiers
//! Unknown names, handles and contracts return status 404. Three kinds of identifiers are always valid:
//! - The handle of a social media account about any subject, such as `zk_daily`.
//! - A contract address that repeats one digit, such as `0x2222…`. On each chain, this address belongs to a token.
//! - Any well-formed wallet address. The wallet has a history that never changes.
//!
//! `docs/laws.md` lists further guarantees about the data.
//!
//! # The chat
//! Chat answers are scripted. The sandbox looks for assets, companies, wallets and topics in the question. The answer
//! shows current values of the data endpoints, and cites the calls that returned these values. It begins with a note
//! that all values are invented. If the sandbox has no data on the question, the answer says so and shows market data.
//!
//! The requested effort and the model set the length of the answer. The argument `ability` restricts the endpoints.
//! When the sandbox counts the tokens of a text, four bytes are one token. Instructions have no effect, unless they
//! contain a JSON Schema.
//!
//! If the request offers tools, the answer calls the tool that fits the question best, with one call per subject. If
//! the request sets a JSON Schema (`response_format`, `text.format`), the answer matches the schema and contains values
//! of the data endpoints. Streams have the events that standard clients expect. `previous_response_id` accepts the last
//! 256 answers of each caller, and at most the last 1,024 answers of all callers. A caller is an API key, or an IP
//! address without a key. Other identifiers return status 404.
//!
//! The API documentation of the service does not describe most of the fields that standard clients send. The effects of
//! these fields are assumptions. Fields without an effect, such as `temperature`, are ignored and
//! [listed](Arrived::ignored). With [`Builder::strict_chat`], the sandbox rejects fields that are not described.
//!
//! # In a browser
//! With the default feature `page`, the base URL is a web page. It has forms for all operations, and shows responses as
//! table, chart and JSON. It shows each call as Rust code, curl command and SQL query. It runs SQL queries and streams
//! chat answers. It has buttons for faults and scenarios, and lists the last requests.
//! `/?try=market-price&symbol=ETH` opens the page with a call.
//!
//! # SQL
//! The default feature `sql` adds the SQL operations and their engine. With `default-features = false`, tests compile
//! faster, and SQL operations return status 501.
//!
//! # States for tests
//! Programs must handle rare states of the data. Examples are partial funding, unpriced tokens, failures in a response
//! with status 200, and restated values. With any random seed, the sandbox has data in these states. `docs/states.md`
//! lists the states with an example of each. Other states, such as a market crash or an unavailable chain, are
//! available as a [`Scenario`].
//!
//! # Responses set by a test
//! With [`Sandbox::answer`], a test sets the responses of an operation in place of generated responses. A response can
//! be rows or a record, typed or as JSON. It can also be a part of a record, or a sequence of responses and errors. See
//! [`Override`].
//!
//! # Saved state
//! [`Sandbox::save`] returns the state of a sandbox, and [`Builder::load`] starts a sandbox with this state.
//! [`Sandbox::fork`] starts a second sandbox that continues from the current state. See [`SavedState`].
//!
//! # Control over HTTP
//! Programs in other languages control the sandbox over HTTP. Their requests need the token of [`Builder::control`] in
//! the header `x-sandbox-token`. `docs/sandbox.md` of the repository has examples. The control paths are:
//! - `/sandbox/answers`: `GET` lists the overrides, and `POST` adds overrides. `DELETE` removes the overrides of the
//!   operation whose id is the body, or all overrides if the body is empty.
//! - `/sandbox/saved`: `GET` returns the state of the sandbox, and `PUT` replaces the state.
//! - `/sandbox/forks`: `POST` starts a fork and returns its URL, and `GET` lists the forks. `DELETE` stops the fork
//!   whose URL is the body, or all forks if the body is empty.
//! - `/sandbox/faults`: `GET` lists the queued faults, `POST` adds a fault, and `DELETE` removes all faults.
//! - `/sandbox/scenarios`: `GET` lists all scenarios, and `POST` begins a scenario. `DELETE` ends the scenario in the
//!   body, or all scenarios if the body is empty.
//!
//! # Access
//! Only programs on this machine can call the sandbox, because it listens on loopback. A request for another host
//! gets status 421, because a web page can point its own domain name to this machine. A request from a web page of
//! another host (header `Origin`) gets status 403. The number of connections and the time to receive a request are
//! limited. [`Builder::allow_origin`] allows web pages of a local web server to read responses (CORS).
//!
//! # Recordings
//! With the feature `record`, a sandbox forwards requests to the service and records the responses:
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
//! Each request is recorded in its own JSON file, with its response. The file contains the method, path, query and body
//! of the request, but no request headers. It contains the status of the response, the headers that programs read, and
//! the body byte for byte. Streams are recorded too. No file is overwritten.
//!
//! Secrets are removed from the files. Credentials of the request are replaced wherever they appear, also in encoded
//! form. Texts that look like an API key are replaced too. The values of fields and parameters with names such as
//! `password` are also replaced. A body that cannot be searched for secrets is not recorded. Examples are compressed,
//! binary and multipart bodies, and event streams in which a key is spread over several events. Check the files before
//! you publish them, because only you know which other data are private.
//!
//! A truncated response is not recorded, and `Sandbox::not_recorded` lists it. If a caller leaves a stream early, the
//! recorder continues to read the stream for up to five seconds.
//!
//! [`Builder::replay`] returns the recorded responses. It needs no feature and no network. A request gets the response
//! that was recorded for its method, path, query and body. The order of query parameters and JSON fields does not
//! matter. Equal requests get their responses in the recorded order, and then the last response again. Faults and
//! [`Sandbox::requests`] work as usual. Keys, credits and rate limits are not checked.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]
#![cfg_attr(
    not(feature = "sql"),
    allow(dead_code, reason = "some of the data is used only by the SQL tables")
)]

mod account;
mod answer;
mod app;
mod builder;
mod chat;
mod clock;
mod context;
mod control;
mod cors;
mod cursor;
mod distort;
mod fault;
mod guard;
mod host;
mod in_process;
mod incoming;
mod key;
mod log;
mod memo;
mod overrides;
#[cfg(feature = "page")]
mod page;
mod paging;
mod pieces;
mod refusal;
mod route;
mod running;
mod saved;
mod scenario;
mod server;
mod serving;
mod shapes;
mod sql;
mod stop;
mod tape;

pub use account::DEFAULT_KEY;
pub use builder::Builder;
pub use clock::Clock;
pub use crypto_intel_core::UnixSeconds;
pub use crypto_intel_world::{example, schema};
pub use fault::{Fault, UnknownFault};
pub use in_process::InProcess;
pub use log::Arrived;
pub use overrides::{InvalidOverride, Override};
pub use running::Sandbox;
pub use saved::{InvalidState, SavedState};
pub use scenario::{Scenario, UnknownScenario};
pub use shapes::made_from_shapes;
