//! SQL jobs, with their queue, their workers and their stored results.
//!
//! An account submits a query, which becomes a job. A worker runs the job. The caller can poll or cancel the job.

mod breaker;
mod job;
mod order;

use std::collections::{HashMap, VecDeque};
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crypto_intel_sql::{Control, Problem};
use crypto_intel_world::ScenarioEffects;
use crypto_intel_world::random::Seed;
use futures_util::future::{Either, select};
use tokio::sync::Semaphore;

use crate::account::Identity;
use crate::clock::Clock;
use crate::context::Context;
use crate::refusal::Refusal;
use crate::stop::Stop;

use super::plan::{self, Plan};
use super::rejection::{Rejection, rejected};
use super::saved::{JobOrder, JobRows, SavedJobs};
use super::settings::Settings;
use super::thread::{Watched, on_a_thread};
use super::world::World;

use breaker::Breaker;
pub(super) use job::Job;
pub(super) use order::Order;

/// Maximum number of stored jobs. [`MOST_BYTES`] limits the size of their results in bytes. If a limit is exceeded, the
/// oldest finished jobs are dropped.
const MOST_KEPT: usize = 500;
const MOST_BYTES: usize = 256 << 20;
/// Milliseconds after which a caller should retry if the queue is full.
const QUEUE_WAIT: i64 = 2_000;

/// All SQL jobs of a sandbox.
#[derive(Debug)]
pub(super) struct Jobs {
    store: Mutex<Store>,
    workers: Semaphore,
    settings: Settings,
    clock: Clock,
    stop: Stop,
}

#[derive(Debug, Default)]
struct Store {
    /// Stored jobs, oldest first.
    jobs: VecDeque<Arc<Job>>,
    breakers: HashMap<Identity, Breaker>,
    /// Number of jobs created so far. Job ids depend on this number.
    made: u64,
    /// Unfinished jobs of a saved sandbox, each with its data source. These jobs start when the sandbox receives the
    /// next request for a SQL job.
    waiting: Vec<(Arc<Job>, World)>,
}

impl Jobs {
    pub(super) fn new(settings: &Settings, clock: Clock, stop: Stop) -> Self {
        Jobs {
            store: Mutex::default(),
            workers: Semaphore::new(settings.workers.max(1)),
            settings: *settings,
            clock,
            stop,
        }
    }

