//! Reads the rows of a list in batches.
//!
//! The input is a request for a list. The output is batches of rows. The interpreter lock is not held while a batch is
//! requested.

use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use crypto_intel::{Completeness, DynamicRequest, Error, paging};
use pyo3::prelude::*;
use tokio::sync::Mutex;

use crate::completeness::{Parts, parts};
use crate::wait::Pending;

/// The rows of a list, in batches.
#[pyclass(frozen)]
pub(crate) struct Rows(Arc<Mutex<Reading>>);

/// State of a list that is being read.
struct Reading {
    items: Option<paging::Items<DynamicRequest>>,
    /// Error that ended the list inside a batch. The batch with the rows before the error is returned first. The next
    /// call of `next_batch` returns the error.
    error: Option<Error>,
    rows: u64,
    completeness: Completeness,
}

/// Maximum number of rows in one batch.
const BATCH: usize = 1_000;

#[pymethods]
impl Rows {
    /// Returns the next rows as a JSON list, or `None` at the end of the list.
    fn next_batch(&self) -> Pending {
        let shared = self.0.clone();
        Pending::new(async move { shared.lock().await.batch().await })
    }

    /// Returns the number of rows in all batches so far. Also returns whether the list is complete, as of the last
    /// batch.
    fn completeness(&self, py: Python<'_>) -> (u64, Parts) {
        py.detach(|| {
            let reading = self.0.blocking_lock();
            (reading.rows, parts(&reading.completeness))
        })
    }
}

impl Rows {
    pub(crate) fn new(items: paging::Items<DynamicRequest>) -> Self {
        let completeness = Completeness::of_items(&items);
        let reading = Reading { items: Some(items), error: None, rows: 0, completeness };
        Rows(Arc::new(Mutex::new(reading)))
    }
}

impl Reading {
    async fn batch(&mut self) -> Result<Option<String>, Error> {
        match self.read().await {
            Ok(batch) => Ok(batch),
            Err(error) => {
                self.items = None;
                self.completeness = self.completeness.clone().after_error(&error);
                Err(error)
            }
        }
    }

    /// Waits for the next row. Returns the rows that have arrived, as a JSON list of at most [`BATCH`] rows. Returns
    /// `None` at the end of the list.
    async fn read(&mut self) -> Result<Option<String>, Error> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        let Some(items) = &mut self.items else { return Ok(None) };
        let Some(first) = items.try_next().await? else {
            self.completeness = Completeness::of_items(items);
            return Ok(None);
        };

        let mut batch = format!("[{}", first.get());
        self.rows += 1;
        for _ in 1..BATCH {
            match at_once(items.try_next()) {
                Some(Ok(Some(row))) => {
                    batch.push(',');
                    batch.push_str(row.get());
                    self.rows += 1;
                }
                Some(Err(error)) => {
                    self.error = Some(error);
                    break;
                }
                Some(Ok(None)) | None => break,
            }
        }
        batch.push(']');

        self.completeness = Completeness::of_items(items);
        Ok(Some(batch))
    }
}

/// Polls a future once. Returns its result, or `None` if the future is pending.
fn at_once<T>(future: impl Future<Output = T>) -> Option<T> {
    let mut future = std::pin::pin!(future);
    match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => Some(value),
        Poll::Pending => None,
    }
}
