//! Tests updates of exports. The service returns new, late and changed rows, and some updates are killed or leave gaps.
//! Also tests `read_as_of`, which returns the rows of an earlier time.

use std::collections::{BTreeMap, HashSet};
use std::convert::Infallible;
use std::future::pending;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, UNIX_EPOCH};

use crypto_intel::http::{Request, Response};
use crypto_intel::http_service::{Body, service_fn};
use crypto_intel::{Client, UnixMillis};
use crypto_intel_frames::export::object_store::memory::InMemory;
use crypto_intel_frames::export::{
    Changes, Export, ExportExt, Format, Gap, Outcome, Report, read_as_of,
};
use crypto_intel_frames::{Error, Options};
use crypto_intel_sandbox::{Clock, Sandbox, UnixSeconds};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use tokio::sync::Notify;

use super::export::{read_parquet, sorted_rows};
use super::json::rows;
use super::list;

/// Overlap of the updates in seconds. In the simulated service, a row can appear late, and its title can change. Both
/// happen at most 50 seconds after the row's time.
const OVERLAP: u64 = 50;

/// An article, which is a row of the simulated service.
#[derive(Debug, Clone)]
struct Article {
    time: i64,
    /// Seconds between the publication of the article (`time`) and the time at which the service first returns the
    /// article.
    delay: i64,
    /// Seconds from the article's time until its title changes. `None` if the title never changes.
    restated: Option<i64>,
}

/// State of the simulated service. It contains all articles, and the current time `now` determines which articles the
/// service returns.
#[derive(Debug, Default)]
struct Script {
    articles: Vec<Article>,
    now: i64,
    /// Maximum age of the articles that the service returns, in seconds. `None` means no limit.
    retention: Option<i64>,
    /// Remaining number of requests before the update is killed. The last request gets no response.
    kill_in: Option<usize>,
    requests: usize,
}

impl Script {
    fn row(&self, id: usize, article: &Article) -> Value {
        let is_restated = article.restated.is_some_and(|after| article.time + after <= self.now);
        let title = if is_restated { "corrected" } else { "first" };
        json!({"id": format!("a{id}"), "published_at": article.time, "title": title})
    }

    /// Returns one page of articles as a response. The newest articles come first.
    fn page(&self, from: i64, offset: usize, limit: usize) -> Value {
        let oldest = self.retention.map_or(i64::MIN, |retention| self.now - retention);
        let mut found: Vec<(i64, Value)> = self
            .articles
            .iter()
            .enumerate()
            .filter(|(_, one)| one.time >= from.max(oldest) && one.time + one.delay <= self.now)
            .map(|(id, one)| (one.time, self.row(id, one)))
            .collect();
        found.sort_by_key(|(time, _)| -time);
        let total = found.len();
        let data: Vec<Value> =
            found.into_iter().skip(offset).take(limit).map(|(_, row)| row).collect();
        json!({"data": data, "meta": {
            "total": total, "offset": offset, "limit": limit, "cached": false, "credits_used": 1,
        }})
    }
}

/// A simulated service, and a client that sends requests to this service.
struct Service {
    script: Arc<Mutex<Script>>,
    killed: Arc<Notify>,
    client: Client,
}

impl Service {
    fn new(articles: Vec<Article>) -> Service {
        let script = Arc::new(Mutex::new(Script { articles, ..Script::default() }));
        let killed = Arc::new(Notify::new());
        let (of_service, notify) = (script.clone(), killed.clone());
        let service = service_fn(move |request: Request<Body>| {
            let answer = respond(&mut of_service.lock().expect("a script"), &request);
            let notify = notify.clone();
            async move {
                match answer {
                    Some(answer) => Ok::<_, Infallible>(answer),
                    None => {
                        notify.notify_one();
                        pending().await
                    }
                }
            }
        });
        let builder = Client::builder().base_url("http://service.example").http_service(service);
        Service { script, killed, client: builder.build().expect("a client") }
    }

    fn script(&self) -> std::sync::MutexGuard<'_, Script> {
        self.script.lock().expect("a script")
    }

    fn export(&self) -> Export {
        let export = self.client.news_feed().limit(3).export();
        export.rows_per_file(4).options(Options::default().provenance(true))
    }

    /// Updates the folder at the time `now`. If `kill_in` is `Some(n)`, request number `n` gets no response: the update
    /// is killed, and the function returns `None`. An update with fewer requests is not killed.
    async fn update(&self, folder: &Path, now: i64, kill_in: Option<usize>) -> Option<Report> {
        (self.script().now, self.script().kill_in) = (now, kill_in);
        let update = self.export().update(Duration::from_secs(OVERLAP)).to_folder(folder);
        tokio::select! {
            report = update => Some(report.expect("an update")),
            () = self.killed.notified() => None,
        }
    }

    /// Runs a complete export into a new folder at the time `now`. Returns the time and title of each exported row, by
    /// identifier.
    async fn whole(&self, now: i64) -> BTreeMap<String, String> {
        (self.script().now, self.script().kill_in) = (now, None);
        let folder = tempfile::tempdir().expect("a folder");
        self.export().to_folder(folder.path()).await.expect("an export");
        titles(read_parquet(folder.path()))
    }
}

