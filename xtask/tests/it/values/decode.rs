//! Decodes and encodes JSON values as the generated code does, without compiling it.
//!
//! This module interprets the generator's model. For the types of the crate `crypto-intel-core`, it calls the decoders
//! of that crate. `law.rs` tests that the generated code returns the same results.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crypto_intel_core::private::{Mismatch, ShapeMatch, Tag, fields_mismatch, from_slice};
use crypto_intel_core::{MetricValue, Number};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use xtask::model::{Field, Mode, Model, Record, Shape, Type, Union};

/// Alternative of a union that the decoder selected for a JSON value. `shape` is `None` if no alternative was selected
/// and the value is stored unchanged.
pub(crate) struct Choice<'a> {
    pub(crate) union: &'a Union,
    pub(crate) shape: Option<&'a Shape>,
    pub(crate) value: Value,
}

pub(crate) struct Decoder<'a> {
    model: &'a Model,
    choices: RefCell<Vec<Choice<'a>>>,
}

impl<'a> Decoder<'a> {
    pub(crate) fn new(model: &'a Model) -> Self {
        Decoder { model, choices: RefCell::default() }
    }

    /// Decodes a JSON value as the record or union of this name, and encodes it again. Also returns the alternatives
    /// that were selected for the unions in the value.
    pub(crate) fn round_trip(
        &self,
        name: &str,
        value: &Value,
    ) -> (Result<Value, String>, Vec<Choice<'a>>) {
        self.choices.borrow_mut().clear();
        let back = match self.model.unions.get(name) {
            Some(union) => Ok(self.union(union, value)),
            None => self.named(name, value),
        };
        (back, self.choices.take())
    }

    fn decode(&self, ty: &Type, value: &Value) -> Result<Value, String> {
        match ty {
            Type::String | Type::Enum(_) if value.is_string() => Ok(value.clone()),
            Type::Boolean if value.is_boolean() => Ok(value.clone()),
            Type::Any => Ok(value.clone()),
            Type::Integer => leaf::<i64>(value),
            Type::Wide => leaf::<i128>(value),
            Type::Number => leaf::<f64>(value),
            Type::Exact => leaf::<Number>(value),
            Type::Named(name) => self.named(name, value),
            Type::Union(name) => Ok(self.union(&self.model.unions[name], value)),
            Type::Boxed(inner) => self.decode(inner, value),
            Type::Option(_) if value.is_null() => Ok(Value::Null),
            Type::Option(inner) => self.decode(inner, value),

            Type::List(inner) => {
                let items = value.as_array().ok_or_else(|| misfit(value, "a list"))?;
                items.iter().map(|item| self.decode(inner, item)).collect()
            }
            Type::Map(inner) => {
                let members = value.as_object().ok_or_else(|| misfit(value, "an object"))?;
                let members = members
                    .iter()
                    .map(|(name, member)| Ok((name.clone(), self.decode(inner, member)?)));
                members.collect::<Result<Map<_, _>, String>>().map(Value::Object)
            }
            Type::Tuple(places) => {
                let items = value.as_array().filter(|items| items.len() == places.len());
                let items = items.ok_or_else(|| misfit(value, "a tuple"))?;
                places.iter().zip(items).map(|(place, item)| self.decode(place, item)).collect()
            }

            ty => Err(misfit(value, &format!("{ty:?}"))),
        }
    }

    fn named(&self, name: &str, value: &Value) -> Result<Value, String> {
        match name {
            "UnixSeconds" | "UnixMillis" => leaf::<i64>(value),
            "MetricValue" => leaf::<MetricValue>(value),
            name => self.record(&self.model.records[name], value),
        }
    }

    fn record(&self, record: &Record, value: &Value) -> Result<Value, String> {
        let members = value.as_object().ok_or_else(|| misfit(value, &record.name))?;
        let known: BTreeMap<&str, &Field> =
            record.fields.iter().map(|field| (field.name.as_str(), field)).collect();
        let mut written = Map::new();
        for field in &record.fields {
            let value = members.get(&field.name);
            let place = |error: String| format!("{}.{}: {error}", record.name, field.name);
            written.extend(
                self.field(field, value).map_err(place)?.map(|value| (field.name.clone(), value)),
            );
        }
        let unknown = members.iter().filter(|(name, _)| !known.contains_key(name.as_str()));
        written.extend(unknown.map(|(name, value)| (name.clone(), value.clone())));
        Ok(Value::Object(written))
    }

    /// Returns the JSON value that the encoder writes for a field, or `None` if it omits the field.
    fn field(&self, field: &Field, value: Option<&Value>) -> Result<Option<Value>, String> {
        let some = value.filter(|value| !value.is_null());
        let read = |value: &Value| self.decode(&field.ty, value);
        match field.mode {
            Mode::Required => read(value.ok_or("missing field")?).map(Some),
            Mode::Nullable => Ok(Some(some.map(read).transpose()?.unwrap_or(Value::Null))),
            Mode::Optional => some.map(read).transpose(),
            Mode::List | Mode::OptionalList => {
                let is_map = matches!(field.ty, Type::Map(_));
                let empty =
                    || if is_map { Value::Object(Map::new()) } else { Value::Array(Vec::new()) };
                let read = some.map_or_else(|| Ok(empty()), read)?;
                Ok(Some(read).filter(|read| field.mode == Mode::List || *read != empty()))
            }
            Mode::Loose => Ok(some.map(|value| read(value).unwrap_or_else(|_| value.clone()))),
            Mode::Metric => some.map(read).transpose(),
            Mode::Meta => match some {
                Some(value) if value.is_object() => read(value).map(Some),
                Some(other) => Ok(Some(other.clone())),
                None => read(&Value::Object(Map::new())).map(Some),
            },
        }
    }

