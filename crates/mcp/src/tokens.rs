//! How much of a model's context a text takes.

/// About how many tokens a text is to a language model.
///
/// No tokenizer is at hand at run time, since each weighs megabytes and every model has another.
/// This counts what all of them share: a word is one token for every six letters or so, a number
/// one for every three digits, and marks mostly stand in pairs. `tests/it/tokens.rs` holds it
/// against a public tokenizer over the answers of every operation.
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
    // In thirds of a token, so that it stays with whole numbers.
    let thirds = |kind: Kind, length: usize| match kind {
        Kind::Letters => 3 * length.div_ceil(6),
        Kind::Digits => 3 * length.div_ceil(3),
        Kind::Marks => 2 + length,
        // A single blank belongs to the word behind it.
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
