//! HTTP server on a loopback port. It passes each request to a [`Handler`].
//!
//! The server limits the number of connections and the time to receive a request. When the server stops, it also limits
//! the time to wait for the requests in progress.

use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use axum::extract::Request;
use axum::response::Response;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, Semaphore};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{sleep, timeout};

use crate::stop::Stop;

/// Handler that responds to the requests of a [`Server`].
pub(crate) trait Handler: Send + Sync + 'static {
    /// Receives the body of a request within `body_within`, and responds to the request.
    fn respond(
        self: Arc<Self>,
        peer: IpAddr,
        request: Request<Incoming>,
        body_within: Duration,
    ) -> Pin<Box<dyn Future<Output = Response> + Send>>;
}

/// Limits of an HTTP server.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Patience {
    /// Maximum number of open connections. Further connections wait until one closes.
    pub(crate) connections: usize,
    /// Time limit for receiving the head of a request.
    pub(crate) head: Duration,
    /// Time limit for receiving the body of a request.
    pub(crate) body: Duration,
    /// Maximum time for which a stopping server waits for the requests in progress.
    pub(crate) stop: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Patience {
            connections: 1024,
            head: Duration::from_secs(10),
            body: Duration::from_secs(30),
            stop: Duration::from_secs(5),
        }
    }
}

/// A running HTTP server. It stops when it is dropped.
#[derive(Debug)]
pub(crate) struct Server {
    address: SocketAddr,
    stop: Stop,
    task: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts a server on a loopback port. The server runs until `stop` is signalled. Port 0 chooses a free port.
    pub(crate) async fn start(
        handler: Arc<impl Handler>,
        stop: Stop,
        port: u16,
        patience: Patience,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let address = listener.local_addr()?;
        let task = tokio::spawn(serve(listener, handler, stop.clone(), patience));
        Ok(Server { address, stop, task: Some(task) })
    }

    /// Returns the base URL of the server without a final slash.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Stops the server. Accepts no new connections, and waits for the requests in progress up to the time limit.
    pub(crate) async fn stop(mut self) -> io::Result<()> {
        self.stop.now();
        match self.task.take() {
            Some(task) => task.await.map_err(io::Error::other),
            None => Ok(()),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.now();
    }
}

/// Accepts connections until `stop` is signalled. Then waits for the open connections up to the time limit, and closes
/// the rest.
async fn serve(listener: TcpListener, handler: Arc<impl Handler>, stop: Stop, patience: Patience) {
    let free = Arc::new(Semaphore::new(patience.connections));
    let graceful = GracefulShutdown::new();
    let mut connections = JoinSet::new();
    let mut stopped = pin!(stop.wait());

    loop {
        let accepted = async {
            // The semaphore exists as long as this loop, so it is never closed.
            let permit = Arc::clone(&free).acquire_owned().await;
            (permit, listener.accept().await)
        };
        let (permit, accepted) = tokio::select! {
            () = &mut stopped => break,
            accepted = accepted => accepted,
        };
        let Ok((stream, peer)) = accepted else {
            // Probably the process has too many open files, and other connections must close first.
            sleep(Duration::from_millis(50)).await;
            continue;
        };

        let handler = Arc::clone(&handler);
        let connection = connection(stream, peer, handler, patience, graceful.watcher());
        connections.spawn(async move {
            connection.await;
            drop(permit);
        });
        while connections.try_join_next().is_some() {}
    }

    drop(listener);
    // Requests that do not end in time are dropped, because they may never end.
    let _ = timeout(patience.stop, graceful.shutdown()).await;
    connections.shutdown().await;
}

/// Serves the requests of one connection. An error of the client ends only this connection.
async fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    handler: Arc<impl Handler>,
    patience: Patience,
    watcher: Watcher,
) {
    // Events of a stream are small and should be sent immediately.
    let _ = stream.set_nodelay(true);
    let mut http = auto::Builder::new(TokioExecutor::new());
    http.http1().timer(TokioTimer::new()).header_read_timeout(patience.head);
    http.http2().timer(TokioTimer::new());

    let first = Arc::new(Notify::new());
    let seen = Arc::clone(&first);
    let service = service_fn(move |request: Request<Incoming>| {
        seen.notify_one();
        let response = Arc::clone(&handler).respond(peer.ip(), request, patience.body);
        async move { Ok::<_, Infallible>(response.await) }
    });
    let connection = http.serve_connection(TokioIo::new(stream), service);
    let mut connection = pin!(watcher.watch(connection));

    // The HTTP library starts the time limit for a head only after the first line. Before the first request, the
    // sandbox applies the limit itself.
    tokio::select! {
        _ = &mut connection => return,
        () = first.notified() => {}
        () = sleep(patience.head) => return,
    }
    let _ = connection.await;
}
