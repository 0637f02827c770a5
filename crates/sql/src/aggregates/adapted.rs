//! Aggregate functions that change the arguments of each row and pass the changed arguments to another aggregate
//! function. For example, `sumIf(x, condition)` passes `x` to `sum` if the condition is true.

use std::sync::Arc;

use super::{Made, State};
use crate::problem::Result;
use crate::value::Value;

/// Function that converts the arguments of one row and adds them to the state of the inner aggregate function. For
/// example, the function of `sumIf(x, condition)` adds `x` to the state of `sum` if the condition is true.
type Adapt = fn(&mut dyn State, &[Value]) -> Result<()>;

/// Creates an aggregate function that changes the arguments of each row before it adds them to the state of `inner`.
/// The function `add` does both. For `sumIf(x, condition)`, `inner` is `sum`, and `add` adds `x` to its state if the
/// condition is true.
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
