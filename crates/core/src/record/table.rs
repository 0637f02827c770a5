//! The macro that implements the decoder and encoder of a record from a table of its fields.

/// Implements [`Record`], `Serialize` and `Deserialize` for a struct that has a field `extra`.
///
/// The macro takes one line per field: index, mode, name of the Rust field, name of the JSON field. The modes are:
/// - `required`: the field must be present.
/// - `nullable`: an `Option` that is always written.
/// - `optional`: an `Option` that is not written if it is `None`.
/// - `list` and `optional_list`: a list or map. `null` and a missing field become an empty list or map. An empty
///   `optional_list` is not written.
/// - `loose`: an `Option`. A value that does not have the type of the Rust field is stored in `extra`.
/// - `metric`: a financial metric. `null` and a missing field become a metric without a value.
/// - `meta`: a record. `null` and a missing field become an empty record. A value that is not an object is stored in
///   `extra`.
#[macro_export]
#[doc(hidden)]
macro_rules! record {
    ($name:ident { $($index:literal $mode:ident $field:ident $wire:literal),* $(,)? }) => {
        #[allow(deprecated, reason = "the generated code also uses the deprecated fields")]
        impl $crate::Record for $name {
            const NAME: &'static str = stringify!($name);
            const FIELDS: &'static [$crate::RecordField] = &[
                $($crate::RecordField {
                    name: $wire,
                    required: $crate::record!(@required $mode),
                    expected: $crate::record!(@expected $mode),
                }),*
            ];
            const IS_ANSWER: bool = false $(|| $crate::record!(@answer $mode))*;

            fn index(name: &str) -> Option<usize> {
                Some(match name {
                    $($wire => $index,)*
                    _ => return None,
                })
            }

            fn read<'de, A: $crate::private::serde::de::MapAccess<'de>>(
                &mut self,
                index: usize,
                map: &mut A,
            ) -> Result<(), A::Error> {
                match index {
                    $($index => $crate::record!(@read $mode self map $field $wire),)*
                    _ => $crate::private::read_value(&mut $crate::private::serde::de::IgnoredAny, map),
                }
            }

            fn write<M: $crate::private::serde::ser::SerializeMap>(
                &self,
                index: usize,
                map: &mut M,
            ) -> Result<(), M::Error> {
                match index {
                    $($index => $crate::record!(@write $mode self map $field $wire),)*
                    _ => Ok(()),
                }
            }

            fn extra(&self) -> &$crate::Extra {
                &self.extra
            }

            fn extra_mut(&mut self) -> &mut $crate::Extra {
                &mut self.extra
            }
        }

        impl $crate::private::serde::Serialize for $name {
            fn serialize<S: $crate::private::serde::Serializer>(
                &self,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                $crate::private::serialize(self, serializer)
            }
        }

        impl<'de> $crate::private::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::private::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Self, D::Error> {
                $crate::private::deserialize(deserializer)
            }
        }

        impl $crate::private::ShapeMatch for $name {
            fn mismatch(
                value: &$crate::private::serde_json::Value,
            ) -> Option<$crate::private::Mismatch> {
                $crate::private::record_mismatch::<Self>(value, &[])
            }
        }

        impl $crate::Data for $name {}
    };

    (@required required) => { true };
    (@required $mode:ident) => { false };

    (@expected optional) => { false };
    (@expected optional_list) => { false };
    (@expected loose) => { false };
    (@expected $mode:ident) => { true };

    (@answer meta) => { true };
    (@answer $mode:ident) => { false };

    (@read required $self:ident $map:ident $field:ident $wire:literal) => {
        $crate::private::read_value(&mut $self.$field, $map)
    };
    (@read nullable $self:ident $map:ident $field:ident $wire:literal) => {
        $crate::private::read_value(&mut $self.$field, $map)
    };
    (@read optional $self:ident $map:ident $field:ident $wire:literal) => {
        $crate::private::read_value(&mut $self.$field, $map)
    };
    (@read list $self:ident $map:ident $field:ident $wire:literal) => {
        $crate::private::read_or_default(&mut $self.$field, $map)
    };
    (@read optional_list $self:ident $map:ident $field:ident $wire:literal) => {
        $crate::private::read_or_default(&mut $self.$field, $map)
    };
    (@read metric $self:ident $map:ident $field:ident $wire:literal) => {
        $crate::private::read_or_default(&mut $self.$field, $map)
    };
    (@read meta $self:ident $map:ident $field:ident $wire:literal) => {
        $crate::private::read_meta(&mut $self.$field, $wire, &mut $self.extra, $map)
    };
    (@read loose $self:ident $map:ident $field:ident $wire:literal) => {
        $crate::private::read_loose(&mut $self.$field, $wire, &mut $self.extra, $map)
    };

    (@write required $self:ident $map:ident $field:ident $wire:literal) => {
        $map.serialize_entry($wire, &$self.$field)
    };
    (@write nullable $self:ident $map:ident $field:ident $wire:literal) => {
        $map.serialize_entry($wire, &$self.$field)
    };
    (@write list $self:ident $map:ident $field:ident $wire:literal) => {
        $map.serialize_entry($wire, &$self.$field)
    };
    (@write optional $self:ident $map:ident $field:ident $wire:literal) => {
        $crate::private::write_some(&$self.$field, $wire, $map)
    };
    (@write loose $self:ident $map:ident $field:ident $wire:literal) => {
        $crate::private::write_some(&$self.$field, $wire, $map)
    };
    (@write optional_list $self:ident $map:ident $field:ident $wire:literal) => {
        $crate::private::write_filled(&$self.$field, $self.$field.is_empty(), $wire, $map)
    };
    (@write meta $self:ident $map:ident $field:ident $wire:literal) => {
        if $self.extra.get($wire).is_some() {
            Ok(())
        } else {
            $map.serialize_entry($wire, &$self.$field)
        }
    };
    (@write metric $self:ident $map:ident $field:ident $wire:literal) => {
        $crate::private::write_metric($map, $wire, &$self.$field)
    };
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::Extra;

    #[derive(Debug, Clone, PartialEq, Default)]
    struct Sample {
        name: String,
        price: Option<f64>,
        note: Option<String>,
        tags: Vec<String>,
        media: Vec<String>,
        guess: Option<i64>,
        extra: Extra,
    }
    crate::record!(Sample {
        0 required name "name",
        1 nullable price "price",
        2 optional note "note",
        3 list tags "tags",
        4 optional_list media "media",
        5 loose guess "guess",
    });

    fn round_trip(input: Value) -> Value {
        let record: Sample = serde_json::from_value(input.clone()).unwrap();
        let text = serde_json::to_string(&input).unwrap();
        assert_eq!(serde_json::from_str::<Sample>(&text).unwrap(), record);
        serde_json::to_value(&record).unwrap()
    }

    #[test]
    fn full_record_round_trips() {
        let full = json!({"name": "n", "price": 1.5, "note": "x", "tags": ["a"], "media": ["m"],
            "guess": 3, "new": {"deep": [1, null]}, "n\u{e9}w": null});
        assert_eq!(round_trip(full.clone()), full);
    }

    #[test]
    fn null_and_missing_fields_read_as_empty() {
        let expected = json!({"name": "n", "price": null, "tags": []});
        assert_eq!(round_trip(json!({"name": "n"})), expected);
        assert_eq!(
            round_trip(json!({"name": "n", "price": null, "note": null, "tags": null,
                "media": null, "guess": null})),
            expected
        );
    }

    #[test]
    fn loose_field_of_another_type_is_kept() {
        let odd = json!({"name": "n", "price": null, "tags": [], "guess": "about three"});
        assert_eq!(round_trip(odd.clone()), odd);
        let twice: Sample =
            serde_json::from_str(r#"{"name": "n", "guess": "three", "guess": 3}"#).unwrap();
        assert_eq!((twice.guess, twice.extra), (Some(3), Extra::default()));
    }

    #[test]
    fn errors_name_the_field() {
        let error = |text| serde_json::from_str::<Sample>(text).unwrap_err().to_string();
        assert_eq!(error("{}"), "missing field `name` at line 1 column 2");
        assert!(error(r#"{"name": null}"#).starts_with("invalid type: null, expected a string"));
        assert!(error("[]").starts_with("invalid type: sequence, expected an object (Sample)"));
    }
}
