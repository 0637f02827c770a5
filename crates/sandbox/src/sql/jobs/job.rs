//! One SQL job.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crypto_intel_sql::{Control, Outcome, Problem};
use serde_json::{Map, Value, json};

use crate::account::Identity;
use crate::refusal::Refusal;
use crypto_intel_world::random::Seed;

use super::super::plan::Plan;
use super::super::refused;
use super::super::tables::Estimate;
use super::order::Order;

/// Seconds for which a finished job is stored.
const KEPT: i64 = 86_400;
/// Recommended polling interval in milliseconds.
const POLL: i64 = 500;

/// A query that runs in the background.
#[derive(Debug)]
pub(in super::super) struct Job {
    id: String,
    query_id: String,
    request_id: String,
    owner: Identity,
    sql: String,
    executed_sql: String,
    normalised: String,
    max_rows: i64,
    created_at: i64,
    estimate: Estimate,
    control: Arc<Control>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    status: Status,
    /// The query, until it starts.
    plan: Option<Plan>,
    started_at: Option<i64>,
    finished_at: Option<i64>,
    started: Option<Instant>,
    elapsed: Duration,
    cancellation_requested: bool,
}

#[derive(Debug)]
enum Status {
    Queued,
    Running,
    Succeeded(Arc<Outcome>),
    Failed(Problem),
    Canceled,
}

impl Status {
    fn name(&self) -> &'static str {
        match self {
            Status::Queued => "queued",
            Status::Running => "running",
            Status::Succeeded(_) => "succeeded",
            Status::Failed(_) => "failed",
            Status::Canceled => "canceled",
        }
    }

    fn is_final(&self) -> bool {
        !matches!(self, Status::Queued | Status::Running)
    }
}

impl Job {
    pub(super) fn new(seed: Seed, request: Seed, now: i64, order: Order) -> Self {
        Job {
            id: seed.uuid(),
            query_id: seed.named("query").uuid(),
            request_id: request.uuid(),
            owner: order.owner,
            sql: order.sql,
            executed_sql: order.plan.executed_sql.clone(),
            normalised: order.plan.normalised.clone(),
            max_rows: order.max_rows,
            created_at: now,
            estimate: order.estimate,
            control: Arc::default(),
            state: Mutex::new(State {
                status: Status::Queued,
                plan: Some(order.plan),
                started_at: None,
                finished_at: None,
                started: None,
                elapsed: Duration::ZERO,
                cancellation_requested: false,
            }),
        }
    }

    /// The job of the examples. It succeeded for every caller, and is never dropped.
    pub(super) fn example(now: i64, owner: Identity) -> Self {
        let seed = Seed::new(0).named("example job");
        let table = Outcome::of_number("1", 1);

        Job {
            id: crypto_intel_world::example::JOB.to_owned(),
            query_id: seed.named("query").uuid(),
            request_id: seed.named("request").uuid(),
            owner,
            sql: "SELECT 1".to_owned(),
            executed_sql: "SELECT 1 LIMIT 1000".to_owned(),
            normalised: String::new(),
            max_rows: 1_000,
            created_at: now,
            estimate: Estimate::default(),
            control: Arc::default(),
            state: Mutex::new(State {
                status: Status::Succeeded(Arc::new(table)),
                plan: None,
                started_at: Some(now),
                finished_at: Some(now),
                started: None,
                elapsed: Duration::ZERO,
                cancellation_requested: false,
            }),
        }
    }

