//! Search for identifiers of an entity by its name. Entities are, for example, tokens, companies, social accounts,
//! funds and markets.
//!
//! The input is a name and the wanted kinds of identifiers. The output is a list of candidates with their identifiers.
//! The catalogue lists the search operations ([`Operation::finds`]) and the operations that accept each kind of
//! identifier ([`Operation::accepts`]).
//!
//! A search is a paid call. The client caches its results in memory for one hour.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let sandbox = crypto_intel_sandbox::Sandbox::start().await?;
//! # let client = crypto_intel::Client::builder().base_url(sandbox.url()).api_key(sandbox.key()).build()?;
//! let found = client.resolve("USDC").kind("contract").await?;
//! for candidate in found.all() {
//!     println!("{candidate}"); // contract 0x… ethereum (USDC)
//! }
//!
//! // Several chains have a token with this name, so `only` returns an error.
//! assert!(found.only().is_err());
//! let on_base = found.all().iter().find(|candidate| candidate.part("chain") == Some("base"));
//! let holders = client.request("token-holders")?.with_resolved(on_base.unwrap())?.await?;
//! assert!(!holders.rows().is_empty());
//! # Ok(())
//! # }
//! ```

mod results;

use std::fmt;
use std::future::IntoFuture;
use std::sync::Arc;

use crypto_intel_api::generated::catalogue::OPERATIONS;
use crypto_intel_core::{BoxFuture, Error, ErrorKind, Handle, Operation, ParamKind};
use futures_util::future::join_all;
use serde_json::Value;

use crate::completeness::{Completeness, CompletenessState};
use crate::credits::{Credits, Estimate, Ledger};
use crate::dynamic::{DynamicAnswer, DynamicRequest};

use results::SearchResult;
pub(crate) use results::SearchResults;

/// Maximum number of candidates that an error message lists.
const SHOWN: usize = 12;

/// Identifier that a search found for a name, such as the contract address of a token.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Candidate {
    /// Kind of the identifier, such as `contract`.
    pub kind: &'static str,
    /// Values that together form the identifier, such as an address and a chain.
    pub parts: Vec<String>,
    /// Name of the entity, as the search operation returns it.
    pub name: String,
    /// True if one of the entity's names equals the searched name, ignoring ASCII case.
    pub is_exact: bool,
    /// Search operation that found the candidate: its identifier in the catalogue, such as `search-token`.
    pub found_by: &'static str,
    names: &'static [&'static str],
}

impl Candidate {
    /// Returns the value of one part of the identifier. For example, the part `chain` can have the value `ethereum`.
    /// Returns `None` if the identifier has no part with this name.
    #[must_use]
    pub fn part(&self, name: &str) -> Option<&str> {
        let place = self.names.iter().position(|known| *known == name)?;
        self.parts.get(place).map(String::as_str)
    }

    /// Returns the arguments that pass this identifier to an operation, as pairs of parameter name and value. Returns
    /// `None` if the operation does not accept this kind of identifier. Also returns `None` if the operation does not
    /// accept one of the values, such as the name of a chain.
    #[must_use]
    pub fn arguments(&self, operation: &Operation) -> Option<Vec<(&'static str, &str)>> {
        let accepted = operation.accepts.iter().find(|accepted| accepted.kind == self.kind)?;
        let arguments = accepted.parts.iter().copied().zip(self.parts.iter().map(String::as_str));
        let arguments: Vec<_> = arguments.collect();
        let is_listed = |(name, value): &(&str, &str)| match operation.param(name)?.1.kind {
            ParamKind::Enum(values) => Some(values.contains(value)),
            _ => Some(true),
        };
        arguments.iter().all(|argument| is_listed(argument) == Some(true)).then_some(arguments)
    }
}

/// Formats the kind, the values and the name, such as `contract 0x22… ethereum (USDC)`.
impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} ({})", self.kind, self.parts.join(" "), self.name)
    }
}

