//! Splits texts into words, and reduces words to stems.

/// Word endings. Each entry has the ending and the text that replaces the ending. The first matching entry is used, so
/// `ies` and `es` are before `s`.
const ENDINGS: &[(&str, &str)] = &[
    ("ations", "at"),
    ("ation", "at"),
    ("ating", "at"),
    ("ated", "at"),
    ("ates", "at"),
    ("ate", "at"),
    ("ings", ""),
    ("ing", ""),
    ("ies", "y"),
    ("ied", "y"),
    ("ers", "er"),
    ("ed", ""),
    ("es", "e"),
    ("s", ""),
];

/// Words that are not reduced to a stem, because the stem has another meaning: a funding rate is not related to a
/// fund.
const UNCHANGED: &[&str] = &["funding"];

/// Returns the lowercase stems of the words in a text.
pub(crate) fn stems(text: &str) -> Vec<String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(stem).collect()
}

/// Returns the stem of a word in lower case. `Liquidations` and `liquidated` have the stem `liquidat`.
fn stem(word: &str) -> String {
    let word = word.to_lowercase();
    if UNCHANGED.contains(&&*word) {
        return word;
    }
    let cut = ENDINGS.iter().find_map(|(ending, replacement)| {
        let start = word.strip_suffix(ending)?;
        // Words such as `news`, `loss` and `status` end with `s` in the singular, so their `s` is kept.
        let is_ending = start.len() >= 3 && !(*ending == "s" && start.ends_with(['s', 'u', 'w']));
        is_ending.then(|| format!("{start}{replacement}"))
    });
    let stem = cut.unwrap_or(word);
    // `trade`, `trades`, `traded` and `trading` have one stem.
    match stem.strip_suffix('e') {
        Some(start) if start.len() >= 3 => start.to_owned(),
        _ => stem,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_have_one_stem() {
        for forms in [
            "liquidations liquidated liquidation liquidates",
            "trade trades traded trading",
            "holder holders",
            "price prices",
            "category categories",
            "news",
            "status",
        ] {
            let mut found = stems(forms);
            found.dedup();
            assert_eq!(found.len(), 1, "{forms}: {found:?}");
        }
    }
}
