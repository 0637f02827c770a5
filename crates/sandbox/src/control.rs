//! Control paths, such as `/sandbox/faults`. Callers with the control token use these paths to change faults,
//! scenarios and overrides over HTTP.

use axum::http::{Method, StatusCode, header, request};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use crate::fault::{Fault, Faults};
use crate::guard;
use crate::overrides::{self, Overrides};
use crate::refusal::{self, Refusal};
use crate::scenario::{Scenario, Stage};

/// One of the control paths for faults, scenarios and overrides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ControlPath {
    Faults,
    Scenarios,
    Answers,
}

/// Parses a URL path as one of the control paths. Returns `None` for all other URL paths.
pub(crate) fn parse_path(path: &str) -> Option<ControlPath> {
    match path {
        "/sandbox/faults" => Some(ControlPath::Faults),
        "/sandbox/scenarios" => Some(ControlPath::Scenarios),
        "/sandbox/answers" => Some(ControlPath::Answers),
        _ => None,
    }
}

/// Faults, scenarios and overrides of the sandbox. Requests for control paths list and change them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Desk<'a> {
    pub(crate) faults: &'a Faults,
    pub(crate) stage: &'a Stage,
    pub(crate) overrides: &'a Overrides,
    /// Current time of the sandbox's clock in Unix seconds.
    pub(crate) now: i64,
}

/// Responds to a request for a control path. The path `place` selects faults, scenarios or overrides:
/// - `GET` lists the queued faults, the scenarios, or the overrides.
/// - `POST` adds the fault, begins the scenario, or adds the overrides in the body.
/// - `DELETE` removes all faults, ends the scenario in the body, or removes the overrides of the operation in the body.
///   If the body is empty, it ends all scenarios or removes all overrides.
///
/// # Errors
/// Returns status 401 if the control token is missing or wrong. Returns status 400 if the body is not a fault, scenario
/// or override.
pub(crate) fn respond(
    place: ControlPath,
    desk: Desk<'_>,
    token: &str,
    head: &request::Parts,
    body: &[u8],
) -> Result<Response, Refusal> {
    guard::check_token(&head.headers, token)?;

    let text = String::from_utf8_lossy(body);
    let text = text.trim();
    match (&head.method, place) {
        (&Method::GET, ControlPath::Faults) => return Ok(listed(&faults(desk.faults))),
        (&Method::GET, ControlPath::Scenarios) => return Ok(listed(&scenarios(desk.stage))),
        (&Method::GET, ControlPath::Answers) => {
            return Ok(listed(&desk.overrides.written().into()));
        }

        (&Method::POST, ControlPath::Faults) => {
            let added = text.parse::<Fault>().and_then(|fault| desk.faults.add(fault));
            added.map_err(invalid)?;
        }
        (&Method::POST, ControlPath::Scenarios) => {
            desk.stage.begin(text.parse::<Scenario>().map_err(invalid)?, desk.now);
        }
        (&Method::POST, ControlPath::Answers) => {
            for (operation, script) in overrides::read_all(text).map_err(invalid)? {
                desk.overrides.add(&operation, script).map_err(invalid)?;
            }
        }

        (&Method::DELETE, ControlPath::Faults) => desk.faults.clear(),
        (&Method::DELETE, ControlPath::Answers) => {
            desk.overrides.clear(Some(text).filter(|id| !id.is_empty()));
        }
        (&Method::DELETE, ControlPath::Scenarios) if text.is_empty() => desk.stage.end(None),
        (&Method::DELETE, ControlPath::Scenarios) => {
            desk.stage.end(Some(text.parse::<Scenario>().map_err(invalid)?));
        }
        _ => return Ok(refusal::wrong_method("DELETE, GET, POST")),
    }

    Ok(StatusCode::NO_CONTENT.into_response())
}

fn invalid(error: impl std::fmt::Display) -> Refusal {
    Refusal::invalid(error.to_string())
}

fn listed(value: &Value) -> Response {
    let head = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
    (head, value.to_string()).into_response()
}

/// Returns the queued faults as a JSON array of their text forms.
pub(crate) fn faults(faults: &Faults) -> Value {
    faults.waiting().iter().map(ToString::to_string).collect()
}

/// Returns a JSON object with the names of the active scenarios, and with a list of all scenarios.
pub(crate) fn scenarios(stage: &Stage) -> Value {
    let playing: Vec<_> = stage.now_playing().iter().map(ToString::to_string).collect();
    let all = Scenario::all().map(|(name, about)| json!({"name": name, "about": about}));
    json!({"playing": playing, "all": all.collect::<Value>()})
}
