//! Functions that pass changed rows to another function.

use std::sync::Arc;

use super::{Made, State};
use crate::problem::Result;
use crate::value::Value;

/// Adds a row to the state of another function, after changing it.
type Adapt = fn(&mut dyn State, &[Value]) -> Result<()>;

/// Creates a function that passes its rows to another function by way of `add`.
pub(super) fn adapted(inner: Made, add: Adapt) -> Made {
    let Made { ty, start } = inner;
    Made { ty, start: Arc::new(move || Box::new(Adapted { inner: start(), add })) }
}

struct Adapted {
    inner: Box<dyn State>,
    add: Adapt,
}

impl State for Adapted {
    fn add(&mut self, args: &[Value]) -> Result<()> {
        (self.add)(&mut *self.inner, args)
    }

    fn finish(&self) -> Result<Value> {
        self.inner.finish()
    }

    fn size(&self) -> usize {
        self.inner.size()
    }

    fn growing_len(&self) -> Option<usize> {
        self.inner.growing_len()
    }
}
