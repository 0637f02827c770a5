//! Timestamps of the service. Seconds and milliseconds have separate types, so the compiler prevents mixing them.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::shape_match::{Mismatch, ShapeMatch};

macro_rules! unix_time {
    ($(#[$doc:meta])* $name:ident, $of:ident, $as:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $name(
            /// Seconds or milliseconds since 1970-01-01 00:00 UTC, depending on the type.
            pub i64,
        );

        impl $name {
            /// Converts the timestamp to a [`SystemTime`]. Returns `None` if the platform cannot represent it.
            #[must_use]
            pub fn to_system_time(self) -> Option<SystemTime> {
                let distance = Duration::$of(self.0.unsigned_abs());
                if self.0 < 0 {
                    UNIX_EPOCH.checked_sub(distance)
                } else {
                    UNIX_EPOCH.checked_add(distance)
                }
            }
        }

        impl From<i64> for $name {
            fn from(number: i64) -> Self {
                $name(number)
            }
        }

        /// Converts the time, and rounds it down to the unit of this type.
        impl From<SystemTime> for $name {
            fn from(time: SystemTime) -> Self {
                $name(match time.duration_since(UNIX_EPOCH) {
                    Ok(after) => i64::try_from(after.$as()).unwrap_or(i64::MAX),
                    Err(before) => {
                        let before = before.duration();
                        let whole = i64::try_from(before.$as()).unwrap_or(i64::MAX);
                        let rest = before > Duration::$of(whole.unsigned_abs());
                        (-whole).saturating_sub(i64::from(rest))
                    }
                })
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl ShapeMatch for $name {
            fn mismatch(value: &serde_json::Value) -> Option<Mismatch> {
                i64::mismatch(value)
            }
        }

        impl Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_i64(self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                i64::deserialize(deserializer).map($name)
            }
        }
    };
}

unix_time!(
    /// A timestamp in whole seconds since 1970-01-01 00:00 UTC. In some fields, 0 means that the time is unknown. The
    /// documentation of these fields mentions it.
    UnixSeconds, from_secs, as_secs
);
unix_time!(
    /// A timestamp in whole milliseconds since 1970-01-01 00:00 UTC.
    UnixMillis, from_millis, as_millis
);

impl UnixMillis {
    /// Converts the timestamp to seconds, rounded down.
    #[must_use]
    pub fn to_seconds(self) -> UnixSeconds {
        UnixSeconds(self.0.div_euclid(1000))
    }
}

impl From<UnixMillis> for UnixSeconds {
    fn from(time: UnixMillis) -> Self {
        time.to_seconds()
    }
}

impl UnixSeconds {
    /// Converts the timestamp to milliseconds. If the milliseconds do not fit in an `i64`, returns the earliest or the
    /// latest timestamp that [`UnixMillis`] can hold.
    #[must_use]
    pub fn to_millis(self) -> UnixMillis {
        UnixMillis(self.0.saturating_mul(1000))
    }
}

impl From<UnixSeconds> for UnixMillis {
    fn from(time: UnixSeconds) -> Self {
        time.to_millis()
    }
}

#[cfg(feature = "jiff")]
mod with_jiff {
    use crate::time::{UnixMillis, UnixSeconds};

    macro_rules! jiff {
        ($name:ident, $new:ident, $per_second:literal) => {
            impl $name {
                /// Converts the timestamp to a [`jiff::Timestamp`]. Returns `None` for a time outside the years -9999
                /// to 9999.
                #[must_use]
                pub fn to_jiff(self) -> Option<jiff::Timestamp> {
                    jiff::Timestamp::$new(self.0).ok()
                }
            }

            /// Converts the time, and rounds it down to the unit of this type.
            impl From<jiff::Timestamp> for $name {
                fn from(time: jiff::Timestamp) -> Self {
                    const NANOS: i128 = 1_000_000_000 / $per_second;
                    // A timestamp is within 10,000 years of 1970, so it fits.
                    $name(i64::try_from(time.as_nanosecond().div_euclid(NANOS)).unwrap_or(i64::MAX))
                }
            }

            /// Converts the time, and rounds it down to the unit of this type.
            impl From<&jiff::Zoned> for $name {
                fn from(time: &jiff::Zoned) -> Self {
                    time.timestamp().into()
                }
            }
        };
    }
    jiff!(UnixSeconds, from_second, 1);
    jiff!(UnixMillis, from_millisecond, 1000);
}

#[cfg(feature = "chrono")]
mod with_chrono {
    use crate::time::{UnixMillis, UnixSeconds};
    use chrono::{DateTime, TimeZone, Utc};

    macro_rules! chrono {
        ($name:ident, $new:expr, $read:ident) => {
            impl $name {
                /// Converts the timestamp to a [`chrono::DateTime`]. Returns `None` if that type cannot represent it.
                #[must_use]
                pub fn to_chrono(self) -> Option<DateTime<Utc>> {
                    $new(self.0)
                }
            }

            /// Converts the time, and rounds it down to the unit of this type.
            impl<Tz: TimeZone> From<DateTime<Tz>> for $name {
                fn from(time: DateTime<Tz>) -> Self {
                    $name(time.$read())
                }
            }
        };
    }
    chrono!(UnixSeconds, |seconds| DateTime::from_timestamp(seconds, 0), timestamp);
    chrono!(UnixMillis, DateTime::from_timestamp_millis, timestamp_millis);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn system_time_round_trips_on_both_sides_of_the_epoch() {
        for seconds in [-86_400, -1, 0, 1, 1_767_225_600] {
            let time = UnixSeconds(seconds);
            assert_eq!(UnixSeconds::from(time.to_system_time().unwrap()), time);
        }
    }

    #[test]
    fn conversions_to_seconds_round_down() {
        for (millis, second) in [(-1_500, -2), (-1_000, -1), (-1, -1), (0, 0), (1_999, 1)] {
            let time = UnixMillis(millis);
            assert_eq!(UnixSeconds::from(time.to_system_time().unwrap()), UnixSeconds(second));
            #[cfg(feature = "jiff")]
            assert_eq!(UnixSeconds::from(time.to_jiff().unwrap()), UnixSeconds(second));
            #[cfg(feature = "chrono")]
            assert_eq!(UnixSeconds::from(time.to_chrono().unwrap()), UnixSeconds(second));
        }
    }

    #[cfg(all(feature = "jiff", feature = "chrono"))]
    #[test]
    fn jiff_and_chrono_times_round_trip_or_are_none() {
        for seconds in [-62_135_596_800, -1, 0, 1_767_225_600, 4_102_444_800] {
            let (time, millis) = (UnixSeconds(seconds), UnixSeconds(seconds).to_millis());
            assert_eq!(UnixSeconds::from(time.to_jiff().unwrap()), time);
            assert_eq!(UnixSeconds::from(time.to_chrono().unwrap()), time);
            assert_eq!(UnixMillis::from(millis.to_jiff().unwrap()), millis);
            assert_eq!(UnixMillis::from(millis.to_chrono().unwrap()), millis);
        }
        assert_eq!(UnixSeconds(i64::MAX).to_jiff(), None);
        assert_eq!(UnixSeconds(i64::MIN).to_chrono(), None);
        assert_eq!(UnixSeconds(i64::MAX).to_millis(), UnixMillis(i64::MAX));
    }

    #[test]
    fn milliseconds_before_the_epoch_round_down() {
        assert_eq!(UnixMillis(-1).to_seconds(), UnixSeconds(-1));
        assert_eq!(UnixMillis(1_999).to_seconds(), UnixSeconds(1));
    }
}
