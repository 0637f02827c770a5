//! Tests exports to local folders: files, limits, and runs that continue an export.

use std::future::poll_fn;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::Duration;

use crypto_intel::exchange::ExchangeCandlesRequest;
use crypto_intel::hyperliquid::HyperliquidFillsRequest;
use crypto_intel::prelude::*;
use crypto_intel::{
    Client,
    extend::{Paged, PagedRequest},
};
use crypto_intel_frames::arrow_array::RecordBatch;
use crypto_intel_frames::export::{Export, ExportExt, Format, Outcome, Partition, Report};
use crypto_intel_frames::{Error, FramesExt, Options, PagerFramesExt, Times};
use crypto_intel_sandbox::Fault;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::{Map, Value};

use super::json::rows;
use super::{list, request, stopped};

const WALLET: &str = "0x1111111111111111111111111111111111111111";

fn fills(client: &Client) -> HyperliquidFillsRequest {
    client.hyperliquid_fills(WALLET)
}

/// Lists the data files in a folder and its subfolders. Checkpoints and incomplete files of a killed run are omitted.
pub(crate) fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).expect("a folder") {
            let path = entry.expect("a file").path();
            match path.is_dir() {
                true => folders.push(path),
                false => {
                    found.push(path.strip_prefix(folder).expect("below").display().to_string())
                }
            }
        }
    }
    found.retain(|name| !name.starts_with('_') && !name.contains('#'));
    found.sort();
    found
}

pub(crate) fn read_parquet(folder: &Path) -> Vec<Map<String, Value>> {
    let read = |name: &String| {
        let file = std::fs::File::open(folder.join(name)).expect("a file");
        let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet");
        let batches: Result<Vec<RecordBatch>, _> = reader.build().expect("a reader").collect();
        batches.expect("batches")
    };
    files(folder).iter().flat_map(read).flat_map(|batch| rows(&batch)).collect()
}

/// Returns the rows of a folder as sorted JSON texts, so that the order of the files has no effect.
pub(crate) fn sorted_rows(folder: &Path) -> Vec<String> {
    let rows = read_parquet(folder).into_iter().map(|row| Value::Object(row).to_string());
    let mut rows: Vec<_> = rows.collect();
    rows.sort();
    rows
}

async fn expected<R>(request: R, most: u64) -> Vec<Map<String, Value>>
where
    R: PagedRequest<Answer: Paged<Item: serde::Serialize + Send> + Unpin>,
{
    let options = Options::default().times(Times::Millis);
    let mut frames = request.max_items(most).frames_with(&options).expect("a table");
    frames.collect().await.expect("batches").iter().flat_map(rows).collect()
}

async fn written(export: Export, folder: &Path) -> Report {
    export.to_folder(folder).await.expect("an export")
}

