//! Replaces API keys in a text by a mask.
//!
//! A key is found as plain text, with percent escapes, or with JSON escapes, even in JSON strings inside JSON strings.
//! The text is searched once for all keys, so the run time does not depend on the number of keys. Memory is allocated
//! only if the text contains a key.

use secrecy::{ExposeSecret, SecretString};

/// Text that replaces a key in all output.
pub(crate) const MASK: &str = "sk-…";

/// Maximum nesting level of the JSON strings in which escaped API keys are found. For example, level 2 is a JSON string
/// inside a JSON string.
const JSON_LEVELS: u8 = 3;

/// Encoding in which a text can contain an API key. For example, the character `-` is `\u002d` with JSON escapes and
/// `%2D` with percent escapes.
#[derive(Debug, Clone, Copy)]
enum Spelling {
    /// JSON escapes. The number is the nesting level of the JSON string, and level 0 is plain text.
    Json(u8),
    /// Percent escapes, as in a URL.
    Percent,
}

/// Set of API keys to search for in a text, all in one pass. The keys are sorted, so keys with equal first characters
/// are neighbours.
#[derive(Default)]
pub(crate) struct KeySet {
    sorted: Vec<SecretString>,
    /// Length of the shortest key in the set, in bytes. A text with fewer bytes contains no key, because an escaped key
    /// is longer than the key itself.
    shortest: usize,
}

impl KeySet {
    pub(crate) fn new<'a>(keys: impl IntoIterator<Item = &'a str>) -> Self {
        let mut keys: Vec<_> = keys.into_iter().filter(|key| !key.is_empty()).collect();
        keys.sort_unstable();
        keys.dedup();
        let shortest = keys.iter().map(|key| key.len()).min().unwrap_or_default();
        KeySet { sorted: keys.into_iter().map(SecretString::from).collect(), shortest }
    }

    /// Replaces every key in the text by [`MASK`].
    pub(crate) fn mask(&self, text: &mut String) {
        let mut masked = String::new();
        let mut copied = 0;
        let mut at = 0;
        while let Some((start, end)) = self.next_key(text.as_bytes(), at) {
            if copied == 0 {
                masked.reserve_exact(text.len());
            }
            masked.push_str(&text[copied..start]);
            masked.push_str(MASK);
            (copied, at) = (end, end);
        }

        if copied > 0 {
            masked.push_str(&text[copied..]);
            *text = masked;
        }
    }

    /// Returns the byte positions of the start and the end of the first key at or after `from`. Both positions are
    /// character boundaries, because keys are ASCII.
    pub(crate) fn next_key(&self, text: &[u8], mut from: usize) -> Option<(usize, usize)> {
        if text.len() < from + self.shortest {
            return None;
        }
        while let Some(start) = self.next_candidate(text, from) {
            if let Some(end) = self.end_of_key(text, start) {
                return Some((start, end));
            }
            from = start + 1;
        }
        None
    }

    /// Returns the position of the next byte that can begin a key: the first character of a key, or an escape
    /// character.
    fn next_candidate(&self, text: &[u8], from: usize) -> Option<usize> {
        let (first, last) = (key_bytes(self.sorted.first()?)[0], key_bytes(self.sorted.last()?)[0]);
        let rest = &text[from..];
        let found = match first == last {
            true => memchr::memchr3(first, b'\\', b'%', rest),
            false => rest
                .iter()
                .position(|byte| matches!(byte, b'\\' | b'%') || (first..=last).contains(byte)),
        };
        found.map(|at| from + at)
    }

    /// Returns the end position of the key that begins at `start`, or `None` if no key begins there. The function tries
    /// three encodings of keys: plain text, JSON escapes, and percent escapes. The search ends at the first encoding in
    /// which a key matches. If several keys match in this encoding, the longest key is used.
    fn end_of_key(&self, text: &[u8], start: usize) -> Option<usize> {
        let (end, read) = self.find_end(text, start, Spelling::Json(0));
        if end.is_some() {
            return end;
        }

        // The other encodings differ from plain text only in escapes. So they are tried only if the bytes read here
        // contain an escape character.
        let seen = text.get(start..=read).unwrap_or(&text[start..]);
        let json = (1..=JSON_LEVELS).filter(|_| seen.contains(&b'\\')).map(Spelling::Json);
        let percent = seen.contains(&b'%').then_some(Spelling::Percent);
        json.chain(percent).find_map(|spelling| self.find_end(text, start, spelling).0)
    }

    /// Searches for keys in one encoding. Returns the end position of the longest key that begins at `start`, and the
    /// position where the search stopped.
    fn find_end(&self, text: &[u8], start: usize, spelling: Spelling) -> (Option<usize>, usize) {
        let mut candidates = &self.sorted[..];
        let (mut at, mut end) = (start, None);
        for position in 0.. {
            // The keys are sorted, so a key that ends at this position is before the longer keys that begin with it.
            if candidates.first().is_some_and(|key| key_bytes(key).len() == position) {
                end = Some(at);
                candidates = &candidates[1..];
            }
            let letter = match spelling {
                _ if candidates.is_empty() => None,
                Spelling::Json(level) => json_letter(text, at, level),
                Spelling::Percent => percent_letter(text, at),
            };
            let Some((letter, length)) = letter else { break };
            candidates = keys_with_byte(candidates, position, letter);
            if candidates.is_empty() {
                break;
            }
            at += length;
        }
        (end, at)
    }
}

