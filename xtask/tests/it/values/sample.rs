//! Generates random JSON values from a schema.
//!
//! This module ignores some schema keywords, such as `not` and `if`, so a value can be invalid for its schema. No value
//! is generated for a string with an unsupported pattern.

use std::cell::RefCell;
use std::collections::HashMap;

use proptest::strategy::{Strategy, ValueTree};
use proptest::string::{RegexGeneratorStrategy, string_regex};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Map, Number, Value, json};

use super::schemas::Schemas;

/// Kind of generated sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Case {
    /// A random valid value.
    Valid,
    /// A random value with an additional unknown field in each object whose schema has `properties`.
    UnknownField,
    /// A value in which each string of an enum is replaced by a string that the enum does not contain.
    UnknownText,
    /// A value in which about half of the optional fields are `null`.
    Null,
    /// A value in which each integer is 2^64 if its schema has no `format`, `maximum`, `enum` or `const`.
    Large,
}

pub(crate) const CASES: [Case; 5] =
    [Case::Valid, Case::UnknownField, Case::UnknownText, Case::Null, Case::Large];

/// Nesting depth beyond which [`Sampler`] adds no optional parts to a value, such as optional fields with a value and
/// extra list items.
const DEPTH: usize = 7;
/// Maximum nesting depth of a schema for which [`Sampler`] generates a value. Without a limit, the value for a record
/// with a required field of its own type would be infinite.
const STEPS: usize = 40;

pub(crate) struct Sampler<'a> {
    schemas: &'a Schemas,
    state: u64,
    case: Case,
}

impl<'a> Sampler<'a> {
    pub(crate) fn new(schemas: &'a Schemas, seed: u64, case: Case) -> Self {
        Sampler { schemas, state: seed, case }
    }

    /// Generates a random value of a schema. Returns `None` if no value can be generated.
    pub(crate) fn value(&mut self, schema: &Value) -> Option<Value> {
        self.nested(schema, 0)
    }

