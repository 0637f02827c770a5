//! Serves MCP over streamable HTTP.
//!
//! Any web page in the user's browser can send requests to a local port. Therefore the server listens only on loopback
//! by default, and requires a bearer token. It rejects requests with a foreign `Host` header, because the owner of a
//! web page can point a domain name to this machine. It also rejects requests with an `Origin` header. A browser adds
//! this header to each POST request that a web page sends. The settings can allow further hosts and origins.

use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use subtle::ConstantTimeEq;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

pub use crate::callers::KEY;
use crate::server::Server;

/// URL path of the MCP endpoint.
pub const PATH: &str = "/mcp";

/// Minimum number of characters of the bearer token.
const TOKEN: usize = 16;

/// Settings of the HTTP listener.
///
/// # Defaults
/// The address is a free port of 127.0.0.1. The header `Host` of a request must contain a loopback name, such as
/// `localhost`. A request with the header `Origin` is rejected, because browsers add this header to each POST request
/// of a web page.
#[derive(Clone)]
#[must_use]
pub struct Listen {
    address: SocketAddr,
    token: String,
    hosts: Vec<String>,
    origins: Vec<String>,
}

impl Listen {
    /// Creates the settings of a listener whose callers must send `token`.
    ///
    /// # Errors
    /// Returns an error if the token has fewer than 16 characters, or contains other characters than visible ASCII
    /// characters.
    pub fn new(token: impl Into<String>) -> io::Result<Self> {
        let token = token.into();
        if token.len() < TOKEN || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                format!("the token must have at least {TOKEN} visible ASCII characters"),
            ));
        }
        let address = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);
        Ok(Listen { address, token, hosts: Vec::new(), origins: Vec::new() })
    }

    /// Sets the address of the listener. The listener does not encrypt the token. If the address is not a loopback
    /// address, put a TLS proxy in front of the listener, and [allow](Self::host) the host name that callers use.
    pub fn address(mut self, address: SocketAddr) -> Self {
        self.address = address;
        self
    }

    /// Allows requests with this `Host` header in addition to loopback names. The format is `name` or `name:port`.
    pub fn host(mut self, host: impl Into<String>) -> Self {
        self.hosts.push(host.into());
        self
    }

    /// Allows requests from web pages of this origin, such as `https://app.example:443`.
    pub fn origin(mut self, origin: impl Into<String>) -> Self {
        self.origins.push(origin.into());
        self
    }

    /// Opens the port of the listener.
    ///
    /// # Errors
    /// Returns an error if the address is in use or not permitted.
    pub async fn bind(self, server: Server) -> io::Result<Listener> {
        let listener = TcpListener::bind(self.address).await?;
        let address = listener.local_addr()?;
        Ok(Listener { listener, address, listen: self, server })
    }
}

impl fmt::Debug for Listen {
    /// Formats the settings without the token.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Listen").field("address", &self.address).finish_non_exhaustive()
    }
}

/// A listener with an open port. It answers requests only after [`serve`](Self::serve) is called.
#[derive(Debug)]
pub struct Listener {
    listener: TcpListener,
    address: SocketAddr,
    listen: Listen,
    server: Server,
}

impl Listener {
    /// Returns the URL of the MCP endpoint.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}{PATH}", self.address)
    }

    /// Serves requests until the future `stop` completes, then closes all connections.
    ///
    /// # Errors
    /// Returns an error if the listener fails.
    pub async fn serve(self, stop: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
        let Listen { token, hosts, origins, .. } = self.listen;
        let stopping = CancellationToken::new();
        let loopback = ["localhost", "127.0.0.1", "::1"].map(str::to_owned);
        let config = StreamableHttpServerConfig::default()
            .with_allowed_hosts(loopback.into_iter().chain(hosts))
            .with_allowed_origins(origins)
            .enforce_origin_validation()
            .with_cancellation_token(stopping.clone());

        let server = self.server;
        let sessions = Arc::new(LocalSessionManager::default());
        let service =
            StreamableHttpService::new(move || Ok(server.for_new_session()), sessions, config);
        let token: Arc<str> = format!("Bearer {token}").into();
        let app = Router::new()
            .nest_service(PATH, service)
            .layer(middleware::from_fn_with_state(token, authorised));
        axum::serve(self.listener, app)
            .with_graceful_shutdown(async move {
                stop.await;
                stopping.cancel();
            })
            .await
    }
}

/// Rejects HTTP requests without the bearer token. The comparison takes constant time, so the token cannot be guessed
/// character by character.
async fn authorised(State(expected): State<Arc<str>>, request: Request, next: Next) -> Response {
    let given = request.headers().get(axum::http::header::AUTHORIZATION);
    let given = given.map_or(&[][..], |value| value.as_bytes());
    if bool::from(given.ct_eq(expected.as_bytes())) {
        return next.run(request).await;
    }
    let challenge = [(axum::http::header::WWW_AUTHENTICATE, "Bearer")];
    let text = "the request needs the header `Authorization: Bearer TOKEN` with the token that the server printed when it started";
    (axum::http::StatusCode::UNAUTHORIZED, challenge, text).into_response()
}
