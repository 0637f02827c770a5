//! SQL tables, which contain the same data as the data endpoints.
//!
//! The sandbox does not store the rows. A table generates the rows of a day when a query reads them. The table and the
//! data endpoint with the same data use equal random seeds.

mod chain;
mod chains;
mod market;
mod table;
mod venues;

use std::sync::LazyLock;

#[cfg(feature = "page")]
use crypto_intel_sql::Column;
#[cfg(feature = "page")]
use serde_json::{Value as Json, json};

pub(super) use table::{DATE, Estimate, Table};

/// All SQL tables, sorted by name.
pub(super) static TABLES: LazyLock<Vec<Table>> = LazyLock::new(|| {
    let mut tables = chains::tables();
    tables.extend(market::tables());
    tables.extend(venues::tables());
    tables.sort_by(|a, b| a.name.cmp(&b.name));
    tables
});

/// Finds the SQL table `agent.{name}`.
pub(super) fn find(name: &str) -> Option<&'static Table> {
    TABLES.iter().find(|table| table.name == name)
}

/// Returns all SQL tables with their columns as JSON, for the web page.
#[cfg(feature = "page")]
pub(crate) fn tables_shown() -> Json {
    let column = |column: &Column| json!({"name": column.name, "type": column.ty, "comment": column.comment});
    let columns = |table: &Table| table.columns().iter().map(column).collect::<Json>();
    TABLES.iter().map(|table| json!({"name": table.name, "columns": columns(table)})).collect()
}

#[cfg(test)]
mod tests {
    use crypto_intel_sql::Type;

    use super::*;

    #[test]
    fn every_table_says_what_it_is() {
        assert!(TABLES.len() >= 20, "{}", TABLES.len());
        for table in TABLES.iter() {
            let columns = table.columns();
            let name = &table.name;
            assert!(
                name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
            );
            for column in &columns {
                assert!(Type::read(column.ty).is_ok(), "{name}.{} {}", column.name, column.ty);
                assert!(!column.comment.is_empty(), "{name}.{}", column.name);
                let same = columns.iter().filter(|other| other.name == column.name);
                assert_eq!(same.count(), 1, "{name}.{}", column.name);
            }
            let has_date = columns.iter().any(|column| column.name == DATE);
            assert!(has_date || table.days.is_none(), "{name}");
            let large = ["_transfers", "_dex_trades", "_transactions", "_event_logs", "_traces"];
            assert_eq!(table.is_large, large.iter().any(|end| name.ends_with(end)), "{name}");
        }
    }
}
