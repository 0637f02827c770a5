//! Processes a request in the same steps as the service. The first steps check the path, method, API key, rate limit
//! and arguments. Then the credits are charged and the data are generated.

mod content;
mod saving;

use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use axum::http::{Method, StatusCode, header, request};
use axum::response::{IntoResponse, Response};
use crypto_intel_api::generated::catalogue::OPERATIONS;
use crypto_intel_core::Operation;
use serde_json::Value;

use crate::account::Accounts;
use crate::answer;
use crate::chat::{self, Chat};
use crate::clock::{self, Clock};
use crate::context::Context;
use crate::control;
use crate::cursor::Cursors;
use crate::distort;
use crate::fault::{Action, Fault, Faults};
use crate::incoming::{Parsed, arrived, find_operation, form_of, parsed, read_document};
use crate::log::{Arrived, Log};
use crate::memo::Memo;
use crate::overrides::Overrides;
#[cfg(feature = "page")]
use crate::page;
use crate::refusal::{self, Form, Refusal};
use crate::route::{self, RouteMatch, Routes};
use crate::scenario::Stage;
use crate::shapes;
use crate::sql::{self, Sql};
use crate::stop::Stop;
use crate::tape::Tape;
use crypto_intel_world as world;
use crypto_intel_world::args::{Args, Carriers};
use crypto_intel_world::random::Seed;

/// Maximum size of a request body in bytes.
pub(crate) const BODY_LIMIT: usize = 1 << 20;

/// State of the sandbox that all requests share.
#[derive(Debug)]
pub(crate) struct App {
    routes: Routes,
    accounts: Mutex<Accounts>,
    clock: Clock,
    /// Configured random seed of all generated data.
    root: u64,
    seed: Seed,
    cursors: Cursors,
    memo: Memo<answer::Written>,
    chat: Chat,
    sql: Sql,
    /// Number of requests so far, except for the control paths, the web page and the OpenAPI document. A sandbox that
    /// starts with a saved state adds its requests to the saved number.
    served: AtomicU64,
    pub(crate) faults: Faults,
    pub(crate) overrides: Overrides,
    pub(crate) stage: Stage,
    pub(crate) log: Log,
    pub(crate) stop: Stop,
    /// Recorder or player of responses. A sandbox that forwards requests to the service has a recorder. A sandbox that
    /// replays recorded responses has a player. `None` if the sandbox generates its responses.
    pub(crate) tape: Option<Tape>,
    /// Token that requests for the control paths, such as `/sandbox/faults`, must contain. If the token is `None`,
    /// these paths do not exist, and the header `x-sandbox-fault` has no effect.
    pub(crate) control: Option<String>,
}

/// Request header that contains a fault, such as `status=503`. The fault affects only the request with the header. The
/// header has an effect only if the control paths are enabled.
const FAULT_HEADER: &str = "x-sandbox-fault";

/// URL paths of the service's OpenAPI document. The service uses the first path. The second path is the usual path of
/// an OpenAPI document.
const DESCRIPTIONS: &[&str] = &["/gateway/openapi.json", "/openapi.json"];

/// Returns true if the request is for the OpenAPI document. Such a request needs no key and costs nothing.
fn is_description(head: &request::Parts) -> bool {
    DESCRIPTIONS.contains(&head.uri.path()) && [Method::GET, Method::HEAD].contains(&head.method)
}

/// Number of credits charged for a request. The number is attached to the response, so that the request log can read it
/// from the response.
#[derive(Debug, Clone, Copy)]
struct Charged(i64);

/// Details about a handled request, for the request log.
#[derive(Debug, Clone, Default)]
struct Remarks {
    /// Names of the request body fields that have no effect.
    ignored: Vec<&'static str>,
    /// Warning about the request, for example about an unknown model. The request is accepted. The response header
    /// `x-sandbox-warning` and the request log contain the warning.
    warning: Option<String>,
    /// True if an [`Override`](crate::Override) applied to the request.
    overridden: bool,
    /// Fault that an override applied to the request, such as `status=503`. `None` if no override applied a fault.
    fault: Option<Fault>,
}

/// Response header with a warning about the request, for example about an unknown model.
const WARNING_HEADER: &str = "x-sandbox-warning";

impl App {
    pub(crate) fn new(
        seed: u64,
        clock: Clock,
        accounts: Accounts,
        chat: Chat,
        sql: sql::Settings,
        control: Option<String>,
        stop: Stop,
    ) -> Self {
        let root = seed;
        let seed = Seed::new(root);

        App {
            root,
            routes: Routes::new(OPERATIONS),
            accounts: Mutex::new(accounts),
            sql: Sql::new(sql, clock.clone(), stop.clone()),
            clock,
            seed,
            cursors: Cursors::new(seed),
            memo: Memo::default(),
            chat,
            served: AtomicU64::new(0),
            faults: Faults::default(),
            overrides: Overrides::default(),
            stage: Stage::default(),
            log: Log::default(),
            stop,
            tape: None,
            control,
        }
    }