/// All identifiers that the searches found for a name. Exact matches of the name come first.
#[derive(Debug, Clone, Default)]
pub struct Candidates {
    text: String,
    all: Vec<Candidate>,
    /// Search operations that failed or returned only a part of their rows: the operation's identifier and the reason.
    incomplete: Vec<(&'static str, String)>,
}

impl Candidates {
    /// Returns all candidates. Exact matches of the name come first.
    #[must_use]
    pub fn all(&self) -> &[Candidate] {
        &self.all
    }

    /// Returns the search operations whose result is incomplete. The search failed, or the service may have more rows
    /// than the page that was read. Each pair contains the identifier of an operation and the reason.
    #[must_use]
    pub fn incomplete(&self) -> &[(&'static str, String)] {
        &self.incomplete
    }

    /// Returns the candidate whose name equals the searched name. Exactly one candidate must match.
    ///
    /// # Errors
    /// Returns [`ErrorKind::InvalidRequest`] if several candidates match the name exactly, or if the result of a search
    /// is incomplete. Returns [`ErrorKind::NotFound`] if all results are complete and no candidate matches exactly. The
    /// error message lists the first candidates.
    pub fn only(&self) -> Result<&Candidate, Error> {
        let mut exact = self.all.iter().filter(|candidate| candidate.is_exact);
        let (first, second) = (exact.next(), exact.next());
        match (first, second, self.incomplete.first()) {
            (Some(only), None, None) => Ok(only),
            (_, Some(_), _) => Err(Error::invalid(self.error_message("has several exact matches"))),
            (_, None, Some((search, reason))) => {
                let message = format!("cannot be resolved, because the search {search} {reason}");
                Err(Error::invalid(self.error_message(&message)))
            }
            (None, ..) => {
                let message = self.error_message("has no exact match");
                Err(Error::new(ErrorKind::NotFound, message))
            }
        }
    }

    fn error_message(&self, what: &str) -> String {
        let shown: Vec<_> = self.all.iter().take(SHOWN).map(ToString::to_string).collect();
        let more = self.all.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        let found =
            if shown.is_empty() { String::new() } else { format!(": {}", shown.join(", ")) };
        format!("`{}` {what}{found}{more}", self.text)
    }
}

/// Request for the identifiers of an entity by its name; see [`Client::resolve`](crate::Client::resolve). Awaiting
/// this request calls several search operations concurrently, each of them once.
#[derive(Debug, Clone)]
#[must_use = "a name search does nothing until it is awaited"]
pub struct Resolve {
    handle: Handle,
    ledger: Ledger,
    results: Arc<SearchResults>,
    text: String,
    kinds: Vec<String>,
    operation: Option<&'static Operation>,
    given: Vec<(String, String)>,
}

impl Resolve {
    pub(crate) fn new(
        handle: Handle,
        ledger: Ledger,
        results: Arc<SearchResults>,
        text: String,
    ) -> Self {
        Resolve {
            handle,
            ledger,
            results,
            text,
            kinds: Vec::new(),
            operation: None,
            given: Vec::new(),
        }
    }

    /// Adds a kind of identifier to search for, such as `contract`. If no kind is added, all kinds are searched.
    pub fn kind(mut self, kind: impl Into<String>) -> Self {
        self.kinds.push(kind.into());
        self
    }

    /// Restricts the search to identifiers that this operation accepts.
    pub fn for_operation(mut self, operation: &'static Operation) -> Self {
        self.operation = Some(operation);
        self
    }

    /// Restricts the found identifiers by the value of one parameter. The parameter belongs to the operation that
    /// [`for_operation`](Self::for_operation) sets. For example, `given("chain", "base")` removes tokens on other
    /// chains. An identifier without a value for this parameter is not removed. If no operation is set, this
    /// restriction has no effect.
    pub fn given(mut self, parameter: impl Into<String>, value: impl Into<String>) -> Self {
        self.given.push((parameter.into(), value.into()));
        self
    }

    /// Returns the unchanged text that the caller passed as the name to search for.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.text
    }

    /// Returns the search operations of this search. Awaiting the search calls each of these operations, unless the
    /// result of the operation is cached.
    #[must_use]
    pub fn searches(&self) -> Vec<&'static Operation> {
        let finds = |operation: &&Operation| {
            operation
                .finds
                .is_some_and(|finds| finds.kinds.iter().any(|row| self.is_wanted(row.kind)))
        };
        OPERATIONS.iter().copied().filter(finds).collect()
    }

