//! Writes the rows of a query in the requested format.

use std::io::Write;

use arrow::array::RecordBatch;
use arrow::csv::WriterBuilder;
use arrow::json::ArrayWriter;
use arrow::util::pretty::pretty_format_batches;
use datafusion::common::Result;
use datafusion::execution::SendableRecordBatchStream;
use datafusion::parquet::arrow::ArrowWriter;
use futures_util::TryStreamExt;

/// Output format of the rows of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// A text table with aligned columns.
    Table,
    /// Comma-separated values with a header.
    Csv,
    /// A JSON array of objects.
    Json,
    /// A Parquet file.
    Parquet,
}

/// Writes the rows of a query to `output`. A table is written after the last row has arrived. All other formats are
/// written while rows arrive.
///
/// # Errors
/// Returns the first error of the query or of `output`. Earlier rows may already be written.
pub async fn write(
    mut rows: SendableRecordBatchStream,
    format: Format,
    output: &mut (dyn Write + Send),
) -> Result<()> {
    let schema = rows.schema();
    match format {
        Format::Table => {
            let batches: Vec<_> = rows.try_collect().await?;
            let table = match batches.is_empty() {
                true => pretty_format_batches(&[RecordBatch::new_empty(schema)])?,
                false => pretty_format_batches(&batches)?,
            };
            writeln!(output, "{table}")?;
        }

        Format::Csv => {
            let mut writer = WriterBuilder::new().with_header(true).build(&mut *output);
            // The header is written with the first batch, and a query without rows may have no batch.
            writer.write(&RecordBatch::new_empty(schema))?;
            while let Some(batch) = rows.try_next().await? {
                writer.write(&batch)?;
            }
        }
        Format::Json => {
            let mut writer = ArrayWriter::new(&mut *output);
            while let Some(batch) = rows.try_next().await? {
                writer.write(&batch)?;
            }
            writer.finish()?;
        }
        Format::Parquet => {
            let mut writer = ArrowWriter::try_new(&mut *output, schema, None)?;
            while let Some(batch) = rows.try_next().await? {
                writer.write(&batch)?;
            }
            writer.close()?;
        }
    }

    Ok(output.flush()?)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::datatypes::{DataType, Field, Schema};
    use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
    use futures_util::stream;

    use super::*;

    #[tokio::test]
    async fn csv_without_rows_has_a_header() {
        let schema = Arc::new(Schema::new(vec![Field::new("a", DataType::Int64, true)]));
        let rows = RecordBatchStreamAdapter::new(schema, stream::empty());
        let mut text = Vec::new();
        write(Box::pin(rows), Format::Csv, &mut text).await.unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), "a\n");
    }
}
