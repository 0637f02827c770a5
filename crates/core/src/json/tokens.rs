//! Finds the ends of strings and numbers in a JSON text.

/// Returns the index of the byte after a string. `start` is the index of its opening quote. If the closing quote is
/// missing, returns the length of the text.
pub(super) fn string_end(text: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(byte) = text.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    text.len()
}

/// Returns the index after the number that begins at `start`.
pub(super) fn number_end(text: &[u8], start: usize) -> usize {
    let part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
    start + text[start..].iter().take_while(|byte| part(byte)).count()
}
