//! Figures of financial statements, with reasons for missing ones.
//!
//! The input is amounts of a period. The output is fields with values and statuses.

use crate::equity::company::Company;
use crate::missing_fields::metric;
use crate::value::{Members, Value};

/// A filing for one quarter.
#[derive(Debug, Clone)]
pub(super) struct Filing {
    /// Accession number: filer, two-digit year of the filing, and a counter.
    pub(super) accession: String,
    /// UUID of the statement in the filing.
    pub(super) statement: String,
    /// UUIDs of all revisions, the first filing included.
    pub(super) revisions: Vec<String>,
    pub(super) standing: Standing,
}

/// Reliability of the figures of a filing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// The figures may still change.
    Preliminary,
    Final,
    /// The figures were changed after the filing.
    Restated,
}

impl Standing {
    /// Chooses the reliability of a filing. One in nine older quarters of a company is restated. One in four
    /// companies has a preliminary newest quarter.
    pub(super) fn new(company: &Company, number: i64, newest: i64) -> Self {
        let place = company.place();
        if number == newest && (place + number) % 4 == 0 {
            Standing::Preliminary
        } else if number < newest && (place + number) % 9 == 0 {
            Standing::Restated
        } else {
            Standing::Final
        }
    }

    fn code(self) -> Option<&'static str> {
        match self {
            Standing::Preliminary => Some("preliminary"),
            Standing::Final => None,
            Standing::Restated => Some("restated"),
        }
    }
}

/// One figure of a statement, or the reason why it is missing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Cell {
    Reported(f64),
    Derived(f64),
    Missing(&'static str),
    NotApplicable(&'static str),
}

/// Converts thousands of USD to USD.
#[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
pub(super) fn usd(thousands: i64) -> f64 {
    (thousands * 1_000) as f64
}

impl Cell {
    /// Creates a reported amount, from thousands of USD.
    pub(super) fn usd(thousands: i64) -> Self {
        Cell::Reported(usd(thousands))
    }

    /// Creates the ratio `a / b`. It does not apply if `b` is not positive.
    pub(super) fn ratio(a: f64, b: f64) -> Self {
        if b > 0.0 { Cell::Derived(a / b) } else { Cell::NotApplicable("divisor_not_positive") }
    }

    /// Creates the growth from `before` to `now`, as a fraction.
    pub(super) fn growth(now: f64, before: Option<f64>) -> Self {
        match before {
            None => Cell::Missing("prior_period_missing"),
            Some(before) if before > 0.0 => Cell::Derived(now / before - 1.0),
            Some(_) => Cell::NotApplicable("prior_value_not_positive"),
        }
    }

    /// Returns the JSON value of the cell.
    fn into_json(self, filing: &Filing) -> Value {
        let mut cell = match self {
            Cell::Reported(value) => metric::available(value, false),
            Cell::Derived(value) if value.is_finite() => metric::available(value, true),
            Cell::Derived(_) => metric::not_applicable("divisor_not_positive"),
            Cell::Missing(reason) => metric::missing(reason),
            Cell::NotApplicable(reason) => metric::not_applicable(reason),
        };
        if let Some(members) = cell.as_object_mut() {
            metric::sources(members, &filing.accession, &filing.statement);
            if let Some(code) = filing.standing.code().filter(|_| members["status"] == "available")
            {
                members.insert("quality_reason_codes", [code]);
                members.insert("source_revision_ids", filing.revisions.clone());
            }
        }
        cell
    }
}

/// Writes cells into the fields of a record.
pub(super) fn write(into: &mut Members, cells: Vec<(&'static str, Cell)>, filing: &Filing) {
    for (name, cell) in cells {
        into.insert(name, cell.into_json(filing));
    }
}
