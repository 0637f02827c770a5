//! Masks API keys in texts, in one pass for all keys and without copying the text.
//!
//! In: a text of the service and the keys. Out: the same text with a mask in place of each key. A key is found if it
//! is written plainly, with percent escapes, or with JSON escapes, also in JSON strings inside JSON strings. Time
//! grows with the length of the text. Memory is allocated only if the text contains a key.

/// Replaces a key in all output.
pub(crate) const MASK: &str = "sk-…";

/// Number of nested levels of JSON strings that are searched.
const JSON_LEVELS: u8 = 3;

/// Encoding of the letters of a key.
#[derive(Debug, Clone, Copy)]
enum Spelling {
    /// With JSON escapes, nested to this level; 0 is plain text.
    Json(u8),
    /// With percent escapes, as in a URL.
    Percent,
}

/// Replaces every key in the text.
pub(crate) fn mask(text: &mut String, keys: &[&str]) {
    let mut masked = String::new();
    let mut copied = 0;
    let mut at = 0;
    while let Some((start, end)) = next_key(text.as_bytes(), at, keys) {
        masked.push_str(&text[copied..start]);
        masked.push_str(MASK);
        (copied, at) = (end, end);
    }

    if copied > 0 {
        masked.push_str(&text[copied..]);
        *text = masked;
    }
}

/// Start and end of the first key at or after `from`. Both are character boundaries, since keys are ASCII.
pub(crate) fn next_key(text: &[u8], from: usize, keys: &[&str]) -> Option<(usize, usize)> {
    let can_begin = |byte: u8| {
        byte == b'\\'
            || byte == b'%'
            || keys.iter().any(|key| key.as_bytes().first() == Some(&byte))
    };
    (from..text.len()).filter(|&start| can_begin(text[start])).find_map(|start| {
        let end = keys.iter().find_map(|key| end_of_key(text, start, key.as_bytes()))?;
        Some((start, end))
    })
}

/// End of the key that begins at `start`, in any encoding.
fn end_of_key(text: &[u8], start: usize, key: &[u8]) -> Option<usize> {
    let json = (0..=JSON_LEVELS).map(Spelling::Json);
    json.chain([Spelling::Percent]).find_map(|spelling| spelled(text, start, key, spelling))
}

fn spelled(text: &[u8], start: usize, key: &[u8], spelling: Spelling) -> Option<usize> {
    if key.is_empty() {
        return None;
    }
    let mut at = start;
    for expected in key {
        let (letter, length) = match spelling {
            Spelling::Json(level) => json_letter(text, at, level)?,
            Spelling::Percent => percent_letter(text, at)?,
        };
        if letter != *expected {
            return None;
        }
        at += length;
    }
    Some(at)
}

/// The letter at `at` after resolving `level` levels of JSON escapes, and its length in the text. Only ASCII `\u`
/// escapes are resolved, because keys are ASCII.
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
        Some((b'u', more)) => match hexadecimal(text, at + length + more, below, 4) {
            Some((letter, digits)) => Some((letter, length + more + digits)),
            None => Some((b'\\', length)),
        },
        _ => Some((b'\\', length)),
    }
}

/// The ASCII letter with this number of hexadecimal digits at `at`, and its length in the text.
fn hexadecimal(text: &[u8], at: usize, level: u8, digits: usize) -> Option<(u8, usize)> {
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
        b'%' => match hexadecimal(text, at + 1, 0, 2) {
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

    fn masked(text: &str, keys: &[&str]) -> String {
        let mut text = text.to_owned();
        mask(&mut text, keys);
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
            assert_eq!(masked(&quoted, &["sk-secret"]), "before sk-… after", "{text}");
        }
    }

    #[test]
    fn several_keys_are_found_in_one_pass() {
        assert_eq!(
            masked("sk-one, sk-two and sk-three", &["sk-two", "sk-one"]),
            "sk-…, sk-… and sk-three"
        );
        assert_eq!(masked("anything", &[]), "anything");
        assert_eq!(masked("sk-sk-one", &["sk-one"]), "sk-sk-…");
    }

    #[test]
    fn text_without_a_key_keeps_its_memory() {
        let mut text = "\\\\\\\" sk- %".repeat(1000);
        let before = (text.as_ptr(), text.capacity());
        mask(&mut text, &["sk-secret"]);
        assert_eq!((text.as_ptr(), text.capacity()), before);
    }

    proptest! {
        #[test]
        fn no_text_panics_and_no_plain_key_remains(text in r#"[\\"u0-9a%é sk-]{0,60}"#) {
            let key = "sk-a";
            let masked = masked(&format!("{text}{key}{text}"), &[key]);
            prop_assert!(!masked.contains(key), "{masked}");
        }
    }
}
