//! Settings of the sandbox program, from its command-line flags.
//!
//! Each flag changes the builder of the sandbox. `check` rejects flags that contradict each other. `start` starts the
//! sandbox.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use crypto_intel_sandbox::{Builder, Clock, Sandbox, SavedState, UnixSeconds};

/// Default port.
pub(crate) const PORT: u16 = 8080;
/// Default credits of an API key, if the flag `--key` sets only the key.
pub(crate) const CREDITS: i64 = 1_000_000;

/// All settings from the command-line flags.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) builder: Builder,
    pub(crate) port: u16,
    /// Start time of the clock. A stopped clock keeps this time until a request changes it, for example with the fault
    /// `clock=+1d`.
    pub(crate) time: Option<UnixSeconds>,
    pub(crate) speed: Option<u32>,
    pub(crate) keys: Vec<String>,
    pub(crate) record: Option<String>,
    /// Directory into which recordings are written.
    pub(crate) tapes: Option<PathBuf>,
    pub(crate) replay: Option<PathBuf>,
    /// File with the saved state from which the sandbox starts.
    pub(crate) load: Option<PathBuf>,
    /// File into which the state is saved when the sandbox program ends.
    pub(crate) save: Option<PathBuf>,
    /// Names of the flags that the user passed on the command line, without `--`.
    pub(crate) flags: Vec<&'static str>,
}

/// Names of the flags that contradict `--load`. A saved state already contains the values of these flags, for example
/// the random seed. `record` and `replay` contradict `--load` for another reason: a sandbox that records or replays
/// cannot use a saved state.
const SAVED: &[&str] = &[
    "seed",
    "clock",
    "speed",
    "require-key",
    "rate-limit",
    "free-window",
    "free-chat",
    "strict-chat",
    "sql-window",
    "sql-jobs",
    "sql-pace",
    "record",
    "replay",
];

/// Data for the text that the sandbox program prints after its start.
#[derive(Debug)]
pub(crate) struct StartInfo {
    pub(crate) more_keys: Vec<String>,
    pub(crate) lines: Vec<String>,
    pub(crate) is_recording: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            builder: Sandbox::builder(),
            port: PORT,
            time: None,
            speed: None,
            keys: Vec::new(),
            record: None,
            tapes: None,
            replay: None,
            load: None,
            save: None,
            flags: Vec::new(),
        }
    }
}

impl Settings {
    /// Replaces the builder by the result of `change`. The function `change` takes the builder by value.
    pub(crate) fn build(&mut self, change: impl FnOnce(Builder) -> Builder) {
        self.builder = change(std::mem::take(&mut self.builder));
    }

    /// Checks that the flags do not contradict each other.
    ///
    /// # Errors
    /// Returns a message that names the contradicting flags and suggests a fix.
    pub(crate) fn check(&self) -> Result<(), String> {
        let saved = self.flags.iter().find(|flag| SAVED.contains(flag));
        if let (Some(_), Some(flag)) = (&self.load, saved) {
            return Err(format!("`--load` and `--{flag}` exclude each other: remove one of them"));
        }
        if self.save.is_some() && (self.record.is_some() || self.replay.is_some()) {
            return Err(
                "a sandbox that records or replays has no state: remove `--save`".to_owned()
            );
        }
        match (&self.record, &self.replay, &self.tapes) {
            (Some(_), Some(_), _) => Err("a sandbox cannot both `--record` and `--replay`: remove one of them".to_owned()),
            (Some(_), None, None) => Err("`--record` needs a folder for its recordings: add \
             `--tapes DIR`".to_owned()),
            (None, _, Some(_)) => {
                Err("`--tapes` needs `--record URL`: add this flag, or use `--replay \
                 DIR`".to_owned())
            }
            (Some(_), ..) if !cfg!(feature = "record") => Err(
                "this build cannot record: use `cargo run -p crypto-intel-sandbox --features record -- …`".to_owned(),
            ),
            _ => Ok(()),
        }
    }

