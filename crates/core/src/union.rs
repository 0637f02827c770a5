//! Enums for JSON values that can have several types. Such an enum decodes a value as the type that matches best, and
//! keeps a value that matches no type.

/// Defines an enum for JSON values that can have several types, with one variant for each type.
///
/// The macro takes one line per variant:
/// - `record Variant(Type) [tags]`: a record. A tag is a field name with the constants that the field can have.
/// - `boxed Variant(Type) [tags]`: a record that can contain the enum itself, and is therefore boxed.
/// - `value Variant(Type)`: any other type.
///
/// If several types match a value, the type with the smallest [`Mismatch`](crate::private::Mismatch) is used, and among
/// equal mismatches the earliest type. A value that matches no type is kept as received.
#[macro_export]
#[doc(hidden)]
macro_rules! union {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $kind:ident $variant:ident($ty:ty) $([$($tag:expr),*])?),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$variant_doc])* $variant($crate::union!(@hold $kind $ty)),)*
            /// A value that matches no type of this enum, as received.
            Other($crate::Json),
        }

        /// The default is `null`, because none of the variants is a natural default.
        impl Default for $name {
            fn default() -> Self {
                Self::Other($crate::Json::default())
            }
        }

        impl $name {
            fn read(json: $crate::Json) -> Self {
                let mut shapes: Vec<($crate::private::Mismatch, fn(&$crate::Json) -> Option<Self>)> =
                    Vec::new();
                $(
                    if let Some(mismatch) = $crate::union!(@mismatch $kind $ty, &json, [$($($tag),*)?]) {
                        shapes.push((mismatch, |json| json.decode().ok().map(Self::$variant)));
                    }
                )*
                // The sort is stable, so types with equal mismatches stay in the order of the variants.
                shapes.sort_by_key(|(mismatch, _)| *mismatch);
                shapes.iter().find_map(|(_, read)| read(&json)).unwrap_or(Self::Other(json))
            }
        }

        impl From<$crate::private::serde_json::Value> for $name {
            fn from(value: $crate::private::serde_json::Value) -> Self {
                Self::read(value.into())
            }
        }

        impl $crate::private::ShapeMatch for $name {
            fn mismatch(
                value: &$crate::private::serde_json::Value,
            ) -> Option<$crate::private::Mismatch> {
                let shapes: &[Option<$crate::private::Mismatch>] =
                    &[$($crate::union!(@mismatch $kind $ty, value, [$($($tag),*)?])),*];
                shapes.iter().flatten().min().copied()
            }
        }

        impl $crate::private::serde::Serialize for $name {
            fn serialize<S: $crate::private::serde::Serializer>(
                &self,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                match self {
                    $(Self::$variant(value) => value.serialize(serializer),)*
                    Self::Other(value) => value.serialize(serializer),
                }
            }
        }

        impl<'de> $crate::private::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::private::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Self, D::Error> {
                $crate::Json::deserialize(deserializer).map(Self::read)
            }
        }

        impl $crate::Data for $name {}
        impl $crate::HasMeta for $name {}
    };

    (@hold boxed $ty:ty) => { Box<$ty> };
    (@hold $kind:ident $ty:ty) => { $ty };

    (@mismatch value $ty:ty, $value:expr, [$($tag:expr),*]) => {
        <$ty as $crate::private::ShapeMatch>::mismatch($value)
    };
    (@mismatch $kind:ident $ty:ty, $value:expr, [$($tag:expr),*]) => {
        $crate::private::record_mismatch::<$ty>($value, &[$($tag),*])
    };
}

#[cfg(test)]
#[expect(unreachable_pub, reason = "the macro makes public enums")]
mod tests {
    use serde_json::{Value, json};

    #[derive(Debug, Clone, PartialEq, Default)]
    pub struct Cat {
        name: String,
        lives: Option<i64>,
        extra: crate::Extra,
    }
    crate::record!(Cat { 0 required name "name", 1 optional lives "lives", });

    #[derive(Debug, Clone, PartialEq, Default)]
    pub struct Dog {
        name: String,
        kind: Option<String>,
        extra: crate::Extra,
    }
    crate::record!(Dog { 0 required name "name", 1 optional kind "kind", });

    union! {
        /// A pet.
        Pet {
            /// A cat.
            record Cat(Cat) [("kind", &["cat"])],
            /// A dog.
            boxed Dog(Dog) [("kind", &["dog", "wolf"])],
            /// Number of the pet.
            value Integer(i64),
            /// Name of the pet.
            value Text(String),
        }
    }

    fn variant_name(value: Value) -> String {
        let pet: Pet = serde_json::from_value(value.clone()).unwrap();
        assert_eq!(serde_json::to_value(&pet).unwrap(), value, "nothing is lost");
        match pet {
            Pet::Cat(_) => "cat",
            Pet::Dog(_) => "dog",
            Pet::Integer(_) => "integer",
            Pet::Text(_) => "text",
            Pet::Other(_) => "other",
        }
        .to_owned()
    }

    #[test]
    fn union_decodes_best_match_and_keeps_other_values() {
        for (value, expected) in [
            (json!({"name": "a"}), "cat"),
            (json!({"name": "a", "lives": 9}), "cat"),
            (json!({"name": "a", "kind": "wolf"}), "dog"),
            (json!({"name": "a", "kind": "cat"}), "cat"),
            (json!({"name": "a", "kind": "fish"}), "other"),
            (json!({"name": 1}), "other"),
            (json!({"lives": 9}), "other"),
            (json!(3), "integer"),
            (json!(3.5), "other"),
            (json!("Tom"), "text"),
            (json!(null), "other"),
            (json!(["Tom"]), "other"),
        ] {
            assert_eq!(variant_name(value.clone()), expected, "{value}");
        }
        assert_eq!(Pet::default(), Pet::Other(Value::Null.into()));
    }

    #[test]
    fn every_variant_keeps_digits() {
        for number in ["18446744073709551616", "1.10", "1e999999999999"] {
            for text in [
                format!(r#"{{"name":"a","new":{number}}}"#),
                format!(r#"{{"name":"a","kind":"wolf","new":[{number}]}}"#),
                number.to_owned(),
                format!(r#"[{number},null]"#),
            ] {
                let pet: Pet = crate::json::from_slice(text.as_bytes()).unwrap();
                assert_eq!(serde_json::to_string(&pet).unwrap(), text);
                let pets: Vec<Option<Pet>> =
                    crate::json::from_slice(format!("[null,{text}]").as_bytes()).unwrap();
                assert_eq!(pets, [None, Some(pet)]);
            }
        }
    }
}
