//! [`Json`], a JSON value that keeps all digits of its numbers. It is the type of data whose structure is unknown.

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

/// Special struct name. If `deserialize_newtype_struct` is called with this name, the deserializer of `serde_json`
/// returns the JSON text of the value. Other deserializers ignore the name.
const TEXT: &str = "$serde_json::private::RawValue";

/// A JSON value that keeps all digits of its numbers.
///
/// It dereferences to a [`serde_json::Value`], whose numbers are 64-bit integers or `f64`. In this `Value`, `1.10`
/// becomes `1.1`, 2^64 + 1 is rounded, and `1e999` becomes a string. To get the digits as received, use
/// [`text`](Self::text), serialization, or [`decode`](Self::decode) with an exact type such as
/// [`Number`](crate::Number).
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
    /// The JSON text as received, if a number in `value` has lost digits. Otherwise `None`.
    text: Option<Box<str>>,
}

impl Json {
    /// Returns the value as JSON text, with the digits of numbers as received. Other details of the text can differ:
    /// the order of fields, white space outside strings, and escapes in strings.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        match &self.text {
            Some(text) => Cow::from(&**text),
            None => self.value.to_string().into(),
        }
    }

    /// Decodes the value as another type. Numbers are decoded from their digits as received.
    ///
    /// # Errors
    /// Returns errors of `serde_json`.
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

    /// Returns the value as a [`Value`] of `serde_json`. Numbers in this `Value` may be rounded, such as 2^64 + 1.
    #[must_use]
    pub fn into_value(self) -> Value {
        self.value
    }

    fn parse(text: &str) -> serde_json::Result<Self> {
        let value = json::parse_value(text)?;
        let text = json::loses_digits(text).then(|| text.into());
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

/// Compares the [`Value`] in this `Json` with another value. Digits that only the JSON text contains are ignored: a
/// `Json` with the text `1.10` equals `1.1`.
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
        // `from_string` cannot fail here, because the text is valid JSON.
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

/// A type that is decoded from the JSON text of a value, so that numbers keep their digits.
pub(crate) trait FromText: Sized {
    /// Parses the JSON text of a value.
    fn from_text(text: &str) -> serde_json::Result<Self>;

    /// Converts a JSON value that is already parsed. This method is called if the deserializer does not return the JSON
    /// text of the value.
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

/// Decodes a value. A deserializer of `serde_json` returns the JSON text of the value, and this function parses the
/// text. Any other deserializer returns a parsed value, and this function converts that value.
pub(crate) fn deserialize_from_text<'de, T: FromText, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    deserializer.deserialize_newtype_struct(TEXT, JsonVisitor(PhantomData))
}

/// Deserialization seed for the field with the special name [`TEXT`]. In this field, `serde_json` returns the JSON text
/// of a value as a string. The seed parses this text as `T`.
struct Text<T>(PhantomData<T>);

impl<'de, T: FromText> DeserializeSeed<'de> for Text<T> {
    type Value = serde_json::Result<T>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(TextVisitor(T::from_text))
    }
}

/// Deserialization seed that decodes the name of a field. The result is `None` for the special name [`TEXT`].
/// `serde_json` passes the JSON text of a value as an object whose only field has this name.
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
    fn convert<E>(self, value: impl Into<Json>) -> Result<T, E> {
        Ok(T::from_json(value.into()))
    }
}

impl<'de, T: FromText> Visitor<'de> for JsonVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, value: D) -> Result<T, D::Error> {
        self.convert(Value::deserialize(value)?)
    }

    // Deserializers without newtype structs call one of the following methods.

    fn visit_unit<E>(self) -> Result<T, E> {
        self.convert(Value::Null)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<T, E> {
        self.convert(flag)
    }

    fn visit_i64<E>(self, number: i64) -> Result<T, E> {
        self.convert(number)
    }

    fn visit_u64<E>(self, number: u64) -> Result<T, E> {
        self.convert(number)
    }

    fn visit_f64<E>(self, number: f64) -> Result<T, E> {
        self.convert(number)
    }

    fn visit_str<E>(self, text: &str) -> Result<T, E> {
        self.convert(text)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<T, A::Error> {
        self.convert(Value::deserialize(SeqAccessDeserializer::new(seq))?)
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
        self.convert(Value::Object(members))
    }
}

/// A JSON object whose fields are unknown to this release. The numbers in it keep all digits.
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
