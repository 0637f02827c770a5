//! The sandbox in this process, for samples and tests.

use crypto_intel_sandbox::{Clock, Fault, Sandbox as Service, UnixSeconds};
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
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
    /// Starts the sandbox on a free port. With `at` in Unix seconds, its clock is stopped at that
    /// time.
    #[new]
    #[pyo3(signature = (at=None, seed=None))]
    fn new(py: Python<'_>, at: Option<i64>, seed: Option<u64>) -> PyResult<Self> {
        let mut builder = Service::builder();
        if let Some(seconds) = at {
            builder = builder.clock(Clock::stopped_at(UnixSeconds(seconds)));
        }
        if let Some(seed) = seed {
            builder = builder.seed(seed);
        }

        let service = wait(py, async move { builder.start().await })?;
        let service = service.map_err(|error| PyOSError::new_err(error.to_string()))?;
        Ok(Sandbox { url: service.url(), key: service.key().to_owned(), service: Some(service) })
    }

    /// Stops the sandbox, and waits until its port is free.
    fn close(&mut self, py: Python<'_>) -> PyResult<()> {
        match self.service.take() {
            Some(service) => Ok(wait(py, service.stop())??),
            None => Ok(()),
        }
    }

    /// Adds a fault in its text form.
    fn inject(&self, fault: &str) -> PyResult<()> {
        let refused = |error: String| PyValueError::new_err(error);
        let fault: Fault = fault.parse().map_err(|error| refused(format!("{error}")))?;
        let Some(service) = &self.service else {
            return Err(PyRuntimeError::new_err("the sandbox was stopped"));
        };
        service.inject(fault).map_err(|error| refused(error.to_string()))
    }

    fn clear_faults(&self) {
        if let Some(service) = &self.service {
            service.clear_faults();
        }
    }

    /// Number of requests so far.
    fn requests_served(&self) -> u64 {
        self.service.as_ref().map_or(0, Service::requests_served)
    }
}
