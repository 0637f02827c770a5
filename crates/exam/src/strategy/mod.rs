//! Scripted strategies, which answer the questions as an agent could: only through the tools.
//!
//! In: a plan and the tools. Out: an answer. The plan lists the needed data, but like an agent a strategy can read
//! them only through the tools. If a tool reports that an entity does not exist or that a budget is exceeded, the
//! answer is null.

mod frugal;
mod naive;
mod over_results;
mod projection;
mod shown_rows;

use serde_json::{Map, Value};

use crate::plan::{Arguments, Plan, evaluate};
use crate::tools::Tools;

/// A scripted strategy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Strategy {
    /// Reads all rows with all fields, page by page.
    Naive,
    /// Reads only the needed fields with jq, in large pages, and computes itself.
    Frugal,
    /// Reads in large pages, and computes with SQL over the stored results.
    Sql,
}

impl Strategy {
    /// All strategies.
    pub const ALL: [Strategy; 3] = [Strategy::Naive, Strategy::Frugal, Strategy::Sql];

    /// Returns the name of the strategy.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Strategy::Naive => "naive",
            Strategy::Frugal => "frugal",
            Strategy::Sql => "sql",
        }
    }

    pub(crate) async fn solve(self, plan: &Plan, tools: &Tools) -> Result<Value, String> {
        match self {
            Strategy::Naive => evaluate(plan, &mut naive::Naive(tools)).await,
            Strategy::Frugal => evaluate(plan, &mut frugal::Frugal { tools, plan }).await,
            Strategy::Sql => over_results::solve(plan, tools).await,
        }
    }
}

/// Converts the arguments to a JSON object.
fn object(arguments: &Arguments) -> Map<String, Value> {
    let values = arguments.values.iter();
    values.map(|(name, text)| (name.clone(), Value::from(text.clone()))).collect()
}
