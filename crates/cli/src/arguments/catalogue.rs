//! Lookups in the catalogue: operations by identifier, their parameters and their records.

use crypto_intel::catalogue::{
    Answer, Field, OPERATIONS, Operation, Param, ParamKind, RecordRow, Type,
};
use crypto_intel_api::generated::tables;

/// Name of the option `--limit`, which is also a parameter of most operations with pages.
pub(crate) const LIMIT: &str = "limit";

/// Finds an operation by its identifier.
pub(crate) fn operation(id: &str) -> Option<&'static Operation> {
    OPERATIONS.iter().copied().find(|known| known.id == id)
}

/// Required parameters, which the command line takes as positional arguments, in the order of the
/// library's method.
pub(crate) fn positional(operation: &Operation) -> impl Iterator<Item = &'static Param> {
    operation.params.iter().filter(|param| is_settable(param) && param.required)
}

/// Returns true if a user can set the parameter.
pub(crate) fn is_settable(param: &Param) -> bool {
    !matches!(param.kind, ParamKind::Constant(_)) && param.refused.is_none()
}

/// Name of a parameter's flag: `time_range` becomes `time-range`.
pub(crate) fn kebab(name: &str) -> String {
    name.replace('_', "-").to_ascii_lowercase()
}

/// Record of an operation's rows, or of its single value, split as
/// [`DynamicAnswer`](crypto_intel::DynamicAnswer) splits the response.
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
