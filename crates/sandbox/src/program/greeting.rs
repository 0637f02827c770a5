//! Text that the sandbox program prints when it has started.

use std::fmt::Write;

use crypto_intel_api::generated::catalogue;
use crypto_intel_core::Operation;
use crypto_intel_sandbox::{Sandbox, example, made_from_shapes};

use crate::settings::StartInfo;

/// Returns the text that the program prints when it has started. The first line contains the URL and the API key, so
/// that scripts can read them.
pub(crate) fn render(sandbox: &Sandbox, known: &StartInfo) -> String {
    let url = sandbox.url();
    // A loaded state has only hashes of keys.
    let key = if sandbox.key().is_empty() { "A-SAVED-KEY" } else { sandbox.key() };
    let mut text = format!("{url}  key: {key}\n");

    for key in &known.more_keys {
        let _ = writeln!(text, "{:width$}  key: {key}", "", width = url.len());
    }
    for line in &known.lines {
        let _ = writeln!(text, "  {line}");
    }
    if !known.is_recording {
        let _ = writeln!(
            text,
            "  Open {url} in a browser to read about all operations and try them. Or:"
        );
    }
    let _ = writeln!(text, "  curl -H 'Authorization: Bearer {key}' '{url}{}'", first_call());
    if let Some(token) = sandbox.control_token() {
        let _ = writeln!(
            text,
            "  Faults on demand:\n  curl -H 'x-sandbox-token: {token}' -d 'status=503;times=2' '{url}/sandbox/faults'"
        );
    }
    text.push_str(&shapes_only(&made_from_shapes()));
    text.push_str("Ctrl-C stops the sandbox.\n");
    text
}

/// Returns a line with the ids of `operations`. The sandbox generates the responses of these operations only from the
/// field types. Returns an empty text if `operations` is empty.
fn shapes_only(operations: &[&Operation]) -> String {
    let ids: Vec<_> = operations.iter().map(|operation| operation.id).collect();
    match ids.len() {
        0 => String::new(),
        count => format!(
            "  Operations with values made only from field types ({count}): {}\n",
            ids.join(", ")
        ),
    }
}

/// Returns the URL path and query of a simple example call.
fn first_call() -> String {
    let operation = &catalogue::MARKET_PRICE;
    let mut query = form_urlencoded::Serializer::new(String::new());
    for (name, value) in example::parameters(operation) {
        query.append_pair(name, &example::written(&value));
    }
    format!("{}?{}", operation.path, query.finish())
}
