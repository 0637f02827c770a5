//! The strategy `Naive`: reads the rows page by page, without jq and with the default page size.

use serde_json::{Value, json};

use super::object;
use super::shown_rows::rows_of;
use crate::plan::{Arguments, Call, Source};
use crate::tools::{Failure, Tools};

pub(super) struct Naive<'a>(pub(super) &'a Tools);

impl Source for Naive<'_> {
    async fn read(&mut self, call: &Call, arguments: &Arguments) -> Result<Vec<Value>, String> {
        Failure::or_nothing(self.read_shown(call, arguments).await)
    }
}

impl Naive<'_> {
    /// Calls an operation, and then calls the tool `read_result` until all needed rows are read.
    async fn read_shown(&self, call: &Call, arguments: &Arguments) -> Result<Vec<Value>, Failure> {
        let mut answer = match (call.sql(), call.operation) {
            (Some(query), _) => self.0.call("sql", json!({"query": query})).await?,
            (None, operation) => {
                let id = operation.map(|operation| operation.id);
                let whole = json!({"operation": id, "arguments": object(arguments)});
                self.0.call("call_operation", whole).await?
            }
        };

        let handle = answer["handle"].clone();
        let wanted = call.first.unwrap_or(usize::MAX);
        let mut rows = rows_of(&answer);
        while rows.len() < wanted {
            let is_shown = answer["rows"].as_u64().is_none_or(|stored| rows.len() as u64 >= stored);
            let next = match is_shown {
                false => json!({"handle": handle, "from": rows.len()}),
                true if answer["incomplete"]["state"] == "more_available" => {
                    json!({"handle": handle, "next_page": true})
                }
                true => break,
            };
            match self.0.call("read_result", next).await {
                Ok(more) => answer = more,
                // The service fails for later rows, so the answer is computed from the rows before them.
                Err(Failure::Service(_)) => break,
                Err(other) => return Err(other),
            }
            rows.extend(rows_of(&answer));
        }
        Ok(rows)
    }
}
