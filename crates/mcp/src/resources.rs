//! MCP resources for operations, records and stored results. Some MCP hosts let their users attach resources to a
//! conversation.

use crypto_intel::catalogue::OPERATIONS;
use crypto_intel_api::generated::tables::record;
use rmcp::model::{Resource, ResourceContents, ResourceTemplate};
use serde_json::{Value, json};

use crate::problem::Problem;
use crate::session::Session;
use crate::{clean, describe, operation_search};

/// Scheme of all resource URIs.
const SCHEME: &str = "cintel://";

/// Returns one resource per domain, such as `market`. A list with one resource per operation would be too long.
pub(crate) fn list() -> Vec<Resource> {
    operation_search::domains()
        .into_iter()
        .map(|domain| {
            let count =
                OPERATIONS.iter().filter(|one| operation_search::domain(one) == domain).count();
            Resource::new(format!("{SCHEME}domains/{domain}"), domain.clone())
                .with_description(format!("The {count} operations of `{domain}` with their prices"))
                .with_mime_type("application/json")
        })
        .collect()
}

pub(crate) fn templates() -> Vec<ResourceTemplate> {
    let template = |path: &str, name: &str, description: &str| {
        ResourceTemplate::new(format!("{SCHEME}{path}"), name)
            .with_description(description)
            .with_mime_type("application/json")
    };
    vec![
        template(
            "operations/{operation}",
            "operation",
            "Parameters, fields and price of an operation",
        ),
        template("records/{record}", "record", "Fields of a record"),
        template("results/{handle}", "result", "A complete stored result"),
    ]
}

/// Reads a resource by its URI.
pub(crate) fn read(session: &Session, uri: &str) -> Result<ResourceContents, Problem> {
    let text = match uri.strip_prefix(SCHEME).and_then(|path| path.split_once('/')) {
        Some(("domains", domain)) => domain_text(domain)?.to_string(),
        Some(("operations", id)) => {
            describe::operation(operation_search::operation(id)?).to_string()
        }
        Some(("records", name)) => match record(name) {
            Some(row) => describe::record_words(row, false).to_string(),
            None => return Err(unknown(uri)),
        },
        Some(("results", handle)) => {
            let rows = session.store.get(handle)?.json();
            clean::clean_json(&format!(r#"{{"service_data":{rows}}}"#))
        }
        _ => return Err(unknown(uri)),
    };
    Ok(ResourceContents::text(text, uri).with_mime_type("application/json"))
}

fn domain_text(domain: &str) -> Result<Value, Problem> {
    let operations: Vec<_> = OPERATIONS
        .iter()
        .filter(|one| operation_search::domain(one) == domain)
        .map(|one| describe::brief(one))
        .collect();
    if operations.is_empty() {
        return Err(Problem::unknown(format!("there is no domain `{domain}`"))
            .next(format!("use one of {}", operation_search::domains().join(", "))));
    }
    Ok(json!({"domain": domain, "operations": operations}))
}

fn unknown(uri: &str) -> Problem {
    Problem::unknown(format!("there is no resource `{uri}`"))
        .next("list resources and their templates")
}
