//! Metrics of companies: a value, or the reason why it is missing.
//!
//! A metric is decoded from a number or an object with a status. It returns a number, a figure, or an error with
//! the reason.

use crate::error::Error;
use crate::figure::Figure;
use crate::number::Number;
use crate::record::Extra;

crate::open_enum! {
    /// Status of a metric: with a value, or without one.
    MetricStatus {
        /// The metric has a value.
        Available = "available",
        /// The value exists but is not known to the service.
        Missing = "missing",
        /// The metric has no meaning for this company or period.
        NotApplicable = "not_applicable",
    }
}

crate::open_enum! {
    /// Origin of a value.
    ValueOrigin {
        /// Reported by the company.
        Reported = "reported",
        /// Computed from reported values.
        Derived = "derived",
    }
}

/// One metric of a financial statement, or the reason why its value is missing. A missing value is never read as 0.
///
/// ```
/// use crypto_intel_core::MetricValue;
///
/// let now: MetricValue = serde_json::from_str(r#"{"value": 120.10, "status": "available"}"#)?;
/// let before: MetricValue =
///     serde_json::from_str(r#"{"value": null, "status": "missing", "reason_code": "not_filed"}"#)?;
/// assert_eq!(now.value(), Some(120.1));
/// assert_eq!(now.number.as_ref().map(|number| number.as_str()), Some("120.10"));
/// assert_eq!(
///     before.require().unwrap_err().to_string(),
///     "not found: the figure has no value: missing (not_filed)"
/// );
/// assert_eq!(now.growth(&before).to_string(), "missing (not_filed)");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct MetricValue {
    /// The number as received, whatever the status. [`value`](Self::value) and [`require`](Self::require) check the
    /// status.
    pub number: Option<Number>,
    /// Status of the metric: with a value, or the reason why it has none.
    pub status: MetricStatus,
    /// Origin of the value: reported by the company, or derived by the service.
    pub value_origin: Option<ValueOrigin>,
    /// Reason for a missing value, as an opaque code.
    pub reason_code: Option<String>,
    /// Reasons that limit the quality of the value, as opaque codes.
    pub quality_reason_codes: Vec<String>,
    /// Version of the formula behind a derived value.
    pub formula_version: Option<String>,
    /// Version of the rules that decide whether the metric applies.
    pub applicability_version: Option<String>,
    /// Accession numbers of the filings from which the value was taken.
    pub source_accessions: Vec<String>,
    /// Snapshots from which the value was taken.
    pub source_financial_metric_snapshot_ids: Vec<String>,
    /// Revisions of statements from which the value was taken.
    pub source_revision_ids: Vec<String>,
    /// Statements from which the value was taken.
    pub source_statement_ids: Vec<String>,
    /// Fields that this release does not know.
    pub extra: Extra,
}

crate::record!(MetricValue {
    0 nullable number "value",
    1 required status "status",
    2 optional value_origin "value_origin",
    3 optional reason_code "reason_code",
    4 optional_list quality_reason_codes "quality_reason_codes",
    5 optional formula_version "formula_version",
    6 optional applicability_version "applicability_version",
    7 optional_list source_accessions "source_accessions",
    8 optional_list source_financial_metric_snapshot_ids "source_financial_metric_snapshot_ids",
    9 optional_list source_revision_ids "source_revision_ids",
    10 optional_list source_statement_ids "source_statement_ids",
});

impl MetricValue {
    /// Returns true if the response did not contain the field.
    #[must_use]
    pub fn is_absent(&self) -> bool {
        self.status.as_str().is_empty()
    }

    /// Returns the number in the unit of its field; `None` if it is missing or not applicable.
    #[must_use]
    pub fn value(&self) -> Option<f64> {
        self.available().map(Number::to_f64).filter(|value| value.is_finite())
    }

    /// Returns the value as an exact decimal, or `None` if it is missing or has more than about 28 digits.
    #[cfg(feature = "decimal")]
    #[must_use]
    pub fn decimal(&self) -> Option<rust_decimal::Decimal> {
        self.available()?.to_decimal()
    }

    /// Returns the number, or an error with the reason why it is missing.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`](crate::ErrorKind::NotFound) if the status is not `available`, or the value is missing.
    pub fn require(&self) -> Result<f64, Error> {
        self.figure().require()
    }

    /// Converts to a [`Figure`], which propagates missing values through arithmetic.
    #[must_use]
    pub fn figure(&self) -> Figure<f64> {
        self.figure_of(|number| Some(number.to_f64()).filter(|value| value.is_finite()))
    }

    /// Converts to a [`Figure`] with an exact decimal. A number with more than about 28 digits counts as missing.
    #[cfg(feature = "decimal")]
    #[must_use]
    pub fn decimal_figure(&self) -> Figure<rust_decimal::Decimal> {
        self.figure_of(Number::to_decimal)
    }

