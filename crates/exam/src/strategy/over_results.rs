//! The strategy `Sql`: stores all rows in the MCP server, and computes the answer there with SQL over the stored
//! results.

use serde_json::{Value, json};

use super::frugal::{MAX_TOKENS, read, side_by_side};
use crate::plan::{Plan, words};
use crate::tables::of_row;
use crate::tools::{Failure, Tools};

/// jq program that counts the rows. The MCP tool stores all rows, but returns only their number.
const COUNT: &str = "length";

pub(super) async fn solve(plan: &Plan, tools: &Tools) -> Result<Value, String> {
    let mut tables: Vec<(&str, String)> = Vec::new();
    for call in &plan.calls {
        let handle = match &call.each {
            None => {
                let arguments = &call.arguments(&[])[0];
                Failure::or_nothing(read(tools, call, arguments, COUNT).await)?.handle
            }
            Some(query) => {
                let arguments = call.arguments(&rows(tools, &tables, query).await?);
                let (_, together) = side_by_side(tools, call, &arguments, COUNT).await?;
                match together.as_slice() {
                    [] => String::new(),
                    [handle] => handle.clone(),
                    handles => {
                        format!("(SELECT * FROM {})", handles.join(" UNION ALL SELECT * FROM "))
                    }
                }
            }
        };
        if handle.is_empty() {
            return Ok(Value::Null);
        }

        // The stored pages can contain more rows than the call needs.
        let rows = match call.first.filter(|_| call.each.is_none()) {
            Some(first) => format!("(SELECT * FROM {handle} LIMIT {first})"),
            None => handle,
        };
        tables.push((&call.table, rows));
    }

    let rows = rows(tools, &tables, &plan.answer).await;
    // A stored result without rows has no columns, so a query over it fails. The answer is then `null`.
    let first = Failure::or_nothing(rows.map_err(Failure::Nothing))?.into_iter().next();
    Ok(of_row(first.unwrap_or_default().into_iter().map(|(_, value)| value).collect()))
}

/// Runs an SQL query over stored results, and returns its rows. Each table name in the query is replaced by the handle
/// of a stored result such as `r1`, or by a subquery such as `(SELECT * FROM r1 LIMIT 5)`.
async fn rows(
    tools: &Tools,
    tables: &[(&str, String)],
    query: &str,
) -> Result<Vec<Vec<(String, Value)>>, String> {
    let named = tables
        .iter()
        .fold(query.to_owned(), |query, (table, handle)| renamed(&query, table, handle));
    // Pairs of name and value keep the order of the columns, which a parsed JSON object does not.
    let call = json!({"query": named, "over_results": true, "jq": "map(to_entries | map([.key, .value]))", "max_tokens": MAX_TOKENS});
    let answer = tools.call("sql", call).await.map_err(|failure| failure.to_string())?;
    serde_json::from_value(answer["service_data"].clone())
        .map_err(|error| format!("{error}: {answer}"))
}

/// Replaces each word `from` in an SQL query by the word `to`. Only whole words are replaced. For example, if `from` is
/// `ranked`, the word `ranked_by` is not replaced.
fn renamed(query: &str, from: &str, to: &str) -> String {
    let mut renamed = String::new();
    let mut rest = query;
    for word in words(query).filter(|word| !word.is_empty()) {
        let (before, behind) = rest.split_once(word).unwrap_or((rest, ""));
        renamed += before;
        renamed += if word == from { to } else { word };
        rest = behind;
    }
    renamed + rest
}

#[cfg(test)]
mod tests {
    use super::renamed;

    #[test]
    fn only_whole_names_are_replaced() {
        let query = "SELECT r.rank, ranked_by FROM ranked AS r WHERE x IN (SELECT y FROM ranked)";
        let expected = "SELECT r.rank, ranked_by FROM r1 AS r WHERE x IN (SELECT y FROM r1)";
        assert_eq!(renamed(query, "ranked", "r1"), expected);
    }
}
