//! Aggregate functions that analyse the sequence of events in a group: `retention`, `windowFunnel`, `sequenceMatch` and
//! `sequenceCount`.

use super::{AggregateCall, Made, State};
use crate::problem::{Problem, Result};
use crate::types::{BYTE, Type, UINT64};
use crate::value::{Value, wrap};

pub(super) const NAMES: &[&str] = &["retention", "windowFunnel", "sequenceMatch", "sequenceCount"];

pub(super) fn make(asked: &AggregateCall<'_>) -> Option<Result<Made>> {
    Some(match asked.name {
        "retention" => retention(asked),
        "windowFunnel" => funnel(asked),
        "sequenceMatch" | "sequenceCount" => sequence(asked),
        _ => return None,
    })
}

/// Maximum number of condition arguments of one call. A `u32` stores one bit per condition.
const MOST: usize = 32;

/// Returns the number of condition arguments, which start at index `first`.
///
/// # Errors
/// Returns an error if a condition argument is not `UInt8` or `Bool`. Also returns an error for fewer than `least` or
/// more than [`MOST`] conditions.
fn conditions(asked: &AggregateCall<'_>, first: usize, least: usize) -> Result<usize> {
    asked.takes(first + least..=first + MOST)?;
    for ty in &asked.types[first..] {
        if !matches!(ty, Type::Int { bits: 8, signed: false } | Type::Bool) {
            return Err(asked.fault(&format!("the conditions must be UInt8, not {ty}")));
        }
    }
    Ok(asked.types.len() - first)
}

/// Returns an error if the first argument is not a `Date`, a `DateTime` or an unsigned integer of at most 64 bits.
fn time(asked: &AggregateCall<'_>) -> Result<()> {
    match asked.types.first() {
        Some(Type::Date | Type::DateTime(_) | Type::Int { bits: ..=64, signed: false }) => Ok(()),
        _ => Err(asked.fault("the first argument must be Date, DateTime or an unsigned number")),
    }
}

/// Returns a bit mask of the condition arguments: bit 0 is set if the first condition is true, and so on.
fn bits(args: &[Value]) -> u32 {
    args.iter().enumerate().filter(|(_, arg)| arg.is_true()).fold(0, |bits, (at, _)| bits | 1 << at)
}

/// Creates `retention(first, second, ..)`, which returns an array with one element per condition. An element is 1 if
/// some row fulfils its condition and some row fulfils the first condition. All other elements are 0.
fn retention(asked: &AggregateCall<'_>) -> Result<Made> {
    let count = conditions(asked, 0, 2)?;
    Made::new(Type::array(BYTE), move || Retention { count, seen: 0 })
}

struct Retention {
    count: usize,
    seen: u32,
}

impl State for Retention {
    fn add(&mut self, args: &[Value]) -> Result<()> {
        self.seen |= bits(args);
        Ok(())
    }

    fn finish(&self) -> Result<Value> {
        let of = |at: usize| Value::bool(self.seen & 1 != 0 && self.seen >> at & 1 != 0);
        Ok(Value::list((0..self.count).map(of).collect()))
    }

    fn size(&self) -> usize {
        64 + self.count * size_of::<Value>()
    }
}

/// Events of a group: the rows that fulfil at least one condition. Each pair contains the time of a row and a bit mask
/// of the conditions that the row fulfils.
#[derive(Default)]
struct Events(Vec<(i128, u32)>);

impl Events {
    fn add(&mut self, args: &[Value]) {
        let found = bits(&args[1..]);
        if found != 0 {
            self.0.push((args[0].int(), found));
        }
    }

    /// Returns the events sorted by time. Events with equal times stay in row order.
    fn sorted(&self) -> Vec<(i128, u32)> {
        let mut events = self.0.clone();
        events.sort_by_key(|(time, _)| *time);
        events
    }

    fn size(&self) -> usize {
        // `sorted` copies the events.
        2 * self.0.len() * size_of::<(i128, u32)>() + 64
    }
}

/// Creates `windowFunnel(window)(time, first, second, ..)`. The function returns the length of the longest chain of
/// events within the time window. The first event of a chain fulfils the condition `first`, the next event `second`,
/// and so on.
fn funnel(asked: &AggregateCall<'_>) -> Result<Made> {
    let count = conditions(asked, 1, 1)?;
    time(asked)?;
    let [Value::Int(window), names @ ..] = asked.parameters else {
        return Err(asked.fault("the first parameter must be the length of the time window"));
    };
    let mut modes = FunnelModes::default();
    for name in names {
        let mode = match name {
            Value::Text(name) => modes.find(name),
            _ => None,
        };
        // ClickHouse has more modes. Their results depend on the order in which ClickHouse reads events with equal
        // times.
        *mode.ok_or_else(|| asked.fault("a mode must be strict_order or strict_increase"))? = true;
    }
    let window = wrap(*window, 64, false);
    Made::new(BYTE, move || Funnel { events: Vec::new(), count, window, modes })
}

