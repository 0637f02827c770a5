//! One SQL job, which runs a query in the background.
//!
//! The input is a query and the account that submitted it. The output is the state of the job, and the rows of its
//! result.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crypto_intel_sql::{Control, Outcome, Problem};
use serde_json::{Map, Value, json};

use crate::account::Identity;
use crate::refusal::Refusal;
use crypto_intel_world::random::Seed;

use super::super::plan::Plan;
use super::super::refused;
use super::super::saved::{Failure, JobEnd, JobOrder, JobRows, Progress, SavedJob};
use super::order::Order;

/// Number of seconds for which a job is stored after it was submitted.
const KEPT: i64 = 86_400;
/// Polling interval that the sandbox recommends to callers, in milliseconds.
const POLL: i64 = 500;

/// A SQL query that runs in the background.
#[derive(Debug)]
pub(in super::super) struct Job {
    order: JobOrder,
    control: Arc<Control>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    status: Status,
    /// Query of the job. `None` after the job has started or was canceled.
    plan: Option<Plan>,
    started_at: Option<i64>,
    finished_at: Option<i64>,
    started: Option<Instant>,
    elapsed: Duration,
    cancellation_requested: bool,
    /// Rows and bytes that the query had read when the job ended.
    read: Progress,
}

#[derive(Debug)]
enum Status {
    Queued,
    Running,
    Over(JobEnd),
}

impl Status {
    fn name(&self) -> &'static str {
        match self {
            Status::Queued => "queued",
            Status::Running => "running",
            Status::Over(JobEnd::Succeeded(_)) => "succeeded",
            Status::Over(JobEnd::Failed(_)) => "failed",
            Status::Over(JobEnd::Canceled) => "canceled",
        }
    }

    fn is_final(&self) -> bool {
        matches!(self, Status::Over(_))
    }
}

impl State {
    /// Returns the state of a new job that waits in the queue.
    fn queued(plan: Plan) -> Self {
        State {
            status: Status::Queued,
            plan: Some(plan),
            started_at: None,
            finished_at: None,
            started: None,
            elapsed: Duration::ZERO,
            cancellation_requested: false,
            read: Progress::default(),
        }
    }
}

impl Job {
    fn with(order: JobOrder, state: State) -> Self {
        Job { order, control: Arc::default(), state: Mutex::new(state) }
    }

    pub(super) fn new(seed: Seed, request: Seed, now: i64, order: Order) -> Self {
        let head = JobOrder {
            id: seed.uuid(),
            query_id: seed.named("query").uuid(),
            request_id: request.uuid(),
            owner: order.owner,
            sql: order.sql,
            executed_sql: order.plan.executed_sql.clone(),
            normalised: order.plan.normalised.clone(),
            max_rows: order.max_rows,
            created_at: now,
            estimated_rows: order.estimate.rows,
            estimated_bytes: order.estimate.bytes,
        };
        Job::with(head, State::queued(order.plan))
    }

    /// Creates the example job for the caller `owner`. The job has already succeeded. Example calls of operations with
    /// the parameter `job_id` contain the id of this job.
    pub(super) fn example(now: i64, owner: Identity) -> Self {
        let seed = Seed::new(0).named("example job");
        let order = JobOrder {
            id: crypto_intel_world::example::JOB.to_owned(),
            query_id: seed.named("query").uuid(),
            request_id: seed.named("request").uuid(),
            owner,
            sql: "SELECT 1".to_owned(),
            executed_sql: "SELECT 1 LIMIT 1000".to_owned(),
            normalised: String::new(),
            max_rows: 1_000,
            created_at: now,
            estimated_rows: 0,
            estimated_bytes: 0,
        };
        let saved = SavedJob {
            order,
            started_at: Some(now),
            finished_at: Some(now),
            elapsed_ms: 0,
            cancellation_requested: false,
            progress: Progress { percent: 100.0, ..Progress::default() },
            end: Some(JobEnd::Succeeded(Arc::new(job_rows(&Outcome::of_number("1", 1))))),
        };
        Job::from_ended(saved)
    }

    /// Creates a job from its saved form. A job that has not ended is queued again. The function `plan` parses the
    /// job's query.
    pub(super) fn from_saved(
        saved: SavedJob,
        plan: impl FnOnce(&JobOrder) -> Result<Plan, Problem>,
    ) -> Self {
        if saved.end.is_some() {
            return Job::from_ended(saved);
        }
        match plan(&saved.order) {
            Ok(plan) => Job::with(saved.order, State::queued(plan)),
            Err(problem) => Job::from_ended(SavedJob { end: Some(failed(&problem)), ..saved }),
        }
    }

