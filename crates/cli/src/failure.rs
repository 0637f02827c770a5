//! Failure of a command. It has a message, an exit code and a suggested next step, and is printed as text or as JSON.

use std::ffi::OsString;
use std::io::Write as _;

use crypto_intel::{Error, ErrorKind};
use serde_json::json;

use crate::terminal;

/// Exit codes of `cintel`. The README documents them, and they never change between releases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Problem on this machine, such as a file that cannot be written.
    Local,
    /// Mistake in the command line or in the settings, or a request that is invalid.
    Usage,
    /// The API key is missing or invalid.
    Authentication,
    /// No credits are left, or a call would exceed the user's budget.
    Credits,
    /// The service rejected the request because of too many requests in a short time.
    RateLimit,
    /// The requested object does not exist, such as an entity of the service, an operation or a saved command.
    NotFound,
    /// The service responded with an error, or its response was invalid.
    Service,
    /// The service could not be reached, or did not respond in time.
    Network,
    /// Only a part of the response arrived, or too few tasks of `cintel exam` are solved.
    Partial,
    /// A list of rows is or may be incomplete, and `--fail-incomplete` is set. A list that ends at the user's limit of
    /// rows or pages does not cause this failure.
    Incomplete,
    /// The user pressed Ctrl-C.
    Interrupted,
}

impl Exit {
    pub(crate) fn code(self) -> u8 {
        match self {
            Exit::Local => 1,
            Exit::Usage => 2,
            Exit::Authentication => 3,
            Exit::Credits => 4,
            Exit::RateLimit => 5,
            Exit::NotFound => 6,
            Exit::Service => 7,
            Exit::Network => 8,
            Exit::Partial => 9,
            Exit::Incomplete => 10,
            Exit::Interrupted => 130,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Exit::Local => "local",
            Exit::Usage => "usage",
            Exit::Authentication => "authentication",
            Exit::Credits => "credits",
            Exit::RateLimit => "rate_limit",
            Exit::NotFound => "not_found",
            Exit::Service => "service",
            Exit::Network => "network",
            Exit::Partial => "partial",
            Exit::Incomplete => "incomplete",
            Exit::Interrupted => "interrupted",
        }
    }

    /// Returns the default suggestion for failures with this exit code.
    fn next_step(self) -> Option<&'static str> {
        match self {
            Exit::Interrupted => None,
            Exit::Usage | Exit::NotFound => {
                Some("`cintel --help` lists commands; `cintel ops WORDS` searches operations")
            }
            Exit::Authentication => Some("`cintel auth status` shows which key is used"),
            Exit::Incomplete => Some("omit `--fail-incomplete` to accept incomplete results"),
            _ => Some("`cintel doctor` checks settings and connection"),
        }
    }

    fn from_kind(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::Authentication => Exit::Authentication,
            ErrorKind::InsufficientCredits | ErrorKind::OverBudget => Exit::Credits,
            ErrorKind::RateLimited => Exit::RateLimit,
            ErrorKind::NotFound => Exit::NotFound,
            ErrorKind::InvalidRequest => Exit::Usage,
            ErrorKind::Timeout | ErrorKind::Transport => Exit::Network,
            // Error kinds that later library releases add are most likely errors of the service too.
            _ => Exit::Service,
        }
    }
}

/// Reason why a command ends with an exit code other than 0.
#[derive(Debug)]
pub(crate) struct Failure {
    exit: Exit,
    message: String,
    next: Option<String>,
    error: Option<Box<Error>>,
    completeness: Option<serde_json::Value>,
}

impl Failure {
    pub(crate) fn new(exit: Exit, message: impl Into<String>) -> Self {
        Failure { exit, message: message.into(), next: None, error: None, completeness: None }
    }

