//! Finds operations by identifier, by words and by domain.

use crypto_intel::Operation;
use crypto_intel::catalogue::OPERATIONS;

use crate::problem::Problem;
use crate::schema::record_of;

/// Finds an operation by its identifier, which may be written with `_` or `-`.
pub(crate) fn operation(id: &str) -> Result<&'static Operation, Problem> {
    let wanted = id.trim().to_lowercase().replace('_', "-");
    if let Some(found) = OPERATIONS.iter().find(|operation| operation.id == wanted) {
        return Ok(found);
    }

    let near: Vec<_> =
        search(&wanted.replace('-', " "), None).into_iter().take(3).map(|found| found.id).collect();
    let hint = if near.is_empty() {
        String::new()
    } else {
        format!("; similar operations: {}", near.join(", "))
    };
    Err(Problem::unknown(format!("there is no operation `{id}`{hint}"))
        .next("use `search_operations` to find the operation"))
}

/// Domain of an operation as agents write it: `prediction-market`.
pub(crate) fn domain(operation: &Operation) -> String {
    operation.tag.to_lowercase().replace(' ', "-")
}

/// All domains in the order of the catalogue.
pub(crate) fn domains() -> Vec<String> {
    let mut domains: Vec<String> = Vec::new();
    for operation in OPERATIONS {
        let domain = domain(operation);
        if !domains.contains(&domain) {
            domains.push(domain);
        }
    }
    domains
}

/// Operations of a name: an operation, a domain or `all`.
pub(crate) fn named(name: &str) -> Result<Vec<&'static Operation>, Problem> {
    let of_domain: Vec<_> =
        OPERATIONS.iter().copied().filter(|one| name == "all" || domain(one) == name).collect();
    if of_domain.is_empty() { operation(name).map(|one| vec![one]) } else { Ok(of_domain) }
}

/// Operations that match `words`, best match first; all operations if there are no words.
pub fn search(words: &str, within: Option<&str>) -> Vec<&'static Operation> {
    let words: Vec<String> = words
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(stem)
        .filter(|word| !COMMON.contains(&word.as_str()))
        .collect();
    let mut scored: Vec<_> = OPERATIONS
        .iter()
        .copied()
        .filter(|operation| within.is_none_or(|wanted| domain(operation) == wanted))
        .map(|operation| (score(operation, &words), operation))
        .filter(|(score, _)| words.is_empty() || *score > 0)
        .collect();
    // A stable sort: equal scores stay in the order of the catalogue.
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    scored.into_iter().map(|(_, operation)| operation).collect()
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
fn score(operation: &Operation, words: &[String]) -> u32 {
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
    found.iter().sum::<u32>() * if all { 3 } else { 1 } / if deprecated { 2 } else { 1 }
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
            let found: Vec<_> = search(words, None).into_iter().take(3).map(|one| one.id).collect();
            assert!(found.contains(&expected), "{words}: {found:?}");
        }
    }

    #[test]
    fn a_misspelt_operation_has_suggestions_and_a_next_step() {
        let problem = operation("token_price").expect_err("unknown").json();
        let message = problem["message"].as_str().expect("text");
        assert_eq!(problem["error"], "not found");
        assert!(message.contains("market-price"), "{message}");
        let next = problem["next_step"].as_str().expect("text");
        assert!(next.contains("search_operations"), "{next}");
        assert_eq!(operation("market_price").expect("known").id, "market-price");
    }
}
