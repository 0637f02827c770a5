//! Tests the conversion of SQL results to tables.

use std::sync::Arc;

use arrow_array::{Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use crypto_intel::Client;
use crypto_intel::api::generated::hyperliquid::HyperliquidFillsRequest;
use crypto_intel::api::generated::onchain::OnchainSqlRequest;
use crypto_intel::prelude::*;
use crypto_intel_frames::{
    Columns, Error, FramesExt, Options, Times, preflight_columns, read_answer, read_rows, read_sql,
};
use crypto_intel_sandbox::Sandbox;

const BODY: &str = r#"{"data":[
    {"day":1767225600,"wei":115792089237316195423570985008687907853269984665640564039457584007913129639935,"ok":true,"list":[1,2],"none":null},
    {"day":1767312000,"wei":5,"price":1.10,"name":"a","ok":null,"list":[],"none":null,"mixed":1},
    {"mixed":"x","name":"b","day":null}
],"meta":{"credits_used":4}}"#;

fn table(columns: Columns) -> Result<RecordBatch, Error> {
    let operation = <OnchainSqlRequest as Request>::OPERATION;
    let options = Options::default().columns(columns);
    let mut batches = read_answer(operation, &options, BODY.as_bytes())?;
    assert_eq!(batches.len(), 1);
    Ok(batches.remove(0))
}

fn types(batch: &RecordBatch) -> Vec<(String, String)> {
    let fields = batch.schema();
    let fields = fields.fields().iter();
    fields.map(|field| (field.name().clone(), field.data_type().to_string())).collect()
}

#[test]
fn columns_are_the_members_of_all_rows_with_types_that_lose_nothing() {
    let batch = table(Columns::Inferred).unwrap();
    let types = types(&batch);
    let types: Vec<(&str, &str)> = types.iter().map(|(name, ty)| (&**name, &**ty)).collect();
    assert_eq!(
        types,
        [
            ("day", "Int64"),
            ("wei", "Utf8"),
            ("ok", "Boolean"),
            ("list", "List(Int64)"),
            ("none", "Null"),
            ("price", "Float64"),
            ("name", "Utf8"),
            ("mixed", "Utf8"),
        ]
    );

    let mut texts = Vec::new();
    for row in 0..batch.num_rows() {
        let cell = |name: &str| text(batch.column_by_name(name).unwrap(), row);
        texts.push([cell("wei"), cell("mixed"), cell("name")]);
    }

    let largest = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(
        texts,
        [
            [some(largest), None, None],
            [some("5"), some("1"), some("a")],
            [None, some("\"x\""), some("b")],
        ]
    );
}

/// Returns the string that a string column contains at index `row`.
fn text(column: &dyn Array, row: usize) -> Option<String> {
    let texts = column.as_any().downcast_ref::<StringArray>().expect("texts");
    texts.is_valid(row).then(|| texts.value(row).to_owned())
}

