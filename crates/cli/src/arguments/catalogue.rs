//! Lookups in the catalogue: operations by identifier, their parameters and their records.

use crypto_intel::catalogue::{OPERATIONS, Operation, Param, ParamKind};
pub(crate) use crypto_intel_search::record_of as record;

/// Name of the option `--limit`, which is also a parameter of most operations with pages.
pub(crate) const LIMIT: &str = "limit";

/// Finds an operation by its identifier.
pub(crate) fn operation(id: &str) -> Option<&'static Operation> {
    OPERATIONS.iter().copied().find(|known| known.id == id)
}

/// Returns the required parameters, which the command line takes as positional arguments, in the order of the
/// library's method.
pub(crate) fn positional(operation: &Operation) -> impl Iterator<Item = &'static Param> {
    operation.params.iter().filter(|param| is_settable(param) && param.required)
}

/// Returns true if a user can set the parameter.
pub(crate) fn is_settable(param: &Param) -> bool {
    !matches!(param.kind, ParamKind::Constant(_)) && param.refused.is_none()
}

/// Returns the name of a parameter's flag: `time_range` becomes `time-range`.
pub(crate) fn kebab(name: &str) -> String {
    name.replace('_', "-").to_ascii_lowercase()
}
