//! Tests that statements return the same rows in one process and on a cluster. The cluster is a scheduler with two
//! executors on loopback.

use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use arrow::array::{DictionaryArray, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow::datatypes::{DataType, Field, Int32Type, Schema};
use crypto_intel_engines::Cluster;
use datafusion::parquet::arrow::ArrowWriter;
use futures_util::TryStreamExt;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::service::{Service, lines};

/// Processes that are killed at the end of the test.
pub(crate) struct Processes(pub(crate) Vec<Child>);

impl Drop for Processes {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Returns a free port whose next port is free too.
pub(crate) fn free_ports() -> u16 {
    loop {
        let first = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = first.local_addr().unwrap().port();
        if port < u16::MAX && TcpListener::bind(("127.0.0.1", port + 1)).is_ok() {
            return port;
        }
    }
}

pub(crate) fn start(arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crypto-intel-cluster"));
    // The processes receive no API key, because only the test process calls the service.
    command.env_remove("CRYPTO_INTEL_API_KEY").args(arguments).stdout(Stdio::null());
    command.spawn().unwrap()
}

/// Starts an executor with two slots.
pub(crate) fn start_executor(scheduler: &str) -> Child {
    let listen = format!("127.0.0.1:{}", free_ports());
    start(&["executor", "--scheduler", scheduler, "--listen", &listen, "--slots", "2"])
}

/// Starts a scheduler, and waits until it listens. Returns its address.
pub(crate) async fn start_scheduler(options: &[&str]) -> (Processes, String) {
    let scheduler = format!("127.0.0.1:{}", free_ports());
    let mut processes =
        Processes(vec![start(&[&["scheduler", "--listen", &scheduler], options].concat())]);
    let begin = Instant::now();
    while tokio::net::TcpStream::connect(&scheduler).await.is_err() {
        assert_eq!(processes.0[0].try_wait().unwrap(), None, "the scheduler ended");
        assert!(begin.elapsed() < Duration::from_secs(120), "nobody listens at {scheduler}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    (processes, scheduler)
}

/// Waits until a scheduler reports this number of executors.
pub(crate) async fn wait_for_executors(scheduler: &str, count: usize) {
    let (begin, expected) = (Instant::now(), format!("ready: {count} executors"));
    let page = async || {
        let mut connection = tokio::net::TcpStream::connect(scheduler).await?;
        connection.write_all(b"GET /readyz HTTP/1.0\r\n\r\n").await?;
        let mut page = String::new();
        connection.read_to_string(&mut page).await?;
        std::io::Result::Ok(page)
    };
    loop {
        let page = page().await.unwrap();
        if page.contains(&expected) {
            return;
        }
        assert!(begin.elapsed() < Duration::from_secs(120), "{expected} is not in {page}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Starts a scheduler and two executors. Returns the address of the scheduler.
async fn cluster() -> (Processes, String) {
    let (mut processes, scheduler) = start_scheduler(&[]).await;
    // The test need not wait for the executors, because statements wait for them.
    processes.0.extend((0..2).map(|_| start_executor(&scheduler)));
    (processes, scheduler)
}

/// Writes four Parquet files with trade fills, one per day, in the Hive layout.
pub(crate) fn export(folder: &std::path::Path) {
    let schema = Arc::new(Schema::new(vec![
        Field::new("symbol", DataType::Utf8, false),
        Field::new("size", DataType::Float64, false),
        Field::new("id", DataType::Int64, false),
        Field::new_dictionary("side", DataType::Int32, DataType::Utf8, false),
        Field::new_dictionary("direction", DataType::Int32, DataType::Utf8, false),
    ]));

    for day in 0..4i64 {
        let rows = 0..2_000i64;
        let texts = |texts: [&'static str; 2], every: i64| {
            let texts = rows.clone().map(|row| Some(texts[usize::from(row % every == 0)]));
            Arc::new(texts.collect::<DictionaryArray<Int32Type>>())
        };
        let symbol = |row: i64| ["BTC", "ETH", "SOL"][((row + day) % 3) as usize];
        let batch = RecordBatch::try_new(
            schema.clone(),
            vec![
                Arc::new(rows.clone().map(|row| Some(symbol(row))).collect::<StringArray>()),
                // The values are whole numbers, so that sums are exact in any order.
                Arc::new(rows.clone().map(|row| Some((row % 17) as f64)).collect::<Float64Array>()),
                Arc::new(rows.clone().map(|row| Some(day * 10_000 + row)).collect::<Int64Array>()),
                texts(["buy", "sell"], 3),
                texts(["open", "close"], 5),
            ],
        );

        let part = folder.join(format!("day=2026-01-0{}", day + 1));
        std::fs::create_dir_all(&part).unwrap();
        let file = std::fs::File::create(part.join("0.parquet")).unwrap();
        let mut writer = ArrowWriter::try_new(file, schema.clone(), None).unwrap();
        writer.write(&batch.unwrap()).unwrap();
        writer.close().unwrap();
    }
}

/// Statements that read an export. They send no requests to the service.
const ON_FILES: [&str; 8] = [
    "SELECT count(*), sum(size) FROM fills",
    "SELECT symbol, count(*), sum(size), max(id) FROM fills GROUP BY symbol",
    // The next three cases use dictionary columns of the files, and the last of them a column from the names of
    // folders.
    "SELECT side, direction, count(DISTINCT symbol) FROM fills GROUP BY 1, 2",
    "SELECT side, max(size), count(DISTINCT symbol) FROM fills GROUP BY side",
    "SELECT day, side, count(*) FROM fills WHERE day > '2026-01-02' GROUP BY 1, 2",
    "SELECT symbol, size FROM fills WHERE id % 1000 = 7",
    "SELECT a.symbol, count(*) FROM fills a JOIN fills b ON a.id = b.id GROUP BY a.symbol",
    "SELECT symbol, size, count(*) FROM fills GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT 5",
];

/// Statements on tables of the service, and their numbers of requests. Some of them also read an export.
const ON_SERVICE: [(&str, usize); 8] = [
    (
        "SELECT f.symbol, count(*), max(p.value) FROM fills f \
         JOIN (SELECT symbol, max(value) AS value FROM market_price \
               WHERE symbol IN ('BTC', 'ETH') GROUP BY symbol) p ON p.symbol = f.symbol \
         GROUP BY f.symbol",
        2,
    ),
    ("SELECT symbol, max(value) FROM market_price WHERE symbol = 'BTC' GROUP BY symbol", 1),
    ("SELECT count(*) FROM market_price WHERE symbol = 'BTC'", 1),
    // Values of an export, or of another table of the service, become arguments. Both tables have columns of the
    // same name.
    (
        "SELECT * FROM (SELECT symbol, count(*) AS fills FROM fills GROUP BY symbol) f \
         JOIN market_price p ON p.symbol = f.symbol WHERE p.time_range = '1d'",
        3,
    ),
    (
        "SELECT f.symbol, count(p.value), count(*) FROM fills f LEFT JOIN \
         (SELECT p.symbol, p.value FROM market_futures m \
          JOIN market_price p ON p.symbol = m.symbol WHERE m.symbol LIKE 'B%') p \
         ON p.symbol = f.symbol GROUP BY f.symbol",
        3,
    ),
    // The rows of a join become arguments of another join.
    (
        "SELECT r.symbol, count(*) FROM (VALUES ('BTC'), ('ETH')) r (symbol) \
         JOIN market_price p ON p.symbol = r.symbol \
         JOIN market_etf e ON e.symbol = p.symbol GROUP BY r.symbol",
        4,
    ),
    ("EXPLAIN SELECT value FROM market_price WHERE symbol = 'BTC'", 0),
    ("SHOW TABLES", 0),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn statements_on_a_cluster_give_the_rows_of_one_process() {
    let folder = tempfile::tempdir().unwrap();
    export(&folder.path().join("fills"));
    let service = Service::start().await;
    let location = folder.path().join("fills").to_str().unwrap().to_owned();
    let engine = service.engine.clone().register("fills", location);
    let (_processes, scheduler) = cluster().await;

    for (sql, requests) in ON_FILES.map(|sql| (sql, 0)).into_iter().chain(ON_SERVICE) {
        let query = engine.query().start().await.unwrap();
        let expected = query.sql(sql).await.unwrap().collect().await.unwrap();
        assert!(expected.iter().any(|batch| batch.num_rows() > 0), "{sql}: no rows");

        service.sandbox.forget_requests();
        let query = engine.query().start().await.unwrap();
        let cluster = Cluster::new(&scheduler, folder.path()).unwrap();
        let rows = cluster.sql(&query, sql).await.unwrap();
        let rows = rows.try_collect::<Vec<_>>();
        let found = tokio::time::timeout(Duration::from_secs(120), rows).await;
        let found = found.expect("no answer of the cluster").unwrap();
        assert_eq!(lines(&found), lines(&expected), "{sql}");
        assert_eq!(service.sandbox.requests().len(), requests, "{sql}");
    }
}
