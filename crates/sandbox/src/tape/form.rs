//! Error formats of the paths in a recording.

use crate::refusal::Form;

/// Returns the error format for a URL path. The path decides, because a recording can contain paths that are not in the
/// catalogue.
pub(super) fn form_of(path: &str) -> Form {
    if path.ends_with("/chat/completions") { Form::Completions } else { Form::Data }
}
