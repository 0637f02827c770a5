//! Amounts and ratios of financial statements, with reasons for missing values.
//!
//! The input is the amounts of a reporting period. The output is response fields with values and statuses.

use crate::equity::company::Company;
use crate::missing_fields::metric;
use crate::value::{Members, Value};

/// A company's filing of its statements for one quarter.
#[derive(Debug, Clone)]
pub(super) struct Filing {
    /// Accession number. It consists of the id of the filer, the two-digit year of the filing, and a counter.
    pub(super) accession: String,
    /// UUID of the statement in the filing.
    pub(super) statement: String,
    /// UUIDs of all revisions of the filing, including the first.
    pub(super) revisions: Vec<String>,
    pub(super) standing: Standing,
}

/// Reliability of the amounts in a filing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// The amounts may still change.
    Preliminary,
    Final,
    /// The company changed the amounts after the filing.
    Restated,
}

impl Standing {
    /// Chooses the status of a company's filing for quarter `number`: preliminary, final or restated. `newest` is the
    /// newest quarter with a filing. The newest filing is preliminary for one in four companies. Every ninth older
    /// filing is restated. All other filings are final.
    pub(super) fn new(company: &Company, number: i64, newest: i64) -> Self {
        let place = company.index();
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

/// One value of a financial statement, or the reason why the value is missing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Cell {
    Reported(f64),
    Derived(f64),
    Missing(&'static str),
    NotApplicable(&'static str),
}

/// Converts an amount in thousands of USD to USD.
#[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
pub(super) fn usd(thousands: i64) -> f64 {
    (thousands * 1_000) as f64
}

impl Cell {
    /// Creates a [`Cell`] for a reported amount in thousands of USD.
    pub(super) fn usd(thousands: i64) -> Self {
        Cell::Reported(usd(thousands))
    }

    /// Creates a [`Cell`] for the ratio `a / b`. The ratio is not applicable if `b` is zero or negative.
    pub(super) fn ratio(a: f64, b: f64) -> Self {
        if b > 0.0 { Cell::Derived(a / b) } else { Cell::NotApplicable("divisor_not_positive") }
    }

    /// Creates a [`Cell`] for the growth from `before` to `now`, as a fraction: 0.1 is 10%.
    pub(super) fn growth(now: f64, before: Option<f64>) -> Self {
        match before {
            None => Cell::Missing("prior_period_missing"),
            Some(before) if before > 0.0 => Cell::Derived(now / before - 1.0),
            Some(_) => Cell::NotApplicable("prior_value_not_positive"),
        }
    }

    /// Converts this statement value to a JSON object for the response, with the value, its status and its source
    /// filing.
    fn into_json(self, filing: &Filing) -> Value {
        let mut cell = match self {
            Cell::Reported(value) => metric::available(value, false),
            Cell::Derived(value) if value.is_finite() => metric::available(value, true),
            Cell::Derived(_) => metric::not_applicable("divisor_not_positive"),
            Cell::Missing(reason) => metric::missing(reason),
            Cell::NotApplicable(reason) => metric::not_applicable(reason),
        };
        if let Some(members) = cell.as_object_mut() {
            metric::add_sources(members, &filing.accession, &filing.statement);
            if let Some(code) = filing.standing.code().filter(|_| members["status"] == "available")
            {
                members.insert("quality_reason_codes", [code]);
                members.insert("source_revision_ids", filing.revisions.clone());
            }
        }
        cell
    }
}

/// Writes statement values into the fields of a record, as JSON objects. `cells` contains pairs of field name and
/// value.
pub(super) fn write(into: &mut Members, cells: Vec<(&'static str, Cell)>, filing: &Filing) {
    for (name, cell) in cells {
        into.insert(name, cell.into_json(filing));
    }
}
