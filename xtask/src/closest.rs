//! Suggests known words for misspelt words.

use strsim::damerau_levenshtein;

/// Returns a suggestion for a misspelt word. It is the first known word that begins with `word`, or else the closest
/// known word. The edit distance to the closest word must be at most two, and less than the length of `word`. Hyphens
/// at the start are ignored.
pub(crate) fn guess(word: &str, known: &[&str]) -> Option<String> {
    let plain = word.trim_start_matches('-');
    let slips = |flag: &str| damerau_levenshtein(plain, flag.trim_start_matches('-'));
    let begins =
        |flag: &&&str| !plain.is_empty() && flag.trim_start_matches('-').starts_with(plain);
    let near = known.iter().find(begins).or_else(|| {
        let near = known.iter().min_by_key(|flag| slips(flag));
        near.filter(|flag| slips(flag) <= 2 && slips(flag) < plain.len())
    });
    near.map(|near| format!("did you mean `{near}`?"))
}
