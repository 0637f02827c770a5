//! Server-sent events, decoded by the rules of the WHATWG HTML standard, section 9.2.6.
//!
//! Bytes go in, events come out; nothing here waits or reads. An event borrows from the decoder,
//! so that a stream of small ones costs no allocation each: an event of one `data` line, which is
//! nearly every event there is, is never copied out of the bytes that were pushed.
//!
//! An event that is not closed by an empty line when the bytes end is dropped, as the standard
//! wants.

use std::borrow::Cow;
use std::ops::Range;

#[cfg(test)]
mod tests;

/// An event as the standard for server-sent events dispatches it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Event<'a> {
    /// Its type; `message` where the stream does not say.
    pub(crate) kind: Cow<'a, str>,
    /// Its data; several lines are joined with a line feed.
    pub(crate) data: Cow<'a, str>,
    /// The last identifier the stream has given, if any.
    pub(crate) id: &'a str,
}

/// Turns bytes into events.
#[derive(Debug, Default)]
pub(crate) struct Decoder {
    /// Bytes that are not lines yet, and the consumed ones before them.
    bytes: Vec<u8>,
    /// Where the first line begins that is not consumed.
    line: usize,
    /// Up to where that line has been searched for its end.
    searched: usize,
    /// The last line ended with a carriage return; a line feed after it belongs to that end.
    after_cr: bool,
    /// The place of a byte order mark is past.
    begun: bool,
    lines: Lines,
    /// The data buffer of the standard, once it does not fit in place.
    joined: Vec<u8>,
    kind: Vec<u8>,
    /// The event just given out still borrows `joined` and `kind`; they are emptied after it.
    dispatched: bool,
    id: String,
    retry: Option<u64>,
}

/// Where the data of the coming event is.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Lines {
    /// There is none yet.
    #[default]
    None,
    /// One line, still where it was pushed: from here to there in `bytes`.
    InPlace(usize, usize),
    /// In `joined`, perhaps as an empty line.
    Joined,
}

impl Decoder {
    /// Adds the next bytes of the stream. [`next`](Self::next) is to be called until it has no
    /// more before further bytes come.
    #[inline]
    pub(crate) fn push(&mut self, more: &[u8]) {
        if self.line > 0 {
            self.settle();
        }
        // A short piece in the middle of a long line is the one case where a call costs more than
        // its bytes: it is looked through on the spot, and `next` has nothing to do.
        let within = more.len() <= SHORT && self.searched == self.bytes.len() && self.begun;
        self.bytes.extend_from_slice(more);
        if within && !self.after_cr && !has_end(more) {
            self.searched = self.bytes.len();
        }
    }

    /// Bytes that are held for an event that is not complete.
    pub(crate) fn held(&self) -> usize {
        let in_place = match self.lines {
            Lines::InPlace(start, end) => end - start,
            Lines::None | Lines::Joined => 0,
        };
        self.bytes.len() - self.line + self.joined.len() + in_place
    }

    /// Milliseconds that the stream asks to wait before a connection is made again.
    pub(crate) fn retry(&self) -> Option<u64> {
        self.retry
    }

    /// Forgets the consumed bytes. Each byte is moved here once at most, because afterwards its
    /// line is the first.
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

    /// The next event that is complete.
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
                // An event without data is none; its type must not stick to the next one.
                self.kind.clear();
            } else {
                return Some(self.dispatch());
            }
        }
    }

    /// Steps over a byte order mark. False while it is not known whether there is one.
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

    /// Takes in one line that is not empty.
    fn field(&mut self, line: Range<usize>) {
        let bytes = &self.bytes[line.clone()];
        // Checked first and without a search: nearly every line is this one.
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

    /// Takes in one line of data.
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

    /// Empties the buffers of the event that was given out last.
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

/// Bytes of a piece that is looked through without a call; about a cache line or two.
const SHORT: usize = 256;

/// Whether a line ends in these bytes. Blocks of a fixed size without an early return compile to
/// vectors.
#[inline]
fn has_end(bytes: &[u8]) -> bool {
    let any = |bytes: &[u8]| {
        bytes.iter().fold(0, |f, b| f | u8::from(*b == b'\n') | u8::from(*b == b'\r'))
    };
    let (blocks, rest) = bytes.as_chunks::<64>();
    blocks.iter().fold(any(rest), |found, block| found | any(block)) != 0
}

/// Decodes UTF-8, with U+FFFD for invalid bytes. The strict check is several times as fast as lossy
/// decoding, and nearly always succeeds.
fn text(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(bytes),
    }
}
