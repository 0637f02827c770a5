//! Parser for the clauses SETTINGS and FORMAT at the end of a query.

use super::Parser;
use crate::lex::TokenKind;
use crate::problem::{Problem, Result};

/// Settings that change how a query runs, but never the rows of its result. The engine ignores them.
const WITHOUT_EFFECT: &[&str] = &[
    "join_algorithm",
    "log_comment",
    "log_queries",
    "max_block_size",
    "max_bytes_before_external_group_by",
    "max_bytes_before_external_sort",
    "max_execution_time",
    "max_insert_threads",
    "max_memory_usage",
    "max_threads",
    "priority",
    "use_query_cache",
    "use_skip_indexes",
    "use_uncompressed_cache",
];

/// Name prefixes of settings that never change the rows of the result. The engine ignores these settings, as it ignores
/// the settings in [`WITHOUT_EFFECT`].
const FAMILIES: &[&str] = &["optimize_", "query_plan_", "enable_optimize_", "query_cache_"];

/// Formats that the clause FORMAT accepts. Both contain one JSON object per row, as the results of this engine do.
const FORMATS: &[&str] = &["JSON", "JSONEachRow"];

impl Parser<'_> {
    /// Parses `SETTINGS a = 1, b = 'c'` after a SELECT.
    pub(super) fn settings(&mut self) -> Result<()> {
        if !self.is("SETTINGS") {
            return Ok(());
        }
        let start = self.at;
        self.next();
        loop {
            let name = self.name()?;
            self.expect("=")?;
            let value = self.next();
            self.setting(&name, &value)?;
            if !self.symbol(",") {
                break;
            }
        }
        self.tail.get_or_insert(start);
        Ok(())
    }

    fn setting(&mut self, name: &str, value: &TokenKind) -> Result<()> {
        let number = match value {
            TokenKind::Number(digits) => Some(digits.as_str()),
            _ => None,
        };
        if name == "join_use_nulls" && matches!(number, Some("0" | "1")) {
            if self.depth > 1 {
                let message = "`join_use_nulls` is allowed only at the end of the whole query";
                return Err(Problem::text(message));
            }
            self.use_nulls = number == Some("1");
            return Ok(());
        }
        let is_ignored = WITHOUT_EFFECT.contains(&name)
            || FAMILIES.iter().any(|family| name.starts_with(family));
        if !is_ignored {
            let message = format!("the setting `{name}` cannot be changed: the service sets it");
            return Err(Problem::text(message));
        }
        match value {
            TokenKind::Number(_) => Ok(()),
            TokenKind::Text(_) if matches!(name, "log_comment" | "join_algorithm") => Ok(()),
            _ => Err(Problem::text(format!("the setting `{name}` must be a number"))),
        }
    }

    /// Parses `FORMAT JSON` at the end of a statement. Returns an error for formats that are not in [`FORMATS`].
    pub(super) fn format(&mut self) -> Result<()> {
        if !self.is("FORMAT") {
            return Ok(());
        }
        self.tail.get_or_insert(self.at);
        self.next();
        let name = self.name()?;
        if FORMATS.contains(&name.as_str()) {
            return Ok(());
        }
        Err(Problem::text(format!(
            "FORMAT {name} is not supported: rows are always returned as JSON"
        )))
    }
}
