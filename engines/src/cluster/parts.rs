//! Parts of the result rows of a statement. Each part is one file on one of the executors, with a known number of rows.

use ballista_core::serde::protobuf::PartitionLocation;
use datafusion::common::{DataFusionError, Result, exec_datafusion_err};

/// A file on an executor with a part of a statement's result rows.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) location: PartitionLocation,
    /// Number of rows in the file of this part, as reported by the scheduler.
    pub(super) rows: u64,
}

impl Part {
    /// Returns the address of the executor, such as `127.0.0.1:50051`.
    pub(super) fn executor(&self) -> String {
        let executor = self.location.executor_meta.as_ref();
        executor.map_or("?".to_owned(), |executor| format!("{}:{}", executor.host, executor.port))
    }
}

/// Returns the parts of a finished job in the order of their numbers, and checks that all `expected` parts exist. After
/// the loss of an executor, `locations` may contain several locations of one part. The function uses the last of them.
///
/// # Errors
/// Returns an error if `expected` is 0, if a part is missing or unexpected, or if the number of rows of a part is
/// unknown.
pub(super) fn complete(locations: Vec<PartitionLocation>, expected: usize) -> Result<Vec<Part>> {
    let mut parts: Vec<Option<Part>> = vec![None; expected];
    for location in locations {
        let number = location.partition_id.as_ref().map(|id| id.partition_id as usize);
        let rows = location.partition_stats.as_ref().map(|stats| stats.num_rows);
        let rows = rows.and_then(|rows| u64::try_from(rows).ok());
        let (Some(part), Some(rows)) = (number.and_then(|number| parts.get_mut(number)), rows)
        else {
            return Err(exec_datafusion_err!(
                "the scheduler reports an invalid partition of the result: index {number:?} of \
                 {expected} partitions, {rows:?} rows"
            ));
        };
        *part = Some(Part { location, rows });
    }

    let found = parts.iter().flatten().count();
    parts.into_iter().collect::<Option<Vec<_>>>().filter(|parts| !parts.is_empty()).ok_or_else(|| {
        exec_datafusion_err!(
            "the scheduler reports only {found} of {expected} partitions of the result: run the statement again"
        )
    })
}

/// Checks that all rows of a part have arrived.
///
/// # Errors
/// Returns an error if fewer or more rows arrived than the executor has written.
pub(super) fn check_rows(part: &Part, arrived: u64) -> Result<(), DataFusionError> {
    if arrived == part.rows {
        return Ok(());
    }
    Err(exec_datafusion_err!(
        "executor {} wrote {} rows, but {arrived} rows arrived. Run the statement again",
        part.executor(),
        part.rows
    ))
}

#[cfg(test)]
mod tests {
    use ballista_core::serde::protobuf::{ExecutorMetadata, PartitionId, PartitionStats};

    use super::*;

    fn location(number: u32, executor: &str, num_rows: i64) -> PartitionLocation {
        let partition_id = PartitionId { partition_id: number, ..Default::default() };
        let executor =
            ExecutorMetadata { host: executor.to_owned(), port: 1, ..Default::default() };
        PartitionLocation {
            partition_id: Some(partition_id),
            executor_meta: Some(executor),
            partition_stats: Some(PartitionStats { num_rows, ..Default::default() }),
            ..Default::default()
        }
    }

    #[test]
    fn part_of_a_lost_executor_is_read_from_the_executor_that_wrote_it_again() {
        let locations = vec![location(1, "lost", 5), location(0, "a", 3), location(1, "b", 5)];
        let parts = complete(locations, 2).unwrap();
        let parts: Vec<_> = parts.iter().map(|part| (part.executor(), part.rows)).collect();
        assert_eq!(parts, [("a:1".to_owned(), 3), ("b:1".to_owned(), 5)]);
    }

    #[test]
    fn success_without_all_parts_is_an_error() {
        for (locations, expected) in [
            (vec![], 0),
            (vec![], 1),
            (vec![location(0, "a", 3)], 2),
            (vec![location(1, "a", 3)], 2),
            (vec![location(0, "a", 3), location(2, "a", 3)], 2),
            (vec![location(0, "a", -1)], 1),
            (vec![PartitionLocation::default()], 1),
        ] {
            assert!(complete(locations.clone(), expected).is_err(), "{locations:?}");
        }
    }

    #[test]
    fn fewer_or_more_rows_than_written_are_an_error() {
        let part = &complete(vec![location(0, "a", 3)], 1).unwrap()[0];
        check_rows(part, 3).unwrap();
        for arrived in [0, 2, 4] {
            let error = check_rows(part, arrived).unwrap_err().to_string();
            let expected = format!("executor a:1 wrote 3 rows, but {arrived} rows arrived");
            assert!(error.contains(&expected), "{error}");
        }
    }
}
