//! The state of a running query: its limits, its progress, and the memory and time that it has used.

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::problem::{Problem, Result};
use crate::value::Value;

/// Number of steps after which the time limit is checked.
const STEPS: u32 = 4_096;

/// The values of one row.
pub(crate) type Row = Vec<Value>;

/// The limits of one query.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Maximum rows of the result. Further rows are cut off.
    pub max_rows: usize,
    /// Maximum rows to read from tables, by the estimates of the tables.
    pub rows_to_read: i64,
    /// Maximum run time.
    pub time: Duration,
    /// Pause after each day that is read from a table.
    pub pause: Duration,
    /// Maximum bytes of memory for rows, states and lists.
    pub memory: usize,
    /// Maximum bytes of the result.
    pub result: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            max_rows: 10_000,
            rows_to_read: 2_000_000,
            time: Duration::from_secs(30),
            pause: Duration::ZERO,
            memory: 512 << 20,
            result: 16 << 20,
        }
    }
}

/// The progress of a running query, and a way to stop it from another thread.
#[derive(Debug, Default)]
pub struct Control {
    stopped: AtomicBool,
    rows: AtomicU64,
    bytes: AtomicU64,
    /// Number of days of tables that were read. `whole` is the number of days to read in total.
    done: AtomicU64,
    whole: AtomicU64,
}

impl Control {
    /// Stops the query at its next check.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Returns true after a call of [`stop`](Control::stop).
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Returns the rows and bytes read so far.
    #[must_use]
    pub fn read(&self) -> (u64, u64) {
        (self.rows.load(Ordering::Relaxed), self.bytes.load(Ordering::Relaxed))
    }

    /// Returns the percentage of the days that were read, at most 90: the query also needs time after it has read its
    /// last row.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "days of tables are few")]
    pub fn percent(&self) -> f64 {
        let whole = self.whole.load(Ordering::Relaxed);
        if whole == 0 {
            return 0.0;
        }
        // After the last row is read, the query still processes rows.
        let share = self.done.load(Ordering::Relaxed).min(whole) as f64 / whole as f64;
        (share * 9_000.0).round() / 100.0
    }
}

/// A running query.
pub(crate) struct Running<'a> {
    pub(crate) limits: &'a Limits,
    control: &'a Control,
    until: Instant,
    steps: Cell<u32>,
    memory: Cell<usize>,
    /// Current rows of the enclosing queries, the outermost first.
    outer: RefCell<Vec<Row>>,
}

impl<'a> Running<'a> {
    pub(crate) fn new(limits: &'a Limits, control: &'a Control) -> Self {
        Running {
            limits,
            control,
            until: Instant::now() + limits.time,
            steps: Cell::new(0),
            memory: Cell::new(0),
            outer: RefCell::default(),
        }
    }

    /// Counts a step. Every 4,096 steps it checks the time limit.
    pub(crate) fn tick(&self) -> Result<()> {
        let steps = self.steps.get() + 1;
        if steps < STEPS {
            self.steps.set(steps);
            return Ok(());
        }
        self.steps.set(0);
        self.check()
    }

    /// Counts the steps of work that cannot be interrupted, such as sorting this number of items.
    pub(crate) fn work(&self, steps: usize) -> Result<()> {
        let steps = u32::try_from(steps).unwrap_or(STEPS).min(STEPS);
        self.steps.set(self.steps.get().saturating_add(steps));
        self.tick()
    }

    /// Returns an error if the query was stopped or exceeded its time limit.
    pub(crate) fn check(&self) -> Result<()> {
        if self.control.is_stopped() {
            return Err(Problem::Stopped);
        }
        if Instant::now() >= self.until {
            return Err(Problem::TooLong(self.limits.time));
        }
        Ok(())
    }

    /// Adds to the bytes in use. Returns an error above the memory limit.
    pub(crate) fn hold(&self, bytes: usize) -> Result<()> {
        let held = self.memory.get().saturating_add(bytes);
        self.memory.set(held);
        if held > self.limits.memory {
            let message = "the query exceeds its memory limit";
            return Err(Problem::TooMuch(message.to_owned()));
        }
        Ok(())
    }

    /// Subtracts `before` from the bytes in use, and adds `now`. Returns an error above the memory limit.
    pub(crate) fn hold_instead(&self, before: usize, now: usize) -> Result<()> {
        self.release(before.saturating_sub(now));
        self.hold(now.saturating_sub(before))
    }

    pub(crate) fn hold_row(&self, row: &[Value]) -> Result<()> {
        self.tick()?;
        self.hold(row.iter().map(Value::size).sum::<usize>() + 24)
    }

    /// Subtracts from the bytes in use.
    pub(crate) fn release(&self, bytes: usize) {
        self.memory.set(self.memory.get().saturating_sub(bytes));
    }

    /// Returns a value of the current row of an enclosing query, `out` levels outside.
    pub(crate) fn outer(&self, out: usize, at: usize) -> Value {
        let outer = self.outer.borrow();
        let row = outer.len().checked_sub(out).and_then(|place| outer.get(place));
        row.and_then(|row| row.get(at)).cloned().unwrap_or_default()
    }

    /// Runs `work` for a row of the enclosing query.
    pub(crate) fn inside<T>(&self, row: &[Value], work: impl FnOnce() -> Result<T>) -> Result<T> {
        self.outer.borrow_mut().push(row.to_vec());
        let done = work();
        self.outer.borrow_mut().pop();
        done
    }

    pub(crate) fn expect_days(&self, days: u64) {
        self.control.whole.store(days.max(1), Ordering::Relaxed);
    }

    pub(crate) fn count_day(&self) {
        self.control.done.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn count_row(&self, row: &[Value]) {
        let bytes: usize = row.iter().map(|value| value.bytes().len().max(8)).sum();
        self.control.rows.fetch_add(1, Ordering::Relaxed);
        self.control.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// Sleeps for the pause of the limits. Returns early with an error if the query is stopped.
    pub(crate) fn rest(&self) -> Result<()> {
        let end = Instant::now() + self.limits.pause;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            std::thread::sleep(left.min(Duration::from_millis(5)));
            self.check()?;
        }
    }
}

/// Largest size in bytes of a string or an array that a function may return.
const LARGEST_VALUE: usize = 16 << 20;

/// Returns an error if a string or an array of this size in bytes is too large.
pub(crate) fn fits(size: usize) -> Result<()> {
    if size > LARGEST_VALUE {
        let message = "the query creates a string or an array that is too large";
        return Err(Problem::TooMuch(message.to_owned()));
    }
    Ok(())
}
