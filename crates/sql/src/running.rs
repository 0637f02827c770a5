//! State of a running query: its limits, its progress, and the memory and time used so far.

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::problem::{Problem, Result};
use crate::value::Value;

/// Number of units of work between two checks of the time limit. Reading one row, for example, is one unit of work.
const STEPS: u32 = 4_096;

/// The values of one row.
pub(crate) type Row = Vec<Value>;

/// The limits of one query.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Maximum number of rows in the result. Further rows are dropped.
    pub max_rows: usize,
    /// Maximum estimated number of rows to read from tables. A query with a larger estimate is rejected before it runs.
    /// The actual number of rows is not checked.
    pub rows_to_read: i64,
    /// Maximum time that the query can run.
    pub time: Duration,
    /// Length of the pause after the query has read all rows of one calendar day from a table. A query without such a
    /// day, such as `SELECT 1`, pauses once at its start.
    pub pause: Duration,
    /// Maximum memory in bytes for rows, states of aggregate functions, and lists.
    pub memory: usize,
    /// Maximum size of the result in bytes.
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

/// Progress of a running query, and a way to stop the query from another thread.
#[derive(Debug, Default)]
pub struct Control {
    stopped: AtomicBool,
    rows: AtomicU64,
    bytes: AtomicU64,
    /// Number of days that were completely read, summed over all tables. For example, 3 days of one table and 3
    /// days of another table count as 6 days. `whole` is the total number of days to read.
    done: AtomicU64,
    whole: AtomicU64,
}

impl Control {
    /// Stops the query. The query ends at the next check of its limits with [`Problem::Stopped`].
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Returns true if [`stop`](Control::stop) was called.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Returns the number of rows and the number of bytes that were read from tables so far.
    #[must_use]
    pub fn read(&self) -> (u64, u64) {
        (self.rows.load(Ordering::Relaxed), self.bytes.load(Ordering::Relaxed))
    }

    /// Returns the progress of the query in percent, from 0 to 90. The progress is 90 percent after all days were read
    /// from the tables. Values above 90 are not used, because the query still processes rows after the last day.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a count of days is far below 2^53")]
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

/// State of a running query: its limits, progress, deadline and memory in use.
pub(crate) struct Running<'a> {
    pub(crate) limits: &'a Limits,
    control: &'a Control,
    until: Instant,
    steps: Cell<u32>,
    memory: Cell<usize>,
    /// Current rows of the enclosing queries. The row of the outermost query is the first.
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

    /// Counts one unit of work, such as one row, and checks the limits once per 4,096 units. The check returns an error
    /// if the query was stopped or exceeded its time limit.
    pub(crate) fn tick(&self) -> Result<()> {
        let steps = self.steps.get() + 1;
        if steps < STEPS {
            self.steps.set(steps);
            return Ok(());
        }
        self.steps.set(0);
        self.check()
    }

    /// Counts `steps` units of work, at most 4,096, and calls `tick`. Use this method before long work that does not
    /// call `tick`, for example a search in the rows of a window.
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

    /// Adds `bytes` to the memory in use. Returns an error if the memory limit is exceeded.
    pub(crate) fn hold(&self, bytes: usize) -> Result<()> {
        let held = self.memory.get().saturating_add(bytes);
        self.memory.set(held);
        if held > self.limits.memory {
            let message = "the query exceeds its memory limit";
            return Err(Problem::TooMuch(message.to_owned()));
        }
        Ok(())
    }

    /// Subtracts `before` bytes from the memory in use and adds `now` bytes. Returns an error if the memory limit is
    /// exceeded.
    pub(crate) fn hold_instead(&self, before: usize, now: usize) -> Result<()> {
        self.release(before.saturating_sub(now));
        self.hold(now.saturating_sub(before))
    }

    pub(crate) fn hold_row(&self, row: &[Value]) -> Result<()> {
        self.tick()?;
        self.hold(row.iter().map(Value::size).sum::<usize>() + 24)
    }

    /// Subtracts `bytes` from the memory in use.
    pub(crate) fn release(&self, bytes: usize) {
        self.memory.set(self.memory.get().saturating_sub(bytes));
    }

    /// Returns a value of the current row of an enclosing query. `out` is 1 for the directly enclosing query, and `at`
    /// is the index in the row.
    pub(crate) fn outer(&self, out: usize, at: usize) -> Value {
        let outer = self.outer.borrow();
        let row = outer.len().checked_sub(out).and_then(|place| outer.get(place));
        row.and_then(|row| row.get(at)).cloned().unwrap_or_default()
    }

    /// Calls `work`, which runs a correlated subquery. `row` is the current row of the enclosing query.
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

    /// Sleeps for [`Limits::pause`]. Returns an error early if the query is stopped or exceeds its time limit.
    pub(crate) fn pause(&self) -> Result<()> {
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

/// Maximum size in bytes of a string or an array that a function returns.
const LARGEST_VALUE: usize = 16 << 20;

/// Returns an error if `size`, the size in bytes of a string or an array, exceeds [`LARGEST_VALUE`].
pub(crate) fn check_size(size: usize) -> Result<()> {
    if size > LARGEST_VALUE {
        let message = "the query creates a string or an array that is too large";
        return Err(Problem::TooMuch(message.to_owned()));
    }
    Ok(())
}