#[test]
fn a_schema_can_be_given_and_what_does_not_fit_is_named() {
    let schema = |name: &str, ty| {
        let fields = vec![Field::new(name, ty, true), Field::new("absent", DataType::Utf8, true)];
        Columns::Given(Arc::new(Schema::new(fields)))
    };
    let batch = table(schema("price", DataType::Float64)).unwrap();
    assert_eq!((batch.num_rows(), batch.num_columns()), (3, 2));
    assert_eq!(batch.column(1).null_count(), 3);

    match table(schema("wei", DataType::Int64)).unwrap_err() {
        Error::Misfit { row, column, place, .. } => {
            assert_eq!((row, &*column, &*place), (0, "wei", "/wei"));
        }
        other => panic!("{other}"),
    }
    let list = DataType::List(Arc::new(Field::new("item", DataType::Boolean, true)));
    let rows = [r#"{"list":[true,false]}"#, r#"{"list":[]}"#, r#"{"list":[true,1]}"#];
    let operation = <OnchainSqlRequest as Request>::OPERATION;
    let fields = vec![Field::new("list", list, true)];
    let options = Options::default().columns(Columns::Given(Arc::new(Schema::new(fields))));
    match read_rows(operation, &options, rows).unwrap_err() {
        Error::Misfit { row, what, .. } => {
            assert_eq!((row, &*what), (2, "1 is not a truth value"));
        }
        other => panic!("{other}"),
    }
    assert!(matches!(table(schema("day", DataType::Date32)).unwrap_err(), Error::Arrow(_)));
    assert_eq!(types(&table(Columns::Json).unwrap())[0].0, "value");
}

#[test]
fn rows_that_are_not_json_are_errors() {
    let fills = <HyperliquidFillsRequest as Request>::OPERATION;
    let (sql, options) = (<OnchainSqlRequest as Request>::OPERATION, Options::default());
    for (operation, row) in [(sql, "{\"a\":1}"), (fills, "{\"symbol\":\"BTC\"}")] {
        for invalid in ["{\"symbol\":", "", "{} {}"] {
            match read_rows(operation, &options, [row, invalid]).unwrap_err() {
                error @ Error::Misfit { row: 1, .. } => {
                    let message = error.to_string();
                    assert!(message.contains("row 1: the row is not valid JSON"), "{message}");
                    assert!(!message.contains("column ``"), "{message}");
                }
                other => panic!("{other}"),
            }
        }
    }
}

#[tokio::test]
async fn every_way_to_a_table_has_the_same_columns() {
    let sandbox = Sandbox::builder().without_socket().unwrap();
    let client = Client::builder().base_url(sandbox.url()).api_key(sandbox.key());
    let client = client.http_service(sandbox.service()).build().unwrap();
    let query = "SELECT number AS n, toString(number) AS text, number / 2 AS half, \
                 [number] AS list FROM numbers(3)";

    let expected = [("n", "Int64"), ("text", "Utf8"), ("half", "Float64"), ("list", "List(Int64)")];
    let expected = expected.map(|(name, ty)| (name.to_owned(), ty.to_owned()));

    let table = client.sql(query).await.unwrap();
    let by_query = read_sql(&table, &Options::default()).unwrap().remove(0);
    let json = read_sql(&table, &Options::default().columns(Columns::Json)).unwrap();
    assert_eq!(types(&json[0])[0].0, "value");
    assert_eq!((types(&by_query), by_query.num_rows()), (expected.to_vec(), 3));

    let mut frames = client.onchain_sql(query).frames().unwrap();
    assert_eq!(frames.schema().fields().len(), 0);
    assert_eq!(frames.ready().await.unwrap().fields().len(), 4);
    let batches = frames.collect().await.unwrap();
    assert_eq!((types(&batches[0]), batches.len()), (expected.to_vec(), 1));
    assert_eq!(frames.schema().fields().len(), 4);
    assert_eq!(by_query.columns(), batches[0].columns());
}

#[tokio::test]
async fn a_given_schema_is_the_schema_of_every_batch() {
    let sandbox = Sandbox::builder().without_socket().unwrap();
    let client = Client::builder().base_url(sandbox.url()).api_key(sandbox.key());
    let client = client.http_service(sandbox.service()).build().unwrap();
    let time = DataType::Timestamp(arrow_schema::TimeUnit::Second, Some("UTC".into()));
    let item = Field::new("element", DataType::Int64, false);
    let list = DataType::List(Arc::new(item));
    let given = Schema::new(vec![Field::new("at", time, false), Field::new("list", list, false)]);
    let options = Options::default().columns(Columns::Given(Arc::new(given)));
    let options = options.times(Times::Millis).provenance(true);

    let request = client.onchain_sql("SELECT 1767225600 AS at, [1] AS list");
    let mut frames = request.clone().frames_with(&options).unwrap();
    let schema = frames.schema();
    assert_eq!(schema.fields().len(), 5);
    assert_eq!(schema, frames.try_next().await.unwrap().unwrap().schema());

    #[cfg(feature = "export")]
    {
        use crypto_intel_frames::export::ExportExt;
        let folder = tempfile::tempdir().unwrap();
        let export = request.export().options(options);
        assert_eq!(export.to_folder(folder.path()).await.unwrap().rows, 1);
    }
}

#[cfg(feature = "export")]
#[tokio::test]
async fn exports_have_these_columns_in_every_format() {
    use crypto_intel_frames::export::{ExportExt, Format};

    let sandbox = Sandbox::builder().without_socket().unwrap();
    let client = Client::builder().base_url(sandbox.url()).api_key(sandbox.key());
    let client = client.http_service(sandbox.service()).build().unwrap();
    let query = "SELECT number AS n, NULL AS nothing, number / 2 AS half, [NULL] AS list, \
                 18446744073709551615 AS largest FROM numbers(3)";

    for format in [Format::Parquet, Format::ArrowIpc, Format::Csv, Format::NdJson] {
        let folder = tempfile::tempdir().unwrap();
        let export = client.onchain_sql(query).export().format(format);
        assert_eq!(export.to_folder(folder.path()).await.unwrap().rows, 3, "{format:?}");
        let part = std::fs::read_dir(folder.path()).unwrap().flatten().map(|entry| entry.path());
        let part = part.into_iter().find(|path| path.to_string_lossy().contains("part-")).unwrap();
        let bytes = std::fs::read(part).unwrap();
        match format {
            Format::Csv => assert_eq!(
                String::from_utf8(bytes).unwrap().lines().nth(1),
                Some("0,,0.0,[null],18446744073709551615")
            ),
            Format::NdJson => assert_eq!(
                String::from_utf8(bytes).unwrap().lines().next(),
                Some(r#"{"n":0,"half":0.0,"list":[null],"largest":18446744073709551615}"#)
            ),
            _ => assert!(!bytes.is_empty()),
        }
    }
}

#[tokio::test]
async fn columns_of_a_preflight_have_the_types_of_their_tables() {
    let sandbox = Sandbox::builder().without_socket().unwrap();
    let client = Client::builder().base_url(sandbox.url()).api_key(sandbox.key());
    let client = client.http_service(sandbox.service()).build().unwrap();
    let query = "SELECT block_time, block_number, upper(hash) AS hash, 'x' AS value FROM \
                 agent.ethereum_transactions WHERE block_date >= today() - 1 LIMIT 3";

    let checked = client.sql(query).preflight().await.unwrap();
    let options = Options::default().columns(preflight_columns(&checked));
    let table = client.sql(query).await.unwrap();
    let batch = read_sql(&table, &options).unwrap().remove(0);
    let types = types(&batch);
    let types: Vec<(&str, &str)> = types.iter().map(|(name, ty)| (&**name, &**ty)).collect();
    let time = "Timestamp(s, \"UTC\")";
    // The query converts `value` to a string, which does not fit the type of the table's column.
    let expected =
        [("block_time", time), ("block_number", "UInt64"), ("hash", "Utf8"), ("value", "Utf8")];
    assert_eq!(types, expected);

    let options = options.times(Times::Millis);
    let batch = read_sql(&table, &options).unwrap().remove(0);
    assert_eq!(batch.column(0).data_type().to_string(), "Timestamp(ms, \"UTC\")");
}

/// Tests that a row stays on one line of an NDJSON file if the service sends JSON with line breaks. Strings do not
/// change.
#[tokio::test]
async fn rows_with_line_breaks_in_json_stay_on_one_line() {
    use crypto_intel::http::{Request, Response};
    use crypto_intel::http_service::{Body, service_fn};
    use crypto_intel_frames::export::{ExportExt, Format};

    const ROWS: &str = "{\"data\": [{\"a\": {\n  \"b\": 1.50,\r\n  \"c\": [1,\n2]}}, {\"a\": {\"d\": \"x\x7f\"}}], \"meta\": {}}";
    let service = service_fn(|_: Request<Body>| async {
        let body = Body::from(crypto_intel::bytes::Bytes::from_static(ROWS.as_bytes()));
        Ok::<_, std::convert::Infallible>(Response::new(body))
    });
    let client = Client::builder().base_url("http://service.example").http_service(service);
    let client = client.build().unwrap();

    let folder = tempfile::tempdir().unwrap();
    let export = client.onchain_sql("SELECT 1").export().format(Format::NdJson);
    assert_eq!(export.to_folder(folder.path()).await.unwrap().rows, 2);

    let files = std::fs::read_dir(folder.path()).unwrap().flatten().map(|entry| entry.path());
    let part = files.into_iter().find(|path| path.to_string_lossy().contains("part-")).unwrap();
    let text = std::fs::read_to_string(part).unwrap();
    let lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("a row")).collect();
    assert_eq!(
        lines,
        [
            serde_json::json!({"a": {"b": 1.50, "c": [1, 2]}}),
            // The control character DEL does not need an escape in JSON.
            serde_json::json!({"a": {"d": "x\u{7f}"}}),
        ]
    );
}
