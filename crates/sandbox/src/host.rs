//! Connects the HTTP server of a sandbox with the state of the sandbox. A saved state can replace the current state.
//! A request can also start a fork. A fork is a second sandbox that continues from the current state.

use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{Method, StatusCode, header, request};
use axum::response::{IntoResponse, Response};
use hyper::body::Incoming;
use serde_json::json;
use tokio::time::timeout;

use crate::app::{App, BODY_LIMIT};
use crate::clock::Clock;
use crate::guard;
use crate::refusal::{self, Form, Refusal};
use crate::saved::{InvalidState, SavedState};
use crate::server::{Handler, Server};
use crate::serving::Serving;
use crate::stop::Stop;

/// Maximum size of a saved state in a request body, in bytes.
const STATE_LIMIT: usize = 64 << 20;
/// Maximum number of forks that are started over HTTP and run at the same time.
const FORKS: usize = 16;
/// URL path at which requests read or replace the state of the sandbox.
const SAVED: &str = "/sandbox/saved";
/// URL path at which requests start, list and stop forks. A fork is a second sandbox that continues from the current
/// state.
const FORKS_PATH: &str = "/sandbox/forks";

/// A sandbox whose state can be replaced while its connections stay open.
#[derive(Debug)]
pub(crate) struct Host {
    app: RwLock<Arc<App>>,
    pub(crate) clock: Clock,
    pub(crate) serving: Serving,
    pub(crate) stop: Stop,
    /// Running copies (forks) of this sandbox that were started over HTTP.
    forks: Mutex<Vec<Server>>,
}

impl Host {
    pub(crate) fn new(app: App, clock: Clock, serving: Serving) -> Self {
        let stop = app.stop.clone();
        let app = RwLock::new(Arc::new(app));
        Host { app, clock, serving, stop, forks: Mutex::default() }
    }

    /// Creates a sandbox with a saved state.
    ///
    /// # Errors
    /// Returns an error if the state contains a fault, scenario or override that this release does not support.
    pub(crate) fn from_saved(
        state: &SavedState,
        clock: Clock,
        serving: Serving,
    ) -> Result<Self, InvalidState> {
        let app = App::from_saved(state, &clock, &serving, Stop::new())?;
        Ok(Host::new(app, clock, serving))
    }

    /// Creates a second sandbox that continues from the present state, with a clock of its own.
    ///
    /// # Errors
    /// Returns the errors of [`save`](Self::save).
    pub(crate) fn fork(&self) -> Result<Self, InvalidState> {
        let fork = Host::from_saved(&self.save()?, Clock::system(), self.serving.clone())?;
        let keys: Vec<_> = self.app().accounts().known_keys().map(str::to_owned).collect();
        keys.iter().for_each(|key| fork.app().accounts().learn(key, 0));
        Ok(fork)
    }

