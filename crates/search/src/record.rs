//! Finds the record type of an operation's rows.

use crypto_intel_api::generated::tables;
use crypto_intel_core::{Answer, Field, Operation, RecordRow, Type};

/// Returns the record type of an operation's rows. If the response contains a single value instead of rows, returns the
/// record type of this value. Returns `None` if the response contains no record.
///
/// Most responses are an envelope with the fields `data` and `meta`, and the rows are in `data`. Other responses are a
/// record without this envelope. The client's `DynamicAnswer` finds the rows of a record by the same rules:
///
/// - If the record has a field `data`, the rows are in `data`.
/// - If the record has a field `pagination` but no field `data`, the rows are in the first list field of the record.
/// - Otherwise, the record itself is the only row.
#[must_use]
pub fn record_of(operation: &Operation) -> Option<&'static RecordRow> {
    let (Answer::Rows { row: ty, .. } | Answer::One { data: ty, .. } | Answer::Bare(ty)) =
        operation.answer
    else {
        return None;
    };
    let record = find_record(ty)?;
    let Answer::Bare(_) = operation.answer else { return Some(record) };

    let field = |name: &str| record.fields.iter().find(|field| field.name == name);
    let is_list = |field: &&Field| matches!(field.ty, Type::List(_));
    let rows = field("data")
        .or_else(|| field("pagination").and_then(|_| record.fields.iter().find(is_list)));
    rows.map_or(Some(record), |field| find_record(field.ty))
}

fn find_record(ty: Type) -> Option<&'static RecordRow> {
    match ty {
        Type::Record(name) => tables::record(name),
        Type::List(inner) => find_record(*inner),
        _ => None,
    }
}
