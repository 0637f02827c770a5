//! Marks of tasks, and their table.

use std::fmt::Write;

use serde::Serialize;
use serde_json::Value;

use crate::task::Task;
use crate::tasks::all;

/// Result of one task.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Mark {
    /// Name of the task.
    pub task: &'static str,
    /// Seed of the sandbox.
    pub seed: u64,
    /// Whether the answer is right.
    pub right: bool,
    /// The given answer.
    pub given: Value,
    /// The right answer.
    pub expected: Value,
    /// Number of tool calls.
    pub calls: u64,
    /// Credits that the sandbox charged.
    pub credits: u64,
    /// Estimated tokens of all tool results.
    pub tokens: u64,
    /// Reason why there is no answer.
    pub note: Option<String>,
}

impl Mark {
    pub(crate) fn failed(task: &Task, seed: u64, why: String) -> Self {
        Mark {
            task: task.id,
            seed,
            right: false,
            given: Value::Null,
            expected: Value::Null,
            calls: 0,
            credits: 0,
            tokens: 0,
            note: Some(why),
        }
    }
}

/// Markdown table of marks: one line per task, with the maximum of each figure over the seeds.
#[must_use]
pub fn table(marks: &[Mark]) -> String {
    let mut text =
        String::from("| task | right | calls | credits | tokens |\n|---|---|---|---|---|\n");
    let most = |marks: &[&Mark], figure: fn(&Mark) -> u64| {
        marks.iter().map(|mark| figure(mark)).max().unwrap_or_default()
    };

    let mut sums = [0; 5];
    for task in all() {
        let of_task: Vec<_> = marks.iter().filter(|mark| mark.task == task.id).collect();
        if of_task.is_empty() {
            continue;
        }

        let right = of_task.iter().filter(|mark| mark.right).count();
        let (calls, credits, tokens) = (
            most(&of_task, |mark| mark.calls),
            most(&of_task, |mark| mark.credits),
            most(&of_task, |mark| mark.tokens),
        );

        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "| {} | {right} of {} | {calls} | {credits} | {tokens} |",
            task.id,
            of_task.len()
        );

        for (sum, figure) in
            sums.iter_mut().zip([right as u64, of_task.len() as u64, calls, credits, tokens])
        {
            *sum += figure;
        }
    }

    let [right, all, calls, credits, tokens] = sums;
    let _ = writeln!(text, "| **all** | {right} of {all} | {calls} | {credits} | {tokens} |");
    text
}
