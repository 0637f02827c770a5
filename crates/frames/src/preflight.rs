//! Determines preferred column types for a SQL result. For a preflight request, the service does not run the query, and
//! returns the columns of the tables that the query reads. A result column has the preferred type of the table column
//! with the same name. All functions are pure.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_schema::{DataType, Field, Fields, Schema, TimeUnit};
use crypto_intel_api::generated::onchain::SqlPreflight;

use crate::options::Columns;

/// Returns preferred column types for the result of a SQL query. `preflight` is the service's response to a preflight
/// request for the query. This response lists the columns of the query's tables. A result column gets the type of the
/// table column with its name, if this type can store all values of the result column. For example, columns of the
/// types `Date` and `DateTime` become timestamps. If the name belongs to columns of different types in several tables,
/// the result column has no preferred type.
///
/// ```no_run
/// # // Not run here: `tests/it/sql.rs` tests these functions with the sandbox.
/// # async fn run(client: crypto_intel::Client) -> Result<(), Box<dyn std::error::Error>> {
/// use crypto_intel_frames::{Options, preflight_columns, read_sql};
///
/// let query = "SELECT block_time, hash FROM agent.ethereum_transactions WHERE block_date >= today() - 1 LIMIT 9";
/// let checked = client.sql(query).preflight().await?;
/// let options = Options::default().columns(preflight_columns(&checked));
/// let batches = read_sql(&*client.sql(query).await?, &options)?;
/// # Ok(())
/// # }
/// ```
#[must_use]
pub fn preflight_columns(preflight: &SqlPreflight) -> Columns {
    let mut types: BTreeMap<&str, Option<DataType>> = BTreeMap::new();
    for column in preflight.tables.iter().flat_map(|table| &table.columns) {
        let ty = data_type(&column.type_);
        types
            .entry(&column.name)
            .and_modify(|known| *known = known.take().filter(|known| ty.as_ref() == Some(known)))
            .or_insert(ty);
    }
    let field = |(name, ty): (&str, Option<DataType>)| Some(Field::new(name, ty?, true));
    let fields: Fields = types.into_iter().filter_map(field).collect();
    Columns::Preferred(Arc::new(Schema::new(fields)))
}

/// Converts the service's name of a column type, such as `Nullable(UInt64)`, to an Arrow type. Returns `None` for an
/// unsupported type, such as `UInt256` or `DateTime64(3)`.
fn data_type(name: &str) -> Option<DataType> {
    let (outer, inner) = match name.trim().split_once('(') {
        Some((outer, rest)) => (outer, rest.strip_suffix(')')),
        None => (name.trim(), None),
    };
    Some(match outer {
        "Nullable" | "LowCardinality" => return data_type(inner?),
        "Array" => DataType::List(Arc::new(Field::new(
            Field::LIST_FIELD_DEFAULT_NAME,
            data_type(inner?)?,
            true,
        ))),
        "Bool" => DataType::Boolean,
        "Int8" | "Int16" | "Int32" | "Int64" => DataType::Int64,
        "UInt8" | "UInt16" | "UInt32" | "UInt64" => DataType::UInt64,
        "Float32" | "Float64" => DataType::Float64,
        "String" | "FixedString" | "UUID" | "IPv4" | "IPv6" | "Enum8" | "Enum16" => DataType::Utf8,
        "Date" | "Date32" | "DateTime" => DataType::Timestamp(TimeUnit::Second, Some("UTC".into())),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_the_service_have_columns() {
        for (name, expected) in [
            ("UInt32", "UInt64"),
            ("Nullable(Int8)", "Int64"),
            ("LowCardinality(Nullable(String))", "Utf8"),
            ("FixedString(42)", "Utf8"),
            ("DateTime('UTC')", "Timestamp(s, \"UTC\")"),
            ("Array(Array(Bool))", "List(List(Boolean))"),
        ] {
            assert_eq!(data_type(name).map(|ty| ty.to_string()).as_deref(), Some(expected));
        }
        for name in ["UInt256", "DateTime64(3)", "Map(String, Bool)", "Array(UInt256)", "Nullable"]
        {
            assert_eq!(data_type(name), None, "{name}");
        }
    }
}
