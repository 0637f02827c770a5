//! Generates JSON values that fit a JSON Schema: the arguments of a tool call, or a chat answer in a requested format.
//!
//! Each property gets its value from the first of these sources that has a value:
//! - The chat question, if the `enum` of the property's schema contains a value from the question. For example, a
//!   property `symbol` with the enum values `BTC` and `ETH` gets `ETH` if the question's first subject is Ethereum.
//! - `const`, `default` or the first value of `enum` of the property's schema.
//! - The chat question, if the property is a text. A property with a name such as `query` gets the text of the
//!   question. A property with a name such as `symbol` gets an identifier of the question's subject, for example `ETH`.
//! - The current time, if the property is a text in the format `date-time` or `date`.
//! - The data endpoints, if the property is a text or a number. For example, a property `price` gets the current price.
//!   The value is chosen by the words in the property's name.
//! - `examples` or the bounds of the property's schema, or the text of the answer.
//! - A fixed value, such as `BTC` for a text or `true` for a boolean.
//!
//! Objects and arrays without a value from the schema get generated properties and items.

use serde_json::{Map, Value, json};

use crypto_intel_world::timestamp;

use crate::context::Context;

use super::lookup::NamedValue;
use super::question::{Subject, words};
use super::tokens;

/// Maximum nesting depth of generated values.
const DEPTH: usize = 8;
/// Maximum length, in tokens, of a text in a generated value. The text is copied from the question or from the answer.
const TEXT: usize = 100;

/// Kinds of identifiers, each with a list of words. If the name of a JSON Schema property contains one of the words,
/// the property gets an identifier of this kind. For example, `coin_id` contains `coin`, so the property gets the
/// symbol of the question's subject. If several kinds match, the first kind for which the subject has an identifier is
/// used.
const IDENTIFIERS: &[(&str, &[&str])] = &[
    ("symbol", &["symbol", "ticker", "coin", "asset", "token"]),
    ("pair", &["pair"]),
    ("address", &["address", "contract", "wallet", "account"]),
    ("chain", &["chain", "network"]),
    ("slug", &["slug", "project"]),
    ("name", &["name", "company"]),
];

/// Generator of values that fit a JSON Schema. The values are taken from a question, its subjects and its answer.
pub(super) struct Filler<'a> {
    pub(super) ctx: &'a Context<'a>,
    /// The whole JSON Schema. A reference such as `{"$ref": "#/$defs/Verdict"}` points into this schema.
    pub(super) root: &'a Value,
    pub(super) question: &'a str,
    pub(super) subjects: &'a [Subject],
    /// Values from responses of the sandbox's data endpoints. The most important values are first.
    pub(super) values: &'a [NamedValue],
    /// Text of the chat answer.
    pub(super) text: &'a str,
}

