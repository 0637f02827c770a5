//! Recorder. It forwards every request to the service, and writes the request and its response to a file.

use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, StatusCode, request};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream;
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

use crate::clock::Clock;
use crate::guard::TOKEN_HEADER;
use crate::refusal::Refusal;
use crate::stop::Stop;
use crypto_intel_world::timestamp;

use super::content::Content;
use super::exchange::{Answered, Exchange, RecordedRequest};
use super::form::form_of;
use super::secrets::{Secrets, Unsearchable};
use super::store::{Slot, Store};

/// Proxy that forwards requests to the service, and records the responses.
#[derive(Debug)]
pub(crate) struct Recorder {
    client: reqwest::Client,
    /// Base URL of the service without a final slash.
    upstream: String,
    shared: Arc<Shared>,
    stop: Stop,
}

/// State of the recorder. All tasks that receive responses share this state.
#[derive(Debug)]
struct Shared {
    store: Store,
    clock: Clock,
    /// Number of responses that are being received.
    pending: watch::Sender<usize>,
    /// Requests whose responses were not recorded, each with the reason.
    missed: Mutex<VecDeque<String>>,
    /// Secrets of all requests so far. They are removed from every response, because a response may quote a secret of
    /// another request.
    secrets: Mutex<Secrets>,
}

/// Maximum size in bytes of a response that is recorded.
const LARGEST: usize = 64 << 20;
/// Maximum time for which the recorder continues to read a response after the caller has disconnected, or after the
/// sandbox was stopped. Programs often disconnect after the last event of a stream, while the recorder still waits for
/// the end of the stream.
const LINGER: Duration = Duration::from_secs(5);
/// Maximum number of stored reasons why responses were not recorded.
const NOTES: usize = 100;

/// Headers that are not forwarded. They belong to one connection, are set by the HTTP client itself, or contain a fault
/// or the control token for the sandbox.
const OWN: &[&str] = &[
    "accept-encoding",
    "connection",
    "content-length",
    "host",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "x-sandbox-fault",
    TOKEN_HEADER,
];

/// Returns true if recordings contain the response header `name`, such as `retry-after`. Rate limit headers have no
/// standard name, so all common names are recorded.
fn is_kept(name: &HeaderName) -> bool {
    let name = name.as_str();
    matches!(name, "content-type" | "content-encoding" | "allow" | "location" | "link")
        || matches!(name, "retry-after" | "retry-after-ms" | "x-retry-in" | "x-request-id")
        || name.starts_with("x-ratelimit")
        || name.starts_with("ratelimit")
}

impl Recorder {
    /// Creates a recorder that forwards requests to the service at `upstream`, and writes recordings to `directory`.
    ///
    /// # Errors
    /// Returns an error if `upstream` is not an HTTP URL, or contains a user, a query or a fragment. Also returns an
    /// error if the directory cannot be created or read.
    pub(crate) fn open(
        upstream: &str,
        directory: &Path,
        clock: Clock,
        stop: Stop,
    ) -> io::Result<Self> {
        let invalid = |message: String| io::Error::new(io::ErrorKind::InvalidInput, message);
        // The message does not repeat an invalid URL, since it may contain a secret.
        let url = reqwest::Url::parse(upstream)
            .map_err(|error| invalid(format!("the URL of the service is not valid: {error}")))?;
        let is_plain = matches!(url.scheme(), "http" | "https")
            && url.username().is_empty()
            && url.password().is_none()
            && url.query().is_none()
            && url.fragment().is_none();

        if !is_plain {
            let message = "the URL of the service must begin with http:// or https://, and must not contain a user or a query";
            return Err(invalid(message.to_owned()));
        }

        let client = reqwest::Client::builder()
            .connect_timeout(Duration::from_secs(10))
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(io::Error::other)?;
        let store = Store::open(directory)?;
        let (pending, missed) = (watch::Sender::new(0), Mutex::default());
        let secrets = Mutex::default();
        let shared = Arc::new(Shared { store, clock, pending, missed, secrets });
        let upstream = url.as_str().trim_end_matches('/').to_owned();

        Ok(Recorder { client, upstream, shared, stop })
    }