    /// Returns the next random number (SplitMix64).
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.state;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.next() % count.max(1) as u64).unwrap_or(0)
    }

    fn nested(&mut self, schema: &Value, depth: usize) -> Option<Value> {
        if depth > STEPS {
            return None;
        }
        let mut flat = Map::new();
        self.flatten(schema, depth, &mut flat)?;
        if flat.get("impossible").is_some() {
            return None;
        }

        if let Some(constant) = flat.get("const") {
            return Some(constant.clone());
        }
        if let Some(Value::Array(values)) = flat.get("enum") {
            let types = flat.get("type").and_then(Value::as_array);
            let fits = |value: &&Value| {
                types.is_none_or(|types| {
                    types.iter().any(|ty| is_of(value, ty.as_str().unwrap_or_default()))
                })
            };
            let values: Vec<&Value> = values.iter().filter(fits).collect();
            let value = (*values.get(self.below(values.len()))?).clone();
            let unknown = self.case == Case::UnknownText && value.is_string();
            return Some(if unknown { json!("value of tomorrow") } else { value });
        }
        self.typed(&flat, depth)
    }

    /// Merges a schema into `flat`, with all its `allOf` schemas and one of its `oneOf` or `anyOf` schemas.
    fn flatten(
        &mut self,
        schema: &Value,
        depth: usize,
        flat: &mut Map<String, Value>,
    ) -> Option<()> {
        if depth > STEPS {
            return None;
        }
        let Some(members) = schema.as_object() else {
            if *schema == json!(false) {
                flat.insert("impossible".to_owned(), true.into());
            }
            return Some(());
        };
        for (name, value) in members {
            self.keyword(name, value, depth, flat)?;
        }
        Some(())
    }

    fn keyword(
        &mut self,
        name: &str,
        value: &Value,
        depth: usize,
        flat: &mut Map<String, Value>,
    ) -> Option<()> {
        match (name, value) {
            ("$ref", Value::String(reference)) => {
                let schemas = self.schemas;
                self.flatten(schemas.target(reference)?, depth + 1, flat)?;
            }
            ("allOf", Value::Array(parts)) => {
                for part in parts {
                    self.flatten(part, depth + 1, flat)?;
                }
            }

            ("anyOf" | "oneOf", Value::Array(shapes)) if !shapes.is_empty() => {
                // Beyond the depth limit, an alternative that is neither an object nor a list is used if possible,
                // which ends the recursion.
                let mut index = self.below(shapes.len());
                if depth > DEPTH {
                    let is_plain = |shape: &Value| {
                        shape.get("type").is_some_and(|ty| ty != "object" && ty != "array")
                    };
                    index = shapes.iter().position(is_plain).unwrap_or(index);
                }
                self.flatten(&shapes[index], depth + 1, flat)?;
            }

            ("properties", Value::Object(fields)) => {
                let known = flat.entry("properties").or_insert_with(|| json!({}));
                for (field, schema) in fields {
                    let merged = match known.get(field) {
                        Some(before) => json!({"allOf": [before, schema]}),
                        None => schema.clone(),
                    };
                    known[field] = merged;
                }
            }
            ("required", Value::Array(names)) => {
                let known = flat.entry("required").or_insert_with(|| json!([]));
                known.as_array_mut()?.extend(names.iter().cloned());
            }
            ("items" | "additionalProperties", schema)
                if flat.get(name).is_some_and(|known| known != schema) =>
            {
                flat[name] = json!({"allOf": [flat[name], schema]});
            }

            ("type", ty) => {
                let allowed = common_types(ty, flat.get("type"))?;
                flat.insert("type".to_owned(), allowed.into());
            }
            ("enum", Value::Array(values)) => {
                let before = flat.get("enum").and_then(Value::as_array);
                let is_kept = |value: &&Value| before.is_none_or(|before| before.contains(value));
                let kept: Vec<Value> = values.iter().filter(is_kept).cloned().collect();
                flat.insert("enum".to_owned(), kept.into());
            }
            _ => drop(flat.entry(name).or_insert_with(|| value.clone())),
        }
        Some(())
    }

    fn typed(&mut self, flat: &Map<String, Value>, depth: usize) -> Option<Value> {
        let ty = match flat.get("type").and_then(Value::as_array) {
            Some(types) => types[self.below(types.len())].as_str()?.to_owned(),
            None if ["properties", "additionalProperties", "required"]
                .iter()
                .any(|key| flat.contains_key(*key)) =>
            {
                "object".to_owned()
            }
            None if flat.contains_key("items") || flat.contains_key("prefixItems") => {
                "array".to_owned()
            }
            None => return Some(self.anything()),
        };
        match ty.as_str() {
            "object" => self.object(flat, depth),
            "array" => self.list(flat, depth),
            "string" => self.text(flat),
            "integer" => self.integer(flat),
            "number" => self.number(flat),
            "boolean" => Some((self.below(2) == 0).into()),
            "null" => Some(Value::Null),
            _ => None,
        }
    }

    fn anything(&mut self) -> Value {
        let values = [
            json!("any"),
            json!(1),
            json!(null),
            json!({"a": [1.5, null]}),
            json!([]),
            json!(true),
        ];
        values[self.below(values.len())].clone()
    }

    fn object(&mut self, flat: &Map<String, Value>, depth: usize) -> Option<Value> {
        let mut object = Map::new();
        let names = |key: &str| flat.get(key).and_then(Value::as_array).into_iter().flatten();
        let required: Vec<&str> = names("required").filter_map(Value::as_str).collect();
        let fields = flat.get("properties").and_then(Value::as_object);
        let density = self.below(4);
        for (name, schema) in fields.into_iter().flatten() {
            let is_required = required.contains(&name.as_str());
            let is_there = depth <= DEPTH && (density == 0 || self.below(4) < density);
            if !is_required && self.case == Case::Null && self.below(2) == 0 {
                object.insert(name.clone(), Value::Null);
            } else if is_required {
                object.insert(name.clone(), self.nested(schema, depth + 1)?);
            } else if is_there && let Some(value) = self.nested(schema, depth + 1) {
                object.insert(name.clone(), value);
            }
        }
        for name in required {
            if !object.contains_key(name) {
                let more = flat.get("additionalProperties").filter(|more| more.is_object());
                let value =
                    more.map_or_else(|| Some(json!("x")), |more| self.nested(more, depth + 1))?;
                object.insert(name.to_owned(), value);
            }
        }

        self.entries(flat, fields.is_none(), depth, &mut object)?;
        if self.case == Case::UnknownField && fields.is_some() {
            object.insert("added_tomorrow".to_owned(), json!({"deep": [1, null, "x"]}));
        }
        Some(Value::Object(object))
    }

    /// Adds fields that are not in the schema's `properties`, as `additionalProperties` and `patternProperties`
    /// allow.
    fn entries(
        &mut self,
        flat: &Map<String, Value>,
        is_map: bool,
        depth: usize,
        object: &mut Map<String, Value>,
    ) -> Option<()> {
        let least = flat.get("minProperties").and_then(Value::as_u64).unwrap_or(0);
        let least = usize::try_from(least).unwrap_or(0);
        if !is_map && object.len() >= least {
            return Some(());
        }

        let wanted = if depth > DEPTH { least } else { least.max(self.below(3)) };
        let more = flat.get("additionalProperties").filter(|more| more.is_object());
        let patterns: Vec<(&String, &Value)> = flat
            .get("patternProperties")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
            .collect();
        for index in 0..wanted {
            let (name, schema) = match patterns.get(self.below(patterns.len())) {
                Some((pattern, schema)) => (matching(pattern, self.next())?, Some(*schema)),
                None => (format!("key {index}"), more),
            };
            let value = match schema {
                Some(schema) => self.nested(schema, depth + 1)?,
                None => self.anything(),
            };
            object.insert(name, value);
        }
        Some(())
    }

    fn list(&mut self, flat: &Map<String, Value>, depth: usize) -> Option<Value> {
        let size = |key: &str| {
            flat.get(key).and_then(Value::as_u64).and_then(|size| usize::try_from(size).ok())
        };
        let places = flat.get("prefixItems").and_then(Value::as_array);
        let mut items = Vec::new();
        for place in places.into_iter().flatten() {
            items.push(self.nested(place, depth + 1)?);
        }

        let least = size("minItems").unwrap_or(0).max(items.len());
        let wanted = if depth > DEPTH { least } else { least + self.below(3) };
        let wanted = wanted.min(size("maxItems").unwrap_or(usize::MAX));
        let any = json!({});
        let schema = flat.get("items").unwrap_or(&any);
        while items.len() < wanted && places.is_none() {
            match self.nested(schema, depth + 1) {
                Some(item)
                    if flat.get("uniqueItems") == Some(&json!(true)) && items.contains(&item) =>
                {
                    break;
                }
                Some(item) => items.push(item),
                None if items.len() >= least => break,
                None => return None,
            }
        }
        Some(items.into())
    }

    fn text(&mut self, flat: &Map<String, Value>) -> Option<Value> {
        let size = |key: &str| {
            flat.get(key).and_then(Value::as_u64).and_then(|size| usize::try_from(size).ok())
        };
        if let Some(pattern) = flat.get("pattern").and_then(Value::as_str) {
            return Some(matching(pattern, self.next())?.into());
        }
        let texts = [
            "text \u{1f600} \"quoted\"",
            "",
            "2026-01-31T00:00:00Z",
            "12.50",
            "https://example.org/a",
        ];
        let mut text = texts[self.below(texts.len())].to_owned();
        while text.chars().count() < size("minLength").unwrap_or(0) {
            text.push('x');
        }
        let most = size("maxLength").unwrap_or(usize::MAX);
        Some(text.chars().take(most).collect::<String>().into())
    }

    fn integer(&mut self, flat: &Map<String, Value>) -> Option<Value> {
        let format = flat.get("format").and_then(Value::as_str);
        if self.case == Case::Large && format.is_none() && !flat.contains_key("maximum") {
            // 2^64, which a JSON value represents exactly as a float.
            return Some(json!(18_446_744_073_709_551_616.0_f64));
        }

        let (low, high) = match format {
            Some("int32") => (i64::from(i32::MIN), i64::from(i32::MAX)),
            Some("int64") => (i64::MIN, i64::MAX),
            _ => (-9_007_199_254_740_993, 9_007_199_254_740_993),
        };
        let bound = |key: &str| {
            flat.get(key).and_then(|bound| bound.as_i64().or_else(|| Some(bound.as_f64()? as i64)))
        };
        let low = bound("minimum")
            .into_iter()
            .chain(bound("exclusiveMinimum").map(|low| low + 1))
            .max()
            .unwrap_or(low);
        let high = bound("maximum")
            .into_iter()
            .chain(bound("exclusiveMaximum").map(|high| high - 1))
            .min()
            .unwrap_or(high);

        let choices = [low, high, 0, 1, 7, -1, 1_767_225_600];
        let choices: Vec<i64> =
            choices.into_iter().filter(|number| (low..=high).contains(number)).collect();
        let mut number = *choices.get(self.below(choices.len()))?;
        if let Some(step) = flat.get("multipleOf").and_then(Value::as_i64).filter(|step| *step > 0)
        {
            number -= number % step;
        }
        Some(number.into())
    }

    fn number(&mut self, flat: &Map<String, Value>) -> Option<Value> {
        let bound = |key: &str| flat.get(key).and_then(Value::as_f64);
        let low = bound("minimum").or_else(|| bound("exclusiveMinimum")).unwrap_or(-1e15);
        let high = bound("maximum").or_else(|| bound("exclusiveMaximum")).unwrap_or(1e15);
        let choices =
            [0.0, 1.0, -0.125, 0.1, 123_456.789, 1e-7, 3e14, low, high, f64::midpoint(low, high)];
        let choices: Vec<f64> =
            choices.into_iter().filter(|number| (low..=high).contains(number)).collect();
        let number = *choices.get(self.below(choices.len()))?;
        if number.fract() == 0.0 && self.below(2) == 0 {
            return Some((number as i64).into());
        }
        Number::from_f64(number).map(Value::Number)
    }
}

