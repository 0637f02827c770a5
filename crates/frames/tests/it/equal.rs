//! Compares the tables of `crypto-intel-frames` with the typed records of the client, for the responses of all
//! operations.

use crypto_intel::catalogue::{Answer, OPERATIONS, Type};
use crypto_intel::http::StatusCode;
use crypto_intel::{CallOptions, Client, Method};
use crypto_intel_api::generated::round_trip::round_trip;
use crypto_intel_api::generated::tables::record;
use crypto_intel_frames::{FramesExt, Options, read_answer, read_rows, schema_of};
use serde_json::Value;

use super::json::{plain, rows, settled, whole, without_zeros};
use super::{request, stopped};

/// Names of sandbox faults that make responses deviate from the OpenAPI document. The empty text means no fault.
const SURPRISES: [&str; 4] = ["", "unknown-members", "unknown-values", "null-lists"];

#[test]
fn every_operation_that_answers_with_json_has_a_schema() {
    for operation in OPERATIONS {
        let has_rows = !matches!(operation.answer, Answer::Stream | Answer::Bytes | Answer::Empty);
        let schema = schema_of(operation, &Options::default());
        assert_eq!(schema.is_ok(), has_rows, "{}: {schema:?}", operation.id);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn frames_of_every_operation_equal_its_structs() {
    let (sandbox, client) = stopped().await;
    let (mut seen, mut unlike) = (0, Vec::new());

    for surprise in SURPRISES {
        sandbox.clear_faults();
        if !surprise.is_empty() {
            sandbox.inject(surprise.parse().expect("a fault")).expect("it can be done");
        }
        seen += compare(&client, surprise, &mut unlike).await;
    }

    assert!(unlike.is_empty(), "{}", unlike.join("\n"));
    assert!(seen > 300, "{seen}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_read_as_a_whole_has_the_rows_that_are_read_one_by_one() {
    let (sandbox, client) = stopped().await;
    let options = Options::default().batch_rows(7);
    let mut seen = 0;

    for surprise in SURPRISES {
        sandbox.clear_faults();
        if !surprise.is_empty() {
            sandbox.inject(surprise.parse().expect("a fault")).expect("it can be done");
        }
        for operation in OPERATIONS.iter().filter(|operation| operation.method == Method::GET) {
            let call = request(&client, operation);
            let call = call.with_options(CallOptions::default().keep_body(true));
            let Ok(answer) = call.await else { continue };
            let body = answer.body().expect("it was kept");
            let whole = read_answer(operation, &options, body).expect("batches");
            let texts = answer.rows().iter().map(crypto_intel::Row::get);
            let each = read_rows(operation, &options, texts).expect("batches");
            // A large response is read in parts, so its batches end at other rows.
            let is_equal =
                whole == each || whole.iter().flat_map(rows).eq(each.iter().flat_map(rows));
            assert!(is_equal, "{surprise} {}", operation.id);
            seen += usize::from(!whole.is_empty());
        }
    }
    assert!(seen > 300, "{seen}");
}

/// For each GET operation, compares the rows of the table with the client's records. If a table row differs from its
/// record, appends a message to `unlike`. The message contains `surprise`, the name of the active sandbox fault or an
/// empty text. Returns the number of operations with rows.
async fn compare(client: &Client, surprise: &str, unlike: &mut Vec<String>) -> usize {
    let mut seen = 0;
    for operation in OPERATIONS.iter().filter(|operation| operation.method == Method::GET) {
        let Some(row) = row_type(operation) else { continue };
        let answer = match request(client, operation).await {
            Ok(answer) => answer.into_inner(),
            // A sandbox without its feature `sql` returns this status for SQL operations. The status is compared,
            // because some faults change the code.
            Err(error) if error.status() == Some(StatusCode::NOT_IMPLEMENTED) => continue,
            Err(error) => panic!("{}: {error}", operation.id),
        };
        // `answer` has only one page, so only the first batch is compared.
        let mut frames = request(client, operation).frames().expect("a table");
        let batch = match frames.try_next().await {
            Ok(batch) => batch,
            // After too many pages without a row, the pager returns this error.
            Err(error)
                if surprise == "null-lists" && error.to_string().contains("consecutive pages") =>
            {
                continue;
            }
            Err(error) => panic!("{}: {error}", operation.id),
        };

        let frames: Vec<_> = batch.iter().flat_map(rows).collect();
        // The batch can also contain the rows of later pages.
        if frames.len() < answer.rows().len() {
            let (id, rows) = (operation.id, answer.rows().len());
            unlike.push(format!("{surprise} {id}: only {} of {rows} rows", frames.len()));
        }

        for (raw, frame) in answer.rows().iter().zip(frames) {
            let expected = as_struct(row, raw.get());
            let found = plain(settled(whole(row, frame)));
            if found != expected {
                let id = operation.id;
                unlike.push(format!("{surprise} {id}: {found}\n  is not {expected}"));
                break;
            }
        }
        seen += usize::from(batch.is_some());
    }
    seen
}

/// Returns the type of a row. The function does not use the code of `crypto-intel-frames`, which this file tests.
fn row_type(operation: &crypto_intel::catalogue::Operation) -> Option<Type> {
    match operation.answer {
        Answer::Rows { row, .. } => Some(row),
        Answer::One { data, .. } => Some(data),
        Answer::Bare(Type::Record(name)) => {
            let fields = record(name).expect("a record").fields;
            // Rows of a SQL query can have any columns.
            if fields.iter().any(|field| field.name == "data" && matches!(field.ty, Type::Any)) {
                return Some(Type::Any);
            }
            let mut lists = fields.iter().filter_map(|field| match field.ty {
                Type::List(row) => Some(*row),
                _ => None,
            });
            let envelope = fields.iter().any(|field| matches!(field.name, "data" | "pagination"));
            lists.next().filter(|_| envelope).or(Some(Type::Record(name)))
        }
        _ => None,
    }
}

/// Decodes a row into the client's record, and returns the record as JSON.
fn as_struct(row: Type, raw: &str) -> Value {
    let value = match row {
        Type::Record(name) => round_trip(name, raw).expect("a record").expect("a row"),
        _ => serde_json::from_str(raw).expect("JSON"),
    };
    plain(settled(without_zeros(value, row)))
}
