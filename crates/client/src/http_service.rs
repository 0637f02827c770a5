//! Interface between this client and the code that sends one HTTP attempt. It uses the request and response types of
//! the crate `http`. A program adds its own transport or HTTP middleware here. Retries, budget and rate limit are
//! applied before a request reaches this interface.
//!
//! The client sends each attempt through an [`HttpService`], which is a `tower` service.
//! [`ClientBuilder::http_service`](crate::ClientBuilder::http_service) replaces this `tower` service, for example by a
//! router in the same process. [`ClientBuilder::layer`](crate::ClientBuilder::layer) wraps the `tower` service in a
//! layer, for example in middleware of another crate, or in a layer that collects metrics.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), crypto_intel::Error> {
//! use crypto_intel::http_service::{Body, service_fn};
//! use crypto_intel::{Client, http};
//!
//! let canned = service_fn(|request: http::Request<Body>| async move {
//!     assert_eq!(request.uri().path(), "/gateway/v1/market/fear-greed");
//!     let rows = r#"{"data": [], "meta": {"cached": false, "credits_used": 1}}"#;
//!     Ok::<_, std::convert::Infallible>(http::Response::new(Body::from(rows)))
//! });
//! let client = Client::builder().base_url("http://service.example").http_service(canned).build()?;
//! assert!(client.market_fear_greed().await?.data.is_empty());
//! # Ok(())
//! # }
//! ```
//!
//! # Rules for a `tower` service
//! - A request has the complete URL, all headers, and a body in memory. The API key is in the `Authorization` header.
//!   The value of this header is marked as sensitive; do not print sensitive values.
//! - A `tower` service receives each attempt of a call separately. The client applies retries, budget, rate limit and
//!   timeouts itself. Middleware that sends a request again spends credits that no budget counts.
//! - Return a response of any HTTP status as `Ok`. Return an error if no complete response arrived. The client assumes
//!   that the remote service may have executed the failed request, so it does not send a POST again. Exceptions are
//!   errors that are [`NotSent`] or have [`NotSent`] among their causes, and some errors of `reqwest`, such as a failed
//!   connection.
//! - If the client drops the future, cancel the request.
//!
//! # Other targets
//! The interface of this module depends only on `http`, `http-body`, `tower-service`, `tower-layer` and `bytes`. A
//! build for WebAssembly in a browser is untested. It would also need other `Send` bounds and another clock than
//! tokio's.

use std::error::Error as StdError;
use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::{Bytes, BytesMut};
use crypto_intel_core::BoxFuture;
use http::{Request, Response};
use http_body::{Body as _, Frame, SizeHint};
use tower_layer::Layer;
use tower_service::Service;

/// Boxed error of any type that is `Send` and `Sync`.
pub type BoxError = Box<dyn StdError + Send + Sync>;

/// Body of an HTTP request or response, in memory or as a stream of chunks.
pub struct Body(Content);

enum Content {
    Whole(Option<Bytes>),
    Pieces(Pin<Box<dyn http_body::Body<Data = Bytes, Error = BoxError> + Send>>),
}

impl Body {
    /// Creates an empty body.
    #[must_use]
    pub fn empty() -> Self {
        Body(Content::Whole(None))
    }

    /// Creates a streamed body that returns the chunks of another HTTP body.
    pub fn new<B>(body: B) -> Self
    where
        B: http_body::Body<Data = Bytes> + Send + 'static,
        B::Error: Into<BoxError>,
    {
        Body(Content::Pieces(Box::pin(MapError(Box::pin(body)))))
    }

    /// Returns the bytes of a body in memory, and `None` for a streamed body. Every request of the client has its body
    /// in memory.
    #[must_use]
    pub fn as_bytes(&self) -> Option<&[u8]> {
        match &self.0 {
            Content::Whole(bytes) => Some(bytes.as_deref().unwrap_or_default()),
            Content::Pieces(_) => None,
        }
    }

