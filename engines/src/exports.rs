//! Registers exports as SQL tables. An export is a Parquet file or a folder of Parquet files.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use crypto_intel_frames::export::object_store::parse_url_opts;
use crypto_intel_frames::export::read_as_of;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::common::{DataFusionError, Result, plan_datafusion_err};
use datafusion::datasource::MemTable;
use datafusion::datasource::file_format::options::ReadOptions;
use datafusion::datasource::listing::ListingTableUrl;
use datafusion::prelude::{ParquetReadOptions, SessionContext};

/// Registers a Parquet file, or a folder of Parquet files, as the table `name`. Folders in the Hive layout
/// (`side=buy/`) become text columns after the columns of the files.
///
/// If `as_of` is set, the table contains the rows that the export had at this time. The location must then be a local
/// folder with an export. The export must have the columns of [`crypto_intel_frames::Options::provenance`], such as the
/// time of the response.
pub(crate) async fn register(
    context: &SessionContext,
    name: &str,
    location: &str,
    as_of: Option<SystemTime>,
) -> Result<()> {
    let url = ListingTableUrl::parse(location)?;
    reach(context, &url)?;

    let state = context.state();
    let options = ParquetReadOptions::default()
        .to_listing_options(state.config(), state.default_table_options());
    let schema = options.infer_schema(&state, &url).await?;
    if let Some(time) = as_of {
        let rows = rows_as_of(Path::new(location), time, Arc::new(plain(&schema)))?;
        context.register_table(name, Arc::new(rows))?;
        return Ok(());
    }

    let folders = options.infer_partitions(&state, &url).await?;
    let folders = folders.into_iter().filter(|folder| schema.column_with_name(folder).is_none());
    let folders = folders.map(|folder| (folder, DataType::Utf8)).collect();
    let options = options.with_table_partition_cols(folders);
    let schema = Some(Arc::new(plain(&schema)));
    context.register_listing_table(name, location, options, schema, None).await
}

/// Reads the rows that an export had at an earlier time into a table in memory.
fn rows_as_of(folder: &Path, time: SystemTime, schema: SchemaRef) -> Result<MemTable> {
    let rows = read_as_of(folder, time).map_err(|error| DataFusionError::External(error.into()))?;
    let plain = |batch: RecordBatch| {
        let column = |field: &Arc<Field>| {
            let index = batch.schema().index_of(field.name())?;
            cast(batch.column(index), field.data_type())
        };
        let columns = schema.fields().iter().map(column).collect::<Result<Vec<_>, _>>()?;
        RecordBatch::try_new(schema.clone(), columns)
    };
    let rows = rows.into_iter().map(plain).collect::<Result<Vec<_>, _>>()?;
    MemTable::try_new(schema, vec![rows])
}

/// Registers the object store of a URL such as `s3://bucket/folder`. The store reads its settings from environment
/// variables such as `AWS_REGION`. For a `file` URL, this function does nothing.
fn reach(context: &SessionContext, url: &ListingTableUrl) -> Result<()> {
    let place = url.get_url();
    if place.scheme() == "file" {
        return Ok(());
    }

    let text = |(name, value): (OsString, OsString)| {
        Some((name.into_string().ok()?, value.into_string().ok()?))
    };
    let environment = std::env::vars_os().filter_map(text);
    let (store, _) = parse_url_opts(place, environment).map_err(|error| {
        plan_datafusion_err!(
            "{url} cannot be opened: {error}. To read an object store, build the program with the Cargo feature aws, azure or gcp"
        )
    })?;
    context.register_object_store(place, store.into());
    Ok(())
}

/// Replaces dictionary types in a schema with their value types. Rows of the service have no dictionary types. On a
/// cluster, grouping by two dictionary columns would fail, because one stage writes text where the next stage expects
/// dictionaries.
fn plain(schema: &Schema) -> Schema {
    let field = |field: &Arc<Field>| match field.data_type() {
        DataType::Dictionary(_, values) => {
            Arc::new(Field::clone(field).with_data_type(DataType::clone(values)))
        }
        _ => field.clone(),
    };
    let fields: Vec<_> = schema.fields().iter().map(field).collect();
    Schema::new_with_metadata(fields, schema.metadata().clone())
}
