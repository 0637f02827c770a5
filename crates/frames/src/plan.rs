//! Determines the columns of an operation from the generated tables of record fields. The functions are pure.
//!
//! The inputs are an operation and the options. The output is the schema, and a tree of column types for the decoder.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef, TimeUnit};
use crypto_intel_api::generated::tables::record;
use crypto_intel_core::{Answer, FieldMeaning, Operation, Type};

use crate::error::Error;
use crate::options::{Columns, Enums, Figures, Nested, Numbers, Options, Times, Unknown};
use crate::provenance;
use crate::untyped::storable;

/// Name of the record type for metrics of financial statements. [`Figures::Columns`] splits a metric into columns for
/// the fields `value`, `status` and `reason_code`. All other fields of the record are then omitted.
const FIGURE: &str = "MetricValue";
const FIGURE_VALUE: &str = "value";
const FIGURE_NOTES: [&str; 2] = ["status", "reason_code"];

/// Maximum number of digits of a 128-bit decimal.
pub(crate) const DIGITS: u8 = 38;

/// Returns the Arrow schema of an operation's rows.
///
/// The metadata of the schema contains the identifier of the operation. The metadata of a field contains its
/// description under the key `description`. If the rows are not records, they are in the column `value`. If the OpenAPI
/// document does not describe the fields of the rows, the schema has no fields. [`Options::columns`] can set the
/// columns of these rows.
///
/// # Errors
/// Returns [`Error::NoTable`] if the response of the operation is not JSON, or if two columns would have the same name.
/// Also returns this error if the options request more than 38 decimal places.
///
/// ```
/// use crypto_intel::catalogue::OPERATIONS;
/// use crypto_intel_frames::{Options, schema_of};
///
/// let prices = OPERATIONS.iter().find(|operation| operation.id == "market-price").unwrap();
/// let schema = schema_of(prices, &Options::default())?;
/// let time = schema.field_with_name("timestamp").unwrap();
/// assert_eq!(time.data_type().to_string(), r#"Timestamp(s, "UTC")"#);
/// # Ok::<(), crypto_intel_frames::Error>(())
/// ```
pub fn schema_of(operation: &'static Operation, options: &Options) -> Result<SchemaRef, Error> {
    Plan::new(operation, options).map(|plan| plan.schema)
}

/// Columns of an operation's rows, with the types that the decoder needs.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) operation: &'static Operation,
    pub(crate) row: Kind,
    /// True if each row is a record with documented fields. The fields of the record are then the columns. False, for
    /// example, if each row is a string.
    pub(crate) is_record: bool,
    pub(crate) unknown: Unknown,
    /// Schema of the batches. The schema has no fields if the columns are inferred from the rows (see
    /// [`Columns::Inferred`]).
    pub(crate) schema: SchemaRef,
    /// Schema of the batches without the provenance columns.
    pub(crate) of_rows: SchemaRef,
    /// True if the OpenAPI document does not describe the fields of the rows. The columns are then inferred from the
    /// rows or set by the caller. Always false with [`Columns::Json`].
    pub(crate) is_untyped: bool,
}

/// Column type, which determines how values are decoded and stored.
#[derive(Debug, Clone)]
pub(crate) enum Kind {
    Boolean,
    Integer,
    Float,
    Decimal(u8),
    /// A number that is stored as text with all of its digits.
    Digits,
    Text,
    /// Any JSON value, stored as JSON text.
    Json,
    Seconds,
    Millis,
    /// Unix seconds. The column stores them as milliseconds.
    SecondsAsMillis,
    /// A date that the service sends as a string.
    Date,
    /// A timestamp that the service sends as an RFC 3339 string.
    DateTime,
    /// A number column in which 0 means an unknown value. The column stores null in place of 0.
    ZeroIsNull(Box<Kind>),
    Dictionary(&'static [&'static str]),
    Struct(Members),
    List(Box<Kind>),
    Map(Box<Kind>),
    /// Field that is ignored and has no column.
    Skip,
}

