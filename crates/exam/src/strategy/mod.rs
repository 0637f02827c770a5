//! Scripted strategies: how an agent could answer, through the tools alone.
//!
//! In: a plan and the tools. Out: an answer. A strategy knows what to read, but it has no other way to the data than an agent.
//! A tool error about a thing that does not exist, or about a budget, leads to the answer null.

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

    /// Name of the strategy.
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

/// Arguments as a JSON object.
fn object(arguments: &Arguments) -> Map<String, Value> {
    let values = arguments.values.iter();
    values.map(|(name, text)| (name.clone(), Value::from(text.clone()))).collect()
}
