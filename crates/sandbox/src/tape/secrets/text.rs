//! Finds and replaces secrets in a text, even if they are encoded.
//!
//! The inputs are a text and the known secrets. The output is a copy of the text in which the
//! secrets are replaced.

use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use html_escape::decode_html_entities;
use percent_encoding::percent_decode_str;

use super::names::is_secret;

/// Text that replaces a secret.
pub(in crate::tape) const REMOVED: &str = "REMOVED";

/// Minimum length in bytes of a known secret that is replaced everywhere. A shorter secret is replaced only where it is
/// a whole word, because a harmless word can contain a short secret.
const LONG: usize = 6;

/// Prefix of the service's API keys.
const MARK: &str = "sk-";

/// Replaces secrets by [`REMOVED`]. Secrets are the texts in `known`, everything that looks like an API key, and the
/// values of parameters with names such as `password`.
pub(super) fn cleaned(text: &str, known: &[String]) -> String {
    // Encoded secrets are replaced first. If another step replaced only a part of them, the rest would remain.
    let text = without_encoded(text, known);
    let text = without_known(&text, known);
    let text = without_keys(&text);
    without_values(&text)
}

/// Replaces known secrets. `known` begins with the longest secret, so that a shorter secret is not replaced inside a
/// longer secret.
fn without_known(text: &str, known: &[String]) -> String {
    known.iter().fold(text.to_owned(), |text, secret| {
        if secret.len() >= LONG {
            return text.replace(secret.as_str(), REMOVED);
        }
        replaced(&text, secret, |before, after| {
            !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
        })
    })
}

/// Replaces `needle` in a text by [`REMOVED`], if `fits` returns true for the characters before and after `needle`.
fn replaced(text: &str, needle: &str, fits: impl Fn(Option<char>, Option<char>) -> bool) -> String {
    let mut cleaned = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(needle) {
        let (before, after) = (&rest[..start], &rest[start + needle.len()..]);
        let last = before.chars().next_back().or_else(|| cleaned.chars().next_back());

        cleaned.push_str(before);
        cleaned.push_str(if fits(last, after.chars().next()) { REMOVED } else { needle });
        rest = after;
    }
    cleaned.push_str(rest);
    cleaned
}

/// Replaces everything that looks like an API key by [`REMOVED`]. An API key begins with `sk-`. It continues with
/// letters, digits and some punctuation marks, such as `-`. After a letter or a digit, as in `risk-free`, `sk-` does
/// not begin a key.
pub(crate) fn without_keys(text: &str) -> String {
    let mut cleaned = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(MARK) {
        let (before, from) = rest.split_at(start);
        let after = &from[MARK.len()..];
        let length = key_length(after);
        // `risk-free` is not a key.
        let last = before.chars().next_back().or_else(|| cleaned.chars().next_back());
        let inside = last.is_some_and(|c| c.is_ascii_alphanumeric());

        cleaned.push_str(before);
        if inside || length == 0 {
            cleaned.push_str(MARK);
            rest = after;
        } else {
            cleaned.push_str(REMOVED);
            rest = &after[length..];
        }
    }
    cleaned.push_str(rest);
    cleaned
}

/// Returns the length in bytes of the part at the start of `text` that can belong to an API key. Full stops at the end
/// of this part are not counted, because a full stop usually ends a sentence.
fn key_length(text: &str) -> usize {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "-_.+/=~".contains(c);
    let end = text.find(|c: char| !is_part(c)).unwrap_or(text.len());
    text[..end].trim_end_matches('.').len()
}

