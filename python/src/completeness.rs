//! Converts a [`Completeness`] to a Python tuple. A [`Completeness`] states whether a list, a chat answer or a table is
//! complete.

use std::sync::{Arc, Mutex, PoisonError};

use crypto_intel::Completeness;
use pyo3::prelude::*;

/// Completeness of a list, a chat answer or a table, as a Python tuple. The tuple contains the state (such as
/// `complete`), the total number of rows in the list, and the resume token. The total is `None` if the service does not
/// report it.
pub(crate) type Parts = (&'static str, Option<u64>, Option<String>);

pub(crate) fn parts(completeness: &Completeness) -> Parts {
    let resume = completeness.resume.as_ref().map(ToString::to_string);
    (completeness.state.as_str(), completeness.total, resume)
}

/// Completeness of a table. It is updated after each batch.
#[pyclass(frozen)]
#[derive(Clone, Default)]
pub(crate) struct State(Arc<Mutex<(u64, Option<Parts>)>>);

impl State {
    pub(crate) fn set(&self, rows: u64, completeness: &Completeness) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = (rows, Some(parts(completeness)));
    }
}

#[pymethods]
impl State {
    /// Returns the number of rows so far, and the completeness of the table after these rows. Before the first batch,
    /// the completeness is `None`.
    fn get(&self) -> (u64, Option<Parts>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
