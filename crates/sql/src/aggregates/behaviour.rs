//! Aggregate functions over events of one actor: `retention`, `windowFunnel`, `sequenceMatch` and `sequenceCount`.

use super::{Asked, Made, State};
use crate::problem::{Problem, Result};
use crate::types::{BYTE, Type, UINT64};
use crate::value::Value;

pub(super) const NAMES: &[&str] = &["retention", "windowFunnel", "sequenceMatch", "sequenceCount"];

pub(super) fn make(asked: &Asked<'_>) -> Option<Result<Made>> {
    Some(match asked.name {
        "retention" => retention(asked),
        "windowFunnel" => funnel(asked),
        "sequenceMatch" | "sequenceCount" => sequence(asked),
        _ => return None,
    })
}

/// Maximum number of conditions, one bit each.
const MOST: usize = 32;

/// Checks that all arguments from `first` on are conditions, and returns their number.
fn conditions(asked: &Asked<'_>, first: usize, least: usize) -> Result<usize> {
    asked.takes(first + least..=first + MOST)?;
    for ty in &asked.types[first..] {
        if !matches!(ty, Type::Int { bits: 8, signed: false } | Type::Bool) {
            return Err(asked.fault(&format!("its conditions must be UInt8, not {ty}")));
        }
    }
    Ok(asked.types.len() - first)
}

/// Checks that the first argument is a time.
fn time(asked: &Asked<'_>) -> Result<()> {
    match asked.types.first() {
        Some(Type::Date | Type::DateTime(_) | Type::Int { bits: ..=64, signed: false }) => Ok(()),
        _ => Err(asked.fault("its first argument must be Date, DateTime or an unsigned number")),
    }
}

/// The conditions that hold, one bit each.
fn bits(args: &[Value]) -> u32 {
    args.iter().enumerate().filter(|(_, arg)| arg.is_true()).fold(0, |bits, (at, _)| bits | 1 << at)
}

