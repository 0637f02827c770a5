//! Fuzzes the decoder of server-sent events with random bytes in chunks of several sizes. The decoder must not panic,
//! and the chunk size must not change the events. The decoder must not hold more bytes than it received.
#![no_main]

use libfuzzer_sys::fuzz_target;

/// The decoder of server-sent events in the `crypto-intel` crate. The decoder is private to that crate, so its source
/// file is compiled here again.
#[allow(dead_code, unreachable_pub, reason = "some functions are used only by the client")]
#[path = "../../crates/client/src/sse/mod.rs"]
mod sse;

type Seen = (String, String, String);

fn decode<'a>(pieces: impl Iterator<Item = &'a [u8]>) -> (Vec<Seen>, Option<u64>) {
    let (mut decoder, mut pushed, mut events) = (sse::Decoder::default(), 0, Vec::new());
    for piece in pieces {
        decoder.push(piece);
        pushed += piece.len();
        while let Some(event) = decoder.next() {
            events.push((event.kind.into_owned(), event.data.into_owned(), event.id.to_owned()));
        }
        assert!(decoder.buffered_bytes() <= pushed);
    }
    (events, decoder.retry())
}

fuzz_target!(|input: (usize, &[u8])| {
    let (size, bytes) = input;
    let whole = decode(std::iter::once(bytes));
    assert_eq!(whole, decode(bytes.chunks(size % 64 + 1)));
    assert_eq!(whole, decode(bytes.chunks(1)));
});
