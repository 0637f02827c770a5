//! Metric cells of statements, with the reasons of the empty ones.

use crate::equity::company::Company;
use crate::missing_fields::metric;
use crate::value::{Members, Value};

/// What was filed for a quarter.
#[derive(Debug, Clone)]
pub(super) struct Filing {
    /// Its number: who filed, the year of the filing, and a count.
    pub(super) accession: String,
    /// The id of the statement in it.
    pub(super) statement: String,
    /// Each time it was changed, the first filing included.
    pub(super) revisions: Vec<String>,
    pub(super) standing: Standing,
}

/// How firm the figures of a filing are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// They may still change.
    Preliminary,
    Final,
    /// They were changed after the fact.
    Restated,
}

impl Standing {
    /// Of each company's quarters one in nine was restated; of the companies one in four has told its
    /// newest quarter in advance.
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

/// A cell before it is written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Cell {
    Reported(f64),
    Derived(f64),
    Missing(&'static str),
    NotApplicable(&'static str),
}

/// An amount in thousands as USD.
#[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
pub(super) fn usd(thousands: i64) -> f64 {
    (thousands * 1_000) as f64
}

impl Cell {
    /// An amount in thousands, as reported.
    pub(super) fn usd(thousands: i64) -> Self {
        Cell::Reported(usd(thousands))
    }

    /// `a / b`, which has no meaning for a divisor that is not positive.
    pub(super) fn ratio(a: f64, b: f64) -> Self {
        if b > 0.0 { Cell::Derived(a / b) } else { Cell::NotApplicable("divisor_not_positive") }
    }

    /// Growth from `before` to `now` as a fraction.
    pub(super) fn growth(now: f64, before: Option<f64>) -> Self {
        match before {
            None => Cell::Missing("prior_period_missing"),
            Some(before) if before > 0.0 => Cell::Derived(now / before - 1.0),
            Some(_) => Cell::NotApplicable("prior_value_not_positive"),
        }
    }

    /// The JSON of the cell.
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

/// Cells by the names of their members.
pub(super) fn write(into: &mut Members, cells: Vec<(&'static str, Cell)>, filing: &Filing) {
    for (name, cell) in cells {
        into.insert(name, cell.into_json(filing));
    }
}
