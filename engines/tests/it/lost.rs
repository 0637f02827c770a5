//! Tests that kill executors and schedulers while a statement runs. Either all rows arrive, or an error names the
//! cause.

use std::io::{BufRead, BufReader};
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use arrow::array::RecordBatch;
use crypto_intel_engines::{Cluster, Query};
use futures_util::TryStreamExt;
use tokio::sync::Notify;

use crate::cluster::{
    Processes, export, start, start_executor, start_scheduler, wait_for_executors,
};
use crate::service::{Service, lines};

/// Returns a statement that joins 8,000 rows with themselves in several stages. Two rows are joined if their
/// identifiers have the same remainder after a division by `divisor`. A smaller divisor joins more pairs of rows, so
/// the statement takes longer.
fn statement(divisor: u32) -> String {
    format!(
        "SELECT a.symbol, count(*), sum(b.size) FROM fills a JOIN fills b \
         ON a.id % {divisor} = b.id % {divisor} GROUP BY a.symbol ORDER BY a.symbol"
    )
}

/// Argument of [`statement`] for an SQL statement that runs for several seconds.
const SLOW: u32 = 40;

/// Argument of [`statement`] for an SQL statement that runs much longer than 5 seconds, so that a test can kill a process
/// before the statement ends. After 5 seconds, the cluster sends [`FIRST_MESSAGE`].
const SLOWEST: u32 = 1;

/// Text in the message that the cluster sends after a statement has run for 5 seconds.
const FIRST_MESSAGE: &str = "the statement has run for";

/// Times at which an executor is killed, as fractions of the statement's normal duration.
const MOMENTS: [f64; 6] = [0.0, 0.2, 0.4, 0.6, 0.8, 0.95];

struct Setup {
    folder: tempfile::TempDir,
    query: Query,
    expected: Vec<String>,
    /// Notification for [`until_it_runs`](Setup::until_it_runs). It is sent when the cluster reports a message that
    /// contains [`FIRST_MESSAGE`].
    runs: Arc<Notify>,
    _service: Service,
}

impl Setup {
    async fn new() -> Setup {
        let folder = tempfile::tempdir().unwrap();
        export(&folder.path().join("fills"));
        let service = Service::start().await;
        let location = folder.path().join("fills").to_str().unwrap().to_owned();
        let engine = service.engine.clone().register("fills", location);
        let query = engine.query().start().await.unwrap();
        let expected = query.sql(&statement(SLOW)).await.unwrap().collect().await.unwrap();
        let (expected, runs) = (lines(&expected), Arc::new(Notify::new()));
        Setup { folder, query, expected, runs, _service: service }
    }

    /// Runs the statement on the cluster. Returns the rows and the messages.
    async fn run(
        &self,
        scheduler: &str,
        sql: &str,
    ) -> (datafusion::common::Result<Vec<RecordBatch>>, Vec<String>) {
        let messages = Arc::new(Mutex::new(Vec::new()));
        let (kept, runs) = (messages.clone(), self.runs.clone());
        let cluster = Cluster::new(scheduler, self.folder.path()).unwrap();
        let cluster = cluster.on_report(move |line| {
            kept.lock().unwrap().push(line.to_owned());
            if line.contains(FIRST_MESSAGE) {
                runs.notify_one();
            }
        });
        let rows = async { cluster.sql(&self.query, sql).await?.try_collect().await };
        let rows = tokio::time::timeout(Duration::from_secs(120), rows).await;
        let messages = messages.lock().unwrap().clone();
        (rows.expect("neither rows nor an error"), messages)
    }

    /// Waits until the cluster sends a message that contains [`FIRST_MESSAGE`]. The cluster sends this message about 5
    /// seconds after the start of a statement that still runs.
    async fn until_it_runs(&self) {
        let runs = tokio::time::timeout(Duration::from_secs(60), self.runs.notified()).await;
        runs.expect("the statement ended before its first message");
    }

    /// Returns the time that the statement needs without lost executors.
    async fn duration(&self, scheduler: &str) -> Duration {
        let sql = statement(SLOW);
        self.run(scheduler, &sql).await.0.unwrap();
        let begin = Instant::now();
        let (rows, messages) = self.run(scheduler, &sql).await;
        assert_eq!(lines(&rows.unwrap()), self.expected, "{messages:?}");
        begin.elapsed()
    }
}

