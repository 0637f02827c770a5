//! Times as the service writes them. The two units are two types, so that they cannot be mixed.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

macro_rules! unix_time {
    ($(#[$doc:meta])* $name:ident, $of:ident, $as:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $name(
            /// The number as sent.
            pub i64,
        );

        impl $name {
            /// The same moment as a [`SystemTime`]; `None` where the platform cannot hold it.
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

        impl From<SystemTime> for $name {
            fn from(time: SystemTime) -> Self {
                $name(match time.duration_since(UNIX_EPOCH) {
                    Ok(after) => i64::try_from(after.$as()).unwrap_or(i64::MAX),
                    Err(before) => i64::try_from(before.duration().$as()).map_or(i64::MIN, |n| -n),
                })
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
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
    /// A moment in whole seconds since 1970-01-01 00:00 UTC. Some members use 0 for "unknown";
    /// their documentation says so.
    UnixSeconds, from_secs, as_secs
);
unix_time!(
    /// A moment in whole milliseconds since 1970-01-01 00:00 UTC.
    UnixMillis, from_millis, as_millis
);

impl UnixMillis {
    /// The second this moment lies in.
    #[must_use]
    pub fn to_seconds(self) -> UnixSeconds {
        UnixSeconds(self.0.div_euclid(1000))
    }
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
    fn milliseconds_before_the_epoch_fall_into_the_second_before() {
        assert_eq!(UnixMillis(-1).to_seconds(), UnixSeconds(-1));
        assert_eq!(UnixMillis(1_999).to_seconds(), UnixSeconds(1));
    }
}
