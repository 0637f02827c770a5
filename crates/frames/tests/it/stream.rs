//! Tests the batches of single responses and of lists: their sizes, order and errors.

use crypto_intel::prelude::*;
use crypto_intel::{Client, CompletenessState, ErrorKind, RetryPolicy};
use crypto_intel_frames::arrow_array::RecordBatch;
use crypto_intel_frames::{Error, Frames, FramesExt, Options, PagerFramesExt};
use crypto_intel_sandbox::{Fault, Sandbox};
use serde_json::{Value, json};

use super::json::{rows, settled};
use super::{list, stopped};

async fn sizes(frames: Frames) -> Vec<usize> {
    let mut frames = frames;
    let batches = frames.collect().await.expect("batches");
    batches.iter().map(RecordBatch::num_rows).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn batches_are_as_large_as_they_are_told_whatever_the_pages_are() {
    let (_sandbox, client) = stopped().await;
    let pager = |rows| PageExt::pager(list(&client)).max_items(rows);

    let by_rows = Options::default().batch_rows(120);
    let frames = pager(350).frames_with(&by_rows).expect("a table");
    assert_eq!(sizes(frames).await, [120, 120, 110]);

    let whole = sizes(pager(350).frames().expect("a table")).await;
    assert_eq!(whole, [350]);

    let by_bytes = Options::default().batch_bytes(1);
    let frames = pager(3).frames_with(&by_bytes).expect("a table");
    assert_eq!(sizes(frames).await, [1, 1, 1]);
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_are_those_of_the_list_in_its_order() {
    let (_sandbox, client) = stopped().await;

    let expected = PageExt::pager(list(&client)).max_items(250).collect_all().await.expect("rows");
    let mut frames = PageExt::pager(list(&client)).max_items(250).frames().expect("a table");
    let schema = frames.schema();
    let batches = frames.collect().await.expect("batches");

    assert!(batches.iter().all(|batch| batch.schema() == schema));
    let found: Vec<Value> = batches.iter().flat_map(rows).map(|row| settled(row.into())).collect();
    let expected: Vec<Value> =
        expected.iter().map(|row| settled(serde_json::to_value(row).expect("JSON"))).collect();
    assert_eq!(json!(found), json!(expected));
}

#[tokio::test(flavor = "multi_thread")]
async fn good_rows_come_before_the_error() {
    let sandbox = Sandbox::start().await.expect("a free port");
    let builder = Client::builder().base_url(sandbox.url()).api_key(sandbox.key());
    let client = builder.retry(RetryPolicy::none()).build().expect("a client");

    let pager = PageExt::pager(list(&client)).max_items(1_000);
    let pages = Options::default().batch_rows(100);
    let mut frames = pager.frames_with(&pages).expect("a table");
    assert!(frames.try_next().await.expect("a page").is_some());
    sandbox.inject(Fault::status(500)).expect("it can be done");

    // Pages that were requested ahead may have arrived.
    let error = loop {
        match frames.try_next().await {
            Ok(batch) => assert_eq!(batch.expect("an error is to come").num_rows(), 100),
            Err(error) => break error,
        }
    };
    assert!(matches!(&error, Error::Call(error) if error.kind() == ErrorKind::Service), "{error}");
    assert!(frames.try_next().await.expect("the end").is_none());
}

#[tokio::test]
async fn what_makes_no_table_is_refused_before_it_is_sent() {
    let (_sandbox, client) = stopped().await;
    let request = client.request("responses-stream").expect("an operation");
    let error = request.frames().expect_err("no rows").to_string();
    assert_eq!(error, "responses-stream: the response is not JSON, so it has no rows");
}

#[tokio::test]
async fn frames_have_the_state_of_their_list() {
    let (sandbox, client) = stopped().await;
    let fills = || client.hyperliquid_fills("0x1111111111111111111111111111111111111111").limit(20);
    let read = async |mut frames: Frames| {
        let error = frames.collect().await.err();
        (frames.completeness(), error)
    };

    let mut frames = fills().max_items(50).frames().unwrap();
    assert_eq!(frames.completeness().state, CompletenessState::MoreAvailable);
    let first: usize = frames.collect().await.unwrap().iter().map(RecordBatch::num_rows).sum();
    let cut = frames.completeness();
    assert_eq!((first, cut.state), (50, CompletenessState::CutAtLimit));

    // The token continues within the page in which the limit was reached.
    let rest = fills().pager().resume_from(cut.resume.expect("a token"));
    let mut frames = rest.frames().unwrap();
    let rest: usize = frames.collect().await.unwrap().iter().map(RecordBatch::num_rows).sum();
    let all = fills().collect_all().await.unwrap().len();
    assert_eq!((first + rest, frames.completeness().is_complete()), (all, true));

    let (budget, _) = read(fills().max_credits(4).frames().unwrap()).await;
    assert_eq!(budget.state, CompletenessState::StoppedByBudget);
    assert!(budget.resume.is_some());

    let mut frames = fills().frames_with(&Options::default().batch_rows(20)).unwrap();
    frames.try_next().await.unwrap();
    sandbox.inject("status=400".parse().unwrap()).unwrap();
    let (failed, error) = read(frames).await;
    assert_eq!((failed.state, error.is_some()), (CompletenessState::Failed, true));
    assert!(failed.resume.is_some());
    sandbox.clear_faults();

    let (whole, _) = read(client.market_price("BTC").frames().unwrap()).await;
    assert!(whole.is_complete());
}
