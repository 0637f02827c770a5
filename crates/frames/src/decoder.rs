//! Decodes rows of JSON text into Arrow record batches.
//!
//! The input is JSON rows and a [`Plan`], which describes the columns. The output is record batches of a limited size.

use arrow_array::RecordBatch;
use crypto_intel_api::generated::onchain::OnchainSqlRequest;
use crypto_intel_core::{ErrorKind, Operation, Request};
use serde_json::value::RawValue;

use crate::column::{Data, MOST_TEXT, Table};
use crate::error::Error;
use crate::options::{Columns, Options, Unknown};
use crate::page::Page;
use crate::plan::{Plan, with_unit};
use crate::provenance::{Origin, Origins};
use crate::untyped::{Given, UnfitValue};
use crate::{careful, fast, untyped, whole};

/// Decodes rows into record batches. `rows` yields the JSON text of each row, as received.
///
/// ```
/// use crypto_intel::catalogue::OPERATIONS;
/// use crypto_intel_frames::{Options, read_rows};
///
/// let fills = OPERATIONS.iter().find(|operation| operation.id == "hyperliquid-fills").unwrap();
/// let rows = [r#"{"symbol": "BTC", "price": 61000.5}"#, r#"{"symbol": "ETH"}"#];
/// let batches = read_rows(fills, &Options::default(), rows)?;
/// assert_eq!(batches[0].num_rows(), 2);
/// # Ok::<(), crypto_intel_frames::Error>(())
/// ```
///
/// # Errors
/// Returns the errors of [`schema_of`](crate::schema_of). Returns [`Error::Arrow`] if the caller's schema in
/// [`Options::columns`] contains an unsupported type. Returns [`Error::Misfit`] in these cases:
///
/// - A row is not valid JSON, or has more than 512 MiB.
/// - A row has an unknown field or a value of a wrong type, and [`Options::unknown`] makes this an error.
/// - A value does not fit its column in [`Columns::Given`].
pub fn read_rows<'a>(
    operation: &'static Operation,
    options: &Options,
    rows: impl IntoIterator<Item = &'a str>,
) -> Result<Vec<RecordBatch>, Error> {
    read_each(Plan::new(operation, options)?, options, Origin::default(), rows)
}

fn read_each<'a>(
    plan: Plan,
    options: &Options,
    origin: Origin,
    rows: impl IntoIterator<Item = &'a str>,
) -> Result<Vec<RecordBatch>, Error> {
    let mut decoder = Decoder::new(plan, options);
    decoder.set_origin(|| origin);
    let mut batches = Vec::new();
    for row in rows {
        decoder.push(row)?;
        if decoder.is_full() {
            batches.extend(decoder.finish()?);
        }
    }
    batches.extend(decoder.finish()?);
    Ok(batches)
}

/// Decodes the body of a response into record batches. The body can come from
/// [`CallOptions::keep_body`](crypto_intel::CallOptions::keep_body). If the body has between 256 KiB and
/// [`Options::batch_bytes`] (at most 512 MiB), four threads may decode one quarter of the body each. The last batch of
/// each quarter can be smaller than the other batches.
///
/// # Errors
/// Returns the errors of [`read_rows`], and [`Error::Call`] with [`ErrorKind::Decode`] if the body is not a response of
/// the service.
pub fn read_answer(
    operation: &'static Operation,
    options: &Options,
    body: &[u8],
) -> Result<Vec<RecordBatch>, Error> {
    let plan = Plan::new(operation, options)?;
    if !options.provenance
        && let Some(batches) = whole::read(&plan, options, body)
    {
        return Ok(batches);
    }

    let page: Page = crypto_intel_core::private::from_slice(body).map_err(|error| {
        let message = format!("the rows of the response cannot be read: {error}");
        crypto_intel::Error::new(ErrorKind::Decode, message).with_operation(operation.id)
    })?;
    let origin = Origin::of_body(page.meta());
    read_each(plan, options, origin, (0..page.rows()).map(|index| page.row(index)))
}

