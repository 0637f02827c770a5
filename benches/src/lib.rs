//! Code that all benchmarks share: an allocator that counts allocations, and functions that create server-sent events.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The system's allocator, with counters of allocations and bytes.
pub struct Counting;

static CALLS: AtomicUsize = AtomicUsize::new(0);
static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

fn add(bytes: usize) {
    let live = LIVE.fetch_add(bytes, Relaxed) + bytes;
    PEAK.fetch_max(live, Relaxed);
}

// SAFETY: every call is passed to the system's allocator unchanged, and the counters own no memory.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.fetch_add(1, Relaxed);
        add(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        CALLS.fetch_add(1, Relaxed);
        LIVE.fetch_sub(layout.size(), Relaxed);
        add(size);
        unsafe { System.realloc(place, layout, size) }
    }
}

/// Returns the number of allocations so far, including reallocations.
pub fn allocations() -> usize {
    CALLS.load(Relaxed)
}

/// Resets the value of [`peak`] to the number of currently allocated bytes, and returns this number.
pub fn reset_peak() -> usize {
    let live = LIVE.load(Relaxed);
    PEAK.store(live, Relaxed);
    live
}

/// Returns the maximum number of bytes that were allocated at one time since [`reset_peak`].
pub fn peak() -> usize {
    PEAK.load(Relaxed)
}

/// Creates a server-sent event of about 200 bytes: a text delta of the responses endpoint.
pub fn response_delta(number: usize) -> String {
    format!(
        "event: response.output_text.delta\ndata: {{\"type\":\"response.output_text.delta\",\"sequence_number\":{number},\"item_id\":\"msg_0123456789abcdef\",\"output_index\":0,\"content_index\":0,\"delta\":\" word{:04}\",\"logprobs\":[]}}\n\n",
        number % 10_000
    )
}

/// Creates a server-sent event of about 200 bytes: a text delta of the chat completions endpoint.
pub fn chat_delta(number: usize) -> String {
    format!(
        "data: {{\"id\":\"chatcmpl-0123456789abcdef\",\"object\":\"chat.completion.chunk\",\"created\":1790000000,\"model\":\"svc-1.5\",\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\" word{:04}\"}},\"finish_reason\":null}}]}}\n\n",
        number % 10_000
    )
}
