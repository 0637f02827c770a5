//! Response to one attempt, from the HTTP client or from the program's own `tower` service.

use bytes::Bytes;
use http::{HeaderMap, Response, StatusCode};
use http_body::Body as _;

use super::failure::{Failure, failure, service_failure};
#[cfg(feature = "gzip")]
use super::gzip;
use crate::http_service::Body;
use crate::retry::Reached;

/// Response whose headers have arrived and whose body is not read yet.
pub(crate) enum Received {
    // This variant exists because `Service` would need an allocation for each response body.
    Client(reqwest::Response),
    Service(Response<Body>),
    #[cfg(feature = "gzip")]
    Packed(Response<gzip::Unpacked>),
}

impl Received {
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Received::Client(response) => response.status(),
            Received::Service(response) => response.status(),
            #[cfg(feature = "gzip")]
            Received::Packed(response) => response.status(),
        }
    }

    pub(crate) fn headers(&self) -> &HeaderMap {
        match self {
            Received::Client(response) => response.headers(),
            Received::Service(response) => response.headers(),
            #[cfg(feature = "gzip")]
            Received::Packed(response) => response.headers(),
        }
    }

    pub(crate) fn take_headers(&mut self) -> HeaderMap {
        std::mem::take(match self {
            Received::Client(response) => response.headers_mut(),
            Received::Service(response) => response.headers_mut(),
            #[cfg(feature = "gzip")]
            Received::Packed(response) => response.headers_mut(),
        })
    }

    /// If the body is compressed with gzip, returns the response with a body that is decompressed while it is read.
    /// Returns any other response unchanged.
    pub(crate) fn decompress(self) -> Self {
        #[cfg(feature = "gzip")]
        if gzip::is_gzip(self.headers()) {
            return Received::Packed(gzip::decompress(self));
        }
        self
    }

    /// Returns the length of the body in bytes, if it is known before the body is read.
    pub(crate) fn content_length(&self) -> Option<u64> {
        match self {
            Received::Client(response) => response.content_length(),
            Received::Service(response) => response.body().size_hint().exact(),
            #[cfg(feature = "gzip")]
            Received::Packed(_) => None,
        }
    }

    /// Returns the next chunk of the body, or `None` at its end. If this method fails, the service may have executed
    /// the request, because its response had already begun.
    pub(crate) async fn next(&mut self) -> Result<Option<Bytes>, Failure> {
        match self {
            Received::Client(response) => {
                response.chunk().await.map_err(failure).map_err(within_body)
            }
            Received::Service(response) => {
                response.body_mut().next().await.map_err(service_failure).map_err(within_body)
            }
            #[cfg(feature = "gzip")]
            Received::Packed(response) => gzip::next(response.body_mut()).await,
        }
    }
}

fn within_body(failure: Failure) -> Failure {
    Failure { reached: Reached::Perhaps, ..failure }
}
