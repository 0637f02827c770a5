//! Classifies failed attempts.
//!
//! The input is an error of the HTTP client. The output is an error kind, and the progress of the request: whether it
//! reached the service.

use std::error::Error as _;

use crypto_intel_core::{Error, ErrorKind};

use crate::http_service::{BoxError, NotSent};
use crate::retry::Reached;

/// A failed attempt, and the progress of its request.
pub(crate) struct Failure {
    pub(crate) error: Error,
    pub(crate) reached: Reached,
}

impl Failure {
    /// Returns true if the service surely charged nothing, because it received no request or rejected it.
    pub(crate) fn is_free(&self) -> bool {
        match self.reached {
            Reached::Nothing => true,
            Reached::Perhaps | Reached::Answered => {
                self.error.status().is_some_and(|status| !status.is_success())
            }
            // A success status means a charge, with one exception: a rejected query, for which the service created no
            // job.
            Reached::Accepted => self.error.kind() == ErrorKind::SqlRejected,
        }
    }
}

/// Returns true if the body arrived but could not be decompressed. The HTTP client uses the same kind of error for a
/// connection that broke during a body, so this function searches the causes of the error.
fn is_garbled(error: &reqwest::Error) -> bool {
    use std::io::ErrorKind::{InvalidData, InvalidInput};
    let first: Option<&(dyn std::error::Error + 'static)> = error.source();
    std::iter::successors(first, |cause| (**cause).source())
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|cause| matches!(cause.kind(), InvalidData | InvalidInput))
}

/// Converts an error of the program's own HTTP service. The error may wrap an error of the HTTP client.
pub(crate) fn failure_of_service(error: BoxError) -> Failure {
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
        false => (Reached::Perhaps, "the HTTP service failed before the end of the response"),
    };
    Failure { error: Error::new(ErrorKind::Transport, message).with_source(error), reached }
}

/// Returns the reason why a certificate was rejected, if this prevented the connection. The function searches the
/// texts of the causes for "certificate", since each TLS library has its own error types. Alerts are excluded: they
/// mean that the server rejected our certificate.
fn refused_certificate(error: &reqwest::Error) -> Option<String> {
    let first = error.source().filter(|_| error.is_connect())?;
    let causes = std::iter::successors(Some(first), |cause| (**cause).source());
    let why = causes.map(ToString::to_string).find(|text| {
        text.to_lowercase().contains("certificate") && !text.starts_with("received fatal alert")
    })?;
    Some(why.trim_start_matches("invalid peer certificate: ").to_owned())
}

/// Returns the message for a connection that fails because of settings: a proxy that rejects it, or a server without
/// TLS. The texts of the causes are searched, since the libraries have no types for these errors.
fn setup_fault(error: &reqwest::Error) -> Option<&'static str> {
    const FAULTS: &[(&str, &str)] = &[
        (
            "tunnel",
            "the proxy did not connect to the service; check its address and its credentials",
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

/// Creates the error of a request that could not be built. It contains the innermost cause, which is almost always
/// about the URL.
fn unbuilt(error: &reqwest::Error) -> Error {
    let first: &dyn std::error::Error = error;
    let cause = std::iter::successors(Some(first), |cause| (**cause).source()).last();
    let why = cause.map(ToString::to_string).unwrap_or_default();
    Error::invalid(format!(
        "the request could not be built: {why}; check the base URL, the path and the headers"
    ))
}

/// Returns true if an HTTP/2 server reported that it did not process the request: it refused the stream, or it closed
/// the connection gracefully without processing this stream.
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

/// Returns the message for a connection that fails in the same way until a person changes something, such as a
/// certificate or a proxy.
fn lasting_fault(error: &reqwest::Error) -> Option<String> {
    if error.is_timeout() {
        return None;
    }
    let certificate = refused_certificate(error).map(|why| {
        format!(
            "the certificate of the service was not accepted ({why}); is there a proxy in between, \
             or is the clock of this machine wrong?"
        )
    });
    certificate.or_else(|| setup_fault(error).map(str::to_owned))
}

/// Converts an error of the HTTP client.
pub(crate) fn failure(error: reqwest::Error) -> Failure {
    let refused = is_refused_stream(&error);
    let unsent = refused || error.is_connect() || error.is_builder();
    let reached = if unsent { Reached::Nothing } else { Reached::Perhaps };
    if error.is_builder() {
        return Failure { error: unbuilt(&error.without_url()), reached };
    }

    if let Some(message) = lasting_fault(&error) {
        let error = Error::new(ErrorKind::Transport, message).with_source(error.without_url());
        return Failure { error: error.with_retryable(false), reached };
    }

    let (kind, message) = if error.is_timeout() && error.is_connect() {
        (ErrorKind::Timeout, "no connection (connect limit)")
    } else if error.is_timeout() {
        (ErrorKind::Timeout, "a timeout of the HTTP client was reached")
    } else if error.is_connect() {
        (ErrorKind::Transport, "no connection to the service; check the base URL and the network")
    } else if refused {
        (ErrorKind::Transport, "the server refused the request before it was processed (HTTP/2)")
    } else if error.is_decode() && is_garbled(&error) {
        (ErrorKind::Decode, "the body of the response could not be decompressed")
    } else if error.is_body() || error.is_decode() {
        (ErrorKind::Transport, "the connection broke during the response")
    } else {
        (ErrorKind::Transport, "the connection broke before the response")
    };

    // Errors must not contain the URL, because they are logged. Its query may contain search terms of a person.
    Failure { error: Error::new(kind, message).with_source(error.without_url()), reached }
}
