//! Decoder for server-sent events, by the WHATWG HTML standard, section 9.2.6.
//!
//! The input is bytes, and the output is events. The decoder neither waits nor reads. An event borrows from the
//! decoder, so small events need no allocation. Almost all events have one `data` line, which is never copied.
//!
//! As the standard requires, an event without a final empty line is dropped when the bytes end.

use std::borrow::Cow;
use std::ops::Range;

#[cfg(test)]
mod tests;

/// An event, as the standard dispatches it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Event<'a> {
    /// Event type; `message` if the stream does not name one.
    pub(crate) kind: Cow<'a, str>,
    /// Data. Several lines are joined with line feeds.
    pub(crate) data: Cow<'a, str>,
    /// Last identifier of the stream, or an empty string.
    pub(crate) id: &'a str,
}

/// Converts bytes to events.
#[derive(Debug, Default)]
pub(crate) struct Decoder {
    /// Consumed bytes, followed by bytes of lines that are not consumed yet.
    bytes: Vec<u8>,
    /// Start of the first line that is not consumed.
    line: usize,
    /// End of the bytes that were already searched for a line end.
    searched: usize,
    /// True if the last line ended with a carriage return. A line feed after it belongs to that line end.
    after_cr: bool,
    /// True after the position of a possible byte order mark.
    begun: bool,
    lines: Lines,
    /// The data buffer of the standard. It is used only for data that is not one line of `bytes`; see [`Lines`].
    joined: Vec<u8>,
    kind: Vec<u8>,
    /// True if the last returned event still borrows `joined` and `kind`. They are cleared before the next event.
    dispatched: bool,
    id: String,
    retry: Option<u64>,
}

/// Location of the data of the next event.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Lines {
    /// No data yet.
    #[default]
    None,
    /// One line, in the field `bytes`: its start and end.
    InPlace(usize, usize),
    /// The data is in the field `joined`, and may be an empty line.
    Joined,
}

impl Decoder {
    /// Adds bytes of the stream. Call [`next`](Self::next) until it returns `None` before adding more bytes.
    #[inline]
    pub(crate) fn push(&mut self, more: &[u8]) {
        if self.line > 0 {
            self.settle();
        }
        // For a short piece in a long line, a call of `next` would cost more than the search. So the piece is searched
        // here, and `next` has nothing to do.
        let within = more.len() <= SHORT && self.searched == self.bytes.len() && self.begun;
        self.bytes.extend_from_slice(more);
        if within && !self.after_cr && !has_end(more) {
            self.searched = self.bytes.len();
        }
    }

    /// Returns the size of the incomplete event, in bytes.
    pub(crate) fn held(&self) -> usize {
        let in_place = match self.lines {
            Lines::InPlace(start, end) => end - start,
            Lines::None | Lines::Joined => 0,
        };
        self.bytes.len() - self.line + self.joined.len() + in_place
    }

    /// Returns the reconnection delay that the stream asks for, in milliseconds.
    pub(crate) fn retry(&self) -> Option<u64> {
        self.retry
    }

    /// Removes the consumed bytes. Each byte is moved at most once, because a line at the start of the buffer is not
    /// moved again.
    fn settle(&mut self) {
        self.empty();
        self.join();
        self.searched -= self.line;
        if self.line == self.bytes.len() {
            self.bytes.clear();
        } else {
            self.bytes.copy_within(self.line.., 0);
            self.bytes.truncate(self.bytes.len() - self.line);
        }
        self.line = 0;
    }

    /// Returns the next complete event.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<Event<'_>> {
        if self.searched == self.bytes.len() { None } else { self.advance() }
    }

    fn advance(&mut self) -> Option<Event<'_>> {
        if !self.begin() {
            return None;
        }

        self.empty();
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
                self.field(line);
            } else if self.lines == Lines::None {
                // An event without data is dropped. Its type must not apply to the next event.
                self.kind.clear();
            } else {
                return Some(self.dispatch());
            }
        }
    }

    /// Skips a byte order mark. Returns false while it is unknown whether there is one.
    fn begin(&mut self) -> bool {
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

    /// Processes one line that is not empty.
    fn field(&mut self, line: Range<usize>) {
        let bytes = &self.bytes[line.clone()];
        // Checked first and without a search, because almost all lines have this form.
        if let Some(rest) = bytes.strip_prefix(b"data:") {
            let value = rest.strip_prefix(b" ").unwrap_or(rest);
            let value = line.end - value.len()..line.end;
            return self.add(value);
        }

        let (name, value) = match memchr::memchr(b':', bytes) {
            // A comment.
            Some(0) => return,
            Some(colon) => {
                let value = &bytes[colon + 1..];
                (&bytes[..colon], value.strip_prefix(b" ").unwrap_or(value))
            }
            None => (bytes, &[][..]),
        };

        match name {
            b"data" => self.add(line.end..line.end),
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

    /// Adds one line of data.
    fn add(&mut self, value: Range<usize>) {
        if self.lines == Lines::None {
            self.lines = Lines::InPlace(value.start, value.end);
            return;
        }
        self.join();
        self.joined.push(b'\n');
        self.joined.extend_from_slice(&self.bytes[value]);
    }

    /// Copies a line of data that cannot stay in place.
    fn join(&mut self) {
        if let Lines::InPlace(start, end) = self.lines {
            self.joined.extend_from_slice(&self.bytes[start..end]);
            self.lines = Lines::Joined;
        }
    }

    /// Clears the buffers of the last returned event.
    fn empty(&mut self) {
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

/// Maximum bytes that are searched without a function call: one or two cache lines.
const SHORT: usize = 256;

/// Returns true if the bytes contain a line end. Blocks of a fixed size without an early return compile to vector
/// instructions.
#[inline]
fn has_end(bytes: &[u8]) -> bool {
    let any = |bytes: &[u8]| {
        bytes.iter().fold(0, |f, b| f | u8::from(*b == b'\n') | u8::from(*b == b'\r'))
    };
    let (blocks, rest) = bytes.as_chunks::<64>();
    blocks.iter().fold(any(rest), |found, block| found | any(block)) != 0
}

/// Decodes UTF-8, with U+FFFD for invalid bytes. The strict check is several times as fast as lossy decoding, and
/// almost always succeeds.
fn text(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(bytes),
    }
}
