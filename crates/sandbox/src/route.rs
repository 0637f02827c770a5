//! Finds the operation of a request in an index of the catalogue.
//!
//! The inputs are the URL path, the method and the body of the request. The output is one operation and the values of
//! its path parameters.

use std::collections::HashMap;

use crypto_intel_core::{Answer, Method, Operation, ParamKind};
use percent_encoding::percent_decode_str;
use serde_json::Value;

/// Index of all operations by URL path.
#[derive(Debug)]
pub(crate) struct Routes {
    exact: HashMap<&'static str, Vec<&'static Operation>>,
    /// Paths with parameters, split at `/`, each with its operations.
    patterns: Vec<(Vec<&'static str>, Vec<&'static Operation>)>,
}

/// Operations of a URL path, and the values of the path parameters.
#[derive(Debug)]
pub(crate) struct RouteMatch<'a> {
    pub(crate) operations: &'a [&'static Operation],
    pub(crate) path_values: Vec<(&'static str, String)>,
}

impl Routes {
    pub(crate) fn new(operations: &[&'static Operation]) -> Self {
        let mut exact: HashMap<&'static str, Vec<&'static Operation>> = HashMap::new();
        let mut patterns: Vec<(Vec<&'static str>, Vec<&'static Operation>)> = Vec::new();
        for operation in operations {
            if operation.path.contains('{') {
                let segments: Vec<_> = operation.path.split('/').collect();
                match patterns.iter_mut().find(|(known, _)| *known == segments) {
                    Some((_, list)) => list.push(operation),
                    None => patterns.push((segments, vec![operation])),
                }
            } else {
                exact.entry(operation.path).or_default().push(operation);
            }
        }
        Routes { exact, patterns }
    }

    /// Finds the operations of the URL path `path`. The path is percent-encoded, as in the request.
    pub(crate) fn find(&self, path: &str) -> Option<RouteMatch<'_>> {
        if let Some(operations) = self.exact.get(path) {
            return Some(RouteMatch { operations, path_values: Vec::new() });
        }

        let segments: Vec<_> = path.split('/').collect();
        self.patterns.iter().find_map(|(pattern, operations)| {
            if pattern.len() != segments.len() {
                return None;
            }

            let mut path_values = Vec::new();
            for (expected, actual) in pattern.iter().zip(&segments) {
                match expected.strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
                    Some(name) if !actual.is_empty() => {
                        let text = percent_decode_str(actual).decode_utf8_lossy().into_owned();
                        path_values.push((name, text));
                    }
                    _ if expected == actual => {}
                    _ => return None,
                }
            }

            Some(RouteMatch { operations, path_values })
        })
    }
}

impl RouteMatch<'_> {
    /// Returns the value of the header `Allow`, which lists the methods of the path.
    pub(crate) fn allowed(&self) -> String {
        let mut names: Vec<_> = self.operations.iter().map(|op| op.method.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        names.join(", ")
    }

    /// Returns the operations of the path with this HTTP method. An operation and its streaming variant can have the
    /// same path and method. A field of the request body then selects one of them.
    pub(crate) fn of_method(&self, method: &Method) -> Vec<&'static Operation> {
        self.operations.iter().copied().filter(|op| op.method == method).collect()
    }
}

/// Chooses one of several operations with equal method and path. The fields of the request body select the operation.
pub(crate) fn choose(
    candidates: &[&'static Operation],
    body: Option<&Value>,
) -> Option<&'static Operation> {
    let is_meant = |op: &Operation| {
        op.params.iter().all(|param| match param.kind {
            ParamKind::Constant(value) => {
                body.and_then(|body| body.get(param.name)) == Some(&Value::Bool(value))
            }
            _ => true,
        })
    };
    candidates
        .iter()
        .find(|op| op.answer == Answer::Stream && is_meant(op))
        .or_else(|| candidates.iter().find(|op| op.answer != Answer::Stream))
        .or_else(|| candidates.first())
        .copied()
}

/// Returns the names of the body fields that select one of several operations with equal method and path. An example is
/// the field `stream`.
pub(crate) fn switches(candidates: &[&'static Operation]) -> Vec<&'static str> {
    let constants = |op: &&'static Operation| {
        op.params.iter().filter(|p| matches!(p.kind, ParamKind::Constant(_))).map(|p| p.name)
    };
    candidates.iter().flat_map(constants).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crypto_intel_api::generated::catalogue::OPERATIONS;
    use serde_json::json;

    #[test]
    fn every_operation_is_found_by_its_path() {
        let routes = Routes::new(OPERATIONS);
        for operation in OPERATIONS {
            let path = operation.path.replace("{job_id}", "a%20b").replace("{condition_id}", "0x1");
            let found = routes.find(&path).unwrap_or_else(|| panic!("{}", operation.id));
            assert!(found.of_method(&operation.method).iter().any(|op| op.id == operation.id));
        }
        let found = routes.find("/gateway/v1/onchain/sql/jobs/a%20b").unwrap();
        assert_eq!(found.path_values, [("job_id", "a b".to_owned())]);
        assert_eq!(found.allowed(), "DELETE, GET");
        assert!(routes.find("/gateway/v1/onchain/sql/jobs/").is_none());
        assert!(routes.find("/gateway/v1/nothing").is_none());
    }

    #[test]
    fn the_body_chooses_between_twins() {
        let routes = Routes::new(OPERATIONS);
        let found = routes.find("/gateway/v1/responses").unwrap();
        let twins = found.of_method(&Method::POST);
        assert_eq!(twins.len(), 2);
        let chosen = |body: Value| choose(&twins, Some(&body)).unwrap().answer;
        assert_eq!(chosen(json!({"stream": true})), Answer::Stream);
        assert_ne!(chosen(json!({"stream": false})), Answer::Stream);
        assert_ne!(chosen(json!({})), Answer::Stream);
        assert_eq!(switches(&twins), ["stream"]);
    }
}