/// Decodes the result of a SQL query into one record batch. [`Options::columns`] determines the columns of the batch.
/// With [`Columns::Json`], a large result becomes several batches. If the result has no rows, the returned list is
/// empty.
///
/// ```no_run
/// # // Not run here: `tests/it/sql.rs` tests these functions with the sandbox.
/// # async fn run(client: crypto_intel::Client) -> Result<(), Box<dyn std::error::Error>> {
/// use crypto_intel_frames::{Options, read_sql};
///
/// let table = client.sql("SELECT 1 AS one").await?;
/// let batches = read_sql(&table, &Options::default())?;
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// Returns the errors of [`read_rows`].
pub fn read_sql(
    table: &crypto_intel::sql::Table,
    options: &Options,
) -> Result<Vec<RecordBatch>, Error> {
    let operation = <OnchainSqlRequest as Request>::OPERATION;
    let rows: Vec<String> = table.object_texts().collect();
    read_rows(operation, options, rows.iter().map(String::as_str))
}

/// Decoder that collects JSON rows into record batches.
pub(crate) struct Decoder {
    plan: Plan,
    table: Table,
    batch_rows: usize,
    batch_bytes: usize,
    /// Size of the JSON text of the current batch, in bytes.
    bytes: usize,
    /// Total number of rows in all batches so far.
    rows: u64,
    /// True if the last row did not match the OpenAPI document. The next row probably does not match either, so only
    /// the slow decoder reads it.
    surprised: bool,
    /// Collected rows, if the OpenAPI document does not describe the fields of a row. `None` for other operations, and
    /// with [`Columns::Json`].
    untyped: Option<Untyped>,
    /// Values of the provenance columns, such as the time of the response, for each row. `None` if the table does not
    /// have these columns.
    origins: Option<Origins>,
}

/// Rows with undocumented fields. All rows become one batch, because the columns are inferred from all rows.
struct Untyped {
    rows: Vec<Box<RawValue>>,
    given: Given,
}

impl Decoder {
    pub(crate) fn new(plan: Plan, options: &Options) -> Self {
        let given = match &options.columns {
            Columns::Given(_) => Given::All(plan.of_rows.clone()),
            Columns::Preferred(schema) => Given::Preferred(with_unit(schema, options.times)),
            Columns::Inferred | Columns::Json => Given::None,
        };
        Decoder {
            origins: options.provenance.then(|| Origins::new(options.times)),
            untyped: plan.is_untyped.then(|| Untyped { rows: Vec::new(), given }),
            table: Table::new(&plan),
            plan,
            batch_rows: options.batch_rows.max(1),
            batch_bytes: options.batch_bytes.min(MOST_TEXT),
            bytes: 0,
            rows: 0,
            surprised: false,
        }
    }

    pub(crate) fn plan(&self) -> &Plan {
        &self.plan
    }

    pub(crate) fn is_full(&self) -> bool {
        self.table.len() >= self.batch_rows
            || (self.table.len() > 0 && self.bytes >= self.batch_bytes)
    }

    /// Sets the values of the provenance columns, such as the time of the response. They apply to all rows that are
    /// pushed after this call. Does nothing if the table has no provenance columns.
    pub(crate) fn set_origin(&mut self, origin: impl FnOnce() -> Origin) {
        if let Some(origins) = &mut self.origins {
            origins.set(origin());
        }
    }

    /// Appends one row of JSON text to the current batch.
    pub(crate) fn push(&mut self, text: &str) -> Result<(), Error> {
        self.push_row(text)?;
        if let Some(origins) = &mut self.origins {
            origins.push();
        }
        Ok(())
    }

    fn push_row(&mut self, text: &str) -> Result<(), Error> {
        if text.len() > MOST_TEXT {
            let what = format!("a row of {} bytes of JSON is too large for a batch", text.len());
            return Err(self.misfit("", what));
        }
        if let Some(untyped) = &mut self.untyped {
            match RawValue::from_string(text.to_owned()) {
                Ok(row) => untyped.rows.push(row),
                Err(error) => return Err(self.not_json(&error)),
            }
            self.rows += 1;
            return Ok(());
        }

        let before = self.table.len();
        // A row `null` in place of a record does not fit the columns.
        let is_plain = !(self.surprised || self.plan.is_record && text == "null");
        let drops_unknown = self.plan.unknown == Unknown::Drop;
        if !is_plain || fast::push(&mut self.table.row, text, drops_unknown).is_err() {
            self.table.row.truncate(before);
            self.push_carefully(text, before)?;
        } else if let Some(unknown) = &mut self.table.unknown {
            unknown.push_null();
        }

        self.bytes += text.len();
        self.rows += 1;
        Ok(())
    }