    /// Locks the state. After a panic in another thread it is still consistent.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn owner(&self) -> &Identity {
        &self.owner
    }

    pub(super) fn control(&self) -> Arc<Control> {
        Arc::clone(&self.control)
    }

    pub(super) fn is_called(&self, id: &str) -> bool {
        self.id.eq_ignore_ascii_case(id)
    }

    pub(super) fn is_of(&self, owner: &Identity) -> bool {
        self.owner == *owner
    }

    pub(super) fn is_final(&self) -> bool {
        self.state().status.is_final()
    }

    pub(super) fn is_expired(&self, now: i64) -> bool {
        now >= self.created_at + KEPT
    }

    /// Size of the result in bytes.
    pub(super) fn bytes(&self) -> usize {
        match &self.state().status {
            Status::Succeeded(table) => table.bytes(),
            _ => 0,
        }
    }

    /// Returns true if the job has or will have the result that `order` needs.
    pub(super) fn answers(&self, order: &Order) -> bool {
        let same = self.owner == order.owner
            && self.normalised == order.plan.normalised
            && self.max_rows == order.max_rows;
        let state = self.state();
        let is_of_use = !matches!(state.status, Status::Failed(_) | Status::Canceled);
        same && is_of_use && !state.cancellation_requested
    }

    /// Starts the job. `None` if it was canceled before.
    pub(super) fn start(&self, now: i64) -> Option<Plan> {
        let mut state = self.state();
        let plan = state.plan.take()?;
        if state.status.is_final() {
            return None;
        }
        state.status = Status::Running;
        state.started_at = Some(now);
        state.started = Some(Instant::now());
        Some(plan)
    }

    pub(super) fn end(&self, now: i64, done: Result<Outcome, Problem>) {
        let mut state = self.state();
        if state.status.is_final() {
            return;
        }
        state.finished_at = Some(now);
        state.elapsed = state.started.map_or(Duration::ZERO, |started| started.elapsed());
        state.status = match done {
            // A cancelled job never reports success.
            _ if state.cancellation_requested => Status::Canceled,
            Ok(table) => Status::Succeeded(Arc::new(table)),
            Err(Problem::Stopped) => Status::Canceled,
            Err(problem) => Status::Failed(problem),
        };
    }

    /// Cancels a job that has not ended: at once in the queue, otherwise as soon as it notices.
    pub(in super::super) fn cancel(&self, now: i64) {
        let mut state = self.state();
        match state.status {
            Status::Queued => {
                state.status = Status::Canceled;
                state.plan = None;
                state.finished_at = Some(now);
                state.cancellation_requested = true;
            }
            Status::Running => {
                state.cancellation_requested = true;
                self.control.stop();
            }
            Status::Succeeded(_) | Status::Failed(_) | Status::Canceled => {}
        }
    }

    /// Rows of the result.
    ///
    /// # Errors
    /// 400 before the job has succeeded, and for a job that failed.
    pub(in super::super) fn table(&self) -> Result<Arc<Outcome>, Refusal> {
        let state = self.state();
        if let Status::Succeeded(table) = &state.status {
            return Ok(Arc::clone(table));
        }
        let (name, id) = (state.status.name(), &self.id);
        let message = if state.status.is_final() {
            format!("job `{id}` is {name} and has no rows")
        } else {
            format!("job `{id}` is {name}; its rows come when it has succeeded")
        };
        let mut refusal = Refusal::invalid(message);
        refusal.more.push(("status", name.into()));
        refusal.more.push(("recommended_action", action(&state.status).into()));
        Err(refusal)
    }

    /// Writes the `SqlJob` record.
    pub(in super::super) fn record(&self) -> Value {
        let state = self.state();
        let (rows, bytes) = self.control.read();
        let elapsed = match (&state.status, state.started) {
            (Status::Running, Some(started)) => started.elapsed(),
            _ => state.elapsed,
        };
        let path = format!("/gateway/v1/onchain/sql/jobs/{}", self.id);

        let mut record = json!({
            "request_id": self.request_id, "job_id": self.id, "query_id": self.query_id,
            "status": state.status.name(), "sql": self.sql, "executed_sql": self.executed_sql,
            "parameters": {}, "max_rows": self.max_rows,
            "created_at": self.created_at, "expires_at": self.created_at + KEPT,
            "elapsed_ms": u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX),
            "processed_rows": rows, "processed_bytes": bytes,
            "estimated_rows": self.estimate.rows, "estimated_bytes": self.estimate.bytes,
            "retryable": is_retryable(&state.status),
            "cancellation_requested": state.cancellation_requested && !state.status.is_final(),
            "recommended_action": action(&state.status),
            "poll_url": path,
            "progress_percent": match state.status {
                Status::Succeeded(_) => 100.0,
                _ => self.control.percent(),
            },
        });

        if let Some(members) = record.as_object_mut() {
            add_optional(members, &state, &path);
        }

        record
    }
}

/// Adds the fields that exist only in some states.
fn add_optional(members: &mut Map<String, Value>, state: &State, path: &str) {
    let mut add = |name: &str, value: Value| members.insert(name.to_owned(), value);
    for (name, time) in [("started_at", state.started_at), ("finished_at", state.finished_at)] {
        if let Some(time) = time {
            add(name, time.into());
        }
    }

    match &state.status {
        Status::Queued | Status::Running => {
            add("retry_after_ms", POLL.into());
        }
        Status::Succeeded(table) => {
            add("row_count", table.rows().len().into());
            add("result_url", format!("{path}/results").into());
            add("csv_url", format!("{path}/results?format=csv").into());
        }
        Status::Failed(problem) => {
            add("error", json!({"code": refused::code(problem), "message": problem.to_string()}));
        }
        Status::Canceled => {}
    }
}

/// Returns true if submitting the query again may succeed.
fn is_retryable(status: &Status) -> bool {
    match status {
        Status::Canceled => true,
        Status::Failed(problem) => matches!(problem, Problem::Stopped | Problem::Internal(_)),
        Status::Queued | Status::Running | Status::Succeeded(_) => false,
    }
}

/// Recommended action in the service's words.
fn action(status: &Status) -> &'static str {
    match status {
        Status::Queued | Status::Running => "poll",
        Status::Succeeded(_) => "read_results",
        Status::Failed(problem) if problem.is_overload() => "narrow_query",
        Status::Failed(Problem::Text(_)) => "correct_query",
        Status::Failed(_) | Status::Canceled => "submit_again",
    }
}
