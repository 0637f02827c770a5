//! A ledger on disk, which all programs on a machine can share. It counts credits by day, profile and tag.
//!
//! The input is the reservations and results of calls, from any number of processes. The output is the history of all
//! days, and an error if a call would exceed the daily limit.
//!
//! The folder has one JSON file for each day in UTC, for example `2026-11-24.json`. A process locks the file `lock`
//! while it changes the folder. It writes a temporary file and renames it, so the file of a day is complete even if the
//! process is killed. No file contains an API key or the hash of an API key.

use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use crypto_intel_core::{Error, ErrorKind};
use fs4::fs_std::FileExt;
use serde::{Deserialize, Serialize};

use super::price::Credits;

/// Version of the format of ledger files. Reading a file of a newer version returns an error.
const VERSION: u32 = 1;

/// A ledger in a folder on disk, which all programs on a machine can share.
///
/// Before a call is sent, the client reserves the list price of the call in the folder. A daily limit therefore applies
/// to all processes together. The reservations of a killed process stay, because the service may have charged its
/// calls. Each call with a price reads and writes a small file, and waits while another process changes the folder.
///
/// ```no_run
/// use crypto_intel::Client;
/// use crypto_intel::credits::{Credits, MachineLedger};
///
/// let ledger = MachineLedger::new("/home/me/.local/share/ledger").profile("work").daily_limit(Credits(500));
/// let client = Client::builder().machine_ledger(ledger.clone()).from_env().build()?;
/// for entry in ledger.history()? {
///     println!("{} {} {}: {}", entry.day, entry.profile, entry.tag, entry.list_price);
/// }
/// # Ok::<(), crypto_intel::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct MachineLedger {
    folder: Arc<Path>,
    profile: Arc<str>,
    limit: Option<Credits>,
}

/// Entry of the ledger: the calls and credits of one UTC day, one profile and one operation tag.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DaySpending {
    /// UTC date on which the credits were reserved or reported, as `YYYY-MM-DD`.
    #[serde(skip)]
    pub day: String,
    /// Name of the profile under which the programs recorded the calls. The name is `default` unless a program sets
    /// another name with [`MachineLedger::profile`].
    pub profile: String,
    /// Tag that the OpenAPI document assigns to the called operations, such as `Equity`. Raw calls have the tag `Raw`.
    pub tag: String,
    /// Number of successful calls.
    pub calls: u64,
    /// Sum of the list prices of the successful calls of this day, profile and tag.
    pub list_price: Credits,
    /// Sum of the credits that the service reported on this day for calls of this profile and tag.
    pub reported: Credits,
    /// Sum of the list prices of requests whose charge is unknown. For example, a request is still in flight, or its
    /// process was killed.
    pub unsettled: Credits,
}

/// Contents of one JSON file in the folder of a ledger. Each file contains the credits of one day in UTC.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Day {
    version: u32,
    spending: Vec<DaySpending>,
}

