//! Tests of the peak memory of calls that fail with a large response body. The global allocator measures this memory.
//! This file is a test program of its own, because the allocator measures a whole process.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

use crypto_intel::{CallOptions, Client, RetryPolicy};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

const MB: usize = 1 << 20;
/// Address of the token in the requests. The address has a valid format, because the client sends no request with an
/// invalid address.
const ADDRESS: &str = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
/// Maximum size in bytes of the chunk that the server writes repeatedly. The server runs in the measured process, but
/// it stores only one chunk. The server therefore hardly changes the peak memory.
const PIECE: usize = 64 * 1024;

/// Response body that consists of a start, a repeated text, and an end.
struct Body {
    status: u16,
    start: &'static str,
    repeated: &'static str,
    end: &'static str,
    length: usize,
}

impl Body {
    fn send(&self, mut stream: TcpStream) -> std::io::Result<()> {
        let mut read = [0; 4096];
        let mut request = 0;
        while request < 4 || !read[..request].ends_with(b"\r\n\r\n") {
            request += stream.read(&mut read[request..])?;
        }

        let piece = self.repeated.repeat(PIECE / self.repeated.len());
        let pieces = self.length / piece.len();
        let length = self.start.len() + pieces * piece.len() + self.end.len();
        let Body { status, start, end, .. } = self;
        write!(
            stream,
            "HTTP/1.1 {status} S\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{start}"
        )?;
        for _ in 0..pieces {
            stream.write_all(piece.as_bytes())?;
        }
        stream.write_all(end.as_bytes())
    }
}

/// Starts a server that sends this body on every connection. Returns its URL.
fn serve(body: Body) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming() {
            // Sending fails if the client has read enough and closes the connection, so the result is ignored.
            let _ = body.send(stream.unwrap());
        }
    });
    url
}

/// Sends a call whose response has this body, and expects the call to fail. Returns the peak memory of the call,
/// divided by the length of the body. Before the call, the client sends `keys` requests, each with a different API key.
fn peak(body: Body, keys: usize) -> f64 {
    let length = body.length;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let small = serve(Body { length: 0, status: 404, start: "{}", repeated: "a", end: "" });
        let client = Client::builder().base_url(serve(body)).api_key("sk-0123456789abcdef-own");
        let client = client.retry(RetryPolicy::none()).build().unwrap();
        for n in 0..keys {
            let key = format!("sk-0123456789abcdef-{n:04}");
            let options = CallOptions::new().base_url(&small).api_key(key);
            let call = client.token_holders(ADDRESS, "ethereum").with_options(options);
            assert_eq!(call.await.unwrap_err().status().unwrap(), 404);
        }

        let before = MEMORY.current_usage();
        MEMORY.reset_peak_usage();
        let error = client.token_holders(ADDRESS, "ethereum").await.unwrap_err();
        let peak = MEMORY.peak_usage() - before;
        let shown = format!("{error:?} {error}");
        assert!(!shown.contains("abcdef-own"), "{shown}");
        assert!(!error.body().is_some_and(|body| body.text().contains("abcdef-own")));
        peak as f64 / length as f64
    })
}

#[test]
fn errors_with_large_bodies_take_a_small_multiple_of_the_body() {
    let text = |status, repeated, length| Body { status, start: "", repeated, end: "", length };
    let json = |repeated, length| Body {
        start: r#"{"error":{"code":"SOME_CODE","message":""#,
        end: r#""}}"#,
        ..text(200, repeated, length)
    };

    // A text with many beginnings of keys. None of them continues as a complete key.
    let halves = "sk-0123456789abcdef ";
    let (plain, large, small) = ("plain text ", 60 * MB, 4 * MB);
    let rows = [
        ("a refusal, of which 64 KiB are kept", text(500, plain, large), 0, 0.1),
        ("no JSON", text(200, plain, large), 0, 2.1),
        ("a long message in a success", json(plain, large), 0, 2.5),
        ("no JSON, half keys", text(200, halves, small), 0, 2.1),
        ("no JSON, backslashes", text(200, "\\", small), 0, 2.1),
        ("no JSON, keys", text(200, "sk-0123456789abcdef-own ", small), 0, 2.1),
        ("a long message of escapes", json("\\u0073", small), 0, 2.5),
        ("64 keys, a refusal", text(500, halves, small), 64, 0.5),
        ("64 keys, no JSON", text(200, halves, small), 64, 2.1),
    ];

    let mut wrong = Vec::new();
    for (what, body, keys, most) in rows {
        let ratio = peak(body, keys);
        println!("{what}: {ratio:.2} of the body, at most {most}");
        if ratio.is_nan() || ratio > most {
            wrong.push(format!("{what}: {ratio:.2} > {most}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
