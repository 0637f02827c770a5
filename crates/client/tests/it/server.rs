//! HTTP server with scripted behaviour. The script determines every byte that the server sends.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::task::JoinHandle;

/// Behaviour of the server after it has read a request.
#[derive(Debug, Clone)]
pub(crate) enum Act {
    /// Sends these bytes, and then closes the connection.
    Answer(Vec<u8>),
    /// Sends these bytes, and then resets the connection.
    Reset(Vec<u8>),
    /// Sends these bytes. Then sends nothing, but keeps the connection open.
    Stall(Vec<u8>),
}

/// HTTP server on a free loopback port. After this value is dropped, the server accepts no new connections.
pub(crate) struct Server {
    address: SocketAddr,
    requests: Arc<AtomicUsize>,
    texts: Arc<Mutex<Vec<String>>>,
    task: JoinHandle<()>,
}

impl Server {
    /// Starts a server that performs the action `act` after it has read a request. For example, [`Act::Stall`] sends
    /// bytes and keeps the connection open.
    pub(crate) async fn start(act: Act) -> Self {
        Server::start_with(move |_| act.clone()).await
    }

    /// Starts a server that calls `act` with the text of each request. The server then performs the action that `act`
    /// returned.
    pub(crate) async fn start_with(act: impl Fn(&str) -> Act + Send + Sync + 'static) -> Self {
        let act = Arc::new(act);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::new(AtomicUsize::new(0));
        let texts = Arc::new(Mutex::new(Vec::new()));
        let (counter, log) = (requests.clone(), texts.clone());
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, act.clone(), counter.clone(), log.clone()));
            }
        });
        Server { address, requests, texts, task }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns the number of requests that the server received completely.
    pub(crate) fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }

    /// Waits until the server has received this number of requests.
    pub(crate) async fn has_read(&self, requests: usize) {
        while self.requests() < requests {
            tokio::time::sleep(std::time::Duration::from_millis(1)).await;
        }
    }

    /// Returns the text of each received request, with headers and body.
    pub(crate) fn texts(&self) -> Vec<String> {
        self.texts.lock().unwrap().clone()
    }

    /// Returns a URL at which no server listens, and the socket that reserves its port. Keep the socket during the
    /// test; otherwise the server of another test could get this port.
    pub(crate) fn silent_port() -> (String, TcpSocket) {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(([127, 0, 0, 1], 0).into()).unwrap();
        (format!("http://{}", socket.local_addr().unwrap()), socket)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(
    mut stream: TcpStream,
    act: Arc<impl Fn(&str) -> Act>,
    requests: Arc<AtomicUsize>,
    texts: Arc<Mutex<Vec<String>>>,
) {
    let Some(text) = read_request(&mut stream).await else { return };
    let act = act(&text);
    texts.lock().unwrap().push(text);
    requests.fetch_add(1, Ordering::SeqCst);

    match act {
        Act::Answer(bytes) => {
            let _ = stream.write_all(&bytes).await;
            let _ = stream.shutdown().await;
        }
        Act::Reset(bytes) => {
            let _ = stream.write_all(&bytes).await;
            let _ = stream.set_zero_linger();
        }
        Act::Stall(bytes) => {
            let _ = stream.write_all(&bytes).await;
            // This read returns when the client closes the connection.
            let _ = stream.read(&mut [0; 16]).await;
        }
    }
}

pub(crate) async fn read_request(stream: &mut TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    loop {
        let mut piece = [0; 4096];
        let read = stream.read(&mut piece).await.ok().filter(|read| *read > 0)?;
        bytes.extend_from_slice(&piece[..read]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head
            .lines()
            .find_map(|line| {
                line.to_ascii_lowercase().strip_prefix("content-length:")?.trim().parse().ok()
            })
            .unwrap_or(0usize);
        if body.len() >= length {
            return Some(text);
        }
    }
}

/// Creates a complete response with a `content-length` header.
pub(crate) fn answer(status: u16, headers: &[(&str, &str)], body: &str) -> Act {
    Act::Answer(bytes(status, headers, body.as_bytes(), body.len()))
}

/// Returns the bytes of a response. Its `content-length` header is `length`, which may differ from the length of
/// `body`.
pub(crate) fn bytes(status: u16, headers: &[(&str, &str)], body: &[u8], length: usize) -> Vec<u8> {
    let mut head =
        format!("HTTP/1.1 {status} Status\r\ncontent-length: {length}\r\nconnection: close\r\n");
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    [head.as_bytes(), body].concat()
}
