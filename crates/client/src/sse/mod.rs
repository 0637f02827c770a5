//! Decoder for server-sent events, according to the WHATWG HTML standard, section 9.2.6.
//!
//! The caller passes bytes to the decoder, and the decoder returns events. The decoder does no I/O and never waits.
//! Each event borrows its text from the decoder, so small events need no allocation. Almost all events have one `data`
//! line. The decoder copies this line only if the end of the event arrives in a later call of [`push`](Decoder::push).
//!
//! If the stream ends before the empty line after an event, the event is dropped, as the standard requires.

use std::borrow::Cow;
use std::ops::Range;

#[cfg(test)]
mod tests;

/// Server-sent event with its type, data and identifier.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Event<'a> {
    /// Type of the event. It is `message` if the event has no `event` line.
    pub(crate) kind: Cow<'a, str>,
    /// Data of the event. Several `data` lines are joined with line feeds.
    pub(crate) data: Cow<'a, str>,
    /// Value of the last `id` line of the stream. Empty if the stream had none.
    pub(crate) id: &'a str,
}

/// Decoder that converts the bytes of a stream to server-sent events.
#[derive(Debug, Default)]
pub(crate) struct Decoder {
    /// Buffer with the bytes of decoded lines, followed by the bytes of lines that are not decoded yet.
    bytes: Vec<u8>,
    /// Position in `bytes` of the first line that is not decoded yet.
    line: usize,
    /// Position in `bytes` up to which the bytes were already searched for a line end.
    searched: usize,
    /// True if the last line ended with a carriage return. If a line feed follows, it belongs to the same line end.
    after_cr: bool,
    /// True if the decoder has already checked whether the stream begins with a byte order mark.
    begun: bool,
    lines: Lines,
    /// Copy of the data of the event that is being decoded. The decoder copies the data if the event has several data
    /// lines, or if it must remove the only data line from `bytes`. Without a copy, [`Lines`] contains the position of
    /// the data line in `bytes`.
    joined: Vec<u8>,
    kind: Vec<u8>,
    /// True if the last returned event may still borrow `joined` and `kind`. Both are cleared before the next event is
    /// decoded.
    dispatched: bool,
    id: String,
    retry: Option<u64>,
}

/// Location of the current event's data in the buffers of the [`Decoder`]. The current event is the event that is being
/// decoded.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Lines {
    /// The event has no data yet.
    #[default]
    None,
    /// The event has one data line so far. Its text is in the decoder's buffer `bytes`, from the first position to the
    /// second position (exclusive).
    InPlace(usize, usize),
    /// The data of the event is in the decoder's buffer `joined`. An empty buffer means one empty data line.
    Joined,
}

impl Decoder {
    /// Adds the next bytes of the stream. Before adding bytes, call [`next`](Self::next) until it returns `None`.
    #[inline]
    pub(crate) fn push(&mut self, more: &[u8]) {
        if self.line > 0 {
            self.compact();
        }
        // For a short chunk inside a long line, a call of `next` costs more than searching the chunk. So the chunk is
        // searched for a line end here. If it has none, `next` returns at once.
        let within = more.len() <= SHORT && self.searched == self.bytes.len() && self.begun;
        self.bytes.extend_from_slice(more);
        if within && !self.after_cr && !has_line_end(more) {
            self.searched = self.bytes.len();
        }
    }

    /// Returns the number of buffered bytes that belong to the incomplete event.
    pub(crate) fn buffered_bytes(&self) -> usize {
        let in_place = match self.lines {
            Lines::InPlace(start, end) => end - start,
            Lines::None | Lines::Joined => 0,
        };
        self.bytes.len() - self.line + self.joined.len() + in_place
    }

    /// Returns the value of the stream's last valid `retry` line: the reconnection delay in milliseconds.
    pub(crate) fn retry(&self) -> Option<u64> {
        self.retry
    }

    /// Removes the decoded lines from the buffer, and moves the incomplete last line to the start of the buffer. The
    /// decoder does not call this method if this line is already at the start, so each byte is moved at most once.
    fn compact(&mut self) {
        self.clear_dispatched();
        self.copy_data_line();
        self.searched -= self.line;
        if self.line == self.bytes.len() {
            self.bytes.clear();
        } else {
            self.bytes.copy_within(self.line.., 0);
            self.bytes.truncate(self.bytes.len() - self.line);
        }
        self.line = 0;
    }