    fn from_ended(saved: SavedJob) -> Self {
        let state = State {
            status: Status::Over(saved.end.unwrap_or(JobEnd::Canceled)),
            plan: None,
            started_at: saved.started_at,
            finished_at: saved.finished_at,
            started: None,
            elapsed: Duration::from_millis(saved.elapsed_ms),
            cancellation_requested: saved.cancellation_requested,
            read: saved.progress,
        };
        Job::with(saved.order, state)
    }

    /// Returns the job as it is written to a saved state of the sandbox.
    pub(super) fn to_saved(&self) -> SavedJob {
        let state = self.state();
        let end = match &state.status {
            Status::Over(end) => Some(end.clone()),
            Status::Queued | Status::Running => None,
        };
        let has_ended = end.is_some();
        SavedJob {
            order: self.order.clone(),
            started_at: state.started_at.filter(|_| has_ended),
            finished_at: state.finished_at,
            elapsed_ms: millis(state.elapsed),
            cancellation_requested: state.cancellation_requested && has_ended,
            progress: state.read,
            end,
        }
    }

    /// Locks the state of the job. Ignores a poisoned lock, because the state is consistent even after a panic.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn owner(&self) -> &Identity {
        &self.order.owner
    }

    pub(super) fn control(&self) -> Arc<Control> {
        Arc::clone(&self.control)
    }

    pub(super) fn is_called(&self, id: &str) -> bool {
        self.order.id.eq_ignore_ascii_case(id)
    }

    pub(super) fn is_of(&self, owner: &Identity) -> bool {
        self.order.owner == *owner
    }

    pub(super) fn is_final(&self) -> bool {
        self.state().status.is_final()
    }

    pub(super) fn is_expired(&self, now: i64) -> bool {
        now >= self.order.created_at + KEPT
    }

    /// Returns the size of the job's result in bytes, or 0 if the job has no result.
    pub(super) fn bytes(&self) -> usize {
        match &self.state().status {
            Status::Over(JobEnd::Succeeded(rows)) => rows.json.len() + rows.csv.len(),
            _ => 0,
        }
    }

    /// Returns true if the result of this job is also the result for `order`, a request for a job. The job and `order`
    /// must have the same owner, query and row limit. Returns false if the job has failed, was canceled, or is being
    /// canceled.
    pub(super) fn answers(&self, order: &Order) -> bool {
        let same = self.order.owner == order.owner
            && self.order.normalised == order.plan.normalised
            && self.order.max_rows == order.max_rows;
        let state = self.state();
        let is_of_use = !matches!(state.status, Status::Over(JobEnd::Failed(_) | JobEnd::Canceled));
        same && is_of_use && !state.cancellation_requested
    }

    /// Marks the job as running, and returns its query. `None` if the job was canceled before.
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

    pub(super) fn end(&self, now: i64, done: Result<JobRows, Problem>) {
        let mut state = self.state();
        if state.status.is_final() {
            return;
        }
        state.finished_at = Some(now);
        state.elapsed = state.started.map_or(Duration::ZERO, |started| started.elapsed());
        state.read = self.progress();
        state.status = Status::Over(match done {
            // A cancelled job never reports success.
            _ if state.cancellation_requested => JobEnd::Canceled,
            Ok(rows) => JobEnd::Succeeded(Arc::new(rows)),
            Err(Problem::Stopped) => JobEnd::Canceled,
            Err(problem) => failed(&problem),
        });
    }

    /// Cancels a job that has not ended. A queued job ends at once. A running job ends as soon as its query checks for
    /// cancellation.
    pub(in super::super) fn cancel(&self, now: i64) {
        let mut state = self.state();
        match state.status {
            Status::Queued => {
                state.status = Status::Over(JobEnd::Canceled);
                state.plan = None;
                state.finished_at = Some(now);
                state.cancellation_requested = true;
            }
            Status::Running => {
                state.cancellation_requested = true;
                self.control.stop();
            }
            Status::Over(_) => {}
        }
    }

    /// Returns the rows and bytes that the query has read so far, and its progress in percent.
    fn progress(&self) -> Progress {
        let (rows, bytes) = self.control.read();
        Progress { rows, bytes, percent: self.control.percent() }
    }

    /// Returns the rows of the job's result.
    ///
    /// # Errors
    /// Returns status 400 if the job has not ended yet, has failed, or was canceled.
    pub(in super::super) fn rows(&self) -> Result<Arc<JobRows>, Refusal> {
        let state = self.state();
        if let Status::Over(JobEnd::Succeeded(rows)) = &state.status {
            return Ok(Arc::clone(rows));
        }
        let (name, id) = (state.status.name(), &self.order.id);
        let message = if state.status.is_final() {
            format!("job `{id}` is {name} and has no rows")
        } else {
            format!("job `{id}` is {name}; its rows exist only after it has succeeded")
        };
        let mut refusal = Refusal::invalid(message);
        refusal.more.push(("status", name.into()));
        refusal.more.push(("recommended_action", action(&state.status).into()));
        Err(refusal)
    }

    /// Returns the job as a JSON object with the fields of the record `SqlJob`.
    pub(in super::super) fn record(&self) -> Value {
        let state = self.state();
        let read = if state.status.is_final() { state.read } else { self.progress() };
        let elapsed = match (&state.status, state.started) {
            (Status::Running, Some(started)) => started.elapsed(),
            _ => state.elapsed,
        };
        let order = &self.order;
        let path = format!("/gateway/v1/onchain/sql/jobs/{}", order.id);

        let mut record = json!({
            "request_id": order.request_id, "job_id": order.id, "query_id": order.query_id,
            "status": state.status.name(), "sql": order.sql, "executed_sql": order.executed_sql,
            "parameters": {}, "max_rows": order.max_rows,
            "created_at": order.created_at, "expires_at": order.created_at + KEPT,
            "elapsed_ms": millis(elapsed),
            "processed_rows": read.rows, "processed_bytes": read.bytes,
            "estimated_rows": order.estimated_rows, "estimated_bytes": order.estimated_bytes,
            "retryable": is_retryable(&state.status),
            "cancellation_requested": state.cancellation_requested && !state.status.is_final(),
            "recommended_action": action(&state.status),
            "poll_url": path,
            "progress_percent": match state.status {
                Status::Over(JobEnd::Succeeded(_)) => 100.0,
                _ => read.percent,
            },
        });

        if let Some(members) = record.as_object_mut() {
            add_optional(members, &state, &path);
        }

        record
    }
}

