//! Error formats of recorded paths.

use crate::refusal::Form;

/// Returns the error format of a path. Recordings can contain paths that the catalogue lacks.
pub(super) fn form_of(path: &str) -> Form {
    if path.ends_with("/chat/completions") { Form::Completions } else { Form::Data }
}
