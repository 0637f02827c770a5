//! Responses with invented values, for operations for which the sandbox has no data. The values fit the field types of
//! the response's record.
//!
//! A new API description can contain operations for which the sandbox cannot generate meaningful data yet. The sandbox
//! still responds to requests for these operations, so that clients can use the operations at once. The values do not
//! agree with the data of other operations, so a response header marks these responses. The web page marks the
//! operations, and the sandbox program lists them after its start.

use axum::http::{HeaderName, HeaderValue};
use crypto_intel_api::generated::catalogue::OPERATIONS;
use crypto_intel_core::{Answer, Operation, Type};
use crypto_intel_world as world;

use crate::chat;
use crate::sql;

/// Header that marks the responses of operations for which the sandbox has no data.
pub(crate) const HEADER: (HeaderName, HeaderValue) =
    (HeaderName::from_static("x-sandbox-made-from"), HeaderValue::from_static("shapes"));

/// Note on the web page about an operation for which the sandbox has no data.
#[cfg(feature = "page")]
pub(crate) const NOTE: &str = "The sandbox has no data for this operation. It builds each \
 response only from the field types of the record, so the values do not match other operations.";

/// Returns true if the sandbox has no data for an operation. Responses of this operation contain invented values that
/// fit the field types, but do not agree with the data of other operations.
pub(crate) fn is_made_from_shapes(operation: &Operation) -> bool {
    let has_data = match operation.answer {
        Answer::Bare(Type::Record("CreditBalance")) => false,
        Answer::Rows { .. } | Answer::One { .. } | Answer::Bare(_) => true,
        Answer::Stream | Answer::Bytes | Answer::Empty => false,
    };
    has_data
        && !chat::is_chat(operation)
        && !sql::is_sql(operation)
        && !world::has_domain(operation)
}

/// Returns the operations for which the sandbox has no data. The responses of these operations contain invented values
/// that fit the field types, and the header `x-sandbox-made-from: shapes`. The list is empty unless the API description
/// is newer than the sandbox.
#[must_use]
pub fn made_from_shapes() -> Vec<&'static Operation> {
    OPERATIONS.iter().copied().filter(|operation| is_made_from_shapes(operation)).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use axum::body::{Body, to_bytes};
    use axum::http::{Method, Request};
    use crypto_intel_core::In;
    use serde_json::Value;
    use tower_service::Service;

    use super::*;
    use crate::{Sandbox, example};

    /// Returns the URL path and query of an example call.
    fn url(operation: &Operation) -> String {
        let mut path = operation.path.to_owned();
        let mut query = form_urlencoded::Serializer::new(String::new());
        for (name, value) in example::parameters(operation) {
            let text = example::written(&value);
            match operation.param(name).map(|(_, param)| param.location) {
                Some(In::Path) => path = path.replace(&format!("{{{name}}}"), &text),
                _ => drop(query.append_pair(name, &text)),
            }
        }
        format!("{path}?{}", query.finish())
    }

    /// Serves copies of the data operations under new ids and paths, as if a new API description had added these
    /// copies. Tests that the sandbox responds to each copy, and that each response has the header [`HEADER`].
    #[tokio::test]
    async fn new_operation_is_answered_from_shapes_and_marked() {
        let is_like_data = |operation: &&Operation| {
            operation.method == Method::GET && world::has_domain(operation)
        };
        let new = OPERATIONS.iter().copied().filter(is_like_data).map(|operation| {
            let id = format!("new-{}", operation.id).leak();
            let path = format!("{}/new", operation.path).leak();
            &*Box::leak(Box::new(Operation { id, path, method: Method::GET, ..*operation }))
        });
        let new: Vec<&'static Operation> = new.collect();
        assert!(new.len() > 100, "{}", new.len());

        let mut sandbox = Sandbox::builder().key("k", 1_000_000).without_socket().unwrap();
        Arc::get_mut(&mut sandbox.host).unwrap().serve(&new);
        for operation in new {
            let request = Request::get(url(operation)).header("authorization", "Bearer k");
            let request = request.body(Body::empty()).unwrap();
            let response = sandbox.service().call(request).await.unwrap();
            let status = response.status();
            let mark = response.headers().get(HEADER.0).cloned();
            let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
            let body: Value = serde_json::from_slice(&body).unwrap();
            assert_eq!(status, 200, "{}: {body}", operation.id);
            assert_eq!(mark, Some(HEADER.1), "{}", operation.id);
            let is_empty = |value: &Value| value.as_array().is_some_and(Vec::is_empty);
            assert!(!is_empty(&body["data"]), "{}: {body}", operation.id);
        }
    }
}
