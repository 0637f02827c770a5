//! Serves requests from code in the sandbox's own process, without a socket or an HTTP client.

use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::net::{IpAddr, Ipv4Addr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::BoxError;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::response::Response;
use tower_service::Service;

use crate::host::Host;

/// A sandbox as a `tower` service. [`Sandbox::service`](crate::Sandbox::service) returns it.
#[derive(Clone)]
pub struct InProcess(Arc<Host>);

impl InProcess {
    pub(crate) fn new(host: Arc<Host>) -> Self {
        InProcess(host)
    }
}

impl<B> Service<Request<B>> for InProcess
where
    B: HttpBody<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let host = Arc::clone(&self.0);
        // Web pages cannot send requests within a process, so host and origin are not checked.
        Box::pin(async move {
            let (head, body) = request.into_parts();
            let peer = IpAddr::V4(Ipv4Addr::LOCALHOST);
            Ok(host.answer(peer, &head, Body::new(body), Duration::MAX).await)
        })
    }
}

impl fmt::Debug for InProcess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("InProcess")
    }
}
