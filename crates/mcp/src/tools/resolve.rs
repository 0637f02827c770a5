//! The action `resolve` of `call_operation`: finds identifiers for a name, such as `bitcoin`.
//!
//! The input is a name, and either a kind of identifier or an operation. With an operation, the action finds
//! identifiers that this operation accepts. The output is a list of candidates. The action never chooses a candidate.

use crypto_intel::resolve::{Candidate, Resolve, kinds};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::text;
use crate::allowed_operations;
use crate::caller::Caller;
use crate::operation_search;
use crate::problem::Problem;
use crate::session::Session;

/// Name of the action `resolve`. Callers of the tool `call_operation` pass this name as the argument `operation`, in
/// place of the name of an operation.
pub(super) const NAME: &str = "resolve";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ResolveArguments {
    name: String,
    kind: Option<String>,
    operation: Option<String>,
}

pub(super) async fn run(
    session: &Session,
    arguments: Map<String, Value>,
    dry_run: bool,
    max_credits: Option<u64>,
    caller: &Caller,
) -> Result<String, Problem> {
    let resolve = planned(session, arguments.into())?;
    let price = resolve.estimate();
    if dry_run {
        let searches: Vec<_> = resolve.searches().iter().map(|search| search.id).collect();
        let price = price.credits().map(|most| most.0);
        return text(&json!({"searches": searches, "list_price": price, "left": session.left()}));
    }

    session.allow(price, max_credits, caller).await?;
    let found = resolve.await?;
    let mut answer = json!({
        "service_data": found.all().iter().map(described).collect::<Vec<_>>(),
        "credits": session.cost(price, None),
    });
    if found.all().is_empty() {
        answer["next"] = "no candidate was found: ask the user for another name".into();
    } else if found.only().is_err() {
        answer["next"] = "ask the user which candidate is meant; do not guess".into();
    }
    if !found.incomplete().is_empty() {
        answer["incomplete"] = found.incomplete().iter().cloned().collect();
    }
    text(&answer)
}

fn planned(session: &Session, arguments: Value) -> Result<Resolve, Problem> {
    let arguments: ResolveArguments = serde_json::from_value(arguments).map_err(|error| {
        Problem::arguments(format!("resolve: {error}"))
            .next("set `name`, and `kind` or `operation`")
    })?;

    let mut resolve = session.client.resolve(arguments.name);
    let has_aim = arguments.kind.is_some() || arguments.operation.is_some();
    if let Some(kind) = arguments.kind {
        resolve = resolve.kind(kind);
    }
    if let Some(operation) = arguments.operation {
        resolve = resolve.for_operation(operation_search::operation(&operation)?);
    }
    if !has_aim {
        let kinds = kinds().join(", ");
        return Err(Problem::arguments("resolve: set either `kind` or `operation`")
            .next(format!("set `kind` ({kinds}) or `operation`")));
    }
    for search in resolve.searches() {
        allowed_operations::check(&session.settings, search)?;
    }
    Ok(resolve)
}

fn described(candidate: &Candidate) -> Value {
    json!({
        "kind": candidate.kind,
        "identifier": candidate.parts,
        "name": candidate.name,
        "exact": candidate.is_exact,
    })
}