#[derive(Debug, Clone)]
pub(crate) struct Members {
    pub(crate) members: Arc<[Member]>,
    pub(crate) by_name: Arc<HashMap<&'static str, usize>>,
    /// Separator in the column names of a flattened record. `None` for a struct column.
    pub(crate) flat: Option<Arc<str>>,
    pub(crate) is_figure: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct Member {
    pub(crate) name: &'static str,
    pub(crate) doc: &'static str,
    pub(crate) kind: Kind,
}

impl Plan {
    pub(crate) fn new(operation: &'static Operation, options: &Options) -> Result<Plan, Error> {
        let no_table = |reason: String| Error::NoTable { operation: operation.id, reason };
        let row = row_type(operation)
            .ok_or_else(|| no_table("the response is not JSON, so it has no rows".into()))?;
        let too_fine = |numbers| matches!(numbers, Numbers::Decimal(scale) if scale > DIGITS);
        if too_fine(options.numbers) || too_fine(options.figure_values) {
            return Err(no_table(format!("a decimal can have at most {DIGITS} decimal places")));
        }

        let row = Reading { options, within: Vec::new() }.row(row);
        let is_record = matches!(row, Kind::Struct(_));
        let has_any_names = matches!(&row, Kind::Map(inner) if matches!(**inner, Kind::Json));
        let is_untyped = has_any_names && options.columns != Columns::Json;
        let mut fields = match (&row, &options.columns) {
            (Kind::Struct(members), _) => columns(members, ""),
            (_, Columns::Given(schema)) if is_untyped => {
                let schema = with_unit(schema, options.times);
                schema.fields().iter().map(|field| storable(field)).collect::<Result<_, _>>()?
            }
            _ if is_untyped => Vec::new(),
            (other, _) => vec![field("value", "", other)],
        };
        if !is_untyped && let Unknown::Column(name) = &options.unknown {
            let meaning = "Values without a column, as a JSON object with paths as keys.";
            fields.push(field(name, meaning, &Kind::Json));
        }

        let metadata = [("operation", operation.id), ("description", operation.summary)];
        let metadata = metadata.map(|(key, value)| (key.to_owned(), value.to_owned()));
        let of_rows = Arc::new(Schema::new_with_metadata(fields, metadata.into()));
        let is_known = !is_untyped || matches!(options.columns, Columns::Given(_));
        let schema = match options.provenance && is_known {
            true => provenance::with_fields(&of_rows, options.times),
            false => of_rows.clone(),
        };
        if let Some(name) = repeated_name(&schema) {
            return Err(no_table(format!(
                "two columns would have the name `{name}`; change the separator or the name of the column for unknown fields, or turn provenance off"
            )));
        }
        let unknown = options.unknown.clone();
        Ok(Plan { operation, row, is_record, unknown, schema, of_rows, is_untyped })
    }
}

/// Returns a copy of `schema`. With [`Times::Millis`], columns with timestamps in seconds become columns with
/// timestamps in milliseconds.
pub(crate) fn with_unit(schema: &SchemaRef, times: Times) -> SchemaRef {
    let millis = || DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into()));
    let field = |field: &Arc<Field>| match field.data_type() {
        DataType::Timestamp(TimeUnit::Second, _) if times == Times::Millis => {
            Arc::new(field.as_ref().clone().with_data_type(millis()))
        }
        _ => field.clone(),
    };
    let fields: Fields = schema.fields().iter().map(field).collect();
    Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()))
}

fn repeated_name(schema: &Schema) -> Option<&str> {
    let mut names = BTreeSet::new();
    let mut all = schema.fields().iter().map(|field| field.name().as_str());
    all.find(|name| !names.insert(*name))
}

/// Returns the type of one row. The rows of a response are in its field `data`. If this field is missing, the rows are
/// in the first list beside the field `pagination`. If this list is missing too, the rows are the whole response.
///
/// If the rows are a list, returns the type of the list's items. Any other value is one row. Returns `None` if the
/// response of the operation is not JSON.
#[must_use]
pub fn row_type(operation: &Operation) -> Option<Type> {
    let element = |ty| match ty {
        Type::List(inner) => *inner,
        other => other,
    };
    match operation.answer {
        Answer::Rows { row, .. } => Some(row),
        Answer::One { data, .. } => Some(element(data)),
        Answer::Bare(Type::Record(name)) => {
            let fields = record(name)?.fields;
            let named = |wanted| fields.iter().find(|field| field.name == wanted);
            let list = || fields.iter().find(|field| matches!(field.ty, Type::List(_)));
            let rows = named("data").or_else(|| named("pagination").and_then(|_| list()));
            Some(rows.map_or(Type::Record(name), |field| element(field.ty)))
        }
        Answer::Bare(ty) => Some(element(ty)),
        Answer::Stream | Answer::Bytes | Answer::Empty => None,
    }
}