    fn union(&self, union: &'a Union, value: &Value) -> Value {
        let mut shapes: Vec<(Mismatch, &Shape)> = union
            .shapes
            .iter()
            .filter_map(|shape| Some((self.shape(shape, value)?, shape)))
            .collect();
        shapes.sort_by_key(|(mismatch, _)| *mismatch);

        // If a record does not decode, the choices of unions inside it are discarded.
        for (_, shape) in shapes {
            let before = self.choices.borrow().len();
            match self.decode(&shape.ty, value) {
                Ok(back) => {
                    let choice = Choice { union, shape: Some(shape), value: value.clone() };
                    self.choices.borrow_mut().push(choice);
                    return back;
                }
                Err(_) => self.choices.borrow_mut().truncate(before),
            }
        }
        self.choices.borrow_mut().push(Choice { union, shape: None, value: value.clone() });
        value.clone()
    }

    fn shape(&self, shape: &Shape, value: &Value) -> Option<Mismatch> {
        let texts: Vec<(&str, Vec<&str>)> = shape
            .tags
            .iter()
            .map(|(name, texts)| (name.as_str(), texts.iter().map(String::as_str).collect()))
            .collect();
        let tags: Vec<Tag<'_>> =
            texts.iter().map(|(name, texts)| (*name, texts.as_slice())).collect();
        self.mismatch(&shape.ty, &tags, value)
    }

    fn mismatch(&self, ty: &Type, tags: &[Tag<'_>], value: &Value) -> Option<Mismatch> {
        let sum = |parts: &mut dyn Iterator<Item = Option<Mismatch>>| Mismatch::sum(parts);
        match ty {
            Type::String => String::mismatch(value),
            Type::Boolean => bool::mismatch(value),
            Type::Integer => i64::mismatch(value),
            Type::Wide => i128::mismatch(value),
            Type::Number => f64::mismatch(value),
            Type::Exact => Number::mismatch(value),
            Type::Any => Value::mismatch(value),

            Type::Enum(name) => {
                let text = value.as_str()?;
                let listed = self.model.enums[name].variants.iter().any(|(known, _)| known == text);
                Some(Mismatch { unlisted: usize::from(!listed), ..Mismatch::default() })
            }
            Type::Named(name) if name.starts_with("Unix") => i64::mismatch(value),
            Type::Named(name) => {
                let fields = &self.model.records[name].fields;
                let expected =
                    |mode| !matches!(mode, Mode::Optional | Mode::OptionalList | Mode::Loose);
                let needed = fields.iter().filter(|field| expected(field.mode));
                let needed =
                    needed.map(|field| (field.name.as_str(), field.mode == Mode::Required));
                fields_mismatch(value, needed, tags, |name| {
                    fields.iter().any(|field| field.name == name)
                })
            }
            Type::Union(name) => {
                let shapes = self.model.unions[name].shapes.iter();
                shapes.filter_map(|shape| self.shape(shape, value)).min()
            }

            Type::Option(_) if value.is_null() => Some(Mismatch::default()),
            Type::Option(inner) => self.mismatch(inner, &[], value),
            Type::Boxed(inner) => self.mismatch(inner, tags, value),
            Type::List(inner) => {
                sum(&mut value.as_array()?.iter().map(|item| self.mismatch(inner, &[], item)))
            }
            Type::Map(inner) if **inner == Type::Any => Map::<String, Value>::mismatch(value),
            Type::Map(inner) => {
                sum(&mut value.as_object()?.values().map(|item| self.mismatch(inner, &[], item)))
            }

            Type::Tuple(places) => {
                let items = value.as_array().filter(|items| items.len() == places.len())?;
                sum(&mut places
                    .iter()
                    .zip(items)
                    .map(|(place, item)| self.mismatch(place, &[], item)))
            }
        }
    }
}

/// Decodes a JSON value as the type `T` with the functions of the crate `crypto-intel-core`, and encodes it again.
fn leaf<T: DeserializeOwned + Serialize>(value: &Value) -> Result<Value, String> {
    let read: T = from_slice(plain(value).as_bytes()).map_err(|error| error.to_string())?;
    let text = serde_json::to_string(&read).map_err(|error| error.to_string())?;
    serde_json::from_str(&text).map_err(|error| error.to_string())
}

/// Returns a JSON value as text. Writes a large integer with all digits, although `Value` stores it as a float.
fn plain(value: &Value) -> String {
    match value.as_f64() {
        Some(number) if value.is_f64() && number.fract() == 0.0 && number.abs() >= 1e19 => {
            format!("{number:.0}")
        }
        _ => value.to_string(),
    }
}

fn misfit(value: &Value, wanted: &str) -> String {
    let mut text = value.to_string();
    text.truncate(text.char_indices().nth(80).map_or(text.len(), |(end, _)| end));
    format!("{text} instead of {wanted}")
}
