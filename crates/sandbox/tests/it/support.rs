//! Helpers that start a sandbox and call API operations over HTTP.

use crypto_intel_api::generated::catalogue::OPERATIONS;
use crypto_intel_core::{Body, In, Operation};
use crypto_intel_sandbox::{Builder, Clock, Sandbox, UnixSeconds, example};
use serde_json::{Map, Value, json};

/// Fixed Unix time of the sandbox's clock in tests: 2026-06-15 13:37:42 UTC.
pub(crate) const NOW: i64 = 1_781_530_662;

pub(crate) fn builder() -> Builder {
    Sandbox::builder().clock(Clock::stopped_at(UnixSeconds(NOW)))
}

/// A running sandbox, and an HTTP client for it. The clock of a sandbox from [`builder`] is stopped at a fixed time,
/// [`NOW`].
pub(crate) struct Bench {
    pub(crate) sandbox: Sandbox,
    pub(crate) http: reqwest::Client,
}

/// An HTTP response, read completely.
#[derive(Debug)]
pub(crate) struct Seen {
    pub(crate) status: u16,
    pub(crate) content_type: String,
    pub(crate) text: String,
    pub(crate) json: Value,
}

pub(crate) fn operation(id: &str) -> &'static Operation {
    OPERATIONS.iter().find(|op| op.id == id).unwrap_or_else(|| panic!("no operation {id}"))
}

impl Bench {
    pub(crate) async fn start() -> Self {
        Bench::from_builder(builder()).await
    }

    pub(crate) async fn from_builder(builder: Builder) -> Self {
        Bench { sandbox: builder.start().await.unwrap(), http: reqwest::Client::new() }
    }

    /// Creates an HTTP request with parameters. Each parameter is sent where the catalogue declares it: in the
    /// path, query, headers or body.
    pub(crate) fn request(
        &self,
        operation: &Operation,
        values: &[(&str, Value)],
    ) -> reqwest::RequestBuilder {
        let mut path = operation.path.to_owned();
        let mut query = form_urlencoded::Serializer::new(String::new());
        let mut headers = Vec::new();
        let mut body = Map::new();

        for (name, value) in values {
            let text = example::written(value);
            match operation.param(name).map_or(In::Query, |(_, param)| param.location) {
                In::Query => {
                    query.append_pair(name, &text);
                }
                In::Path => path = path.replace(&format!("{{{name}}}"), &text),
                In::Header => headers.push(((*name).to_owned(), text)),
                In::Body => {
                    body.insert((*name).to_owned(), value.clone());
                }
            }
        }

        let url = format!("{}{path}?{}", self.sandbox.url(), query.finish());
        let mut request = self.http.request(operation.method.clone(), url);
        for (name, text) in headers {
            request = request.header(name, text);
        }
        if operation.body != Body::None { request.json(&body) } else { request }
    }

    pub(crate) async fn call(&self, operation: &Operation, values: &[(&str, Value)]) -> Seen {
        seen(self.request(operation, values).bearer_auth(self.sandbox.key())).await
    }

    /// Calls an operation with its example parameters. Parameters in `more` are added, or replace an example
    /// parameter.
    pub(crate) async fn example(&self, id: &str, more: &[(&str, Value)]) -> Seen {
        let operation = operation(id);
        let mut values = example::parameters(operation);
        values.retain(|(name, _)| !more.iter().any(|(other, _)| other == name));
        let all: Vec<_> = values
            .iter()
            .map(|(name, value)| (*name, value.clone()))
            .chain(more.iter().cloned())
            .collect();
        self.call(operation, &all).await
    }

    pub(crate) async fn get(&self, path: &str) -> Seen {
        let url = format!("{}{path}", self.sandbox.url());
        seen(self.http.get(url).bearer_auth(self.sandbox.key())).await
    }
}

pub(crate) async fn seen(request: reqwest::RequestBuilder) -> Seen {
    let response = request.send().await.unwrap();
    let status = response.status().as_u16();
    let content_type = response
        .headers()
        .get("content-type")
        .map(|value| value.to_str().unwrap().to_owned())
        .unwrap_or_default();
    let text = response.text().await.unwrap();
    let json = serde_json::from_str(&text).unwrap_or(Value::Null);
    Seen { status, content_type, text, json }
}

pub(crate) fn rows(value: &Value) -> &Vec<Value> {
    value["data"].as_array().unwrap_or_else(|| panic!("no rows in {value}"))
}

#[track_caller]
pub(crate) fn at(value: &Value, pointer: &str) -> f64 {
    value.pointer(pointer).and_then(Value::as_f64).unwrap_or_else(|| panic!("{pointer} in {value}"))
}

pub(crate) fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_else(|| panic!("{name} in {value}"))
}

pub(crate) fn amount(value: &Value, name: &str) -> f64 {
    text(value, name).parse().unwrap()
}

#[track_caller]
pub(crate) fn close(a: f64, b: f64, what: &str) {
    assert!((a - b).abs() <= 1e-6 * a.abs().max(b.abs()).max(1e-9), "{what}: {a} and {b}");
}

/// Returns all rows of an operation that pages by offset.
pub(crate) async fn all(bench: &Bench, id: &str, more: &[(&str, Value)]) -> Vec<Value> {
    let mut rows = Vec::new();
    loop {
        let mut page: Vec<_> = more.to_vec();
        page.extend([("limit", json!(100)), ("offset", json!(rows.len()))]);
        let answer = bench.example(id, &page).await.json;
        rows.extend(self::rows(&answer).iter().cloned());
        if answer["meta"]["has_more"] != true {
            return rows;
        }
    }
}

/// Returns the parameter `limit` with the value 100.
pub(crate) fn most() -> (&'static str, Value) {
    ("limit", json!(100))
}
