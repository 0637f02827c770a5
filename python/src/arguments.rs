//! Arguments of Python as the parameters of a call.

use crypto_intel::catalogue::ParamKind;
use crypto_intel::{Client, DynamicRequest};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyString};

use crate::errors::Raise;

/// Creates a request with arguments. Those that are `None` are omitted.
pub(crate) fn request(
    client: &Client,
    operation: &str,
    arguments: &Bound<'_, PyDict>,
) -> PyResult<DynamicRequest> {
    let py = arguments.py();
    let mut request = client.request(operation).map_err(|error| error.raise(py))?;
    for (name, value) in arguments {
        if value.is_none() {
            continue;
        }
        let name: String = name.extract()?;
        let kind = request.operation().param(&name).map(|(_, param)| param.kind);
        let text = text(&name, &value, kind)?;
        request = request.set_text(&name, &text).map_err(|error| error.raise(py))?;
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
        Some(ParamKind::Moment) => moment(name, value),
        _ => value.str()?.extract(),
    }
}

/// A datetime and a number such as `time.time()` become Unix seconds, and a date becomes `YYYY-MM-DD`.
fn moment(name: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(seconds) = value.cast::<PyFloat>() {
        return Ok(format!("{}", seconds.value().floor()));
    }
    if !value.hasattr("timestamp")? {
        return match value.hasattr("isoformat")? {
            true => value.call_method0("isoformat")?.extract(),
            false => value.str()?.extract(),
        };
    }

    // Python would interpret it in the time zone of this machine.
    if value.getattr("tzinfo")?.is_none() {
        let what = format!("`{name}` has no time zone; give it one, such as datetime.timezone.utc");
        return Err(PyValueError::new_err(what));
    }
    let seconds: f64 = value.call_method0("timestamp")?.extract()?;
    Ok(format!("{}", seconds.floor()))
}
