//! Tests of the default values that the catalogue of API operations declares for optional parameters.

use crypto_intel_api::generated::catalogue::OPERATIONS;
use crypto_intel_core::{Answer, Body, ParamKind};
use serde_json::{Value, json};

use crate::support::Bench;

/// Tests that a request with an explicit default value returns the same data as a request without the parameter.
#[tokio::test]
async fn a_default_may_be_written_down() {
    let bench = Bench::start().await;
    let (mut faults, mut checked) = (Vec::new(), 0);
    for operation in OPERATIONS {
        // Operations with a request body or a stream are not tested here.
        if matches!(operation.answer, Answer::Stream | Answer::Empty)
            || operation.body != Body::None
        {
            continue;
        }

        let usual = bench.example(operation.id, &[]).await.json;
        for param in operation.params {
            let Some(default) = param.default else { continue };
            let value = match param.kind {
                ParamKind::Integer { .. } | ParamKind::Number { .. } | ParamKind::Boolean => {
                    serde_json::from_str(default).unwrap_or_else(|_| json!(default))
                }
                ParamKind::List { .. } => default.split(',').map(Value::from).collect(),
                _ => json!(default),
            };
            let given = bench.example(operation.id, &[(param.name, value)]).await;

            if given.status != operation.success || given.json["data"] != usual["data"] {
                let seen: String = given.text.chars().take(200).collect();
                faults.push(format!("{} {}={default}: {seen}", operation.id, param.name));
            }

            checked += 1;
        }
    }

    assert!(faults.is_empty(), "{faults:#?}");
    assert!(checked > 150, "only {checked}");
}