    fn push_carefully(&mut self, text: &str, before: usize) -> Result<(), Error> {
        let mut left = careful::push(&mut self.table.row, text);
        // Rows of a response are valid JSON, but rows of `read_rows` may be invalid. Then the whole row does not fit.
        if left.first().is_none_or(|part| part.place.is_empty())
            && let Err(error) = serde_json::from_str::<&RawValue>(text)
        {
            self.table.row.truncate(before);
            return Err(self.not_json(&error));
        }
        if self.plan.is_record && text == "null" {
            left.push(careful::Left {
                place: String::new(),
                raw: text,
                expected: Some("an object"),
            });
        }
        if self.plan.unknown == Unknown::Drop {
            left.retain(|part| part.expected.is_some());
        }
        self.surprised = !left.is_empty();

        let kept = match (left.first(), &mut self.table.unknown) {
            (None, None) => return Ok(()),
            (None, Some(unknown)) => {
                unknown.push_null();
                return Ok(());
            }
            (Some(_), Some(unknown)) => match &mut unknown.data {
                Data::Json(texts) => {
                    let written = careful::unstored_json(&left);
                    texts.takes(written.len()).then(|| {
                        texts.push(&written);
                        unknown.validity.append_non_null();
                    })
                }
                _ => None,
            },
            (Some(_), None) => None,
        };

        if kept.is_none() {
            let what = left.first().map(|part| (part.place.clone(), described(part)));
            let (place, what) = what.unwrap_or_default();
            self.table.row.truncate(before);
            return Err(self.misfit(&place, what));
        }
        Ok(())
    }

    fn not_json(&self, error: &serde_json::Error) -> Error {
        self.misfit("", format!("the row is not valid JSON: {error}"))
    }

    fn misfit(&self, place: &str, what: String) -> Error {
        let column = place.split('/').nth(1).unwrap_or_default();
        Error::Misfit {
            operation: self.plan.operation.id,
            row: self.rows,
            column: column.replace("~1", "/").replace("~0", "~"),
            place: place.to_owned(),
            what,
        }
    }

    /// Returns the rows as a record batch, and clears the table. Returns `None` if the table has no rows.
    pub(crate) fn finish(&mut self) -> Result<Option<RecordBatch>, Error> {
        let batch = self.finish_rows()?;
        match &mut self.origins {
            Some(origins) => Ok(batch.map(|batch| origins.add_to(batch)).transpose()?),
            None => Ok(batch),
        }
    }

    fn finish_rows(&mut self) -> Result<Option<RecordBatch>, Error> {
        self.bytes = 0;
        if let Some(untyped) = &mut self.untyped {
            let rows = std::mem::take(&mut untyped.rows);
            if rows.is_empty() {
                return Ok(None);
            }
            let batch = untyped::batch(&rows, &untyped.given, &self.plan.schema);
            let before = self.rows - rows.len() as u64;
            let failed = |failure| of_untyped(failure, before, self.plan.operation);
            return batch.map(Some).map_err(failed);
        }
        match self.table.len() {
            0 => Ok(None),
            _ => Ok(Some(self.table.finish()?)),
        }
    }
}

/// Converts a failure of one batch to the error that the caller receives. The row number in the failure counts from the
/// start of the batch. The row number in the error counts from the first row of all batches. `before` is the number of
/// rows in earlier batches.
fn of_untyped(failure: untyped::Failure, before: u64, operation: &'static Operation) -> Error {
    match failure {
        untyped::Failure::Unfit { column, unfit: UnfitValue::Value(row, what) } => Error::Misfit {
            operation: operation.id,
            row: before + row as u64,
            place: format!("/{}", column.replace('~', "~0").replace('/', "~1")),
            column,
            what,
        },
        untyped::Failure::Unfit { unfit: UnfitValue::Arrow(error), .. }
        | untyped::Failure::Arrow(error) => error.into(),
    }
}

fn described(part: &careful::Left<'_>) -> String {
    // A value may be a large JSON object.
    let shown: String = part.raw.chars().take(60).collect();
    match part.expected {
        Some(expected) => format!("{shown} is not {expected}"),
        None => format!("{shown} has no column"),
    }
}
