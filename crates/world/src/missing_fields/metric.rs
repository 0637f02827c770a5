//! JSON objects for the values of financial statements. A value is available, missing or not applicable.

use crate::random::Seed;
use crate::record::record;
use crate::value::{Members, Value};

/// Creates the JSON object of an available value. `derived` is true for a computed value, and false for a reported
/// value.
pub(crate) fn available(value: f64, derived: bool) -> Value {
    let mut cell = record!(MetricValue {
        value,
        status: "available",
        value_origin: if derived { "derived" } else { "reported" },
        quality_reason_codes: [""; 0],
    });
    if derived && let Some(members) = cell.as_object_mut() {
        members.insert("formula_version", "f3");
    }
    cell
}

/// Creates the JSON object of a value that the company did not report. `reason` is a reason code.
pub(crate) fn missing(reason: &str) -> Value {
    record!(MetricValue { value: Value::Null, status: "missing", reason_code: reason })
}

/// Creates the JSON object of a value that does not apply to the company. `reason` is a reason code.
pub(crate) fn not_applicable(reason: &str) -> Value {
    record!(MetricValue {
        value: Value::Null,
        status: "not_applicable",
        reason_code: reason,
        applicability_version: "a2",
    })
}

/// Generates the JSON object of a random financial value, for a field that is not set yet.
pub(super) fn random(seed: Seed) -> Value {
    let mut cell = match seed.named("status").below(20) {
        0 | 1 => missing("not_reported"),
        2 => not_applicable("industry_without_metric"),
        n => available(super::number::round(seed.magnitude(0.05, 5e9)), n % 2 == 0),
    };
    if let Some(members) = cell.as_object_mut() {
        let filing = seed.named("filing");
        let accession = format!("{}-26-{}", filing.digits(10), filing.named("n").digits(6));
        add_sources(members, &accession, &filing.uuid());
    }
    cell
}

/// Adds the accession number and the statement id of the source filing to `members`, the JSON object of a financial
/// value. Does nothing if the status of the value is not `available`.
pub(crate) fn add_sources(members: &mut Members, accession: &str, statement: &str) {
    if members.get("status").and_then(Value::as_str) == Some("available") {
        members.insert("source_accessions", [accession]);
        members.insert("source_statement_ids", [statement]);
    }
}