    /// Replaces the operations that the sandbox serves.
    #[cfg(test)]
    pub(crate) fn serve(&mut self, operations: &[&'static Operation]) {
        self.routes = Routes::new(operations);
    }

    /// Locks the accounts. Ignores a poisoned lock, because the accounts are consistent even after a panic.
    pub(crate) fn accounts(&self) -> MutexGuard<'_, Accounts> {
        self.accounts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of requests so far, including requests that get an error such as 404. The number excludes
    /// requests for the control paths, the web page and the OpenAPI document. It also excludes:
    ///
    /// - CORS preflight requests from allowed origins,
    /// - requests that are rejected because of their host or origin,
    /// - requests whose body is too large or arrives too slowly.
    pub(crate) fn served(&self) -> u64 {
        self.served.load(Ordering::Relaxed)
    }

    /// Handles one request: applies the faults, creates the response, and logs the request.
    pub(crate) async fn handle(
        &self,
        peer: IpAddr,
        head: &request::Parts,
        body: &[u8],
    ) -> Response {
        let path = head.uri.path();
        if let (Some(token), Some(place)) = (self.control.as_deref(), control::parse_path(path)) {
            return control::respond(place, self.desk(), token, head, body)
                .unwrap_or_else(|refusal| refusal.into_response(Form::Data));
        }

        #[cfg(feature = "page")]
        if let Some(place) = page::parse_path(path) {
            let view = page::View {
                requests: &self.log.last(page::REQUESTS),
                accounts: &mut self.accounts(),
                served: self.served(),
                now: self.clock.now_millis().0,
                peer,
                desk: self.desk(),
                token: self.control.as_deref(),
            };
            return page::respond(place, head, view);
        }

        if is_description(head) {
            let head = [(header::CONTENT_TYPE, "application/json")];
            return (head, crypto_intel_api::OPENAPI).into_response();
        }

        let nonce = self.served.fetch_add(1, Ordering::Relaxed);
        let found = self.routes.find(path);
        let candidates = found.as_ref().map_or(Vec::new(), |found| found.of_method(&head.method));
        let ids: Vec<_> = candidates.iter().map(|operation| operation.id).collect();
        let fault = match self.fault_of(head, &ids) {
            Ok(fault) => fault,
            Err(refusal) => return refusal.into_response(Form::Data),
        };

        let document = parsed(&candidates, body);
        let find_operation = find_operation(&candidates, document.as_ref());
        let note = |status: Option<u16>, credits: Option<i64>, remarks: Remarks| {
            let Remarks { ignored, warning, overridden, fault: of_override } = remarks;
            let arrived =
                arrived(head, body, find_operation, fault.as_ref().or(of_override.as_ref()));
            let at = self.clock.now();
            self.log.add(Arrived { at, status, credits, ignored, warning, overridden, ..arrived });
        };

        let seed = self.seed.named("fault").at(nonce);
        if let Some(fault) = &fault {
            if fault.action == Action::Stall {
                note(None, None, Remarks::default());
            }
            if let Some(response) = self.delayed(fault, seed).await {
                return response;
            }
        }

        let form = candidates.first().map_or(Form::Data, |operation| form_of(operation));
        let instead = fault.as_ref().and_then(|fault| distort::replacement(fault, form, seed));
        let mut response = match (instead, &self.tape) {
            (Some(response), _) => response,
            (None, Some(tape)) => tape.respond(head, body).await,
            (None, None) => self.respond(peer, head, found.as_ref(), document, nonce).await,
        };

        if let Some(fault) = &fault {
            response = distort::distorted(fault, find_operation, response, self.stop.clone()).await;
        }
        let remarks = response.extensions_mut().remove::<Remarks>().unwrap_or_default();
        if let Some(fault) = remarks.fault.as_ref().filter(|fault| fault.action == Action::Stall) {
            note(None, None, remarks.clone());
            return self.delayed(fault, seed).await.unwrap_or(response);
        }
        if let Some(fault) = &remarks.fault {
            self.delayed(fault, seed).await;
            response = distort::distorted(fault, find_operation, response, self.stop.clone()).await;
        }
        if self.tape.is_none() && self.stage.is_next_release() {
            let action = Fault::new(Action::NextRelease);
            response =
                distort::distorted(&action, find_operation, response, self.stop.clone()).await;
        }

        let charged = response.extensions().get::<Charged>().map(|charged| charged.0);
        note(Some(response.status().as_u16()), charged, remarks);
        response
    }

    /// Returns the fault in the header `x-sandbox-fault`. Without this header, returns the next queued fault for one of
    /// the operations `ids`.
    ///
    /// # Errors
    /// Returns an error with status 400 if the header does not contain a valid fault.
    fn fault_of(&self, head: &request::Parts, ids: &[&str]) -> Result<Option<Fault>, Refusal> {
        match head.headers.get(FAULT_HEADER).filter(|_| self.control.is_some()) {
            Some(text) => {
                let fault = text.to_str().unwrap_or_default().parse::<Fault>();
                fault
                    .map(Some)
                    .map_err(|error| Refusal::invalid(format!("`{FAULT_HEADER}`: {error}")))
            }
            None => Ok(self.faults.take(ids)),
        }
    }

    /// Applies a fault that delays the request or moves the clock, and returns `None`. For the fault `stall`, waits
    /// until the sandbox stops, and then returns a response with status 503. Ignores all other faults.
    async fn delayed(&self, fault: &Fault, seed: Seed) -> Option<Response> {
        match &fault.action {
            Action::Latency(wait) => tokio::time::sleep(*wait).await,
            Action::Jitter(most) => tokio::time::sleep(most.mul_f64(seed.unit())).await,
            Action::Clock(seconds) => self.clock.jump(*seconds),
            Action::Stall => {
                self.stop.wait().await;
                return Some(StatusCode::SERVICE_UNAVAILABLE.into_response());
            }
            _ => {}
        }
        None
    }

    fn desk(&self) -> control::Desk<'_> {
        control::Desk {
            faults: &self.faults,
            stage: &self.stage,
            overrides: &self.overrides,
            now: self.clock.now().0,
        }
    }

