//! Compares the client of this project with `async-openai` and a minimal read loop. All three read text deltas from one
//! local server. The measurements are events per second, time to the first text, and peak memory.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use async_openai::config::OpenAIConfig;
use async_openai::types::chat::{
    ChatCompletionRequestUserMessageArgs, CreateChatCompletionRequestArgs,
};
use async_openai::types::responses::{CreateResponseArgs, ResponseStreamEvent};
use crypto_intel::prelude::*;
use crypto_intel_benches::{Counting, chat_delta, peak, reset_peak, response_delta};
use futures_util::StreamExt;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const EVENTS: usize = 50_000;
/// Number of events in the block that the server holds in memory. For a stream with more events, the server sends this
/// block repeatedly.
const BLOCK: usize = 5_000;
const ROUNDS: usize = 7;

/// Time when the server began to write the events of its latest response.
static FIRST_BYTE: Mutex<Option<Instant>> = Mutex::new(None);

/// Responds to one POST request with a stream of events. The model name in the request contains the number of events,
/// for example `svc-50000`.
async fn serve(mut connection: TcpStream, responses: &'static [u8], chat: &'static [u8]) {
    let mut request = Vec::new();
    while !request.ends_with(b"}") {
        if connection.read_buf(&mut request).await.unwrap_or(0) == 0 {
            return;
        }
    }

    let text = String::from_utf8_lossy(&request);
    let number =
        text.split("svc-").nth(1).map(|rest| rest.chars().take_while(char::is_ascii_digit));
    let events: usize =
        number.map(String::from_iter).and_then(|n| n.parse().ok()).unwrap_or(EVENTS);
    let (block, end): (_, &[u8]) = if text.contains("/chat/completions") {
        (chat, CHAT_END)
    } else {
        (responses, RESPONSE_END)
    };
    connection.set_nodelay(true).unwrap();
    let head = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    connection.write_all(head).await.unwrap();
    *FIRST_BYTE.lock().unwrap() = Some(Instant::now());

    for _ in 0..events.div_ceil(BLOCK) {
        let block = if events < BLOCK { &block[..block.len() / BLOCK * events] } else { block };
        for piece in block.chunks(16 * 1024) {
            if connection.write_all(piece).await.is_err() {
                return;
            }
        }
    }

    let _ = connection.write_all(end).await;
}

const CHAT_END: &[u8] = b"data: {\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"svc\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
const RESPONSE_END: &[u8] = b"event: response.completed\ndata: {\"type\":\"response.completed\",\"sequence_number\":1,\"response\":{\"id\":\"resp_1\",\"object\":\"response\",\"created_at\":1,\"model\":\"svc\",\"status\":\"completed\",\"output\":[]}}\n\n";

/// Starts the HTTP server on a separate thread and returns its URL.
fn server() -> String {
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let block = |delta: fn(usize) -> String| {
            &*Vec::leak((0..BLOCK).flat_map(|n| delta(n).into_bytes()).collect::<Vec<u8>>())
        };
        let (responses, chat) = (block(response_delta), block(chat_delta));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            tell.send(format!("http://{}", listener.local_addr().unwrap())).unwrap();
            while let Ok((connection, _)) = listener.accept().await {
                tokio::spawn(serve(connection, responses, chat));
            }
        });
    });
    told.recv().unwrap()
}

/// Measurements of one client that reads one stream to its end.
#[derive(Clone, Copy)]
struct Reading {
    texts: usize,
    whole: Duration,
    /// Time from the server's first byte until the client returned the first text.
    first: Duration,
}

struct Watch(Instant, Option<Duration>, usize);

impl Watch {
    fn start() -> Self {
        Watch(Instant::now(), None, 0)
    }

    fn text(&mut self, text: &str) {
        if self.1.is_none() {
            let sent = FIRST_BYTE.lock().unwrap().expect("a text before a byte");
            self.1 = Some(sent.elapsed());
        }
        self.2 += usize::from(!std::hint::black_box(text).is_empty());
    }

    fn stop(self) -> Reading {
        Reading { texts: self.2, whole: self.0.elapsed(), first: self.1.unwrap_or_default() }
    }
}

async fn ours(url: &str, events: usize, keep: bool) -> Reading {
    let client = crypto_intel::Client::builder().base_url(url).api_key("sk-x").build().unwrap();
    let mut watch = Watch::start();
    let mut answer = client.responses(format!("svc-{events}"), "q").stream().await.unwrap();
    if !keep {
        answer = answer.without_text();
    }
    while let Some(text) = answer.next_text().await.unwrap() {
        watch.text(&text);
    }
    answer.into_answer().unwrap();
    watch.stop()
}

