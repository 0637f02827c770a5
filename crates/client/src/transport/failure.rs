//! Classifies errors of failed attempts.
//!
//! The input is an error of the HTTP client or of the caller's own `tower` service. The output is an error kind, and
//! how far the request got: for example, it may have reached the service.

use std::error::Error as _;

use crypto_intel_core::{Error, ErrorKind};

use crate::http_service::{BoxError, NotSent};
use crate::retry::Reached;

/// Failure of one attempt: the error, and how far the request got. For example, [`Reached::Nothing`] means that the
/// request was not sent.
pub(crate) struct Failure {
    pub(crate) error: Error,
    pub(crate) reached: Reached,
}

impl Failure {
    /// Returns true if the service certainly charged nothing. This is the case if the service did not process the
    /// request, sent an HTTP status other than success, or rejected an SQL query.
    pub(crate) fn is_free(&self) -> bool {
        match self.reached {
            Reached::Nothing => true,
            Reached::Perhaps | Reached::Answered => {
                self.error.status().is_some_and(|status| !status.is_success())
            }
            // The service charges a response with a success status. The exception is a rejected SQL query, for which
            // the service created no job.
            Reached::Accepted => self.error.kind() == ErrorKind::SqlRejected,
        }
    }
}

/// Returns true if a response body arrived but could not be decompressed. `reqwest` has the same error kind for a
/// connection that broke during the body, so this function inspects the source errors.
fn is_corrupt_body(error: &reqwest::Error) -> bool {
    use std::io::ErrorKind::{InvalidData, InvalidInput};
    let first: Option<&(dyn std::error::Error + 'static)> = error.source();
    std::iter::successors(first, |cause| (**cause).source())
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|cause| matches!(cause.kind(), InvalidData | InvalidInput))
}

/// Returns the failure for an error of the caller's own `tower` service. This service may forward an error of
/// `reqwest`. The forwarded error is classified like an error of the default HTTP client.
pub(crate) fn service_failure(error: BoxError) -> Failure {
    let error = match error.downcast::<Error>() {
        Ok(error) => return Failure { error: *error, reached: Reached::Perhaps },
        Err(error) => error,
    };
    let error = match error.downcast::<reqwest::Error>() {
        Ok(error) => return failure(*error),
        Err(error) => error,
    };

    let first: &(dyn std::error::Error + 'static) = &*error;
    let unsent = std::iter::successors(Some(first), |cause| (**cause).source()).any(|cause| {
        cause.is::<NotSent>()
            || cause.downcast_ref::<reqwest::Error>().is_some_and(reqwest::Error::is_connect)
    });
    let (reached, message) = match unsent {
        true => (Reached::Nothing, "the request was not sent"),
        false => (Reached::Perhaps, "the `tower` service failed before the end of the response"),
    };
    Failure { error: Error::new(ErrorKind::Transport, message).with_source(error), reached }
}

/// Returns the reason why this client rejected the server's certificate. Returns `None` for other errors. Each TLS
/// library has its own error types, so this function searches the messages of the source errors for "certificate". A
/// message about a TLS alert is excluded, because the server sends an alert when it rejects the client's certificate.
fn certificate_fault(error: &reqwest::Error) -> Option<String> {
    let first = error.source().filter(|_| error.is_connect())?;
    let causes = std::iter::successors(Some(first), |cause| (**cause).source());
    let why = causes.map(ToString::to_string).find(|text| {
        text.to_lowercase().contains("certificate") && !text.starts_with("received fatal alert")
    })?;
    Some(why.trim_start_matches("invalid peer certificate: ").to_owned())
}

/// Returns the error message if the connection failed because of a wrong setting: the proxy rejected the connection, or
/// the server does not use TLS. The libraries have no error types for these cases, so this function searches the
/// messages of the source errors.
fn setup_fault(error: &reqwest::Error) -> Option<&'static str> {
    const FAULTS: &[(&str, &str)] = &[
        (
            "tunnel",
            "the proxy did not connect to the service; check the proxy's address and credentials",
        ),
        (
            "InvalidContentType",
            "the server does not speak TLS; check the port of the base URL, or use http://",
        ),
        (
            "wrong version number",
            "the server does not speak TLS; check the port of the base URL, or use http://",
        ),
    ];
    let first = error.source().filter(|_| error.is_connect())?;
    let mut causes = std::iter::successors(Some(first), |cause| (**cause).source());
    causes.find_map(|cause| {
        let text = cause.to_string();
        FAULTS.iter().find(|(part, _)| text.contains(part)).map(|(_, message)| *message)
    })
}

