//! Faults of the sandbox, such as an error status or a delay. A fault can be limited to one operation, and
//! to a number of requests.
//!
//! A fault is parsed from text or built by a test. Each request uses the first queued fault that matches the request.

use std::str::FromStr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crypto_intel_api::generated::catalogue::OPERATIONS;

/// A fault, such as an error status or a delay, that affects later requests.
///
/// The text form is a list of words separated by semicolons. The first word is the kind of fault. The other words limit
/// the fault to one operation or to a number of requests, or set the header `Retry-After` of an error status:
/// ```
/// use crypto_intel_sandbox::Fault;
///
/// let fault: Fault = "status=503;retry-after=2;times=2;operation=market-price".parse()?;
/// assert_eq!(fault.to_string(), "status=503;retry-after=2;times=2;operation=market-price");
/// assert!("explode".parse::<Fault>().unwrap_err().to_string().starts_with("`explode` is not"));
/// # Ok::<(), crypto_intel_sandbox::UnknownFault>(())
/// ```
///
/// Kinds of faults that replace or delay the response:
/// - `status=N` returns an error status.
/// - `html` returns an HTML page with status 502.
/// - `queue-full` returns the error that a SQL job gets if the queue of jobs is full. `circuit-open` returns the error
///   that a SQL job gets if recent queries were too large or too slow. For these two faults, `retry-after` sets the
///   field `retry_after_ms`.
/// - `latency=MS` waits MS milliseconds.
/// - `jitter=MS` waits a random time of up to MS milliseconds.
/// - `stall` never responds.
///
/// Kinds of faults that change the body of the response:
/// - `cut=N` breaks the connection after N bytes, and `cut-events=N` after N events.
/// - `stall-after=N` stops sending after N bytes.
/// - `split` sends each byte as a separate chunk.
/// - `content-type=T` sends the wrong content type T.
/// - `malformed` sends invalid JSON.
/// - `unknown-members` adds unknown fields, and `unknown-values` replaces enum values by unknown values.
/// - `null-lists` sends `null` in place of every list. In an event stream, this affects only empty lists.
/// - `next-release` adds unknown fields everywhere, and unknown enum values in every second row of a list.
///
/// `clock=+1d` moves the sandbox's clock forward before each affected request, and `clock=-1d` moves it back. The
/// number is whole, and the unit is `s`, `m`, `h` or `d`. One move is at most ten years, and the clock stays between
/// 1970-01-01 and 2200-01-01.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct Fault {
    pub(crate) action: Action,
    /// Number of requests that the fault still affects. `None` means no limit.
    pub(crate) times: Option<u32>,
    /// Id of the operation to which the fault is limited. `None` for all operations.
    pub(crate) operation: Option<String>,
    /// Seconds after which the caller should retry. An error status has this number in the header `Retry-After`. The
    /// errors of `queue-full` and `circuit-open` have it in the field `retry_after_ms`, in milliseconds.
    pub(crate) retry_after: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Action {
    Status(u16),
    Latency(Duration),
    Jitter(Duration),
    Stall,
    CutBytes(usize),
    CutEvents(usize),
    StallAfter(usize),
    Split,
    ContentType(String),
    Html,
    Malformed,
    UnknownMembers,
    UnknownValues,
    NullLists,
    /// Adds an unknown field to each record of a response body. In a JSON response, every second item of a list also
    /// gets unknown enum values. An event stream begins with an event of an unknown type.
    NextRelease,
    QueueFull,
    CircuitOpen,
    /// Moves the sandbox's clock by a number of seconds.
    Clock(i64),
}

/// Error for a text that cannot be parsed as a [`Fault`], or for a fault that cannot affect any request. An example is
/// a fault for an unknown operation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct UnknownFault(String);

impl Fault {
    pub(crate) fn new(action: Action) -> Self {
        Fault { action, times: None, operation: None, retry_after: None }
    }

    /// Creates a fault that returns an error with this HTTP status.
    pub fn status(status: u16) -> Self {
        Fault::new(Action::Status(status))
    }

    /// Limits the fault to the next `times` requests.
    pub fn times(mut self, times: u32) -> Self {
        self.times = Some(times);
        self
    }

    /// Limits the fault to requests for the operation with this id, such as `market-price`.
    pub fn operation(mut self, id: impl Into<String>) -> Self {
        self.operation = Some(id.into());
        self
    }
}

impl FromStr for Fault {
    type Err = UnknownFault;

    fn from_str(text: &str) -> Result<Self, UnknownFault> {
        let mut words = text.split(';').map(str::trim);
        let mut fault = Fault::new(action(words.next().unwrap_or_default())?);
        for word in words {
            match word.split_once('=') {
                Some(("times", n)) => fault.times = Some(number(word, n)?),
                Some(("operation", id)) => fault.operation = Some(id.to_owned()),
                Some(("retry-after", n)) => fault.retry_after = Some(number(word, n)?),
                _ => {
                    let problem = "is unknown: use times=N, operation=ID or retry-after=SECONDS";
                    return Err(UnknownFault(format!("`{word}` {problem}")));
                }
            }
        }
        fault.check()?;
        Ok(fault)
    }
}

