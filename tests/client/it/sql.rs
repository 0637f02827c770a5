//! Runs the examples of the client's SQL documentation against the SQL engine of the sandbox.

use crypto_intel::Client;
use crypto_intel::sql::Outcome;
use crypto_intel_sandbox::{Clock, Sandbox, UnixSeconds};
use serde::Deserialize;

/// Starts a sandbox and a client. The sandbox's clock is stopped at noon, so that the day does not change during a
/// query.
async fn start() -> (Sandbox, Client) {
    let noon = UnixSeconds(1_781_524_800);
    let sandbox = Sandbox::builder().clock(Clock::stopped_at(noon)).start().await.unwrap();
    let builder = Client::builder().base_url(sandbox.url()).api_key(sandbox.key());
    let client = builder.build().unwrap();
    (sandbox, client)
}

#[tokio::test]
async fn a_query_answers_with_rows_and_as_csv() {
    #[derive(Deserialize)]
    struct Trades {
        project: String,
        trades: u64,
    }
    let (_sandbox, client) = start().await;
    let query = "SELECT project, count() AS trades FROM agent.ethereum_dex_trades \
        WHERE block_date >= today() - 30 GROUP BY project ORDER BY trades DESC";

    let reply = client.sql(query).max_rows(100).rows::<Trades>().await.unwrap();
    let rows: &[Trades] = &reply;
    assert!(rows.len() > 1);
    assert!(rows.is_sorted_by(|a, b| a.trades >= b.trades));

    let csv = match client.sql(query).run_or_submit().await.unwrap() {
        Outcome::Done(table) => table.csv(),
        Outcome::Job(mut job) => job.csv().await.unwrap().into_inner(),
    };
    assert_eq!(csv.lines().count(), rows.len() + 1, "a head and the rows: {csv}");
    assert!(csv.contains(&rows[0].project), "{csv}");
}

#[tokio::test]
async fn a_job_shows_its_progress_and_then_its_rows() {
    #[derive(Deserialize)]
    struct Day {
        block_date: i64,
        trades: u64,
    }
    let (_sandbox, client) = start().await;
    let query = "SELECT block_date, count() AS trades FROM agent.ethereum_dex_trades \
        WHERE block_date >= today() - 30 GROUP BY block_date";

    let mut job = client.sql(query).submit().await.unwrap();
    let mut progress = job.progress();
    let mut last = None;
    while let Some(state) = progress.try_next().await.unwrap() {
        last = Some(state);
    }
    drop(progress);
    assert!(last.is_some(), "a state was shown");

    let days = job.rows::<Day>().await.unwrap();
    assert_eq!(days.len(), 31);
    assert!(days.iter().all(|day| day.block_date % 86_400 == 0 && day.trades > 0));
}
