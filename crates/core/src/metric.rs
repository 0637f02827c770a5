//! Financial metrics of companies: a value, or the reason why the value is missing.
//!
//! A metric is decoded from a JSON number or from a JSON object with a status. Its value can be read as a number, as a
//! [`Figure`], or as a `Result` whose error contains the reason.

use crate::error::Error;
use crate::figure::Figure;
use crate::number::Number;
use crate::record::Extra;

crate::open_enum! {
    /// Status of a financial metric: whether it has a value.
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
    /// Origin of the value of a financial metric.
    ValueOrigin {
        /// The company reported the value.
        Reported = "reported",
        /// The service computed the value from reported values.
        Derived = "derived",
    }
}

/// One metric of a financial statement, such as revenue: its value, or the reason why the value is missing. A missing
/// value is never read as 0.
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
    /// The number as received, even if the status is not `available`. [`value`](Self::value) and
    /// [`require`](Self::require) also check the status.
    pub number: Option<Number>,
    /// Status of the metric: whether it has a value.
    pub status: MetricStatus,
    /// Origin of the value. Either the company reported the value, or the service derived it.
    pub value_origin: Option<ValueOrigin>,
    /// Reason why the value is missing, as a code such as `not_filed`. The service can add codes.
    pub reason_code: Option<String>,
    /// Codes of the reasons that limit the quality of the value, such as `preliminary`. The service can add codes.
    pub quality_reason_codes: Vec<String>,
    /// Version of the formula with which the service computed the value.
    pub formula_version: Option<String>,
    /// Version of the service's rules that decide whether the metric applies to the company.
    pub applicability_version: Option<String>,
    /// Accession numbers of the regulatory filings from which the value was taken.
    pub source_accessions: Vec<String>,
    /// Identifiers of the metric snapshots from which the value was taken.
    pub source_financial_metric_snapshot_ids: Vec<String>,
    /// Identifiers of the data revisions from which the value was taken.
    pub source_revision_ids: Vec<String>,
    /// Identifiers of the financial statements from which the value was taken.
    pub source_statement_ids: Vec<String>,
    /// Fields that are unknown to this release.
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
    /// Returns true if the response did not contain this metric.
    #[must_use]
    pub fn is_absent(&self) -> bool {
        self.status.as_str().is_empty()
    }

    /// Returns the number. Returns `None` if the status is not `available`, or if the number is missing or out of the
    /// range of `f64`. The documentation of the field that contains the metric states the unit.
    #[must_use]
    pub fn value(&self) -> Option<f64> {
        self.available_number().map(Number::to_f64).filter(|value| value.is_finite())
    }

    /// Returns the value as an exact decimal. Returns `None` if the value is missing, not applicable, or has more than
    /// about 28 digits.
    #[cfg(feature = "decimal")]
    #[must_use]
    pub fn decimal(&self) -> Option<rust_decimal::Decimal> {
        self.available_number()?.to_decimal()
    }

    /// Returns the number. If the metric has no number, returns an error whose message contains the reason.
    ///
    /// # Errors
    /// Returns [`ErrorKind::NotFound`](crate::ErrorKind::NotFound) if the status is not `available`, or if the number
    /// is missing or out of the range of `f64`.
    pub fn require(&self) -> Result<f64, Error> {
        self.figure().require()
    }

    /// Converts the metric to a [`Figure`], whose arithmetic handles missing values.
    #[must_use]
    pub fn figure(&self) -> Figure<f64> {
        self.figure_with(|number| Some(number.to_f64()).filter(|value| value.is_finite()))
    }

    /// Converts the metric to a [`Figure`] with an exact decimal. The figure is missing if the number has more than
    /// about 28 digits.
    #[cfg(feature = "decimal")]
    #[must_use]
    pub fn decimal_figure(&self) -> Figure<rust_decimal::Decimal> {
        self.figure_with(Number::to_decimal)
    }

    /// Returns the relative change of the value since `previous`, such as 0.25 for a growth of one quarter. See
    /// [`Figure::growth`].
    #[must_use]
    pub fn growth(&self, previous: &MetricValue) -> Figure<f64> {
        self.figure().growth(previous.figure())
    }

    fn available_number(&self) -> Option<&Number> {
        self.number.as_ref().filter(|_| self.status == MetricStatus::Available)
    }

    fn figure_with<T>(&self, read: impl FnOnce(&Number) -> Option<T>) -> Figure<T> {
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
            // A status that is unknown to this release does not count as available.
            other => Figure::Missing(reason.or(Some(other.as_str())).into()),
        }
    }
}

/// Writes a metric as a field of a JSON object. A metric that the response did not contain is not written.
///
/// # Errors
/// Returns errors of the serializer.
#[doc(hidden)]
pub fn write_metric<M: serde::ser::SerializeMap>(
    map: &mut M,
    name: &'static str,
    metric: &MetricValue,
) -> Result<(), M::Error> {
    if metric.is_absent() { Ok(()) } else { map.serialize_entry(name, metric) }
}

/// A record that has fields of type [`MetricValue`]. Generated code implements this trait.
pub trait Metrics {
    /// Returns all metrics of the record, each with the name of its JSON field, in the order of the fields.
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
    fn metric_has_number_only_if_available() {
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
    fn metric_reads_null_code_lists_and_known_origins() {
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
    fn metric_round_trips_with_all_digits() {
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