    /// Creates the failure for a mistake in the command line or in the settings.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Failure::new(Exit::Usage, message)
    }

    /// Sets the next step that is suggested to the user.
    pub(crate) fn next(mut self, next: impl Into<String>) -> Self {
        self.next = Some(next.into());
        self
    }

    /// Replaces the exit code, for example when only a part of the response arrived.
    pub(crate) fn with_exit(mut self, exit: Exit) -> Self {
        self.exit = exit;
        self
    }

    /// Adds the completeness of the rows that were printed before the failure. `completeness` is a JSON object. The
    /// JSON output of the failure contains this object.
    pub(crate) fn with_completeness(mut self, completeness: serde_json::Value) -> Self {
        self.completeness = Some(completeness);
        self
    }

    /// Prefixes the message with a location, such as the name of an option.
    pub(crate) fn within(mut self, place: &str) -> Self {
        self.message = format!("{place}: {}", self.message);
        self
    }

    pub(crate) fn exit(&self) -> Exit {
        self.exit
    }

    /// Returns true if the failure contains an HTTP status that the service sent.
    pub(crate) fn is_of_service(&self) -> bool {
        self.error.as_ref().is_some_and(|error| error.status().is_some())
    }

    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// Prints the failure to standard error, as text or as one JSON object.
    pub(crate) fn report(&self, as_json: bool) {
        if as_json {
            let mut json = self.to_json().to_string();
            if terminal::stderr_is_terminal() {
                json = terminal::escaped(&json);
            }
            // If standard error is closed, the message is lost.
            let _ = writeln!(std::io::stderr().lock(), "{json}");
            return;
        }
        // Ctrl-C is not an error.
        let what = if self.exit == Exit::Interrupted { "" } else { "error: " };
        terminal::print_error(&format!("{what}{}", self.message));
        if let Some(next) = self.next_step() {
            terminal::print_error(&format!("  next: {next}"));
        }
    }

    fn next_step(&self) -> Option<&str> {
        self.next.as_deref().or(self.exit.next_step())
    }

    fn to_json(&self) -> serde_json::Value {
        let error = self.error.as_deref();
        let mut members = json!({
            "kind": self.exit.name(),
            "exit_code": self.exit.code(),
            "message": self.message,
            "next": self.next_step(),
        });

        if let Some(error) = error {
            members["operation"] = error.operation().into();
            members["status"] = error.status().map(|status| status.as_u16()).into();
            members["code"] = error.code().into();
            members["request_id"] = error.request_id().into();
            members["retry_after_seconds"] =
                error.retry_after().map(|wait| wait.as_secs_f64()).into();
            members["attempts"] = error.attempts().into();
            members["retryable"] = error.is_retryable().into();
        }
        if let Some(completeness) = &self.completeness {
            members["completeness"] = completeness.clone();
        }
        json!({ "error": members })
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure {
            exit: Exit::from_kind(error.kind()),
            message: described(&error),
            next: Some(next_step(&error)),
            error: Some(Box::new(error)),
            completeness: None,
        }
    }
}

/// Returns the message of an error, followed by the messages of its causes.
fn described(error: &Error) -> String {
    let mut text = error.to_string();
    // Raw requests carry the placeholder `raw` in place of an operation.
    if let Some(rest) = text.strip_prefix("raw: ") {
        text = rest.to_owned();
    }
    let mut cause = std::error::Error::source(error);
    while let Some(below) = cause {
        let words = below.to_string();
        // A cause of the same kind repeats the message.
        let is_told = below.downcast_ref::<Error>().is_some_and(|e| e.kind() == error.kind());
        if !is_told && !text.contains(&words) {
            text.push_str(": ");
            text.push_str(&words);
        }
        cause = below.source();
    }
    text
}

