//! HTTP server that sends scripted bytes. Each connection uses the next script.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use crypto_intel::Client;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

/// Step of a script: what the server does after it has read a request.
#[derive(Clone)]
pub(crate) enum Do {
    /// Sends these bytes in one write.
    Send(Vec<u8>),
    /// Sends these bytes in separate writes of one byte each.
    Drip(Vec<u8>),
    /// Sends this text repeatedly until the client closes the connection.
    Endless(String),
    /// Sends nothing and keeps the connection open until the client closes it. Then notifies the test.
    Hang(Arc<Notify>),
}

/// HTTP request that the server received.
#[derive(Debug, Clone)]
pub(crate) struct SeenRequest {
    pub(crate) head: String,
    pub(crate) body: Value,
}

pub(crate) struct Server {
    pub(crate) url: String,
    seen: Arc<Mutex<Vec<SeenRequest>>>,
}

impl Server {
    /// Starts a server with one script for each connection. A connection without a script receives a response with
    /// status 500.
    pub(crate) async fn start(scripts: impl IntoIterator<Item = Vec<Do>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (mut scripts, log) =
            (scripts.into_iter().collect::<Vec<_>>().into_iter(), seen.clone());
        tokio::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                let script = scripts.next().unwrap_or_else(|| vec![json_answer(500, "{}")]);
                tokio::spawn(serve(connection, script, log.clone()));
            }
        });
        Server { url, seen }
    }

    pub(crate) fn client(&self) -> Client {
        Client::builder().base_url(&self.url).api_key("sk-planted").build().unwrap()
    }

    pub(crate) fn requests(&self) -> Vec<SeenRequest> {
        self.seen.lock().unwrap().clone()
    }
}

async fn serve(mut connection: TcpStream, script: Vec<Do>, log: Arc<Mutex<Vec<SeenRequest>>>) {
    connection.set_nodelay(true).unwrap();
    let Some(seen) = request(&mut connection).await else { return };
    log.lock().unwrap().push(seen);

    for step in script {
        let written = match step {
            Do::Send(bytes) => connection.write_all(&bytes).await,
            Do::Drip(bytes) => {
                let mut written = Ok(());
                for byte in bytes {
                    written = written.and(connection.write_all(&[byte]).await);
                    tokio::task::yield_now().await;
                }
                written
            }

            Do::Endless(text) => {
                let piece = format!("{:x}\r\n{text}\r\n", text.len());
                loop {
                    if connection.write_all(piece.as_bytes()).await.is_err() {
                        return;
                    }
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
            }
            Do::Hang(closed) => {
                let mut rest = Vec::new();
                let _ = connection.read_to_end(&mut rest).await;
                closed.notify_one();
                return;
            }
        };

        if written.is_err() {
            return;
        }
    }
}

async fn request(connection: &mut TcpStream) -> Option<SeenRequest> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end + 4;
        }
        if connection.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    let length: usize = length.map_or(0, |length| length.parse().unwrap());
    while bytes.len() < end + length {
        connection.read_buf(&mut bytes).await.ok()?;
    }
    Some(SeenRequest { head, body: serde_json::from_slice(&bytes[end..]).unwrap_or_default() })
}

/// Creates the step that sends the status line and headers of a response. The body of this response ends when the
/// connection closes.
pub(crate) fn head(content_type: &str) -> Do {
    Do::Send(
        format!("HTTP/1.1 200 OK\r\ncontent-type: {content_type}\r\nconnection: close\r\nx-request-id: req_1\r\n\r\n")
            .into_bytes(),
    )
}

/// Creates the step that sends the status line and headers of a response with chunked encoding. A chunked body has a
/// last chunk, so the client detects a body that was cut off.
pub(crate) fn chunked_head() -> Do {
    Do::Send(
        b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
            .to_vec(),
    )
}

pub(crate) fn chunk(text: &str) -> Do {
    Do::Send(format!("{:x}\r\n{text}\r\n", text.len()).into_bytes())
}

pub(crate) fn send(text: impl Into<String>) -> Do {
    Do::Send(text.into().into_bytes())
}

/// Creates the step that sends a complete JSON response.
pub(crate) fn json_answer(status: u16, body: &str) -> Do {
    send(format!(
        "HTTP/1.1 {status} Status\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    ))
}

/// Returns the event stream of a chat response that consists of these text deltas.
pub(crate) fn deltas(texts: &[&str]) -> String {
    texts.iter().map(|text| delta(text)).collect()
}

pub(crate) fn delta(text: &str) -> String {
    let data = serde_json::json!({"type": "response.output_text.delta", "delta": text});
    format!("event: response.output_text.delta\ndata: {data}\n\n")
}

pub(crate) fn completed(text: &str) -> String {
    let data = serde_json::json!({"type": "response.completed", "response": {
        "id": "resp_1", "status": "completed", "output_text": text,
        "usage": {"total_tokens": 7}, "meta": {"credits_used": 21},
    }});
    format!("event: response.completed\ndata: {data}\n\n")
}

/// Waits for a future. Fails the test if the future needs more than two minutes.
pub(crate) async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(120), future).await.expect("it hangs")
}