    /// Returns the relative change since `previous`; see [`Figure::growth`].
    #[must_use]
    pub fn growth(&self, previous: &MetricValue) -> Figure<f64> {
        self.figure().growth(previous.figure())
    }

    fn available(&self) -> Option<&Number> {
        self.number.as_ref().filter(|_| self.status == MetricStatus::Available)
    }

    fn figure_of<T>(&self, read: impl FnOnce(&Number) -> Option<T>) -> Figure<T> {
        let reason = self.reason_code.as_deref();
        match &self.status {
            MetricStatus::Available => match &self.number {
                Some(number) => {
                    read(number).map_or_else(|| Figure::missing("out_of_range"), Figure::Value)
                }
                None => Figure::Missing(reason.or(Some("no_value")).into()),
            },
            MetricStatus::NotApplicable => Figure::NotApplicable(reason.into()),
            MetricStatus::Missing => Figure::Missing(reason.into()),
            _ if self.is_absent() => Figure::missing("not_in_the_answer"),
            // A status that this release does not know does not count as available.
            other => Figure::Missing(reason.or(Some(other.as_str())).into()),
        }
    }
}

/// Writes a metric unless it was absent.
///
/// # Errors
/// Errors of the serializer.
#[doc(hidden)]
pub fn write_metric<M: serde::ser::SerializeMap>(
    map: &mut M,
    name: &'static str,
    metric: &MetricValue,
) -> Result<(), M::Error> {
    if metric.is_absent() { Ok(()) } else { map.serialize_entry(name, metric) }
}

/// A record with metrics. Generated.
pub trait Metrics {
    /// Returns every metric of the record with its name on the wire, in the order of the record.
    fn metrics(&self) -> Vec<(&'static str, &MetricValue)>;
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(text: &str) -> MetricValue {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn a_figure_is_given_out_only_when_it_is_available() {
        for (text, figure) in [
            (r#"{"value": 2.5, "status": "available"}"#, "2.5"),
            (r#"{"value": "2.50", "status": "available"}"#, "2.5"),
            (
                r#"{"value": null, "status": "missing", "reason_code": "not_reported"}"#,
                "missing (not_reported)",
            ),
            (r#"{"value": 0, "status": "not_applicable"}"#, "not applicable"),
            (r#"{"status": "available"}"#, "missing (no_value)"),
            (r#"{"value": 1, "status": "withheld"}"#, "missing (withheld)"),
            (r#"{"value": 1, "status": ""}"#, "missing (not_in_the_answer)"),
            (r#"{"value": 1e999, "status": "available"}"#, "missing (out_of_range)"),
        ] {
            let metric = read(text);
            assert_eq!(metric.figure().to_string(), figure, "{text}");
            assert_eq!(metric.require().ok(), metric.figure().value());
        }
    }

    #[test]
    fn lists_of_codes_may_be_null_and_origins_are_known() {
        let text = r#"{"value": 1, "status": "available", "value_origin": "derived",
            "quality_reason_codes": null, "source_accessions": null,
            "source_financial_metric_snapshot_ids": null, "source_revision_ids": null,
            "source_statement_ids": ["s"], "reason_code": "r", "formula_version": "1",
            "applicability_version": "2"}"#;
        let metric = read(text);
        assert_eq!(metric.value_origin, Some(ValueOrigin::Derived));
        assert_eq!(ValueOrigin::KNOWN, ["reported", "derived"]);
        assert!(metric.quality_reason_codes.is_empty() && metric.source_accessions.is_empty());
        assert_eq!(metric.source_statement_ids, ["s"]);
        assert_eq!(metric.reason_code.as_deref(), Some("r"));
        assert_eq!(metric.formula_version.as_deref(), Some("1"));
        assert_eq!(metric.applicability_version.as_deref(), Some("2"));
        assert!(metric.extra.is_empty(), "{metric:?}");
    }

    #[test]
    fn figures_are_exact_from_text_and_come_back_as_they_were() {
        let text = r#"{"value":1234567890123456.789,"status":"available"}"#;
        let metric = read(text);
        assert_eq!(serde_json::to_string(&metric).unwrap(), text);
        #[cfg(feature = "decimal")]
        assert_eq!(metric.decimal().unwrap().to_string(), "1234567890123456.789");
        let json = json!({"value": -0.5, "status": "available", "quality_reason_codes": ["q"]});
        let metric: MetricValue = serde_json::from_value(json.clone()).unwrap();
        assert_eq!(metric.value(), Some(-0.5));
        assert_eq!(serde_json::to_value(&metric).unwrap(), json);
    }
}
