//! The query without SQL: it becomes one, as a tree, and goes the same way.

use serde_json::Value as Json;
use sqlparser::ast::{
    BinaryOperator, Expr, Ident, LimitClause, Offset, OffsetRows, OrderBy, OrderByExpr,
    OrderByKind, OrderByOptions, OrderBySort, Query, Select, SelectItem, SetExpr, UnaryOperator,
    Value,
};

use crate::args::Args;
use crate::context::Context;
use crate::refusal::Refusal;

use super::parse::{Parsed, parse};
use super::plan::{self, Plan};
use super::problem::Problem;
use super::service::{Place, Sql, listed};
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
        let plan = |parsed: Parsed| Plan {
            executed_sql: parsed.normalised(),
            normalised: parsed.normalised(),
            parsed,
            limits: plan::limits(&self.settings, limit, false),
        };

        let unprefixed = |problem: Problem| {
            let mut refusal = Refusal::from(problem);
            refusal.message = refusal.message.replacen("`sql`: ", "", 1);
            refusal
        };
        let mut table =
            self.run(ctx, plan(query.page(limit, offset)?)).await.map_err(unprefixed)?;

        // Every row says how many there are in all.
        let mut total = None;
        for row in &mut table.rows {
            total = row.pop().or(total);
        }

        table.columns.pop();
        if total.is_none() && offset > 0 {
            let mut counted = self.run(ctx, plan(query.page(1, 0)?)).await.map_err(unprefixed)?;
            total = counted.rows.first_mut().and_then(Vec::pop);
        }

        let total = match total {
            Some(rusqlite::types::Value::Integer(total)) => usize::try_from(total).unwrap_or(0),
            _ => 0,
        };
        let place = Place { limit, offset, total: Some(total) };

        Ok(listed(ctx, &table.json(), table.rows.len(), place))
    }
}

/// A query on one table.
struct Structured {
    table: &'static Table,
    fields: Vec<&'static str>,
    filter: Option<Expr>,
    sort: Vec<OrderByExpr>,
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
            fields.push(column(table, field, &format!("fields[{at}]"))?);
        }
        if fields.is_empty() {
            fields = table.columns().iter().map(|column| column.name).collect();
        }

        let mut filter: Option<Expr> = None;
        for (at, condition) in items("filters").iter().enumerate() {
            let next = comparison(table, condition, &format!("filters[{at}]"))?;
            filter = Some(match filter {
                None => next,
                Some(before) => binary(before, BinaryOperator::And, next),
            });
        }

        let mut sort = Vec::new();
        for (at, key) in items("sort").iter().enumerate() {
            let name = column(table, &key["field"], &format!("sort[{at}].field"))?;
            let descending = key["order"].as_str() == Some("desc");
            let sort_way = if descending { OrderBySort::Desc } else { OrderBySort::Asc };
            let options = OrderByOptions { sort: Some(sort_way), nulls_first: None };
            sort.push(OrderByExpr { expr: named(name), options, with_fill: None });
        }

        Ok(Structured { table, fields, filter, sort })
    }

    /// The query for one page. Behind the fields comes the number of all rows.
    fn page(&self, limit: i64, offset: i64) -> Result<Parsed, Problem> {
        // The name is one of a table that there is.
        let frame = format!("SELECT count() OVER () FROM agent.{}", self.table.name);
        let mut parsed = parse(&frame)?;
        let Query { body, order_by, limit_clause, .. } = &mut parsed.query;

        if let SetExpr::Select(select) = &mut **body {
            let Select { projection, selection, .. } = &mut **select;
            let fields = self.fields.iter().map(|field| SelectItem::UnnamedExpr(named(field)));
            projection.splice(0..0, fields);
            selection.clone_from(&self.filter);
        }

        if !self.sort.is_empty() {
            let kind = OrderByKind::Expressions(self.sort.clone());
            *order_by = Some(OrderBy { kind, interpolate: None });
        }

        *limit_clause = Some(LimitClause::LimitOffset {
            limit: Some(number(limit.to_string())),
            offset: Some(Offset { value: number(offset.to_string()), rows: OffsetRows::None }),
            limit_by: Vec::new(),
        });

        Ok(parsed)
    }
}

/// The column that `value` names.
fn column(table: &Table, value: &Json, place: &str) -> Result<&'static str, Refusal> {
    let name = value.as_str().unwrap_or_default();
    let found = table.columns().into_iter().find(|column| column.name == name);
    found.map(|column| column.name).ok_or_else(|| {
        let table = &table.name;
        Refusal::unfit(format!("`{place}`: `agent.{table}` has no column `{name}`"))
    })
}

fn named(column: &str) -> Expr {
    Expr::Identifier(Ident::with_quote('`', column))
}

fn number(digits: String) -> Expr {
    Expr::value(Value::Number(digits, false))
}

fn binary(left: Expr, op: BinaryOperator, right: Expr) -> Expr {
    Expr::BinaryOp { left: Box::new(left), op, right: Box::new(right) }
}

/// A value of a filter.
fn literal(value: &Json, place: &str) -> Result<Expr, Refusal> {
    Ok(match value {
        Json::String(text) => Expr::value(Value::SingleQuotedString(text.clone())),
        Json::Bool(truth) => Expr::value(Value::Boolean(*truth)),
        Json::Number(value) => {
            let text = value.to_string();
            match text.strip_prefix('-') {
                Some(digits) => Expr::UnaryOp {
                    op: UnaryOperator::Minus,
                    expr: Box::new(number(digits.to_owned())),
                },
                None => number(text),
            }
        }
        Json::Null | Json::Array(_) | Json::Object(_) => {
            let message = format!("`{place}` must be a text, a number or a boolean");
            return Err(Refusal::unfit(message));
        }
    })
}

fn comparison(table: &Table, condition: &Json, place: &str) -> Result<Expr, Refusal> {
    let left = named(column(table, &condition["field"], &format!("{place}.field"))?);
    let value = &condition["value"];
    let place = format!("{place}.value");
    let op = match condition["op"].as_str().unwrap_or_default() {
        "eq" => BinaryOperator::Eq,
        "neq" => BinaryOperator::NotEq,
        "gt" => BinaryOperator::Gt,
        "gte" => BinaryOperator::GtEq,
        "lt" => BinaryOperator::Lt,
        "lte" => BinaryOperator::LtEq,
        "like" => {
            let Json::String(_) = value else {
                return Err(Refusal::unfit(format!("`{place}` must be a text for `like`")));
            };
            return Ok(Expr::Like {
                negated: false,
                any: false,
                expr: Box::new(left),
                pattern: Box::new(literal(value, &place)?),
                escape_char: None,
            });
        }

        op => {
            let Json::Array(items) = value else {
                return Err(Refusal::unfit(format!("`{place}` must be a list for `{op}`")));
            };
            if items.is_empty() {
                return Err(Refusal::unfit(format!("`{place}` must not be empty")));
            }
            let list = items.iter().map(|item| literal(item, &place)).collect::<Result<_, _>>()?;
            return Ok(Expr::InList { expr: Box::new(left), list, negated: op == "not_in" });
        }
    };

    Ok(binary(left, op, literal(value, &place)?))
}
