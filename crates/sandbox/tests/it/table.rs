//! Tests of all API operations. Each operation gets one valid request, and one request for each documented reason of a
//! rejection. Each test collects all violations and fails once.

use crypto_intel_api::generated::catalogue::OPERATIONS;
use crypto_intel_core::{Answer, In, Operation, Param, ParamKind, Rule};
use crypto_intel_sandbox::{example, schema};
use serde_json::{Value, json};

use crate::support::Bench;

type Values = Vec<(&'static str, Value)>;

#[tokio::test]
async fn every_operation_answers_by_its_schema() {
    let bench = Bench::start().await;
    let mut faults = Vec::new();
    for operation in OPERATIONS {
        let seen = bench.call(operation, &example::parameters(operation)).await;
        if seen.status != operation.success {
            faults.push(format!("{}: {} {}", operation.id, seen.status, seen.text));
            continue;
        }

        if operation.answer == Answer::Stream {
            if seen.content_type != "text/event-stream"
                || !seen.text.starts_with("data: ") && !seen.text.starts_with("event: ")
            {
                faults.push(format!("{}: no event stream", operation.id));
            }
            continue;
        }

        if [":-0.0,", ":-0.0}"].iter().any(|zero| seen.text.contains(zero)) {
            faults.push(format!("{}: a figure is negative zero", operation.id));
        }
        faults.extend(
            schema::faults_of_answer(operation, &seen.json)
                .iter()
                .filter(|fault| !is_customary(fault))
                .map(|fault| format!("{}: {fault}", operation.id)),
        );

        if let Answer::Rows { .. } = operation.answer
            && seen.json["data"].as_array().is_none_or(Vec::is_empty)
        {
            faults.push(format!("{}: no rows", operation.id));
        }
    }

    assert!(faults.is_empty(), "{faults:#?}");
    assert!(OPERATIONS.len() >= 145);
}

#[tokio::test]
async fn every_optional_parameter_is_accepted() {
    let bench = Bench::start().await;
    let mut faults = Vec::new();
    for operation in OPERATIONS {
        for param in operation.params {
            if param.required || param.refused.is_some() || is_positional(operation, param) {
                continue;
            }

            let mut values = example::parameters(operation);
            values.retain(|(name, _)| *name != param.name);
            values.push((param.name, example::value(param)));
            let seen = bench.call(operation, &values).await;

            if seen.status != operation.success {
                faults.push(format!(
                    "{} {}: {} {}",
                    operation.id, param.name, seen.status, seen.text
                ));
            } else if operation.answer != Answer::Stream {
                faults.extend(
                    schema::faults_of_answer(operation, &seen.json)
                        .iter()
                        .filter(|fault| !is_customary(fault))
                        .map(|fault| format!("{} {}: {fault}", operation.id, param.name)),
                );
            }
        }
    }

    assert!(faults.is_empty(), "{faults:#?}");
}

/// Returns true if the validation error `fault` is about a field that standard chat clients expect, such as
/// `annotations`. The OpenAPI document does not declare these fields.
pub(crate) fn is_customary(fault: &schema::Fault) -> bool {
    const MEMBERS: &[&str] = &[
        "annotations",
        "completion_tokens_details",
        "output_tokens_details",
        "previous_response_id",
    ];
    let name = fault.place.rsplit('.').next().unwrap_or_default();
    fault.is_structural() && MEMBERS.contains(&name)
}

/// Returns true if a test cannot add the parameter to the operation's example request. Examples are a cursor, which
/// only the sandbox can create, and a parameter that a caller must not combine with another parameter.
fn is_positional(operation: &Operation, param: &Param) -> bool {
    let excluded = operation.rules.iter().any(|rule| match rule {
        Rule::ExactlyOne(names) => names.contains(&param.name),
        Rule::AtLeastOne(_) => false,
    });
    excluded || matches!(param.name, "cursor" | "pagination_key" | "previous_response_id")
}

/// A request that the sandbox must reject, with the expected error.
struct Refused {
    values: Values,
    status: u16,
    /// Text that the error message must contain.
    named: String,
}

fn refused(operation: &Operation) -> Vec<Refused> {
    let valid = example::parameters(operation);
    let with = |name: &'static str, value: Value| {
        let mut values = valid.clone();
        values.retain(|(other, _)| *other != name);
        values.push((name, value));
        values
    };
    let unfit = if operation.path == "/v1/chat/completions" { 400 } else { 422 };
    let mut cases = Vec::new();
    let mut add = |values: Values, status: u16, name: &str| {
        cases.push(Refused { values, status, named: format!("`{name}`") });
    };

    for param in operation.params {
        if param.required && param.location != In::Path {
            let mut values = valid.clone();
            values.retain(|(name, _)| *name != param.name);
            add(values, 400, param.name);
        }
        if param.refused.is_some() {
            add(with(param.name, example::value(param)), 400, param.name);
            continue;
        }
        for value in unfit_values(param) {
            add(with(param.name, value), unfit, param.name);
        }
    }

    for rule in operation.rules {
        let (Rule::AtLeastOne(names) | Rule::ExactlyOne(names)) = rule;
        let mut values = valid.clone();
        values.retain(|(name, _)| !names.contains(name));
        add(values, 400, names[0]);
    }

    add(with("colour", json!("red")), 400, "colour");
    cases
}

/// Returns invalid values of a parameter. Such a value has a wrong type, is out of range, or is not an allowed value.
fn unfit_values(param: &Param) -> Vec<Value> {
    match param.kind {
        ParamKind::Enum(_) => vec![json!("not-one-of-them")],
        ParamKind::Integer { min, max } => min
            .map(|min| json!(min - 1))
            .into_iter()
            .chain(max.map(|max| json!(max + 1)))
            .chain([json!("many"), json!(1.5)])
            .collect(),
        ParamKind::Number { min, max } => min
            .map(|min| json!(min - 1.0))
            .into_iter()
            .chain(max.map(|max| json!(max + 1.0)))
            .chain([json!("many")])
            .collect(),
        ParamKind::Boolean => vec![json!("maybe")],
        ParamKind::Moment => vec![json!("yesterday"), json!("2026-02-30")],
        ParamKind::String { max: Some(max), .. } => {
            vec![json!("x".repeat(usize::try_from(max).unwrap() + 1))]
        }
        ParamKind::String { min: Some(min), .. } if min > 0 => vec![json!("")],
        _ => Vec::new(),
    }
}

#[tokio::test]
async fn every_fault_the_catalogue_knows_is_refused_by_name() {
    let bench = Bench::from_builder(crate::support::builder().strict_chat(true)).await;
    let mut faults = Vec::new();
    let mut cases = 0;

    for operation in OPERATIONS {
        for case in refused(operation) {
            cases += 1;
            let seen = bench.call(operation, &case.values).await;
            let message = seen.json["error"]["message"].as_str().or(seen.json["message"].as_str());
            let code = seen.json["error"]["code"].as_str().or(seen.json["error_code"].as_str());
            let named = message.is_some_and(|message| message.contains(&case.named));
            if seen.status != case.status || !named || code != Some("INVALID_REQUEST") {
                faults.push(format!(
                    "{} {:?}: {} {}",
                    operation.id, case.values, seen.status, seen.text
                ));
            }
        }
    }

    assert!(faults.is_empty(), "{faults:#?}");
    assert!(cases > 1_000, "only {cases} cases");
    assert_eq!(bench.sandbox.balance(bench.sandbox.key()), Some(1_000_000), "refusals are free");
}
