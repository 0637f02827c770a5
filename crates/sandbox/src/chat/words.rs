//! The words of a question, as far as the sandbox reads.

/// Bytes of a text that are read: a question that has not said its subject by then has none.
const READ: usize = 16 * 1024;

/// A text as words: runs of letters and digits of one kind of script.
#[derive(Debug)]
pub(super) struct Words<'a> {
    /// As written, with the mark `$` of a ticker.
    pub(super) written: Vec<&'a str>,
    /// The same in small letters, with a space around each, and what words of other languages mean
    /// behind them: `" what is eth "`.
    plain: String,
    /// Those that are addresses, or names ending in `.eth`.
    pub(super) addresses: Vec<&'a str>,
}

impl<'a> Words<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        let text = super::tokens::start(text, READ / 4);
        let is_mark = |c: char| !c.is_alphanumeric() && c != '$';
        let chunks: Vec<_> =
            text.split_whitespace().map(|chunk| chunk.trim_matches(is_mark)).collect();
        let mut written = Vec::new();
        for chunk in &chunks {
            // The `eth` of `someone.eth` is no word.
            if is_address(chunk) { written.push(*chunk) } else { written.extend(split(chunk)) }
        }
        let mut plain = " ".to_owned();
        for word in &written {
            plain.push_str(&word.trim_start_matches('$').to_lowercase());
            plain.push(' ');
        }
        let meanings: Vec<_> = super::foreign::meanings(&plain).collect();
        for meaning in meanings {
            plain.push_str(meaning);
            plain.push(' ');
        }
        let addresses = chunks.into_iter().filter(|chunk| is_address(chunk)).collect();
        Words { written, plain, addresses }
    }

    /// Where `phrase`, in small letters, first stands as whole words: a number that grows along
    /// the text.
    pub(super) fn place_of(&self, phrase: &str) -> Option<usize> {
        self.plain.find(&format!(" {phrase} "))
    }

    pub(super) fn has(&self, phrase: &str) -> bool {
        self.place_of(phrase).is_some()
    }

    /// Whether `text` stands anywhere, also within a word: for scripts without spaces.
    pub(super) fn contains(&self, text: &str) -> bool {
        self.plain.contains(text)
    }

    pub(super) fn has_any(&self, phrases: &[&str]) -> bool {
        phrases.iter().any(|phrase| self.has(phrase))
    }

    /// The words in small letters.
    pub(super) fn small(&self) -> impl Iterator<Item = &str> {
        self.plain.split_whitespace()
    }
}

/// Whether a word is an address of 40 hexadecimal digits or a name ending in `.eth`.
fn is_address(word: &str) -> bool {
    let is_hex = word.strip_prefix("0x").is_some_and(|digits| {
        digits.len() == 40 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    });
    let is_name = word.strip_suffix(".eth").is_some_and(|name| {
        (1..=100).contains(&name.len())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte))
    });
    is_hex || is_name
}

/// Whether a character is of the Latin script, accents included, or a digit.
fn is_latin(c: char) -> bool {
    c.is_ascii() || ('\u{c0}'..='\u{24f}').contains(&c)
}

/// The words of any text.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = rest.find(|c: char| c.is_alphanumeric() || c == '$')?;
        rest = &rest[start..];
        let mut chars = rest.char_indices();
        let (_, first) = chars.next()?;
        let latin = is_latin(first);
        // "BTC价格" are two words.
        let goes_on = |c: char| c.is_alphanumeric() && is_latin(c) == latin;
        let end = chars.find(|(_, c)| !goes_on(*c)).map_or(rest.len(), |(at, _)| at);
        let (word, after) = rest.split_at(end);
        rest = after;
        Some(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_of_one_script() {
        let words = Words::of("What's $BTC价格, or 24h of vitalik.eth?");
        assert_eq!(words.written, ["What", "s", "$BTC", "价格", "or", "24h", "of", "vitalik.eth"]);
        assert!(words.has("btc") && words.has("24h of") && !words.has("h of"));
        assert_eq!(words.addresses, ["vitalik.eth"]);
        assert_eq!(Words::of("").written.len(), 0);
        assert_eq!(Words::of("🦀 \u{202e}").written.len(), 0);
        assert!(Words::of(&"漢".repeat(100_000)).plain.len() <= READ + 2);
    }
}