#[allow(deprecated, reason = "the retired operation is also measured")]
async fn ours_chat(url: &str, events: usize) -> Reading {
    let client = crypto_intel::Client::builder().base_url(url).api_key("sk-x").build().unwrap();
    let mut watch = Watch::start();
    let request = client.chat_completions(format!("svc-{events}"), [crypto_intel::chat::user("q")]);
    let mut answer = request.stream().await.unwrap();
    while let Some(text) = answer.next_text().await.unwrap() {
        watch.text(&text);
    }
    answer.into_answer().unwrap();
    watch.stop()
}

fn peer(url: &str) -> async_openai::Client<OpenAIConfig> {
    let config = OpenAIConfig::new().with_api_base(format!("{url}/v1")).with_api_key("sk-x");
    async_openai::Client::with_config(config)
}

async fn theirs(url: &str, events: usize) -> Reading {
    let client = peer(url);
    let model = format!("svc-{events}");
    let request = CreateResponseArgs::default().model(model).input("q").build().unwrap();
    let mut watch = Watch::start();
    let mut stream = client.responses().create_stream(request).await.unwrap();
    while let Some(event) = stream.next().await {
        if let Ok(ResponseStreamEvent::ResponseOutputTextDelta(delta)) = event {
            watch.text(&delta.delta);
        }
    }
    watch.stop()
}

async fn theirs_chat(url: &str, events: usize) -> Reading {
    let client = peer(url);
    let message = ChatCompletionRequestUserMessageArgs::default().content("q").build().unwrap();
    let request = CreateChatCompletionRequestArgs::default()
        .model(format!("svc-{events}"))
        .messages([message.into()])
        .build()
        .unwrap();
    let mut watch = Watch::start();
    let mut stream = client.chat().create_stream(request).await.unwrap();
    while let Some(event) = stream.next().await {
        let Ok(chunk) = event else { continue };
        if let Some(text) = chunk.choices.first().and_then(|choice| choice.delta.content.as_deref())
        {
            watch.text(text);
        }
    }
    watch.stop()
}

