//! The listener: one task a sandbox, which ends when the sandbox is dropped.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{ConnectInfo, Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::app::{App, BODY_LIMIT};
use crate::refusal::{Form, Refusal};
use crate::stop::Stop;

/// A running server.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    stop: Stop,
    task: Option<JoinHandle<io::Result<()>>>,
}

impl Server {
    /// Listens on loopback; port 0 takes a free one.
    pub(crate) async fn start(app: Arc<App>, port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let address = listener.local_addr()?;
        let stop = app.stop.clone();
        let stopped = stop.clone();
        let router = Router::new().fallback(handle).with_state(app);
        let service = router.into_make_service_with_connect_info::<SocketAddr>();
        let serve = axum::serve(listener, service)
            .with_graceful_shutdown(async move { stopped.wait().await });
        let task = tokio::spawn(async move { serve.await });
        Ok(Server { address, stop, task: Some(task) })
    }

    /// Takes no new connections, finishes the requests under way and waits for that.
    pub(crate) async fn stop(mut self) -> io::Result<()> {
        self.stop.now();
        match self.task.take() {
            Some(task) => task.await.map_err(io::Error::other)?,
            None => Ok(()),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.now();
    }
}

async fn handle(
    State(app): State<Arc<App>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    request: Request<Body>,
) -> Response {
    let (head, body) = request.into_parts();
    match to_bytes(body, BODY_LIMIT).await {
        Ok(body) => app.handle(peer.ip(), &head, &body).await,
        Err(_) => Refusal::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "INVALID_REQUEST",
            format!("the body is larger than {BODY_LIMIT} bytes, or did not arrive"),
        )
        .into_response(Form::Data),
    }
}