/// Converter from types of the OpenAPI document to column types.
struct Reading<'a> {
    options: &'a Options,
    /// Names of the records that contain the current type. The converter uses these names to detect a record that
    /// contains itself. Its inner occurrence becomes JSON text.
    within: Vec<&'static str>,
}

impl Reading<'_> {
    /// Returns the column type of a row. If the row is a record, each of its fields has a separate column type. The
    /// options [`Nested`] and [`Figures`] apply only to records inside the row, not to the row itself.
    fn row(&mut self, ty: Type) -> Kind {
        self.kind(ty, true)
    }

    fn kind(&mut self, ty: Type, flattens: bool) -> Kind {
        match ty {
            Type::String => Kind::Text,
            Type::Integer => Kind::Integer,
            Type::Number => number(self.options.numbers),
            Type::Boolean => Kind::Boolean,
            Type::Any => Kind::Json,
            Type::UnixMillis => Kind::Millis,
            Type::UnixSeconds => match self.options.times {
                Times::AsSent => Kind::Seconds,
                Times::Millis => Kind::SecondsAsMillis,
            },
            Type::Enum(values) => match self.options.enums {
                Enums::Dictionary => Kind::Dictionary(values),
                Enums::Text => Kind::Text,
            },
            Type::List(inner) => Kind::List(Box::new(self.kind(*inner, false))),
            Type::Map(inner) => Kind::Map(Box::new(self.kind(*inner, false))),
            Type::Record(name) => self.record(name, flattens),
        }
    }

    fn record(&mut self, name: &'static str, flattens: bool) -> Kind {
        let Some(row) = record(name) else { return Kind::Json };
        // Parquet has no structs without fields.
        if self.within.contains(&name) || row.fields.is_empty() {
            return Kind::Json;
        }

        // Records inside a struct column are not flattened.
        let is_row = self.within.is_empty();
        let inner = flattens && (is_row || self.options.nested != Nested::Struct);
        self.within.push(name);
        let is_figure = name == FIGURE;
        let members: Arc<[Member]> = row
            .fields
            .iter()
            .map(|field| {
                let kind = match is_figure {
                    true => self.of_figure(field.name, field.ty, flattens),
                    false => with_meaning(self.kind(field.ty, inner), field.meaning),
                };
                Member { name: field.name, doc: field.doc, kind }
            })
            .collect();
        self.within.pop();

        let by_name = members.iter().enumerate().map(|(i, member)| (member.name, i)).collect();
        let flat = match (&self.options.nested, is_figure, &self.options.figures) {
            _ if !flattens => None,
            (Nested::Flat(separator), false, _) => Some(separator.as_str().into()),
            (Nested::Flat(separator), true, Figures::Columns) => Some(separator.as_str().into()),
            (Nested::Struct, true, Figures::Columns) => Some(".".into()),
            (_, true, Figures::Struct) | (Nested::Struct, false, _) => None,
        };
        Kind::Struct(Members { members, by_name: Arc::new(by_name), flat, is_figure })
    }

    fn of_figure(&mut self, name: &str, ty: Type, flattens: bool) -> Kind {
        let is_plain = flattens && self.options.figures == Figures::Columns;
        match name {
            FIGURE_VALUE => number(self.options.figure_values),
            _ if is_plain && !FIGURE_NOTES.contains(&name) => Kind::Skip,
            _ => self.kind(ty, false),
        }
    }
}