impl Fault {
    /// Checks that a fault can affect a request.
    ///
    /// # Errors
    /// Returns an error if the fault is limited to 0 requests or to an unknown operation, or if `retry_after` is
    /// negative.
    pub(crate) fn check(&self) -> Result<(), UnknownFault> {
        if self.times == Some(0) {
            return Err(UnknownFault(format!(
                "`{self}` has no effect: `times` must be at least 1"
            )));
        }
        if self.retry_after.is_some_and(|seconds| seconds < 0) {
            return Err(UnknownFault(format!(
                "`{self}`: `retry-after` must be at least 0 seconds"
            )));
        }
        let Some(id) = &self.operation else { return Ok(()) };
        if OPERATIONS.iter().any(|operation| operation.id == id) {
            return Ok(());
        }

        let meant = id.replace('_', "-");
        let meant = OPERATIONS.iter().find(|operation| operation.id == meant);
        let hint =
            meant.map_or(String::new(), |operation| format!("; did you mean `{}`?", operation.id));
        Err(UnknownFault(format!("`{self}` has no effect: no operation has the id `{id}`{hint}")))
    }
}

fn number<T: FromStr>(word: &str, text: &str) -> Result<T, UnknownFault> {
    text.parse().map_err(|_| UnknownFault(format!("`{word}` needs a whole number")))
}

