//! Tests of exports as SQL tables. Queries read the rows of an earlier time, and read exports on an object store.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crypto_intel::Client;
use crypto_intel_engines::Engine;
use crypto_intel_frames::Options;
use crypto_intel_frames::export::ExportExt;
use crypto_intel_sandbox::{Clock, Sandbox, UnixSeconds};

use crate::service::lines;

const DAY: u64 = 86_400;
const BEGIN: u64 = 1_780_000_000;

fn at(seconds: u64) -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(seconds)
}

#[tokio::test]
async fn table_as_of_a_time_has_the_rows_of_that_time() {
    let clock = Clock::stopped_at(UnixSeconds(BEGIN as i64));
    let sandbox = Sandbox::builder().clock(clock.clone()).start().await.unwrap();
    let builder = Client::builder().base_url(sandbox.url()).api_key(sandbox.key());
    let client = builder.clone().build().unwrap();
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("prices");
    let update = async || {
        let prices =
            client.market_price("BTC").export().options(Options::default().provenance(true));
        prices.update(Duration::from_secs(2 * DAY)).to_folder(&folder).await.unwrap();
    };
    update().await;
    clock.advance(Duration::from_secs(3 * DAY));
    update().await;

    let sql = "SELECT count(*), max(timestamp) <= TIMESTAMP '2026-05-28T20:26:40Z' FROM prices";
    let engine = Engine::new(builder).register("prices", folder.to_str().unwrap());
    let rows = async |engine: &Engine| {
        let query = engine.query().start().await.unwrap();
        lines(&query.sql(sql).await.unwrap().collect().await.unwrap()).remove(0)
    };
    let now = rows(&engine).await;
    assert!(now.contains("false"), "{now}");
    assert_eq!(rows(&engine.clone().as_of(at(BEGIN + 4 * DAY))).await, now);
    let first = rows(&engine.clone().as_of(at(BEGIN + DAY))).await;
    assert!(first.contains("true") && first != now, "{first} {now}");
    let before = rows(&engine.clone().as_of(at(BEGIN - DAY))).await;
    assert!(before.replace(' ', "").starts_with("|0|"), "{before}");
}

/// Tests an export on an object store. The test needs a server of the S3 protocol, and environment variables such as
/// `AWS_ENDPOINT` with the address and the keys of this server. `.ci/object-store` starts a server and runs the test.
#[cfg(feature = "aws")]
#[tokio::test]
#[ignore = "needs a server of the S3 protocol: run .ci/object-store"]
async fn export_on_an_object_store_has_the_rows_of_the_export_on_disk() {
    use crypto_intel_frames::export::{Partition, object_store};

    let clock = Clock::stopped_at(UnixSeconds(BEGIN as i64));
    let sandbox = Sandbox::builder().clock(clock).rate_limit(None).start().await.unwrap();
    let builder = Client::builder().base_url(sandbox.url()).api_key(sandbox.key());
    let client = builder.clone().build().unwrap();
    let export = || {
        let fills = client.hyperliquid_fills("0x1111111111111111111111111111111111111111");
        let export = fills.export().rows_per_file(50);
        export.partition_by(Partition::Column("symbol".to_owned()))
    };
    let folder = tempfile::tempdir().unwrap();
    let on_disk = export().to_folder(folder.path()).await.unwrap().rows;
    assert!(on_disk > 100, "{on_disk}");
    let url = "s3://exports/fills/".parse().unwrap();
    let (store, prefix) = object_store::parse_url_opts(&url, std::env::vars()).unwrap();
    let export = export().journal_folder(tempfile::tempdir().unwrap().path());
    assert_eq!(export.to_store(store.into(), prefix).await.unwrap().rows, on_disk);

    let rows = async |location: &str, sql: &str| {
        let engine = Engine::new(builder.clone()).register("fills", location);
        let query = engine.query().start().await.unwrap();
        lines(&query.sql(sql).await.unwrap().collect().await.unwrap())
    };
    for sql in [
        "SELECT count(*) FROM fills",
        "SELECT symbol, side, count(*), sum(CAST(size AS DECIMAL(20, 3))) FROM fills GROUP BY 1, 2",
        "SELECT symbol, max(price) FROM fills WHERE symbol = 'BTC' GROUP BY symbol",
    ] {
        let expected = rows(folder.path().to_str().unwrap(), sql).await;
        assert!(expected.len() > 1, "{sql}: {expected:?}");
        assert_eq!(rows("s3://exports/fills/", sql).await, expected, "{sql}");
    }
}
