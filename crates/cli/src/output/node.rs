//! JSON value that preserves the order of fields and the digits of numbers.
//!
//! The value is parsed from JSON text. Tables, CSV and charts read its parts by field name or path.

use std::fmt;

use crypto_intel_core::private::OrderedFields;
use serde_json::value::RawValue;

/// Maximum depth of nested lists and objects. Deeper values are stored as JSON text.
const DEPTH: usize = 64;

/// JSON value. Numbers are stored as text, so no digit is lost.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Node {
    Null,
    Bool(bool),
    /// Number, as the text that the service sent.
    Number(String),
    Text(String),
    List(Vec<Node>),
    Object(Vec<(String, Node)>),
}

impl Node {
    /// Parses JSON text. Invalid JSON becomes a text value, or a value of the type that its first character suggests,
    /// such as null for `n`.
    pub(crate) fn parse(json: &str) -> Node {
        Self::at(json, DEPTH)
    }

    fn at(json: &str, depth: usize) -> Node {
        let json = json.trim();
        let text = || Node::Text(serde_json::from_str(json).unwrap_or_else(|_| json.to_owned()));
        if depth == 0 {
            return Node::Text(json.to_owned());
        }

        match json.as_bytes().first() {
            Some(b'n') => Node::Null,
            Some(b't') => Node::Bool(true),
            Some(b'f') => Node::Bool(false),
            Some(b'-' | b'0'..=b'9') => Node::Number(json.to_owned()),
            Some(b'[') => match serde_json::from_str::<Vec<&RawValue>>(json) {
                Ok(items) => {
                    Node::List(items.iter().map(|item| Self::at(item.get(), depth - 1)).collect())
                }
                Err(_) => text(),
            },
            Some(b'{') => match serde_json::from_str::<OrderedFields<&RawValue>>(json) {
                Ok(OrderedFields(members)) => {
                    let inner =
                        |(name, raw): (String, &RawValue)| (name, Self::at(raw.get(), depth - 1));
                    Node::Object(members.into_iter().map(inner).collect())
                }
                Err(_) => text(),
            },
            _ => text(),
        }
    }

    /// Returns the value of the field `name` of this JSON object. Returns `None` if the field is missing, or if this
    /// node is not an object.
    pub(crate) fn member(&self, name: &str) -> Option<&Node> {
        match self {
            Node::Object(members) => {
                members.iter().find(|(known, _)| known == name).map(|(_, value)| value)
            }
            _ => None,
        }
    }

    /// Returns the value at a path of field names. In a list, the path applies to each item, and the result is a list.
    pub(crate) fn at_path(&self, path: &[&str]) -> Option<Node> {
        let Some((name, rest)) = path.split_first() else { return Some(self.clone()) };
        match self {
            Node::List(items) => {
                Some(Node::List(items.iter().filter_map(|item| item.at_path(path)).collect()))
            }
            _ => self.member(name)?.at_path(rest),
        }
    }

    /// Returns the number as a 64-bit float. Returns `None` if the value is not a number, or if the number is too large
    /// for a 64-bit float.
    pub(crate) fn number(&self) -> Option<f64> {
        match self {
            Node::Number(digits) => digits.parse().ok().filter(|number: &f64| number.is_finite()),
            _ => None,
        }
    }

    /// Returns true unless the value is a list or an object.
    pub(crate) fn is_scalar(&self) -> bool {
        !matches!(self, Node::List(_) | Node::Object(_))
    }

    /// Returns true for null, empty texts, empty lists and empty objects.
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Node::Null => true,
            Node::Text(text) => text.is_empty(),
            Node::List(items) => items.is_empty(),
            Node::Object(members) => members.is_empty(),
            Node::Bool(_) | Node::Number(_) => false,
        }
    }
}

/// Formats the value as compact JSON with the original digits of numbers.
impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Node::Null => f.write_str("null"),
            Node::Bool(value) => write!(f, "{value}"),
            Node::Number(digits) => f.write_str(digits),
            Node::Text(text) => write!(f, "{}", serde_json::Value::from(text.as_str())),
            Node::List(items) => {
                f.write_str("[")?;
                for (index, item) in items.iter().enumerate() {
                    let comma = if index == 0 { "" } else { "," };
                    write!(f, "{comma}{item}")?;
                }
                f.write_str("]")
            }
            Node::Object(members) => {
                f.write_str("{")?;
                for (index, (name, value)) in members.iter().enumerate() {
                    let comma = if index == 0 { "" } else { "," };
                    write!(f, "{comma}{}:{value}", serde_json::Value::from(name.as_str()))?;
                }
                f.write_str("}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn order_and_digits_stay() {
        let json =
            r#"{"z":1.10,"a":[0.30000000000000004441,1e400,-0],"t":"\u001b é","n":null,"b":{}}"#;
        let node = Node::parse(json);
        assert_eq!(node.to_string(), json);
        assert_eq!(node.member("z"), Some(&Node::Number("1.10".to_owned())));
        let deep = format!("{}1{}", "[".repeat(9_000), "]".repeat(9_000));
        assert!(!Node::parse(&deep).is_scalar());
    }

    fn json() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<bool>().prop_map(Into::into),
            any::<i64>().prop_map(Into::into),
            ".*".prop_map(serde_json::Value::from),
        ];
        leaf.prop_recursive(4, 32, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Into::into),
                prop::collection::btree_map(".*", inner, 0..5)
                    .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn parsed_json_is_written_back_unchanged(value in json()) {
            let text = value.to_string();
            prop_assert_eq!(Node::parse(&text).to_string(), text);
        }
    }
}
