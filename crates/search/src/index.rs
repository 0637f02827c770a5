//! Search index of all API operations. For each operation, the index contains the stems of the words in its name, its
//! descriptions, its parameters and its fields. A word in the name has a higher weight than a word in a description.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use crypto_intel_api::generated::catalogue::OPERATIONS;
use crypto_intel_core::{Operation, ParamKind};

use crate::query::Query;
use crate::record::record_of;
use crate::stem::stems;

/// Weight of a word in the name of an operation.
const NAME: f64 = 6.0;
const SUMMARY: f64 = 5.0;
const DOMAIN: f64 = 3.0;
const VALUE: f64 = 2.0;
const FIELD: f64 = 1.5;
/// Weight of a word in the operation's description.
const TEXT: f64 = 1.5;
/// Weight of a word in the descriptions of the operation's parameters and fields.
const DESCRIPTION: f64 = 0.5;

/// An API operation that a search found.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Match {
    /// The operation.
    pub operation: &'static Operation,
    /// True if the operation's index entry contains each word of the search. The entry contains a word if it has the
    /// stem of the word or of a synonym. A stem of four or more letters also matches longer stems: `arbi` finds
    /// `arbitrum`. Common words such as `the` are ignored.
    pub has_all_words: bool,
    pub(crate) score: f64,
}

/// Index entry of one operation: the stems of its words, and the weight of each stem.
pub(crate) struct Entry {
    pub(crate) operation: &'static Operation,
    /// Stems of the operation's id.
    name: Vec<String>,
    weights: HashMap<String, f64>,
}

/// Returns the index entries of all operations, in the order of the API catalogue.
pub(crate) fn entries() -> &'static [Entry] {
    static ENTRIES: LazyLock<Vec<Entry>> =
        LazyLock::new(|| OPERATIONS.iter().map(|operation| Entry::new(operation)).collect());
    &ENTRIES
}

/// Returns the rarity of a stem. A stem that fewer operations contain has a higher rarity.
fn rarity(stem: &str) -> f64 {
    static COUNTS: LazyLock<HashMap<&str, f64>> = LazyLock::new(|| {
        let mut counts = HashMap::new();
        for (stem, weight) in entries().iter().flat_map(|entry| &entry.weights) {
            // Here too, a word in a description counts less than a word in a name.
            *counts.entry(stem.as_str()).or_default() += weight / NAME;
        }
        counts
    });
    let count = COUNTS.get(stem).copied().unwrap_or_default();
    (1.0 + entries().len() as f64 / (1.0 + count)).ln()
}

impl Entry {
    fn new(operation: &'static Operation) -> Self {
        let mut weights = HashMap::new();
        let mut add = |text: &str, weight: f64| {
            for stem in stems(text) {
                let known: &mut f64 = weights.entry(stem).or_default();
                *known = known.max(weight);
            }
        };
        add(operation.id, NAME);
        add(operation.summary, SUMMARY);
        add(operation.tag, DOMAIN);
        add(operation.description, TEXT);

        for param in operation.params {
            add(param.name, VALUE);
            add(param.doc, DESCRIPTION);
            if let ParamKind::Enum(values) = param.kind {
                values.iter().for_each(|value| add(value, VALUE));
            }
        }
        for field in record_of(operation).into_iter().flat_map(|record| record.fields) {
            add(field.name, FIELD);
            add(field.doc, DESCRIPTION);
        }
        Entry { operation, name: stems(operation.id), weights }
    }

    /// Computes the score of this operation for a search. The score is a sum over all search terms that the operation
    /// contains. Each term adds its weight in the search, times its weight in the operation, times its rarity. The
    /// score is reduced if the operation lacks words of the search, if the search lacks words of the operation's name,
    /// or if the operation is deprecated.
    pub(crate) fn match_query(&self, query: &Query) -> Match {
        let mut found: BTreeSet<usize> = BTreeSet::new();
        let mut score = 0.0;
        for term in &query.terms {
            let Some(weight) = self.weight(&term.stem) else { continue };
            score += term.weight * weight * rarity(&term.stem);
            found.extend(term.words.iter().filter(|word| query.words.contains(word)));
        }

        let covered = found.len() as f64 / query.words.len().max(1) as f64;
        let named = self.name.iter().filter(|stem| query.contains(stem)).map(|stem| rarity(stem));
        let named = named.sum::<f64>() / self.name.iter().map(|stem| rarity(stem)).sum::<f64>();
        let retired = if self.operation.deprecated.is_some() { 0.5 } else { 1.0 };
        let score = score * (0.5 + 0.5 * covered) * (0.2 + 0.8 * named) * retired;
        Match { operation: self.operation, has_all_words: found.len() == query.words.len(), score }
    }

    /// Returns the weight of a stem in this operation. If the operation contains only a longer stem with this
    /// beginning, returns half the weight of the longer stem. Stems of fewer than four letters do not match longer
    /// stems.
    fn weight(&self, stem: &str) -> Option<f64> {
        if let Some(weight) = self.weights.get(stem) {
            return Some(*weight);
        }
        if stem.len() < 4 {
            return None;
        }
        let begins = self.weights.iter().filter(|(word, _)| word.starts_with(stem));
        begins.map(|(_, weight)| weight / 2.0).max_by(f64::total_cmp)
    }
}
