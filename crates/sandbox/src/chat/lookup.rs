//! Calls an operation to get data for a chat answer. The call uses the code that serves the data endpoints, without
//! HTTP.

use crypto_intel_world::args::{Args, Carriers};
use serde_json::Value;

use crate::answer;
use crate::context::Context;

use super::question::{self, Lookup};

/// A value from the response of a data endpoint, for example the price of ETH. `words` contains all words of the
/// value's label, of its JSON pointer and of its topic.
#[derive(Debug, Clone)]
pub(super) struct NamedValue {
    pub(super) label: &'static str,
    pub(super) words: Vec<String>,
    pub(super) value: Value,
}

/// Result of calling a data endpoint for a chat answer.
#[derive(Debug)]
pub(super) struct LookupResult {
    /// URL path and query of the call.
    pub(super) url: String,
    /// Title of the paragraph that shows the values, for example `Ethereum (ETH): price`.
    pub(super) title: String,
    /// Summary of the operation from the catalogue.
    pub(super) summary: &'static str,
    pub(super) values: Vec<NamedValue>,
}

/// Calls the data endpoint of a topic for a subject, for example the price endpoint for ETH. Returns `None` if the call
/// fails, or if every value of the topic is missing in the response. Also returns `None` if the call needs an
/// identifier that the subject does not have.
pub(super) fn find(ctx: &Context<'_>, (topic, subject): &Lookup<'_>) -> Option<LookupResult> {
    let mut query = form_urlencoded::Serializer::new(String::new());
    for (name, template) in topic.arguments {
        let kind = template.strip_prefix('{').and_then(|kind| kind.strip_suffix('}'));
        let value = match kind {
            Some(kind) => subject.as_ref()?.identifier(kind)?,
            None => template,
        };
        query.append_pair(name, value);
    }
    let query = query.finish();

    let carriers = Carriers { query: &query, ..Carriers::default() };
    let args = Args::read(topic.operation, carriers).ok()?;
    let body = answer::compose(ctx, &args).ok()?.document(ctx, &args);

    let values: Vec<_> = topic
        .values
        .iter()
        .filter_map(|(label, pointer)| {
            let value = body.pointer(pointer).filter(|value| !value.is_null())?.clone();
            let words = question::words(&format!("{label} {pointer} {}", topic.name));
            Some(NamedValue { label, words, value })
        })
        .collect();
    let subject = subject.map_or("The market", |subject| &subject.title);
    (!values.is_empty()).then(|| LookupResult {
        url: format!("{}?{query}", topic.operation.path),
        title: format!("{subject}: {}", topic.name),
        summary: topic.operation.summary,
        values,
    })
}
