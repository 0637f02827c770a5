//! Translates structured queries to SQL, and runs the SQL.
//!
//! The input is a structured query as JSON, with a table, fields, filters and sort keys. The output is SQL text in
//! which all values are escaped.

use std::borrow::Cow;

use crypto_intel_sql::{Column, Problem, Value, identifier, literal as text_literal};
use serde_json::Value as Json;

use crate::context::Context;
use crate::refusal::Refusal;
use crypto_intel_world::args::Args;

use super::plan::{self, Plan};
use super::service::{ResultPosition, Sql, listed};
use super::tables::{self, Table};

impl Sql {
    pub(super) async fn structured(
        &self,
        ctx: &Context<'_>,
        args: &Args,
    ) -> Result<String, Refusal> {
        let limit = args.integer("limit").unwrap_or(20);
        let offset = args.integer("offset").unwrap_or(0);
        let query = Structured::read(args)?;
        let unprefixed = |problem: Problem| {
            let mut refusal = Refusal::from(problem);
            refusal.message = refusal.message.replacen("`sql`: ", "", 1);
            refusal
        };
        let plan = |limit, offset| {
            let limits = plan::limits(&self.settings, limit, false);
            Plan::read(&query.page(limit, offset), limits)
        };

        // Every row contains the total number of rows.
        let asked = plan(limit, offset).map_err(unprefixed)?;
        let mut table = self.run(ctx, asked).await.map_err(unprefixed)?;
        let mut total = table.pop_column();
        if total.is_none() && offset > 0 {
            let counted = plan(1, 0).map_err(unprefixed)?;
            total = self.run(ctx, counted).await.map_err(unprefixed)?.pop_column();
        }
        let total = match total {
            Some(Value::Int(total)) => usize::try_from(total).unwrap_or(0),
            _ => 0,
        };
        let place = ResultPosition { limit, offset, total: Some(total), more: false };
        Ok(listed(ctx, args, &table.json(), table.rows().len(), place))
    }
}

/// A query that the caller sent as JSON. The query reads one table. The sandbox translates the query to SQL text.
struct Structured {
    table: &'static Table,
    fields: Vec<Cow<'static, str>>,
    /// SQL conditions, which are joined by AND.
    filters: Vec<String>,
    /// SQL sort keys for ORDER BY.
    sort: Vec<String>,
}

impl Structured {
    fn read(args: &Args) -> Result<Self, Refusal> {
        let source = args.text("source").unwrap_or_default();
        let name = source.strip_prefix("agent.").filter(|name| {
            let is_letter = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_';
            !name.is_empty() && name.bytes().all(is_letter)
        });
        let name = name.ok_or_else(|| {
            Refusal::unfit(format!("`source` must be `agent.<table>`, not `{source}`"))
        })?;
        let table = tables::find(name)
            .ok_or_else(|| Refusal::unfit(format!("`source`: there is no table `{source}`")))?;

        let items = |name: &str| match args.given(name) {
            Some(Json::Array(items)) => items.as_slice(),
            _ => &[],
        };
        let mut fields = Vec::new();
        for (at, field) in items("fields").iter().enumerate() {
            fields.push(column(table, field, &format!("fields[{at}]"))?.name);
        }
        if fields.is_empty() {
            fields = table.columns().into_iter().map(|column| column.name).collect();
        }

        let mut filters = Vec::new();
        for (at, condition) in items("filters").iter().enumerate() {
            filters.push(comparison(table, condition, &format!("filters[{at}]"))?);
        }
        let mut sort = Vec::new();
        for (at, key) in items("sort").iter().enumerate() {
            let name = column(table, &key["field"], &format!("sort[{at}].field"))?;
            let way = if key["order"].as_str() == Some("desc") { "DESC" } else { "ASC" };
            sort.push(format!("{} {way}", identifier(&name.name)));
        }
        Ok(Structured { table, fields, filters, sort })
    }

    /// Returns the SQL text that selects one page of rows. The last column of each row is the total number of rows.
    fn page(&self, limit: i64, offset: i64) -> String {
        let fields: Vec<String> = self.fields.iter().map(|field| identifier(field)).collect();
        let mut text = format!(
            "SELECT {}, count() OVER () FROM agent.{}",
            fields.join(", "),
            identifier(&self.table.name)
        );
        if !self.filters.is_empty() {
            text.push_str(&format!(" WHERE {}", self.filters.join(" AND ")));
        }
        if !self.sort.is_empty() {
            text.push_str(&format!(" ORDER BY {}", self.sort.join(", ")));
        }
        text.push_str(&format!(" LIMIT {limit} OFFSET {offset}"));
        text
    }
}

/// Finds the column whose name is the JSON string `value`. `place` is the path of the value in the request, for the
/// error.
///
/// # Errors
/// Returns status 422 if the table has no column of this name.
fn column(table: &Table, value: &Json, place: &str) -> Result<Column, Refusal> {
    let name = value.as_str().unwrap_or_default();
    let found = table.columns().into_iter().find(|column| column.name == name);
    found.ok_or_else(|| {
        let table = &table.name;
        Refusal::unfit(format!("`{place}`: `agent.{table}` has no column `{name}`"))
    })
}

/// Formats a filter value as a SQL literal. If the column has the type `Date` or `DateTime`, a number is a time in Unix
/// seconds. `place` is the path of the value in the request. The error message contains this path.
///
/// # Errors
/// Returns status 422 if the value is null, an array or an object.
fn literal(value: &Json, column: &Column, place: &str) -> Result<String, Refusal> {
    match value {
        Json::String(text) => Ok(text_literal(text)),
        Json::Bool(truth) => Ok(truth.to_string()),
        Json::Number(number) => Ok(match column.ty {
            "Date" => format!("toDate(fromUnixTimestamp(toInt64({number})))"),
            "DateTime" => format!("fromUnixTimestamp(toInt64({number}))"),
            _ => number.to_string(),
        }),
        Json::Null | Json::Array(_) | Json::Object(_) => {
            let message = format!("`{place}` must be a string, a number or a boolean");
            Err(Refusal::unfit(message))
        }
    }
}

fn comparison(table: &Table, condition: &Json, place: &str) -> Result<String, Refusal> {
    let column = column(table, &condition["field"], &format!("{place}.field"))?;
    let left = identifier(&column.name);
    let value = &condition["value"];
    let place = format!("{place}.value");

    let op = match condition["op"].as_str().unwrap_or_default() {
        "eq" => "=",
        "neq" => "!=",
        "gt" => ">",
        "gte" => ">=",
        "lt" => "<",
        "lte" => "<=",
        "like" => {
            let Json::String(pattern) = value else {
                return Err(Refusal::unfit(format!("`{place}` must be a string for `like`")));
            };
            return Ok(format!("{left} LIKE {}", text_literal(pattern)));
        }
        op => {
            let Json::Array(items) = value else {
                return Err(Refusal::unfit(format!("`{place}` must be a list for `{op}`")));
            };
            if items.is_empty() {
                return Err(Refusal::unfit(format!("`{place}` must not be empty")));
            }

            let list: Vec<String> = items
                .iter()
                .map(|item| literal(item, &column, &place))
                .collect::<Result<_, _>>()?;
            let not = if op == "not_in" { "NOT " } else { "" };
            return Ok(format!("{left} {not}IN ({})", list.join(", ")));
        }
    };

    Ok(format!("{left} {op} {}", literal(value, &column, &place)?))
}
