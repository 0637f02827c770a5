//! Time zones of the types `DateTime` and `DateTime64`.

use std::sync::{LazyLock, OnceLock};

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::{TimeZone, TimeZoneDatabase};

use crate::problem::{Problem, Result};
use crate::time::{DAY, LAST_SECOND};

/// Time zone of a type. A type without the name of a zone has the zone of the server, which is UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Zone(Option<u16>);

/// Names of all time zones in alphabetical order. The rules of a zone are loaded when they are first used.
static ZONES: LazyLock<Vec<(String, OnceLock<TimeZone>)>> = LazyLock::new(|| {
    let database = TimeZoneDatabase::bundled();
    let mut names: Vec<String> =
        database.available().map(|name| name.as_str().to_owned()).collect();
    names.sort();
    names.into_iter().map(|name| (name, OnceLock::new())).collect()
});

impl Zone {
    /// Time zone of the server, which is UTC.
    pub(crate) const SERVER: Zone = Zone(None);

    /// Finds a time zone by its name in the IANA database, for example `Europe/Berlin`.
    ///
    /// # Errors
    /// Returns an error if no time zone has this name.
    pub(crate) fn read(name: &str) -> Result<Zone> {
        let found = ZONES.binary_search_by(|(known, _)| known.as_str().cmp(name)).ok();
        let found = found.and_then(|at| u16::try_from(at).ok());
        let at = found.ok_or_else(|| Problem::text(format!("there is no time zone `{name}`")))?;
        Ok(Zone(Some(at)))
    }

    /// Returns the name of the time zone. Returns `None` for the zone of the server, which is not written in the names
    /// of types.
    pub(crate) fn name(self) -> Option<&'static str> {
        self.0.map(|at| ZONES[usize::from(at)].0.as_str())
    }

    /// Returns `other` if this time zone is the zone of the server. Otherwise returns this time zone.
    pub(crate) fn or(self, other: Zone) -> Zone {
        if self == Zone::SERVER { other } else { self }
    }

    /// Returns the rules of the time zone, or `None` for UTC.
    fn rules(self) -> Option<&'static TimeZone> {
        let (name, rules) = &ZONES[usize::from(self.0?)];
        if matches!(name.as_str(), "UTC" | "Etc/UTC") {
            return None;
        }
        Some(rules.get_or_init(|| TimeZoneDatabase::bundled().get(name).unwrap_or(TimeZone::UTC)))
    }

    /// Returns the offset of the time zone from UTC in seconds. `time` is in Unix seconds.
    pub(crate) fn offset(self, time: i64) -> i64 {
        let Some(rules) = self.rules() else { return 0 };
        let at = time.clamp(Timestamp::MIN.as_second(), Timestamp::MAX.as_second());
        Timestamp::from_second(at).map_or(0, |at| i64::from(rules.to_offset(at).seconds()))
    }

    /// Returns whether the offset from UTC has been a whole number of hours since 1970.
    pub(crate) fn has_whole_hours(self) -> bool {
        let Some(rules) = self.rules() else { return true };
        let changes =
            rules.following(Timestamp::UNIX_EPOCH).map(|change| change.timestamp().as_second());
        let times =
            std::iter::once(0).chain(changes.take_while(|time| *time < i64::from(u32::MAX)));
        times.map(|time| self.offset(time)).all(|offset| offset % 3_600 == 0)
    }

    /// Converts Unix seconds to the local time of the zone in seconds since 1970. Later times than the last second of
    /// year 9999 become this second.
    pub(crate) fn local(self, time: i64) -> i64 {
        time.saturating_add(self.offset(time)).min(LAST_SECOND)
    }

    /// Converts a local time of the zone, in seconds since 1970, to Unix seconds. If the local time occurs twice, as at
    /// the end of summer time, the first occurrence is used. If the local time does not exist, as at the start of
    /// summer time, the offset after the gap is used.
    pub(crate) fn unix(self, local: i64) -> i64 {
        let Some(rules) = self.rules() else { return local };
        let shown = Timestamp::from_second(local).map(|at| TimeZone::UTC.to_datetime(at));
        let first = |shown: DateTime| rules.to_ambiguous_zoned(shown).earlier().ok();
        match shown.ok().and_then(first) {
            Some(found) => found.timestamp().as_second(),
            None => local.saturating_sub(self.offset(local)),
        }
    }

    /// Converts the local start of a day to Unix seconds. If the result is negative, returns the start of the next day.
    /// For example, in time zones east of UTC, the local start of 1 January 1970 is before 1970 in UTC.
    pub(crate) fn first_from_1970(self, local: i64) -> i64 {
        let start = self.unix(local);
        if start < 0 { self.unix(local + DAY) } else { start }
    }

    /// Adds days to a time in Unix seconds. The local clock time does not change, so a day can be shorter or longer
    /// than 24 hours.
    pub(crate) fn add_days(self, time: i64, days: i64) -> i64 {
        self.unix(self.local(time).saturating_add(days.saturating_mul(DAY)))
    }
}