    /// Makes the sandbox serve `operations` in place of the operations of the API.
    #[cfg(test)]
    pub(crate) fn serve(&mut self, operations: &[&'static crypto_intel_core::Operation]) {
        let app = self.app.get_mut().unwrap_or_else(PoisonError::into_inner);
        Arc::get_mut(app).expect("no request is in progress").serve(operations);
    }

    /// Returns the current state of the sandbox. The caller can continue to use this state after [`load`](Self::load)
    /// has replaced it. However, `load` cancels the unfinished SQL jobs of the replaced state.
    pub(crate) fn app(&self) -> Arc<App> {
        Arc::clone(&self.app.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the current state as a saved state.
    ///
    /// # Errors
    /// Returns an error if the sandbox records or replays.
    pub(crate) fn save(&self) -> Result<SavedState, InvalidState> {
        self.app().to_saved()
    }

    /// Replaces the present state by a saved state.
    ///
    /// # Errors
    /// Returns an error if the sandbox records or replays. Also returns an error if the saved state contains a fault,
    /// scenario or override that this release does not support.
    pub(crate) fn load(&self, state: &SavedState) -> Result<(), InvalidState> {
        let before = self.app();
        before.check_state()?;
        let keys: Vec<_> = before.accounts().known_keys().map(str::to_owned).collect();
        let app = App::from_saved(state, &self.clock, &self.serving, self.stop.clone())?;
        for key in keys {
            app.accounts().find(&key);
        }
        *self.app.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(app);
        before.abandon();
        Ok(())
    }

    fn check_token(&self, head: &request::Parts) -> Result<(), Refusal> {
        guard::check_token(&head.headers, self.serving.control.as_deref().unwrap_or_default())
    }

    /// Receives the body of a request and responds to the request. If the body does not arrive within `body_within`,
    /// responds with status 408. If the body is too large, responds with status 413.
    pub(crate) async fn answer(
        &self,
        peer: IpAddr,
        head: &request::Parts,
        body: Body,
        body_within: Duration,
    ) -> Response {
        let refused = |status, message| {
            Refusal::new(status, "INVALID_REQUEST", message).into_response(Form::Data)
        };
        let is_load = head.uri.path() == SAVED && self.check_token(head).is_ok();
        let limit = if is_load { STATE_LIMIT } else { BODY_LIMIT };
        match timeout(body_within, to_bytes(body, limit)).await {
            Ok(Ok(body)) => self.handle(peer, head, &body).await,
            Ok(Err(_)) => refused(
                StatusCode::PAYLOAD_TOO_LARGE,
                format!("the body is larger than {limit} bytes, or could not be read"),
            ),
            Err(_) => refused(
                StatusCode::REQUEST_TIMEOUT,
                format!("the body of the request did not arrive within {body_within:?}"),
            ),
        }
    }

    async fn handle(&self, peer: IpAddr, head: &request::Parts, body: &[u8]) -> Response {
        let is_controlled = self.serving.control.is_some();
        let response = match head.uri.path() {
            SAVED if is_controlled => self.state_of(head, body),
            FORKS_PATH if is_controlled => self.forks_of(head, body).await,
            _ => return self.app().handle(peer, head, body).await,
        };
        response.unwrap_or_else(|refusal| refusal.into_response(Form::Data))
    }

    /// Responds to a request for `/sandbox/saved`. `GET` returns the present state, and `PUT` replaces the present
    /// state by the state in the body.
    ///
    /// # Errors
    /// Returns status 401 if the control token is missing or wrong. Returns status 400 if the state is invalid, or if
    /// the sandbox records or replays responses.
    fn state_of(&self, head: &request::Parts, body: &[u8]) -> Result<Response, Refusal> {
        self.check_token(head)?;
        match head.method {
            Method::GET => {
                let state = self.save().map_err(invalid)?;
                let head = [
                    (header::CONTENT_TYPE, "application/json"),
                    (header::CACHE_CONTROL, "no-store"),
                ];
                Ok((head, state.to_string()).into_response())
            }
            Method::PUT => {
                let state = String::from_utf8_lossy(body).parse().map_err(invalid)?;
                self.load(&state).map_err(invalid)?;
                Ok(StatusCode::NO_CONTENT.into_response())
            }
            _ => Ok(refusal::wrong_method("GET, PUT")),
        }
    }

    /// Responds to a request for `/sandbox/forks`. `POST` starts a fork on its own port, and `GET` lists the forks.
    /// `DELETE` stops the fork whose URL is in the body, or all forks if the body is empty.
    ///
    /// # Errors
    /// Returns status 401 if the control token is missing or wrong. Returns status 400 if no further fork can be
    /// started.
    async fn forks_of(&self, head: &request::Parts, body: &[u8]) -> Result<Response, Refusal> {
        self.check_token(head)?;
        let listed = |server: &Server| json!({"url": server.url()});

        match head.method {
            Method::GET => {
                Ok(axum::Json(self.forks().iter().map(listed).collect::<Vec<_>>()).into_response())
            }
            Method::POST => {
                if self.forks().len() >= FORKS {
                    let problem = format!(
                        "{FORKS} forks are running: stop one with `DELETE {FORKS_PATH}` and its \
                         URL as the body"
                    );
                    return Err(Refusal::invalid(problem));
                }

                let fork = Arc::new(self.fork().map_err(invalid)?);
                let server = fork.listen(0).await.map_err(invalid)?;
                let shown = listed(&server);
                self.forks().push(server);
                Ok((StatusCode::CREATED, axum::Json(shown)).into_response())
            }
            Method::DELETE => {
                let url = String::from_utf8_lossy(body);
                let url = url.trim();
                self.forks().retain(|server| !url.is_empty() && server.url() != url);
                Ok(StatusCode::NO_CONTENT.into_response())
            }
            _ => Ok(refusal::wrong_method("DELETE, GET, POST")),
        }
    }

    /// Starts a server for the sandbox on a loopback port. Port 0 chooses a free port.
    ///
    /// # Errors
    /// Returns an error if the port is not available.
    pub(crate) fn listen(
        self: &Arc<Self>,
        port: u16,
    ) -> Pin<Box<dyn Future<Output = io::Result<Server>> + Send>> {
        let patience = self.serving.patience;
        Box::pin(Server::start(Arc::clone(self), self.stop.clone(), port, patience))
    }

    fn forks(&self) -> MutexGuard<'_, Vec<Server>> {
        self.forks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Handler for Host {
    fn respond(
        self: Arc<Self>,
        peer: IpAddr,
        request: Request<Incoming>,
        body_within: Duration,
    ) -> Pin<Box<dyn Future<Output = Response> + Send>> {
        Box::pin(async move {
            let (head, body) = request.into_parts();
            if let Err(refusal) = guard::check(&head) {
                return refusal.into_response(Form::Data);
            }
            let origins = &self.serving.origins;
            if let Some(response) = origins.preflight(&head) {
                return response;
            }
            let response = self.answer(peer, &head, Body::new(body), body_within).await;
            origins.allowed(&head, response)
        })
    }
}

fn invalid(error: impl Into<Box<dyn std::error::Error>>) -> Refusal {
    Refusal::invalid(error.into().to_string())
}

impl From<InvalidState> for io::Error {
    fn from(error: InvalidState) -> Self {
        io::Error::new(io::ErrorKind::InvalidInput, error)
    }
}