fn kill(processes: &mut Processes, number: usize) {
    let mut process = processes.0.remove(number);
    process.kill().unwrap();
    process.wait().unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_rows_arrive_when_an_executor_is_killed_at_any_moment() {
    let setup = Setup::new().await;
    let (mut processes, scheduler) = start_scheduler(&["--executor-timeout", "7"]).await;
    processes.0.push(start_executor(&scheduler));
    processes.0.push(start_executor(&scheduler));
    wait_for_executors(&scheduler, 2).await;
    let (sql, duration) = (statement(SLOW), setup.duration(&scheduler).await);

    for moment in MOMENTS {
        let delay = duration.mul_f64(moment);
        let kill = async {
            tokio::time::sleep(delay).await;
            kill(&mut processes, 1);
            Instant::now()
        };
        let ((rows, messages), killed) = tokio::join!(setup.run(&scheduler, &sql), kill);
        println!("killed after {delay:?} of {duration:?}: end after {:?} more", killed.elapsed());
        match rows {
            Ok(rows) => assert_eq!(lines(&rows), setup.expected, "{delay:?}: {messages:?}"),
            Err(error) => panic!("{delay:?}: {error} {messages:?}"),
        }
        // Starts a new executor for the next run. At this time, the scheduler may still count the killed executor.
        wait_for_executors(&scheduler, 1).await;
        processes.0.push(start_executor(&scheduler));
        wait_for_executors(&scheduler, 2).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lost_executor_is_noticed_and_reported_within_twenty_seconds() {
    let setup = Setup::new().await;
    let (mut processes, scheduler) = start_scheduler(&[]).await;
    processes.0.push(start_executor(&scheduler));
    processes.0.push(start_executor(&scheduler));
    wait_for_executors(&scheduler, 2).await;

    let fills = format!("fills={}", setup.folder.path().join("fills").display());
    let sql = statement(SLOWEST);
    let mut query = program(&["--on", &scheduler, "--register", &fills, "--format", "csv", &sql]);
    let mut messages = BufReader::new(query.stderr.take().unwrap()).lines().map(Result::unwrap);
    let first = messages.find(|line| line.contains(FIRST_MESSAGE));
    assert!(first.is_some(), "the statement ended before its first message");

    kill(&mut processes, 2);
    let begin = Instant::now();
    let again =
        messages.find(|line| line.contains("the statement runs again on the other executors"));
    let noticed = begin.elapsed();
    let rest = std::thread::spawn(move || messages.collect::<Vec<_>>());
    let Output { status, stdout, .. } = query.wait_with_output().unwrap();

    let (rows, rest) = (String::from_utf8(stdout).unwrap(), rest.join().unwrap());
    assert!(again.is_some() && noticed < Duration::from_secs(20), "{noticed:?} {rest:?}");
    assert!(status.success(), "{rest:?}");
    assert_eq!(rows.lines().count(), setup.expected.len(), "{rows}");
}

/// Starts `crypto-intel-query` without an API key, so that it uses the embedded sandbox.
fn program(arguments: &[&str]) -> std::process::Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crypto-intel-query"));
    command.env_remove("CRYPTO_INTEL_API_KEY").args(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn statement_fails_when_all_executors_are_lost() {
    let setup = Setup::new().await;
    let (mut processes, scheduler) = start_scheduler(&["--executor-timeout", "7"]).await;
    processes.0.push(start_executor(&scheduler));
    wait_for_executors(&scheduler, 1).await;

    let kill = async {
        setup.until_it_runs().await;
        kill(&mut processes, 1);
    };
    let sql = statement(SLOWEST);
    let ((rows, messages), ()) = tokio::join!(setup.run(&scheduler, &sql), kill);
    let error = rows.expect_err("rows without an executor").to_string();
    assert!(error.contains(&format!("the scheduler at {scheduler} has no executor")), "{error}");
    let is_lost = |line: &String| line.contains("has lost 1 of 1 executors");
    assert!(messages.iter().any(is_lost), "{messages:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lost_scheduler_is_an_error_with_its_address() {
    let setup = Setup::new().await;
    let sql = statement(SLOWEST);
    let (rows, _) = setup.run("127.0.0.1:1", &sql).await;
    let error = rows.unwrap_err().to_string();
    assert!(error.contains("no connection to the scheduler at 127.0.0.1:1 ("), "{error}");

    for is_restarted in [false, true] {
        let (mut processes, scheduler) = start_scheduler(&[]).await;
        processes.0.push(start_executor(&scheduler));
        wait_for_executors(&scheduler, 1).await;
        let kill = async {
            setup.until_it_runs().await;
            kill(&mut processes, 0);
            if is_restarted {
                processes.0.push(start(&["scheduler", "--listen", &scheduler]));
            }
            Instant::now()
        };
        let ((rows, messages), killed) = tokio::join!(setup.run(&scheduler, &sql), kill);
        let error = rows.expect_err("rows without a scheduler").to_string();
        assert!(error.contains(&scheduler), "{error}");
        assert!(killed.elapsed() < Duration::from_secs(20), "{error} {messages:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn statement_that_fails_by_itself_runs_once() {
    let setup = Setup::new().await;
    let (mut processes, scheduler) = start_scheduler(&[]).await;
    processes.0.push(start_executor(&scheduler));

    for (sql, reason) in [
        ("SELECT CAST(symbol AS INT) FROM fills", "Cannot cast"),
        (
            "SELECT a.symbol, sum(1 / (b.id - b.id)) FROM fills a JOIN fills b ON a.id = b.id \
             GROUP BY a.symbol",
            "DivideByZero",
        ),
    ] {
        let (rows, messages) = setup.run(&scheduler, sql).await;
        let error = rows.expect_err(sql).to_string();
        assert!(error.contains(reason), "{error}");
        assert!(!messages.iter().any(|line| line.contains("runs again")), "{messages:?}");
    }
}
