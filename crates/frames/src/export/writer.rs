//! Writes one data file, which stays in memory until it is complete.
//!
//! The input is record batches of one schema, and the output is the bytes of the complete file.

use arrow_array::RecordBatch;
use arrow_ipc::writer::FileWriter;
use arrow_schema::{Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use serde_json::Value;

use super::Format;
use super::text::{csv_header, csv_rows, json_rows};
use crate::Error;

/// Maximum number of rows per Parquet row group. Readers can skip a small row group by its statistics. Small row groups
/// also limit memory, because the writer buffers one row group at a time.
const ROW_GROUP: usize = 100_000;

/// Metadata key in a data file. The metadata entry with this key contains the name of the data source.
const ORIGIN: &str = "crypto_intel.origin";

/// Metadata key in a data file. The entry with this key contains the metadata (`meta`) of the last page as JSON.
const META: &str = "crypto_intel.meta";

pub(super) enum Writer {
    Parquet(Box<ArrowWriter<Vec<u8>>>),
    Ipc(Box<FileWriter<Vec<u8>>>),
    Csv(Vec<u8>),
    NdJson(Vec<u8>),
}

impl Writer {
    /// Begins a file. Parquet and Arrow IPC files contain the name of the data source as metadata.
    pub(super) fn new(format: Format, schema: &SchemaRef, origin: &str) -> Result<Writer, Error> {
        Ok(match format {
            Format::Parquet => {
                let properties = Some(properties(origin));
                let writer = ArrowWriter::try_new(Vec::new(), schema.clone(), properties)?;
                Writer::Parquet(Box::new(writer))
            }
            Format::ArrowIpc => {
                let mut writer = FileWriter::try_new(Vec::new(), plain(schema))?;
                writer.write_metadata(ORIGIN, origin);
                Writer::Ipc(Box::new(writer))
            }
            Format::Csv => Writer::Csv(csv_header(schema)),
            Format::NdJson => Writer::NdJson(Vec::new()),
        })
    }

    pub(super) fn write(&mut self, batch: &RecordBatch) -> Result<(), Error> {
        match self {
            Writer::Parquet(writer) => writer.write(batch)?,
            Writer::Ipc(writer) => writer.write(batch)?,
            Writer::Csv(text) => csv_rows(batch, text),
            Writer::NdJson(text) => json_rows(batch, text),
        }
        Ok(())
    }

    /// Returns the size of the file in memory, in bytes.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Writer::Parquet(writer) => writer.bytes_written() + writer.in_progress_size(),
            Writer::Ipc(writer) => writer.get_ref().len(),
            Writer::Csv(text) | Writer::NdJson(text) => text.len(),
        }
    }

    /// Ends the file and returns its bytes. Parquet and Arrow IPC files contain `meta`, the metadata of the last page.
    pub(super) fn finish(self, meta: &Value) -> Result<Vec<u8>, Error> {
        let meta = (!meta.is_null()).then(|| meta.to_string());
        Ok(match self {
            Writer::Parquet(mut writer) => {
                if let Some(meta) = meta {
                    writer.append_key_value_metadata(KeyValue::new(META.to_owned(), meta));
                }
                writer.into_inner()?
            }
            Writer::Ipc(mut writer) => {
                if let Some(meta) = meta {
                    writer.write_metadata(META, meta);
                }
                writer.into_inner()?
            }
            Writer::Csv(text) | Writer::NdJson(text) => text,
        })
    }
}

/// Converts a reference to a shared schema into the plain reference that the writers require.
fn plain(schema: &SchemaRef) -> &Schema {
    schema
}

/// Returns Parquet writer properties for small files that are read more often than written. The files have statistics
/// for each page. They are compressed with Zstandard at level 1, which is as fast as Snappy.
fn properties(origin: &str) -> WriterProperties {
    let level = ZstdLevel::try_new(1).unwrap_or_default();
    WriterProperties::builder()
        .set_compression(Compression::ZSTD(level))
        .set_key_value_metadata(Some(vec![KeyValue::new(ORIGIN.to_owned(), origin.to_owned())]))
        .set_max_row_group_row_count(Some(ROW_GROUP))
        .set_created_by(concat!("crypto-intel-frames ", env!("CARGO_PKG_VERSION")).to_owned())
        .build()
}