    /// Returns the next complete event, or `None` if more bytes are needed.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<Event<'_>> {
        if self.searched == self.bytes.len() { None } else { self.decode_next() }
    }

    fn decode_next(&mut self) -> Option<Event<'_>> {
        if !self.skip_byte_order_mark() {
            return None;
        }

        self.clear_dispatched();
        loop {
            if self.after_cr {
                match self.bytes.get(self.line) {
                    None => return None,
                    Some(b'\n') => self.line += 1,
                    Some(_) => {}
                }
                self.after_cr = false;
                self.searched = self.searched.max(self.line);
            }

            let Some(offset) = memchr::memchr2(b'\n', b'\r', &self.bytes[self.searched..]) else {
                self.searched = self.bytes.len();
                return None;
            };
            let end = self.searched + offset;
            let line = self.line..end;
            self.after_cr = self.bytes[end] == b'\r';
            self.line = end + 1;
            self.searched = self.line;

            if !line.is_empty() {
                self.process_line(line);
            } else if self.lines == Lines::None {
                // An event without data is dropped. Its type is cleared, so that it does not apply to the next event.
                self.kind.clear();
            } else {
                return Some(self.dispatch());
            }
        }
    }

    /// Skips a byte order mark at the start of the stream. Returns false if more bytes are needed to recognise the
    /// mark.
    fn skip_byte_order_mark(&mut self) -> bool {
        const MARK: &[u8] = "\u{feff}".as_bytes();
        if self.begun {
            return true;
        }
        if self.bytes.len() < MARK.len() && MARK.starts_with(&self.bytes) {
            return false;
        }
        if self.bytes.starts_with(MARK) {
            self.line = MARK.len();
            self.searched = self.line;
        }
        self.begun = true;
        true
    }

    /// Processes one non-empty line of the stream, such as `data: a`.
    fn process_line(&mut self, line: Range<usize>) {
        let bytes = &self.bytes[line.clone()];
        // Almost all lines begin like this, so this case is checked first. It needs no search for the colon.
        if let Some(rest) = bytes.strip_prefix(b"data:") {
            let value = rest.strip_prefix(b" ").unwrap_or(rest);
            let value = line.end - value.len()..line.end;
            return self.add_data(value);
        }

        let (name, value) = match memchr::memchr(b':', bytes) {
            // A line that begins with a colon is a comment.
            Some(0) => return,
            Some(colon) => {
                let value = &bytes[colon + 1..];
                (&bytes[..colon], value.strip_prefix(b" ").unwrap_or(value))
            }
            None => (bytes, &[][..]),
        };

        match name {
            b"data" => self.add_data(line.end..line.end),
            b"event" => {
                self.kind.clear();
                self.kind.extend_from_slice(value);
            }
            b"id" if !value.contains(&0) => {
                self.id.clear();
                self.id.push_str(&String::from_utf8_lossy(value));
            }
            b"retry" if !value.is_empty() && value.iter().all(u8::is_ascii_digit) => {
                let digits = std::str::from_utf8(value).unwrap_or_default();
                self.retry = digits.parse().ok().or(self.retry);
            }
            _ => {}
        }
    }

    /// Adds the value of one `data` line to the event that is being decoded.
    fn add_data(&mut self, value: Range<usize>) {
        if self.lines == Lines::None {
            self.lines = Lines::InPlace(value.start, value.end);
            return;
        }
        self.copy_data_line();
        self.joined.push(b'\n');
        self.joined.extend_from_slice(&self.bytes[value]);
    }

    /// Copies a data line from `bytes` to `joined`. Call this method before the event gets a second data line, or
    /// before the bytes of the line are removed from `bytes`.
    fn copy_data_line(&mut self) {
        if let Lines::InPlace(start, end) = self.lines {
            self.joined.extend_from_slice(&self.bytes[start..end]);
            self.lines = Lines::Joined;
        }
    }

    /// Clears `joined` and `kind` if they contain data of the last returned event.
    fn clear_dispatched(&mut self) {
        if self.dispatched {
            self.joined.clear();
            self.kind.clear();
            self.dispatched = false;
        }
    }

    fn dispatch(&mut self) -> Event<'_> {
        self.dispatched = true;
        let data = match std::mem::take(&mut self.lines) {
            Lines::InPlace(start, end) => &self.bytes[start..end],
            Lines::None | Lines::Joined => &self.joined,
        };
        let kind = if self.kind.is_empty() { Cow::Borrowed("message") } else { text(&self.kind) };
        Event { kind, data: text(data), id: &self.id }
    }
}

/// Maximum size in bytes of a chunk that [`Decoder::push`] searches for a line end. [`Decoder::next`] searches longer
/// chunks.
const SHORT: usize = 256;

/// Returns true if the bytes contain a carriage return or a line feed. The loop has blocks of a fixed size and no early
/// return, so that it compiles to vector instructions.
#[inline]
fn has_line_end(bytes: &[u8]) -> bool {
    let any = |bytes: &[u8]| {
        bytes.iter().fold(0, |f, b| f | u8::from(*b == b'\n') | u8::from(*b == b'\r'))
    };
    let (blocks, rest) = bytes.as_chunks::<64>();
    blocks.iter().fold(any(rest), |found, block| found | any(block)) != 0
}

/// Decodes UTF-8, and replaces invalid bytes by U+FFFD. Strict decoding is tried first, because it is several times as
/// fast as lossy decoding and almost always succeeds.
fn text(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(bytes),
    }
}
