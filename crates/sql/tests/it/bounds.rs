//! Tests that a query with conditions on the date or time reads only the days that can meet these conditions, and
//! returns the rows of a full scan.

use std::borrow::Cow;
use std::sync::Arc;

use crypto_intel_sql::{
    Column, Control, Database, Limits, Parsed, Prepared, Problem, Sink, Span, Table, Value, Window,
};

const DAY: i64 = 86_400;

/// Days of the test table, from 2026-05-20 to 2026-06-20.
const DAYS: std::ops::RangeInclusive<i64> = 20_593..=20_624;

/// A test table with one row per hour.
struct Hours {
    is_by_day: bool,
}

impl Database for Hours {
    fn name(&self) -> &str {
        ""
    }

    fn table(&self, _: &str) -> Option<Arc<dyn Table>> {
        Some(Arc::new(Hours { is_by_day: self.is_by_day }))
    }
}

impl Table for Hours {
    fn columns(&self) -> Vec<Column> {
        [("block_date", "Date"), ("block_time", "DateTime")]
            .map(|(name, ty)| Column { name: Cow::Borrowed(name), ty, comment: "" })
            .to_vec()
    }

    fn window(&self) -> Option<Window> {
        let window = Window { column: "block_date", time: Some("block_time"), most_days: None };
        self.is_by_day.then_some(window)
    }

    fn days(&self, (first, last): Span) -> (i64, i64) {
        if !self.is_by_day {
            return (0, 0);
        }
        let (first, last) = (first.unwrap_or(*DAYS.start()), last.unwrap_or(*DAYS.end()));
        (first.max(*DAYS.start()), last.min(*DAYS.end()))
    }

    fn estimate(&self, _: Span) -> i64 {
        1_000
    }

    fn read(&self, day: i64, wanted: &[usize], sink: &mut Sink<'_>) -> Result<(), Problem> {
        let days = if self.is_by_day { day..=day } else { DAYS };
        for time in days.flat_map(|day| (0..24).map(move |hour| day * DAY + hour * 3_600)) {
            let row = [Value::Int((time / DAY).into()), Value::Int(time.into())];
            sink(wanted.iter().map(|at| row[*at].clone()).collect())?;
        }
        Ok(())
    }
}

fn times(is_by_day: bool, condition: &str) -> Vec<Vec<String>> {
    let sql = format!("SELECT block_time FROM hours WHERE {condition} ORDER BY block_time");
    let table = Arc::new(Hours { is_by_day });
    let prepared = Prepared::new(&Parsed::read(&sql).unwrap(), table, 0).unwrap();
    let outcome = prepared.run(&Limits::default(), &Control::default());
    outcome.unwrap_or_else(|problem| panic!("{condition}: {problem}")).texts()
}

#[test]
fn tables_by_day_give_the_rows_of_whole_tables() {
    let zones = ["", ", 'Asia/Tokyo'", ", 'America/Los_Angeles'", ", 'Pacific/Kiritimati'"];
    let days = ["toDate(block_time@)", "toMonday(block_time@)", "toStartOfWeek(block_time, 1@)"];
    let starts = ["toStartOfMonth(block_time@)", "toStartOfYear(block_time@)"];
    let mut conditions = Vec::new();
    for zone in zones {
        for expression in days.iter().chain(&starts) {
            let expression = expression.replace('@', zone);
            for (operator, day) in [("=", 15), ("=", 1), (">=", 10), (">", 1), ("<", 14), ("<=", 8)]
            {
                conditions.push(format!("{expression} {operator} '2026-06-{day:02}'"));
                conditions.push(format!("toDate('2026-06-{day:02}') {operator} {expression}"));
            }
            conditions.push(format!("{expression} IN ('2026-06-08', '2026-06-10')"));
        }
        let midnight = format!("toDateTime('2026-06-10 00:00:00'{zone})");
        for operator in ["=", ">=", ">", "<", "<="] {
            conditions.push(format!("block_date {operator} {midnight}"));
            conditions.push(format!("toDate(block_time) {operator} {midnight}"));
        }
    }

    let wrong: Vec<_> = (conditions.iter())
        .filter(|condition| times(true, condition) != times(false, condition))
        .collect();
    assert!(wrong.is_empty(), "{} of {}: {wrong:#?}", wrong.len(), conditions.len());
    assert!(conditions.iter().any(|condition| !times(true, condition).is_empty()));
}