    /// Returns the next chunk of the body, or `None` at its end.
    pub(crate) async fn next(&mut self) -> Result<Option<Bytes>, BoxError> {
        loop {
            match poll_fn(|context| Pin::new(&mut *self).poll_frame(context)).await {
                Some(frame) => {
                    // A frame without data contains trailers, which are ignored.
                    if let Ok(data) = frame?.into_data() {
                        return Ok(Some(data));
                    }
                }
                None => return Ok(None),
            }
        }
    }

    /// Reads the whole body into memory.
    async fn read_all(mut self) -> Result<Bytes, BoxError> {
        if let Content::Whole(bytes) = self.0 {
            return Ok(bytes.unwrap_or_default());
        }
        let mut all = BytesMut::new();
        while let Some(piece) = self.next().await? {
            all.extend_from_slice(&piece);
        }
        Ok(all.freeze())
    }
}

impl<T: Into<Bytes>> From<T> for Body {
    fn from(bytes: T) -> Self {
        Body(Content::Whole(Some(bytes.into()).filter(|bytes| !bytes.is_empty())))
    }
}

impl Default for Body {
    fn default() -> Self {
        Body::empty()
    }
}

impl http_body::Body for Body {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        match &mut self.0 {
            Content::Whole(bytes) => Poll::Ready(bytes.take().map(|bytes| Ok(Frame::data(bytes)))),
            Content::Pieces(body) => body.as_mut().poll_frame(context),
        }
    }

    fn is_end_stream(&self) -> bool {
        match &self.0 {
            Content::Whole(bytes) => bytes.is_none(),
            Content::Pieces(body) => body.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.0 {
            Content::Whole(bytes) => {
                SizeHint::with_exact(bytes.as_ref().map_or(0, |bytes| bytes.len() as u64))
            }
            Content::Pieces(body) => body.size_hint(),
        }
    }
}

/// Formats the size of the body in bytes, but never its content.
impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Content::Whole(bytes) => {
                write!(f, "Body({} bytes)", bytes.as_ref().map_or(0, Bytes::len))
            }
            Content::Pieces(_) => f.write_str("Body(..)"),
        }
    }
}

/// Wrapper of an HTTP body that converts its errors to [`BoxError`].
struct MapError<B>(Pin<Box<B>>);

impl<B> http_body::Body for MapError<B>
where
    B: http_body::Body<Data = Bytes>,
    B::Error: Into<BoxError>,
{
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        self.0.as_mut().poll_frame(context).map_err(Into::into)
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.0.size_hint()
    }
}

/// Error of a request that was certainly not sent. After this error the client may send even a POST again.
#[derive(Debug)]
pub struct NotSent(BoxError);

impl NotSent {
    /// Creates an error with `reason` as its source.
    pub fn new(reason: impl Into<BoxError>) -> Self {
        NotSent(reason.into())
    }
}

impl fmt::Display for NotSent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the request was not sent")
    }
}

impl StdError for NotSent {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        Some(&*self.0)
    }
}

/// A `tower` service that sends one HTTP request. Layers can wrap it. Cloning it is cheap.
#[derive(Clone)]
pub struct HttpService(Arc<dyn Exchange>);

impl HttpService {
    /// Wraps a `tower` service that uses the types of the crate `http`, for example an HTTP client or a router.
    pub fn new<S, B>(service: S) -> Self
    where
        S: Service<Request<Body>, Response = Response<B>> + Clone + Send + Sync + 'static,
        S::Error: Into<BoxError>,
        S::Future: Send,
        B: http_body::Body<Data = Bytes> + Send + 'static,
        B::Error: Into<BoxError>,
    {
        HttpService(Arc::new(Tower(service)))
    }

    /// Wraps a `reqwest` client.
    pub(crate) fn from_reqwest(client: reqwest::Client) -> Self {
        HttpService(Arc::new(Reqwest(client)))
    }

    pub(crate) fn send(
        &self,
        request: Request<Body>,
    ) -> BoxFuture<Result<Response<Body>, BoxError>> {
        self.0.exchange(request)
    }
}

