//! The service in this process, for samples and tests.

use crypto_intel_sandbox::{Clock, Sandbox as Service, UnixSeconds};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

use crate::wait::wait;

#[pyclass]
pub(crate) struct Sandbox {
    service: Option<Service>,
    #[pyo3(get)]
    url: String,
    #[pyo3(get)]
    key: String,
}

#[pymethods]
impl Sandbox {
    /// Starts it on a free port of this machine; with `at`, Unix seconds, its clock stands there.
    #[new]
    #[pyo3(signature = (at=None))]
    fn new(py: Python<'_>, at: Option<i64>) -> PyResult<Self> {
        let builder = match at {
            Some(seconds) => Service::builder().clock(Clock::stopped_at(UnixSeconds(seconds))),
            None => Service::builder(),
        };
        let service = wait(py, async move { builder.start().await })?;
        let service = service.map_err(|error| PyOSError::new_err(error.to_string()))?;
        Ok(Sandbox { url: service.url(), key: service.key().to_owned(), service: Some(service) })
    }

    fn close(&mut self) {
        self.service = None;
    }

    /// Requests that were answered so far.
    fn requests_served(&self) -> u64 {
        self.service.as_ref().map_or(0, Service::requests_served)
    }
}
