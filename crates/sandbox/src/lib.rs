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
mod incoming;
mod log;
mod memo;
#[cfg(feature = "page")]
mod page;
mod paging;
mod pieces;
mod refusal;
mod route;
mod running;
mod scenario;
mod server;
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
pub use running::Sandbox;
pub use scenario::{Scenario, UnknownScenario};
