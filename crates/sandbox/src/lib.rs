//! The service in one process: every operation of the catalogue on a loopback port, with invented but coherent data.
//! It needs no key and no network, and serves tests and demos.
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
//! Checks of requests, prices and paging come from the catalogue; the sandbox has no list of endpoints. A response
//! depends only on the seed, the clock and the request, so past data never change.
//!
//! # Unknown data
//! Unknown names, handles and contracts return 404. Some identifiers are always valid: an account about any subject,
//! such as `zk_daily`; a contract of one repeated digit, such as `0x2222…`, which is a token of its chain; and any
//! well-formed address is a wallet with a fixed history. `docs/laws.md` lists further guarantees.
//!
//! # The chat
//! Answers are scripted. The sandbox looks for assets, companies, wallets and topics in the question. The answer
//! shows current values of the data endpoints, cites the calls, and begins with a note that all figures are invented.
//! For an unknown subject the answer mentions it, and shows the market. Effort and model set the length, and
//! `ability` restricts the endpoints. A token is four bytes. Instructions have no effect unless they contain a JSON
//! Schema.
//!
//! If the request offers tools, the answer calls the one that fits the question best, once per question. An answer in a
//! JSON Schema (`response_format`, `text.format`) contains values of the data endpoints. Streams have the events of
//! standard clients. `previous_response_id` accepts the last 256 answers of a key; other identifiers return 404.
//!
//! The interface text does not describe most of what standard clients send, so all of this is assumed. Fields without
//! an effect, such as `temperature`, are ignored and [counted](Arrived::ignored). [`Builder::strict_chat`] rejects
//! them.
//!
//! # In a browser
//! The base URL is a page (default feature `page`): forms for all operations, responses as table, chart and JSON, each
//! call as Rust, curl and SQL, SQL queries, streamed chat, buttons for faults and scenarios, and the last requests.
//! `/?try=market-price&symbol=ETH` opens the page with a call.
//!
//! # SQL
//! The default feature `sql` adds the SQL operations and their engine. Tests without SQL compile faster with
//! `default-features = false`; these operations then return 501.
//!
//! # States for tests
//! Rare states that programs must handle occur in every world: partial funding, unpriced tokens, failures in a
//! response with status 200, restated figures. `docs/states.md` lists them with an example of each. Other states,
//! such as a market crash or an unavailable chain, are a [`Scenario`].
//!
//! # Responses set by a test
//! [`Sandbox::answer`] replaces the invented answer of an operation by rows or a record, typed or as JSON, by a part of
//! them, or by a sequence of responses and errors. See [`Override`].
//!
//! # Saved state
//! [`Sandbox::save`] returns the state of a sandbox, [`Builder::load`] starts one with it, and [`Sandbox::fork`]
//! starts a second one that continues from the present state. See [`SavedState`].
//!
//! # Control over HTTP
//! Programs in other languages do the same over HTTP, with the token of [`Builder::control`] in the header
//! `x-sandbox-token`. `docs/sandbox.md` of the repository has examples.
//!
//! | path | |
//! |---|---|
//! | `/sandbox/answers` | `POST` sets answers, `GET` lists them, `DELETE` removes those of the operation in the body, or all |
//! | `/sandbox/saved` | `GET` returns the state, `PUT` replaces it |
//! | `/sandbox/forks` | `POST` starts a fork and returns its URL, `GET` lists forks, `DELETE` stops the one in the body, or all |
//! | `/sandbox/faults` | `POST` adds a fault, `GET` lists those that wait, `DELETE` removes all |
//! | `/sandbox/scenarios` | `POST` begins a scenario, `GET` lists all, `DELETE` ends the one in the body, or all |
//!
//! # Access
//! Only programs on this machine can call it. The sandbox listens on loopback. It rejects a request for another host
//! name (421), because a web page may have pointed its own domain name here, and a request with the `Origin` of
//! another host (403). The number and duration of connections are limited. [`Builder::allow_origin`] lets pages of a
//! local web server read responses (CORS).
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
//! Each exchange is a JSON file: method, path, query, body, status, the response headers that programs read, and the
//! body byte for byte, including streams. Keys are removed. Request headers are not stored. Credentials of the
//! request are replaced wherever they appear, also encoded. The same happens to everything that looks like a key, and
//! to every field or parameter whose name denotes a secret. Bodies that cannot be searched for keys are not recorded:
//! compressed bodies, binary or multipart bodies, and keys spread over several events. Check the files before you
//! publish them, since only you know which other data are private. No file is overwritten. A truncated response is
//! not recorded; `Sandbox::not_recorded` lists such exchanges. If a reader leaves a stream early, the recorder reads
//! on for up to five seconds.
//!
//! [`Builder::replay`] needs no feature and no network. A request gets the response recorded for its method, path,
//! query and body; the order of parameters and JSON fields does not matter. Several responses for equal requests are
//! returned in the recorded order, and then the last one again. Faults and [`Sandbox::requests`] work as usual; keys,
//! credits and limits are those of the recording.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]
#![cfg_attr(
    not(feature = "sql"),
    allow(dead_code, reason = "only the SQL tables use some of the data")
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