/// `retention(first, second, ..)`: for each condition 1 if a row fulfils it and a row fulfils the first condition,
/// otherwise 0.
fn retention(asked: &Asked<'_>) -> Result<Made> {
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

/// Events of a group: the time of each row and the conditions that it fulfils.
#[derive(Default)]
struct Events(Vec<(i128, u32)>);

impl Events {
    fn add(&mut self, args: &[Value]) {
        let found = bits(&args[1..]);
        if found != 0 {
            self.0.push((args[0].int(), found));
        }
    }

    /// The events by time. Events of one time keep the order of their rows.
    fn sorted(&self) -> Vec<(i128, u32)> {
        let mut events = self.0.clone();
        events.sort_by_key(|(time, _)| *time);
        events
    }

    fn size(&self) -> usize {
        // The events are copied to be sorted.
        2 * self.0.len() * size_of::<(i128, u32)>() + 64
    }
}

/// `windowFunnel(window)(time, first, second, ..)`: the number of conditions that rows fulfil in order within the
/// time window.
fn funnel(asked: &Asked<'_>) -> Result<Made> {
    let count = conditions(asked, 1, 1)?;
    time(asked)?;
    let [window] = asked.parameters else {
        return Err(asked.fault("it takes one parameter, the length of the window, and no mode"));
    };
    let window = window.int();
    Made::new(BYTE, move || Funnel { events: Events::default(), count, window })
}

struct Funnel {
    events: Events,
    count: usize,
    window: i128,
}

impl State for Funnel {
    fn add(&mut self, args: &[Value]) -> Result<()> {
        self.events.add(args);
        Ok(())
    }

    fn finish(&self) -> Result<Value> {
        // For each condition, the start time of the latest chain that reaches it.
        let mut starts: Vec<Option<i128>> = vec![None; self.count];
        // Conditions at equal times count in their order, also within one row.
        let bits = |(time, found): (i128, u32)| {
            (0..self.count).filter(move |at| found >> at & 1 != 0).map(move |at| (time, at))
        };
        let mut events: Vec<(i128, usize)> = self.events.0.iter().copied().flat_map(bits).collect();
        events.sort_unstable();
        for (time, at) in events {
            if at == 0 {
                starts[0] = Some(time);
            } else if let Some(start) = starts[at - 1].filter(|start| time <= start + self.window) {
                starts[at] = Some(start);
            }
        }
        let reached = starts.iter().rposition(Option::is_some).map_or(0, |at| at + 1);
        Ok(Value::Int(i128::try_from(reached).unwrap_or(0)))
    }

    fn size(&self) -> usize {
        // The result needs one entry for each condition of an event.
        self.events.size() * (1 + self.count)
    }
}

/// A part of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// `(?1)`: an event that fulfils a condition.
    Event(u32),
    /// `.`: any one event.
    Any,
    /// `.*`: any number of events.
    Some,
    /// `(?t<=60)`: any number of events, after which the time since the last matched event must fulfil a comparison.
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

/// `sequenceMatch(pattern)(time, first, second, ..)`: 1 if the events match the pattern. `sequenceCount` counts matches that do
/// not overlap.
fn sequence(asked: &Asked<'_>) -> Result<Made> {
    let count = conditions(asked, 1, 2)?;
    time(asked)?;
    let [Value::Text(pattern)] = asked.parameters else {
        return Err(asked.fault("it takes one parameter, the pattern"));
    };
    let pattern = String::from_utf8_lossy(pattern);
    let steps = steps(&pattern, count).ok_or_else(|| {
        asked
            .fault(&format!("'{pattern}' is no pattern such as '(?1).*(?2)' of {count} conditions"))
    })?;
    let counts = asked.name == "sequenceCount";
    let ty = if counts { UINT64 } else { BYTE };
    Made::new(ty, move || Sequence { events: Events::default(), steps: steps.clone(), counts })
}

fn steps(pattern: &str, conditions: usize) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    let mut rest = pattern;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix(".*") {
            steps.push(Step::Some);
            rest = after;
        } else if let Some(after) = rest.strip_prefix('.') {
            steps.push(Step::Any);
            rest = after;
        } else {
            let (inside, after) = rest.strip_prefix("(?")?.split_once(')')?;
            steps.push(step(inside, conditions)?);
            rest = after;
        }
    }
    (!steps.is_empty()).then_some(steps)
}

/// Parses `1` or `t<=60`.
fn step(inside: &str, conditions: usize) -> Option<Step> {
    if let Some(time) = inside.strip_prefix('t') {
        let (sign, comparison) = Comparison::ALL.iter().find(|(sign, _)| time.starts_with(sign))?;
        return Some(Step::Time(*comparison, time[sign.len()..].parse::<u32>().ok()?.into()));
    }
    let number: usize = inside.parse().ok().filter(|n| (1..=conditions).contains(n))?;
    Some(Step::Event(1 << (number - 1)))
}

struct Sequence {
    events: Events,
    steps: Vec<Step>,
    counts: bool,
}

/// Maximum number of tried steps of a pattern.
const TRIES: usize = 1_000_000;

/// A search for matches.
struct Search<'a> {
    events: &'a [(i128, u32)],
    tries: usize,
}

impl Search<'_> {
    /// Index after the first match of the steps at an event. `base` is the last matched event.
    fn end(&mut self, steps: &[Step], at: usize, base: usize) -> Result<Option<usize>> {
        self.tries += 1;
        if self.tries > TRIES {
            let message = format!("a pattern of events takes more than {TRIES} steps");
            return Err(Problem::TooMuch(message));
        }
        let Some((first, rest)) = steps.split_first() else { return Ok(Some(at)) };
        match *first {
            Step::Event(bit) => match self.events.get(at) {
                Some((_, found)) if found & bit != 0 => self.end(rest, at + 1, at),
                _ => Ok(None),
            },
            Step::Any if at < self.events.len() => self.end(rest, at + 1, at),
            Step::Any => Ok(None),
            Step::Some => {
                for next in at..=self.events.len() {
                    if let Some(end) = self.end(rest, next, next)? {
                        return Ok(Some(end));
                    }
                }
                Ok(None)
            }
            Step::Time(comparison, wanted) => {
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
