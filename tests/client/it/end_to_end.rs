//! Calls each operation of the catalogue once with the client, over HTTP against the sandbox. Decodes each record of
//! the response as the Rust type of the record.

use crypto_intel::{Client, Error, extend::Call};
use crypto_intel_api::generated::catalogue::OPERATIONS;
use crypto_intel_api::generated::round_trip::round_trip;
use crypto_intel_core::{Answer, Operation, Type};
use crypto_intel_sandbox::{Sandbox, example};
use futures_util::StreamExt;
use serde_json::Value;

fn call(client: &Client, operation: &'static Operation) -> Result<Call, Error> {
    let mut call = client.request(operation.id)?.call().clone();
    for (name, value) in example::parameters(operation) {
        let text = match value {
            Value::String(text)
                if operation.param(name).is_some_and(|(_, param)| !is_json(param)) =>
            {
                text
            }
            Value::Array(items) if items.iter().all(Value::is_string) => {
                items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(",")
            }
            value => value.to_string(),
        };
        if operation.param(name).is_some_and(|(_, param)| !is_constant(param)) {
            call.set_text(name, &text)?;
        }
    }
    Ok(call)
}

fn is_json(param: &crypto_intel_core::Param) -> bool {
    matches!(param.kind, crypto_intel_core::ParamKind::Json(_))
}

fn is_constant(param: &crypto_intel_core::Param) -> bool {
    matches!(param.kind, crypto_intel_core::ParamKind::Constant(_))
}

/// Decodes `value` if `ty` is a record or a list of records. Returns a message if a record cannot be decoded. Values of
/// other types are not checked.
fn decode(ty: Type, value: &Value) -> Result<(), String> {
    match ty {
        Type::Record(name) => match round_trip(name, &value.to_string()) {
            Some(Ok(_)) => Ok(()),
            Some(Err(error)) => Err(format!("{name}: {error}")),
            None => Err(format!("there is no record {name}")),
        },
        Type::List(inner) => {
            value.as_array().into_iter().flatten().try_for_each(|value| decode(*inner, value))
        }
        _ => Ok(()),
    }
}

async fn once(client: &Client, operation: &'static Operation) -> Result<(), String> {
    let call = call(client, operation).map_err(|error| error.to_string())?;
    if operation.answer == Answer::Stream {
        let mut stream = call.open().await.map_err(|error| error.to_string())?;
        let mut bytes = 0;
        while let Some(piece) = stream.body.next().await {
            bytes += piece.map_err(|error| error.to_string())?.len();
        }
        return if bytes > 0 { Ok(()) } else { Err("an empty stream".to_owned()) };
    }

    let reply = call.send::<Value>().await.map_err(|error| error.to_string())?;
    let answer = reply.into_inner();

    match operation.answer {
        Answer::Rows { row, meta } => {
            let rows = answer["data"].as_array().ok_or("no rows")?;
            rows.iter().try_for_each(|value| decode(row, value))?;
            decode(Type::Record(meta), &answer["meta"])
        }
        Answer::One { data, meta } => {
            decode(data, &answer["data"])?;
            decode(Type::Record(meta), &answer["meta"])
        }
        Answer::Bare(ty) => decode(ty, &answer),
        Answer::Stream | Answer::Bytes | Answer::Empty => Ok(()),
    }
}

#[tokio::test]
async fn every_operation_is_called_and_its_answer_is_what_it_promises() {
    let builder = Sandbox::builder().key("sk-end-to-end", 1_000_000).rate_limit(None);
    let sandbox = builder.start().await.unwrap();
    let client =
        Client::builder().base_url(sandbox.url()).api_key("sk-end-to-end").build().unwrap();
    let mut faults = Vec::new();
    for operation in OPERATIONS {
        if let Err(fault) = once(&client, operation).await {
            faults.push(format!("{}: {fault}", operation.id));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
    assert_eq!(client.ledger().total().calls, OPERATIONS.len() as u64);
}
