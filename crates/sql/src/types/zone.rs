//! Time zones of dates with time.

use std::sync::{LazyLock, OnceLock};

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::{TimeZone, TimeZoneDatabase};

use crate::problem::{Problem, Result};
use crate::time::{DAY, LAST_SECOND};

/// The time zone in the name of a type. Without a name it is the zone of the server, UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Zone(Option<u16>);

/// Names of all zones in alphabetical order, with the rules of those that were used.
static ZONES: LazyLock<Vec<(String, OnceLock<TimeZone>)>> = LazyLock::new(|| {
    let database = TimeZoneDatabase::bundled();
    let mut names: Vec<String> =
        database.available().map(|name| name.as_str().to_owned()).collect();
    names.sort();
    names.into_iter().map(|name| (name, OnceLock::new())).collect()
});

impl Zone {
    /// The zone of the server.
    pub(crate) const SERVER: Zone = Zone(None);

    /// Finds a zone by its name in the database of IANA, for example `Europe/Berlin`.
    ///
    /// # Errors
    /// Returns an error for unknown names.
    pub(crate) fn read(name: &str) -> Result<Zone> {
        let found = ZONES.binary_search_by(|(known, _)| known.as_str().cmp(name)).ok();
        let found = found.and_then(|at| u16::try_from(at).ok());
        let at = found.ok_or_else(|| Problem::text(format!("there is no time zone `{name}`")))?;
        Ok(Zone(Some(at)))
    }

    /// Returns the name of the zone in the name of a type.
    pub(crate) fn name(self) -> Option<&'static str> {
        self.0.map(|at| ZONES[usize::from(at)].0.as_str())
    }

    /// Returns this zone, or `other` if this is the zone of the server.
    pub(crate) fn or(self, other: Zone) -> Zone {
        if self == Zone::SERVER { other } else { self }
    }

    /// Returns the rules of the zone. `None` for UTC.
    fn rules(self) -> Option<&'static TimeZone> {
        let (name, rules) = &ZONES[usize::from(self.0?)];
        if matches!(name.as_str(), "UTC" | "Etc/UTC") {
            return None;
        }
        Some(rules.get_or_init(|| TimeZoneDatabase::bundled().get(name).unwrap_or(TimeZone::UTC)))
    }

    /// Returns the seconds that a clock of the zone is ahead of UTC at a time in Unix seconds.
    pub(crate) fn offset(self, time: i64) -> i64 {
        let Some(rules) = self.rules() else { return 0 };
        let at = time.clamp(Timestamp::MIN.as_second(), Timestamp::MAX.as_second());
        Timestamp::from_second(at).map_or(0, |at| i64::from(rules.to_offset(at).seconds()))
    }

    /// Converts Unix seconds to the time that a clock of the zone shows, in seconds since 1970. The clock stops at the end
    /// of the year 9999.
    pub(crate) fn local(self, time: i64) -> i64 {
        time.saturating_add(self.offset(time)).min(LAST_SECOND)
    }

    /// Converts the time that a clock of the zone shows to Unix seconds. If the clock shows the time twice, the
    /// result is the first of the two. If the clock skips the time, the offset after the gap is used.
    pub(crate) fn unix(self, local: i64) -> i64 {
        let Some(rules) = self.rules() else { return local };
        let shown = Timestamp::from_second(local).map(|at| TimeZone::UTC.to_datetime(at));
        let first = |shown: DateTime| rules.to_ambiguous_zoned(shown).earlier().ok();
        match shown.ok().and_then(first) {
            Some(found) => found.timestamp().as_second(),
            None => local.saturating_sub(self.offset(local)),
        }
    }

    /// Returns the start of a day in Unix seconds, or of the next day if that start is before 1970.
    pub(crate) fn first_from_1970(self, local: i64) -> i64 {
        let start = self.unix(local);
        if start < 0 { self.unix(local + DAY) } else { start }
    }

    /// Moves a time by days of the zone, which can be shorter or longer than 24 hours.
    pub(crate) fn add_days(self, time: i64, days: i64) -> i64 {
        self.unix(self.local(time).saturating_add(days.saturating_mul(DAY)))
    }
}
