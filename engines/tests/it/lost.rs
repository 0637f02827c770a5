//! Executors and schedulers that are killed while a statement runs: all rows arrive, or an error names the cause.

use std::process::{Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use arrow::array::RecordBatch;
use crypto_intel_engines::{Cluster, Query};
use datafusion::common::Result;
use futures_util::TryStreamExt;

use crate::cluster::{Processes, export, start, start_executor, start_scheduler};
use crate::pushdown::lines;
use crate::service::Service;

/// A statement of several seconds, in several stages.
const SLOW: &str = "SELECT a.symbol, count(*), sum(b.size) FROM fills a JOIN fills b \
                    ON a.id % 40 = b.id % 40 GROUP BY a.symbol ORDER BY a.symbol";

/// Moments of a kill, as parts of the time that the statement needs undisturbed.
const MOMENTS: [f64; 6] = [0.0, 0.2, 0.4, 0.6, 0.8, 0.95];

struct Setup {
    folder: tempfile::TempDir,
    query: Query,
    expected: Vec<String>,
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
        let expected = query.sql(SLOW).await.unwrap().collect().await.unwrap();
        Setup { folder, query, expected: lines(&expected), _service: service }
    }

    /// Runs the statement. Returns the rows and the messages.
    async fn run(&self, scheduler: &str) -> (Result<Vec<RecordBatch>>, Vec<String>) {
        let messages = Arc::new(Mutex::new(Vec::new()));
        let kept = messages.clone();
        let cluster = Cluster::new(scheduler, self.folder.path()).unwrap();
        let cluster = cluster.on_report(move |line| kept.lock().unwrap().push(line.to_owned()));
        let rows = async { cluster.sql(&self.query, SLOW).await?.try_collect().await };
        let rows = tokio::time::timeout(Duration::from_secs(120), rows).await;
        let messages = messages.lock().unwrap().clone();
        (rows.expect("neither rows nor an error"), messages)
    }

    /// Returns the time that the statement needs undisturbed.
    async fn duration(&self, scheduler: &str) -> Duration {
        self.run(scheduler).await.0.unwrap();
        let begin = Instant::now();
        let (rows, messages) = self.run(scheduler).await;
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
    let duration = setup.duration(&scheduler).await;

    for moment in MOMENTS {
        let delay = duration.mul_f64(moment);
        let kill = async {
            tokio::time::sleep(delay).await;
            kill(&mut processes, 1);
            Instant::now()
        };
        let ((rows, messages), killed) = tokio::join!(setup.run(&scheduler), kill);
        println!("killed after {delay:?} of {duration:?}: end after {:?} more", killed.elapsed());
        match rows {
            Ok(rows) => assert_eq!(lines(&rows), setup.expected, "{delay:?}: {messages:?}"),
            Err(error) => panic!("{delay:?}: {error} {messages:?}"),
        }
        processes.0.push(start_executor(&scheduler));
        // The new executor takes part in the next run.
        tokio::time::sleep(Duration::from_secs(2)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lost_executor_is_noticed_and_reported_within_twenty_seconds() {
    let setup = Setup::new().await;
    let (mut processes, scheduler) = start_scheduler(&[]).await;
    processes.0.push(start_executor(&scheduler));
    processes.0.push(start_executor(&scheduler));
    let duration = setup.duration(&scheduler).await;

    let fills = format!("fills={}", setup.folder.path().join("fills").display());
    let query = program(&["--on", &scheduler, "--register", &fills, "--format", "csv", SLOW]);
    let query = tokio::task::spawn_blocking(move || query.wait_with_output().unwrap());
    // The program starts a sandbox first.
    tokio::time::sleep(duration.mul_f64(0.7)).await;
    let begin = Instant::now();
    kill(&mut processes, 2);
    let Output { status, stdout, stderr } = query.await.unwrap();
    let waited = begin.elapsed();

    let (rows, messages) = (String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap());
    assert!(status.success(), "{messages}");
    assert_eq!(rows.lines().count(), setup.expected.len(), "{rows}");
    assert!(waited < Duration::from_secs(20) + duration * 2, "{waited:?} {duration:?}");
    let is_told = messages.contains("the statement runs again on the others");
    assert!(is_told, "{waited:?} {messages}");
}

/// Starts `crypto-intel-query` without a key.
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
    let duration = setup.duration(&scheduler).await;

    let kill = async {
        // On a machine that is less busy now, the statement may need less than half of its time before.
        tokio::time::sleep(duration / 10).await;
        kill(&mut processes, 1);
    };
    let ((rows, messages), ()) = tokio::join!(setup.run(&scheduler), kill);
    let error = rows.expect_err("rows without an executor").to_string();
    assert!(error.contains(&format!("the scheduler at {scheduler} has no executor")), "{error}");
    // The number of executors is reported, or the cancelled run if it is noticed first.
    let is_reported = |line: &String| {
        line.contains("has lost 1 of 1 executors") || line.contains("an executor with parts")
    };
    assert!(messages.iter().any(is_reported), "{messages:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lost_scheduler_is_an_error_with_its_address() {
    let setup = Setup::new().await;
    let (rows, _) = setup.run("127.0.0.1:1").await;
    let error = rows.unwrap_err().to_string();
    assert!(error.contains("no connection to the scheduler at 127.0.0.1:1 ("), "{error}");

    for (moment, is_restarted) in [(0.1, false), (0.6, false), (0.4, true)] {
        let (mut processes, scheduler) = start_scheduler(&[]).await;
        processes.0.push(start_executor(&scheduler));
        let duration = setup.duration(&scheduler).await;
        let kill = async {
            tokio::time::sleep(duration.mul_f64(moment)).await;
            kill(&mut processes, 0);
            if is_restarted {
                processes.0.push(start(&["scheduler", "--listen", &scheduler]));
            }
        };
        let begin = Instant::now();
        let ((rows, messages), ()) = tokio::join!(setup.run(&scheduler), kill);
        let error = rows.expect_err("rows without a scheduler").to_string();
        assert!(error.contains(&scheduler), "{error}");
        assert!(begin.elapsed() < duration + Duration::from_secs(20), "{error} {messages:?}");
    }
}
