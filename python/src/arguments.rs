//! Converts Python arguments to the parameters of a call.
//!
//! The input is an operation and Python values as arguments. The output is a request, or a Python exception.

use crypto_intel::catalogue::ParamKind;
use crypto_intel::{CallOptions, Client, DynamicRequest, Value};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyString};

use crate::errors::Raise;
use crate::settings::{call_options, present};

/// A call, as Python passes it. The fields are the identifier of the operation, the arguments, and the options of the
/// call.
#[derive(FromPyObject)]
pub(crate) struct CallArguments<'py>(String, Bound<'py, PyDict>, Bound<'py, PyDict>);

impl<'py> CallArguments<'py> {
    pub(crate) fn operation(&self) -> &str {
        &self.0
    }

    /// Returns a call of another operation, with the arguments and options of this call.
    pub(crate) fn of_operation(&self, operation: &str) -> CallArguments<'py> {
        CallArguments(operation.to_owned(), self.1.clone(), self.2.clone())
    }

    pub(crate) fn options(&self) -> PyResult<CallOptions> {
        call_options(&self.2)
    }

    pub(crate) fn py(&self) -> Python<'py> {
        self.1.py()
    }
}

/// Creates a request. Omits arguments with the value `None`.
pub(crate) fn request(client: &Client, given: &CallArguments<'_>) -> PyResult<DynamicRequest> {
    let py = given.py();
    let request = client.request(given.operation()).map_err(|error| error.raise(py))?;
    let mut request = request.with_options(given.options()?);
    for (name, value) in present(&given.1) {
        let name: String = name.extract()?;
        let kind = request.operation().param(&name).map(|(_, param)| param.kind);
        let text = text(&name, &value, kind)?;
        request = request.with_text(&name, &text).map_err(|error| error.raise(py))?;
    }
    match given.2.get_item("extra")? {
        Some(extra) => with_extra(request, extra.cast::<PyDict>()?),
        None => Ok(request),
    }
}

/// Sets additional parameters of a request. These are parameters that the catalogue does not list for the operation.
fn with_extra(mut request: DynamicRequest, extra: &Bound<'_, PyDict>) -> PyResult<DynamicRequest> {
    for (name, value) in present(extra) {
        let name: String = name.extract()?;
        let value = match value.extract::<String>() {
            Ok(text) => Value::Text(text),
            Err(_) => {
                let text: String =
                    value.py().import("json")?.getattr("dumps")?.call1((value,))?.extract()?;
                let json = serde_json::from_str(&text);
                Value::Json(json.map_err(|error| PyValueError::new_err(error.to_string()))?)
            }
        };
        request = request.with_param(name, value);
    }
    Ok(request)
}

fn text(name: &str, value: &Bound<'_, PyAny>, kind: Option<ParamKind>) -> PyResult<String> {
    if value.is_instance_of::<PyBytes>() {
        return Err(PyTypeError::new_err(format!("`{name}` must be a str, not bytes")));
    }
    if let Some(ParamKind::Json(_)) = kind {
        return value.py().import("json")?.getattr("dumps")?.call1((value,))?.extract();
    }
    if let Ok(truth) = value.cast::<PyBool>() {
        return Ok(truth.is_true().to_string());
    }
    if value.is_instance_of::<PyString>() {
        return value.extract();
    }

    match kind {
        Some(ParamKind::List { .. }) => {
            let texts: Vec<String> = value
                .try_iter()?
                .map(|item| Ok(item?.str()?.to_str()?.to_owned()))
                .collect::<PyResult<_>>()?;
            Ok(texts.join(","))
        }
        Some(ParamKind::Moment) => time_argument(name, value),
        _ => value.str()?.extract(),
    }
}

/// Converts the argument of a time parameter to text. A `datetime`, or a number such as `time.time()`, becomes Unix
/// seconds. A `date` becomes `YYYY-MM-DD`.
fn time_argument(name: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(seconds) = value.cast::<PyFloat>() {
        return Ok(format!("{}", seconds.value().floor()));
    }
    if !value.hasattr("timestamp")? {
        return match value.hasattr("isoformat")? {
            true => value.call_method0("isoformat")?.extract(),
            false => value.str()?.extract(),
        };
    }

    // Python would interpret a datetime without a time zone in the time zone of this machine.
    if value.getattr("tzinfo")?.is_none() {
        let what = format!("`{name}` has no time zone; set one such as datetime.timezone.utc");
        return Err(PyValueError::new_err(what));
    }
    let seconds: f64 = value.call_method0("timestamp")?.extract()?;
    Ok(format!("{}", seconds.floor()))
}