/// Optional modes of `windowFunnel`, given as parameters after the length of the window.
#[derive(Debug, Clone, Copy, Default)]
struct FunnelModes {
    /// True for `strict_order`. The search begins at an event that fulfils the first condition. With `strict_order`,
    /// the search stops at an event that fulfils no condition, or that skips a condition. For example, three events
    /// fulfil the conditions 1, 3 and 2 in this order. The search stops at the second event, and the result is 1.
    /// Without `strict_order`, the result is 2.
    strict_order: bool,
    /// True for `strict_increase`: the event for condition n must be later than the event for condition n - 1. Without
    /// `strict_increase`, both events can have the same time.
    strict_increase: bool,
}

impl FunnelModes {
    fn find(&mut self, name: &[u8]) -> Option<&mut bool> {
        match name {
            b"strict_order" => Some(&mut self.strict_order),
            b"strict_increase" => Some(&mut self.strict_increase),
            _ => None,
        }
    }
}

struct Funnel {
    /// Pairs of a row's time and the number of a condition that the row fulfils. The first condition has the number 1.
    /// In the mode `strict_order`, a row that fulfils no condition is stored with the number 0. In other modes, this
    /// row is not stored.
    events: Vec<(i128, usize)>,
    count: usize,
    window: i128,
    modes: FunnelModes,
}

impl Funnel {
    /// Returns the length of the longest chain of events. For example, a chain of length 2 fulfils condition 1 and then
    /// condition 2 within the time window.
    fn level(&self) -> usize {
        // For each condition: the times of the first and the last event of the latest chain that ends with this
        // condition.
        let mut chains: Vec<Option<(i128, i128)>> = vec![None; self.count];
        // Events with equal times are sorted by condition number, also if they come from one row.
        let mut events = self.events.clone();
        events.sort_unstable();

        for (time, number) in events {
            let has_begun = chains[0].is_some();
            let Some(at) = number.checked_sub(1) else {
                if has_begun {
                    break;
                }
                continue;
            };

            if at == 0 {
                chains[0] = Some((time, time));
            } else if let Some((start, last)) = chains[at - 1] {
                let is_later = !self.modes.strict_increase || last < time;
                // The end of the window wraps around in 64 bits, as in ClickHouse.
                if time <= wrap(start + self.window, 64, false) && is_later {
                    chains[at] = Some((start, time));
                }
            } else if self.modes.strict_order && has_begun {
                break;
            }
            if chains[self.count - 1].is_some() {
                return self.count;
            }
        }

        chains.iter().rposition(Option::is_some).map_or(0, |at| at + 1)
    }
}

impl State for Funnel {
    fn add(&mut self, args: &[Value]) -> Result<()> {
        let time = args[0].int();
        let before = self.events.len();
        let fulfilled = (1..=self.count).filter(|number| args[*number].is_true());
        self.events.extend(fulfilled.map(|number| (time, number)));
        if self.modes.strict_order && self.events.len() == before {
            self.events.push((time, 0));
        }
        Ok(())
    }

    fn finish(&self) -> Result<Value> {
        Ok(Value::Int(i128::try_from(self.level()).unwrap_or(0)))
    }

    fn size(&self) -> usize {
        // `level` copies the events to sort them.
        2 * self.events.len() * size_of::<(i128, usize)>() + 64
    }
}

/// One element of the pattern of `sequenceMatch`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PatternStep {
    /// An event that fulfils one condition, such as condition 1 for `(?1)`. The `u32` is a bit mask with the bit of
    /// this condition.
    Event(u32),
    /// `.` in a pattern: exactly one event. The event can fulfil any of the conditions.
    Any,
    /// `.*`: any number of events.
    Some,
    /// `(?t<=60)`: any number of events, with a condition on the elapsed time. In `(?1)(?t<=60)(?2)`, at most 60
    /// seconds may pass from the event of `(?1)` to the event of `(?2)`. For times of the type `Date`, the number 60
    /// means days.
    Time(Comparison, i128),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comparison {
    AtMost,
    Less,
    AtLeast,
    More,
    Equal,
}

