//! Values that fit a JSON Schema: the arguments of a tool, and answers in a form that was asked for.
//! What the question says and what the data endpoints have goes in where its name asks for it, else
//! what the schema itself suggests.

use serde_json::{Map, Value, json};

use crate::context::Context;
use crypto_intel_world::timestamp;

use super::subject::Subject;

/// Objects within objects that are filled.
const DEPTH: usize = 8;

/// A figure of the data, and the words of its name.
#[derive(Debug, Clone)]
pub(super) struct Figure {
    pub(super) words: Vec<String>,
    pub(super) value: Value,
}

/// Fills schemas.
pub(super) struct Filler<'a> {
    pub(super) ctx: &'a Context<'a>,
    /// Where `$ref` looks.
    pub(super) root: &'a Value,
    pub(super) question: &'a str,
    pub(super) subjects: &'a [Subject],
    /// Facts from the data endpoints, the most important first.
    pub(super) figures: &'a [Figure],
    /// The answer in words.
    pub(super) prose: &'a str,
}

impl Filler<'_> {
    /// A value that fits `schema`, of the member called `name`.
    pub(super) fn value(&self, schema: &Value, name: &str, depth: usize) -> Value {
        let schema = self.resolved(schema);
        let known = self.known(name);
        let listed = schema.get("enum").and_then(Value::as_array);
        if let (Some(text), Some(values)) = (&known, listed)
            && values.iter().any(|value| value == text)
        {
            return text.as_str().into();
        }
        let chosen = [schema.get("const"), schema.get("default"), schema.pointer("/enum/0")];
        if let Some(chosen) = chosen.into_iter().flatten().find(|value| !value.is_null()) {
            return chosen.clone();
        }

        let types = schema.get("type");
        let kind = types.and_then(|kind| kind.as_str().or_else(|| kind.get(0)?.as_str()));
        let example = || schema.pointer("/examples/0").cloned();
        match kind {
            Some("string") => match known.or_else(|| self.text(schema, name)) {
                Some(text) => text.into(),
                None => example().unwrap_or_else(|| "BTC".into()),
            },
            Some("integer" | "number") => self.number(schema, name, kind == Some("integer")),
            Some("boolean") => example().unwrap_or(json!(true)),
            Some("array") => self.list(schema, name, depth),
            Some("null") => Value::Null,
            Some("object") | None if depth < DEPTH => self.object(schema, depth),
            Some("object") => json!({}),
            _ => Value::Null,
        }
    }

    /// The schema that a reference or a choice of several means.
    fn resolved<'s>(&'s self, schema: &'s Value) -> &'s Value {
        let mut schema = schema;
        for _ in 0..DEPTH {
            let target = schema.get("$ref").and_then(Value::as_str);
            let target = target.and_then(|target| self.root.pointer(target.strip_prefix('#')?));
            let choice = ["anyOf", "oneOf", "allOf"].iter().find_map(|name| {
                let choices = schema.get(*name)?.as_array()?;
                choices.iter().find(|choice| choice.get("type") != Some(&"null".into()))
            });
            match target.or(choice) {
                Some(next) => schema = next,
                None => break,
            }
        }
        schema
    }

    fn list(&self, schema: &Value, name: &str, depth: usize) -> Value {
        let Some(items) = schema.get("items").filter(|_| depth < DEPTH) else { return json!([]) };
        let least = schema.get("minItems").and_then(Value::as_u64).unwrap_or(1).clamp(1, 16);
        let name = name.trim_end_matches('s');
        // One item for each subject, where items are about subjects.
        let of_each: Vec<_> = self
            .subjects
            .iter()
            .map(|subject| Filler { subjects: std::slice::from_ref(subject), ..*self })
            .map(|filler| filler.value(items, name, depth + 1))
            .collect();
        let mut values: Vec<Value> = Vec::new();
        for value in of_each {
            if !values.contains(&value) {
                values.push(value);
            }
        }
        while values.len() < usize::try_from(least).unwrap_or(1) {
            values.push(self.value(items, name, depth + 1));
        }
        if let Some(most) = schema.get("maxItems").and_then(Value::as_u64) {
            values.truncate(usize::try_from(most).unwrap_or(usize::MAX));
        }
        values.into()
    }

    fn object(&self, schema: &Value, depth: usize) -> Value {
        let required = schema.get("required").and_then(Value::as_array);
        let is_required =
            |name: &str| required.is_some_and(|names| names.iter().any(|n| n == name));
        let properties = schema.get("properties").and_then(Value::as_object);
        let members = properties.into_iter().flatten().filter_map(|(name, schema)| {
            let wanted = is_required(name) || self.names_subject(name);
            wanted.then(|| (name.clone(), self.value(schema, name, depth + 1)))
        });
        Value::Object(members.collect::<Map<_, _>>())
    }

    /// The figure whose name is nearest, within the bounds of the schema.
    fn number(&self, schema: &Value, name: &str, is_whole: bool) -> Value {
        let least = schema.get("minimum").or_else(|| schema.get("exclusiveMinimum"));
        let most = schema.get("maximum").or_else(|| schema.get("exclusiveMaximum"));
        let fits = |value: &f64| {
            least.and_then(Value::as_f64).is_none_or(|least| *value >= least)
                && most.and_then(Value::as_f64).is_none_or(|most| *value <= most)
        };
        let figure = self.figure(name).and_then(Value::as_f64).filter(fits);
        match figure {
            #[expect(clippy::cast_possible_truncation, reason = "figures are far below the limit")]
            Some(figure) if is_whole => json!(figure.round() as i64),
            Some(figure) => json!(figure),
            None => {
                let example = schema.pointer("/examples/0").or_else(|| schema.get("minimum"));
                example.cloned().unwrap_or(json!(1))
            }
        }
    }

    fn figure(&self, name: &str) -> Option<&Value> {
        let asked = words(name);
        let shared = |figure: &Figure| asked.iter().filter(|w| figure.words.contains(w)).count();
        let best = self.figures.iter().rev().max_by_key(|figure| shared(figure))?;
        (shared(best) > 0).then_some(&best.value)
    }

    /// Text that the data has for a name.
    fn text(&self, schema: &Value, name: &str) -> Option<String> {
        match schema.get("format").and_then(Value::as_str) {
            Some("date-time") => return Some(timestamp::iso_text(self.ctx.now)),
            Some("date") => return Some(timestamp::day_text(self.ctx.now)),
            _ => {}
        }

        let name = name.to_ascii_lowercase();
        let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
        if has(&["time", "date", "as_of"]) {
            return Some(timestamp::iso_text(self.ctx.now));
        }
        if has(&[
            "summary",
            "answer",
            "reason",
            "explanation",
            "analysis",
            "description",
            "message",
        ]) && !self.prose.is_empty()
        {
            return Some(super::tokens::start(self.prose, PROSE).to_owned());
        }
        let figure = self.figure(&name)?;
        Some(figure.as_str().map_or_else(|| figure.to_string(), str::to_owned))
    }

    fn names_subject(&self, name: &str) -> bool {
        !is_about_question(name) && self.known(name).is_some()
    }

    /// Value from the question for an argument of this name.
    fn known(&self, name: &str) -> Option<String> {
        let name = name.to_ascii_lowercase();
        if is_about_question(&name) {
            return Some(super::tokens::start(self.question, 512).to_owned());
        }
        let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));

        let subject = self.subjects.first()?;
        match subject {
            Subject::Wallet(address) => {
                has(&["address", "wallet", "account"]).then(|| address.clone())
            }
            Subject::Fund(fund) => has(&["fund", "name"]).then(|| (*fund).to_owned()),
            Subject::Asset(_) | Subject::Company(_)
                if has(&["symbol", "ticker", "coin", "asset", "token"]) =>
            {
                subject.symbol().map(str::to_owned)
            }
            Subject::Asset(asset) if has(&["pair"]) => Some(format!("{}/USDT", asset.symbol)),
            Subject::Asset(asset) if has(&["address", "contract"]) => Some(asset.address(self.ctx)),
            Subject::Asset(asset) if has(&["chain", "network"]) => Some(asset.chain.to_owned()),
            Subject::Asset(asset) if has(&["slug", "project"]) => Some(asset.slug()),
            Subject::Asset(asset) if has(&["name"]) => Some(asset.name.to_owned()),
            Subject::Company(company) if has(&["name", "company"]) => Some(company.name.to_owned()),
            Subject::Asset(_) | Subject::Company(_) => None,
        }
    }
}

/// Tokens of the answer in words that go into one member.
const PROSE: usize = 100;

fn is_about_question(name: &str) -> bool {
    matches!(name, "q" | "query" | "question" | "text" | "prompt" | "input")
}

/// The words of a name in small letters, `marketCap` and `market_cap` alike.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before_is_small = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && before_is_small) {
            words.push(String::new());
        }
        before_is_small = c.is_lowercase();
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|word| {
        word.len() > 1 && !["usd", "last", "data", "days", "of", "in", "the"].contains(&&**word)
    });
    // A capitalisation is called a value in the facts that are shown.
    if words.iter().any(|word| word == "cap") {
        words.push("value".to_owned());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words() {
        assert_eq!(words("priceUsd24h"), ["price", "usd24h"]);
        assert_eq!(words("market_cap_usd"), ["market", "cap", "value"]);
        assert_eq!(words("/data/0/price_usd"), ["price"]);
        assert_eq!(words(""), Vec::<String>::new());
    }
}
