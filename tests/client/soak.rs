//! Runs many concurrent calls of all kinds against a sandbox with injected faults. The run takes 8 seconds, or the
//! number of seconds in `SOAK_SECONDS`.
//!
//! Each call must return rows, return a response, or fail with an error that one of the faults explains. No row may be
//! lost or duplicated. At the end the client's ledger must agree with the charges of the sandbox, and no task, socket
//! or reservation may remain.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crypto_intel::credits::{Budget, Credits};
use crypto_intel::sql::PollPolicy;
use crypto_intel::{Client, Error, ErrorKind, RetryPolicy, UnixSeconds, prelude::*};
use crypto_intel_sandbox::{Clock, Fault, Sandbox};
use tokio::runtime::Handle;
use tokio::time::Instant;

const TASKS: usize = 64;
const KEY: &str = "sk-soak";
const ACCOUNT: &str = "0x1111111111111111111111111111111111111111";
/// Balance of the account: more credits than any run can spend.
const BALANCE: i64 = 100_000_000;
/// Faults of the sandbox. They are injected in turn, each for one request.
const FAULTS: [&str; 10] = [
    "status=503",
    "status=502",
    "status=429;retry-after=0",
    "latency=20",
    "cut=40",
    "cut-events=2",
    "split",
    "malformed",
    "html",
    "unknown-members",
];
/// Error kinds that the faults in [`FAULTS`] may cause.
const EXPECTED: [ErrorKind; 6] = [
    ErrorKind::Service,
    ErrorKind::RateLimited,
    ErrorKind::Transport,
    ErrorKind::Decode,
    ErrorKind::Truncated,
    ErrorKind::SqlRejected,
];

/// Number of calls with each outcome. An outcome is, for example, `list: success` or `stream: Truncated`.
type Outcomes = BTreeMap<String, u64>;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_beside_each_other_lose_nothing_while_the_service_misbehaves() {
    let (tasks, sockets) = (alive_tasks(), open_sockets());
    let sandbox = Arc::new(start().await);
    let client = client(&sandbox);
    let expected: Arc<[String]> = list(&client).await.unwrap().into();
    assert_eq!(expected.len(), 150);

    let outcomes = run(&sandbox, &client, &expected).await;

    println!("{outcomes:#?}");
    for kind in ["data", "list", "job", "stream"] {
        let successes = outcomes.get(&format!("{kind}: success")).copied().unwrap_or_default();
        assert!(successes > 0, "no {kind} call succeeded: {outcomes:?}");
    }
    the_ledger_agrees(&client, &sandbox);

    drop(client);
    Arc::into_inner(sandbox).expect("no task is left that uses the sandbox").stop().await.unwrap();
    soon("tasks are left", || alive_tasks() <= tasks).await;
    soon("sockets are left", || open_sockets() <= sockets).await;
}

async fn start() -> Sandbox {
    Sandbox::builder()
        .clock(Clock::stopped_at(UnixSeconds(1_780_000_000)))
        .key(KEY, BALANCE)
        .free_repeats(Duration::ZERO)
        .rate_limit(None)
        .stream_pace(Duration::ZERO, Duration::ZERO)
        .start()
        .await
        .unwrap()
}

fn client(sandbox: &Sandbox) -> Client {
    let retry = RetryPolicy::new().attempts(4).min_delay(Duration::from_millis(1));
    Client::builder()
        .base_url(sandbox.url())
        .api_key(KEY)
        .retry(retry.max_delay(Duration::from_millis(20)))
        .budget(Budget::credits(BALANCE as u64))
        .build()
        .unwrap()
}

