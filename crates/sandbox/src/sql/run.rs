//! Running a query: an engine of its own in memory, the days of the tables that it needs, and
//! then the query, watched all the time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::types::Value;
use rusqlite::{Connection, Error, ErrorCode, OpenFlags};

use crate::context::Context;
use crate::cursor::Cursors;
use crate::random::Seed;

use super::compile::{Compiled, Use, compile};
use super::functions;
use super::parse::Parsed;
use super::problem::Problem;
use super::rows::Table;

/// Steps of the engine between two looks at the clock: a fraction of a millisecond.
const STEPS: i32 = 5_000;
/// Bytes that all queries of a process may hold together. The engine's limit is one of the
/// process, which is the only kind it has.
const HEAP: i64 = 512 << 20;
/// Bytes of one result.
const LARGEST: usize = 16 << 20;

/// What the rows of tables are made from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct World {
    pub(crate) seed: Seed,
    /// Unix seconds.
    pub(crate) now: i64,
}

impl World {
    /// Shows the world as requests see it.
    fn with<T>(self, work: impl FnOnce(&Context<'_>) -> T) -> T {
        let cursors = Cursors::new(self.seed);
        work(&Context {
            world: crate::world::Context { seed: self.seed, now: self.now },
            cursors: &cursors,
            nonce: 0,
            credits_used: 0,
            cached: false,
        })
    }
}

/// How far a query has come, and whether it shall go on.
#[derive(Debug, Default)]
pub(crate) struct Control {
    stopped: AtomicBool,
    rows: AtomicU64,
    bytes: AtomicU64,
    /// Days of tables, read and in all.
    done: AtomicU64,
    whole: AtomicU64,
}

impl Control {
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Rows and bytes read so far.
    pub(crate) fn read(&self) -> (u64, u64) {
        (self.rows.load(Ordering::Relaxed), self.bytes.load(Ordering::Relaxed))
    }

    /// Percent of what is to be read.
    #[expect(clippy::cast_precision_loss, reason = "days of tables are few")]
    pub(crate) fn percent(&self) -> f64 {
        let whole = self.whole.load(Ordering::Relaxed);
        if whole == 0 {
            return 0.0;
        }
        // What the engine does with the rows comes after reading them.
        let share = self.done.load(Ordering::Relaxed) as f64 / whole as f64;
        (share * 9_000.0).round() / 100.0
    }
}

/// What a query may use.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) max_rows: usize,
    pub(crate) rows_to_read: i64,
    pub(crate) time: Duration,
    /// How long it rests after each day of a table.
    pub(crate) pause: Duration,
}

/// A query under way.
pub(super) struct Run {
    pub(super) engine: Connection,
    world: World,
    limits: Limits,
    control: Arc<Control>,
    until: Instant,
}

impl Run {
    /// An engine without tables.
    pub(super) fn open(
        world: World,
        limits: Limits,
        control: Arc<Control>,
    ) -> Result<Self, Problem> {
        let until = Instant::now() + limits.time;
        let watched = Arc::clone(&control);
        let open = || -> Result<Connection, Error> {
            let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
                | OpenFlags::SQLITE_OPEN_MEMORY
                | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            let engine = Connection::open_in_memory_with_flags(flags)?;

            for (limit, most) in [
                (Limit::SQLITE_LIMIT_LENGTH, 2 << 20),
                (Limit::SQLITE_LIMIT_SQL_LENGTH, 2 << 20),
                (Limit::SQLITE_LIMIT_ATTACHED, 0),
                (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 500),
                (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 200),
                (Limit::SQLITE_LIMIT_TRIGGER_DEPTH, 0),
                (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
            ] {
                engine.set_limit(limit, most)?;
            }

            engine.execute_batch(&format!(
                "PRAGMA temp_store = MEMORY; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; \
                 PRAGMA trusted_schema = OFF; PRAGMA case_sensitive_like = ON; \
                 PRAGMA hard_heap_limit = {HEAP};"
            ))?;
            functions::register(&engine)?;
            let is_over = move || watched.is_stopped() || Instant::now() >= until;
            engine.progress_handler(STEPS, Some(is_over))?;

            Ok(engine)
        };
        let engine = open().map_err(|error| Problem::Internal(error.to_string()))?;

        Ok(Run { engine, world, limits, control, until })
    }

    pub(super) fn compile(&self, parsed: &Parsed) -> Result<Compiled, Problem> {
        compile(&self.engine, parsed, self.world.now)
    }

    /// The rows of a compiled query.
    ///
    /// # Errors
    /// For what is past its limits, and for values that do not fit.
    pub(super) fn rows(self, compiled: Compiled) -> Result<Table, Problem> {
        if let Some(breach) = compiled.breaches.first() {
            return Err(breach.problem());
        }
        self.load(&compiled.uses)?;
        let guarded = |context: AuthContext<'_>| match context.action {
            AuthAction::Select
            | AuthAction::Read { .. }
            | AuthAction::Function { .. }
            | AuthAction::Recursive => Authorization::Allow,
            _ => Authorization::Deny,
        };
        // Everything that is to be written is.
        let engine = &self.engine;
        engine.authorizer(Some(guarded)).map_err(|error| self.problem(&error))?;
        self.fetch(&compiled).map(|rows| Table { columns: compiled.columns, rows })
    }