    /// Returns the requests whose responses were not recorded, each with the reason.
    pub(crate) fn missed(&self) -> Vec<String> {
        let missed = self.shared.missed.lock().unwrap_or_else(PoisonError::into_inner);
        missed.iter().cloned().collect()
    }

    /// Waits until all responses that are being received are written to files.
    pub(crate) async fn wait_until_written(&self) {
        // `wait_for` fails only if all senders are dropped, and `self` owns one.
        let _ = self.shared.pending.subscribe().wait_for(|pending| *pending == 0).await;
    }

    pub(super) async fn respond(&self, head: &request::Parts, body: &[u8]) -> Response {
        let secrets = self.shared.secrets_of(head, body);
        let (asked, place) = match RecordedRequest::from_request(head, body, &secrets) {
            Ok(asked) => {
                let slot = self.shared.store.reserve(&asked);
                (asked, Ok(slot))
            }
            Err(why) => (RecordedRequest::without_body(head, &secrets), Err(why)),
        };
        let target = head.uri.path_and_query().map_or("/", |target| target.as_str());

        let request = self
            .client
            .request(head.method.clone(), format!("{}{target}", self.upstream))
            .headers(forwarded(&head.headers))
            .body(body.to_vec());
        let form = form_of(head.uri.path());

        let upstream = match request.send().await {
            Ok(response) => response,
            Err(error) => {
                self.shared.miss(&asked, "the service did not respond");
                let error = secrets.cleaned(&chain(&error.without_url()));
                let message = format!("the recorded service did not respond: {error}");
                let refusal =
                    Refusal::new(StatusCode::BAD_GATEWAY, "UPSTREAM_UNREACHABLE", message);
                return refusal.into_response(form);
            }
        };
        let status = upstream.status();
        let headers = forwarded(upstream.headers());
        let (sender, receiver) = mpsc::channel(16);
        let reading = Reading { asked, place, secrets, shared: Arc::clone(&self.shared) };
        self.shared.pending.send_modify(|pending| *pending += 1);
        tokio::spawn(reading.run(upstream, sender, self.stop.clone()));
        let mut response = (status, body_of(receiver)).into_response();
        *response.headers_mut() = headers;

        response
    }
}

