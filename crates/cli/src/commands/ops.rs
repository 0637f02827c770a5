//! `cintel ops`: searches the catalogue of operations by words.

use clap::{Arg, ArgAction, ArgMatches, Command};
use crypto_intel::catalogue::{OPERATIONS, Operation};
use serde_json::json;

use crate::arguments::catalogue::positional;
use crate::arguments::help::price;
use crate::arguments::options;
use crate::failure::{Exit, Failure};
use crate::output::{Options, Rows};
use crate::settings::Settings;

pub(crate) fn arguments(command: Command) -> Command {
    let words = Arg::new("words")
        .value_name("WORDS")
        .action(ArgAction::Append)
        .num_args(0..)
        .help("Words to find in names, summaries and parameters; without words, all operations are listed");
    let tag = Arg::new("tag").long("tag").value_name("DOMAIN").help("Only this domain");
    command.arg(words).arg(tag).args(options::choosing())
}

pub(crate) async fn run(given: &ArgMatches, settings: &Settings) -> Result<(), Failure> {
    let words: Vec<String> = given.get_many("words").into_iter().flatten().cloned().collect();
    let tag = given.get_one::<String>("tag");
    if let Some(tag) = tag {
        known_domain(tag)?;
    }
    let found = search(&words.join(" "), tag.map(String::as_str));
    if found.is_empty() {
        let message = format!("no operation contains the words `{}`", words.join(" "));
        let failure = Failure::new(Exit::NotFound, message);
        return Err(failure.next("use fewer words; `cintel ops` lists all operations"));
    }

    let mut rows = Rows::start(Options::read(given, settings)?, None);
    rows.in_order([
        "id",
        "summary",
        "price",
        "tier",
        "domain",
        "values",
        "ordered_by",
        "identified_by",
    ]);

    for operation in found {
        let row = json!({
            "id": operation.id,
            "domain": operation.tag,
            "summary": operation.summary,
            "values": positional(operation).map(|param| param.name).collect::<Vec<_>>(),
            "price": price(operation),
            "tier": operation.tier_in_words(),
            "ordered_by": operation.row_order.time,
            "identified_by": operation.row_order.key,
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

/// Number of best matches that are listed even if they contain only some of the searched words. All further matches are
/// listed only if they contain every searched word.
const PARTIAL_MATCHES: usize = 10;

/// Finds the operations that match the words of a search, best match first. If `tag` is set, searches only the
/// operations with this tag.
fn search(words: &str, tag: Option<&str>) -> Vec<&'static Operation> {
    let domain = tag.map(|tag| tag.to_lowercase().replace(' ', "-"));
    let found = crypto_intel_search::search(words, domain.as_deref()).into_iter().enumerate();
    found
        .filter(|(place, one)| one.has_all_words || *place < PARTIAL_MATCHES)
        .map(|(_, one)| one.operation)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_outweigh_parameters_and_questions_find_operations() {
        let ids = |words: &str| -> Vec<&str> {
            search(words, None).iter().map(|known| known.id).collect()
        };
        assert!(ids("price").iter().take(8).any(|id| *id == "market-price"));
        assert_eq!(ids("market price").first(), Some(&"market-price"));
        assert!(ids("zzzz qqqq").is_empty());
        let question = ids("what is the funding rate history of ETH");
        assert!(
            question.iter().take(3).any(|id| *id == "exchange-funding-history"),
            "{question:?}"
        );
        assert_eq!(ids("").len(), OPERATIONS.len());
    }
}
