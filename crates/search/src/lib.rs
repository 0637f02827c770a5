//! Finds operations of the catalogue by words.
//!
//! The command line, the MCP server and the skill package share this search, so that the same words
//! find the same operations everywhere.
//!
//! ```
//! let found = crypto_intel_search::search("fear and greed", None);
//! assert_eq!(found[0].operation.id, "market-fear-greed");
//! assert!(found[0].has_all_words);
//! ```
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]

mod record;

use crypto_intel_api::generated::catalogue::OPERATIONS;
use crypto_intel_core::Operation;

pub use record::record_of;

/// Domain of an operation as agents write it: `prediction-market`.
#[must_use]
pub fn domain(operation: &Operation) -> String {
    operation.tag.to_lowercase().replace(' ', "-")
}

/// All domains in the order of the catalogue.
#[must_use]
pub fn domains() -> Vec<String> {
    let mut domains: Vec<String> = Vec::new();
    for operation in OPERATIONS {
        let domain = domain(operation);
        if !domains.contains(&domain) {
            domains.push(domain);
        }
    }
    domains
}

/// An operation that a search found.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Match {
    /// The operation.
    pub operation: &'static Operation,
    /// Whether the operation contains every word of the search.
    pub has_all_words: bool,
    score: u32,
}

/// Operations that contain `words`, best match first; all operations if there are no words.
/// `within` limits the search to a [`domain`].
#[must_use]
pub fn search(words: &str, within: Option<&str>) -> Vec<Match> {
    let words: Vec<String> = words
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(stem)
        .filter(|word| !COMMON.contains(&word.as_str()))
        .collect();
    let mut matches: Vec<_> = OPERATIONS
        .iter()
        .copied()
        .filter(|operation| within.is_none_or(|wanted| domain(operation) == wanted))
        .map(|operation| score(operation, &words))
        .filter(|found| words.is_empty() || found.score > 0)
        .collect();
    // A stable sort: equal scores stay in the order of the catalogue.
    matches.sort_by_key(|found| std::cmp::Reverse(found.score));
    matches
}

/// Words that do not distinguish operations.
const COMMON: &[&str] = &[
    "a", "an", "and", "by", "for", "from", "get", "how", "in", "is", "list", "me", "of", "on",
    "or", "show", "the", "to", "what", "which", "with",
];

/// Lowercase word without a plural ending.
fn stem(word: &str) -> String {
    let word = word.to_lowercase();
    match word.strip_suffix("ies") {
        Some(stem) if stem.len() > 2 => format!("{stem}y"),
        _ => match word.strip_suffix('s') {
            Some(stem) if stem.len() > 2 && !stem.ends_with('s') => stem.to_owned(),
            _ => word,
        },
    }
}

fn stems(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(stem).collect()
}

/// Match score of an operation. A match in its name counts most, then its summary, domain,
/// parameters and fields.
fn score(operation: &'static Operation, words: &[String]) -> Match {
    let places = [
        (12, stems(operation.id)),
        (8, stems(operation.summary)),
        (5, stems(operation.tag)),
        (3, operation.params.iter().flat_map(|param| stems(param.name)).collect()),
        (
            2,
            record_of(operation)
                .map(|record| record.fields.iter().flat_map(|field| stems(field.name)).collect())
                .unwrap_or_default(),
        ),
        (1, operation.params.iter().flat_map(|param| stems(param.doc)).collect()),
    ];

    let best = |word: &String| {
        let whole =
            places.iter().find(|(_, texts)| texts.contains(word)).map_or(0, |(weight, _)| *weight);
        // A match of the beginning of a word counts half.
        let begins = |text: &String| {
            word.len() > 3 && (text.starts_with(word) || (text.len() > 3 && word.starts_with(text)))
        };
        let part = places
            .iter()
            .find(|(_, texts)| texts.iter().any(begins))
            .map_or(0, |(weight, _)| weight / 2);
        whole.max(part)
    };
    let found: Vec<u32> = words.iter().map(best).collect();
    let all = found.iter().all(|score| *score > 0);
    let deprecated = operation.deprecated.is_some();
    let sum = found.iter().sum::<u32>() * if all { 3 } else { 1 };
    let score = sum / if deprecated { 2 } else { 1 };
    Match { operation, has_all_words: all, score }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_operation_is_among_the_first() {
        // A query in a person's words, and the operation it should find.
        let cases = [
            ("token price history", "market-price"),
            ("fear and greed", "market-fear-greed"),
            ("funding rate history", "exchange-funding-history"),
            ("holders of a token", "token-holders"),
            ("income statement", "equity-income-statement"),
            ("ETF flows", "market-etf"),
            ("order book depth", "exchange-depth"),
            ("token unlock schedule", "token-tokenomics"),
            ("gas price", "onchain-gas-price"),
            ("wallet net worth", "wallet-net-worth"),
            ("news articles", "search-news"),
            ("tvl ranking of DeFi protocols", "project-defi-ranking"),
            ("remaining credits", "credit-balance"),
            ("polymarket trades", "polymarket-trades"),
        ];
        for (words, expected) in cases {
            let found: Vec<_> =
                search(words, None).into_iter().take(3).map(|found| found.operation.id).collect();
            assert!(found.contains(&expected), "{words}: {found:?}");
        }
    }
}
