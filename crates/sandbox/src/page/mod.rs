//! What a browser sees at the sandbox: the catalogue, the last requests, what keys have left, and
//! a form to try operations with. It only reads; whatever is tried goes through the front door.

use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::sync::LazyLock;

use axum::http::{Method, StatusCode, header, request};
use axum::response::{IntoResponse, Response};
use serde_json::Value;

use crate::account::{Accounts, Identity};
use crate::log::Arrived;
use crate::refusal;

mod catalogue;
mod html;
mod state;

/// What the page shows of a sandbox at one moment.
pub(crate) struct View<'a> {
    pub(crate) accounts: &'a mut Accounts,
    pub(crate) requests: &'a [Arrived],
    pub(crate) served: u64,
    /// Unix milliseconds.
    pub(crate) now: i64,
    pub(crate) peer: IpAddr,
}

/// Requests shown.
pub(crate) const REQUESTS: usize = 50;

/// The paths that are not the service's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Page,
    Catalogue,
    State,
}

/// The place that a path means.
pub(crate) fn place(path: &str) -> Option<Place> {
    Some(match path {
        "/" => Place::Page,
        "/sandbox/catalogue" => Place::Catalogue,
        "/sandbox/state" => Place::State,
        _ => return None,
    })
}

/// The catalogue never changes, and its page is long.
static CATALOGUE_HTML: LazyLock<String> = LazyLock::new(html::catalogue);
static CATALOGUE_JSON: LazyLock<String> = LazyLock::new(|| catalogue::all().to_string());

/// Answers a request to one of the places.
pub(crate) fn respond(place: Place, head: &request::Parts, mut view: View<'_>) -> Response {
    if head.method != Method::GET && head.method != Method::HEAD {
        return refusal::wrong_method("GET, HEAD");
    }
    match place {
        Place::Page => page(&mut view),
        Place::Catalogue => json(CATALOGUE_JSON.clone()),
        Place::State => json(state::of(&mut view).to_string()),
    }
}

fn json(text: String) -> Response {
    let head = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (StatusCode::OK, head, text).into_response()
}

fn page(view: &mut View<'_>) -> Response {
    // Nobody can guess it: the state of a hasher is random.
    let nonce = format!("{:016x}", RandomState::new().hash_one(view.served));
    let state = state::of(view);
    let text = html::page(&[
        ("nonce", &nonce),
        ("catalogue", &CATALOGUE_HTML),
        ("options", &html::options()),
        ("count", &catalogue::count().to_string()),
        ("version", crypto_intel_api::generated::catalogue::VERSION),
        ("keys", &html::keys(&state)),
        ("requests", &html::requests(&state)),
        ("summary", &html::summary(&state)),
    ]);

    let policy = format!(
        "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; \
         connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'"
    );
    let head = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8".to_owned()),
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::CACHE_CONTROL, "no-store".to_owned()),
        (header::REFERRER_POLICY, "no-referrer".to_owned()),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
    ];

    (StatusCode::OK, head, text).into_response()
}

/// A member of a state as text; empty where there is none.
fn text(value: &Value, name: &str) -> String {
    match value.get(name) {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

impl View<'_> {
    fn free_remaining(&mut self) -> Option<i64> {
        self.accounts.balance(&Identity::Address(self.peer), self.now).free_remaining
    }
}