fn respond(script: &mut Script, request: &Request<Body>) -> Option<Response<Body>> {
    script.requests += 1;
    script.kill_in = script.kill_in.map(|left| left.saturating_sub(1));
    if script.kill_in == Some(0) {
        script.kill_in = None;
        return None;
    }

    let number = |name: &str| {
        let pairs = request.uri().query().unwrap_or_default().split('&');
        let value = pairs.filter_map(|pair| pair.split_once('=')).find(|(key, _)| *key == name);
        value.and_then(|(_, value)| value.parse::<i64>().ok())
    };
    let size = |name: &str| number(name).and_then(|size| usize::try_from(size).ok());
    let from = number("from").unwrap_or(i64::MIN);
    let page = script.page(from, size("offset").unwrap_or(0), size("limit").unwrap_or(20));
    let date = chrono::DateTime::from_timestamp(script.now, 0).expect("a time").to_rfc2822();
    let response =
        Response::builder().header("content-type", "application/json").header("date", date);
    Some(response.body(Body::from(page.to_string())).expect("a response"))
}

/// Returns a map from the identifier of each row to the time and title of the row. Panics if an identifier occurs
/// twice.
fn titles(rows: Vec<Map<String, Value>>) -> BTreeMap<String, String> {
    let count = rows.len();
    let text =
        |row: &Map<String, Value>, name: &str| row[name].as_str().expect("a text").to_owned();
    let row = |row: &Map<String, Value>| {
        (text(row, "id"), format!("{} {}", row["published_at"], text(row, "title")))
    };
    let titles: BTreeMap<_, _> = rows.iter().map(row).collect();
    assert_eq!(titles.len(), count, "a row is there twice");
    titles
}

fn as_of(folder: &Path, time: i64) -> BTreeMap<String, String> {
    let time = UNIX_EPOCH + Duration::from_secs(time.try_into().expect("after 1970"));
    titles(read_as_of(folder, time).expect("rows").iter().flat_map(rows).collect())
}

const START: i64 = 1_780_000_000;

fn article() -> impl Strategy<Value = Article> {
    let late = 0..=OVERLAP as i64;
    (0..400_i64, late.clone(), proptest::option::of(late))
        .prop_map(|(time, delay, restated)| Article { time: START + time, delay, restated })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    /// Tests a series of updates. Some of the updates are killed. After each update that is not killed, the folder must
    /// contain the rows of a new export at that time. At the end of the series, `read_as_of` must still return these
    /// rows for the time of each update.
    #[test]
    fn killed_and_repeated_updates_equal_one_export(
        articles in proptest::collection::vec(article(), 0..25),
        steps in proptest::collection::vec((1..120_i64, proptest::option::of(1..6_usize)), 1..7),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("one");
        runtime.block_on(async {
            let service = Service::new(articles);
            let parent = tempfile::tempdir().expect("a folder");
            let folder = parent.path().join("news");
            let (mut now, mut known) = (START, Vec::new());
            for (seconds, kill_in) in steps.into_iter().chain([(1, None)]) {
                now += seconds;
                if service.update(&folder, now, kill_in).await.is_some() {
                    let found = titles(read_parquet(&folder));
                    prop_assert_eq!(&found, &service.whole(now).await);
                    known.push((now, found));
                }
            }
            for (time, rows) in known {
                prop_assert_eq!(as_of(&folder, time), rows, "as of {}", time - START);
            }
            let left = std::fs::read_dir(parent.path()).expect("a folder").count();
            prop_assert_eq!(left, 1, "folders are left");
            Ok(())
        })?;
    }
}

fn plain(time: i64) -> Article {
    Article { time: START + time, delay: 0, restated: None }
}

