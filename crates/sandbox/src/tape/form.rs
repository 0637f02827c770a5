//! The form of errors.

use crate::refusal::Form;

/// The error body that a path uses; recordings have paths that no catalogue knows.
pub(super) fn form_of(path: &str) -> Form {
    if path.ends_with("/chat/completions") { Form::Completions } else { Form::Data }
}
