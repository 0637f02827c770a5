//! Checks which operations a server offers. The settings of the server contain the allowed operations.

use crypto_intel::catalogue::Operation;

use crate::operation_search::{domain, named};
use crate::problem::Problem;
use crate::settings::Settings;

/// Returns true if the settings allow the operation.
pub(crate) fn allows(settings: &Settings, operation: &Operation) -> bool {
    let is_named = |name: &String| {
        named(name).is_ok_and(|allowed| allowed.iter().any(|one| one.id == operation.id))
    };
    settings.only.is_empty() || settings.only.iter().any(is_named)
}

/// Returns an error if the settings do not allow the operation. The error suggests a next step to the agent.
pub(crate) fn check(settings: &Settings, operation: &Operation) -> Result<(), Problem> {
    if allows(settings, operation) {
        return Ok(());
    }
    let message = format!(
        "this server does not offer the operation `{}`, only {}",
        operation.id,
        settings.only.join(", ")
    );
    Err(Problem::unknown(message)
        .next(format!("ask the user to start the server with `--only {}`", domain(operation))))
}
