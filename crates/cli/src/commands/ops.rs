//! `cintel ops`: searches the catalogue.

use clap::{Arg, ArgAction, ArgMatches, Command};
use crypto_intel::catalogue::{OPERATIONS, Operation};
use serde_json::json;

use crate::arguments::catalogue::positional;
use crate::arguments::help::price;
use crate::arguments::options;
use crate::failure::Failure;
use crate::output::{Options, Rows};
use crate::settings::Settings;

pub(crate) fn arguments(command: Command) -> Command {
    let words = Arg::new("words")
        .value_name("WORDS")
        .action(ArgAction::Append)
        .num_args(0..)
        .help("Words in names, summaries and parameters; without words, all operations");
    let tag = Arg::new("tag").long("tag").value_name("DOMAIN").help("Only this domain");
    command.arg(words).arg(tag).args(options::choosing())
}

pub(crate) async fn run(given: &ArgMatches, settings: &Settings) -> Result<(), Failure> {
    let words: Vec<String> = given.get_many("words").into_iter().flatten().cloned().collect();
    let tag = given.get_one::<String>("tag");
    if let Some(tag) = tag {
        known_domain(tag)?;
    }
    let found = search(&words, tag.map(String::as_str));
    if found.is_empty() {
        let failure = Failure::new(
            crate::failure::Exit::NotFound,
            format!("no operation contains the words `{}`", words.join(" ")),
        );
        return Err(failure.next("use fewer words; `cintel ops` lists all"));
    }

    let mut rows = Rows::start(Options::read(given, settings)?, None);
    rows.in_order(["id", "summary", "price", "domain", "values"]);
    for operation in found {
        let row = json!({
            "id": operation.id,
            "domain": operation.tag,
            "summary": operation.summary,
            "values": positional(operation).map(|param| param.name).collect::<Vec<_>>(),
            "price": price(operation),
        });
        rows.push_value(&row)?;
    }
    rows.finish()
}

fn known_domain(tag: &str) -> Result<(), Failure> {
    let mut domains: Vec<&str> = OPERATIONS.iter().map(|known| known.tag).collect();
    domains.dedup();
    match domains.iter().any(|known| known.eq_ignore_ascii_case(tag)) {
        true => Ok(()),
        false => Err(Failure::usage(format!("there is no domain `{tag}`"))
            .next(format!("the domains are {}", domains.join(", ")))),
    }
}

/// Operations that contain all words, best match first.
pub(crate) fn search(words: &[String], tag: Option<&str>) -> Vec<&'static Operation> {
    let words: Vec<String> =
        words.iter().flat_map(|text| text.split_whitespace()).map(str::to_lowercase).collect();
    let mut found: Vec<(usize, &Operation)> = OPERATIONS
        .iter()
        .filter(|known| tag.is_none_or(|tag| known.tag.eq_ignore_ascii_case(tag)))
        .filter_map(|known| Some((score(known, &words)?, *known)))
        .collect();
    // A stable sort: equal scores stay in the order of the catalogue.
    found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    found.into_iter().map(|(_, known)| known).collect()
}

/// Match score of an operation; `None` if a word is missing.
fn score(operation: &Operation, words: &[String]) -> Option<usize> {
    let params = || {
        operation.params.iter().map(|param| format!("{} {}", param.name, param.doc).to_lowercase())
    };
    words.iter().try_fold(0, |sum, word| {
        let has = |text: &str| text.to_lowercase().contains(word.as_str());
        let points = match () {
            () if operation.id.split('-').any(|part| part == word) => 8,
            () if has(operation.id) => 5,
            () if has(operation.summary) || has(operation.tag) => 3,
            () if params().any(|text| text.contains(word.as_str())) => 1,
            () => return None,
        };
        Some(sum + points)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_outweigh_parameters() {
        let ids = |words: &str| -> Vec<&str> {
            search(&[words.to_owned()], None).iter().map(|known| known.id).collect()
        };
        assert!(ids("price").iter().take(8).any(|id| *id == "market-price"));
        assert_eq!(ids("market price").first(), Some(&"market-price"));
        assert!(ids("no-such-word").is_empty());
        assert_eq!(ids("").len(), OPERATIONS.len());
    }
}
