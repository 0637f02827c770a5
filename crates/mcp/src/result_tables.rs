//! Runs SQL queries over stored results. Each result is a table with the handle of the result as its name.
//!
//! The result of a query has the format of an operation's result. A query sends no request to the service and costs no
//! credits.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use crypto_intel_sql::{Control, Database, JsonTable, Limits, Outcome, Parsed, Prepared, Table};

use crate::clean::clean_json;
use crate::compact::all_columns;
use crate::json::{Json, json_from_text};
use crate::problem::Problem;
use crate::result_store::{Store, Stored};

/// Maximum number of rows that a query returns.
const MAX_ROWS: usize = 10_000;
/// Maximum duration of a query. The limits of time and memory protect the server from expensive queries, such as a
/// cross join of large tables.
const TIME: Duration = Duration::from_secs(10);
const MEMORY: usize = 256 << 20;
/// Stack size of the thread that runs a query, in bytes. The SQL engine processes nested queries by recursion.
const STACK: usize = 32 << 20;

/// SQL database with one table per stored result. The name of the database is empty.
struct Results(HashMap<String, Arc<JsonTable>>);

impl Database for Results {
    fn name(&self) -> &str {
        ""
    }

    fn table(&self, name: &str) -> Option<Arc<dyn Table>> {
        self.0.get(name).map(|table| Arc::clone(table) as Arc<dyn Table>)
    }
}

/// Guard that stops a query when the guard is dropped. This happens if the tool call is dropped, for example because
/// the caller has disconnected.
struct StopOnDrop(Arc<Control>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Runs a query over stored results. The query can read a stored result as a table with the name of its handle, such as
/// `r1`. If the query names an incomplete result, the query result is also marked as incomplete.
pub(crate) async fn query(
    store: &Store,
    text: &str,
    source: &'static str,
) -> Result<Stored, Problem> {
    let named: Vec<(String, Stored)> =
        store.all().into_iter().filter(|(handle, _)| names(text, handle)).collect();
    let incomplete = named.iter().find(|(_, result)| !result.completeness.is_complete());
    let completeness = incomplete.map(|(_, result)| result.completeness.clone());

    let outcome = run(text.to_owned(), named).await?;
    let rows: Vec<Json> = serde_json::from_str(&outcome.json()).map_err(|error| {
        Problem::internal(format!("the rows of the query cannot be decoded: {error}"))
    })?;
    let mut result = Stored::new(source, rows, true);
    if let Some(completeness) = completeness {
        result.completeness = completeness;
    }
    if outcome.is_cut() {
        result.completeness.state = crypto_intel::CompletenessState::MoreAvailable;
    }
    Ok(result)
}

/// Returns true if the text contains `word` as a whole word.
fn names(text: &str, word: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '-';
    text.split(|letter| !is_part(letter)).any(|part| part == word)
}

/// Runs a query on a separate thread with a large stack.
async fn run(text: String, results: Vec<(String, Stored)>) -> Result<Outcome, Problem> {
    let control = Arc::new(Control::default());
    let stop = StopOnDrop(Arc::clone(&control));
    let (sender, receiver) = tokio::sync::oneshot::channel();
    let thread = std::thread::Builder::new().name("result-sql".to_owned()).stack_size(STACK);
    let started = thread.spawn(move || {
        let tables =
            results.iter().map(|(handle, result)| (handle.clone(), Arc::new(table(result))));
        let database = Arc::new(Results(tables.collect()));
        let limits = Limits { max_rows: MAX_ROWS, time: TIME, memory: MEMORY, ..Limits::default() };
        let outcome = Parsed::read(&text)
            .and_then(|parsed| Prepared::new(&parsed, database, now()))
            .and_then(|prepared| prepared.run(&limits, &control));
        // The caller may have stopped waiting.
        drop(sender.send(outcome));
    });
    started.map_err(|error| Problem::internal(error.to_string()))?;

    let outcome = receiver.await.map_err(|_| Problem::internal("the query ended early"))?;
    drop(stop);
    outcome.map_err(|problem| {
        Problem::arguments(problem.to_string()).next(
            "use handles such as r1 as table names; `DESCRIBE TABLE r1` lists the columns; names of nested fields are joined by `_`",
        )
    })
}

/// Converts the rows of a result to a table. The column name of a nested field is its path, joined by `_`, such as
/// `author_name`.
fn table(result: &Stored) -> JsonTable {
    // A list in a cell becomes a string with JSON text. It is cleaned here, because the final cleaning would not decode
    // the JSON escapes inside this string.
    let rows: Vec<Json> =
        result.rows.iter().map(|row| json_from_text(clean_json(row.get()))).collect();
    match all_columns(&rows) {
        Some((names, values)) => {
            let names = names.iter().map(|name| name.replace('.', "_"));
            let values = values.iter().map(|column| column.iter().map(String::as_str).collect());
            JsonTable::new(rows.len(), names.zip(values))
        }
        // Some rows are not objects.
        None => {
            let values = rows.iter().map(|row| row.get()).collect();
            JsonTable::new(rows.len(), [("value".to_owned(), values)])
        }
    }
}

/// Returns the current time in Unix seconds, for the SQL function `now()`.
fn now() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.ok().and_then(|since| i64::try_from(since.as_secs()).ok()).unwrap_or_default()
}
