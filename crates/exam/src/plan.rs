//! Plan for computing the answer of a question. A plan lists the operations to call, and contains an SQL query over the
//! rows of these operations.
//!
//! The examiner and the scripted strategies evaluate the same plan with [`evaluate`]. Their [`Source`]s differ: the
//! examiner reads rows from the sandbox, and a strategy reads rows through the MCP tools.

use crypto_intel::catalogue::{OPERATIONS, Operation};
use serde_json::Value;

use crate::tables::Tables;

/// Name of the argument that contains the SQL query. A call that runs SQL at the service has only this argument.
const SQL: &str = "sql";

/// Plan for computing the answer of a question: operations whose rows become tables, and an SQL query over these
/// tables. The result of the query is the answer.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) calls: Vec<Call>,
    pub(crate) answer: String,
}

/// A call of an operation. The rows of the response are added to the table with the name [`table`](Self::table). If the
/// query [`each`](Self::each) is set, the operation is called once for each row of its result.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    /// Name of the table to which the rows are added.
    pub(crate) table: String,
    /// The operation to call. `None` if the call runs an SQL query at the service.
    pub(crate) operation: Option<&'static Operation>,
    arguments: Vec<(String, String)>,
    /// Maximum number of rows to read. `None` reads all rows.
    pub(crate) first: Option<usize>,
    /// SQL query over the rows of earlier calls. The operation is called once for each row that this query returns. For
    /// example, the argument `symbol=$ticker` gets the value of the column `ticker` in the row.
    pub(crate) each: Option<String>,
}

/// Arguments of one call, and an optional label such as `BTC`. Each row that the call returns gets the label in the
/// additional column `label`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Arguments {
    pub(crate) values: Vec<(String, String)>,
    pub(crate) label: Option<String>,
}

impl Plan {
    /// Parses the calls and the query of a task in the file `tasks.toml`. `fill` replaces placeholders such as
    /// `{token}`.
    pub(crate) fn parse(
        calls: &[String],
        answer: &str,
        fill: impl Fn(&str) -> Result<String, String>,
    ) -> Result<Self, String> {
        let calls = calls.iter().map(|call| Call::parse(&fill(call)?)).collect::<Result<_, _>>()?;
        Ok(Plan { calls, answer: fill(answer)? })
    }

    /// Returns true if `name` occurs as a word in the query for the answer, or in the query [`Call::each`] of a call.
    pub(crate) fn uses(&self, name: &str) -> bool {
        let queries = self.calls.iter().filter_map(|call| call.each.as_deref());
        queries.chain([self.answer.as_str()]).any(|query| words(query).any(|word| word == name))
    }
}

/// Splits an SQL query into words of letters, digits and underscores.
pub(crate) fn words(query: &str) -> impl Iterator<Item = &str> {
    query.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
}

impl Call {
    fn parse(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` must have the form `table = operation parameter=value …`");
        let (table, source) = text.split_once(" = ").ok_or_else(wrong)?;
        let call = Call {
            table: table.to_owned(),
            operation: None,
            arguments: Vec::new(),
            first: None,
            each: None,
        };
        if let Some(query) = source.strip_prefix("sql ") {
            let arguments = vec![(SQL.to_owned(), query.to_owned())];
            return Ok(Call { arguments, ..call });
        }

        let (source, each) = match source.split_once(" for ") {
            Some((source, each)) => (source, Some(each.to_owned())),
            None => (source, None),
        };
        let (id, rest) = source.split_once(' ').unwrap_or((source, ""));
        let operation = OPERATIONS.iter().copied().find(|operation| operation.id == id);
        let operation = Some(operation.ok_or_else(|| format!("there is no operation `{id}`"))?);

        let mut call = Call { operation, each, ..call };
        for word in rest.split_whitespace() {
            let (name, value) = word.split_once('=').ok_or_else(wrong)?;
            match name {
                "first" => call.first = Some(value.parse().map_err(|_| wrong())?),
                _ => call.arguments.push((name.to_owned(), value.to_owned())),
            }
        }
        Ok(call)
    }

    /// Returns the SQL query, if the call runs a query at the service.
    pub(crate) fn sql(&self) -> Option<&str> {
        let is_sql = self.operation.is_none();
        self.arguments.first().filter(|_| is_sql).map(|(_, query)| query.as_str())
    }

    /// Returns the arguments for each call of the operation. `rows` is the result of the query [`each`](Self::each). If
    /// `each` is not set, there is one call.
    pub(crate) fn arguments(&self, rows: &[Vec<(String, Value)>]) -> Vec<Arguments> {
        if self.each.is_none() {
            return vec![Arguments { values: self.arguments.clone(), label: None }];
        }
        let of_row = |row: &Vec<(String, Value)>| {
            let value = |text: &String| {
                let name = text.strip_prefix('$');
                let found = row.iter().find(|(column, _)| Some(column.as_str()) == name);
                found.map_or_else(|| text.clone(), |(_, value)| plain(value))
            };
            let values = self.arguments.iter().map(|(name, text)| (name.clone(), value(text)));
            let label = row.first().map(|(_, value)| plain(value));
            Arguments { values: values.collect(), label }
        };
        rows.iter().map(of_row).collect()
    }
}

/// Formats a JSON value as text. The text of a JSON string is written without quotes.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A source of rows. One source reads the rows directly from the sandbox. The other sources read the rows through MCP
/// tools.
pub(crate) trait Source {
    /// Calls an operation, and returns its rows. If the entity in the arguments does not exist, returns no rows.
    ///
    /// # Errors
    /// Returns an error if the rows cannot be read, for example because the service responds with the status 500.
    async fn read(&mut self, call: &Call, arguments: &Arguments) -> Result<Vec<Value>, String>;

    /// Calls an operation once for each item of `arguments`, and returns the rows of each call.
    ///
    /// # Errors
    /// Returns an error if the rows of a call cannot be read, for example because the service fails. A call for an
    /// entity that does not exist returns no rows and no error.
    async fn read_each(
        &mut self,
        call: &Call,
        arguments: &[Arguments],
    ) -> Result<Vec<Vec<Value>>, String> {
        let mut all = Vec::new();
        for arguments in arguments {
            all.push(self.read(call, arguments).await?);
        }
        Ok(all)
    }
}

/// Evaluates a plan and returns the answer. The answer is `null` if a [`Call`] of the plan reads no rows, or if the
/// query of the plan returns no row. The answer is also `null` if all values of the query's first row are `null`.
pub(crate) async fn evaluate(plan: &Plan, source: &mut impl Source) -> Result<Value, String> {
    let mut tables = Tables::default();
    for call in &plan.calls {
        let rows = match &call.each {
            Some(query) => tables.rows(query)?,
            None => Vec::new(),
        };
        let arguments = call.arguments(&rows);
        let mut found = source.read_each(call, &arguments).await?;
        found.iter_mut().for_each(|rows| rows.truncate(call.first.unwrap_or(usize::MAX)));
        if found.iter().all(Vec::is_empty) {
            return Ok(Value::Null);
        }
        for (arguments, rows) in arguments.iter().zip(found) {
            tables.add(&call.table, rows, arguments.label.as_deref());
        }
    }
    tables.answer(&plan.answer)
}
