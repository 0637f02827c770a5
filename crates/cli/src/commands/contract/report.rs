//! Formats the report of `cintel doctor --contract`: as text, as JSON, and as a fragment of `spec/overlay.yaml`.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Value, json};

use super::place::path_of;
use super::{Assumption, Called, Report};

/// Width of the first column of the text report, in characters. This column contains the identifiers of the operations.
const WIDTH: usize = 36;

/// Formats the report as text with one or more lines for each called operation.
pub(super) fn text(report: &Report) -> String {
    let mut text = format!("{}\n", summary(report));
    for called in &report.called {
        let mut says: Vec<String> = called.findings.iter().map(ToString::to_string).collect();
        says.extend(called.problem.clone());
        if says.is_empty() {
            let rows = if called.rows == 1 { "row" } else { "rows" };
            says.push(format!("as described, {} {rows}", called.rows));
        }
        if let Some((assumed, state)) = called.assumption() {
            says.push(format!("assumption {}: {assumed}", state.name()));
        }
        for (index, line) in says.iter().enumerate() {
            let id = if index == 0 { called.operation.id } else { "" };
            let _ = writeln!(text, "{id:WIDTH$} {line}");
        }
    }
    for (reason, count) in reasons(report) {
        let _ = writeln!(text, "{:WIDTH$} {count} operations: {reason}", "not called");
    }
    text
}

fn summary(report: &Report) -> String {
    let reported = report.reported();
    format!(
        "{} on {}: {} operations called; list price {} credits (limit {}); {reported} credits used, as the service reports",
        report.service,
        report.day,
        report.called.len(),
        report.list_price(),
        report.limit
    )
}

fn reasons(report: &Report) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    report.not_called.iter().for_each(|(_, reason)| *counts.entry(*reason).or_default() += 1);
    counts
}

/// Formats the report as JSON for programs.
pub(super) fn json(report: &Report) -> Value {
    let called = report.called.iter().map(|called| {
        let findings: Vec<_> = called.findings.iter().map(|finding| finding.to_json()).collect();
        let assumption = called.assumption();
        let assumption =
            assumption.map(|(says, state)| json!({"assumed": says, "state": state.name()}));
        json!({
            "operation": called.operation.id,
            "answered": called.is_answered,
            "rows": called.rows,
            "list_price": called.list_price,
            "reported": called.reported,
            "findings": findings,
            "problem": called.problem,
            "assumption": assumption,
        })
    });

    let not_called = report.not_called.iter();
    let not_called =
        not_called.map(|(operation, why)| json!({"operation": operation.id, "reason": why}));

    json!({
        "service": report.service,
        "day": report.day,
        "max_credits": report.limit,
        "list_price": report.list_price(),
        "reported": report.reported(),
        "operations": called.collect::<Vec<_>>(),
        "not_called": not_called.collect::<Vec<_>>(),
    })
}

/// Formats a fragment of `spec/overlay.yaml`. For each operation that responded, an action sets `x-seen-live` to the
/// day of the call. The differences and the suggested corrections follow as YAML comments. For responses of the
/// embedded sandbox, the fragment contains only comments.
pub(super) fn overlay(report: &Report) -> String {
    let (service, day) = (&report.service, &report.day);
    let mut text = format!("  # ---- {service} on {day}, by `cintel doctor --contract` ----\n");
    if report.is_invented {
        text.push_str(
            "  # The responses are from the embedded sandbox, so this YAML contains no dates.\n",
        );
    }

    let answered = report.called.iter().filter(|called| called.is_answered);
    for called in answered.filter(|_| !report.is_invented) {
        let target = path_of(called.operation);
        let _ = writeln!(text, "  - target: {target}\n    update: {{x-seen-live: '{day}'}}");
    }
    for called in &report.called {
        for finding in &called.findings {
            let id = called.operation.id;
            let _ = writeln!(text, "  # {id}: {finding}");
            if let Some(action) = &finding.action {
                let _ = writeln!(text, "  # - target: {}", action.target);
                let _ = writeln!(text, "  #   {}", action.change);
                if action.is_correction {
                    let _ = writeln!(text, "  #   x-corrects: {service} answered so on {day}");
                }
            }
        }
        if let Some((assumed, state @ (Assumption::Confirmed | Assumption::Refuted))) =
            called.assumption()
        {
            let _ = writeln!(text, "  # {}: {}: {assumed}", called.operation.id, state.name());
        }
    }
    text
}

impl Report {
    fn list_price(&self) -> u64 {
        self.called.iter().map(|called| called.list_price).sum()
    }

    fn reported(&self) -> i64 {
        self.called.iter().filter_map(|called| called.reported).sum()
    }
}

impl Called {
    /// Returns the assumption in the operation's catalogue entry, such as `the path and the parameters are assumed`.
    /// Also returns whether the response confirms this assumption, refutes it, or does neither. Returns `None` if the
    /// entry contains no assumption.
    pub(super) fn assumption(&self) -> Option<(&'static str, Assumption)> {
        use crypto_intel::catalogue::Provenance;

        let is_assumed = self.operation.provenance == Provenance::Assumed;
        let assumed = self.operation.note.filter(|_| is_assumed)?;
        let is_refuted =
            self.is_unknown || self.findings.iter().any(|finding| finding.is_contradiction());
        Some((
            assumed,
            match (is_refuted, self.is_answered && self.rows > 0) {
                (true, _) => Assumption::Refuted,
                (false, true) => Assumption::Confirmed,
                (false, false) => Assumption::Open,
            },
        ))
    }
}