/// Returns the next step to suggest to the user, which depends on the kind of the error.
fn next_step(error: &Error) -> String {
    let operation = error.operation().filter(|id| *id != "raw");
    match error.kind() {
        ErrorKind::Authentication => "`cintel auth status` shows which key is used".to_owned(),
        ErrorKind::InsufficientCredits if error.is_free_allowance() => {
            "the free credits of your IP address for today (UTC) are used up; `cintel auth login` stores a key for paid calls"
                .to_owned()
        }
        ErrorKind::InsufficientCredits => {
            "`cintel credits` shows the balance; `cintel credits plans` shows the prices of credits"
                .to_owned()
        }
        ErrorKind::OverBudget => "raise the limit (`--max-credits` or `--max-credits-per-day`); `--dry-run` shows the price".to_owned(),
        ErrorKind::RateLimited => match error.retry_after() {
            Some(wait) => format!("try again in {} s", wait.as_secs().max(1)),
            None => "try again in a minute".to_owned(),
        },

        ErrorKind::NotFound => match operation {
            Some(id) => format!("check the values; `cintel {id} --help` explains them"),
            None => "check the path".to_owned(),
        },
        ErrorKind::InvalidRequest => match operation {
            Some(id) => format!("`cintel {id} --help` lists parameters and values"),
            None => "check the path and the parameters".to_owned(),
        },
        ErrorKind::SqlRejected => match error.recommended_action() {
            Some(action) => format!("the service recommends {action}"),
            None => "try again later".to_owned(),
        },
        ErrorKind::SqlFailed => "`cintel sql --check` checks a query without running it".to_owned(),

        ErrorKind::Timeout => match error.recommended_action() {
            Some("use_async_job") => "run the query as a job: `cintel sql --job`".to_owned(),
            _ => "try again, or set a longer `--deadline`".to_owned(),
        },
        ErrorKind::Transport => {
            "check the network and the base URL; `cintel doctor` tests both".to_owned()
        }
        ErrorKind::Decode => "`--raw` prints the unchanged response".to_owned(),
        _ => "try again; `--verbose` shows requests and responses".to_owned(),
    }
}

/// Returns true if the raw arguments contain `--output json`, `ndjson` or `compact`, before clap has parsed
/// them.
pub(crate) fn wants_json(arguments: &[OsString]) -> bool {
    let texts: Vec<_> = arguments.iter().map(|argument| argument.to_string_lossy()).collect();
    let is_json = |text: &str| matches!(text, "json" | "ndjson" | "compact");
    texts.iter().enumerate().any(|(index, text)| match text.split_once('=') {
        Some(("--output" | "-o", format)) => is_json(format),
        Some(_) => false,
        None if matches!(&**text, "--output" | "-o") => {
            texts.get(index + 1).is_some_and(|format| is_json(format))
        }
        None => text.strip_prefix("-o").is_some_and(is_json),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_an_exit_code_and_a_next_step() {
        for (kind, code) in [
            (ErrorKind::Authentication, 3),
            (ErrorKind::InsufficientCredits, 4),
            (ErrorKind::OverBudget, 4),
            (ErrorKind::RateLimited, 5),
            (ErrorKind::NotFound, 6),
            (ErrorKind::InvalidRequest, 2),
            (ErrorKind::SqlRejected, 7),
            (ErrorKind::SqlFailed, 7),
            (ErrorKind::Timeout, 8),
            (ErrorKind::Decode, 7),
            (ErrorKind::Truncated, 7),
            (ErrorKind::Service, 7),
            (ErrorKind::Transport, 8),
        ] {
            let failure = Failure::from(Error::new(kind, "a reason"));
            assert_eq!(failure.exit().code(), code, "{kind:?}");
            assert!(failure.next.is_some_and(|next| !next.is_empty()), "{kind:?}");
        }
    }

    #[test]
    fn json_is_wanted_in_every_spelling() {
        let wants =
            |line: &str| wants_json(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        for line in
            ["c x --output json", "c x --output=json", "c x -o json", "c -ojson", "c -o=ndjson"]
        {
            assert!(wants(line), "{line}");
        }
        for line in ["c x", "c json", "c --output table", "c -o csv", "c --output"] {
            assert!(!wants(line), "{line}");
        }
    }
}
