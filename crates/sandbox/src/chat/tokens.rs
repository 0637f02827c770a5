//! Counts the tokens of a text. A token is four bytes, and the number of tokens is rounded up.

/// Bytes per token.
const BYTES: usize = 4;

/// Returns the number of tokens of a text.
pub(super) fn count(text: &str) -> usize {
    text.len().div_ceil(BYTES)
}

/// Returns the longest prefix of `text` with at most `tokens` tokens. The prefix ends between two characters.
pub(super) fn start(text: &str, tokens: usize) -> &str {
    let mut end = tokens.saturating_mul(BYTES).min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_four_bytes() {
        for (text, tokens) in [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("漢字", 2)] {
            assert_eq!(count(text), tokens, "{text}");
        }
        assert_eq!(start("abcdefgh", 1), "abcd");
        assert_eq!(start("漢字", 1), "漢", "four bytes end within the second character");
        assert_eq!(start("abc", usize::MAX), "abc");
    }
}
