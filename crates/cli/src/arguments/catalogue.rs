//! Finds operations in the catalogue by their identifier. Also finds the parameters and the record types of an
//! operation.

use crypto_intel::catalogue::{OPERATIONS, Operation, Param, ParamKind};
pub(crate) use crypto_intel_search::record_of as record;

/// Name of the option `--limit`. Most paged operations also have a request parameter of this name.
pub(crate) const LIMIT: &str = "limit";

/// Finds an operation by its identifier, such as `market-price`.
pub(crate) fn operation(id: &str) -> Option<&'static Operation> {
    OPERATIONS.iter().copied().find(|known| known.id == id)
}

/// Returns the required parameters of an operation that a user can set. They are positional arguments on the command
/// line, in the same order as in the client library.
pub(crate) fn positional(operation: &Operation) -> impl Iterator<Item = &'static Param> {
    operation.params.iter().filter(|param| is_settable(param) && param.required)
}

/// Returns true if a user can set the request parameter on the command line.
pub(crate) fn is_settable(param: &Param) -> bool {
    !matches!(param.kind, ParamKind::Constant(_)) && param.refused.is_none()
}

/// Returns the name of a parameter's flag: `time_range` becomes `time-range`.
pub(crate) fn kebab(name: &str) -> String {
    name.replace('_', "-").to_ascii_lowercase()
}