    /// Estimates the cost of this search without sending a request. The estimate is the sum of the list prices of the
    /// [search operations](Self::searches). A search operation with a cached result costs nothing.
    #[must_use]
    pub fn estimate(&self) -> Estimate {
        let unknown =
            self.searches().into_iter().filter(|search| self.cached_result(search).is_none());
        let prices = unknown.map(|search| match self.request(search) {
            Ok(request) => self.ledger.estimate(request.call()),
            Err(_) => Estimate::Unknown,
        });
        prices.fold(Estimate::Exactly(Credits(0)), |sum, price| {
            match (sum.least().zip(price.least()), sum.credits().zip(price.credits())) {
                (Some((a, b)), Some((c, d))) if a + b == c + d => Estimate::Exactly(a + b),
                (Some((a, b)), Some((c, d))) => Estimate::Between(a + b, c + d),
                _ => Estimate::Unknown,
            }
        })
    }

    fn is_wanted(&self, kind: &str) -> bool {
        let is_accepted = self
            .operation
            .is_none_or(|operation| operation.accepts.iter().any(|accepted| accepted.kind == kind));
        is_accepted && (self.kinds.is_empty() || self.kinds.iter().any(|wanted| wanted == kind))
    }

    fn matches_given(&self, candidate: &Candidate, operation: &Operation) -> bool {
        let Some(arguments) = candidate.arguments(operation) else { return false };
        arguments.iter().all(|(name, value)| {
            self.given.iter().all(|(given, wanted)| given != name || wanted == value)
        })
    }

    /// Returns the searched name without a leading `@` or `$`, which people write before social handles and tickers.
    fn plain_text(&self) -> &str {
        self.text.trim().trim_start_matches(['@', '$'])
    }

    fn cached_result(&self, search: &'static Operation) -> Option<SearchResult> {
        self.results.get(search.id, self.plain_text())
    }

    fn request(&self, search: &'static Operation) -> Result<DynamicRequest, Error> {
        let request = DynamicRequest::new(self.handle.call(search));
        let text = search.finds.map_or("", |finds| finds.text);
        let request = request.with_text(text, self.plain_text())?;
        // The price does not depend on the page size, so the request asks for the largest page.
        match search.paging.limit().zip(search.largest_page()) {
            Some((name, size)) => request.with_text(name, &size.to_string()),
            None => Ok(request),
        }
    }

    async fn search_once(&self, search: &'static Operation) -> Result<SearchResult, Error> {
        if let Some(found) = self.cached_result(search) {
            return Ok(found);
        }
        let request = self.request(search)?;
        let call = request.call().clone();
        let reply = request.await?;
        let completeness = Completeness::of_reply(&call, &*reply);
        let is_whole = completeness.state == CompletenessState::Complete;
        let found =
            SearchResult { all: candidates(search, &reply, self.plain_text()).into(), is_whole };
        self.results.put(search.id, self.plain_text(), found.clone());
        Ok(found)
    }

    /// Combines the results of several searches. If a search failed, the combined result is marked as incomplete. If
    /// all searches failed, this returns the error of the first search.
    fn combine(
        &self,
        searches: &[&'static Operation],
        results: Vec<Result<SearchResult, Error>>,
    ) -> Result<Candidates, Error> {
        let mut joined = Candidates { text: self.text.clone(), ..Candidates::default() };
        let mut failures = Vec::new();
        for (search, result) in searches.iter().zip(results) {
            let reason = match result {
                Ok(SearchResult { all, is_whole }) => {
                    all.iter().for_each(|candidate| merge(&mut joined.all, candidate));
                    (!is_whole).then(|| "has more rows than one page".to_owned())
                }
                Err(error) => {
                    let reason = format!("failed: {error}");
                    failures.push(error);
                    Some(reason)
                }
            };
            joined.incomplete.extend(reason.map(|reason| (search.id, reason)));
        }
        if failures.len() == searches.len() {
            return Err(failures.swap_remove(0));
        }

        joined.all.retain(|candidate| {
            self.is_wanted(candidate.kind)
                && self.operation.is_none_or(|operation| self.matches_given(candidate, operation))
        });
        joined.all.sort_by_key(|candidate| !candidate.is_exact);
        Ok(joined)
    }

    /// Returns the search operations to call. Returns an error if the name is empty, or if no operation finds the
    /// wanted kinds of identifiers.
    fn searches_to_call(&self) -> Result<Vec<&'static Operation>, Error> {
        let searches = self.searches();
        if self.plain_text().is_empty() {
            return Err(Error::invalid("the name to resolve is empty"));
        }
        if !searches.is_empty() {
            return Ok(searches);
        }

        let kinds = kinds();
        let wanted = match self.operation {
            Some(operation) => format!("the identifiers of {}", operation.id),
            None => format!("`{}`", self.kinds.join("`, `")),
        };
        let message = format!(
            "no search operation finds {wanted}; the known kinds of identifiers are {}",
            kinds.join(", ")
        );
        Err(Error::invalid(message))
    }
}