/// Replaces the column type of a field by a more precise type if the field has a documented meaning. For example, a
/// string that is a date gets the type date. In a list, the type of the items is replaced.
fn with_meaning(kind: Kind, meaning: Option<FieldMeaning>) -> Kind {
    match (kind, meaning) {
        (Kind::List(item), Some(_)) => Kind::List(Box::new(with_meaning(*item, meaning))),
        (Kind::Text, Some(FieldMeaning::Date)) => Kind::Date,
        (Kind::Text, Some(FieldMeaning::DateTime)) => Kind::DateTime,
        (
            kind @ (Kind::Integer | Kind::Seconds | Kind::Millis | Kind::SecondsAsMillis),
            Some(FieldMeaning::ZeroIsUnknown),
        ) => Kind::ZeroIsNull(Box::new(kind)),
        (kind, _) => kind,
    }
}

fn number(numbers: Numbers) -> Kind {
    match numbers {
        Numbers::Float => Kind::Float,
        Numbers::Text => Kind::Digits,
        Numbers::Decimal(scale) => Kind::Decimal(scale),
    }
}

/// Returns the Arrow fields for the columns of a record. A flattened nested record becomes several Arrow fields. For
/// example, the record `token` becomes `token.name` and `token.symbol`.
fn columns(members: &Members, prefix: &str) -> Vec<Field> {
    let shown = members.members.iter().filter(|member| !matches!(member.kind, Kind::Skip));
    shown
        .flat_map(|member| {
            let name = match (members.is_figure, member.name) {
                // The column of a metric's value has the name of the metric.
                (true, FIGURE_VALUE) => {
                    prefix.strip_suffix(separator(members)).unwrap_or(prefix).to_owned()
                }
                (_, name) => format!("{prefix}{name}"),
            };
            match &member.kind {
                Kind::Struct(inner) if inner.flat.is_some() => {
                    columns(inner, &format!("{name}{}", separator(inner)))
                }
                kind => vec![field(&name, member.doc, kind)],
            }
        })
        .collect()
}

fn separator(members: &Members) -> &str {
    members.flat.as_deref().unwrap_or_default()
}

/// Creates the Arrow field of a column. The Arrow field is always nullable, because any row may lack the value.
fn field(name: &str, doc: &str, kind: &Kind) -> Field {
    let mut metadata = HashMap::new();
    if !doc.is_empty() {
        metadata.insert("description".to_owned(), doc.to_owned());
    }
    if matches!(kind, Kind::Json) {
        metadata.insert("content".to_owned(), "json".to_owned());
    }
    Field::new(name, data_type(kind), true).with_metadata(metadata)
}

pub(crate) fn data_type(kind: &Kind) -> DataType {
    let utc = || Some("UTC".into());
    match kind {
        Kind::Boolean => DataType::Boolean,
        Kind::Integer => DataType::Int64,
        Kind::Float => DataType::Float64,
        // The scale is at most 38, which was checked when the plan was created.
        Kind::Decimal(scale) => DataType::Decimal128(DIGITS, scale.cast_signed()),
        Kind::Digits | Kind::Text | Kind::Json => DataType::Utf8,
        Kind::Seconds => DataType::Timestamp(TimeUnit::Second, utc()),
        Kind::Millis | Kind::SecondsAsMillis => DataType::Timestamp(TimeUnit::Millisecond, utc()),
        Kind::Date => DataType::Date32,
        Kind::DateTime => DataType::Timestamp(TimeUnit::Microsecond, utc()),
        Kind::ZeroIsNull(inner) => data_type(inner),
        Kind::Dictionary(_) => {
            DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
        }
        Kind::Struct(members) => DataType::Struct(fields(members)),
        Kind::List(inner) => DataType::List(Arc::new(field("item", "", inner))),
        Kind::Map(inner) => DataType::Map(Arc::new(entries(inner)), false),
        Kind::Skip => DataType::Null,
    }
}

pub(crate) fn fields(members: &Members) -> Fields {
    let shown = members.members.iter().filter(|member| !matches!(member.kind, Kind::Skip));
    shown.map(|member| field(member.name, member.doc, &member.kind)).collect()
}

pub(crate) fn entries(inner: &Kind) -> Field {
    let key = Field::new("key", DataType::Utf8, false);
    let fields = Fields::from(vec![key, field("value", "", inner)]);
    Field::new("entries", DataType::Struct(fields), false)
}

pub(crate) fn item(inner: &Kind) -> Field {
    field("item", "", inner)
}