fn key_bytes(key: &SecretString) -> &[u8] {
    key.expose_secret().as_bytes()
}

/// Returns the keys that have the byte `letter` at `position`. All `keys` must be longer than `position`, and their
/// bytes before `position` must be equal.
fn keys_with_byte(keys: &[SecretString], position: usize, letter: u8) -> &[SecretString] {
    let from = keys.partition_point(|key| key_bytes(key)[position] < letter);
    let to = from + keys[from..].partition_point(|key| key_bytes(key)[position] == letter);
    &keys[from..to]
}

/// Reads the character at position `at` of a text with `level` levels of JSON escapes. Returns the character, and the
/// number of bytes that it occupies in the text. For example, `\u0041` at level 1 returns `A` and 6. A `\u` escape is
/// resolved only if it stands for an ASCII character, because keys are ASCII.
fn json_letter(text: &[u8], at: usize, level: u8) -> Option<(u8, usize)> {
    let Some(below) = level.checked_sub(1) else {
        return Some((*text.get(at)?, 1));
    };
    let (first, length) = json_letter(text, at, below)?;
    if first != b'\\' {
        return Some((first, length));
    }

    match json_letter(text, at + length, below) {
        Some((letter @ (b'"' | b'\\' | b'/' | b'\''), more)) => Some((letter, length + more)),
        Some((b'u', more)) => match hex_letter(text, at + length + more, below, 4) {
            Some((letter, digits)) => Some((letter, length + more + digits)),
            None => Some((b'\\', length)),
        },
        _ => Some((b'\\', length)),
    }
}

/// Reads `digits` hexadecimal digits at position `at` of a text with `level` levels of JSON escapes. Returns the ASCII
/// character with this code, and the number of bytes that the digits occupy in the text. If `level` is above 0, each
/// digit may itself be an escape sequence of several bytes, such as `\u0036` for `6`.
fn hex_letter(text: &[u8], at: usize, level: u8, digits: usize) -> Option<(u8, usize)> {
    let (mut code, mut length) = (0_u32, 0);
    for _ in 0..digits {
        let (digit, more) = json_letter(text, at + length, level)?;
        code = code * 16 + char::from(digit).to_digit(16)?;
        length += more;
    }
    let letter = u8::try_from(code).ok().filter(u8::is_ascii)?;
    Some((letter, length))
}

fn percent_letter(text: &[u8], at: usize) -> Option<(u8, usize)> {
    match *text.get(at)? {
        b'%' => match hex_letter(text, at + 1, 0, 2) {
            Some((letter, digits)) => Some((letter, 1 + digits)),
            None => Some((b'%', 1)),
        },
        letter => Some((letter, 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn mask_keys(text: &str, keys: &[&str]) -> String {
        let mut text = text.to_owned();
        KeySet::new(keys.iter().copied()).mask(&mut text);
        text
    }

    #[test]
    fn key_is_found_in_every_spelling() {
        for text in [
            "sk-secret",
            "sk%2Dsecret",
            "%73k-secret",
            r"sk\u002dsecret",
            r"sk\\u002dsecret",
            r"\u0073k-secret",
        ] {
            let quoted = format!("before {text} after");
            assert_eq!(mask_keys(&quoted, &["sk-secret"]), "before sk-… after", "{text}");
        }
    }

    #[test]
    fn several_keys_are_found_in_one_pass() {
        assert_eq!(
            mask_keys("sk-one, sk-two and sk-three", &["sk-two", "sk-one"]),
            "sk-…, sk-… and sk-three"
        );
        assert_eq!(mask_keys("anything", &[]), "anything");
        assert_eq!(mask_keys("sk-sk-one", &["sk-one"]), "sk-sk-…");
        assert_eq!(mask_keys("bk-one, ak-two", &["ak-two", "bk-one", "", "ak-two"]), "sk-…, sk-…");
    }

    #[test]
    fn longest_of_several_keys_is_masked() {
        let keys = ["sk-a", "sk-abc", "sk-ab%d", r"sk-b\x"];
        for (text, expected) in [
            ("sk-a sk-ab sk-abc sk-abcd", "sk-… sk-…b sk-… sk-…d"),
            ("sk-ab%25d, sk%2Dab%d", "sk-…b%25d, sk-…"),
            (r"sk-b\x sk-b\\x sk-b\\\\x", "sk-… sk-… sk-…"),
        ] {
            assert_eq!(mask_keys(text, &keys), expected);
        }
    }

    #[test]
    fn text_without_a_key_keeps_its_memory() {
        let mut text = "\\\\\\\" sk- %".repeat(1000);
        let before = (text.as_ptr(), text.capacity());
        KeySet::new(["sk-secret"]).mask(&mut text);
        assert_eq!((text.as_ptr(), text.capacity()), before);
    }

    proptest! {
        #[test]
        fn no_text_panics_and_no_plain_key_remains(text in r#"[\\"u0-9a%é sk-]{0,60}"#) {
            let key = "sk-a";
            let masked = mask_keys(&format!("{text}{key}{text}"), &[key]);
            prop_assert!(!masked.contains(key), "{masked}");
        }
    }
}
