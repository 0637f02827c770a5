//! Parses the text of a search into stems, and adds the stems of synonyms.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use crate::stem::stems;

/// Words that do not distinguish operations. A search ignores them.
const COMMON: &str = "a about all an and any are at be been by can did do does for from get give \
    had has have how i if in into is it its list me most much many my of on one or out own over per \
    please show some someone tell that the their them there these they this to up want was were \
    what when where which who whose will with would you your";

/// Names of periods and assets. They are values of parameters in many operations, so they hardly identify an
/// operation.
const VALUES: &str = "second minute hour hourly day daily week weekly month monthly year yearly 24h \
    btc bitcoin eth ethereum sol solana usdc usdt";

/// Weight of a word of the search text that is in the list [`VALUES`].
const VALUE: f64 = 0.3;

/// Weight of a synonym of a search word. It is below 1, the weight of most words that the user typed.
const SYNONYM: f64 = 0.8;

/// A search term: a stem with its weight.
#[derive(Debug)]
pub(crate) struct Term {
    pub(crate) stem: String,
    pub(crate) weight: f64,
    /// Positions of the words that produced this term. Position 0 is the first word of the search text. A word produces
    /// a term for its own stem, and terms for its synonyms.
    pub(crate) words: Vec<usize>,
}

/// A parsed search: the stems of its words, and the stems of their synonyms.
#[derive(Debug)]
pub(crate) struct Query {
    pub(crate) terms: Vec<Term>,
    /// Positions of all words of the search text except common words such as `the`. Position 0 is the first word of the
    /// text, even if it is a common word.
    pub(crate) words: BTreeSet<usize>,
}

/// Stems of a line of `synonyms.txt`, such as `debt, assets = balance sheet`. The spellings are `debt` and `assets`,
/// which users write. The meaning is `balance sheet`, which the catalogue of operations uses.
struct Line {
    spellings: Vec<Vec<String>>,
    meaning: Vec<String>,
}

static LINES: LazyLock<Vec<Line>> = LazyLock::new(|| {
    let lines = include_str!("synonyms.txt").lines();
    let pairs = lines.filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('='));
    let line = |(spellings, meaning): (&str, &str)| Line {
        spellings: spellings.split(',').map(stems).collect(),
        meaning: stems(meaning),
    };
    pairs.map(line).collect()
});

static COMMON_STEMS: LazyLock<Vec<String>> = LazyLock::new(|| stems(COMMON));
static VALUE_STEMS: LazyLock<Vec<String>> = LazyLock::new(|| stems(VALUES));

impl Query {
    pub(crate) fn parse(text: &str) -> Self {
        let all = stems(text);
        let is_common = |word: &String| COMMON_STEMS.contains(word);
        // A synonym may contain common words, so positions refer to all words of the text.
        let mut terms: Vec<Term> = Vec::new();
        for (position, stem) in all.iter().enumerate().filter(|(_, stem)| !is_common(stem)) {
            let weight = if VALUE_STEMS.contains(stem) { VALUE } else { 1.0 };
            terms.push(Term { stem: stem.clone(), weight, words: vec![position] });
        }
        let words = terms.iter().flat_map(|term| term.words.iter().copied()).collect();

        for line in &*LINES {
            let found = line.spellings.iter().filter_map(|spelling| find_spelling(spelling, &all));
            let positions: Vec<usize> = found.flatten().collect();
            if positions.is_empty() {
                continue;
            }
            for stem in line.meaning.iter().filter(|stem| !is_common(stem)) {
                add_synonym(&mut terms, stem, &positions);
            }
        }
        Query { terms, words }
    }

    /// Returns true if a word of the search, or a synonym of it, has this stem.
    pub(crate) fn contains(&self, stem: &str) -> bool {
        self.terms.iter().any(|term| term.stem == stem)
    }
}

/// Finds a word or phrase of `synonyms.txt` in a search text. Both arguments are lists of stems. Returns the positions
/// of the found words in `text`, such as `2..4` for the third and fourth word.
fn find_spelling(spelling: &[String], text: &[String]) -> Option<std::ops::Range<usize>> {
    let start = text.windows(spelling.len()).position(|window| window == spelling)?;
    Some(start..start + spelling.len())
}

/// Adds the stem of a synonym to the terms of a search. `positions` are the positions of the search words that have
/// this synonym. If a term with this stem exists, the positions are added to this term.
fn add_synonym(terms: &mut Vec<Term>, stem: &str, positions: &[usize]) {
    match terms.iter_mut().find(|term| term.stem == stem) {
        Some(term) => term.words.extend(positions),
        None => {
            let words = positions.to_vec();
            terms.push(Term { stem: stem.to_owned(), weight: SYNONYM, words });
        }
    }
}