/// Returns the JSON types that two schemas both allow. `ty` and `before` are the values of the keyword `type` in the
/// two schemas. `number` allows `integer` too. If `before` is `None`, returns the types of `ty`. Returns `None` if the
/// two schemas allow no common type.
fn common_types(ty: &Value, before: Option<&Value>) -> Option<Vec<Value>> {
    let types = |ty: &Value| match ty {
        Value::Array(types) => types.clone(),
        ty => vec![ty.clone()],
    };
    let mut allowed = types(ty);

    if let Some(before) = before.map(types) {
        let (integer, number) = (json!("integer"), json!("number"));
        let is_narrowed = allowed.contains(&number) && before.contains(&integer);
        allowed.retain(|ty| before.contains(ty) || (*ty == integer && before.contains(&number)));
        allowed.extend(is_narrowed.then_some(integer));
    }
    (!allowed.is_empty()).then_some(allowed)
}

fn is_of(value: &Value, ty: &str) -> bool {
    match ty {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" | "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        _ => value.is_null(),
    }
}

thread_local! {
    /// Cache of string generators. Each generator creates strings that match the regular expression in the key. The
    /// value is `None` if the crate `proptest` does not support the expression.
    static PATTERNS: RefCell<HashMap<String, Option<RegexGeneratorStrategy<String>>>> =
        RefCell::default();
}

/// Returns a random text that matches a regular expression. Ignores the anchors at the start and end of the
/// expression.
fn matching(pattern: &str, seed: u64) -> Option<String> {
    // Cryptographic random numbers took a third of the time of all samples.
    let mut bytes = [1; 16];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::XorShift, &bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    PATTERNS.with_borrow_mut(|patterns| {
        let bare = pattern.trim_start_matches('^').trim_end_matches('$');
        let strategy =
            patterns.entry(bare.to_owned()).or_insert_with(|| string_regex(bare).ok()).as_ref()?;
        Some(strategy.new_tree(&mut runner).ok()?.current())
    })
}