/// Runs all tasks until the time is over. One of the tasks injects faults.
async fn run(sandbox: &Arc<Sandbox>, client: &Client, expected: &Arc<[String]>) -> Outcomes {
    let seconds =
        std::env::var("SOAK_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(8);
    let end = Instant::now() + Duration::from_secs(seconds);
    let turns = Arc::new(AtomicU64::new(0));

    let mut tasks = Vec::new();
    for task in 0..TASKS {
        let (client, expected, turns) = (client.clone(), expected.clone(), turns.clone());
        tasks.push(tokio::spawn(async move {
            let mut outcomes = Outcomes::new();
            while Instant::now() < end {
                let turn = turns.fetch_add(1, Ordering::Relaxed);
                let (kind, result) = call(task % 4, turn, &client, &expected).await;
                *outcomes.entry(outcome(kind, &result)).or_default() += 1;
            }
            outcomes
        }));
    }
    let faults = tokio::spawn(inject(sandbox.clone(), turns, end));

    let mut all = Outcomes::new();
    for task in tasks {
        for (outcome, count) in task.await.unwrap() {
            *all.entry(outcome).or_default() += count;
        }
    }
    faults.await.unwrap();
    sandbox.clear_faults();
    all
}

/// Injects faults into the sandbox, one fault for every three calls.
async fn inject(sandbox: Arc<Sandbox>, turns: Arc<AtomicU64>, end: Instant) {
    let mut injected = 0;
    let mut faults = FAULTS.iter().cycle();
    while Instant::now() < end {
        let due = turns.load(Ordering::Relaxed) / 3;
        for fault in faults.by_ref().take(due.saturating_sub(injected) as usize) {
            let fault: Fault = fault.parse().unwrap();
            sandbox.inject(fault.times(1)).unwrap();
        }
        injected = due;
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Sends a call of one of four kinds. Fails the test if the rows of a list are not the expected rows.
async fn call(
    kind: usize,
    turn: u64,
    client: &Client,
    expected: &[String],
) -> (&'static str, Result<(), Error>) {
    match kind {
        0 => ("data", prices(client).await),
        1 => (
            "list",
            list(client).await.map(|rows| assert!(rows == expected, "rows were lost or doubled")),
        ),
        2 => ("job", job(client, turn).await),
        _ => ("stream", stream(client).await),
    }
}

async fn prices(client: &Client) -> Result<(), Error> {
    let reply = client.market_price("BTC").time_range("7d").await?;
    assert!(reply.data.len() > 100, "{} points", reply.data.len());
    Ok(())
}

/// Reads the first 150 rows of a list from several pages, and returns their identifiers.
async fn list(client: &Client) -> Result<Vec<String>, Error> {
    let fills = client.hyperliquid_fills(ACCOUNT).limit(40).max_items(150).collect_all().await?;
    Ok(fills.into_iter().map(|fill| fill.fill_id).collect())
}

/// Submits a query as an SQL job. Each turn uses another query, because equal queries share a job.
async fn job(client: &Client, turn: u64) -> Result<(), Error> {
    let query = format!("SELECT number + {turn} AS number FROM numbers(100)");
    let poll = PollPolicy::new().every(Duration::from_millis(10), Duration::from_millis(100));
    let table = client.sql(query).submit().await?.poll_policy(poll).await?;
    assert_eq!(table.len(), 100);
    assert_eq!(table.cells()[99][0].get(), (turn + 99).to_string());
    Ok(())
}

async fn stream(client: &Client) -> Result<(), Error> {
    let mut stream = client.responses("svc-2.0-instant", "What moved ETH today?").stream().await?;
    let mut text = String::new();
    while let Some(part) = stream.next_text().await? {
        text.push_str(&part);
    }

    let answer = stream.into_answer()?;
    assert_eq!(answer.text(), text);
    Ok(())
}

fn outcome(kind: &str, result: &Result<(), Error>) -> String {
    match result {
        Ok(()) => format!("{kind}: success"),
        Err(error) => {
            assert!(EXPECTED.contains(&error.kind()), "no fault explains {error:?}");
            format!("{kind}: {:?}", error.kind())
        }
    }
}

/// Checks that the sandbox charged each successful call with its list price. The sandbox may also have charged
/// failed or dropped calls, at most with their list prices.
fn the_ledger_agrees(client: &Client, sandbox: &Sandbox) {
    let (total, unsettled) = (client.ledger().total(), client.ledger().unsettled());
    let charged = sandbox.charged(KEY).unwrap() as u64;
    let (least, most) = (total.list_price.0, total.list_price.0 + unsettled.list_price.0);
    assert!(
        (least..=most).contains(&charged),
        "{charged} credits were charged: {total:?} {unsettled:?}"
    );

    let remaining = client.ledger().remaining();
    assert_eq!(remaining, Some(Credits(BALANCE as u64 - most)), "reserved credits are left");
}

fn alive_tasks() -> usize {
    Handle::current().metrics().num_alive_tasks()
}

/// Returns the number of open sockets of this process. Returns 0 if the system does not provide `/proc`.
fn open_sockets() -> usize {
    let Ok(entries) = std::fs::read_dir("/proc/self/fd") else { return 0 };
    let targets = entries.filter_map(|entry| std::fs::read_link(entry.ok()?.path()).ok());
    targets.filter(|target| target.to_string_lossy().starts_with("socket:")).count()
}

async fn soon(otherwise: &str, mut is_so: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(30);
    while !is_so() {
        assert!(Instant::now() < end, "{otherwise}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
