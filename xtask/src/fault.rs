//! What is wrong with the input, where, and how to mend it.

use std::fmt;
use std::path::Path;

/// A fault in what a command was given. Printed as three short lines; the exit status is 2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// File, and JSON pointer within it after `#`.
    place: String,
    reason: String,
    hint: String,
}

impl Fault {
    /// A fault at a JSON pointer of the document.
    pub fn at(
        pointer: impl fmt::Display,
        reason: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        Fault { place: format!("#{pointer}"), reason: reason.into(), hint: hint.into() }
    }

    /// A fault of a whole file.
    pub fn file(path: &Path, reason: impl Into<String>, hint: impl Into<String>) -> Self {
        Fault { place: path.display().to_string(), reason: reason.into(), hint: hint.into() }
    }

    /// The same fault with the file named before the pointer.
    #[must_use]
    pub fn within(mut self, file: &Path) -> Self {
        if self.place.starts_with('#') {
            self.place = format!("{}{}", file.display(), self.place);
        }
        self
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "error: {}", self.reason)?;
        writeln!(f, "   at: {}", self.place)?;
        write!(f, " hint: {}", self.hint)
    }
}

impl std::error::Error for Fault {}

pub type Result<T> = std::result::Result<T, Fault>;