#[tokio::test(flavor = "multi_thread")]
async fn files_hold_the_rows_of_the_list_in_its_order() {
    let (_sandbox, client) = stopped().await;
    let folder = tempfile::tempdir().expect("a folder");

    let export = list(&client).export().max_rows(450).rows_per_file(200);
    let report = written(export, folder.path()).await;

    assert_eq!((report.outcome, report.rows, report.files), (Outcome::RowLimit, 450, 3));
    assert_eq!(report.pages, 5);
    let names = ["part-00000.parquet", "part-00001.parquet", "part-00002.parquet"];
    assert_eq!(files(folder.path()), names);
    assert_eq!(read_parquet(folder.path()), expected(list(&client), 450).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_run_goes_on_where_limits_ended_the_first() {
    let (sandbox, client) = stopped().await;
    let folder = tempfile::tempdir().expect("a folder");
    let export = || list(&client).export();

    let first = written(export().max_rows(150), folder.path()).await;
    assert_eq!((first.outcome, first.rows), (Outcome::RowLimit, 150));
    let asked = sandbox.requests_served();
    let again = written(export().max_rows(150), folder.path()).await;
    assert_eq!((again.rows, sandbox.requests_served()), (150, asked), "nothing is asked for twice");

    let price = crypto_intel::credits::Estimate::from(
        ExchangeCandlesRequest::OPERATION.list_price(None, None),
    );
    let two_pages = price.times(2).credits().expect("a price").0;
    let second = written(export().max_credits(two_pages), folder.path()).await;
    assert_eq!((second.outcome, second.rows), (Outcome::CreditLimit, 300));
    let third = written(export().max_time(Duration::ZERO), folder.path()).await;
    assert_eq!((third.outcome, third.rows), (Outcome::TimeLimit, 400));
    let last = written(export().max_rows(430), folder.path()).await;
    assert_eq!((last.outcome, last.rows), (Outcome::RowLimit, 430));

    assert_eq!(read_parquet(folder.path()), expected(list(&client), 430).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_that_is_stopped_keeps_what_it_read_and_goes_on() {
    let (_sandbox, client) = stopped().await;
    let folder = tempfile::tempdir().expect("a folder");
    let read = Arc::new(AtomicU64::new(0));
    let (seen, signal) = (read.clone(), read.clone());
    let export = list(&client)
        .export()
        .on_progress(move |progress| seen.store(progress.rows, Ordering::Relaxed))
        .stop_on(poll_fn(move |_| match signal.load(Ordering::Relaxed) {
            200.. => Poll::Ready(()),
            _ => Poll::Pending,
        }));

    let first = written(export, folder.path()).await;
    assert_eq!((first.outcome, first.rows), (Outcome::Stopped, 200));
    assert_eq!(read_parquet(folder.path()).len(), 200, "the rows are in files");
    let last = written(list(&client).export().max_rows(450), folder.path()).await;
    assert_eq!((last.outcome, last.rows), (Outcome::RowLimit, 450));
    assert_eq!(read_parquet(folder.path()), expected(list(&client), 450).await);

    let at_once = tempfile::tempdir().expect("a folder");
    let none = written(list(&client).export().stop_on(async {}), at_once.path()).await;
    assert_eq!((none.outcome, none.rows, none.pages), (Outcome::Stopped, 0, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_good_is_kept_when_a_call_fails() {
    let (sandbox, client) = stopped().await;
    let folder = tempfile::tempdir().expect("a folder");
    let faults = Arc::new(Mutex::new(Some(sandbox)));

    let breaks = faults.clone();
    let export = list(&client).export().max_rows(1_000).on_progress(move |progress| {
        if progress.rows == 200
            && let Some(sandbox) = &*breaks.lock().expect("no panic")
        {
            sandbox.inject(Fault::status(401)).expect("it can be done");
        }
    });
    let error = export.to_folder(folder.path()).await.expect_err("a fault");
    assert!(matches!(error, Error::Call(_)), "{error}");

    let kept = read_parquet(folder.path()).len();
    // Pages that were requested ahead may have arrived.
    assert!((200..1_000).contains(&kept), "{kept}");
    if let Some(sandbox) = &*faults.lock().expect("no panic") {
        sandbox.clear_faults();
    }
    let report = written(list(&client).export().max_rows(1_000), folder.path()).await;
    assert_eq!(report.rows, 1_000);
    assert_eq!(read_parquet(folder.path()), expected(list(&client), 1_000).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_are_divided_into_folders() {
    let (_sandbox, client) = stopped().await;
    let export = || fills(&client).export().max_rows(190);
    let expected = expected(fills(&client), 190).await;

    let by_side = tempfile::tempdir().expect("a folder");
    written(export().partition_by(Partition::Column("side".to_owned())), by_side.path()).await;
    let names = ["side=buy/part-00000.parquet", "side=sell/part-00000.parquet"];
    assert_eq!(files(by_side.path()), names);
    let found = read_parquet(by_side.path());
    assert!(found.iter().all(|row| !row.contains_key("side")));
    let buys = expected.iter().filter(|row| row["side"] == "buy");
    let ids = |row: &Map<String, Value>| row["fill_id"].clone();
    assert!(found.iter().map(ids).zip(buys.map(ids)).all(|(a, b)| a == b));
    assert_eq!(found.len(), 190);

    let by_day = tempfile::tempdir().expect("a folder");
    written(export().partition_by(Partition::Day("time".to_owned())), by_day.path()).await;
    assert!(files(by_day.path()).iter().all(|name| name.starts_with("day=2026-0")));
    assert_eq!(read_parquet(by_day.path()).len(), 190);

    let by_nothing = export().partition_by(Partition::Column("sides".to_owned()));
    let error = by_nothing.to_folder(by_day.path()).await.expect_err("no such column").to_string();
    assert!(
        error.contains("partition by the unknown column `sides`; the columns are closed_pnl"),
        "{error}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_belongs_to_one_export() {
    let (sandbox, client) = stopped().await;
    let folder = tempfile::tempdir().expect("a folder");
    written(fills(&client).export().max_rows(10), folder.path()).await;

    let other = fills(&client).symbol("BTC").export().max_rows(10);
    let error = other.to_folder(folder.path()).await.expect_err("another request").to_string();
    assert!(error.contains("the request of the earlier export is `GET /"), "{error}");
    assert!(!error.contains(sandbox.key()), "{error}");

    let csv = fills(&client).export().format(Format::Csv);
    let error = csv.to_folder(folder.path()).await.expect_err("another format").to_string();
    assert!(error.contains("the format of the earlier export is `parquet`, not `csv`"), "{error}");

    let full = tempfile::tempdir().expect("a folder");
    std::fs::write(full.path().join("notes.txt"), "mine").expect("a file");
    let error = fills(&client).export().to_folder(full.path()).await.expect_err("not empty");
    assert!(error.to_string().contains("the folder contains files but no checkpoint"), "{error}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_second_run_in_a_local_folder_is_rejected_while_the_first_one_writes() {
    let (_sandbox, client) = stopped().await;
    let folder = tempfile::tempdir().expect("a folder");
    let export = || list(&client).export().max_rows(450).rows_per_file(200);

    // The first run pauses after a page, until `resume` is dropped.
    let (paused, is_paused) = tokio::sync::oneshot::channel();
    let (resume, is_resumed) = std::sync::mpsc::channel::<()>();
    let mut paused = Some(paused);
    let first = export().on_progress(move |_| {
        if let Some(paused) = paused.take() {
            let _ = paused.send(());
            let _ = is_resumed.recv();
        }
    });
    let path = folder.path().to_owned();
    let first = tokio::spawn(async move { first.to_folder(path).await });
    is_paused.await.expect("the first run reads a page");

    let second = export().to_folder(folder.path()).await;
    drop(resume);
    assert!(matches!(second, Err(Error::Place { .. })), "{second:?}");

    let report = first.await.expect("a task").expect("the first run");
    assert_eq!(report.rows, 450);
    assert_eq!(read_parquet(folder.path()).len(), 450);
    let again = written(export(), folder.path()).await;
    assert_eq!(again.rows, 450, "the lock ends with its run");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dry_run_tells_requests_and_list_price_and_sends_nothing() {
    let (sandbox, client) = stopped().await;
    let dry = |export: Export| {
        let dry = export.dry_run().expect("a plan");
        (dry.requests, dry.list_price.and_then(|price| price.credits()).map(|credits| credits.0))
    };

    assert_eq!(dry(fills(&client).export().max_rows(450)), (Some(5), Some(20)));
    assert_eq!(dry(fills(&client).limit(10).export().max_rows(450)), (Some(45), Some(180)));
    assert_eq!(dry(fills(&client).export().max_rows(450).max_credits(9)), (Some(2), Some(8)));
    assert_eq!(dry(fills(&client).export()), (None, None));
    assert_eq!(dry(client.market_price("BTC").export()), (Some(1), Some(2)));
    assert_eq!(sandbox.requests_served(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_format_holds_the_same_rows() {
    let (_sandbox, client) = stopped().await;
    let folder = |format| {
        let export = fills(&client).export().max_rows(150).format(format);
        async move {
            let folder = tempfile::tempdir().expect("a folder");
            written(export, folder.path()).await;
            folder
        }
    };
    let expected = expected(fills(&client), 150).await;
    let prices: Vec<f64> = expected.iter().filter_map(|row| row["price"].as_f64()).collect();

    let lines = folder(Format::NdJson).await;
    let text = std::fs::read_to_string(lines.path().join("part-00000.ndjson")).expect("a file");
    let found: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(found.iter().filter_map(|row| row["price"].as_f64()).collect::<Vec<_>>(), prices);
    let time = found[0]["time"].as_str().expect("a text");
    assert!(time.starts_with("2026-") && time.ends_with('Z'), "{time}");

    let csv = folder(Format::Csv).await;
    let mut reader = csv::Reader::from_path(csv.path().join("part-00000.csv")).expect("a file");
    let column = reader.headers().expect("a header").iter().position(|name| name == "price");
    let column = column.expect("a price");
    let found = reader.records().map(|record| record.expect("a record")[column].parse::<f64>());
    assert_eq!(found.collect::<Result<Vec<_>, _>>().expect("numbers"), prices);

    let ipc = folder(Format::ArrowIpc).await;
    let file = std::fs::File::open(ipc.path().join("part-00000.arrow")).expect("a file");
    let reader = arrow_ipc::reader::FileReader::try_new(file, None).expect("IPC");
    let batches: Result<Vec<_>, _> = reader.collect();
    let found: Vec<_> = batches.expect("batches").iter().flat_map(rows).collect();
    assert_eq!(found.iter().filter_map(|row| row["price"].as_f64()).collect::<Vec<_>>(), prices);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_operation_goes_to_every_format() {
    let (_sandbox, client) = stopped().await;
    let mut seen = 0;
    for operation in crypto_intel::catalogue::OPERATIONS {
        let is_read = operation.method == crypto_intel::Method::GET;
        if !is_read || request(&client, operation).frames().is_err() {
            continue;
        }
        for format in [Format::Parquet, Format::ArrowIpc, Format::Csv, Format::NdJson] {
            let folder = tempfile::tempdir().expect("a folder");
            let export = request(&client, operation).export().max_rows(20).format(format);
            match export.to_folder(folder.path()).await {
                Ok(_) => seen += 1,
                // A sandbox without its feature `sql` returns this code for SQL operations.
                Err(Error::Call(error)) if error.code() == Some("NOT_BUILT") => {}
                Err(error) => panic!("{} as {format:?}: {error}", operation.id),
            }
        }
    }
    assert!(seen > 400, "{seen}");
}

#[tokio::test(flavor = "multi_thread")]
async fn export_without_rows_writes_a_file_with_the_schema() {
    let (_sandbox, client) = stopped().await;
    let none = || client.exchange_candles("upbit", "BTC-KRW").from("2027-01-01").to("2027-01-02");
    for format in [Format::Parquet, Format::Csv] {
        let folder = tempfile::tempdir().expect("a folder");
        let report = written(none().export().format(format), folder.path()).await;
        assert_eq!((report.outcome, report.rows, report.files), (Outcome::Complete, 0, 1));
        if format == Format::Parquet {
            let file = std::fs::File::open(folder.path().join("part-00000.parquet"));
            let reader = ParquetRecordBatchReaderBuilder::try_new(file.expect("a file"));
            let columns = reader.expect("Parquet").schema().clone();
            assert!(columns.column_with_name("close").is_some(), "{columns}");
        }
    }
}
