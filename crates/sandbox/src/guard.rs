//! Access check. Programs on this machine can call a sandbox, but web pages of other hosts cannot.
//!
//! A sandbox listens on loopback, and any web page in a local browser can send requests to a loopback port. The host in
//! a request must be loopback, because a web page can point its own domain name to this machine (DNS rebinding). If the
//! request has an `Origin` header, the host in this header must be loopback too.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

use axum::http::uri::Authority;
use axum::http::{HeaderMap, StatusCode, Uri, header, request};

use crate::refusal::Refusal;

/// Request header that contains the token for the control paths, such as `/sandbox/faults`.
pub(crate) const TOKEN_HEADER: &str = "x-sandbox-token";

/// Rejects a request if its host is not this machine, or if a web page of another host sends it.
///
/// # Errors
/// Returns status 421 if the host is not loopback, and 403 if the `Origin` is not loopback. Returns status 400 if the
/// host is missing, invalid or ambiguous.
pub(crate) fn check(head: &request::Parts) -> Result<(), Refusal> {
    let host = host_of(head)?;
    if !is_loopback(host.host()) {
        return Err(Refusal::new(
            StatusCode::MISDIRECTED_REQUEST,
            "WRONG_HOST",
            format!("the host must be `localhost`, `127.0.0.1` or `[::1]`, not `{}`", host.host()),
        ));
    }

    let Some(origin) = head.headers.get(header::ORIGIN) else { return Ok(()) };
    let origin = origin.to_str().ok().and_then(|origin| origin.parse::<Uri>().ok());
    if !origin.as_ref().and_then(Uri::host).is_some_and(is_loopback) {
        return Err(Refusal::new(
            StatusCode::FORBIDDEN,
            "WRONG_ORIGIN",
            "the sandbox rejects requests of web pages from other hosts: open the page from `localhost`",
        ));
    }
    Ok(())
}

/// Returns the host in the `Host` header or in the target URL of a request.
///
/// # Errors
/// Returns status 400 if the host is missing, invalid or ambiguous.
fn host_of(head: &request::Parts) -> Result<Authority, Refusal> {
    let mut hosts = head.headers.get_all(header::HOST).iter();
    let named = hosts.next().map(|host| Authority::try_from(host.as_bytes()));
    if hosts.next().is_some() {
        return Err(Refusal::invalid("the request has more than one `Host` header"));
    }

    match (head.uri.authority(), named) {
        (_, Some(Err(_))) => Err(Refusal::invalid("the `Host` header is not a host name")),
        (None, None) => Err(Refusal::invalid("the request has no `Host` header")),
        (Some(target), Some(Ok(host))) if *target != host => {
            Err(Refusal::invalid("the `Host` header differs from the host of the request target"))
        }
        (Some(host), _) => Ok(host.clone()),
        (None, Some(Ok(host))) => Ok(host),
    }
}

/// Returns true if a host name or IP address is loopback, such as `localhost` or `127.0.0.1`.
pub(crate) fn is_loopback(host: &str) -> bool {
    let plain = host.trim_start_matches('[').trim_end_matches(']');
    let is_address = plain.parse().is_ok_and(|address: std::net::IpAddr| address.is_loopback());
    is_address || plain.eq_ignore_ascii_case("localhost")
}

/// Checks that a request contains the token of the control paths.
///
/// # Errors
/// Returns status 401 if the token is missing or wrong.
pub(crate) fn check_token(headers: &HeaderMap, token: &str) -> Result<(), Refusal> {
    let brought = headers.get(TOKEN_HEADER).map(|token| token.as_bytes());
    if brought == Some(token.as_bytes()) {
        return Ok(());
    }
    Err(Refusal::new(
        StatusCode::UNAUTHORIZED,
        "UNAUTHORIZED",
        format!("paths below /sandbox/ need the control token in the header `{TOKEN_HEADER}`"),
    ))
}

/// Creates a random token of 32 hexadecimal digits. The digits are the results of two hashers. The standard library
/// creates each hasher with a random seed.
pub(crate) fn new_token() -> String {
    let part = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", part(), part())
}

#[cfg(test)]
mod tests {
    use axum::http::Request;

    use super::*;

    fn verdict(uri: &str, headers: &[(&str, &str)]) -> u16 {
        let mut request = Request::builder().uri(uri);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let (head, ()) = request.body(()).unwrap().into_parts();
        check(&head).map_or_else(|refusal| refusal.status.as_u16(), |()| 200)
    }

    #[test]
    fn only_this_machine_is_answered() {
        let local = ("host", "127.0.0.1:8080");
        for (uri, headers, status) in [
            ("/", &[local][..], 200),
            ("/", &[("host", "localhost")], 200),
            ("/", &[("host", "LOCALHOST:1")], 200),
            ("/", &[("host", "[::1]:8080")], 200),
            ("http://127.0.0.1:8080/", &[], 200),
            ("http://127.0.0.1:8080/", &[local], 200),
            ("/", &[local, ("origin", "http://localhost:3000")], 200),
            ("/", &[], 400),
            ("/", &[local, local], 400),
            ("/", &[("host", "a b")], 400),
            ("http://127.0.0.1:1/", &[local], 400),
            ("/", &[("host", "rebound.example:8080")], 421),
            ("/", &[("host", "localhost.example")], 421),
            ("/", &[("host", "127.0.0.1.example")], 421),
            ("http://rebound.example/", &[], 421),
            ("/", &[local, ("origin", "https://page.example")], 403),
            ("/", &[local, ("origin", "null")], 403),
            ("/", &[local, ("origin", "http://localhost.example")], 403),
        ] {
            assert_eq!(verdict(uri, headers), status, "{uri} {headers:?}");
        }
    }

    #[test]
    fn tokens_differ() {
        assert_ne!(new_token(), new_token());
        assert_eq!(new_token().len(), 32);
    }
}
