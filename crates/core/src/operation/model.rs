//! The chat models that the catalogue lists for an operation.

use std::fmt;

use super::{Operation, ParamKind, Price};

/// Error for the name of a chat model that the catalogue does not list for an operation.
///
/// The client logs this error as a warning and sends the request, because the service can add models at any time. The
/// service has also accepted and charged for unlisted names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownModel {
    operation: &'static str,
    model: String,
    known: &'static [&'static str],
}

/// Minimum similarity, from 0 to 1, between an unknown model name and the listed model name that is suggested instead.
const SIMILAR: f64 = 0.8;

impl UnknownModel {
    /// Returns the names of the chat models that the catalogue lists for the operation.
    #[must_use]
    pub fn known(&self) -> &'static [&'static str] {
        self.known
    }

    /// Returns the listed model name that is most similar to the unknown name. Returns `None` if no listed name is
    /// similar enough.
    #[must_use]
    pub fn closest(&self) -> Option<&'static str> {
        let model = self.model.to_ascii_lowercase();
        let scored = self.known.iter().map(|known| (strsim::jaro_winkler(&model, known), *known));
        let (similarity, closest) = scored.max_by(|(one, _), (other, _)| one.total_cmp(other))?;
        (similarity >= SIMILAR).then_some(closest)
    }
}

impl fmt::Display for UnknownModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` has no model `{}`", self.operation, self.model.escape_default())?;
        if let Some(closest) = self.closest() {
            write!(f, ": did you mean `{closest}`?")?;
        }
        write!(f, " (known models: {})", self.known.join(", "))
    }
}

impl std::error::Error for UnknownModel {}

impl Operation {
    /// Checks that the catalogue lists a model for this operation. An operation without a list of models accepts any
    /// name.
    ///
    /// # Errors
    /// Returns an error if the catalogue does not list the model.
    pub fn check_model(&'static self, model: &str) -> Result<(), UnknownModel> {
        let known = match self.param("model") {
            Some((_, param)) if matches!(self.price, Price::ByModel(_)) => match param.kind {
                ParamKind::Enum(known) => known,
                _ => return Ok(()),
            },
            _ => return Ok(()),
        };
        if known.contains(&model) {
            return Ok(());
        }
        Err(UnknownModel { operation: self.id, model: model.to_owned(), known })
    }
}
