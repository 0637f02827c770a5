//! Scripted strategies. They answer the questions through MCP tools only, as an agent would.
//!
//! A plan lists the operations and the query that give the answer. A strategy reads the rows through the tools and
//! returns the answer. A tool call can report an unknown entity, invalid arguments, or an exceeded credit cap. A
//! strategy treats these three reports as a response without rows, so its answer is usually `null`.

mod frugal;
mod naive;
mod over_results;
mod projection;
mod shown_rows;

use serde_json::{Map, Value};

use crate::plan::{Arguments, Plan, evaluate};
use crate::tools::Tools;

/// A scripted strategy, which answers the questions of an exam.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Strategy {
    /// Reads the rows page by page, without jq and with the default page size. Computes the answer with SQL in the
    /// examiner's process.
    Naive,
    /// Reads only the needed fields with jq, in large pages. Computes the answer with SQL in the examiner's process.
    Frugal,
    /// Reads large pages into stored results. Computes the answer with SQL over these results in the MCP server.
    Sql,
}

impl Strategy {
    /// All scripted strategies of the exam.
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

/// Converts the arguments of a call to a JSON object.
fn object(arguments: &Arguments) -> Map<String, Value> {
    let values = arguments.values.iter();
    values.map(|(name, text)| (name.clone(), Value::from(text.clone()))).collect()
}