impl MachineLedger {
    /// Creates a ledger that stores its files in `folder`. This method does not access the disk. The ledger creates a
    /// missing folder when it records the first call.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        let folder: PathBuf = folder.into();
        MachineLedger { folder: folder.into(), profile: "default".into(), limit: None }
    }

    /// Sets the name of the profile under which the ledger records the calls of this program.
    #[must_use]
    pub fn profile(mut self, name: &str) -> Self {
        self.profile = name.into();
        self
    }

    /// Sets the maximum number of credits that this profile can spend on one day in UTC. The limit counts the list
    /// prices of the calls of all processes. A call above the limit fails before it is sent, with
    /// [`ErrorKind::OverBudget`](crate::ErrorKind::OverBudget).
    #[must_use]
    pub fn daily_limit(mut self, credits: Credits) -> Self {
        self.limit = Some(credits);
        self
    }

    /// Returns the entries of all days, the oldest day first.
    ///
    /// # Errors
    /// Returns [`ErrorKind::InvalidRequest`](crate::ErrorKind::InvalidRequest) if a file cannot be read, or if a newer
    /// release of the client wrote the file.
    pub fn history(&self) -> Result<Vec<DaySpending>, Error> {
        let entries = match std::fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(self.fault(&error)),
        };
        let names = entries.flatten().map(|entry| entry.file_name());
        let days = names.filter_map(|name| Some(name.to_str()?.strip_suffix(".json")?.to_owned()));
        let mut days: Vec<String> = days.collect();
        days.sort_unstable();

        let mut all = Vec::new();
        for day in days {
            let spending = self.read(&day)?.spending;
            all.extend(spending.into_iter().map(|one| DaySpending { day: day.clone(), ..one }));
        }
        Ok(all)
    }

    /// Reserves the list price of a call. Returns an error if the call would exceed the daily limit.
    pub(super) fn reserve(&self, tag: &str, price: Credits) -> Result<Reservation, Error> {
        let day = today();
        self.update_entry(&day, tag, |spending, committed| {
            let after = committed + price;
            if let Some(limit) = self.limit.filter(|limit| after > *limit && price.0 > 0) {
                return Err(Error::new(
                    ErrorKind::OverBudget,
                    format!(
                        "the list price of the call is {price}, and {} of {limit} per day are already spent or reserved by all programs with the profile `{}`",
                        committed.0, self.profile
                    ),
                ));
            }
            spending.unsettled = spending.unsettled + price;
            Ok(())
        })?;
        Ok(Reservation { ledger: self.clone(), day, tag: tag.into(), price })
    }

    /// Adds the reported credits of a call to the entry of the current day.
    pub(super) fn record_reported(&self, tag: &str, used: Credits) {
        let noted = self.update_entry(&today(), tag, |spending, _| {
            spending.reported = spending.reported + used;
            Ok(())
        });
        warn_on_error(noted);
    }

    /// Calls `change` with the entry of `day`, `tag` and this profile. If `change` returns no error, saves the changed
    /// entry. The ledger's folder is locked meanwhile, so no other process changes it.
    ///
    /// The second argument of `change` is the sum of the fields `list_price` and `unsettled` of the profile on this
    /// day, over all tags, in credits.
    fn update_entry(
        &self,
        day: &str,
        tag: &str,
        change: impl FnOnce(&mut DaySpending, Credits) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let _lock = self.lock().map_err(|error| self.fault(&error))?;
        let mut file = self.read(day)?;
        let own = file.spending.iter().filter(|one| *one.profile == *self.profile);
        let committed = own.map(|one| one.list_price + one.unsettled).sum();

        let is_same = |one: &DaySpending| *one.profile == *self.profile && one.tag == tag;
        let index = file.spending.iter().position(is_same).unwrap_or_else(|| {
            let (profile, tag) = (self.profile.to_string(), tag.to_owned());
            file.spending.push(DaySpending { profile, tag, ..DaySpending::default() });
            file.spending.len() - 1
        });
        change(&mut file.spending[index], committed)?;
        self.write(day, &file).map_err(|error| self.fault(&error))
    }

    fn lock(&self) -> std::io::Result<Lock> {
        std::fs::create_dir_all(&self.folder)?;
        let path = self.folder.join("lock");
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
        // The trait name is explicit, because newer versions of the standard library have similar methods.
        FileExt::lock_exclusive(&file)?;
        Ok(Lock(file))
    }

    fn read(&self, day: &str) -> Result<Day, Error> {
        let text = match std::fs::read_to_string(self.path(day)) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Day { version: VERSION, ..Day::default() });
            }
            Err(error) => return Err(self.fault(&error)),
        };
        let day: Day = serde_json::from_str(&text).map_err(|error| self.fault(&error))?;
        if day.version > VERSION {
            let version = day.version;
            return Err(self.fault(&format_args!("version {version} needs a newer release")));
        }
        Ok(day)
    }

    fn write(&self, day: &str, file: &Day) -> std::io::Result<()> {
        // Only the process with the lock writes, so no other process uses this temporary file.
        let fresh = self.folder.join("new");
        std::fs::write(&fresh, serde_json::to_vec(file)?)?;
        std::fs::rename(fresh, self.path(day))
    }

    fn path(&self, day: &str) -> PathBuf {
        self.folder.join(format!("{day}.json"))
    }

    fn fault(&self, reason: &dyn std::fmt::Display) -> Error {
        let folder = self.folder.display();
        Error::new(
            ErrorKind::InvalidRequest,
            format!("the credit ledger in {folder} cannot be used: {reason}"),
        )
    }
}

/// Lock on the folder of a ledger. The operating system also releases it when the process ends.
struct Lock(File);

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = FileExt::unlock(&self.0);
    }
}

/// Reserved list price of one request in a ledger on disk.
#[derive(Debug)]
pub(super) struct Reservation {
    ledger: MachineLedger,
    day: String,
    tag: Box<str>,
    price: Credits,
}

impl Reservation {
    /// Releases the reservation of a request that the service cannot have charged.
    pub(super) fn release(&self) {
        self.update(|_| ());
    }

    /// Records that the request had a successful response.
    pub(super) fn record_success(&self) {
        self.update(|spending| {
            spending.calls += 1;
            spending.list_price = spending.list_price + self.price;
        });
    }

    fn update(&self, change: impl FnOnce(&mut DaySpending)) {
        let noted = self.ledger.update_entry(&self.day, &self.tag, |spending, _| {
            spending.unsettled = spending.unsettled - self.price;
            change(spending);
            Ok(())
        });
        warn_on_error(noted);
    }
}

/// Logs a warning if the ledger on disk could not be updated after a request. The call itself does not fail. A
/// reservation that could not be released still counts toward the daily limit.
fn warn_on_error(noted: Result<(), Error>) {
    if let Err(error) = noted {
        tracing::warn!(%error, "could not record a call in the credit ledger of this machine");
    }
}

/// Returns the current date in UTC, as `YYYY-MM-DD`.
fn today() -> String {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    format_day(i64::try_from(since.as_secs() / 86_400).unwrap_or_default())
}

/// Formats a number of days since 1 January 1970 as a date `YYYY-MM-DD`, in the proleptic Gregorian calendar.
fn format_day(days: i64) -> String {
    // In this calculation, years begin in March, so the leap day is the last day of a year. An era is 400 years.
    let shifted = days + 719_468;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{day:02}", year + era * 400 + next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn format_day_follows_the_calendar() {
        let mut days = 0;
        for year in 1970..=2400 {
            let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let february = if is_leap { 29 } else { 28 };
            let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
            for (month, length) in (1..).zip(lengths) {
                for day in 1..=length {
                    assert_eq!(format_day(days), format!("{year}-{month:02}-{day:02}"));
                    days += 1;
                }
            }
        }
    }
}
