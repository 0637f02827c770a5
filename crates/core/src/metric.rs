//! Figures of companies: a value, or the reason why there is none.

use crate::error::{Error, Kind};
use crate::record::Extra;

crate::open_enum! {
    /// Whether a metric has a value.
    MetricStatus {
        /// There is a value.
        Available = "available",
        /// The value exists but is not known to the service.
        Missing = "missing",
        /// The metric has no meaning for this company or period.
        NotApplicable = "not_applicable",
    }
}

crate::open_enum! {
    /// How the service came by a value.
    ValueOrigin {
        /// As the company reported it.
        Reported = "reported",
        /// Computed from reported values.
        Derived = "derived",
    }
}

/// One figure of a statement, or the reason why there is none. A missing figure never reads as 0.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct MetricValue {
    /// The figure, in the unit of the member that holds it; `None` when it is missing or does
    /// not apply.
    pub value: Option<f64>,
    /// Whether there is a value, and if not, which kind of absence it is.
    pub status: MetricStatus,
    /// Reported by the company, or derived from what it reported.
    pub value_origin: Option<ValueOrigin>,
    /// Why there is no value, as an opaque code.
    pub reason_code: Option<String>,
    /// What limits the quality of the value, as opaque codes.
    pub quality_reason_codes: Vec<String>,
    /// Version of the formula behind a derived value.
    pub formula_version: Option<String>,
    /// Version of the rules that decide whether the metric applies.
    pub applicability_version: Option<String>,
    /// Filings the value comes from, by accession number.
    pub source_accessions: Vec<String>,
    /// Snapshots the value comes from.
    pub source_financial_metric_snapshot_ids: Vec<String>,
    /// Statement revisions the value comes from.
    pub source_revision_ids: Vec<String>,
    /// Statements the value comes from.
    pub source_statement_ids: Vec<String>,
    /// Members this release does not know.
    pub extra: Extra,
}

crate::record!(MetricValue {
    0 nullable value "value",
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
    /// Whether the member was not in the answer at all.
    #[must_use]
    pub fn is_absent(&self) -> bool {
        self.status.as_str().is_empty()
    }

    /// The figure, or an error that says why there is none.
    ///
    /// # Errors
    /// [`Kind::NotFound`] when the status is anything but available, or no value came with it.
    pub fn require(&self) -> Result<f64, Error> {
        match (self.value, &self.status) {
            (Some(value), MetricStatus::Available) => Ok(value),
            _ => {
                let status =
                    if self.is_absent() { "not in the answer" } else { self.status.as_str() };
                let mut message = format!("the metric has no value: {status}");
                if let Some(reason) = &self.reason_code {
                    message.push_str(" (");
                    message.push_str(reason);
                    message.push(')');
                }
                Err(Error::new(Kind::NotFound, message))
            }
        }
    }
}

/// Writes a metric unless it was absent.
///
/// # Errors
/// Whatever the serialiser reports.
#[doc(hidden)]
pub fn write_metric<M: serde::ser::SerializeMap>(
    map: &mut M,
    name: &'static str,
    metric: &MetricValue,
) -> Result<(), M::Error> {
    if metric.is_absent() { Ok(()) } else { map.serialize_entry(name, metric) }
}

/// A record that holds metrics. Generated.
pub trait Metrics {
    /// Every metric of the record with its name on the wire, in the order of the record.
    fn metrics(&self) -> Vec<(&'static str, &MetricValue)>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_is_given_out_only_when_it_is_available() {
        let read = |text| serde_json::from_str::<MetricValue>(text).unwrap().require();
        assert_eq!(read(r#"{"value": 2.5, "status": "available"}"#).unwrap(), 2.5);
        for text in [
            r#"{"value": null, "status": "missing", "reason_code": "not_reported"}"#,
            r#"{"value": 0, "status": "not_applicable"}"#,
            r#"{"status": "available"}"#,
            r#"{"value": 1, "status": "withheld"}"#,
            r#"{"value": 1, "status": ""}"#,
        ] {
            assert_eq!(read(text).unwrap_err().kind(), Kind::NotFound, "{text}");
        }
    }
}
