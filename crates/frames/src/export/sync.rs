//! Runs many exports together. A plan contains the operations, arguments and time ranges of the exports. The maximum
//! cost of the plan is known before the first request.
//!
//! The input is a [`SyncPlan`], in any format that serde can read. The output is one folder and one result per export.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use chrono::{NaiveDate, NaiveTime, TimeDelta};
use crypto_intel::credits::Credits;
use crypto_intel::{Client, DynamicRequest, Error as CallError, ErrorKind};
use futures_util::future::{Future, FutureExt, Shared};
use futures_util::stream::{self, StreamExt};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::partition::escaped;
use super::report::{Progress, Report};
use super::settings::{DryRun, Export, ExportExt, Format};
use crate::error::Error;
use crate::options::Options;

const DAY: Duration = Duration::from_secs(86_400);

/// Plan of exports that run together.
///
/// ```
/// use crypto_intel_frames::export::SyncPlan;
///
/// let plan: SyncPlan = serde_json::from_value(serde_json::json!({
///     "side_by_side": 2,
///     "export": [{
///         "operation": "market-price",
///         "arguments": {"symbol": ["BTC", "ETH"]},
///         "windows": {"from": "2026-01-01", "to": "2026-03-02", "days": 30},
///     }],
/// }))?;
/// let client = crypto_intel::Client::builder().base_url("http://127.0.0.1:8787").api_key("sk-example").build()?;
/// let sync = plan.prepare(&client)?;
/// // Two symbols, and two time ranges each.
/// assert_eq!(sync.bill().exports.len(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct SyncPlan {
    /// Maximum number of exports that run at once; 4 by default.
    #[serde(default = "four")]
    pub side_by_side: usize,
    /// Entries of the plan. Each entry contains the exports of one operation.
    pub export: Vec<PlannedExport>,
}

fn four() -> usize {
    4
}

/// Exports of one operation in a [`SyncPlan`]. There is one export per combination of argument values and time range.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct PlannedExport {
    /// Identifier of the operation.
    pub operation: String,
    /// Arguments by parameter name. If an argument is a list, there is one export per item of the list.
    #[serde(default)]
    pub arguments: BTreeMap<String, Value>,
    /// Time ranges, with one export per range. Only operations with the parameters `from` and `to` accept them.
    pub windows: Option<Windows>,
    /// Number of days that each later run requests again, because the service may return late or changed rows for these
    /// days. For example, the latest stored row is from 10 March and the number is 2. The next run then usually
    /// requests the rows from 8 March on; see [`Export::update`] for the exact rule. If the number is `None`, later
    /// runs request nothing for an export that has ended.
    pub overlap_days: Option<u32>,
    /// Maximum number of rows of each export.
    pub max_rows: Option<u64>,
    /// Format of the files: `parquet` (the default), `arrow`, `csv` or `ndjson`.
    pub format: Option<Format>,
    /// True to add the provenance columns to the tables; see [`Options::provenance`].
    #[serde(default)]
    pub provenance: bool,
}

/// Consecutive time ranges of whole days (UTC).
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Windows {
    /// First day of the first time range.
    #[serde(deserialize_with = "day")]
    pub from: NaiveDate,
    /// First day after the last time range. For example, if `to` is 2026-03-02, the last time range includes 2026-03-01
    /// but not 2026-03-02.
    #[serde(deserialize_with = "day")]
    pub to: NaiveDate,
    /// Number of days in each time range. The last time range can be shorter.
    pub days: u32,
}

/// Deserializes a day such as `2026-01-31`.
fn day<'de, D: Deserializer<'de>>(deserializer: D) -> Result<NaiveDate, D::Error> {
    let text = String::deserialize(deserializer)?;
    let wrong = |_| D::Error::custom(format!("`{text}` is not a day such as 2026-01-31"));
    text.parse().map_err(wrong)
}

/// Exports of a plan, ready to run.
#[must_use = "a prepared sync does nothing until `run` is called"]
pub struct PreparedSync {
    jobs: Vec<(String, Export)>,
    side_by_side: usize,
}

/// Maximum list price of a plan. The calculation assumes that no export of the plan has run before.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Bill {
    /// Name and maximum cost of each export.
    pub exports: Vec<(String, DryRun)>,
    /// Sum of the maximum list prices of the exports. The sum does not include exports without a maximum list price;
    /// the field [`open`](Self::open) counts these exports.
    pub credits: Credits,
    /// Number of exports without a maximum list price. An export has no maximum list price if its number of requests is
    /// not limited, or if the price of its operation is not published.
    pub open: usize,
}

/// Result of one export of a plan.
#[derive(Debug)]
#[non_exhaustive]
pub struct Synced {
    /// Name of the export. It is also the path of the export's folder, relative to the folder of the plan.
    pub name: String,
    /// Report or error of the export. The other exports continue after an error.
    pub result: Result<Report, Error>,
}

impl Synced {
    /// Returns true if the export ended because the client's budget or the account's credits were used up.
    #[must_use]
    pub fn is_over_budget(&self) -> bool {
        let kind = match &self.result {
            Err(Error::Call(error)) => error.kind(),
            _ => return false,
        };
        matches!(kind, ErrorKind::OverBudget | ErrorKind::InsufficientCredits)
    }
}

