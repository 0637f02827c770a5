//! Columns of an operation's table. The columns of the rows come first, and the columns of request parameters follow.
//!
//! This module also finds the request parameters that a query can set with these columns. For example, `WHERE chain =
//! 'ethereum'` sets the parameter `chain`.

use std::collections::BTreeMap;
use std::sync::Arc;

use crypto_intel::catalogue::Operation;
use crypto_intel_core::{Convention, In, Param, ParamKind};
use crypto_intel_frames::arrow_schema::{DataType, Field, Schema, SchemaRef};
use crypto_intel_frames::{Columns, Enums, Options, schema_of};

/// Names of request parameters that are the start and the end of a time range.
const WINDOWS: [(&str, &str); 2] = [("from", "to"), ("start_time", "end_time")];

/// Returns the options for converting rows to columns. Enums become text columns, so that queries can compare them with
/// text.
pub(crate) fn options() -> Options {
    // A table provider must know its schema before the first row arrives.
    Options::default().enums(Enums::Text).columns(Columns::Json)
}

/// Arguments of a call by parameter name, as text.
pub(crate) type Arguments = BTreeMap<&'static str, String>;

/// Columns of an operation's table, and the request parameters that a query sets by comparisons with these columns. For
/// example, `WHERE chain = 'ethereum'` sets the parameter `chain`.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) operation: &'static Operation,
    /// Schema of the table. The columns of the service's rows come first. After them, the schema has one column for
    /// each request parameter that is not a field of the rows.
    pub(crate) schema: SchemaRef,
    /// Number of columns in `schema` that contain data of the service's rows. In `schema`, these columns are before the
    /// columns of request parameters.
    pub(crate) of_rows: usize,
    pub(crate) arguments: Vec<Argument>,
    pub(crate) window: Option<Window>,
}

/// Request parameter that a query sets by a comparison with a column.
#[derive(Debug)]
pub(crate) struct Argument {
    pub(crate) param: &'static Param,
    /// Index of the parameter's column in the schema.
    pub(crate) column: usize,
    /// True if the argument replaces the comparison, so that rows are not filtered again. One reason is that the rows
    /// have no field for the parameter. Another reason is that the service may spell values differently: rows for
    /// `symbol = 'btc'` may contain `BTC`, and a second comparison with `btc` would remove them.
    pub(crate) is_exact: bool,
}

/// Time range parameters of an operation, and the time column that these parameters limit.
#[derive(Debug)]
pub(crate) struct Window {
    pub(crate) column: usize,
    pub(crate) from: &'static Param,
    pub(crate) to: &'static Param,
    /// Time units per second: 1 if `from` and `to` are sent in seconds, 1000 if they are sent in milliseconds.
    pub(crate) per_second: i64,
}

impl Layout {
    /// Creates the layout of an operation. Returns `None` if the response of the operation is not a table, or if its
    /// HTTP method is not safe. For example, POST is not safe: an engine may run a scan twice, and the service would
    /// charge both requests.
    pub(crate) fn from_operation(operation: &'static Operation) -> Option<Layout> {
        if !operation.method.is_safe() {
            return None;
        }
        let rows = schema_of(operation, &options()).ok()?;
        let mut fields = rows.fields().to_vec();
        let mut arguments = Vec::new();

        for param in operation.params.iter().filter(|param| can_be_set(operation, param)) {
            let in_rows = rows.index_of(param.name).ok();
            match in_rows {
                Some(column) if !is_plain(rows.field(column).data_type()) => {}
                Some(column) => {
                    let is_exact = spelt_otherwise(param);
                    arguments.push(Argument { param, column, is_exact });
                }
                None => {
                    arguments.push(Argument { param, column: fields.len(), is_exact: true });
                    fields.push(Arc::new(column_of(param)));
                }
            }
        }

        let window = Window::find(operation, &rows);
        let metadata = rows.metadata().clone();
        let schema = Arc::new(Schema::new_with_metadata(fields, metadata));
        Some(Layout { operation, schema, of_rows: rows.fields().len(), arguments, window })
    }

    /// Returns the name of the table: the operation's identifier in snake case.
    pub(crate) fn name(&self) -> String {
        self.operation.id.replace('-', "_")
    }

    pub(crate) fn argument_of(&self, column: &str) -> Option<&Argument> {
        let column = self.schema.index_of(column).ok()?;
        self.arguments.iter().find(|argument| argument.column == column)
    }
}

impl Window {
    /// Finds the time column of the rows, and the parameters for the start and the end of a time range.
    ///
    /// Returns `None` in these cases:
    /// - The time column or one of the parameters is missing.
    /// - The rows have several time columns, because the catalogue does not assign one of them to the parameters.
    /// - The parameters do not accept points in time. For example, they accept only whole days.
    fn find(operation: &'static Operation, rows: &SchemaRef) -> Option<Window> {
        let is_time = |field: &&Arc<Field>| matches!(field.data_type(), DataType::Timestamp(..));
        let mut times = rows.fields().iter().filter(is_time);
        let (time, None) = (times.next()?, times.next()) else { return None };
        let param = |name| operation.param(name).map(|(_, param)| param);

        let (from, to) = WINDOWS.iter().find_map(|(from, to)| Some((param(from)?, param(to)?)))?;
        let per_second = match (from.kind, from.convention) {
            (ParamKind::Moment, Some(Convention::Day)) => return None,
            (ParamKind::Moment, _) | (_, Some(Convention::UnixSeconds)) => 1,
            (_, Some(Convention::UnixMillis)) => 1000,
            _ => return None,
        };
        let column = rows.index_of(time.name()).ok()?;
        Some(Window { column, from, to, per_second })
    }
}

/// Returns true if a query can set the request parameter. Paging parameters are set by the engine only.
fn can_be_set(operation: &Operation, param: &Param) -> bool {
    let is_of_pages = operation.paging.parameters().any(|name| name == param.name);
    let is_constant = matches!(param.kind, ParamKind::Constant(_));
    !is_of_pages && !is_constant && param.location != In::Header && param.refused.is_none()
}

/// Returns true if the service may spell values of the parameter differently than the query. Tickers become uppercase,
/// and addresses have several spellings.
fn spelt_otherwise(param: &Param) -> bool {
    matches!(param.convention, Some(Convention::Ticker | Convention::Address))
}

fn is_plain(ty: &DataType) -> bool {
    matches!(ty, DataType::Utf8 | DataType::Int64 | DataType::Float64 | DataType::Boolean)
}

/// Creates the column of a request parameter that the rows do not contain. The column contains the argument of the
/// call, or null if the call does not set the parameter.
fn column_of(param: &Param) -> Field {
    let ty = match param.kind {
        ParamKind::Integer { .. } => DataType::Int64,
        ParamKind::Number { .. } => DataType::Float64,
        ParamKind::Boolean => DataType::Boolean,
        _ => DataType::Utf8,
    };
    let meaning = ("description".to_owned(), format!("Argument of the call: {}", param.doc));
    Field::new(param.name, ty, true).with_metadata([meaning].into())
}
