//! Reports each HTTP attempt to a Python function.

use std::time::Instant;

use crypto_intel::http::Request;
use crypto_intel::http_service::{Body, HttpLayer, HttpService, service_fn};
use crypto_intel::tower_layer::layer_fn;
use crypto_intel::tower_service::Service;

use crate::notices::Receiver;

/// Creates an HTTP layer that calls `receiver(method, path, status, seconds, error)` after each attempt. `path` does
/// not contain the query of the URL, because a query may contain search terms of users.
pub(crate) fn layer(receiver: Receiver) -> HttpLayer {
    HttpLayer::new(layer_fn(move |inner: HttpService| {
        let receiver = receiver.clone();
        service_fn(move |request: Request<Body>| {
            let (mut inner, receiver) = (inner.clone(), receiver.clone());
            let method = request.method().to_string();
            let path = request.uri().path().to_owned();
            async move {
                let began = Instant::now();
                let response = inner.call(request).await;
                let status = response.as_ref().ok().map(|response| response.status().as_u16());
                let error = response.as_ref().err().map(ToString::to_string);
                receiver.call((method, path, status, began.elapsed().as_secs_f64(), error));
                response
            }
        })
    }))
}