/// Units of a clock jump, with their lengths in seconds. The text form of a jump uses the largest unit that gives a
/// whole number.
const UNITS: &[(&str, i64)] = &[("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1)];
/// Maximum length of a clock jump in seconds: ten years.
const LONGEST_JUMP: i64 = 3_653 * 86_400;

/// Maximum delay of a fault in milliseconds: one hour.
const LONGEST_WAIT: u64 = 3_600_000;

/// Parses a clock jump such as `+1d`, and returns its length in seconds.
fn jump(word: &str, text: &str) -> Result<i64, UnknownFault> {
    let unit = UNITS.iter().find_map(|(unit, seconds)| Some((text.strip_suffix(unit)?, *seconds)));
    let seconds = unit.and_then(|(number, seconds)| {
        let is_signed = number.starts_with(['+', '-']);
        number.parse::<i64>().ok().filter(|_| is_signed)?.checked_mul(seconds)
    });
    seconds.filter(|seconds| (1..=LONGEST_JUMP).contains(&seconds.abs())).ok_or_else(|| {
        UnknownFault(format!("`{word}` needs a duration of at most ten years, such as +1d or -90m"))
    })
}

fn write_jump(f: &mut std::fmt::Formatter<'_>, seconds: i64) -> std::fmt::Result {
    let fits = |(_, length): &&(&str, i64)| seconds % length == 0;
    let (unit, length) = UNITS.iter().find(fits).copied().unwrap_or(("s", 1));
    write!(f, "clock={:+}{unit}", seconds / length)
}

fn action(word: &str) -> Result<Action, UnknownFault> {
    let (name, value) = word.split_once('=').unwrap_or((word, ""));
    let milliseconds = || match number(word, value)? {
        wait if wait <= LONGEST_WAIT => Ok(Duration::from_millis(wait)),
        _ => Err(UnknownFault(format!(
            "`{word}` must be at most {LONGEST_WAIT} milliseconds; `stall` waits forever"
        ))),
    };

    Ok(match name {
        "status" => match number(word, value)? {
            status @ 400..=599 => Action::Status(status),
            _ => return Err(UnknownFault(format!("`{word}` must be from 400 to 599"))),
        },
        "latency" => Action::Latency(milliseconds()?),
        "jitter" => Action::Jitter(milliseconds()?),
        "stall" => Action::Stall,
        "cut" => Action::CutBytes(number(word, value)?),
        "cut-events" => Action::CutEvents(number(word, value)?),
        "stall-after" => Action::StallAfter(number(word, value)?),
        "split" => Action::Split,
        "content-type" => Action::ContentType(value.to_owned()),
        "html" => Action::Html,
        "malformed" => Action::Malformed,
        "unknown-members" => Action::UnknownMembers,
        "unknown-values" => Action::UnknownValues,
        "null-lists" => Action::NullLists,
        "next-release" => Action::NextRelease,
        "clock" => Action::Clock(jump(word, value)?),
        "queue-full" => Action::QueueFull,
        "circuit-open" => Action::CircuitOpen,
        _ => return Err(UnknownFault(format!("`{word}` is not a known fault"))),
    })
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.action {
            Action::Status(status) => write!(f, "status={status}"),
            Action::Latency(wait) => write!(f, "latency={}", wait.as_millis()),
            Action::Jitter(wait) => write!(f, "jitter={}", wait.as_millis()),
            Action::Stall => f.write_str("stall"),
            Action::CutBytes(n) => write!(f, "cut={n}"),
            Action::CutEvents(n) => write!(f, "cut-events={n}"),
            Action::StallAfter(n) => write!(f, "stall-after={n}"),
            Action::Split => f.write_str("split"),
            Action::ContentType(text) => write!(f, "content-type={text}"),
            Action::Html => f.write_str("html"),
            Action::Malformed => f.write_str("malformed"),
            Action::UnknownMembers => f.write_str("unknown-members"),
            Action::UnknownValues => f.write_str("unknown-values"),
            Action::NullLists => f.write_str("null-lists"),
            Action::NextRelease => f.write_str("next-release"),
            Action::QueueFull => f.write_str("queue-full"),
            Action::CircuitOpen => f.write_str("circuit-open"),
            Action::Clock(seconds) => write_jump(f, *seconds),
        }?;

        if let Some(seconds) = self.retry_after {
            write!(f, ";retry-after={seconds}")?;
        }
        if let Some(times) = self.times {
            write!(f, ";times={times}")?;
        }
        if let Some(operation) = &self.operation {
            write!(f, ";operation={operation}")?;
        }

        Ok(())
    }
}

/// Queue of faults that wait for requests. The oldest fault is first.
#[derive(Debug, Default)]
pub(crate) struct Faults(Mutex<Vec<Fault>>);

impl Faults {
    /// Adds a fault to the queue.
    ///
    /// # Errors
    /// Returns an error if the fault is limited to 0 requests or to an operation that does not exist. Also returns an
    /// error if the fault has a negative `Retry-After` time.
    pub(crate) fn add(&self, fault: Fault) -> Result<(), UnknownFault> {
        fault.check()?;
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(fault);
        Ok(())
    }

    /// Returns the queued faults, oldest first.
    pub(crate) fn waiting(&self) -> Vec<Fault> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Returns the first queued fault that applies to one of `operations`. A fault that is limited to a number of
    /// requests is removed after its last use.
    pub(crate) fn take(&self, operations: &[&str]) -> Option<Fault> {
        let mut faults = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let meets = |fault: &Fault| match &fault.operation {
            Some(id) => operations.contains(&id.as_str()),
            None => true,
        };
        let place = faults.iter().position(meets)?;
        let fault = faults[place].clone();
        match &mut faults[place].times {
            Some(times) if *times > 1 => *times -= 1,
            Some(_) => {
                drop(faults.remove(place));
            }
            None => {}
        }
        Some(fault)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_is_read_as_it_is_written() {
        for text in [
            "status=429;retry-after=7",
            "latency=20",
            "jitter=5",
            "stall",
            "cut=10",
            "cut-events=2",
            "stall-after=3",
            "split",
            "content-type=text/plain",
            "html",
            "malformed",
            "unknown-members",
            "unknown-values",
            "null-lists",
            "next-release",
            "queue-full",
            "circuit-open;times=3",
            "clock=+1d",
            "clock=-90m;times=1",
            "clock=+86401s",
        ] {
            assert_eq!(text.parse::<Fault>().unwrap().to_string(), text);
        }

        for bad in [
            "",
            "status=200",
            "status=x",
            "latency",
            "latency=3600001",
            "jitter=99999999999999",
            "cut=-1",
            "html;often",
            "clock",
            "clock=1d",
            "clock=+1",
            "clock=+0s",
            "clock=+4000d",
            "clock=+99999999999999999999d",
            "clock=+9223372036854775807d",
            "clock=-é",
        ] {
            assert!(bad.parse::<Fault>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_fault_that_can_never_happen_is_refused() {
        for (text, reason) in [
            ("status=503;times=0", "`times` must be at least 1"),
            ("queue-full;retry-after=-1", "`retry-after` must be at least 0 seconds"),
            ("status=503;operation=market_price", "did you mean `market-price`"),
            ("status=503;operation=nothing", "no operation has the id `nothing`"),
        ] {
            let error = text.parse::<Fault>().unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
        let fault = Fault::status(503).operation("market_price");
        assert!(Faults::default().add(fault).is_err());
    }

    #[test]
    fn a_fault_meets_its_operation_as_often_as_it_says() {
        let faults = Faults::default();
        faults.add(Fault::status(503).times(2).operation("news-feed")).unwrap();
        assert!(faults.take(&["b"]).is_none());
        assert!(faults.take(&["b", "news-feed"]).is_some());
        assert!(faults.take(&["news-feed"]).is_some());
        assert!(faults.take(&["news-feed"]).is_none());
    }
}
