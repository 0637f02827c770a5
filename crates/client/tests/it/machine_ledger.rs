//! Tests of the ledger that all programs of a machine share: its entries, its limits, and unusable ledger files.

use crypto_intel::credits::{Credits, DaySpending, MachineLedger};
use crypto_intel::{Client, ErrorKind, Method, RateLimit, RetryPolicy};

use crate::server::{Act, Server, answer};
use crate::trace::Log;

const JSON: (&str, &str) = ("content-type", "application/json");
/// Response of the operation `token-holders`. The response reports 9 credits used, but the list price is 2 credits.
const HOLDERS: &str =
    r#"{"data": [], "meta": {"cached": false, "credits_used": 9, "limit": 20, "offset": 0}}"#;

fn client(server: &Server, ledger: &MachineLedger) -> Client {
    let builder = Client::builder().base_url(server.url()).retry(RetryPolicy::none());
    builder.machine_ledger(ledger.clone()).build().unwrap()
}

async fn call(client: &Client) -> Result<(), ErrorKind> {
    let client_with = client.token_holders("vitalik.eth", "ethereum").await;
    client_with.map(|_| ()).map_err(|error| error.kind())
}

/// Returns four numbers of a ledger entry: calls, list price, reported credits and unsettled credits.
fn figures(entry: &DaySpending) -> (u64, u64, u64, u64) {
    (entry.calls, entry.list_price.0, entry.reported.0, entry.unsettled.0)
}

#[tokio::test]
async fn ledger_entry_has_charged_reported_and_unsettled_credits() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = MachineLedger::new(folder.path().join("new/ledger"));
    assert_eq!(ledger.history().unwrap(), []);

    // Two successful calls are charged. A rejected call is not charged. A call whose connection breaks may be charged.
    let answers = Server::start(answer(200, &[JSON], HOLDERS)).await;
    call(&client(&answers, &ledger)).await.unwrap();
    call(&client(&answers, &ledger)).await.unwrap();
    let rejects = Server::start(answer(404, &[], "")).await;
    call(&client(&rejects, &ledger)).await.unwrap_err();
    let breaks = Server::start(Act::Reset(Vec::new())).await;
    call(&client(&breaks, &ledger)).await.unwrap_err();

    let history = ledger.history().unwrap();
    assert_eq!(history.iter().map(figures).collect::<Vec<_>>(), [(2, 4, 18, 2)]);
    assert_eq!((history[0].profile.as_str(), history[0].tag.as_str()), ("default", "Token"));

    let file = folder.path().join(format!("new/ledger/{}.json", history[0].day));
    let file: serde_json::Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    assert_eq!(file["version"], 1);
}

/// Returns the current date in UTC, such as `2026-11-25`.
fn today() -> String {
    let date = httpdate::fmt_http_date(std::time::SystemTime::now());
    let words: Vec<_> = date.split(' ').collect();
    let month = "JanFebMarAprMayJunJulAugSepOctNovDec".find(words[2]).unwrap() / 3 + 1;
    format!("{}-{month:02}-{}", words[3], words[1])
}

#[tokio::test]
async fn ledger_entry_has_the_day_of_its_call() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(answer(200, &[JSON], HOLDERS)).await;
    let ledger = MachineLedger::new(folder.path());
    // The day may change during the test. So the test reads the date before and after the call, and accepts both dates.
    let begin = today();
    call(&client(&server, &ledger)).await.unwrap();
    let day = ledger.history().unwrap().remove(0).day;
    assert!([begin, today()].contains(&day), "{day}");
}

#[tokio::test]
async fn daily_limit_applies_to_one_profile_and_can_be_reached() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(answer(200, &[JSON], HOLDERS)).await;
    let limited = MachineLedger::new(folder.path()).profile("work").daily_limit(Credits(4));
    let client_of_work = client(&server, &limited);

    // After the second call the spent credits equal the daily limit.
    call(&client_of_work).await.unwrap();
    call(&client_of_work).await.unwrap();
    assert_eq!(call(&client_of_work).await, Err(ErrorKind::OverBudget));
    assert_eq!(server.requests(), 2);

    let other = MachineLedger::new(folder.path()).profile("home").daily_limit(Credits(4));
    call(&client(&server, &other)).await.unwrap();
    let history = other.history().unwrap();
    let of_profile = |entry: &DaySpending| (entry.profile.clone(), figures(entry));
    let expected = [("work".to_owned(), (2, 4, 18, 0)), ("home".to_owned(), (1, 2, 9, 0))];
    assert_eq!(history.iter().map(of_profile).collect::<Vec<_>>(), expected);

    // The limit does not apply to a call without a published price.
    let lower = limited.daily_limit(Credits(1));
    client(&server, &lower).raw(Method::GET, "/new").await.unwrap();
}

