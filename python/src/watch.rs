//! Repeats calls at an interval, for Python.

use std::sync::Arc;

use crypto_intel::{DynamicRequest, Error, extend::Call};
use pyo3::prelude::*;
use tokio::sync::Mutex;

use crate::answer::Answer;
use crate::wait::Pending;

/// A call that is repeated at an interval.
#[pyclass(frozen)]
pub(crate) struct Watch {
    call: Call,
    watch: Arc<Mutex<crypto_intel::Watch<DynamicRequest>>>,
}

impl Watch {
    pub(crate) fn new(call: Call, watch: crypto_intel::Watch<DynamicRequest>) -> Watch {
        Watch { call, watch: Arc::new(Mutex::new(watch)) }
    }
}

#[pymethods]
impl Watch {
    /// Waits until the call is due, and sends it. Returns the answer, the indices of its new rows, the number of
    /// repetitions that were skipped directly before the call, and two values for the time since the previous answer:
    /// the number of failed calls, and whether rows may be missing.
    fn next(&self) -> Pending {
        let (call, watch) = (self.call.clone(), self.watch.clone());
        Pending::new(async move {
            let update = watch.lock().await.next().await?;
            let answer = Answer::new(call, &update.reply);
            Ok::<_, Error>((
                answer,
                update.new,
                update.left_out,
                update.failures,
                update.is_disjoint,
            ))
        })
    }
}
