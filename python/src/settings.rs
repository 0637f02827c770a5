//! Reads the settings of clients and calls from Python dictionaries. The keys are the setting names of the Python
//! module `crypto_intel._client`.

use std::time::Duration;

use crypto_intel::cache::Cache;
use crypto_intel::credits::Budget;
use crypto_intel::http::{HeaderMap, HeaderName, HeaderValue};
use crypto_intel::{CallOptions, Client, ClientBuilder, Error, RateLimit, RetryPolicy};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::attempts;
use crate::notices::Receiver;

/// Settings of a client. Each process builds its own client from these settings.
pub(crate) struct Settings {
    builder: ClientBuilder,
    /// Budget in credits. If `allows_unpriced` is true, calls without a published price are allowed too.
    budget: Option<u64>,
    allows_unpriced: bool,
    /// Maximum age of cached responses. Each process creates its own cache, because a forked child process cannot use
    /// the locks of its parent's cache.
    cache: Option<Duration>,
    /// Name of the data source in exports. `None` means the base URL.
    pub(crate) origin: Option<String>,
}

impl Settings {
    pub(crate) fn read(settings: &Bound<'_, PyDict>) -> PyResult<Settings> {
        let mut read = Settings {
            builder: Client::builder().from_env(),
            budget: None,
            allows_unpriced: false,
            cache: None,
            origin: None,
        };

        for (name, value) in present(settings) {
            let name: String = name.extract()?;
            let builder = read.builder.clone();
            read.builder = match name.as_str() {
                "api_key" => builder.api_key(value.extract::<String>()?),
                "base_url" => builder.base_url(value.extract::<String>()?),
                "deadline" => builder.deadline(seconds(&name, &value)?),
                "timeout" => builder.read_timeout(seconds(&name, &value)?),
                "connect_timeout" => builder.connect_timeout(seconds(&name, &value)?),
                "retries" => builder.retry(RetryPolicy::default().attempts(attempts_of(&value)?)),
                "rate_limit" => builder.rate_limit(RateLimit::per_minute(value.extract()?)),
                "user_agent" => builder.user_agent(value.extract::<String>()?),
                "headers" => builder.headers(headers(&value)?),
                "max_body" => builder.max_body(value.extract()?),
                "on_attempt" => builder.layer(attempts::layer(Receiver::new(value.unbind()))),
                _ => {
                    read.other(&name, &value)?;
                    builder
                }
            };
        }
        Ok(read)
    }

    fn other(&mut self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        match name {
            "budget" => self.budget = Some(value.extract()?),
            "allow_unpriced" => self.allows_unpriced = value.extract()?,
            "cache" => self.cache = Some(seconds(name, value)?),
            "origin" => self.origin = Some(value.extract()?),
            _ => return Err(PyValueError::new_err(format!("clients have no setting `{name}`"))),
        }
        Ok(())
    }

    /// Builds a client. In a forked process, `parent` is the client of the parent process. The new client's budget is
    /// the remaining budget of `parent`.
    pub(crate) fn build(&self, parent: Option<&Client>) -> Result<Client, Error> {
        let mut builder = self.builder.clone();
        let left = parent.and_then(|parent| parent.ledger().remaining());
        if let Some(credits) = left.map(|credits| credits.0).or(self.budget) {
            let budget = Budget::credits(credits);
            builder = builder.budget(match self.allows_unpriced {
                true => budget.allow_unknown(),
                false => budget,
            });
        }
        if let Some(age) = self.cache {
            builder = builder.cache(Cache::new(age));
        }
        builder.build()
    }
}

/// Reads the options of one call from a Python dictionary.
pub(crate) fn call_options(options: &Bound<'_, PyDict>) -> PyResult<CallOptions> {
    let mut read = CallOptions::default();
    for (name, value) in present(options) {
        let name: String = name.extract()?;
        read = match name.as_str() {
            "api_key" => read.api_key(value.extract::<String>()?),
            "base_url" => read.base_url(value.extract::<String>()?),
            "deadline" => read.deadline(seconds(&name, &value)?),
            "timeout" => read.read_timeout(seconds(&name, &value)?),
            "total_timeout" => read.total_timeout(seconds(&name, &value)?),
            "retries" => read.attempts(attempts_of(&value)?),
            "headers" => read.headers(headers(&value)?),
            "max_age" => read.max_age(seconds(&name, &value)?),
            // The function that reads the arguments handles this option.
            "extra" => read,
            "unchecked" if value.extract()? => read.unchecked(),
            "unchecked" => read,
            _ => return Err(PyValueError::new_err(format!("calls have no option `{name}`"))),
        };
    }
    Ok(read)
}

/// Returns the names and values of the settings that are not `None`.
pub(crate) fn present<'py>(
    settings: &Bound<'py, PyDict>,
) -> impl Iterator<Item = (Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    settings.iter().filter(|(_, value)| !value.is_none())
}

pub(crate) fn seconds(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Duration> {
    let seconds = Duration::try_from_secs_f64(value.extract()?);
    seconds.map_err(|error| PyValueError::new_err(format!("`{name}`: {error}")))
}

fn attempts_of(retries: &Bound<'_, PyAny>) -> PyResult<u32> {
    Ok(retries.extract::<u32>()?.saturating_add(1))
}

fn headers(headers: &Bound<'_, PyAny>) -> PyResult<HeaderMap> {
    let mut read = HeaderMap::new();
    for (name, value) in headers.cast::<PyDict>()? {
        let (name, value): (String, String) = (name.extract()?, value.extract()?);
        let unusable = || {
            PyValueError::new_err(format!(
                "`headers`: `{name}` is not a valid \
         header"
            ))
        };
        let key: HeaderName = name.parse().map_err(|_| unusable())?;
        let value: HeaderValue = value.parse().map_err(|_| unusable())?;
        read.insert(key, value);
    }
    Ok(read)
}
