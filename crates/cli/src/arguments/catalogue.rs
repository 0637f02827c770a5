//! Rows of the catalogue: an operation by its identifier, its parameters and its record.

use crypto_intel::catalogue::{
    Answer, Field, OPERATIONS, Operation, Param, ParamKind, RecordRow, Type,
};
use crypto_intel_api::generated::tables;

/// Name of the value of `--limit` for operations that have no parameter of that name.
pub(crate) const LIMIT: &str = "limit";

/// The operation with this identifier.
pub(crate) fn operation(id: &str) -> Option<&'static Operation> {
    OPERATIONS.iter().copied().find(|known| known.id == id)
}

/// The parameters that are given by position, in the order of the library.
pub(crate) fn positional(operation: &Operation) -> impl Iterator<Item = &'static Param> {
    operation.params.iter().filter(|param| is_settable(param) && param.required)
}

/// Whether a user can set the parameter at all.
pub(crate) fn is_settable(param: &Param) -> bool {
    !matches!(param.kind, ParamKind::Constant(_)) && param.refused.is_none()
}

/// The name of a parameter on the command line.
pub(crate) fn kebab(name: &str) -> String {
    name.replace('_', "-").to_ascii_lowercase()
}

/// The record of the rows, or of the one value, as [`DynamicAnswer`](crypto_intel::DynamicAnswer)
/// splits the answer.
pub(crate) fn record(operation: &Operation) -> Option<&'static RecordRow> {
    let (Answer::Rows { row: ty, .. } | Answer::One { data: ty, .. } | Answer::Bare(ty)) =
        operation.answer
    else {
        return None;
    };
    let whole = of_type(ty)?;
    let Answer::Bare(_) = operation.answer else { return Some(whole) };

    let field = |name: &str| whole.fields.iter().find(|field| field.name == name);
    let is_list = |field: &&Field| matches!(field.ty, Type::List(_));
    let rows = field("data")
        .or_else(|| field("pagination").and_then(|_| whole.fields.iter().find(is_list)));
    rows.map_or(Some(whole), |field| of_type(field.ty))
}

fn of_type(ty: Type) -> Option<&'static RecordRow> {
    match ty {
        Type::Record(name) => tables::record(name),
        Type::List(inner) => of_type(*inner),
        _ => None,
    }
}