impl fmt::Debug for HttpService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HttpService")
    }
}

impl Service<Request<Body>> for HttpService {
    type Response = Response<Body>;
    type Error = BoxError;
    type Future = BoxFuture<Result<Response<Body>, BoxError>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        self.send(request)
    }
}

/// Wrapper that gives every `tower` layer the same type. A function can use this type as its return type:
///
/// ```
/// use crypto_intel::http_service::{HttpLayer, HttpService};
/// use crypto_intel::tower_layer::layer_fn;
///
/// fn middleware() -> HttpLayer {
///     HttpLayer::new(layer_fn(|inner: HttpService| inner))
/// }
///
/// let builder = crypto_intel::Client::builder().layer(middleware());
/// ```
#[derive(Clone)]
pub struct HttpLayer(Arc<dyn Fn(HttpService) -> HttpService + Send + Sync>);

impl HttpLayer {
    /// Wraps a `tower` layer or a stack of layers.
    pub fn new<L, B>(layer: L) -> Self
    where
        L: Layer<HttpService> + Send + Sync + 'static,
        L::Service: Service<Request<Body>, Response = Response<B>> + Clone + Send + Sync + 'static,
        <L::Service as Service<Request<Body>>>::Error: Into<BoxError>,
        <L::Service as Service<Request<Body>>>::Future: Send,
        B: http_body::Body<Data = Bytes> + Send + 'static,
        B::Error: Into<BoxError>,
    {
        HttpLayer(Arc::new(move |inner| HttpService::new(layer.layer(inner))))
    }
}

impl Layer<HttpService> for HttpLayer {
    type Service = HttpService;

    fn layer(&self, inner: HttpService) -> HttpService {
        (self.0)(inner)
    }
}

impl fmt::Debug for HttpLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HttpLayer")
    }
}

trait Exchange: Send + Sync {
    fn exchange(&self, request: Request<Body>) -> BoxFuture<Result<Response<Body>, BoxError>>;
}

struct Tower<S>(S);

impl<S, B> Exchange for Tower<S>
where
    S: Service<Request<Body>, Response = Response<B>> + Clone + Send + Sync + 'static,
    S::Error: Into<BoxError>,
    S::Future: Send,
    B: http_body::Body<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    fn exchange(&self, request: Request<Body>) -> BoxFuture<Result<Response<Body>, BoxError>> {
        let mut service = self.0.clone();
        Box::pin(async move {
            poll_fn(|context| service.poll_ready(context)).await.map_err(Into::into)?;
            let response = service.call(request).await.map_err(Into::into)?;
            Ok(response.map(Body::new))
        })
    }
}

struct Reqwest(reqwest::Client);

impl Exchange for Reqwest {
    fn exchange(&self, request: Request<Body>) -> BoxFuture<Result<Response<Body>, BoxError>> {
        let client = self.0.clone();
        Box::pin(async move {
            let (head, body) = request.into_parts();
            let request = Request::from_parts(head, body.read_all().await?);
            // Errors are logged, so they must not contain the URL. Its query may contain search terms of a person.
            let request = request.try_into().map_err(reqwest::Error::without_url)?;
            let response = client.execute(request).await.map_err(reqwest::Error::without_url)?;
            Ok(Response::from(response).map(Body::new))
        })
    }
}

/// Creates a `tower` service from an async function that takes a request and returns a response.
pub fn service_fn<F>(function: F) -> ServiceFn<F> {
    ServiceFn(function)
}

/// A `tower` service that calls an async function; see [`service_fn`].
#[derive(Debug, Clone, Copy)]
pub struct ServiceFn<F>(F);

impl<F, R, B, E> Service<Request<Body>> for ServiceFn<F>
where
    F: FnMut(Request<Body>) -> R,
    R: Future<Output = Result<Response<B>, E>>,
{
    type Response = Response<B>;
    type Error = E;
    type Future = R;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), E>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> R {
        (self.0)(request)
    }
}
