//! Tests exports to an object store. In some tests, a second writer writes to the folder of the export during the run.

use std::sync::Arc;

use crypto_intel_frames::Error;
use crypto_intel_frames::export::object_store::memory::InMemory;
use crypto_intel_frames::export::object_store::path::Path;
use crypto_intel_frames::export::object_store::{ObjectStore, ObjectStoreExt, PutPayload};
use crypto_intel_frames::export::{Export, ExportExt, Partition, Report};
use futures_util::TryStreamExt;

use super::{list, stopped};

async fn names(store: &InMemory) -> Vec<String> {
    let files: Vec<_> = store.list(None).try_collect().await.expect("a list");
    let mut names: Vec<String> = files.iter().map(|file| file.location.to_string()).collect();
    names.sort();
    names
}

async fn to(store: &Arc<InMemory>, export: Export) -> Result<Report, Error> {
    export.to_store(store.clone(), Path::from("a/b")).await
}

/// Returns the export with a simulated second writer, which writes the object `name` after the first page.
fn disturbed(export: Export, store: &Arc<InMemory>, name: &'static str) -> Export {
    let store = store.clone();
    export.on_progress(move |progress| {
        if progress.pages == 1 {
            let put = async { store.put(&Path::from(name), PutPayload::from("else")).await };
            futures_util::FutureExt::now_or_never(put).expect("at once").expect("it can be done");
        }
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_to_a_store_goes_on_there() {
    let (_sandbox, client) = stopped().await;
    let store = Arc::new(InMemory::new());
    let export = || list(&client).export().rows_per_file(100);

    to(&store, export().max_rows(150)).await.expect("an export");
    let report = to(&store, export().max_rows(250)).await.expect("an export");
    assert_eq!((report.rows, report.files), (250, 3));
    let files = ["part-00000", "part-00001", "part-00002"];
    let mut wanted = vec!["a/b/_checkpoint.json".to_owned()];
    wanted.extend(files.map(|name| format!("a/b/{name}.parquet")));
    assert_eq!(names(&store).await, wanted);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_runs_at_once_one_ends() {
    let (_sandbox, client) = stopped().await;
    for name in ["a/b/_checkpoint.json", "a/b/part-00000.parquet"] {
        let store = Arc::new(InMemory::new());
        let export = list(&client).export().max_rows(300).rows_per_file(200);
        let error = to(&store, disturbed(export, &store, name)).await.expect_err("two writers");
        let text = error.to_string();
        assert!(text.contains("another run is writing to this folder"), "{name}: {text}");
    }
}

/// Tests a write request whose response is lost. The second attempt finds the object that the first attempt has
/// written.
#[tokio::test(flavor = "multi_thread")]
async fn file_that_is_already_there_with_equal_content_counts_as_written() {
    let (_sandbox, client) = stopped().await;
    let export = || list(&client).export().max_rows(300).rows_per_file(200);
    let undisturbed = Arc::new(InMemory::new());
    to(&undisturbed, export()).await.expect("an export");
    let path = Path::from("a/b/part-00000.parquet");
    let bytes = undisturbed.get(&path).await.expect("a file").bytes().await.expect("bytes");

    let store = Arc::new(InMemory::new());
    let lost = store.clone();
    let disturbed = export().on_progress(move |progress| {
        if progress.pages == 1 {
            let put = async { lost.put(&path, bytes.clone().into()).await };
            futures_util::FutureExt::now_or_never(put).expect("at once").expect("it can be done");
        }
    });
    assert_eq!(to(&store, disturbed).await.expect("an export").rows, 300);
    assert_eq!(names(&store).await, names(&undisturbed).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_goes_on_is_stopped_by_the_next() {
    let (_sandbox, client) = stopped().await;
    let store = Arc::new(InMemory::new());
    let export = || list(&client).export().max_rows(300).rows_per_file(100);

    // The second export begins and ends while the first one is between two pages.
    let (begin, begun) = std::sync::mpsc::channel();
    let (end, ended) = std::sync::mpsc::channel();
    // Two machines have two journals. On one machine, the lock of the journal rejects the second one.
    let journals = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let rejected = export();
    let slow = export().journal_folder(journals[0].path()).on_progress(move |progress| {
        if progress.pages == 1 {
            begin.send(()).expect("somebody waits");
            ended.recv().expect("the second run");
        }
    });
    let first = tokio::spawn({
        let store = store.clone();
        async move { to(&store, slow).await }
    });
    tokio::task::spawn_blocking(move || begun.recv()).await.expect("no panic").expect("a page");
    let rejected = to(&store, rejected.journal_folder(journals[0].path())).await;
    assert!(matches!(rejected, Err(Error::Place { .. })), "{rejected:?}");
    let second = export().journal_folder(journals[1].path());
    let second = to(&store, second).await.expect("an export");
    end.send(()).expect("somebody waits");

    assert_eq!(second.rows, 300);
    let error = first.await.expect("no panic").expect_err("it was overtaken").to_string();
    assert!(error.contains("another run is writing to this folder"), "{error}");
    let parts = names(&store).await;
    assert_eq!(parts.len(), 4, "{parts:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn folders_of_a_store_are_named_as_hive_names_them() {
    let (_sandbox, client) = stopped().await;
    let store = Arc::new(InMemory::new());
    let by = Partition::Column("symbol".to_owned());
    let fills = client.hyperliquid_fills("0x1111111111111111111111111111111111111111");
    to(&store, fills.export().max_rows(100).partition_by(by)).await.expect("an export");
    let files = names(&store).await;
    assert!(files.len() > 2, "{files:?}");
    assert!(files[1..].iter().all(|name| name.starts_with("a/b/symbol=")), "{files:?}");
}
