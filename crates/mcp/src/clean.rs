//! Replaces invisible characters in all text that an agent reads.
//!
//! Text of the service can contain characters that a language model reads but people cannot see. These are tag
//! characters (an invisible alphabet), marks of text direction, zero-width spaces, variation selectors and control
//! characters. An attacker can hide instructions to the model in such characters. So the server cleans every tool
//! result, error, progress message and stored result with [`clean_json`] or [`clean_text`]. This is the last step
//! before sending.

use std::str::Chars;

/// Replaces invisible characters in a JSON text by U+FFFD, and removes variation selectors. A JSON escape such as
/// `\u202e` is treated like the character itself.
///
/// Joiners (U+200C, U+200D) stay, because emoji and several scripts need them. The digits of numbers, the order of
/// fields and the white space do not change.
pub(crate) fn clean_json(json: &str) -> String {
    let mut cleaned = String::with_capacity(json.len());
    let mut letters = json.chars();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            push(&mut cleaned, letter, &letter.to_string());
            continue;
        }

        // JSON has backslashes only within strings.
        let start = letters.as_str();
        match letters.next() {
            Some('u') => {
                let decoded = escaped(&mut letters);
                let length = start.len() - letters.as_str().len();
                push(&mut cleaned, decoded, &format!("\\{}", &start[..length]));
            }
            // Backspace and form feed.
            Some('b' | 'f') => cleaned.push('\u{fffd}'),
            Some(other) => cleaned.extend(['\\', other]),
            None => cleaned.push('\\'),
        }
    }
    cleaned
}

/// Replaces invisible characters by U+FFFD, and removes variation selectors. This function is for plain text.
/// For JSON, use [`clean_json`].
pub(crate) fn clean_text(text: &str) -> String {
    let mut cleaned = String::with_capacity(text.len());
    for letter in text.chars() {
        push(&mut cleaned, letter, &letter.to_string());
    }
    cleaned
}

/// Appends a character to `cleaned`. `written` is the source text of the character, for example a JSON escape. The
/// function omits variation selectors, and replaces other invisible characters by U+FFFD.
fn push(cleaned: &mut String, letter: char, written: &str) {
    match letter {
        _ if is_selector(letter) => {}
        _ if is_invisible(letter) => cleaned.push('\u{fffd}'),
        _ => cleaned.push_str(written),
    }
}

/// Decodes the digits of a JSON escape `\u`. After the first half of a surrogate pair, the function also reads the
/// escape of the second half. A half without its other half becomes U+FFFD.
fn escaped(letters: &mut Chars<'_>) -> char {
    let first = code_unit(letters);
    let is_first_half = (0xd800..0xdc00).contains(&first);
    let mut behind = letters.clone();
    if is_first_half && behind.next() == Some('\\') && behind.next() == Some('u') {
        let second = code_unit(&mut behind);
        if let Some(Ok(letter)) = char::decode_utf16([first, second]).next() {
            *letters = behind;
            return letter;
        }
    }
    char::from_u32(u32::from(first)).unwrap_or('\u{fffd}')
}

/// Reads four hexadecimal digits as a UTF-16 code unit.
fn code_unit(letters: &mut Chars<'_>) -> u16 {
    let digits: String = letters.by_ref().take(4).collect();
    u16::from_str_radix(&digits, 16).unwrap_or(0xfffd)
}

/// Returns true for a variation selector. This is a character that only changes the look of the previous character.
fn is_selector(letter: char) -> bool {
    matches!(letter, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' | '\u{180b}'..='\u{180f}')
}

/// Returns true if people cannot see the character.
fn is_invisible(letter: char) -> bool {
    let is_control = letter.is_control() && !matches!(letter, '\n' | '\r' | '\t');
    is_control
        || matches!(letter,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn invisible_characters_become_visible_and_others_stay() {
        let cases = [
            (r#"{"a":1.50}"#, r#"{"a":1.50}"#),
            ("\"a\u{e0041}b\"", "\"a\u{fffd}b\""),
            (r#""a\udb40\udc41b""#, "\"a\u{fffd}b\""),
            (r#""\u202Etxt\u200b""#, "\"\u{fffd}txt\u{fffd}\""),
            (r#""\\u202e""#, r#""\\u202e""#),
            ("\"👩\u{200d}🚀 ❤\u{fe0f} ü 漢\"", "\"👩\u{200d}🚀 ❤ ü 漢\""),
            (r#""a\bb\fc\\f\t""#, "\"a\u{fffd}b\u{fffd}c\\\\f\\t\""),
            (r#""\u001b[31m\n\u00e9""#, "\"\u{fffd}[31m\\n\\u00e9\""),
        ];
        for (text, expected) in cases {
            assert_eq!(clean_json(text), expected, "{text}");
        }
    }

    /// Writes a text as a JSON string. A character with the flag `true` is written as a JSON escape.
    fn json_string(text: &[(char, bool)]) -> String {
        let mut json = String::from("\"");
        for (letter, is_escaped) in text {
            let mut units = [0; 2];
            match letter {
                '"' | '\\' => json.extend(['\\', *letter]),
                _ if *is_escaped || letter.is_control() => letter
                    .encode_utf16(&mut units)
                    .iter()
                    .for_each(|unit| json.push_str(&format!("\\u{unit:04x}"))),
                _ => json.push(*letter),
            }
        }
        json + "\""
    }

    fn letters() -> impl Strategy<Value = char> {
        prop_oneof![
            any::<char>(),
            prop::char::range('\u{200b}', '\u{206f}'),
            prop::char::range('\u{e0000}', '\u{e01ef}'),
            prop::char::range('\u{fe00}', '\u{feff}'),
        ]
    }

    proptest! {
        #[test]
        fn cleaned_json_has_the_visible_characters_and_no_others(
            text in prop::collection::vec((letters(), any::<bool>()), 0..40)
        ) {
            let cleaned: String =
                serde_json::from_str(&clean_json(&json_string(&text))).expect("a JSON text");
            let expected: String = text.iter().map(|(letter, _)| *letter).collect();
            prop_assert_eq!(&cleaned, &clean_text(&expected));
            prop_assert!(!cleaned.chars().any(|letter| is_invisible(letter) || is_selector(letter)));
        }
    }
}
