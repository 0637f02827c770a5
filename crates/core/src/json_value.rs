//! [`Json`], a JSON value that keeps all digits of its numbers. Data without a known type is read as [`Json`].

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use serde::de::value::SeqAccessDeserializer;
use serde::de::{DeserializeOwned, DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::json;
use crate::open_enum::TextVisitor;

/// With this type name, `serde_json` returns the text of a value instead of its parts. Other deserializers ignore the
/// name and return the value.
const TEXT: &str = "$serde_json::private::RawValue";

/// A JSON value that keeps all digits of its numbers.
///
/// It derefs to [`serde_json::Value`], which contains 64-bit integers and doubles. A `Value` rounds `2^64`, writes
/// `1.10` as `1.1`, and has a string in place of a number out of range, such as `1e999`. To get the digits as
/// received, use [`text`](Self::text), [`decode`](Self::decode) with an exact type such as [`Number`](crate::Number),
/// or write the value.
///
/// ```
/// use std::collections::BTreeMap;
/// use crypto_intel_core::{Json, Number};
///
/// let json: Json = serde_json::from_str(r#"{"supply":1000000000000000000000000001}"#)?;
/// assert_eq!(json["supply"].as_f64(), Some(1e27));
/// assert_eq!(json.text(), r#"{"supply":1000000000000000000000000001}"#);
/// let exact: BTreeMap<String, Number> = json.decode()?;
/// assert_eq!(exact["supply"].as_str(), "1000000000000000000000000001");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, PartialEq, Default)]
pub struct Json {
    value: Value,
    /// The JSON text, if the value alone would lose digits.
    text: Option<Box<str>>,
}

impl Json {
    /// Returns the value as JSON text, with numbers as received. White space is kept only if a number needs the
    /// original text.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        match &self.text {
            Some(text) => Cow::from(&**text),
            None => self.value.to_string().into(),
        }
    }

    /// Decodes the value as another type, from its digits as received.
    ///
    /// # Errors
    /// Errors of `serde_json`.
    pub fn decode<T: DeserializeOwned>(&self) -> serde_json::Result<T> {
        if let Some(text) = &self.text {
            return json::from_slice(text.as_bytes());
        }
        T::deserialize(&self.value).or_else(|error| {
            match json::spelled_out(&self.value.to_string()) {
                Some(text) => json::from_slice(text.as_bytes()),
                None => Err(error),
            }
        })
    }

    /// Returns the plain value, whose numbers may be rounded.
    #[must_use]
    pub fn into_value(self) -> Value {
        self.value
    }

    fn parse(text: &str) -> serde_json::Result<Self> {
        let value = json::any_value(text)?;
        let text = json::has_lost_digits(text).then(|| text.into());
        Ok(Json { value, text })
    }
}

impl Deref for Json {
    type Target = Value;

    fn deref(&self) -> &Value {
        &self.value
    }
}

impl<T: Into<Value>> From<T> for Json {
    fn from(value: T) -> Self {
        Json { value: value.into(), text: None }
    }
}

/// Compares the parsed value. Its numbers may be rounded.
impl<T: ?Sized> PartialEq<T> for Json
where
    Value: PartialEq<T>,
{
    fn eq(&self, other: &T) -> bool {
        self.value == *other
    }
}

impl fmt::Debug for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.text {
            Some(text) => f.write_str(text),
            None => self.value.fmt(f),
        }
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // The text was parsed as JSON before.
        match self.text.as_ref().map(|text| RawValue::from_string(text.to_string())) {
            Some(Ok(text)) => text.serialize(serializer),
            Some(Err(_)) | None => self.value.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize_from_text(deserializer)
    }
}

/// A type that is read from the JSON text of a value.
pub(crate) trait FromText: Sized {
    /// Parses the text.
    fn from_text(text: &str) -> serde_json::Result<Self>;

    /// Converts a parsed value, for deserializers that do not return the text.
    fn from_json(json: Json) -> Self;
}

impl FromText for Json {
    fn from_text(text: &str) -> serde_json::Result<Self> {
        Json::parse(text)
    }

    fn from_json(json: Json) -> Self {
        json
    }
}

/// Reads a value from its JSON text if the deserializer has one, as `serde_json` does.
pub(crate) fn deserialize_from_text<'de, T: FromText, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    deserializer.deserialize_newtype_struct(TEXT, JsonVisitor(PhantomData))
}

/// Reads the text that `serde_json` returns instead of the value.
struct Text<T>(PhantomData<T>);

impl<'de, T: FromText> DeserializeSeed<'de> for Text<T> {
    type Value = serde_json::Result<T>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(TextVisitor(T::from_text))
    }
}

/// Reads the name of a field, or `None` for the name that announces a text.
struct FieldName;

impl<'de> DeserializeSeed<'de> for FieldName {
    type Value = Option<String>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer
            .deserialize_str(TextVisitor(|name: &str| (name != TEXT).then(|| name.to_owned())))
    }
}

struct JsonVisitor<T>(PhantomData<T>);

impl<T: FromText> JsonVisitor<T> {
    fn plain<E>(self, value: impl Into<Json>) -> Result<T, E> {
        Ok(T::from_json(value.into()))
    }
}

impl<'de, T: FromText> Visitor<'de> for JsonVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, value: D) -> Result<T, D::Error> {
        self.plain(Value::deserialize(value)?)
    }

    // Some deserializers have no newtypes, and return the parts of the value directly.

    fn visit_unit<E>(self) -> Result<T, E> {
        self.plain(Value::Null)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<T, E> {
        self.plain(flag)
    }

    fn visit_i64<E>(self, number: i64) -> Result<T, E> {
        self.plain(number)
    }

    fn visit_u64<E>(self, number: u64) -> Result<T, E> {
        self.plain(number)
    }

    fn visit_f64<E>(self, number: f64) -> Result<T, E> {
        self.plain(number)
    }

    fn visit_str<E>(self, text: &str) -> Result<T, E> {
        self.plain(text)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<T, A::Error> {
        self.plain(Value::deserialize(SeqAccessDeserializer::new(seq))?)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<T, A::Error> {
        let mut members = Map::new();
        while let Some(name) = map.next_key_seed(FieldName)? {
            let Some(name) = name else {
                let value = map.next_value_seed(Text(PhantomData))?;
                return value.map_err(|error| A::Error::custom(json::reason(&error)));
            };
            members.insert(name, map.next_value()?);
        }
        self.plain(Value::Object(members))
    }
}

/// A JSON object without a known type. Numbers keep all digits.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct JsonObject(BTreeMap<String, Json>);

impl Deref for JsonObject {
    type Target = BTreeMap<String, Json>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for JsonObject {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl<V: Into<Json>> FromIterator<(String, V)> for JsonObject {
    fn from_iter<I: IntoIterator<Item = (String, V)>>(members: I) -> Self {
        JsonObject(members.into_iter().map(|(name, value)| (name, value.into())).collect())
    }
}

impl From<Map<String, Value>> for JsonObject {
    fn from(members: Map<String, Value>) -> Self {
        members.into_iter().collect()
    }
}

impl Serialize for JsonObject {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for JsonObject {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        BTreeMap::deserialize(deserializer).map(JsonObject)
    }
}