impl IntoFuture for Resolve {
    type Output = Result<Candidates, Error>;
    type IntoFuture = BoxFuture<Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let searches = self.searches_to_call()?;
            let results = join_all(searches.iter().map(|search| self.search_once(search))).await;
            self.combine(&searches, results)
        })
    }
}

impl DynamicRequest {
    /// Sets the parameters of this request to the identifier of a candidate, for example the parameters `address` and
    /// `chain`.
    ///
    /// # Errors
    /// Returns [`ErrorKind::InvalidRequest`] if the operation does not accept the identifier.
    pub fn with_resolved(self, candidate: &Candidate) -> Result<Self, Error> {
        let operation = self.operation();
        let arguments = candidate.arguments(operation).ok_or_else(|| {
            let message = format!("the operation does not accept {candidate}");
            Error::invalid(message).with_operation(operation.id)
        })?;
        arguments
            .into_iter()
            .try_fold(self, |request, (name, value)| request.with_text(name, value))
    }
}

/// Returns the kinds of identifiers that search operations find, such as `contract`, in alphabetical order.
#[must_use]
pub fn kinds() -> Vec<&'static str> {
    let rows = OPERATIONS.iter().filter_map(|operation| operation.finds);
    let mut kinds: Vec<_> = rows.flat_map(|finds| finds.kinds).map(|row| row.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

/// Adds a candidate to the list. If the list already contains a candidate with an equal identifier, the earlier
/// candidate usually stays and the new candidate is dropped. The new candidate replaces the earlier candidate if only
/// the new candidate matches the searched name exactly.
fn merge(all: &mut Vec<Candidate>, new: &Candidate) {
    let is_same = |known: &&mut Candidate| known.kind == new.kind && known.parts == new.parts;
    match all.iter_mut().find(is_same) {
        Some(known) if !known.is_exact && new.is_exact => *known = new.clone(),
        Some(_) => {}
        None => all.push(new.clone()),
    }
}

/// Returns the identifiers in the rows of a search response, as candidates.
fn candidates(search: &'static Operation, answer: &DynamicAnswer, text: &str) -> Vec<Candidate> {
    let Some(finds) = search.finds else { return Vec::new() };
    let mut all = Vec::new();
    for row in answer.rows().iter().filter_map(|row| row.to_value().ok()) {
        let field = |name: &&str| match row.get(*name) {
            Some(Value::String(text)) if !text.is_empty() => Some(text.clone()),
            Some(Value::Number(number)) => Some(number.to_string()),
            _ => None,
        };
        let mut names = finds.names.iter().filter_map(field);
        let exact = names.clone().find(|name| name.eq_ignore_ascii_case(text));
        let name = exact.clone().or_else(|| names.next()).unwrap_or_default();
        for kind in finds.kinds {
            let parts: Option<Vec<String>> = kind.parts.iter().map(field).collect();
            let Some(parts) = parts else { continue };
            let (name, is_exact) = (name.clone(), exact.is_some());
            let (kind, names) = (kind.kind, kind.parts);
            merge(&mut all, &Candidate { kind, parts, name, is_exact, found_by: search.id, names });
        }
    }
    all
}
