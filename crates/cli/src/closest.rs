//! Finds the known word that is most similar to a misspelt word.

/// Minimum similarity, from 0 to 1, between a suggested word and the misspelt word.
const ALIKE: f64 = 0.8;

/// Returns the candidate that is most similar to the text, ignoring ASCII case. Returns `None` if the similarity is
/// below [`ALIKE`].
pub(crate) fn closest<'a>(
    text: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    let text = text.to_ascii_lowercase();
    let scored = candidates.map(|word| (similarity(&text, &word.to_ascii_lowercase()), word));
    let best = scored.max_by(|(a, _), (b, _)| a.total_cmp(b))?;
    (best.0 >= ALIKE).then_some(best.1)
}

/// Returns the similarity of two names, from 0 to 1. Names with equal words in a different order are similar too, such
/// as `market-price` and `price-market`.
fn similarity(a: &str, b: &str) -> f64 {
    let sorted = |text: &str| {
        let mut words: Vec<_> = text.split(['-', '_', ' ']).collect();
        words.sort_unstable();
        words.join("-")
    };
    strsim::jaro_winkler(a, b).max(strsim::jaro_winkler(&sorted(a), &sorted(b)) - 0.02)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelling_finds_the_closest_word() {
        let values = ["ethereum", "solana", "base", "arbitrum"];
        for (text, meant) in [
            ("etherum", Some("ethereum")),
            ("Solana", Some("solana")),
            ("arbitum", Some("arbitrum")),
            ("zzz", None),
        ] {
            assert_eq!(closest(text, values.into_iter()), meant, "{text}");
        }
        let commands = ["market-price", "market-ranking"];
        assert_eq!(closest("price-market", commands.into_iter()), Some("market-price"));
    }
}