impl SyncPlan {
    /// Creates the exports of the plan. Sends no request.
    ///
    /// # Errors
    /// Returns an error if the plan contains an unknown operation or parameter, an argument of the wrong type, or two
    /// exports with the same name. Also returns the errors of [`Export::dry_run`]. If `overlap_days` is set for an
    /// operation without updates, this method succeeds, and the results of [`run`](PreparedSync::run) contain the
    /// error.
    pub fn prepare(&self, client: &Client) -> Result<PreparedSync, Error> {
        let mut jobs: Vec<(String, Export)> = Vec::new();
        for planned in &self.export {
            for (name, request) in planned.requests(client)? {
                if jobs.iter().any(|(other, _)| *other == name) {
                    return Err(planned.invalid(format!("the plan contains `{name}` twice")));
                }
                let export = planned.settings(request.export());
                export.dry_run()?;
                jobs.push((name, export));
            }
        }
        Ok(PreparedSync { jobs, side_by_side: self.side_by_side.max(1) })
    }
}

impl PlannedExport {
    fn invalid(&self, reason: impl std::fmt::Display) -> Error {
        let message = format!("plan: {}: {reason}", self.operation);
        CallError::new(ErrorKind::InvalidRequest, message).into()
    }

    /// Returns the name and the request of each export that this plan entry describes. For example, an entry with two
    /// symbols and two time ranges describes four exports.
    fn requests(&self, client: &Client) -> Result<Vec<(String, DynamicRequest)>, Error> {
        let request =
            client.request(&self.operation).map_err(|error| self.invalid(error.message()))?;
        let mut requests = vec![(Vec::<String>::new(), request)];
        for (param, value) in &self.arguments {
            let values = match value {
                Value::Array(values) => values.as_slice(),
                value => std::slice::from_ref(value),
            };
            let mut next = Vec::new();
            for (name, request) in &requests {
                for value in values {
                    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                    let request = request.clone().with_text(param, &text);
                    let request = request.map_err(|error| self.invalid(error.message()))?;
                    let part = format!("{}={}", escaped(param), escaped(&text));
                    next.push(([&name[..], &[part]].concat(), request));
                }
            }
            requests = next;
        }

        let mut named = Vec::new();
        for (name, request) in requests {
            for (window, request) in self.in_windows(request)? {
                let parts: Vec<String> = name.iter().cloned().chain(window).collect();
                let folder = if parts.is_empty() { "all".to_owned() } else { parts.join(",") };
                if folder.len() > 200 {
                    return Err(self.invalid(format!("the folder name `{folder}` is too long")));
                }
                named.push((format!("{}/{folder}", self.operation), request));
            }
        }
        Ok(named)
    }

    fn in_windows(
        &self,
        request: DynamicRequest,
    ) -> Result<Vec<(Option<String>, DynamicRequest)>, Error> {
        let Some(windows) = &self.windows else { return Ok(vec![(None, request)]) };
        let days = TimeDelta::days(windows.days.max(1).into());
        let seconds = |day: NaiveDate| day.and_time(NaiveTime::MIN).and_utc().timestamp();
        let mut found = Vec::new();
        let mut start = windows.from;
        while start < windows.to {
            let end = start.checked_add_signed(days).map_or(windows.to, |end| end.min(windows.to));
            // The time `to` is part of the range, so the next range begins one second later.
            let of_window = request
                .clone()
                .with_text("from", &seconds(start).to_string())
                .and_then(|request| request.with_text("to", &(seconds(end) - 1).to_string()));
            let of_window = of_window.map_err(|error| self.invalid(error.message()))?;
            found.push((Some(format!("from={start}")), of_window));
            start = end;
        }
        match found.is_empty() {
            true => Err(self.invalid("`to` of `windows` must be after `from`")),
            false => Ok(found),
        }
    }

    fn settings(&self, export: Export) -> Export {
        let options = Options::default().provenance(self.provenance);
        let mut export = export.options(options).format(self.format.unwrap_or(Format::Parquet));
        if let Some(days) = self.overlap_days {
            export = export.update(DAY * days);
        }
        match self.max_rows {
            Some(rows) => export.max_rows(rows),
            None => export,
        }
    }
}

impl PreparedSync {
    /// Applies `change` to every export, for example to set the name of the data source.
    pub fn each(mut self, change: impl Fn(Export) -> Export) -> Self {
        self.jobs = self.jobs.into_iter().map(|(name, export)| (name, change(export))).collect();
        self
    }

    /// Returns the maximum cost of the exports. Sends no request.
    #[must_use]
    pub fn bill(&self) -> Bill {
        let mut bill = Bill { exports: Vec::new(), credits: Credits(0), open: 0 };
        for (name, export) in &self.jobs {
            // `prepare` has already returned the error of an invalid request.
            let Ok(cost) = export.dry_run() else { continue };
            match cost.list_price.and_then(|price| price.credits()) {
                Some(credits) => bill.credits.0 += credits.0,
                None => bill.open += 1,
            }
            bill.exports.push((name.clone(), cost));
        }
        bill
    }

    /// Runs the exports, each into a folder below `folder`. The budget of the client applies to all exports together. A
    /// second run continues exports that were killed, failed or were stopped. It skips complete exports without
    /// `overlap_days`.
    ///
    /// `on_progress` receives the name and the progress of an export after each page. When `stop` completes, all
    /// exports end as in [`Export::stop_on`]. The results are in the order in which the exports ended.
    pub async fn run(
        self,
        folder: impl AsRef<Path>,
        on_progress: impl Fn(&str, &Progress) + Send + Sync + 'static,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> Vec<Synced> {
        let (folder, on_progress) = (folder.as_ref(), Arc::new(on_progress));
        let stop: Shared<_> = stop.boxed().shared();
        let runs = self.jobs.into_iter().map(|(name, export)| {
            let (tell, of_progress) = (on_progress.clone(), name.clone());
            let export = export
                .on_progress(move |progress| tell(&of_progress, progress))
                .stop_on(stop.clone());
            let folder: PathBuf = folder.join(&name);
            async move { Synced { result: export.to_folder(folder).await, name } }
        });
        stream::iter(runs).buffer_unordered(self.side_by_side).collect().await
    }
}
