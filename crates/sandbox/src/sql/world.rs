//! Makes the generated data available to the SQL engine as a database.

use std::sync::Arc;

use crypto_intel_sql::{Column, Database, Problem, Sink, Span, Table as Source, Window};

use crate::context::Context;
use crate::cursor::Cursors;
use crypto_intel_world::ScenarioEffects;
use crypto_intel_world::random::Seed;

use super::tables::{self, DATE, Table};

/// Maximum number of days between the first and the last day that a query reads from a large table. For example, 365
/// allows a query that reads the days from `today() - 365` to `today()`.
const MOST_DAYS: i64 = 365;

/// Database of generated data. Its random seed, time and scenarios determine the rows of all tables.
#[derive(Debug, Clone, Copy)]
pub(crate) struct World {
    pub(crate) seed: Seed,
    /// Current time of the sandbox in Unix seconds.
    pub(crate) now: i64,
    pub(crate) scenario: ScenarioEffects,
}

impl World {
    /// Calls `work` with a context that generates the same data as the data endpoints.
    pub(super) fn with<T>(self, work: impl FnOnce(&Context<'_>) -> T) -> T {
        let cursors = Cursors::new(self.seed);
        let world =
            crypto_intel_world::Context { seed: self.seed, now: self.now, scenario: self.scenario };
        work(&Context::new(world, &cursors))
    }
}

impl Database for World {
    fn name(&self) -> &str {
        "agent"
    }

    fn table(&self, name: &str) -> Option<Arc<dyn Source>> {
        let table = tables::find(name)?;
        Some(Arc::new(Shown { table, world: *self }))
    }
}

/// A SQL table of generated data. `world` contains the random seed, time and scenarios that determine the rows.
struct Shown {
    table: &'static Table,
    world: World,
}

impl Source for Shown {
    fn columns(&self) -> Vec<Column> {
        self.table.columns()
    }

    fn window(&self) -> Option<Window> {
        self.table.days?;
        let most_days = self.table.is_large.then_some(MOST_DAYS);
        Some(Window { column: DATE, time: Some("block_time"), most_days })
    }

    fn days(&self, span: Span) -> (i64, i64) {
        self.table.days_in(span, self.world.now)
    }

    fn estimate(&self, span: Span) -> i64 {
        self.table.estimate(span, self.world.now).rows
    }

    fn read(&self, day: i64, wanted: &[usize], sink: &mut Sink<'_>) -> Result<(), Problem> {
        self.world.with(|ctx| self.table.read(ctx, day, wanted, sink))
    }
}