/// Replaces the value in `name=value` by [`REMOVED`] if the name is a usual name of a secret. For example, `sig=opaque`
/// becomes `sig=REMOVED`.
fn without_values(text: &str) -> String {
    let mut cleaned = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(equals) = rest.find('=') {
        let (before, after) = (&rest[..equals], &rest[equals + 1..]);
        let is_name = |c: char| c.is_ascii_alphanumeric() || "-_.%[]".contains(c);
        let start = before.rfind(|c| !is_name(c)).map_or(0, |at| at + 1);
        let start = (start..=before.len()).find(|at| before.is_char_boundary(*at)).unwrap_or(0);
        let name = percent_decode_str(&before[start..]).decode_utf8_lossy();
        let end = after.find(|c: char| c.is_whitespace() || "&;,\"'<>\\".contains(c));
        let end = end.unwrap_or(after.len());

        cleaned.push_str(&rest[..=equals]);
        if end > 0 && is_secret(name.trim_matches(['[', ']'])) {
            cleaned.push_str(REMOVED);
            rest = &after[end..];
        } else {
            rest = after;
        }
    }
    cleaned.push_str(rest);
    cleaned
}

/// Replaces each word that contains a secret in an encoded form, such as Base64 or percent-encoding, by [`REMOVED`].
/// Known secrets with fewer than [`LONG`] bytes are not searched in encoded form.
fn without_encoded(text: &str, known: &[String]) -> String {
    let hides = |decoded: &str| {
        let is_known =
            known.iter().any(|secret| secret.len() >= LONG && decoded.contains(secret.as_str()));
        is_known || without_keys(decoded) != decoded
    };

    let escaped = |c: char| !c.is_whitespace() && !"\"'<>(){}[],;".contains(c);
    let text = words(text, escaped, |word| {
        word.contains('\\') && unescaped(word).is_some_and(|plain| hides(&plain))
    });

    let entities = |c: char| !c.is_whitespace() && !"\"'<>".contains(c);
    let text =
        words(&text, entities, |word| word.contains('&') && hides(&decode_html_entities(word)));

    let percent = |c: char| c.is_ascii_alphanumeric() || "%-_.~+/=".contains(c);
    let text = words(&text, percent, |word| {
        word.contains('%') && percent_decodings(word).iter().any(|plain| hides(plain))
    });

    let base64 = |c: char| c.is_ascii_alphanumeric() || "-_+/=".contains(c);
    words(&text, base64, |word| {
        let hides = |piece: &str| decodings(piece).iter().any(|plain| hides(plain));
        pieces(word).filter(|piece| piece.len() >= LONG).any(hides)
    })
}

/// Characters that separate a word into parts. Each part, and each sequence of at most [`TOGETHER`] consecutive parts,
/// is searched for secrets in Base64 or hexadecimal digits, if it has at least [`LONG`] bytes.
const SEPARATORS: [char; 2] = ['/', '='];
/// Maximum number of consecutive parts that are searched together for a secret. For example, the word `abcd/efgh/ijkl`
/// has three parts. Its first two parts are also searched together, as `abcd/efgh`.
const TOGETHER: usize = 24;

/// Iterates over all sequences of consecutive parts of a word. For `a/b`, these are `a`, `a/b` and `b`. The sequences
/// include the separators, because Base64 uses these characters too.
fn pieces(word: &str) -> impl Iterator<Item = &str> {
    let inner = word.match_indices(SEPARATORS).map(|(at, _)| at);
    let starts: Vec<_> = std::iter::once(0).chain(inner.clone().map(|at| at + 1)).collect();
    let ends: Vec<_> = inner.chain([word.len()]).collect();

    starts.into_iter().enumerate().flat_map(move |(first, start)| {
        let ends: Vec<_> = ends.iter().skip(first).take(TOGETHER).copied().collect();
        ends.into_iter().map(move |end| &word[start..end])
    })
}

/// Replaces each word of `text` by [`REMOVED`] if `hides` returns true for the word. A word is an unbroken sequence of
/// characters that `belongs` accepts.
fn words(text: &str, belongs: impl Fn(char) -> bool, hides: impl Fn(&str) -> bool) -> String {
    let mut cleaned = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(&belongs) {
        let (before, from) = rest.split_at(start);
        let end = from.find(|c| !belongs(c)).unwrap_or(from.len());
        let (word, after) = from.split_at(end);

        cleaned.push_str(before);
        cleaned.push_str(if hides(word) { REMOVED } else { word });
        rest = after;
    }
    cleaned.push_str(rest);
    cleaned
}

