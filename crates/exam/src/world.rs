//! Direct access to the sandbox's data, for computing right answers.

use crypto_intel::{Client, DynamicRequest, JsonObject};
use crypto_intel_sandbox::Sandbox;
use serde_json::Value;

use crate::sandbox::sandbox;

/// A separate sandbox and a plain client.
pub(crate) struct World {
    client: Client,
    _sandbox: Sandbox,
}

impl World {
    pub(crate) async fn new(seed: u64) -> Result<Self, String> {
        let (sandbox, key) = sandbox(seed).await?;
        let builder = Client::builder().base_url(sandbox.url()).api_key(key);
        let client = builder.build().map_err(|error| error.to_string())?;
        Ok(World { client, _sandbox: sandbox })
    }

    fn request(
        &self,
        operation: &str,
        arguments: &[(&str, &str)],
    ) -> Result<DynamicRequest, String> {
        let start = self.client.request(operation);
        let set = |request: Result<DynamicRequest, _>, (name, text): &(&str, &str)| {
            request.and_then(|request| request.with_text(name, text))
        };
        arguments.iter().fold(start, set).map_err(|error| error.to_string())
    }

    /// Rows of one response.
    pub(crate) async fn rows(
        &self,
        operation: &str,
        arguments: &[(&str, &str)],
    ) -> Result<Vec<Value>, String> {
        let answer =
            self.request(operation, arguments)?.await.map_err(|error| error.to_string())?;
        answer.rows().iter().map(|row| row.to_value().map_err(|error| error.to_string())).collect()
    }

    /// The single value of a response.
    pub(crate) async fn one(
        &self,
        operation: &str,
        arguments: &[(&str, &str)],
    ) -> Result<Value, String> {
        let rows = self.rows(operation, arguments).await?;
        rows.into_iter().next().ok_or_else(|| format!("{operation}: no row"))
    }

    /// Rows of all pages.
    pub(crate) async fn all(
        &self,
        operation: &str,
        arguments: &[(&str, &str)],
    ) -> Result<Vec<Value>, String> {
        let request = self.request(operation, arguments)?;
        let pager = request.pager().ok_or_else(|| format!("{operation} has no pages"))?;
        let rows = pager.collect_all().await.map_err(|error| error.to_string())?;
        rows.iter().map(|row| row.to_value().map_err(|error| error.to_string())).collect()
    }

    /// Returns true if the operation succeeds.
    pub(crate) async fn knows(&self, operation: &str, arguments: &[(&str, &str)]) -> bool {
        self.rows(operation, arguments).await.is_ok()
    }

    /// Rows of a query.
    pub(crate) async fn sql(&self, query: &str) -> Result<Vec<JsonObject>, String> {
        let reply = self.client.sql(query).json().await.map_err(|error| error.to_string())?;
        Ok(reply.into_inner())
    }
}

/// A number in a row. A missing number is an error, because a right answer must not be built on it.
pub(crate) fn number(row: &Value, name: &str) -> Result<f64, String> {
    row[name].as_f64().ok_or_else(|| format!("no figure `{name}` in {row}"))
}

/// A text in a row.
pub(crate) fn text(row: &Value, name: &str) -> Result<String, String> {
    row[name].as_str().map(str::to_owned).ok_or_else(|| format!("no text `{name}` in {row}"))
}

/// The row with the largest figure.
pub(crate) fn largest(
    rows: &[Value],
    figure: impl Fn(&Value) -> Result<f64, String>,
) -> Result<&Value, String> {
    let mut best: Option<(f64, &Value)> = None;
    for row in rows {
        let figure = figure(row)?;
        if best.is_none_or(|(known, _)| figure > known) {
            best = Some((figure, row));
        }
    }
    best.map(|(_, row)| row).ok_or_else(|| "no rows".to_owned())
}
