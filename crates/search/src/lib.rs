//! Finds operations of the catalogue by words.
//!
//! The input is a text, such as a question. The output is a list of operations, best match first. The command line, the
//! MCP server and the skill package use this search, so a text finds the same operations in all of them.
//!
//! The index contains the names, summaries and descriptions of operations, the names and values of their parameters,
//! and the fields of their rows. It also contains the [`domain`] of each operation. `synonyms.txt` maps words that
//! people use to words of the catalogue. A rare word has a higher weight than a frequent one. A word in a name has a
//! higher weight than a word in a description.
//!
//! ```
//! let found = crypto_intel_search::search("fear and greed", None);
//! assert_eq!(found[0].operation.id, "market-fear-greed");
//! assert!(found[0].has_all_words);
//! ```
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]

mod index;
mod query;
mod record;
mod stem;

use crypto_intel_api::generated::catalogue::OPERATIONS;
use crypto_intel_core::Operation;

pub use index::Match;
pub use record::record_of;

/// Returns the domain of an operation: the group of the API that contains the operation. The name is in lower case with
/// hyphens, such as `prediction-market`.
#[must_use]
pub fn domain(operation: &Operation) -> String {
    operation.tag.to_lowercase().replace(' ', "-")
}

/// Returns all domains, in the order of the API catalogue.
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

/// Minimum score of a returned match, as a fraction of the best score.
const WEAKEST: f64 = 0.2;

/// Returns the operations that contain at least one of the `words` or a synonym, best match first. The search covers
/// the names, summaries, descriptions, domains, parameters and row fields of operations. Leaves out operations with
/// less than one fifth of the best score. If `words` is empty, returns all operations. `within` limits the search to
/// one [`domain`].
#[must_use]
pub fn search(words: &str, within: Option<&str>) -> Vec<Match> {
    let query = query::Query::parse(words);
    let is_empty = words.trim().is_empty();
    let mut matches: Vec<_> = index::entries()
        .iter()
        .filter(|entry| within.is_none_or(|wanted| domain(entry.operation) == wanted))
        .map(|entry| entry.match_query(&query))
        .filter(|found| is_empty || found.score > 0.0)
        .collect();
    let best = matches.iter().map(|found| found.score).fold(0.0, f64::max);
    matches.retain(|found| found.score >= best * WEAKEST);
    // A stable sort: equal scores stay in the order of the catalogue.
    matches.sort_by(|a, b| b.score.total_cmp(&a.score));
    matches
}