impl Comparison {
    const ALL: [(&'static str, Comparison); 5] = [
        ("<=", Comparison::AtMost),
        ("<", Comparison::Less),
        (">=", Comparison::AtLeast),
        (">", Comparison::More),
        ("==", Comparison::Equal),
    ];

    fn holds(self, passed: i128, wanted: i128) -> bool {
        match self {
            Comparison::AtMost => passed <= wanted,
            Comparison::Less => passed < wanted,
            Comparison::AtLeast => passed >= wanted,
            Comparison::More => passed > wanted,
            Comparison::Equal => passed == wanted,
        }
    }
}

/// Creates `sequenceMatch(pattern)(time, first, second, ..)`, which returns 1 if the events match the pattern,
/// otherwise 0. Also creates `sequenceCount`, which returns the number of matches that do not overlap.
fn sequence(asked: &AggregateCall<'_>) -> Result<Made> {
    let count = conditions(asked, 1, 2)?;
    time(asked)?;
    let [Value::Text(pattern)] = asked.parameters else {
        return Err(asked.fault("write one parameter, an event pattern such as '(?1).*(?2)'"));
    };
    let pattern = String::from_utf8_lossy(pattern);
    let steps = steps(&pattern, count).ok_or_else(|| {
        asked.fault(&format!(
            "'{pattern}' is not a valid pattern: write for example '(?1).*(?2)', with condition numbers from 1 to {count}"
        ))
    })?;
    let counts = asked.name == "sequenceCount";
    let ty = if counts { UINT64 } else { BYTE };
    Made::new(ty, move || Sequence { events: Events::default(), steps: steps.clone(), counts })
}

fn steps(pattern: &str, conditions: usize) -> Option<Vec<PatternStep>> {
    let mut steps = Vec::new();
    let mut rest = pattern;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix(".*") {
            steps.push(PatternStep::Some);
            rest = after;
        } else if let Some(after) = rest.strip_prefix('.') {
            steps.push(PatternStep::Any);
            rest = after;
        } else {
            let (inside, after) = rest.strip_prefix("(?")?.split_once(')')?;
            steps.push(step(inside, conditions)?);
            rest = after;
        }
    }
    (!steps.is_empty()).then_some(steps)
}

/// Parses the text inside `(?` and `)` of a pattern: a condition number such as `1`, or a time comparison such as
/// `t<=60`.
fn step(inside: &str, conditions: usize) -> Option<PatternStep> {
    if let Some(time) = inside.strip_prefix('t') {
        let (sign, comparison) = Comparison::ALL.iter().find(|(sign, _)| time.starts_with(sign))?;
        return Some(PatternStep::Time(
            *comparison,
            time[sign.len()..].parse::<u32>().ok()?.into(),
        ));
    }
    let number: usize = inside.parse().ok().filter(|n| (1..=conditions).contains(n))?;
    Some(PatternStep::Event(1 << (number - 1)))
}

struct Sequence {
    events: Events,
    steps: Vec<PatternStep>,
    counts: bool,
}

/// Maximum number of steps in one search for an event pattern. A call of [`Search::end`] is one step. A search that
/// needs more steps returns an error.
const TRIES: usize = 1_000_000;

/// State of a search for a pattern in the events of a group.
struct Search<'a> {
    events: &'a [(i128, u32)],
    tries: usize,
}

impl Search<'_> {
    /// Matches the steps of a pattern with the events from index `at` on. Returns the index after the last matched
    /// event, or `None` if the steps do not match. `base` is the index of the event from which a step such as
    /// `(?t<=60)` measures the time.
    fn end(&mut self, steps: &[PatternStep], at: usize, base: usize) -> Result<Option<usize>> {
        self.tries += 1;
        if self.tries > TRIES {
            let message = format!("the search for an event pattern needs more than {TRIES} steps");
            return Err(Problem::TooMuch(message));
        }

        let Some((first, rest)) = steps.split_first() else { return Ok(Some(at)) };
        match *first {
            PatternStep::Event(bit) => match self.events.get(at) {
                Some((_, found)) if found & bit != 0 => self.end(rest, at + 1, at),
                _ => Ok(None),
            },
            PatternStep::Any if at < self.events.len() => self.end(rest, at + 1, at),
            PatternStep::Any => Ok(None),

            PatternStep::Some => {
                for next in at..=self.events.len() {
                    if let Some(end) = self.end(rest, next, next)? {
                        return Ok(Some(end));
                    }
                }
                Ok(None)
            }
            PatternStep::Time(comparison, wanted) => {
                let start = self.events.get(base).map_or(0, |(time, _)| *time);
                for next in at..self.events.len() {
                    let holds = comparison.holds(self.events[next].0 - start, wanted);
                    if holds && let Some(end) = self.end(rest, next, next)? {
                        return Ok(Some(end));
                    }
                }
                Ok(None)
            }
        }
    }
}

impl State for Sequence {
    fn add(&mut self, args: &[Value]) -> Result<()> {
        self.events.add(args);
        Ok(())
    }

    fn finish(&self) -> Result<Value> {
        let events = self.events.sorted();
        let mut search = Search { events: &events, tries: 0 };
        let (mut at, mut matches) = (0, 0);
        while at < events.len() {
            match search.end(&self.steps, at, at)? {
                Some(_) if !self.counts => return Ok(Value::Int(1)),
                Some(end) => {
                    matches += 1;
                    at = end.max(at + 1);
                }
                None => at += 1,
            }
        }
        Ok(Value::Int(matches))
    }

    fn size(&self) -> usize {
        self.events.size()
    }
}
