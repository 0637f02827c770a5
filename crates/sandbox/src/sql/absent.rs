//! Substitute for the SQL engine in a build without the feature `sql`. Calls of SQL operations fail with status 501.

use axum::http::StatusCode;
use axum::response::Response;

use crate::account::Identity;
use crate::clock::Clock;
use crate::context::Context;
use crate::refusal::Refusal;
use crate::stop::Stop;
use crypto_intel_world::ScenarioEffects;
use crypto_intel_world::args::Args;
use crypto_intel_world::random::Seed;

use super::form::Form;
use super::saved::SavedJobs;
use super::settings::Settings;

/// Replacement for the SQL operations in a build without the feature `sql`. Rejects every request with status 501.
#[derive(Debug)]
pub(crate) struct Sql {
    settings: Settings,
}

/// Returns an empty list of SQL tables, because this build has no SQL engine.
#[cfg(feature = "page")]
pub(crate) fn tables_shown() -> serde_json::Value {
    serde_json::json!([])
}

impl Sql {
    pub(crate) fn new(settings: Settings, _: Clock, _: Stop) -> Self {
        Sql { settings }
    }

    pub(crate) fn settings(&self) -> Settings {
        self.settings
    }

    /// Returns an empty list of SQL jobs, because this build has no SQL engine.
    pub(crate) fn to_saved(&self) -> SavedJobs {
        SavedJobs::default()
    }

    /// Drops the SQL jobs of a saved sandbox, because this build has no SQL engine.
    pub(crate) fn restore(&self, _: Seed, _: ScenarioEffects, _: SavedJobs) {}

    pub(crate) fn abandon(&self, _: i64) {}

    /// Rejects a request for a SQL operation.
    ///
    /// # Errors
    /// Always returns an error with status 501, because this build has no SQL engine.
    #[expect(
        clippy::unused_async,
        reason = "callers use `.await`, because the function is async in builds with SQL"
    )]
    pub(crate) async fn answer(
        &self,
        _: &Context<'_>,
        args: &Args,
        _: &Identity,
        _: Form,
    ) -> Result<Response, Refusal> {
        let path = args.operation.path;
        let message = format!("`{path}` needs the feature `sql` of crypto-intel-sandbox");
        Err(Refusal::new(StatusCode::NOT_IMPLEMENTED, "NOT_BUILT", message))
    }
}