/// Reads the bytes of a stream without decoding them. The result measures only the network and the HTTP client.
async fn bare(url: &str, events: usize) -> Reading {
    let client = reqwest::Client::new();
    let body = format!(r#"{{"input":"q","model":"svc-{events}","stream":true}}"#);
    let mut watch = Watch::start();
    let request = client.post(format!("{url}/gateway/v1/responses")).body(body);
    let mut answer = request.send().await.unwrap();
    while let Some(piece) = answer.chunk().await.unwrap() {
        if watch.1.is_none() {
            watch.text("first");
        }
        std::hint::black_box(&piece);
    }
    watch.stop()
}

/// An event of the responses endpoint. It has only the fields that [`bare_typed`] reads.
#[derive(serde::Deserialize)]
struct Delta {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    delta: String,
}

/// An event of the chat completions endpoint. It has only the fields that [`bare_typed`] reads.
#[derive(serde::Deserialize)]
struct Chunk {
    choices: Vec<Choice>,
}

#[derive(serde::Deserialize)]
struct Choice {
    delta: Content,
}

#[derive(serde::Deserialize)]
struct Content {
    content: Option<String>,
}

/// Reads a stream with a minimal loop that returns typed deltas. The loop receives bytes with `reqwest`, splits them
/// into lines with `memchr`, and parses the lines with `serde_json`. The loop does not handle errors, or events with
/// several `data` lines.
async fn bare_typed(url: &str, events: usize, is_chat: bool) -> Reading {
    let client = reqwest::Client::new();
    let body = format!(r#"{{"input":"q","model":"svc-{events}","stream":true}}"#);
    let path = if is_chat { "/v1/chat/completions" } else { "/gateway/v1/responses" };

    let mut watch = Watch::start();
    let mut answer = client.post(format!("{url}{path}")).body(body).send().await.unwrap();

    let mut buffer = Vec::new();
    while let Some(piece) = answer.chunk().await.unwrap() {
        buffer.extend_from_slice(&piece);
        let mut start = 0;
        while let Some(length) = memchr::memchr(b'\n', &buffer[start..]) {
            let line = &buffer[start..start + length];
            start += length + 1;
            let Some(data) = line.strip_prefix(b"data: ") else { continue };
            if data == b"[DONE]" {
                continue;
            }

            if is_chat {
                let chunk: Chunk = serde_json::from_slice(data).unwrap();
                for choice in chunk.choices {
                    watch.text(choice.delta.content.as_deref().unwrap_or_default());
                }
            } else {
                let delta: Delta = serde_json::from_slice(data).unwrap();
                if delta.kind == "response.output_text.delta" {
                    watch.text(&delta.delta);
                }
            }
        }
        buffer.drain(..start);
    }

    watch.stop()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// Measures `N` clients in turns: in each round, each client reads one stream. Other load on the machine therefore
/// slows all clients about equally.
async fn in_turns<const N: usize>(
    mut read: impl AsyncFnMut(usize) -> Reading,
) -> [Vec<Reading>; N] {
    let mut readings = [const { Vec::new() }; N];
    for _ in 0..ROUNDS {
        for (reader, readings) in readings.iter_mut().enumerate() {
            readings.push(read(reader).await);
        }
    }
    readings
}

fn report(name: &str, readings: &[Reading]) -> f64 {
    let best = readings.iter().map(|reading| reading.whole).min().unwrap_or_default();
    let typical = median(readings.iter().map(|reading| reading.whole).collect());
    let rate = EVENTS as f64 / best.as_secs_f64();
    println!("  {name:24} best {best:>10.3?}  median {typical:>10.3?}  {:>8.0} events/s", rate);
    rate
}

/// Prints the results of our client (`ours`), of `async-openai` (`peer`) and of the minimal loop (`bare`), and the
/// ratios between them.
fn compare(what: &str, ours: &[Reading], peer: &[Reading], bare: &[Reading]) {
    let ours = report("ours", ours);
    let peer = report("async-openai 0.43", peer);
    let bare = report("reqwest + serde_json", bare);
    println!("  {:.2} x async-openai; {:.2} x the time of the bare loop", ours / peer, bare / ours);
    // `cargo xtask bench` parses these lines, with times in milliseconds.
    let milliseconds = |rate: f64| EVENTS as f64 / rate * 1e3;
    for (name, theirs) in [("async-openai 0.43", peer), ("reqwest + serde_json", bare)] {
        println!("ratio\t{what}\t{}\t{name}\t{}\tms", milliseconds(ours), milliseconds(theirs));
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let url = server();
    println!("{EVENTS} deltas over loopback, {ROUNDS} rounds in turns");

    println!("responses");
    let [a, b, c, d] = in_turns(async |reader| {
        let reading = match reader {
            0 => ours(&url, EVENTS, true).await,
            1 => theirs(&url, EVENTS).await,
            2 => bare_typed(&url, EVENTS, false).await,
            _ => return bare(&url, EVENTS).await,
        };
        assert_eq!(reading.texts, EVENTS, "reader {reader}");
        reading
    })
    .await;
    compare("responses", &a, &b, &c);
    report("reqwest, bytes only", &d);

    println!("chat completions");
    let [a, b, c] = in_turns(async |reader| {
        let reading = match reader {
            0 => ours_chat(&url, EVENTS).await,
            1 => theirs_chat(&url, EVENTS).await,
            _ => bare_typed(&url, EVENTS, true).await,
        };
        assert_eq!(reading.texts, EVENTS, "reader {reader}");
        reading
    })
    .await;
    compare("chat completions", &a, &b, &c);

    println!("from the server's first byte to the first text, one event, 101 readings");
    let mut firsts = [const { Vec::new() }; 3];
    for _ in 0..101 {
        firsts[0].push(ours(&url, 1, true).await.first);
        firsts[1].push(theirs(&url, 1).await.first);
        firsts[2].push(bare(&url, 1).await.first);
    }
    for (name, times) in ["ours", "async-openai 0.43", "bare reqwest loop"].into_iter().zip(firsts)
    {
        println!("  {name:24} median {:>10.3?}", median(times));
    }

    println!("peak of live memory while a stream is read, server included");
    for (name, keep) in [("without its text", false), ("with its text", true)] {
        for events in [EVENTS, 10 * EVENTS] {
            let before = reset_peak();
            ours(&url, events, keep).await;
            println!("  ours, {name:18} {events:>8} events  {:>8} KiB", (peak() - before) / 1024);
        }
    }
    for events in [EVENTS, 10 * EVENTS] {
        let before = reset_peak();
        theirs(&url, events).await;
        println!(
            "  async-openai            {events:>14} events  {:>8} KiB",
            (peak() - before) / 1024
        );
    }
}
