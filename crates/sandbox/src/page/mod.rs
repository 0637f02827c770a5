//! The sandbox's web page. It shows forms for all operations, SQL, chat, faults and scenarios. It also shows the last
//! requests and the balances. Requests for the page's own URL paths cannot change the sandbox. The page calls
//! operations through the normal API, and changes faults and scenarios through the control paths.
//!
//! `page.html`, `style.css` and the files of `app/` are joined to one HTML document. The page needs no build step, and
//! the page loads no external files.

use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

use crate::refusal;
use axum::http::{Method, StatusCode, header, request};
use axum::response::{IntoResponse, Response};

mod catalogue;
mod html;
mod state;
mod view;

pub(crate) use view::View;

/// Maximum number of requests that the page lists.
pub(crate) const REQUESTS: usize = 50;

/// URL paths of the sandbox's web page. The live service does not have these paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PagePath {
    Page,
    Catalogue,
    State,
}

/// Parses a URL path of the sandbox's web page, such as `/sandbox/state`. Returns `None` for all other URL paths.
pub(crate) fn parse_path(path: &str) -> Option<PagePath> {
    Some(match path {
        "/" => PagePath::Page,
        "/sandbox/catalogue" => PagePath::Catalogue,
        "/sandbox/state" => PagePath::State,
        _ => return None,
    })
}

/// Catalogue as JSON text. It is the same for all requests.
static CATALOGUE_JSON: LazyLock<String> = LazyLock::new(|| catalogue::to_json().to_string());

/// Responds to a request for one of the URL paths of the sandbox's web page. Rejects methods other than GET and HEAD.
pub(crate) fn respond(place: PagePath, head: &request::Parts, mut view: View<'_>) -> Response {
    if head.method != Method::GET && head.method != Method::HEAD {
        return refusal::wrong_method("GET, HEAD");
    }
    match place {
        PagePath::Page => page(&mut view),
        PagePath::Catalogue => json(CATALOGUE_JSON.clone()),
        PagePath::State => json(state::to_json(&mut view).to_string()),
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
    // The state of a new hasher is random, so the nonce cannot be guessed.
    let nonce = format!("{:016x}", RandomState::new().hash_one(view.served));
    // The page contains the first API key and the control token. Only web pages of this machine can read them.
    let key = view.accounts.known_keys().next().unwrap_or_default();
    let text = html::page(&nonce, key, view.token.unwrap_or_default());

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