    async fn respond(
        &self,
        peer: IpAddr,
        head: &request::Parts,
        found: Option<&RouteMatch<'_>>,
        document: Option<Parsed>,
        nonce: u64,
    ) -> Response {
        let Some(found) = found else {
            return refusal::unknown_path();
        };
        let candidates = found.of_method(&head.method);
        let Some(first) = candidates.first() else {
            return refusal::wrong_method(&found.allowed());
        };
        let form = form_of(first);
        self.respond_known(peer, head, document, nonce, &candidates, &found.path_values)
            .await
            .unwrap_or_else(|refusal| refusal.into_response(form))
    }

    /// Responds to a request for a known path: identifies the account, reads the arguments, charges the price, and
    /// generates the response. Refunds the price after an error.
    ///
    /// # Errors
    /// Returns an error if one of these steps rejects the request.
    async fn respond_known(
        &self,
        peer: IpAddr,
        head: &request::Parts,
        document: Option<Parsed>,
        nonce: u64,
        candidates: &[&'static Operation],
        path_values: &[(&'static str, String)],
    ) -> Result<Response, Refusal> {
        let now = self.clock.now_millis();
        let authorization = head.headers.get(header::AUTHORIZATION).map(|value| value.as_bytes());
        let identity = {
            let mut accounts = self.accounts();
            let identity = accounts.identify(authorization, peer)?;
            accounts.admit(&identity, now.0)?;
            identity
        };

        let mut document = read_document(candidates, head, document)?;
        let operation = route::choose(candidates, document.as_ref())
            .ok_or_else(|| Refusal::not_found("no operation"))?;
        let ignored = match document.as_mut().and_then(Value::as_object_mut) {
            Some(members) => chat::adapt(operation, members, self.chat.is_strict()),
            None => Vec::new(),
        };

        let (form, query) = sql::form_of(operation, head.uri.query().unwrap_or_default());
        let headers: Vec<_> =
            head.headers.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
        let args = Args::read(
            operation,
            Carriers {
                query,
                path_values,
                headers: &headers,
                body: document.as_ref().and_then(Value::as_object),
                switches: &route::switches(candidates),
                undescribed: chat::undescribed(operation, self.chat.is_strict()),
                open: chat::open(operation, self.chat.is_strict()),
            },
        )?;

        chat::check(&args)?;
        let warning = chat::unknown_model(&args);
        let price = chat::price(operation, &args);
        let charge = {
            let mut accounts = self.accounts();
            match self.stage.free_window() {
                None => accounts.charge(&identity, operation, price, now.0),
                Some(window) => accounts.charge_within(window, &identity, operation, price, now.0),
            }?
        };

        let now = now.to_seconds().0;
        let mut context = Context {
            world: world::Context {
                scenario: self.stage.scenes(),
                ..world::Context::new(self.seed, now)
            },
            cursors: &self.cursors,
            nonce,
            credits_used: charge.credits,
            cached: charge.in_window,
            text: None,
        };

        let content = self.overrides.take(&args);
        let mut remarks = Remarks { ignored, warning, overridden: content.is_some(), fault: None };
        let answered = match content {
            Some(content) => {
                self.overridden(content, &mut context, &mut remarks, &args, &identity, form).await
            }
            None => self.answer(&context, &args, &identity, form).await,
        };

        match answered {
            Ok(mut response) => {
                if response.status().is_success() {
                    response.extensions_mut().insert(Charged(charge.credits));
                } else {
                    self.accounts().refund(&charge);
                }

                if shapes::is_made_from_shapes(operation) && !remarks.overridden {
                    response.headers_mut().extend([shapes::HEADER]);
                }
                // Without this header, the HTTP server would send the system's time instead of the sandbox's time.
                if let Some(value) = clock::http_date(now) {
                    response.headers_mut().insert(header::DATE, value);
                }
                if let Some(value) = remarks.warning.as_ref().and_then(|text| text.parse().ok()) {
                    response.headers_mut().insert(WARNING_HEADER, value);
                }
                response.extensions_mut().insert(remarks);
                Ok(response)
            }
            Err(refusal) => {
                self.accounts().refund(&charge);
                Err(refusal)
            }
        }
    }
}
