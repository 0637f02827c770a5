//! Tables of rows whose fields are not described in the OpenAPI document, such as results of SQL queries. All functions
//! of this module are pure.
//!
//! By default, the table has one column per field that appears in any row, in the order of first appearance. The type
//! of a column is the narrowest Arrow type that represents all of its values exactly.

mod arrays;
mod shape;

use std::sync::Arc;

use arrow_array::{RecordBatch, RecordBatchOptions};
use arrow_schema::{ArrowError, Field, Schema, SchemaRef};
use serde_json::value::RawValue;

use arrays::Unfit;
pub(crate) use arrays::Unfit as UnfitValue;
use shape::{Members, Shape, members};

/// Reason why rows could not be converted to a table.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A value does not fit the type that the caller has set for the column.
    Unfit {
        column: String,
        unfit: UnfitValue,
    },
    Arrow(ArrowError),
}

impl From<ArrowError> for Failure {
    fn from(error: ArrowError) -> Self {
        Failure::Arrow(error)
    }
}

/// Columns that the caller has set.
pub(crate) enum Given {
    None,
    /// Preferred types of columns, by column name. If the preferred type cannot store all values of a column, the type
    /// of the column is inferred from the rows.
    Preferred(SchemaRef),
    /// All columns of the table. [`storable`] has already converted the column types and made each column nullable.
    All(SchemaRef),
}

/// Converts the rows to one batch. `given` contains the columns that the caller has set. With [`Given::All`], the batch
/// has only these columns. Otherwise, further columns are inferred from the rows. The schema of the batch gets the
/// metadata of the schema `template`, such as the identifier of the operation.
///
/// If any row is not a JSON object, each row becomes the value of a single field `value`.
pub(crate) fn batch(
    rows: &[Box<RawValue>],
    given: &Given,
    template: &Schema,
) -> Result<RecordBatch, Failure> {
    let members: Option<Vec<Members<'_>>> = rows.iter().map(|row| members(row)).collect();
    let columns = match &members {
        Some(members) => shape::columns(members),
        None => vec![("value".to_owned(), rows.iter().map(|row| Some(&**row)).collect())],
    };

    let (mut fields, mut arrays) = (Vec::new(), Vec::new());
    let mut add = |field: Field, shape: &Shape, cells: &[Option<&RawValue>]| match arrays::array(
        shape, cells,
    ) {
        Ok(array) => {
            fields.push(field);
            arrays.push(array);
            Ok(())
        }
        Err(Unfit::Arrow(error)) => Err(Failure::Arrow(error)),
        Err(unfit) => Err(Failure::Unfit { column: field.name().clone(), unfit }),
    };

    match given {
        Given::None => {
            for (name, cells) in &columns {
                let shape = Shape::of_cells(cells);
                add(shape.field(name), &shape, cells)?;
            }
        }

        Given::Preferred(preferred) => {
            for (name, cells) in &columns {
                if let Some((_, field)) = preferred.column_with_name(name) {
                    let shape = Shape::of_type(field.data_type())?;
                    match add(storable(field)?, &shape, cells) {
                        Err(Failure::Unfit { .. }) => {}
                        other => {
                            other?;
                            continue;
                        }
                    }
                }
                let shape = Shape::of_cells(cells);
                add(shape.field(name), &shape, cells)?;
            }
        }

        Given::All(given) => {
            let nothing = vec![None; rows.len()];
            for field in given.fields() {
                let shape = Shape::of_type(field.data_type())?;
                let cells = columns.iter().find(|(name, _)| name == field.name());
                let cells = cells.map_or(&nothing, |(_, cells)| cells);
                add(field.as_ref().clone(), &shape, cells)?;
            }
        }
    }

    let schema: SchemaRef =
        Arc::new(Schema::new_with_metadata(fields, template.metadata().clone()));
    let options = RecordBatchOptions::new().with_row_count(Some(rows.len()));
    Ok(RecordBatch::try_new_with_options(schema, arrays, &options)?)
}

/// Converts a field of the caller's schema to the Arrow field of the column that [`batch`] builds. In the result, all
/// values can be null, list items are named `item`, and timestamps are in UTC. Returns an error for an unsupported
/// type.
pub(crate) fn storable(field: &Field) -> Result<Field, ArrowError> {
    let shape = Shape::of_type(field.data_type())?;
    Ok(field.clone().with_data_type(shape.data_type()).with_nullable(true))
}