/// Decodes JSON escape sequences. Returns `None` if an escape sequence is invalid.
fn unescaped(word: &str) -> Option<String> {
    serde_json::from_str(&format!("\"{word}\"")).ok()
}

/// Decodes a percent-encoded word up to three times. Returns the word and the result of each decoding. For each of
/// these texts, also returns a copy with each plus sign replaced by a space.
fn percent_decodings(word: &str) -> Vec<String> {
    let decoded = |text: &String| {
        let next = percent_decode_str(text).decode_utf8_lossy().into_owned();
        (next != *text).then_some(next)
    };
    let plain = std::iter::successors(Some(word.to_owned()), decoded).take(4);
    // In query strings, a plus sign means a space.
    plain.flat_map(|text| [text.replace('+', " "), text]).collect()
}

const LENIENT: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_padding_mode(DecodePaddingMode::Indifferent)
    .with_decode_allow_trailing_bits(true);
const BASE64: [GeneralPurpose; 2] = [
    GeneralPurpose::new(&alphabet::STANDARD, LENIENT),
    GeneralPurpose::new(&alphabet::URL_SAFE, LENIENT),
];

/// Returns the results of decoding a word as Base64 and as hexadecimal digits.
fn decodings(word: &str) -> Vec<String> {
    let base64 = BASE64.iter().filter_map(|engine| engine.decode(word).ok());
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    base64.chain(from_hex(word)).map(text).collect()
}

fn from_hex(word: &str) -> Option<Vec<u8>> {
    if word.len() % 2 == 1 || !word.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let pairs = (0..word.len()).step_by(2);
    pairs.map(|at| u8::from_str_radix(&word[at..at + 2], 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_taken_out_whole_and_words_stay() {
        for (text, expected) in [
            ("the key sk-abc_1-2 is bad", "the key REMOVED is bad"),
            ("the key sk-a.b+c/d== is bad.", "the key REMOVED is bad."),
            ("you sent sk-abc.", "you sent REMOVED."),
            ("sk-a,sk-b", "REMOVED,REMOVED"),
            ("risk-free and task-force, sk-", "risk-free and task-force, sk-"),
            ("\"sk-live\"", "\"REMOVED\""),
            ("sk%2Dlive and sk%252Dlive", "REMOVED and REMOVED"),
            (r"sk\u002dlive", "REMOVED"),
            ("<b>&#115;k&#x2d;live</b> &amp; more", "<b>REMOVED</b> &amp; more"),
            ("user_key=opaque, page_token=opaque", "user_key=REMOVED, page_token=opaque"),
            ("Basic dXNlcjpzay1saXZl", "Basic REMOVED"),
            ("736b2d6c697665", "REMOVED"),
            ("/x?sig=opaque&a=1", "/x?sig=REMOVED&a=1"),
            ("api%5Fkey=opaque", "api%5Fkey=REMOVED"),
            ("a=b=c, 漢=字", "a=b=c, 漢=字"),
        ] {
            assert_eq!(cleaned(text, &[]), expected);
        }
    }

    #[test]
    fn known_secrets_go_first_and_short_ones_as_words_only() {
        let known = ["opaque.secret+1".to_owned(), "opaque".to_owned(), "42".to_owned()];
        for (text, expected) in [
            ("opaque.secret+1, opaque", "REMOVED, REMOVED"),
            ("42 of 1423 at :42:", "REMOVED of 1423 at :REMOVED:"),
            ("opaque%2Esecret%2B1", "REMOVED"),
            ("/x/b3BhcXVl/y", "REMOVED"),
        ] {
            assert_eq!(cleaned(text, &known), expected);
        }
    }
}
