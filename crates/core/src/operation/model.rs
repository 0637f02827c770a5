//! Models that an operation is known to accept.

use std::fmt;

use super::{Operation, ParamKind, Price};

/// A model that the catalogue does not list for an operation.
///
/// The service may still accept the model. It adds models without notice, and it has answered and charged for
/// unlisted names. So the client only logs a warning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownModel {
    operation: &'static str,
    model: String,
    known: &'static [&'static str],
}

/// Minimum similarity of two names, from 0 to 1, to suggest one for the other.
const SIMILAR: f64 = 0.8;

impl UnknownModel {
    /// Returns the models that the catalogue lists for the operation.
    #[must_use]
    pub fn known(&self) -> &'static [&'static str] {
        self.known
    }

    /// Returns the known model with the most similar name, if one is similar enough.
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
    /// Checks the name of a model against the catalogue. Operations without models accept any name.
    ///
    /// # Errors
    /// If the catalogue does not list the model.
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
