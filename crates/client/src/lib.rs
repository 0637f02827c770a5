//! Client of a crypto, market and on-chain intelligence service.
//!
//! ```no_run
//! use crypto_intel::Client;
//!
//! # async fn run() -> crypto_intel::Result<()> {
//! let client = Client::from_env()?;
//! let price = client.market_price("BTC").time_range("30d").await?;
//! println!("{} points for {:?} credits", price.data.len(), price.credits_used());
//! # Ok(())
//! # }
//! ```
//!
//! A [`Client`] has a method for each operation of the service. The arguments of the method are the required parameters
//! of the operation. The method returns a request, which has a setter for each optional parameter. Awaiting the request
//! sends it. The result is a [`Reply`], which derefs to the response data, or an [`Error`] with an [`ErrorKind`].
//!
//! # Find an operation
//!
//! Each domain has a module, such as `market`. Its page lists the methods with their records, list prices and paging.
//! It also lists the setters of the requests and the fields of the records. [`Api`] lists all methods on one page.
#![cfg_attr(feature = "all", doc = include_str!("domains.md"))]
//!
//! The module [`shared`] contains the records that several domains use. To choose an operation at run time, use
//! [`Client::request`] and the [`catalogue`]. For a path that is not in the catalogue of this release, use
//! [`Client::raw`].
//!
//! # Replies and errors
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let sandbox = crypto_intel_sandbox::Sandbox::start().await?;
//! # let client = crypto_intel::Client::builder().base_url(sandbox.url()).api_key(sandbox.key()).build()?;
//! use crypto_intel::{ErrorKind, catalogue::Price};
//!
//! let price = client.market_price("BTC").time_range("7d").await?;
//! assert_eq!((price.http().status.as_u16(), price.http().attempts), (200, 1));
//! // The credits used, as the service reports them, may differ from the list price.
//! assert_eq!((price.credits_used(), price.list_price()), (Some(2), Price::Credits(2)));
//!
//! // The client rejects some invalid values before it sends a request.
//! let error = client.token_holders("vitalik.eth", "eth").await.unwrap_err();
//! assert_eq!((error.kind(), error.attempts()), (ErrorKind::InvalidRequest, 0));
//! assert_eq!(error.message(), "`chain` cannot be `eth`: did you mean `ethereum`?");
//! # Ok(())
//! # }
//! ```
//!
//! # Read on
//!
//! | for | see |
//! |---|---|
//! | settings of a client, and of one call | [`ClientBuilder`], [`CallOptions`] |
//! | lists that the service returns in pages | [`paging`] |
//! | prices, estimates, budgets | [`credits`] |
//! | values computed from records, such as company metrics | [`values`] |
#![cfg_attr(feature = "onchain", doc = "| SQL queries and jobs | [`sql`] |")]
#![cfg_attr(feature = "chat", doc = "| questions in plain language | [`chat`] |")]
//! | identifiers of tokens, companies and other entities, by name | [`resolve`] |
//! | a cache, and your own HTTP middleware | [`cache`], [`http_service`] |
//! | generic code over requests, your own transports | [`extend`] |
//!
//! Lists, chat and some computed values add methods to requests and records. The requests and records are defined in
//! another crate, so these methods are methods of traits. `use crypto_intel::prelude::*` imports all of these traits.
//!
//! # Features
//!
//! To reduce the compile time, enable only the domains that the program uses: `default-features = false, features =
//! ["rustls", "market"]`.
//!
//! | feature | what it adds | by default |
//! |---|---|---|
//! | `market`, `token`, … | the operations of one domain | no, but in `all` |
//! | `all` | the operations of all domains | yes |
//! | `decimal` | exact decimal numbers from financial statements | yes |
//! | `tools` | tools and structured answers from Rust types, for `chat` | yes |
//! | `chrono`, `jiff` | time types of these crates, for parameters and record fields | no |
//! | `gzip` | support for responses that are compressed with gzip | no |
//! | `machine-ledger` | a ledger on disk, with daily limits for all processes together ([`credits`]) | no |
//! | `blocking` | the same methods without async | no |
//! | `rustls-ring` | TLS by rustls with `ring` | no |
//! | `rustls` | TLS by rustls with AWS-LC | yes |
//! | `native-tls` | TLS by the platform's own library | no |
//!
//! ## TLS
//!
//! The three TLS features use the trusted certificates of the platform. Without a TLS feature, only `http://` addresses
//! work. If several TLS features are enabled, the last of them in the table is used.
//!
//! `rustls` is also the default TLS feature of `reqwest`. A program that uses both crates therefore compiles only one
//! TLS library. The key exchange of `rustls` is post-quantum. Most of its compile time is the C code of AWS-LC.
//!
//! `rustls-ring` saves most of this compile time. It is not the default, because it gives `reqwest` no default
//! cryptography provider. A `reqwest::Client` that the program builds itself panics without a provider. To avoid this
//! panic, the program can enable the feature `rustls` of `reqwest`, or install a provider with
//! `rustls::crypto::CryptoProvider::install_default`. The HTTP clients that this crate builds do not need this.
//!
//! The client never prints, and its API has no types of terminal libraries. The client spawns a task only to cancel a
//! dropped SQL job. The program must enable this for the job.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]

