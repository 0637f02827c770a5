//! Chooses the format of errors that a recording or replaying sandbox creates. The format depends on the URL path of
//! the request.

use crate::refusal::Form;

/// Returns the error format for a URL path: [`Form::Completions`] if the path ends with `/chat/completions`, otherwise
/// [`Form::Data`]. Does not use the catalogue, because a recording can contain paths that are not in the catalogue.
pub(super) fn form_of(path: &str) -> Form {
    if path.ends_with("/chat/completions") { Form::Completions } else { Form::Data }
}