    /// Collects the data for the text that the sandbox program prints after its start.
    pub(crate) fn start_info(&self) -> StartInfo {
        let mut lines = Vec::new();
        match (self.time, self.speed) {
            (Some(time), None) => {
                lines.push(format!("The clock is stopped at {}.", time_text(time)))
            }
            (_, Some(0)) => lines.push("The clock is stopped.".to_owned()),
            (_, Some(speed)) if speed > 1 => {
                lines.push(format!("The clock runs {speed} times as fast as real time."));
            }
            _ => {}
        }

        if let (Some(upstream), Some(tapes)) = (&self.record, &self.tapes) {
            lines.push(format!(
                "Forwards requests to {upstream} with the caller's key; writes recordings to {}.",
                tapes.display()
            ));
        }
        if let Some(file) = &self.load {
            lines.push(format!("Continues from the state in {}.", file.display()));
        }
        if let Some(tapes) = &self.replay {
            lines
                .push(format!("Returns only responses that were recorded in {}.", tapes.display()));
        }
        let more_keys = self.keys.iter().skip(1).cloned().collect();
        StartInfo { more_keys, lines, is_recording: self.record.is_some() || self.replay.is_some() }
    }

    /// Starts the sandbox.
    ///
    /// # Errors
    /// Returns the reason why the sandbox cannot start. The message may suggest a fix.
    pub(crate) async fn start(self) -> Result<Sandbox, String> {
        let port = self.port;
        let mut builder = self.builder.port(port).clock(clock(self.time, self.speed));
        if let Some(file) = self.load {
            let state =
                SavedState::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
            builder = builder.load(state);
        }
        let builder = match self.replay {
            Some(directory) => builder.replay(directory),
            None => builder,
        };
        #[cfg(feature = "record")]
        let builder = match (self.record, self.tapes) {
            (Some(upstream), Some(directory)) => builder.record(upstream, directory),
            _ => builder,
        };

        builder.start().await.map_err(|error| match error.kind() {
            io::ErrorKind::AddrInUse => {
                format!("port {port} is in use: choose another port, or use `--port 0`")
            }
            io::ErrorKind::PermissionDenied => {
                format!("this user may not use port {port}: choose port 1024 or higher")
            }
            _ => error.to_string(),
        })
    }
}

fn clock(time: Option<UnixSeconds>, speed: Option<u32>) -> Clock {
    let clock = match (time, speed) {
        (Some(time), None) => return Clock::stopped_at(time),
        (_, speed) => Clock::faster(speed.unwrap_or(1)),
    };
    if let Some(time) = time {
        clock.set(time);
    }
    clock
}

fn time_text(time: UnixSeconds) -> String {
    jiff::Timestamp::from_second(time.0)
        .map_or_else(|_| time.0.to_string(), |time| time.to_string())
}

/// Parses a whole number of milliseconds.
pub(crate) fn millis(text: &str) -> Result<Duration, String> {
    text.parse().map(Duration::from_millis).map_err(|_| "a whole number of milliseconds".to_owned())
}

/// Parses a time: Unix seconds, a date, or a date with a time of day.
pub(crate) fn parse_time(text: &str) -> Result<UnixSeconds, String> {
    let of_date = || {
        Some(
            text.parse::<jiff::civil::Date>()
                .ok()?
                .to_zoned(jiff::tz::TimeZone::UTC)
                .ok()?
                .timestamp(),
        )
    };
    let seconds = text.parse::<i64>().ok().or_else(|| {
        let timestamp = text.parse::<jiff::Timestamp>().ok().or_else(of_date)?;
        Some(timestamp.as_second())
    });
    let fits = |seconds: &i64| (0..=LAST).contains(seconds);
    seconds.filter(fits).map(UnixSeconds).ok_or_else(|| {
        "Unix seconds, 2026-06-15 or 2026-06-15T13:30:00Z, from 1970 to 2200".to_owned()
    })
}

/// Latest time that the flag `--clock` accepts, in Unix seconds: 2200-01-01.
const LAST: i64 = 7_258_118_400;
