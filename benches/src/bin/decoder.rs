//! Compares the client's decoder of server-sent events with three published decoders. One measurement decodes many
//! small events in chunks of 16 KiB. The other decodes one line of 1 MiB, in one chunk and in chunks of 64 bytes.

use std::convert::Infallible;
use std::hint::black_box;
use std::time::{Duration, Instant};

use bytes::Bytes;
use crypto_intel_benches::{Counting, allocations, response_delta};
use eventsource_stream::Eventsource as _;
use futures_util::{FutureExt, Stream, StreamExt, stream};

/// The decoder of server-sent events in the `crypto-intel` crate. The decoder is private to that crate, so its source
/// file is compiled here again.
#[allow(dead_code, unreachable_pub, reason = "some functions are used only by the client")]
#[path = "../../../crates/client/src/sse/mod.rs"]
mod sse;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const EVENTS: usize = 50_000;
const ROUNDS: usize = 25;

/// Splits the bytes into chunks of `size` bytes. All chunks are slices of one block of memory. In a real client, chunks
/// are slices of the connection's read buffer. Chunks in separate blocks would add cache misses to the measured time.
fn pieces(bytes: &[u8], size: usize) -> Vec<Bytes> {
    let all = Bytes::copy_from_slice(bytes);
    (0..all.len()).step_by(size).map(|at| all.slice(at..all.len().min(at + size))).collect()
}

fn ours(pieces: &[Bytes]) -> (usize, usize) {
    let mut decoder = sse::Decoder::default();
    let (mut events, mut length) = (0, 0);
    for piece in pieces {
        decoder.push(piece);
        while let Some(event) = decoder.next() {
            events += 1;
            length += black_box(&event.data).len();
        }
    }
    (events, length)
}

fn drain<T>(source: impl Stream<Item = T>, length: impl Fn(T) -> usize) -> (usize, usize) {
    source
        .fold((0, 0), |(events, total), event| {
            std::future::ready((events + 1, total + length(black_box(event))))
        })
        .now_or_never()
        .expect("a source that never waits")
}

fn source(pieces: &[Bytes]) -> impl Stream<Item = Result<Bytes, Infallible>> + use<> {
    stream::iter(pieces.to_vec().into_iter().map(Ok))
}

fn sse_stream(pieces: &[Bytes]) -> (usize, usize) {
    drain(sse_stream::SseByteStream::new(source(pieces)), |event| {
        event.unwrap().data.map_or(0, |data| data.len())
    })
}

fn sseer(pieces: &[Bytes]) -> (usize, usize) {
    drain(sseer::event_stream::EventStream::new(source(pieces)), |event| event.unwrap().data.len())
}

fn eventsource(pieces: &[Bytes]) -> (usize, usize) {
    drain(source(pieces).eventsource(), |event| event.unwrap().data.len())
}

type Decode = fn(&[Bytes]) -> (usize, usize);

/// Decodes all chunks `rounds` times. Returns the shortest time of a round, the smallest number of allocations in a
/// round, and two numbers: the number of events and the total length of their data.
fn measure(decode: Decode, pieces: &[Bytes], rounds: usize) -> (Duration, usize, (usize, usize)) {
    let (mut best, mut made, mut out) = (Duration::MAX, usize::MAX, (0, 0));
    for _ in 0..rounds {
        let before = allocations();
        let started = Instant::now();
        out = decode(black_box(pieces));
        best = best.min(started.elapsed());
        made = made.min(allocations() - before);
    }
    (best, made, out)
}

fn main() {
    let peers: [(&str, Decode); 4] = [
        ("ours", ours),
        ("sse-stream 0.3", sse_stream),
        ("sseer 0.3", sseer),
        ("eventsource-stream 0.2", eventsource),
    ];

    let bytes: Vec<u8> =
        (0..EVENTS).flat_map(|number| response_delta(number).into_bytes()).collect();
    let small = pieces(&bytes, 16 * 1024);
    println!("{EVENTS} events of {} bytes in pieces of 16 KiB", bytes.len() / EVENTS);
    let (mut expected, mut ours) = (None, None);
    for (name, decode) in peers {
        let (time, made, out) = measure(decode, &small, ROUNDS);
        assert_eq!(*expected.get_or_insert(out), out, "{name} decoded something else");
        let rate = EVENTS as f64 / time.as_secs_f64() / 1e6;
        println!("  {name:24} {time:>12.3?}  {rate:>7.2} M events/s  {made:>8} allocations");
        let milliseconds = time.as_secs_f64() * 1e3;
        match ours {
            None => ours = Some(milliseconds),
            // `cargo xtask bench` parses this line.
            Some(ours) => println!("ratio\tdecoding events\t{ours}\t{name}\t{milliseconds}\tms"),
        }
    }

    let mut line = b"data: ".to_vec();
    line.resize(1024 * 1024, b'x');
    line.extend(b"\n\n");
    let (whole, cut) = (pieces(&line, line.len()), pieces(&line, 64));
    println!("one line of 1 MiB, whole and in pieces of 64 bytes");
    for (name, decode) in peers {
        let rounds = if name.starts_with("eventsource") { 1 } else { ROUNDS };
        let (one, _, out) = measure(decode, &whole, rounds);
        let (many, _, same) = measure(decode, &cut, rounds);
        assert_eq!(out, same, "{name}");
        let factor = many.as_secs_f64() / one.as_secs_f64();
        println!("  {name:24} {one:>12.3?} whole  {many:>12.3?} in pieces  factor {factor:.2}");
    }
}
