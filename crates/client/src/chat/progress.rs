//! Finds the new text in each event of a stream. A service sends a text up to four times: as deltas, as a complete
//! part, as a complete item, and in the finished answer. The caller of the stream must receive it once.

/// Progress of one text in a stream: the number of bytes returned to the caller, and the number of bytes that arrived
/// as deltas. The first number can be larger, because a complete text can arrive before all its deltas.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TextProgress {
    /// Number of bytes of the text that were returned to the caller.
    given: usize,
    /// Number of bytes of the text that arrived as deltas. A delta is an event with only the next piece of the text.
    by_delta: usize,
}

/// Part of an event's text that was not returned to the caller before.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum New<'a> {
    All,
    Rest(&'a str),
    Nothing,
    /// The text of the event differs from the text that was returned to the caller before. A delta is returned to the
    /// caller nevertheless, but a complete text is not.
    Other,
}

impl TextProgress {
    /// Creates the progress of a text. Its first `given` bytes count as returned to the caller, and as received in
    /// deltas.
    pub(crate) fn from_given(given: usize) -> Self {
        TextProgress { given, by_delta: given }
    }

    /// Returns true if the number of bytes returned to the caller equals the number of bytes that arrived as deltas.
    /// The numbers differ, for example, if a complete text arrived before all of its deltas.
    pub(crate) fn is_level(self) -> bool {
        self.by_delta == self.given
    }

    /// Adds a delta to the progress. Returns the part of the delta that the caller has not received before. `known` is
    /// the complete text before this delta. If `known` is `None`, this method only counts bytes and does not compare
    /// texts.
    #[inline]
    pub(crate) fn add_delta<'a>(&mut self, known: Option<&str>, delta: &'a str) -> New<'a> {
        if self.is_level() {
            self.by_delta += delta.len();
            self.given = self.by_delta;
            return New::All;
        }
        self.add_repeated(known, delta)
    }

    /// Adds a delta if the caller already has text beyond the previous deltas. The delta should repeat this text.
    /// Returns the new part of the delta: if the caller has `abc` and the delta is `abcd`, returns `d`. If the delta is
    /// different text, such as `x`, returns [`New::Other`].
    fn add_repeated<'a>(&mut self, known: Option<&str>, delta: &'a str) -> New<'a> {
        let ahead = self.given - self.by_delta;
        let (same, rest) = delta.split_at_checked(ahead.min(delta.len())).unwrap_or((delta, ""));
        let expected = known.and_then(|known| known.get(self.by_delta..));
        if known.is_some() && !expected.is_some_and(|expected| expected.starts_with(same)) {
            *self = TextProgress::from_given(self.given + delta.len());
            return New::Other;
        }

        self.by_delta += delta.len();
        self.given = self.given.max(self.by_delta);
        if rest.is_empty() { New::Nothing } else { New::Rest(rest) }
    }

    /// Adds an event that contains the complete text so far. Returns the part of this text that the caller has not
    /// received yet. Later events can continue the text.
    pub(crate) fn add_whole<'a>(&mut self, known: Option<&str>, whole: &'a str) -> New<'a> {
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

    /// Returns the new text of each event, joined by `|`. An event is a delta (`+text`) or a complete text (`=text`).
    /// An event that results in [`New::Other`] becomes `!`. For example, the events `+Hello =Bye` return `Hello|!`.
    fn new_texts(events: &str, keeps: bool) -> String {
        let (mut progress, mut known) = (TextProgress::default(), String::new());
        let mut texts = Vec::new();
        for event in events.split(' ') {
            let (sign, text) = event.split_at(1);
            let so_far = keeps.then_some(known.as_str());
            let new = match sign {
                "+" => progress.add_delta(so_far, text),
                _ => progress.add_whole(so_far, text),
            };
            let new = match new {
                New::All => text,
                New::Rest(rest) => rest,
                New::Nothing => "",
                New::Other => "!",
            };
            texts.push(new.to_owned());
            known.push_str(new.trim_start_matches('!'));
        }
        texts.join("|")
    }

    #[test]
    fn each_text_is_returned_once() {
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
            assert_eq!(new_texts(events, true), kept, "{events}");
            assert_eq!(new_texts(events, false), counted, "{events}, not kept");
        }
    }
}