fn forwarded(headers: &HeaderMap) -> HeaderMap {
    let passes = |name: &HeaderName| !OWN.contains(&name.as_str());
    let passed = headers.iter().filter(|(name, _)| passes(name));
    passed.map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// Formats an error and its causes as one line.
fn chain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

type Piece = Result<Bytes, io::Error>;

fn body_of(receiver: mpsc::Receiver<Piece>) -> Body {
    Body::from_stream(stream::unfold(receiver, |mut receiver| async move {
        Some((receiver.recv().await?, receiver))
    }))
}

impl Shared {
    /// Returns the secrets of a request and of all earlier requests.
    fn secrets_of(&self, head: &request::Parts, body: &[u8]) -> Secrets {
        let mut secrets = self.secrets.lock().unwrap_or_else(PoisonError::into_inner);
        secrets.extend(&Secrets::from_request(head, body));
        secrets.clone()
    }

    fn miss(&self, asked: &RecordedRequest, why: &str) {
        let mut missed = self.missed.lock().unwrap_or_else(PoisonError::into_inner);
        if missed.len() == NOTES {
            missed.pop_front();
        }
        missed.push_back(format!("{}: {why}", asked.line()));
    }
}

/// A response that is being received and forwarded.
struct Reading {
    asked: RecordedRequest,
    /// Reserved file name of the recording, or the reason why the response is not recorded.
    place: Result<Slot, Unsearchable>,
    secrets: Secrets,
    shared: Arc<Shared>,
}

impl Reading {
    /// Forwards the response piece by piece, and records it when it is complete. An incomplete response is forwarded,
    /// but not recorded.
    async fn run(self, mut upstream: reqwest::Response, reader: mpsc::Sender<Piece>, stop: Stop) {
        let shared = Arc::clone(&self.shared);
        let (status, headers) = (upstream.status().as_u16(), upstream.headers().clone());
        let mut body = Vec::new();
        let mut is_large = false;
        let mut deadline: Option<Instant> = None;
        let outcome = loop {
            let end = deadline.unwrap_or_else(Instant::now);
            let piece = tokio::select! {
                piece = upstream.chunk() => piece,
                () = stop.wait(), if deadline.is_none() => {
                    deadline = Some(Instant::now() + LINGER);
                    continue;
                }
                () = reader.closed(), if deadline.is_none() => {
                    deadline = Some(Instant::now() + LINGER);
                    continue;
                }
                () = tokio::time::sleep_until(end), if deadline.is_some() => break Err("the caller disconnected, or the sandbox was stopped".to_owned()),
            };

            match piece {
                Ok(Some(piece)) => {
                    is_large |= body.len() + piece.len() > LARGEST;
                    if is_large {
                        body = Vec::new();
                    } else {
                        body.extend_from_slice(&piece);
                    }
                    // Sending fails if the caller has disconnected. The recording continues.
                    let _ = reader.send(Ok(piece)).await;
                }
                Ok(None) => break Ok(()),
                Err(error) => {
                    let error = self.secrets.cleaned(&chain(&error.without_url()));
                    break Err(error);
                }
            }
        };

        match outcome {
            Ok(()) if is_large => {
                shared.miss(&self.asked, &format!("the response is larger than {LARGEST} bytes"));
            }
            Ok(()) => {
                // The file is written before the caller receives the end of the response.
                let written =
                    tokio::task::spawn_blocking(move || self.write(status, &headers, &body));
                drop(written.await);
            }
            Err(why) => {
                shared.miss(&self.asked, &format!("the response was cut off: {why}"));
                let cut = io::Error::new(io::ErrorKind::ConnectionReset, why);
                let _ = reader.send(Err(cut)).await;
            }
        }

        shared.pending.send_modify(|pending| *pending -= 1);
    }

    fn write(self, status: u16, headers: &HeaderMap, body: &[u8]) {
        let (slot, cleaned) = match (self.place, self.secrets.cleaned_body(headers, body)) {
            (Ok(slot), Ok(cleaned)) => (slot, cleaned),
            (Err(why), _) => return self.shared.miss(&self.asked, &format!("the request: {why}")),
            (_, Err(why)) => return self.shared.miss(&self.asked, why),
        };

        let kept = headers.iter().filter(|(name, _)| is_kept(name));
        let headers = kept.filter_map(|(name, value)| {
            Some((name.as_str().to_owned(), self.secrets.cleaned(value.to_str().ok()?)))
        });
        let body = Content::of_answer(cleaned.as_bytes());
        let answered = Answered { status, headers: headers.collect(), body };
        let exchange = Exchange { asked: self.asked, answered };

        let time = timestamp::iso_text(self.shared.clock.now().0);
        if let Err(error) = self.shared.store.write(slot, &exchange, &time) {
            self.shared.miss(&exchange.asked, &format!("the file could not be written: {error}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn headers_for_the_sandbox_are_not_forwarded() {
        let mut headers = HeaderMap::new();
        for name in [TOKEN_HEADER, "x-sandbox-fault", "host", "accept"] {
            headers.insert(name, HeaderValue::from_static("v"));
        }
        let passed = forwarded(&headers);
        assert_eq!(passed.keys().map(HeaderName::as_str).collect::<Vec<_>>(), ["accept"]);
    }
}