/// Returns the error for a request that could not be built. The message contains the innermost source error, which is
/// almost always about the URL.
fn build_error(error: &reqwest::Error) -> Error {
    let first: &dyn std::error::Error = error;
    let cause = std::iter::successors(Some(first), |cause| (**cause).source()).last();
    let why = cause.map(ToString::to_string).unwrap_or_default();
    Error::invalid(format!(
        "the request could not be built: {why}; check the base URL, the path and the headers"
    ))
}

/// Returns true if an HTTP/2 server reported that it did not process the request. The server either refused the stream,
/// or closed the connection gracefully before it processed the stream.
fn is_refused_stream(error: &reqwest::Error) -> bool {
    let first: Option<&(dyn std::error::Error + 'static)> = error.source();
    std::iter::successors(first, |cause| (**cause).source())
        .filter_map(|cause| cause.downcast_ref::<h2::Error>())
        .filter(|cause| cause.is_remote())
        .any(|cause| match cause.reason() {
            Some(h2::Reason::REFUSED_STREAM) => cause.is_reset(),
            Some(h2::Reason::NO_ERROR) => cause.is_go_away(),
            _ => false,
        })
}

/// Returns the message of a connection error that remains until a person changes a setting, such as a certificate or a
/// proxy. Returns `None` for all other errors.
fn lasting_fault(error: &reqwest::Error) -> Option<String> {
    if error.is_timeout() {
        return None;
    }
    let certificate = certificate_fault(error).map(|why| {
        format!(
            "the certificate of the service was not accepted ({why}); check whether a proxy \
             replaced it, and check the clock of this machine"
        )
    });
    certificate.or_else(|| setup_fault(error).map(str::to_owned))
}

/// Converts an error of `reqwest` to a [`Failure`].
pub(crate) fn failure(error: reqwest::Error) -> Failure {
    let refused = is_refused_stream(&error);
    let unsent = refused || error.is_connect() || error.is_builder();
    let reached = if unsent { Reached::Nothing } else { Reached::Perhaps };
    if error.is_builder() {
        return Failure { error: build_error(&error.without_url()), reached };
    }

    if let Some(message) = lasting_fault(&error) {
        let error = Error::new(ErrorKind::Transport, message).with_source(error.without_url());
        return Failure { error: error.with_retryable(false), reached };
    }

    let (kind, message) = if error.is_timeout() && error.is_connect() {
        (ErrorKind::Timeout, "no connection within the connect timeout")
    } else if error.is_timeout() {
        (ErrorKind::Timeout, "the request exceeded a timeout of the HTTP client")
    } else if error.is_connect() {
        (ErrorKind::Transport, "no connection to the service; check the base URL and the network")
    } else if refused {
        (ErrorKind::Transport, "the server refused the request before it was processed (HTTP/2)")
    } else if error.is_decode() && is_corrupt_body(&error) {
        (ErrorKind::Decode, "the body of the response could not be decompressed")
    } else if error.is_body() || error.is_decode() {
        (ErrorKind::Transport, "the connection broke during the response")
    } else {
        (ErrorKind::Transport, "the connection broke before the response")
    };

    // Errors are logged, so they must not contain the URL. Its query may contain search terms of a person.
    Failure { error: Error::new(kind, message).with_source(error.without_url()), reached }
}
