//! Resolves names that the user wrote in place of addresses and UUIDs, such as `cintel token-holders USDC`.
//!
//! The input is the arguments of an operation. The output is the identifiers of the named entity. A search is sent only
//! for an argument that looks like a name, and not for a misspelt address or UUID. The price of the search is printed
//! before the search is sent.

use clap::ArgMatches;
use crypto_intel::Client;
use crypto_intel::catalogue::{Convention, Operation};
use crypto_intel::extend::{looks_like_name, parameter_fault};
use crypto_intel::resolve::Resolve;

use super::resolve::command;
use crate::failure::Failure;
use crate::terminal;

/// Maximum number of commands that a failure suggests if several candidates match a name.
const SHOWN: usize = 8;

/// Creates the search for a name, such as `USDC`, that the user wrote in place of an address or UUID. Returns `None` if
/// no argument is a name in place of an address or UUID, or if `--unchecked` is set.
pub(crate) fn name_search(
    client: &Client,
    operation: &'static Operation,
    given: &ArgMatches,
) -> Option<Resolve> {
    if given.get_flag("unchecked") {
        return None;
    }
    let text = |name: &str| given.try_get_one::<String>(name).ok().flatten();
    let is_name = |name: &str| {
        let (Some((_, param)), Some(text)) = (operation.param(name), text(name)) else {
            return false;
        };
        matches!(param.convention, Some(Convention::Address | Convention::Uuid))
            && looks_like_name(text)
            && parameter_fault(param, text).is_some()
    };

    let accepted = operation.accepts.iter().find(|accepted| is_name(accepted.parts[0]))?;
    let (first, others) = accepted.parts.split_first()?;
    let resolve = client.resolve(text(first)?).kind(accepted.kind).for_operation(operation);
    let others = others.iter().filter_map(|name| Some((*name, text(name)?)));
    Some(others.fold(resolve, |resolve, (name, value)| resolve.given(name, value)))
}

/// Calls the search operations for the name in `resolve`, such as `USDC`. Returns the arguments that identify the found
/// entity in a call of `operation`, such as its address and chain.
///
/// # Errors
/// Returns [`Exit::NotFound`](crate::failure::Exit::NotFound) if no candidate has exactly this name. Returns
/// [`Exit::Usage`](crate::failure::Exit::Usage) if several candidates have this name, or if the result of a search is
/// incomplete (more than one page, or a failed search). Both errors suggest commands for the first candidates. Without
/// candidates, both errors suggest `cintel resolve`. If all searches fail, returns the error of the first search.
pub(crate) async fn arguments(
    operation: &'static Operation,
    resolve: Resolve,
) -> Result<Vec<(&'static str, String)>, Failure> {
    let searches: Vec<_> = resolve.searches().iter().map(|search| search.id).collect();
    let (name, price) = (resolve.name(), resolve.estimate());
    terminal::note(&format!(
        "note: searching for `{name}` with {} (list price {price})",
        searches.join(", ")
    ));

    let found = resolve.await?;
    match found.only() {
        Ok(candidate) => {
            terminal::note(&format!("note: resolved to {candidate}"));
            let arguments = candidate.arguments(operation).unwrap_or_default();
            Ok(arguments.into_iter().map(|(name, value)| (name, value.to_owned())).collect())
        }
        Err(error) => {
            let commands = found.all().iter().filter_map(|one| command(operation, one));
            let commands: Vec<_> = commands.take(SHOWN).collect();
            let next = match commands.is_empty() {
                true => "`cintel resolve NAME` searches all kinds of identifiers".to_owned(),
                false => format!("run one of: {}", commands.join("; ")),
            };
            Err(Failure::from(error).within(operation.id).next(next))
        }
    }
}