#[tokio::test]
async fn update_requests_only_the_newest_rows_and_keeps_files_whose_rows_stay() {
    let service = Service::new((0..40).map(|number| plain(number * 10)).collect());
    let parent = tempfile::tempdir().expect("a folder");
    let folder = parent.path().join("news");
    let first = service.update(&folder, START + 200, None).await.expect("a report");
    assert_eq!(
        (first.outcome, first.rows, first.changes),
        (Outcome::Complete, 21, Some(Changes::default()))
    );

    let requests = service.script().requests;
    let second = service.update(&folder, START + 240, None).await.expect("a report");
    let changes = second.changes.expect("an update");
    assert_eq!((second.rows, changes.added, changes.replaced, changes.removed), (25, 4, 0, 0));
    assert_eq!(changes.gap, None);
    // The last 90 seconds have ten rows, which are four pages. The whole list has nine pages.
    assert_eq!(service.script().requests - requests, 4);
    // The newest rows are first, so the first file contains the rows that can change.
    assert!(
        folder.join("part-00004.parquet").exists() && !folder.join("part-00000.parquet").exists()
    );
}

#[tokio::test]
async fn rows_that_the_service_no_longer_holds_stay_and_the_gap_is_reported() {
    let service = Service::new((0..100).map(|number| plain(number * 10)).collect());
    service.script().retention = Some(100);
    let parent = tempfile::tempdir().expect("a folder");
    let folder = parent.path().join("news");
    service.update(&folder, START + 200, None).await.expect("a report");
    let report = service.update(&folder, START + 600, None).await.expect("a report");

    let (after, before) = (UnixMillis((START + 200) * 1_000), UnixMillis((START + 500) * 1_000));
    assert_eq!(report.changes.and_then(|changes| changes.gap), Some(Gap { after, before }));
    assert_eq!(report.rows, 22);
    let checkpoint = std::fs::read_to_string(folder.join("_checkpoint.json")).expect("a file");
    let checkpoint: Value = serde_json::from_str(&checkpoint).expect("JSON");
    assert_eq!(checkpoint["gaps"], json!([{"after": after.0, "before": before.0}]));
}

#[tokio::test]
async fn update_rejects_what_it_cannot_do() {
    let service = Service::new(Vec::new());
    let parent = tempfile::tempdir().expect("a folder");
    let overlap = Duration::from_secs(1);
    let news = || service.export().update(overlap);
    let rejected = [
        service.client.search_project("bitcoin").export().update(overlap),
        news().format(Format::Csv),
        news().max_rows(5),
    ];
    for export in rejected {
        let outcome = export.to_folder(parent.path().join("news")).await;
        assert!(matches!(outcome, Err(Error::NoTable { .. })), "{outcome:?}");
    }
    let outcome = news().to_store(Arc::new(InMemory::new()), "a".into()).await;
    assert!(matches!(outcome, Err(Error::Place { .. })), "{outcome:?}");
    assert_eq!(service.script().requests, 0);
    assert_eq!(std::fs::read_dir(parent.path()).expect("a folder").count(), 0);
}

/// Tests updates of candles with the sandbox. If the parameter `from` is set, all pages of a list together contain only
/// the oldest 5,000 candles of the time range. For more candles, an update must request several lists, each with a
/// later `from`.
#[tokio::test(flavor = "multi_thread")]
async fn update_of_the_sandbox_equals_an_export_at_the_later_time() {
    let clock = Clock::stopped_at(UnixSeconds(START));
    let sandbox = Sandbox::builder().clock(clock.clone()).start().await.expect("a free port");
    let builder = Client::builder().base_url(sandbox.url()).api_key(sandbox.key());
    let client = builder.build().expect("a client");
    let parent = tempfile::tempdir().expect("a folder");
    let (folder, whole) = (parent.path().join("candles"), parent.path().join("whole"));
    let export = || list(&client).interval("4h").export().rows_per_file(500);
    let update = || export().update(Duration::from_secs(86_400)).to_folder(&folder);

    let first = update().await.expect("an export");
    clock.set(UnixSeconds(START + 3 * 86_400));
    let requests = sandbox.requests_served();
    let second = update().await.expect("an update");
    let requests = sandbox.requests_served() - requests;

    export().to_folder(&whole).await.expect("an export");
    assert!(sorted_rows(&folder) == sorted_rows(&whole), "the rows differ");
    assert_eq!(second.rows, first.rows + 18);
    assert_eq!(requests, 1, "of {} pages", second.pages);

    // Candles of five minutes over 28 days are more rows than one list has.
    let many = parent.path().join("many");
    let export =
        client.exchange_candles("upbit", "BTC-KRW").from("2026-05-01").interval("5m").export();
    let report =
        export.update(Duration::from_secs(3_600)).to_folder(&many).await.expect("an update");
    let times: HashSet<i64> =
        read_parquet(&many).iter().filter_map(|row| row["timestamp"].as_i64()).collect();
    let (from, to) = (times.iter().min().expect("a row"), times.iter().max().expect("a row"));
    assert_eq!(times.len() as u64, report.rows);
    assert_eq!((to - from) / 300_000 + 1, times.len() as i64);
    assert!(*to > (START + 3 * 86_400 - 600) * 1_000, "{to}");
}
