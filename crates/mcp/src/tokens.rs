//! Estimates the number of tokens of a text.

/// Estimates how many tokens a language model needs for a text.
///
/// A real tokenizer needs megabytes of data, and each model has its own tokenizer. This estimate counts one token per
/// six letters of a word or per three digits. For consecutive punctuation marks, it counts one token for the first mark
/// and a third of a token for each further mark. For example, the four marks `":["` count two tokens. A single space
/// counts nothing. A character outside ASCII, such as a Chinese character, counts four thirds of a token.
///
/// `tests/it/tokens.rs` compares the estimate with a public tokenizer.
#[must_use]
pub fn estimate(text: &str) -> usize {
    #[derive(PartialEq, Clone, Copy)]
    enum Kind {
        Letters,
        Digits,
        Marks,
        Blank,
        Other,
    }
    let kind = |c: char| match c {
        'a'..='z' | 'A'..='Z' => Kind::Letters,
        '0'..='9' => Kind::Digits,
        ' ' | '\n' | '\t' | '\r' => Kind::Blank,
        '!'..='~' => Kind::Marks,
        _ => Kind::Other,
    };
    // Counts thirds of a token, so that all numbers are integers.
    let thirds = |kind: Kind, length: usize| match kind {
        Kind::Letters => 3 * length.div_ceil(6),
        Kind::Digits => 3 * length.div_ceil(3),
        Kind::Marks => 2 + length,
        // A single blank belongs to the next word.
        Kind::Blank => 3 * length.saturating_sub(1).div_ceil(8),
        Kind::Other => 4 * length,
    };

    let mut sum = 0;
    let mut run: Option<(Kind, usize)> = None;
    for c in text.chars() {
        let next = kind(c);
        run = match run {
            Some((kind, length)) if kind == next => Some((kind, length + 1)),
            Some((kind, length)) => {
                sum += thirds(kind, length);
                Some((next, 1))
            }
            None => Some((next, 1)),
        };
    }
    if let Some((kind, length)) = run {
        sum += thirds(kind, length);
    }

    sum.div_ceil(3)
}