/// Adds the fields that a `SqlJob` record has only in some states, such as the error of a failed job.
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
        Status::Over(JobEnd::Succeeded(rows)) => {
            add("row_count", rows.count.into());
            add("result_url", format!("{path}/results").into());
            add("csv_url", format!("{path}/results?format=csv").into());
        }
        Status::Over(JobEnd::Failed(failure)) => {
            add("error", json!({"code": failure.code, "message": failure.message}));
        }
        Status::Over(JobEnd::Canceled) => {}
    }
}

/// Returns the final state of a job that failed with this error.
fn failed(problem: &Problem) -> JobEnd {
    let action = match problem {
        problem if problem.is_overload() => "narrow_query",
        Problem::Text(_) => "correct_query",
        _ => "submit_again",
    };
    JobEnd::Failed(Failure {
        code: refused::code(problem).to_owned(),
        message: problem.to_string(),
        retryable: matches!(problem, Problem::Stopped | Problem::Internal(_)),
        action: action.to_owned(),
    })
}

/// Formats the rows of a query result as JSON and as CSV.
pub(super) fn job_rows(outcome: &Outcome) -> JobRows {
    JobRows { count: outcome.rows().len(), json: outcome.json(), csv: outcome.csv() }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Returns true if the job was canceled, or failed with a retryable error such as an internal error. A new job with the
/// same query may then succeed.
fn is_retryable(status: &Status) -> bool {
    match status {
        Status::Over(JobEnd::Canceled) => true,
        Status::Over(JobEnd::Failed(failure)) => failure.retryable,
        Status::Queued | Status::Running | Status::Over(JobEnd::Succeeded(_)) => false,
    }
}

/// Returns the action that the service recommends for a job in this state, such as `poll`.
fn action(status: &Status) -> &str {
    match status {
        Status::Queued | Status::Running => "poll",
        Status::Over(JobEnd::Succeeded(_)) => "read_results",
        Status::Over(JobEnd::Failed(failure)) => &failure.action,
        Status::Over(JobEnd::Canceled) => "submit_again",
    }
}