impl Filler<'_> {
    /// Generates a value that fits `schema`. `name` is the name of the property, and `depth` is the nesting depth of
    /// the value.
    pub(super) fn value(&self, schema: &Value, name: &str, depth: usize) -> Value {
        let schema = self.resolve(schema);
        let known = self.property_value(name);
        let choices = schema.get("enum").and_then(Value::as_array);
        if let (Some(text), Some(choices)) = (&known, choices)
            && choices.iter().any(|value| value == text)
        {
            return text.as_str().into();
        }
        let fixed = [schema.get("const"), schema.get("default"), schema.pointer("/enum/0")];
        if let Some(fixed) = fixed.into_iter().flatten().find(|value| !value.is_null()) {
            return fixed.clone();
        }

        let types = schema.get("type");
        let example = || schema.pointer("/examples/0").cloned();
        match types.and_then(|kind| kind.as_str().or_else(|| kind.get(0)?.as_str())) {
            Some("string") => match known.or_else(|| self.string(schema, name)) {
                Some(text) => text.into(),
                None => example().unwrap_or_else(|| "BTC".into()),
            },
            Some(kind @ ("integer" | "number")) => self.number(schema, name, kind == "integer"),
            Some("boolean") => example().unwrap_or(json!(true)),
            Some("array") => self.array(schema, name, depth),
            Some("object") | None if depth < DEPTH => self.object(schema, depth),
            Some("object") => json!({}),
            _ => Value::Null,
        }
    }

    /// Resolves `$ref`, and replaces a union such as `anyOf` by its first schema that is not `null`.
    fn resolve<'s>(&'s self, mut schema: &'s Value) -> &'s Value {
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

    /// Generates an array with one item for each subject of the chat question (`self.subjects`), and at least one item.
    /// For example, a question about Bitcoin and Ethereum has two subjects. The number of items respects `minItems` and
    /// `maxItems`, and is at most 16.
    fn array(&self, schema: &Value, name: &str, depth: usize) -> Value {
        let Some(items) = schema.get("items").filter(|_| depth < DEPTH) else { return json!([]) };
        let bound = |name: &str| Some(schema.get(name)?.as_u64()?.min(16) as usize);
        let count = self.subjects.len().max(bound("minItems").unwrap_or(1)).max(1);
        let count = count.min(bound("maxItems").unwrap_or(16));
        let item = |index: usize| {
            let subjects = self.subjects.get(index..=index).unwrap_or(self.subjects);
            let filler = Filler { subjects, ..*self };
            filler.value(items, name.trim_end_matches('s'), depth + 1)
        };
        (0..count).map(item).collect()
    }

    /// Generates an object with all required properties of the schema. An optional property is generated only if the
    /// question's subject has an identifier for this property, such as `ETH` for the property `symbol`.
    fn object(&self, schema: &Value, depth: usize) -> Value {
        let required = schema.get("required").and_then(Value::as_array);
        let is_required =
            |name: &str| required.is_some_and(|names| names.iter().any(|n| n == name));
        let properties = schema.get("properties").and_then(Value::as_object);
        let properties = properties.into_iter().flatten().filter_map(|(name, schema)| {
            let is_filled = is_required(name) || self.identifier(name).is_some();
            is_filled.then(|| (name.clone(), self.value(schema, name, depth + 1)))
        });
        Value::Object(properties.collect::<Map<_, _>>())
    }

    /// Returns a number for the property `name`. Prefers the value of a data endpoint whose label, JSON pointer and
    /// topic contain the most words of `name`. If no value matches, or if the value is not a number within the bounds of
    /// the schema, returns the first example in the schema. Without an example, returns 1 or another number within the
    /// bounds.
    fn number(&self, schema: &Value, name: &str, is_integer: bool) -> Value {
        let bound = |name: &str| schema.get(name).and_then(Value::as_f64);
        let (least, most) = (bound("minimum"), bound("maximum"));
        let (above, below) = (bound("exclusiveMinimum"), bound("exclusiveMaximum"));
        let fits = |value: &f64| {
            least.is_none_or(|least| *value >= least)
                && most.is_none_or(|most| *value <= most)
                && above.is_none_or(|above| *value > above)
                && below.is_none_or(|below| *value < below)
        };

        let rounded = |value: f64| if is_integer { value.round() } else { value };
        let named = self.named_value(name).and_then(Value::as_f64).map(rounded);
        let value = named.filter(fits);
        if let (None, Some(example)) = (value, schema.pointer("/examples/0")) {
            return example.clone();
        }

        // Without a fitting value from the data endpoints, uses the first of these numbers that is within the bounds.
        let middle = above.or(least).zip(below.or(most)).map(|(a, b)| rounded(f64::midpoint(a, b)));
        let up = |value: f64| if is_integer { value.ceil() } else { value };
        let down = |value: f64| if is_integer { value.floor() } else { value };
        let edges = [Some(1.0), least.map(up), most.map(down), middle];
        let nearby = [above.map(|above| down(above + 1.0)), below.map(|below| up(below - 1.0))];
        let mut others = edges.into_iter().chain(nearby).flatten();
        match value.or_else(|| others.find(fits)).unwrap_or(1.0) {
            // Larger integers stay floats such as `1e19`, which are integers in JSON Schema too.
            #[expect(clippy::cast_possible_truncation, reason = "the guard excludes larger values")]
            value if is_integer && value.abs() < 2_f64.powi(63) => json!(value as i64),
            value => json!(value),
        }
    }

    fn named_value(&self, name: &str) -> Option<&Value> {
        let wanted = words(name);
        let shared =
            |value: &NamedValue| wanted.iter().filter(|word| value.words.contains(word)).count();
        // `max_by_key` returns the last of several maxima, so the order is reversed to get the first.
        let best = self.values.iter().rev().max_by_key(|value| shared(value))?;
        (shared(best) > 0).then_some(&best.value)
    }

    fn string(&self, schema: &Value, name: &str) -> Option<String> {
        match schema.get("format").and_then(Value::as_str) {
            Some("date-time") => return Some(timestamp::iso_text(self.ctx.now)),
            Some("date") => return Some(timestamp::day_text(self.ctx.now)),
            _ => {}
        }
        if let Some(value) = self.named_value(name).and_then(Value::as_str) {
            return Some(value.to_owned());
        }
        let is_prose = !self.text.is_empty() && schema.pointer("/examples/0").is_none();
        is_prose.then(|| tokens::start(self.text, TEXT).to_owned())
    }

    /// Returns the value of the property `name` from the question. For a name such as `query`, this is the text of the
    /// question. For a name such as `symbol`, this is an identifier of the question's first subject, such as `ETH`.
    /// Returns `None` for other names, or if the first subject is missing or has no identifier of this kind.
    fn property_value(&self, name: &str) -> Option<String> {
        let is_question = matches!(name, "q" | "query" | "question" | "text" | "prompt" | "input");
        if is_question {
            return Some(tokens::start(self.question, TEXT).to_owned());
        }
        self.identifier(name).map(str::to_owned)
    }

    fn identifier(&self, name: &str) -> Option<&str> {
        let name = name.to_ascii_lowercase();
        let has_part = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
        let subject = self.subjects.first()?;
        let kinds = IDENTIFIERS.iter().filter(|(_, parts)| has_part(parts));
        kinds.into_iter().find_map(|(kind, _)| subject.identifier(kind))
    }
}
