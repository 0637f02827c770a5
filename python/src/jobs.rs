//! Runs SQL queries as jobs of the service, for Python.

use std::sync::Arc;

use crypto_intel::sql::Job;
use crypto_intel::{Error, ErrorKind};
use pyo3::prelude::*;
use serde::Serialize;
use tokio::sync::Mutex;

use crate::answer::Answer;
use crate::events::Json;
use crate::wait::Pending;

/// An SQL job of the service.
#[pyclass(frozen)]
pub(crate) struct SqlJob {
    #[pyo3(get)]
    id: String,
    #[pyo3(get)]
    credits_used: Option<i64>,
    job: Arc<Mutex<Job>>,
}

impl SqlJob {
    pub(crate) fn new(job: Job) -> SqlJob {
        let (id, credits_used) = (job.id().to_owned(), job.credits_used());
        SqlJob { id, credits_used, job: Arc::new(Mutex::new(job)) }
    }
}

fn encoded(state: &impl Serialize) -> Result<Json, Error> {
    let text = serde_json::to_vec(state);
    text.map(Json).map_err(|error| Error::new(ErrorKind::Decode, error.to_string()))
}

#[pymethods]
impl SqlJob {
    /// Requests the state of the job once, and returns it as JSON text.
    fn refresh(&self) -> Pending {
        let job = self.job.clone();
        Pending::new(async move { encoded(job.lock().await.refresh().await?) })
    }

    /// Cancels the job. Returns its state as JSON.
    fn cancel(&self) -> Pending {
        let job = self.job.clone();
        Pending::new(async move { encoded(job.lock().await.cancel().await?) })
    }

    /// Waits for the end of the job. Returns its rows.
    fn result(&self) -> Pending {
        let job = self.job.clone();
        Pending::new(async move {
            let table = job.lock().await.table().await?;
            Ok::<_, Error>(Answer::of_table(&table))
        })
    }
}
