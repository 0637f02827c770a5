//! Removes repeated text from a stream. Services send the same text as deltas, as a complete part, as a complete
//! item, and in the finished answer.

/// Lengths of one text: how much was returned, and how much arrived as deltas. They differ if the complete text
/// arrived before its deltas.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Progress {
    /// Bytes returned to the caller.
    given: usize,
    /// Bytes that arrived as deltas.
    by_delta: usize,
}

/// New part of an arriving text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum New<'a> {
    All,
    Rest(&'a str),
    Nothing,
    /// The event's text neither repeats nor continues the known text. A delta of this kind still counts as more text.
    Other,
}

impl Progress {
    /// Creates the state of a text of this length, which deltas continue.
    pub(crate) fn at(given: usize) -> Self {
        Progress { given, by_delta: given }
    }

    /// Returns true if all known text arrived as deltas.
    pub(crate) fn is_level(self) -> bool {
        self.by_delta == self.given
    }

    /// Adds a delta. `known` is the text so far. If it is `None` because text is not kept, only the lengths are
    /// compared.
    #[inline]
    pub(crate) fn delta<'a>(&mut self, known: Option<&str>, delta: &'a str) -> New<'a> {
        if self.is_level() {
            self.by_delta += delta.len();
            self.given = self.by_delta;
            return New::All;
        }
        self.repeated(known, delta)
    }

    /// Adds a delta that lies within the known text.
    fn repeated<'a>(&mut self, known: Option<&str>, delta: &'a str) -> New<'a> {
        let ahead = self.given - self.by_delta;
        let (same, rest) = delta.split_at_checked(ahead.min(delta.len())).unwrap_or((delta, ""));
        let expected = known.and_then(|known| known.get(self.by_delta..));
        if known.is_some() && !expected.is_some_and(|expected| expected.starts_with(same)) {
            *self = Progress::at(self.given + delta.len());
            return New::Other;
        }

        self.by_delta += delta.len();
        self.given = self.given.max(self.by_delta);
        if rest.is_empty() { New::Nothing } else { New::Rest(rest) }
    }

    /// Adds the complete text so far, which may still grow.
    pub(crate) fn whole<'a>(&mut self, known: Option<&str>, whole: &'a str) -> New<'a> {
        if whole.is_empty() {
            return New::Nothing;
        }
        if known.is_some_and(|known| !whole.starts_with(known)) {
            return New::Other;
        }
        let Some(rest) = whole.get(self.given..) else { return New::Other };
        self.given = whole.len();
        match rest.len() {
            0 => New::Nothing,
            length if length == whole.len() => New::All,
            _ => New::Rest(rest),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the output for a sequence of deltas (`+text`) and whole texts (`=text`), with `!` for a contradiction.
    fn told(events: &str, keeps: bool) -> String {
        let (mut progress, mut known) = (Progress::default(), String::new());
        let mut told = Vec::new();
        for event in events.split(' ') {
            let (sign, text) = event.split_at(1);
            let so_far = keeps.then_some(known.as_str());
            let new = match sign {
                "+" => progress.delta(so_far, text),
                _ => progress.whole(so_far, text),
            };
            let new = match new {
                New::All => text,
                New::Rest(rest) => rest,
                New::Nothing => "",
                New::Other => "!",
            };
            told.push(new.to_owned());
            known.push_str(new.trim_start_matches('!'));
        }
        told.join("|")
    }

    #[test]
    fn each_text_comes_once() {
        for (events, kept, counted) in [
            ("+He +llo =Hello", "He|llo|", "He|llo|"),
            ("+He +llo =Hello!", "He|llo|!", "He|llo|!"),
            ("=Hello +He +llo", "Hello||", "Hello||"),
            ("=Hell +He +llo", "Hell||o", "Hell||o"),
            ("=Hello +He +llo +!", "Hello|||!", "Hello|||!"),
            ("=He =Hell =Hello", "He|ll|o", "He|ll|o"),
            ("+Hello =", "Hello|", "Hello|"),
            ("+Hello =Bye", "Hello|!", "Hello|!"),
            ("=Hello +Bye", "Hello|!", "Hello|"),
            ("=é漢 +é +漢", "é漢||", "é漢||"),
        ] {
            assert_eq!(told(events, true), kept, "{events}");
            assert_eq!(told(events, false), counted, "{events}, not kept");
        }
    }
}
