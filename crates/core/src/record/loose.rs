//! Decodes record fields with an uncertain type. If the service sends a value of another type, the record keeps the
//! value as JSON.

use serde::de::{DeserializeOwned, MapAccess};
use serde::{Deserialize, Deserializer};

use super::Extra;
use crate::json_value::{FromText, Json, deserialize_from_text};

/// Decodes a field for which the type `T` is only an assumption. A value of type `T` is stored in `field`. Any other
/// value, except `null`, is stored in `extra` and is not an error.
#[doc(hidden)]
pub fn read_loose<'de, T: DeserializeOwned, A: MapAccess<'de>>(
    field: &mut Option<T>,
    name: &'static str,
    extra: &mut Extra,
    map: &mut A,
) -> Result<(), A::Error> {
    let read = map.next_value()?;

    // If a JSON object repeats a field, the last value counts.
    extra.remove(name);
    *field = match read {
        Loose::Fits(value) => Some(value),
        Loose::Null => None,
        Loose::Other(json) => {
            extra.insert(name, json);
            None
        }
    };
    Ok(())
}

/// Result of decoding a JSON value as `T`: a `T`, `null`, or the JSON value itself if the value has another type.
enum Loose<T> {
    Fits(T),
    Null,
    Other(Json),
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Loose<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize_from_text(deserializer)
    }
}

/// Decodes the JSON text as `T` first, because most values have this type. Only other values are parsed as [`Json`].
impl<T: DeserializeOwned> FromText for Loose<T> {
    fn from_text(text: &str) -> serde_json::Result<Self> {
        if text == "null" {
            return Ok(Loose::Null);
        }
        match crate::json::from_slice(text.as_bytes()) {
            Ok(value) => Ok(Loose::Fits(value)),
            Err(_) => Json::from_text(text).map(Loose::Other),
        }
    }

    fn from_json(json: Json) -> Self {
        if json.is_null() {
            return Loose::Null;
        }
        match json.decode() {
            Ok(value) => Loose::Fits(value),
            Err(_) => Loose::Other(json),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;
    use serde_json::{Value, json};

    use super::*;
    use crate::{Number, UnixSeconds};

    fn read<T: DeserializeOwned>(value: &Value) -> Option<T> {
        // Reading from text and from a parsed value must give equal results.
        let from_text: Json = serde_json::from_str(&value.to_string()).ok()?;
        let from_value: Json = serde_json::from_value(value.clone()).ok()?;
        assert_eq!(from_text, from_value);
        from_text.decode().ok()
    }

    #[test]
    fn json_decodes_only_matching_types() {
        assert_eq!(read(&json!(7)), Some(7i64));
        assert_eq!(read(&json!(7.0)), Some(7i64));
        assert_eq!(read(&json!(7)), Some(7.0f64));
        assert_eq!(read(&json!("n")), Some("n".to_owned()));
        assert_eq!(read(&json!(["n"])), Some(vec!["n".to_owned()]));
        assert_eq!(read(&json!({"a": 1})), Some(json!({"a": 1})));
        assert_eq!(read(&json!(1_760_000_000)), Some(UnixSeconds(1_760_000_000)));
        assert_eq!(read(&json!(1.5)), Some(serde_json::from_str::<Number>("1.5").unwrap()));
        assert_eq!(read(&json!(7)), Some(Some(7i64)));

        assert_eq!(read::<i64>(&json!(0.5)), None);
        assert_eq!(read::<bool>(&json!("true")), None);
        assert_eq!(read::<String>(&json!(7)), None);
        assert_eq!(read::<i64>(&json!({"a": 1})), None);
        assert_eq!(read::<i64>(&Value::Null), None);
    }

    #[derive(Debug, Clone, PartialEq, Default)]
    struct Guess {
        count: Option<i64>,
        exact: Option<Number>,
        any: Option<Json>,
        raw: Option<Box<str>>,
        extra: Extra,
    }
    crate::record!(Guess {
        0 loose count "count", 1 loose exact "exact", 2 loose any "any", 3 loose raw "raw",
    });

    #[test]
    fn loose_fields_of_another_type_keep_their_digits() {
        for number in ["18446744073709551616", "1.10", "1e999999999999", "-0.0"] {
            let text = format!(
                r#"{{"exact":{number},"any":[{number}],"count":[{number}],"raw":{{"a":{number}}}}}"#
            );
            let read: Guess = crate::json::from_slice(text.as_bytes()).expect("a record");
            let [count, raw] = ["count", "raw"].map(|name| read.extra.get(name).map(Json::text));
            assert_eq!(count.as_deref(), Some(format!("[{number}]").as_str()));
            assert_eq!(raw.as_deref(), Some(format!(r#"{{"a":{number}}}"#).as_str()));
            assert_eq!(read.exact.as_ref().map(Number::as_str), Some(number));
            assert_eq!(serde_json::to_string(&read).expect("JSON"), text);
            let any: Vec<Box<RawValue>> = read.any.expect("a value").decode().expect("a list");
            assert_eq!(any[0].get(), number);
        }
    }
}