mod base_url;
#[cfg(feature = "blocking")]
pub mod blocking;
mod builder;
pub mod cache;
#[cfg(feature = "chat")]
pub mod chat;
mod classify;
mod client;
mod completeness;
pub mod credits;
mod dynamic;
pub mod http_service;
mod key;
#[cfg(all(feature = "all", feature = "onchain"))]
#[doc = include_str!("mistakes.md")]
pub mod mistakes {}
mod moment;
pub mod paging;
mod raw;
pub mod resolve;
mod retry;
#[cfg(feature = "onchain")]
pub mod sql;
#[cfg(feature = "onchain")]
mod sql_quotes;
#[cfg(feature = "chat")]
mod sse;
mod tls;
mod transport;
pub mod values;
pub mod watch;

pub use base_url::BASE_URL_VARIABLE;
pub use builder::{ClientBuilder, KEY_VARIABLE};
pub use client::Client;
pub use completeness::{Completeness, CompletenessState};
#[doc(hidden)]
pub use crypto_intel_api as api;
#[doc(inline)]
pub use crypto_intel_api::Api;
// Modules of requests and records: one for each domain, and `shared`. Rustdoc lists these modules on the front page.
#[doc(inline)]
pub use crypto_intel_api::generated::domains::*;
#[doc(no_inline)]
pub use crypto_intel_api::generated::shared::{Chain, Interval, Order, TimeRange};
pub use crypto_intel_core::{
    Address, CallOptions, Error, ErrorBody, ErrorKind, Extra, HttpInfo, Json, JsonObject, List,
    Method, Moment, PartialAnswer, PartialFailure, RawReply, RawStream, Reply, Request, Result,
    UnixMillis, UnixSeconds, Value,
};
// The last line re-exports the crates whose types occur in signatures of this crate.
pub use dynamic::{DynamicAnswer, DynamicRequest, Row};
pub use key::ApiKey;
pub use paging::{PageExt, ResumeToken};
pub use raw::RawRequest;
pub use retry::RetryPolicy;
pub use transport::{KeyProvider, RateLimit, RetryQuota};
pub use watch::{Watch, WatchExt};
pub use {bytes, http, http_body, reqwest, tower_layer, tower_service};

/// Catalogue of all operations with their parameters, paging and prices. It is for programs that choose operations at
/// run time.
///
/// ```
/// use crypto_intel::catalogue::{OPERATIONS, Price};
///
/// let free = OPERATIONS.iter().filter(|operation| operation.price == Price::Free).count();
/// println!("{} operations, {free} of them free", OPERATIONS.len());
/// ```
pub mod catalogue {
    #[doc(no_inline)]
    pub use crypto_intel_api::generated::catalogue::*;
    pub use crypto_intel_core::{
        Answer, Body, Convention, Field, FieldMeaning, Finds, IdentifierRow, In, Misplaced,
        ModelPrice, Operation, Paging, Param, ParamKind, PlanRow, Price, Provenance, RecordRow,
        RowOrder, Rule, TierRow, TopUpRow, Type, UnknownModel,
    };
}

/// Types for code that extends the client, such as generic functions over requests, own record types, and own
/// transports. Programs that only call the service do not need this module.
///
/// | to write | see |
/// |---|---|
/// | a function over any request | [`Request`], [`PagedRequest`](extend::PagedRequest), [`Streaming`](extend::Streaming) |
/// | a function over any page of a list | [`Paged`](extend::Paged), [`PageMeta`](extend::PageMeta), [`Position`](extend::Position) |
/// | a type that a raw request decodes to | [`HasMeta`](extend::HasMeta), [`Reported`](extend::Reported), [`Data`](extend::Data), [`Envelope`](extend::Envelope), [`Record`](extend::Record) |
/// | a layer around the transport of a client | [`Call`](extend::Call), [`Handle`](extend::Handle), [`Transport`](extend::Transport), [`IdleTime`](extend::IdleTime) |
///
/// To replace the HTTP client, or to add HTTP middleware, use [`http_service`] instead.
pub mod extend {
    pub use crypto_intel_core::{
        BoxFuture, Call, Data, Envelope, Handle, HasMeta, IdleTime, PageMeta, Paged, PagedRequest,
        Parts, Position, Record, RecordField, Redact, Reported, Streaming, Transport,
        long_chain_name, looks_like_name, parameter_fault,
    };
}

/// Traits that add methods to requests and responses.
pub mod prelude {
    // The trait is exported a second time as `_`, without a name. So its methods also work in a program that has
    // another `Request` in scope.
    pub use crypto_intel_core::{Metrics, PartialAnswer, Request, Request as _};

    #[cfg(feature = "tools")]
    pub use crate::chat::StructuredExt;
    #[cfg(feature = "chat")]
    pub use crate::chat::{ChatCompletionExt, ChatRequest, ResponseExt, ResponsesRequestExt};
    pub use crate::paging::PageExt;
    #[cfg(feature = "equity")]
    pub use crate::values::EtfHoldingsExt;
    #[cfg(feature = "hyperliquid")]
    pub use crate::values::{AccountExt, FundingExt};
    #[cfg(feature = "search")]
    pub use crate::values::{AirdropExt, FundraisingExt};
    pub use crate::watch::WatchExt;
}

/// Documentation tests for the code blocks of the README. Blocks marked `no_run` are only compiled.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
