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
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::app::{App, BODY_LIMIT};
use crate::refusal::{Form, Refusal};

/// A running server.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    task: JoinHandle<io::Result<()>>,
}

impl Server {
    /// Listens on loopback; port 0 takes a free one.
    pub(crate) async fn start(app: Arc<App>, port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let address = listener.local_addr()?;
        let (stop, stopped) = oneshot::channel();
        let router = Router::new().fallback(handle).with_state(app);
        let service = router.into_make_service_with_connect_info::<SocketAddr>();
        let serve = axum::serve(listener, service).with_graceful_shutdown(async {
            // An error means the sender is gone, which asks for the same.
            let _ = stopped.await;
        });
        let task = tokio::spawn(async move { serve.await });
        Ok(Server { address, stop: Some(stop), task })
    }

    /// Takes no new connections, finishes the requests under way and waits for that.
    pub(crate) async fn stop(mut self) -> io::Result<()> {
        drop(self.stop.take());
        self.task.await.map_err(io::Error::other)?
    }
}

async fn handle(
    State(app): State<Arc<App>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    request: Request<Body>,
) -> Response {
    let (head, body) = request.into_parts();
    match to_bytes(body, BODY_LIMIT).await {
        Ok(body) => app.respond(peer.ip(), &head, &body),
        Err(_) => Refusal::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "INVALID_REQUEST",
            format!("the body is larger than {BODY_LIMIT} bytes, or did not arrive"),
        )
        .into_response(Form::Data),
    }
}