    fn fetch(&self, compiled: &Compiled) -> Result<Vec<Vec<Value>>, Problem> {
        let problem = |error: Error| self.problem(&error);
        let mut statement = self.engine.prepare(&compiled.sql).map_err(problem)?;
        for at in 1..=statement.parameter_count() {
            if let Some(text) = compiled.parameters.get(at - 1) {
                statement.raw_bind_parameter(at, text).map_err(problem)?;
            }
        }

        let width = compiled.columns.len();
        let most =
            compiled.most.map_or(self.limits.max_rows, |most| most.min(self.limits.max_rows));
        let mut found = Vec::new();
        let mut size = 0;
        let mut rows = statement.raw_query();

        while found.len() < most {
            let Some(row) = rows.next().map_err(problem)? else { break };
            let mut cells = Vec::with_capacity(width);
            for at in 0..width {
                let cell: Value = row.get(at).map_err(problem)?;
                size += size_of(&cell);
                cells.push(cell);
            }

            if size > LARGEST {
                let message = format!("the result is larger than {LARGEST} bytes");
                return Err(Problem::TooMuch(message));
            }

            found.push(cells);
        }

        Ok(found)
    }

    /// Makes the tables that a query reads, only the columns that it names.
    fn load(&self, uses: &[Use]) -> Result<(), Problem> {
        let now = self.world.now;
        let mut expected = 0_i64;
        let mut days = 0;

        for used in uses {
            expected = expected.saturating_add(used.table.estimate(used.span(), now).rows);
            let (first, last) = used.table.days_in(used.span(), now);
            days += u64::try_from(last - first + 1).unwrap_or(0);
        }

        if expected > self.limits.rows_to_read {
            let most = self.limits.rows_to_read;
            let message = format!("the query reads about {expected} rows, and {most} is the most");
            return Err(Problem::TooMuch(message));
        }

        self.control.whole.store(days.max(1), Ordering::Relaxed);
        if days == 0 {
            self.rest()?;
        }

        self.engine.execute_batch("BEGIN").map_err(|error| self.problem(&error))?;
        for (at, used) in uses.iter().enumerate() {
            self.world.with(|ctx| self.load_one(ctx, at, used))?;
        }

        self.engine.execute_batch("COMMIT").map_err(|error| self.problem(&error))
    }

    fn load_one(&self, ctx: &Context<'_>, at: usize, used: &Use) -> Result<(), Problem> {
        let problem = |error: Error| self.problem(&error);
        let mut wanted: Vec<usize> = used.columns.iter().copied().collect();
        if wanted.is_empty() {
            // Rows may be counted without any column.
            wanted.push(0);
        }

        let names: Vec<_> = wanted.iter().map(|column| format!("c{column}")).collect();
        let table = format!("CREATE TABLE t{at} ({})", names.join(", "));
        self.engine.execute_batch(&table).map_err(problem)?;
        let marks = vec!["?"; wanted.len()].join(", ");
        let insert = format!("INSERT INTO t{at} VALUES ({marks})");
        let mut insert = self.engine.prepare(&insert).map_err(problem)?;
        let (first, last) = used.table.days_in(used.span(), self.world.now);

        for day in first..=last {
            self.check()?;
            let mut sink = |cells: Vec<Value>| -> Result<(), Problem> {
                let bytes: usize = cells.iter().map(size_of).sum();
                for (place, cell) in cells.iter().enumerate() {
                    insert.raw_bind_parameter(place + 1, cell).map_err(problem)?;
                }
                insert.raw_execute().map_err(problem)?;
                self.control.rows.fetch_add(1, Ordering::Relaxed);
                self.control.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
                Ok(())
            };
            used.table.read(ctx, day, &wanted, &mut sink)?;
            self.control.done.fetch_add(1, Ordering::Relaxed);
            self.rest()?;
        }

        Ok(())
    }

    /// Waits as long as it was told to, awake for the wish to stop.
    fn rest(&self) -> Result<(), Problem> {
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

    fn check(&self) -> Result<(), Problem> {
        if self.control.is_stopped() {
            return Err(Problem::Stopped);
        }
        if Instant::now() >= self.until {
            return Err(Problem::TooLong(self.limits.time.as_secs()));
        }
        Ok(())
    }

    /// What an error of the engine means, which tells of the wish to stop and of the clock alike.
    fn problem(&self, error: &Error) -> Problem {
        match self.check() {
            Err(problem) if is_interrupt(error) => problem,
            _ => problem_of(error),
        }
    }
}

/// Bytes of a cell.
pub(super) fn size_of(cell: &Value) -> usize {
    match cell {
        Value::Text(text) => text.len(),
        Value::Blob(bytes) => bytes.len(),
        Value::Null | Value::Integer(_) | Value::Real(_) => 8,
    }
}

fn is_interrupt(error: &Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::OperationInterrupted)
}

/// What an error of the engine means.
pub(super) fn problem_of(error: &Error) -> Problem {
    let message = match error {
        Error::SqliteFailure(_, Some(message)) => message.clone(),
        Error::SqlInputError { msg, .. } => msg.clone(),
        other => other.to_string(),
    };
    match error.sqlite_error_code() {
        Some(ErrorCode::OperationInterrupted) => Problem::Stopped,
        Some(ErrorCode::OutOfMemory) => {
            Problem::TooMuch("the query needs more memory than there is for it".to_owned())
        }
        Some(ErrorCode::TooBig) => {
            Problem::TooMuch("the query makes a text or an array that is too large".to_owned())
        }
        Some(ErrorCode::Unknown) | None => Problem::Text(message),
        Some(_) => Problem::Internal(message),
    }
}
