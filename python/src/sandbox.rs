//! Runs the sandbox in this process, for examples and tests.
//!
//! The input is a random seed and a time. The output is a sandbox object with its URL, its API key, and methods for
//! faults, scenarios and the clock.

use std::time::Duration;

use crypto_intel_sandbox::{Clock, Fault, Sandbox as Service, Scenario, UnixSeconds};
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
    /// Token for HTTP requests to the control paths below `/sandbox/`.
    #[pyo3(get)]
    control_token: Option<String>,
}

fn refused(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

#[pymethods]
impl Sandbox {
    /// Starts the sandbox on a free port. If `at` (Unix seconds) is set, the clock of the sandbox is stopped at that
    /// time.
    #[new]
    #[pyo3(signature = (at=None, seed=None))]
    fn new(py: Python<'_>, at: Option<i64>, seed: Option<u64>) -> PyResult<Self> {
        let mut builder = Service::builder().control(true);
        if let Some(seconds) = at {
            builder = builder.clock(Clock::stopped_at(UnixSeconds(seconds)));
        }
        if let Some(seed) = seed {
            builder = builder.seed(seed);
        }

        let service = wait(py, async move { builder.start().await })?;
        let service = service.map_err(|error| PyOSError::new_err(error.to_string()))?;
        Ok(Sandbox {
            url: service.url(),
            key: service.key().to_owned(),
            control_token: service.control_token().map(str::to_owned),
            service: Some(service),
        })
    }

    /// Stops the sandbox, and waits until its port is free.
    fn close(&mut self, py: Python<'_>) -> PyResult<()> {
        match self.service.take() {
            Some(service) => Ok(wait(py, service.stop())??),
            None => Ok(()),
        }
    }

    /// Adds a fault, such as `"status=503;times=2"`.
    fn inject(&self, fault: &str) -> PyResult<()> {
        let fault: Fault = fault.parse().map_err(refused)?;
        self.service()?.inject(fault).map_err(refused)
    }

    fn clear_faults(&self) -> PyResult<()> {
        self.service()?.clear_faults();
        Ok(())
    }

    /// Begins a scenario. `scenario` is its name, such as `market-crash`. Some names are followed by a value, as in
    /// `chain-outage=ethereum`.
    fn play(&self, scenario: &str) -> PyResult<()> {
        self.service()?.play(scenario.parse::<Scenario>().map_err(refused)?);
        Ok(())
    }

    /// Ends a scenario.
    fn end(&self, scenario: &str) -> PyResult<()> {
        self.service()?.end(scenario.parse::<Scenario>().map_err(refused)?);
        Ok(())
    }

    /// Lists the existing scenarios, each with its effect.
    #[staticmethod]
    fn scenarios() -> Vec<(&'static str, &'static str)> {
        Scenario::all().collect()
    }

    /// Returns the time of the sandbox's clock in Unix seconds.
    fn now(&self) -> PyResult<i64> {
        Ok(self.service()?.clock().now().0)
    }

    /// Moves the sandbox's clock forward.
    fn advance(&self, seconds: u64) -> PyResult<()> {
        self.service()?.clock().advance(Duration::from_secs(seconds));
        Ok(())
    }

    /// Sets the sandbox's clock to a Unix time.
    fn set_clock(&self, seconds: i64) -> PyResult<()> {
        self.service()?.clock().set(UnixSeconds(seconds));
        Ok(())
    }

    /// Returns the number of requests so far.
    fn requests_served(&self) -> u64 {
        self.service.as_ref().map_or(0, Service::requests_served)
    }

    /// Returns the credits that the sandbox has charged so far.
    fn credits_charged(&self) -> PyResult<i64> {
        Ok(self.service()?.charged(&self.key).unwrap_or_default())
    }
}

impl Sandbox {
    fn service(&self) -> PyResult<&Service> {
        let stopped = || PyRuntimeError::new_err("the sandbox was stopped");
        self.service.as_ref().ok_or_else(stopped)
    }
}