    /// Locks the stored jobs. Ignores a poisoned lock, because the jobs are consistent even after a panic.
    fn store(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the data of all jobs, to store them in a saved state of the sandbox.
    pub(super) fn to_saved(&self) -> SavedJobs {
        let store = self.store();
        let breaker = |(owner, breaker): (&Identity, &Breaker)| breaker.to_saved(owner.clone());
        let mut breakers: Vec<_> = store.breakers.iter().map(breaker).collect();
        breakers.sort_unstable();
        let jobs = store.jobs.iter().map(|job| job.to_saved()).collect();
        SavedJobs { made: store.made, breakers, jobs }
    }

    /// Adds the jobs of a saved sandbox. Jobs that have not ended start when the sandbox receives the next request for
    /// a SQL job.
    pub(super) fn restore(&self, seed: Seed, scenario: ScenarioEffects, saved: SavedJobs) {
        let mut store = self.store();
        store.made = saved.made;
        store.breakers = saved.breakers.into_iter().map(Breaker::from_saved).collect();
        for saved in saved.jobs {
            let world = World { seed, now: saved.order.created_at, scenario };
            let plan = |order: &JobOrder| {
                Plan::read(&order.sql, plan::limits(&self.settings, order.max_rows, true))
            };
            let job = Arc::new(Job::from_saved(saved, plan));
            if !job.is_final() {
                store.waiting.push((Arc::clone(&job), world));
            }
            store.jobs.push_back(job);
        }
    }

    /// Cancels all jobs that have not ended.
    pub(super) fn cancel_all(&self, now: i64) {
        self.store().jobs.iter().for_each(|job| job.cancel(now));
    }

    /// Starts the unfinished jobs of a saved sandbox.
    fn resume(self: &Arc<Self>) {
        let waiting = std::mem::take(&mut self.store().waiting);
        for (job, world) in waiting {
            tokio::spawn(Arc::clone(self).work(job, world));
        }
    }

    /// Creates a job for a query. If the caller already has a job for an equal query with an equal row limit, returns
    /// that job. A job that failed, was canceled or is being canceled is not returned.
    ///
    /// # Errors
    /// Returns status 429 if the queue is full. After several consecutive queries of the caller were too large or too
    /// slow, returns status 429 for a minute.
    pub(super) fn submit(
        self: &Arc<Self>,
        ctx: &Context<'_>,
        order: Order,
    ) -> Result<Arc<Job>, Refusal> {
        self.resume();
        let mut store = self.store();
        store.forget(ctx.now);

        // A failed or canceled job is not reused. Otherwise, equal queries would get its error for a day.
        let known = store.jobs.iter().find(|job| job.answers(&order));
        if let Some(job) = known {
            return Ok(Arc::clone(job));
        }

        let request = ctx.seed.named("request").at(ctx.nonce);
        if let Some(wait) = store.breakers.get(&order.owner).and_then(|b| b.closed_in(ctx.now)) {
            let message = "recent queries of this key read too much data or ran too long";
            return Err(rejected(Rejection::CircuitOpen, message, wait * 1_000, request));
        }

        let busy = store.jobs.iter().filter(|job| !job.is_final()).count();
        let room = self.settings.workers.max(1).saturating_add(self.settings.queue);
        if busy >= room {
            let message = format!("{busy} jobs are running or queued: wait until a job ends");
            return Err(rejected(Rejection::QueueFull, &message, QUEUE_WAIT, request));
        }

        store.made += 1;
        let seed = ctx.seed.named("job").named(&order.plan.normalised).at(store.made);
        let job = Arc::new(Job::new(seed, request, ctx.now, order));
        store.jobs.push_back(Arc::clone(&job));
        drop(store);
        tokio::spawn(Arc::clone(self).work(Arc::clone(&job), world(ctx)));

        Ok(job)
    }

    /// Finds the job with the id `id` that the account `owner` submitted.
    ///
    /// # Errors
    /// Returns status 404 if the job is unknown, was dropped, or belongs to another account.
    pub(super) fn find(
        self: &Arc<Self>,
        now: i64,
        owner: &Identity,
        id: &str,
    ) -> Result<Arc<Job>, Refusal> {
        self.resume();
        if id == crypto_intel_world::example::JOB {
            return Ok(Arc::new(Job::example(now, owner.clone())));
        }
        let mut store = self.store();
        store.forget(now);
        let found = store.jobs.iter().find(|job| job.is_called(id) && job.is_of(owner));
        found.cloned().ok_or_else(|| Refusal::not_found(format!("there is no job `{id}`")))
    }

    /// Waits for a free worker, and runs the job. Stops the job when the sandbox stops.
    async fn work(self: Arc<Self>, job: Arc<Job>, world: World) {
        let watched = Watched(job.control());
        let run = async {
            let Ok(_place) = self.workers.acquire().await else { return };
            let Some(plan) = job.start(self.clock.now().0) else { return };
            let work = move |control: &Control| Ok(job::job_rows(&plan.run(world, control)?));
            let done = on_a_thread(job.control(), work);
            self.end(&job, done.await);
        };
        if let Either::Right(_) = select(pin!(run), pin!(self.stop.wait())).await {
            drop(watched);
            self.end(&job, Err(Problem::Stopped));
        }
    }

    fn end(&self, job: &Job, done: Result<JobRows, Problem>) {
        let now = self.clock.now().0;
        let mut store = self.store();
        let breaker = store.breakers.entry(job.owner().clone()).or_default();
        match &done {
            Ok(_) => breaker.succeeded(),
            Err(problem) if problem.is_overload() => breaker.failed(now),
            Err(_) => {}
        }
        job.end(now, done);
    }
}

fn world(ctx: &Context<'_>) -> World {
    World { seed: ctx.seed, now: ctx.now, scenario: ctx.scenario }
}

impl Store {
    /// Drops expired jobs. If there are too many jobs or their results are too large, also drops the oldest finished
    /// jobs.
    fn forget(&mut self, now: i64) {
        self.jobs.retain(|job| !job.is_expired(now) || !job.is_final());
        let mut bytes: usize = self.jobs.iter().map(|job| job.bytes()).sum();
        while self.jobs.len() > MOST_KEPT || bytes > MOST_BYTES {
            let Some(oldest) = self.jobs.iter().position(|job| job.is_final()) else { break };
            if let Some(job) = self.jobs.remove(oldest) {
                bytes = bytes.saturating_sub(job.bytes());
            }
        }
        // Callers without failures since their last successful query need no breaker.
        self.breakers.retain(|_, breaker| !breaker.is_idle());
    }
}
