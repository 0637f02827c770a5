//! Responds to requests for SQL operations. Each query runs on its own thread, while other requests are
//! served.

use std::pin::pin;
use std::sync::Arc;

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use crypto_intel_sql::{Control, Limits, Outcome, Problem};
use futures_util::future::{Either, select};
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::account::Identity;
use crate::answer;
use crate::clock::Clock;
use crate::context::Context;
use crate::paging::Page;
use crate::refusal::Refusal;
use crate::stop::Stop;
use crypto_intel_world::ScenarioEffects;
use crypto_intel_world::args::Args;
use crypto_intel_world::random::Seed;

use super::form::Form;
use super::jobs::{Job, Jobs, Order};
use super::plan::{self, Outlook, Plan};
use super::saved::SavedJobs;
use super::settings::Settings;
use super::tables;
use super::thread::{Watched, on_a_thread};
use super::world::World;

/// Maximum number of SQL tasks that run at the same time. A task runs a synchronous query, or checks a query without
/// running the query. Further tasks wait. SQL jobs are not counted.
const SIDE_BY_SIDE: usize = 2;
/// SQL operations of a sandbox.
#[derive(Debug)]
pub(crate) struct Sql {
    pub(super) settings: Settings,
    places: Semaphore,
    jobs: Arc<Jobs>,
    stop: Stop,
}

impl Sql {
    pub(crate) fn new(settings: Settings, clock: Clock, stop: Stop) -> Self {
        let jobs = Arc::new(Jobs::new(&settings, clock, stop.clone()));
        Sql { settings, places: Semaphore::new(SIDE_BY_SIDE), jobs, stop }
    }

    pub(crate) fn settings(&self) -> Settings {
        self.settings
    }

    /// Returns the data of all SQL jobs for a saved state.
    pub(crate) fn to_saved(&self) -> SavedJobs {
        self.jobs.to_saved()
    }

    /// Adds the SQL jobs of a saved sandbox.
    pub(crate) fn restore(&self, seed: Seed, scenario: ScenarioEffects, saved: SavedJobs) {
        self.jobs.restore(seed, scenario, saved);
    }

    /// Cancels all SQL jobs that have not ended.
    pub(crate) fn abandon(&self, now: i64) {
        self.jobs.cancel_all(now);
    }

    /// Responds to a request for a SQL operation.
    ///
    /// # Errors
    /// Returns an error if the query is invalid, too slow or too large. Also returns an error if a job is rejected or
    /// does not exist.
    pub(crate) async fn answer(
        &self,
        ctx: &Context<'_>,
        args: &Args,
        identity: &Identity,
        form: Form,
    ) -> Result<Response, Refusal> {
        if args.operation.id == "onchain-sql-job-results" && form == Form::Csv {
            let csv = self.job(ctx, args, identity)?.rows()?.csv.clone();
            return Ok(([(header::CONTENT_TYPE, "text/csv; charset=utf-8")], csv).into_response());
        }
        let text = self.document(ctx, args, identity).await?;
        let status = StatusCode::from_u16(args.operation.success).unwrap_or(StatusCode::OK);
        Ok((status, [(header::CONTENT_TYPE, "application/json")], text).into_response())
    }

    async fn document(
        &self,
        ctx: &Context<'_>,
        args: &Args,
        identity: &Identity,
    ) -> Result<String, Refusal> {
        let sql = args.text("sql").unwrap_or_default();
        let max_rows = args.integer("max_rows").unwrap_or(1_000);

        match args.operation.id {
            "onchain-schema" => {
                let rows: Vec<_> =
                    tables::TABLES.iter().map(|table| table.described(ctx)).collect();
                let (count, limit) = (rows.len(), i64::try_from(rows.len()).unwrap_or(i64::MAX));
                let place = ResultPosition { limit, offset: 0, total: Some(count), more: false };
                Ok(listed(ctx, args, &Value::from(rows).to_string(), count, place))
            }
            "onchain-sql" => {
                let limits = plan::limits(&self.settings, max_rows, false);
                let (world, text) = (world(ctx), sql.to_owned());
                let work = move |control: &Control| Plan::read(&text, limits)?.run(world, control);
                let table = self.on_thread(limits, work).await?;
                let count = table.rows().len();
                // If rows were cut off, the total is unknown.
                let total = (!table.is_cut()).then_some(count);
                let place =
                    ResultPosition { limit: max_rows, offset: 0, total, more: table.is_cut() };

                Ok(listed(ctx, args, &table.json(), count, place))
            }
            "onchain-sql-preflight" => {
                let limits = plan::limits(&self.settings, max_rows, false);
                let (world, text) = (world(ctx), sql.to_owned());
                let work = move |_: &Control| plan::preflight(world, &text, limits);
                let mut record = self.on_thread(limits, work).await?;
                let seed = ctx.seed.named("preflight").at(ctx.nonce);
                record["request_id"] = seed.named("request").uuid().into();
                record["query_id"] = seed.named("query").uuid().into();
                Ok(record_response(ctx, args, &record))
            }

            "onchain-sql-job-create" => {
                let job = self.submit(ctx, identity, sql, max_rows).await?;
                Ok(record_response(ctx, args, &job.record()))
            }
            "onchain-sql-job-get" => {
                Ok(record_response(ctx, args, &self.job(ctx, args, identity)?.record()))
            }
            "onchain-sql-job-cancel" => {
                let job = self.job(ctx, args, identity)?;
                job.cancel(ctx.now);
                Ok(record_response(ctx, args, &job.record()))
            }
            "onchain-sql-job-results" => {
                let rows = self.job(ctx, args, identity)?.rows()?;
                let meta = answer::meta(ctx, "ObjectResponseMeta", &Page::single(), None);
                Ok(answer::envelope(args.operation, &rows.json, &meta))
            }
            _ => self.structured(ctx, args).await,
        }
    }

