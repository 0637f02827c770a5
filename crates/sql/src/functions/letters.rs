//! Characters of UTF-8 text. The text can be invalid, and most functions then follow the rules of ClickHouse.

use crate::problem::{Problem, Result};

/// Returns the number of UTF-8 characters. Continuation bytes are not counted.
pub(super) fn letter_count(text: &[u8]) -> usize {
    text.iter().filter(|byte| **byte & 0xC0 != 0x80).count()
}

/// Returns the byte index of each UTF-8 character. The first byte alone determines the length of a character, even in
/// invalid UTF-8.
pub(super) fn letter_starts(text: &[u8]) -> Vec<usize> {
    let length = |byte: u8| match byte {
        0xC0..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF7 => 4,
        _ => 1,
    };
    let next = |at: &usize| Some(at + length(text[*at])).filter(|at| *at < text.len());
    std::iter::successors((!text.is_empty()).then_some(0), next).collect()
}

/// Splits a text into its UTF-8 characters, at the indexes of [`letter_starts`].
pub(super) fn split_letters(text: &[u8]) -> Vec<&[u8]> {
    let starts = letter_starts(text);
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().zip(ends).map(|(start, end)| &text[*start..end]).collect()
}

/// Returns the byte index of a UTF-8 character. The index after the last character is the length of the text.
/// Continuation bytes never start a character, even in invalid UTF-8. [`letter_starts`] differs for invalid UTF-8.
pub(super) fn letter_start(text: &[u8], letter: usize) -> Option<usize> {
    let is_start = |at: &usize| text[*at] & 0xC0 != 0x80;
    (0..text.len()).filter(is_start).chain([text.len()]).nth(letter)
}

/// Reverses the order of the UTF-8 characters. As in ClickHouse, the first byte determines the length of a character.
/// If the text ends inside a character, each byte of this character counts as a character.
pub(super) fn reverse_letters(text: &[u8]) -> Vec<u8> {
    let length = |rest: &[u8]| match rest[0] {
        0xC0..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0.. => 4,
        _ => 1,
    };
    let mut reversed = vec![0; text.len()];
    let mut rest = text;
    while !rest.is_empty() {
        let (letter, others) =
            rest.split_at_checked(length(rest)).unwrap_or_else(|| rest.split_at(1));
        reversed[others.len()..rest.len()].copy_from_slice(letter);
        rest = others;
    }
    reversed
}

/// Returns an error if the text is not valid UTF-8. For invalid UTF-8, ClickHouse has special rules to count characters
/// from the end. This engine does not implement them.
pub(super) fn check_utf8(text: &[u8]) -> Result<()> {
    match std::str::from_utf8(text) {
        Ok(_) => Ok(()),
        Err(_) => Err(Problem::text("counting characters from the end needs a valid UTF-8 string")),
    }
}
