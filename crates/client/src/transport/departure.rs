//! Detects whether the request of an attempt may have left this process.
//!
//! The HTTP client does not report when it sends a request. Two observations prove that the service did not execute the
//! request:
//!
//! - The HTTP client has never established a connection.
//! - The HTTP client has not read the body of the request yet. HTTP/2 may send the headers before the body, but no
//!   server executes a POST before it has received the body.
//!
//! For two kinds of requests, neither observation is possible:
//!
//! - A request without a body, such as a GET request, if the HTTP client has connected before.
//! - Every request through an HTTP client, a `tower` service or a layer that the program supplied.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use bytes::Bytes;
use crypto_intel_core::BoxFuture;
use http_body::{Body, Frame, SizeHint};
use tower_layer::Layer;
use tower_service::Service;

/// Flag that is set when the HTTP client establishes its first connection. The type is a `tower` layer for the
/// connector of the HTTP client. It wraps the connector in a [`ConnectedService`], which sets the flag.
#[derive(Debug, Clone, Default)]
pub(crate) struct Connected(Arc<AtomicBool>);

impl<S> Layer<S> for Connected {
    type Service = ConnectedService<S>;

    fn layer(&self, inner: S) -> ConnectedService<S> {
        ConnectedService { inner, connected: self.clone() }
    }
}

/// Wrapper of the HTTP client's connector. It sets the flag [`Connected`] after each successful connection.
#[derive(Debug, Clone)]
pub(crate) struct ConnectedService<S> {
    inner: S,
    connected: Connected,
}

impl<S, R> Service<R> for ConnectedService<S>
where
    S: Service<R>,
    S::Future: Send + 'static,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = BoxFuture<Result<S::Response, S::Error>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: R) -> Self::Future {
        let (connected, connecting) = (self.connected.clone(), self.inner.call(request));
        Box::pin(async move {
            let connection = connecting.await?;
            connected.0.store(true, Ordering::Release);
            Ok(connection)
        })
    }
}

/// Two flags that show whether the request of one attempt may have been sent. The HTTP client sets one flag when it
/// first connects, and the other flag when it reads the request body.
pub(crate) struct Departure<'a> {
    connected: Option<&'a Connected>,
    /// Flag that is true if the HTTP client has read the request body. `None` if the request has no body. Also `None`
    /// if the program uses its own HTTP client, `tower` service or layer.
    taken: Option<Arc<AtomicBool>>,
}

impl<'a> Departure<'a> {
    pub(crate) fn new(connected: Option<&'a Connected>, is_watched: bool) -> Self {
        Departure { connected, taken: is_watched.then(Arc::default) }
    }

    /// Returns true if it is certain that the service has not received enough of the request to execute it.
    pub(crate) fn has_not_begun(&self) -> bool {
        let is_clear = |flag: &AtomicBool| !flag.load(Ordering::Acquire);
        self.taken.as_deref().is_some_and(is_clear)
            || self.connected.is_some_and(|connected| is_clear(&connected.0))
    }

    /// Returns the request body of the attempt. If the field `taken` contains a flag, the flag becomes true when the
    /// HTTP client reads the body.
    pub(crate) fn body(&self, bytes: Bytes) -> reqwest::Body {
        match &self.taken {
            Some(taken) => {
                reqwest::Body::wrap(WatchedBody { bytes: Some(bytes), taken: Arc::clone(taken) })
            }
            None => bytes.into(),
        }
    }
}

/// Request body that sets the flag `taken` when the HTTP client reads the body.
struct WatchedBody {
    bytes: Option<Bytes>,
    taken: Arc<AtomicBool>,
}

impl Body for WatchedBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.taken.store(true, Ordering::Release);
        Poll::Ready(self.bytes.take().map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        self.bytes.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.bytes.as_ref().map_or(0, |bytes| bytes.len() as u64))
    }
}