#[tokio::test]
async fn daily_limit_counts_possibly_charged_calls() {
    let folder = tempfile::tempdir().unwrap();
    let breaks = Server::start(Act::Reset(Vec::new())).await;
    let ledger = MachineLedger::new(folder.path()).daily_limit(Credits(2));
    let client = client(&breaks, &ledger);
    assert_eq!(call(&client).await, Err(ErrorKind::Transport));
    assert_eq!(call(&client).await, Err(ErrorKind::OverBudget));
}

#[tokio::test]
async fn entries_are_sorted_by_day_and_invalid_files_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let entry = r#"{"version": 1, "spending": [{"profile": "default", "tag": "Token",
        "calls": 1, "list_price": 2, "reported": 3, "unsettled": 0}]}"#;
    // The files are written in a mixed order, because a file system may list files in any order.
    let known =
        ["2025-12-30", "2025-12-31", "2026-01-01", "2026-01-10", "2026-05-02", "2026-05-29"];
    [5, 1, 3, 0, 4, 2].iter().for_each(|at: &usize| write(&format!("{}.json", known[*at]), entry));
    write("notes.txt", "not an entry");
    let ledger = MachineLedger::new(folder.path());
    let days = |entries: Vec<DaySpending>| entries.into_iter().map(|one| one.day);
    let seen: Vec<_> = days(ledger.history().unwrap()).collect();
    assert_eq!(seen, known);

    for (text, reason) in
        [(r#"{"version": 2, "spending": []}"#, "version 2 needs a newer release"), ("{", "EOF")]
    {
        write("2026-05-30.json", text);
        let error = ledger.history().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidRequest);
        assert!(error.to_string().contains(reason), "{error}");
    }
    std::fs::remove_file(folder.path().join("2026-05-30.json")).unwrap();
    std::fs::create_dir(folder.path().join("2026-05-30.json")).unwrap();
    assert_eq!(ledger.history().unwrap_err().kind(), ErrorKind::InvalidRequest);
}

#[tokio::test]
async fn unusable_folder_is_an_error_before_sending() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let server = Server::start(answer(200, &[JSON], HOLDERS)).await;
    let ledger = MachineLedger::new(&file);
    assert_eq!(call(&client(&server, &ledger)).await, Err(ErrorKind::InvalidRequest));
    assert_eq!(server.requests(), 0);
    assert_eq!(ledger.history().unwrap_err().kind(), ErrorKind::InvalidRequest);
}

#[tokio::test]
async fn call_dropped_before_sending_leaves_no_credits_in_entry() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(answer(200, &[JSON], HOLDERS)).await;
    let ledger = MachineLedger::new(folder.path());
    let builder = Client::builder().base_url(server.url()).machine_ledger(ledger.clone());
    let client = builder.rate_limit(RateLimit::per_minute(1)).build().unwrap();
    call(&client).await.unwrap();
    let held_back = tokio::time::timeout(std::time::Duration::from_millis(30), call(&client)).await;
    assert!(held_back.is_err());
    assert_eq!(figures(&ledger.history().unwrap()[0]), (1, 2, 9, 0));
}

#[tokio::test]
async fn unwritable_entry_is_logged_and_call_succeeds() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = MachineLedger::new(folder.path().join("ledger"));
    // While the server handles the request, it replaces the ledger folder by a file.
    let path = folder.path().join("ledger");
    let replaces = move |_: &str| {
        std::fs::remove_dir_all(&path).unwrap();
        std::fs::write(&path, "").unwrap();
        answer(200, &[JSON], HOLDERS)
    };
    let server = Server::start_with(replaces).await;

    let log = Log::default();
    let guard = tracing::subscriber::set_default(log.subscriber());
    call(&client(&server, &ledger)).await.unwrap();
    drop(guard);

    // The client logs one warning when it cannot record the list price, and one when it cannot record the reported
    // credits.
    let warnings =
        log.text().matches("could not record a call in the credit ledger of this machine").count();
    assert_eq!(warnings, 2, "{}", log.text());
}

#[test]
fn calls_of_concurrent_threads_are_all_counted() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = MachineLedger::new(folder.path());
    let calls = async |ledger: &MachineLedger| {
        let server = Server::start(answer(200, &[JSON], HOLDERS)).await;
        let client = client(&server, ledger);
        for _ in 0..10 {
            call(&client).await.unwrap();
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
                runtime.unwrap().block_on(calls(&ledger));
            });
        }
    });
    let history = ledger.history().unwrap();
    assert_eq!(history.iter().map(figures).collect::<Vec<_>>(), [(40, 80, 360, 0)]);
}
