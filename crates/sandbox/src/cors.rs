//! Allows web pages of other local servers to read responses of the sandbox (CORS). These pages and the sandbox have
//! different origins. A browser lets a page read a response of another origin only if the response allows the page's
//! origin.

use axum::http::uri::Uri;
use axum::http::{HeaderValue, Method, StatusCode, header, request};
use axum::response::{IntoResponse, Response};

use crate::guard;

/// Origins whose web pages may read responses.
#[derive(Debug, Clone, Default)]
pub(crate) struct Origins(Vec<String>);

/// Number of seconds for which a browser caches the response to a preflight request.
const REMEMBERED: &str = "600";
/// Header in a preflight request. A browser adds this header if a web page from a public network calls a local server.
const PRIVATE: &str = "access-control-request-private-network";

impl Origins {
    /// Allows the web pages of an origin, such as `http://localhost:3000`, to read responses of the sandbox.
    ///
    /// # Errors
    /// Returns a message about the problem if the text is not an origin on this machine.
    pub(crate) fn add(&mut self, origin: &str) -> Result<(), String> {
        let plain = origin.trim_end_matches('/');
        let uri = plain.parse::<Uri>().ok();
        let parts = uri.as_ref().and_then(|uri| Some((uri.scheme_str()?, uri.authority()?)));
        let Some((scheme @ ("http" | "https"), authority)) = parts else {
            return Err(format!("`{origin}` is not an origin such as http://localhost:3000"));
        };
        if format!("{scheme}://{authority}") != plain || authority.as_str().contains('@') {
            return Err(format!("`{origin}` is not an origin: an origin has no path and no user"));
        }
        if !guard::is_loopback(authority.host()) {
            let problem =
                "the host of the origin must be this machine: `localhost`, `127.0.0.1` or `[::1]`";
            return Err(format!("`{origin}` is on another host; {problem}"));
        }
        self.0.push(plain.to_owned());
        Ok(())
    }

    /// Returns the `Origin` header of a request, if this origin is allowed.
    fn allowed_origin<'a>(&self, head: &'a request::Parts) -> Option<&'a HeaderValue> {
        let origin = head.headers.get(header::ORIGIN)?;
        self.0.iter().any(|known| known.as_bytes() == origin.as_bytes()).then_some(origin)
    }

    /// Responds to a preflight request, with which a browser asks whether a page may send another request. Returns
    /// `None` for other requests and for origins that are not allowed.
    pub(crate) fn preflight(&self, head: &request::Parts) -> Option<Response> {
        if head.method != Method::OPTIONS
            || !head.headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
        {
            return None;
        }
        self.allowed_origin(head)?;

        let mut response = StatusCode::NO_CONTENT.into_response();
        let headers = response.headers_mut();
        let methods = HeaderValue::from_static("GET, POST, PUT, DELETE");
        headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, methods);
        if let Some(names) = head.headers.get(header::ACCESS_CONTROL_REQUEST_HEADERS) {
            headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, names.clone());
        }
        headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static(REMEMBERED));
        if head.headers.contains_key(PRIVATE) {
            let allowed = HeaderValue::from_static("true");
            headers.insert("access-control-allow-private-network", allowed);
        }
        Some(self.allowed(head, response))
    }

    /// Adds CORS headers to a response if the origin of the request is allowed. With these headers, a web page of this
    /// origin can read the response. Other responses get no CORS headers.
    pub(crate) fn allowed(&self, head: &request::Parts, mut response: Response) -> Response {
        if let Some(origin) = self.allowed_origin(head) {
            let headers = response.headers_mut();
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
            // For requests without credentials such as cookies, `*` means all headers.
            headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("*"));
            headers.append(header::VARY, HeaderValue::from_static("origin"));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_origins_of_this_machine_can_be_allowed() {
        let mut origins = Origins::default();
        for origin in ["http://localhost:3000", "https://127.0.0.1/", "http://[::1]:5173"] {
            origins.add(origin).unwrap();
        }
        for (origin, reason) in [
            ("https://page.example", "another host"),
            ("http://localhost.example:3000", "another host"),
            ("localhost:3000", "such as http://localhost:3000"),
            ("*", "such as http://localhost:3000"),
            ("null", "such as http://localhost:3000"),
            ("ftp://localhost", "such as http://localhost:3000"),
            ("http://localhost:3000/app", "no path"),
            ("http://me@localhost:3000", "no path and no user"),
        ] {
            let error = origins.add(origin).unwrap_err();
            assert!(error.contains(reason), "{origin}: {error}");
        }
        assert_eq!(origins.0, ["http://localhost:3000", "https://127.0.0.1", "http://[::1]:5173"]);
    }
}