    fn job(
        &self,
        ctx: &Context<'_>,
        args: &Args,
        identity: &Identity,
    ) -> Result<Arc<Job>, Refusal> {
        self.jobs.find(ctx.now, identity, args.text("job_id").unwrap_or_default())
    }

    /// Checks a query and submits it as a SQL job.
    ///
    /// # Errors
    /// Returns an error if the query is invalid, or if the queue or the circuit breaker rejects the job. Also returns
    /// an error if the query violates a rule for large tables. For example, a query on a large table must have a
    /// condition such as `block_date >= today() - 7`.
    async fn submit(
        &self,
        ctx: &Context<'_>,
        identity: &Identity,
        sql: &str,
        max_rows: i64,
    ) -> Result<Arc<Job>, Refusal> {
        let limits = plan::limits(&self.settings, max_rows, true);
        let (world, text) = (world(ctx), sql.to_owned());
        let checked = Limits { time: self.settings.window, ..limits };
        let work = move |_: &Control| {
            let plan = Plan::read(&text, limits)?;
            let outlook = Outlook::new(&plan.prepare(world)?, world);
            Ok((plan, outlook))
        };
        let (plan, outlook) = self.on_thread(checked, work).await?;
        if let Some(breach) = outlook.breaches.first() {
            return Err(breach.problem().into());
        }

        let order = Order {
            owner: identity.clone(),
            sql: sql.to_owned(),
            max_rows,
            plan,
            estimate: outlook.estimate,
        };

        self.jobs.submit(ctx, order)
    }

    /// Runs a synchronous query on its own thread. `plan` contains the query and its limits, such as the maximum time.
    pub(super) async fn run(&self, ctx: &Context<'_>, plan: Plan) -> Result<Outcome, Problem> {
        let world = world(ctx);
        self.on_thread(plan.limits, move |control| plan.run(world, control)).await
    }

    /// Runs `work` on its own thread, and waits for its result. `work` is stopped when the caller disconnects or the
    /// sandbox stops.
    async fn on_thread<T: Send + 'static>(
        &self,
        limits: Limits,
        work: impl FnOnce(&Control) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let too_long = || Problem::TooLong(limits.time);
        let place = timeout(limits.time, self.places.acquire()).await;
        let _place = place.map_err(|_| too_long())?;
        let control = Arc::new(Control::default());
        let _watched = Watched(Arc::clone(&control));
        let done = on_a_thread(Arc::clone(&control), work);
        match select(pin!(done), pin!(self.stop.wait())).await {
            Either::Left((done, _)) => done,
            Either::Right(_) => Err(Problem::Stopped),
        }
    }
}

fn world(ctx: &Context<'_>) -> World {
    World { seed: ctx.seed, now: ctx.now, scenario: ctx.scenario }
}

/// Formats a response with `count` rows of a query result. `rows` is the JSON text of these rows, and `place` is the
/// position of these rows in the whole result.
pub(super) fn listed(
    ctx: &Context<'_>,
    args: &Args,
    rows: &str,
    count: usize,
    place: ResultPosition,
) -> String {
    let page = Page {
        rows: 0..count,
        limit: place.limit,
        offset: place.offset,
        total: place.total,
        has_more: place.total.is_some_and(|total| {
            usize::try_from(place.offset).unwrap_or(0).saturating_add(count) < total
        }) || place.more,
        next: None,
    };
    answer::envelope(args.operation, rows, &answer::meta(ctx, "OffsetMeta", &page, None))
}

/// Position of the returned rows in the whole result of a query.
pub(super) struct ResultPosition {
    pub(super) limit: i64,
    pub(super) offset: i64,
    pub(super) total: Option<usize>,
    /// True if the result has more rows than the row limit. The number of these further rows is unknown.
    pub(super) more: bool,
}

/// Formats a response whose data are one record.
fn record_response(ctx: &Context<'_>, args: &Args, record: &Value) -> String {
    let meta = answer::meta(ctx, "ObjectResponseMeta", &Page::single(), None);
    answer::envelope(args.operation, &record.to_string(), &meta)
}
