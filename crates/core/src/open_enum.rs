//! Enums of strings that keep unknown values.
//!
//! The macro `open_enum!` defines such an enum, with its conversions from and to strings and JSON.

/// Defines an enum of strings to which the service can add values. An unknown value is kept as received, and written
/// unchanged.
#[macro_export]
#[doc(hidden)]
macro_rules! open_enum {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$variant_doc])* $variant,)*
            /// A value that is unknown to this release, as received.
            Other(Box<str>),
        }

        impl $name {
            /// All values that this release contains, as the service writes them.
            pub const KNOWN: &'static [&'static str] = &[$($text),*];

            /// Returns the value as the service writes it.
            #[must_use]
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $text,)*
                    Self::Other(text) => text,
                }
            }
        }

        /// The default is `Other` with an empty string, because none of the known values is a natural default.
        impl Default for $name {
            fn default() -> Self {
                Self::Other("".into())
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                match text {
                    $($text => Self::$variant,)*
                    other => Self::Other(other.into()),
                }
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self::from(text.as_str())
            }
        }

        impl From<&String> for $name {
            fn from(text: &String) -> Self {
                Self::from(text.as_str())
            }
        }

        impl ::std::str::FromStr for $name {
            type Err = ::std::convert::Infallible;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Ok(Self::from(text))
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl PartialEq<str> for $name {
            fn eq(&self, other: &str) -> bool {
                self.as_str() == other
            }
        }

        impl PartialEq<&str> for $name {
            fn eq(&self, other: &&str) -> bool {
                self.as_str() == *other
            }
        }

        impl $crate::Data for $name {}
        impl $crate::HasMeta for $name {}

        impl $crate::private::ShapeMatch for $name {
            fn mismatch(
                value: &$crate::private::serde_json::Value,
            ) -> Option<$crate::private::Mismatch> {
                let unlisted = usize::from(!Self::KNOWN.contains(&value.as_str()?));
                Some($crate::private::Mismatch { unlisted, ..Default::default() })
            }
        }

        impl From<$name> for $crate::Value {
            fn from(value: $name) -> Self {
                $crate::Value::Text(value.as_str().to_owned())
            }
        }

        impl $crate::private::serde::Serialize for $name {
            fn serialize<S: $crate::private::serde::Serializer>(
                &self,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> $crate::private::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::private::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Self, D::Error> {
                deserializer.deserialize_str($crate::private::TextVisitor(|text: &str| Self::from(text)))
            }
        }
    };
}

/// Serde visitor that accepts a string and converts it with the function `F`. The function receives a `&str`, so the
/// visitor does not copy the string.
pub struct TextVisitor<F>(pub F);

impl<T, F: FnOnce(&str) -> T> serde::de::Visitor<'_> for TextVisitor<F> {
    type Value = T;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<T, E> {
        Ok((self.0)(text))
    }
}

#[cfg(test)]
mod tests {
    open_enum! {
        /// Length of a candle's time range.
        Interval {
            /// One minute.
            Minute1 = "1m",
            /// One month.
            Month1 = "1M",
        }
    }

    #[test]
    fn values_that_differ_only_in_case_are_distinct() {
        assert_eq!(Interval::from("1m"), Interval::Minute1);
        assert_eq!(Interval::from("1M"), Interval::Month1);
    }

    #[test]
    fn any_text_round_trips_unchanged() {
        for text in ["1m", "1M", "", "2w", "\u{fffd}é\"\\", " 1m"] {
            let json = serde_json::to_string(text).unwrap();
            let value: Interval = serde_json::from_str(&json).unwrap();
            assert_eq!(value.as_str(), text);
            assert_eq!(serde_json::to_string(&value).unwrap(), json);
            assert_eq!(text.parse::<Interval>().unwrap(), value);
        }
    }
}
