//! Gives each text once, although services repeat it: piece by piece, as a whole part, as a whole
//! item, and in the finished answer.

/// How much of one text is known, and how much of it came as deltas. The two differ when the whole
/// text came before its deltas.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Progress {
    /// Bytes that were given out.
    given: usize,
    /// Bytes that deltas brought.
    by_delta: usize,
}

/// The part of an arriving text that is new.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum New<'a> {
    All,
    Rest(&'a str),
    Nothing,
    /// It is neither a repetition nor a continuation of what is known. A delta counts as more text
    /// all the same.
    Other,
}

impl Progress {
    /// A text that is known so far, and that deltas go on from.
    pub(crate) fn at(given: usize) -> Self {
        Progress { given, by_delta: given }
    }

    /// Whether all that is known came as deltas.
    pub(crate) fn is_level(self) -> bool {
        self.by_delta == self.given
    }

    /// Takes in a delta. `known` is the text so far; `None` where text is not kept, and then
    /// lengths alone decide.
    #[inline]
    pub(crate) fn delta<'a>(&mut self, known: Option<&str>, delta: &'a str) -> New<'a> {
        if self.is_level() {
            self.by_delta += delta.len();
            self.given = self.by_delta;
            return New::All;
        }
        self.repeated(known, delta)
    }

    /// A delta of a text that is known further than its deltas have come.
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

    /// Takes in the text as a whole, or a longer beginning of it.
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

    /// Returns the output for a sequence of deltas (`+text`) and whole texts (`=text`), with `!` for
    /// a contradiction.
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
