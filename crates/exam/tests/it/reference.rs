//! Tests that scripted strategies solve the tasks at the documented cost.

use std::fmt::Write;

use crypto_intel_exam::{Exam, Kind, Mark, Score, Strategy, tasks};

use crate::jq_worker;

/// Documentation page that contains the table of costs.
const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/exam.md");
/// Seed of the exam for which the table in `docs/exam.md` contains the costs.
const SEED: u128 = 1;

async fn marks(strategy: Strategy, seed: u128) -> Vec<Mark> {
    Exam::with_seed(seed).solve(strategy, None, &jq_worker()).await.expect("marks")
}

/// Returns the questions that a strategy answers wrongly, each with a message that contains the given answer and the
/// right answer.
fn unsolved(marks: &[Mark]) -> Vec<(&str, String)> {
    let wrong = marks.iter().filter(|mark| !mark.right);
    wrong
        .map(|mark| {
            (
                mark.question.as_str(),
                format!("{} is not {} {:?}", mark.given, mark.expected, mark.note),
            )
        })
        .collect()
}

/// Tests that the strategies `Frugal` and `Sql` solve all tasks, at the cost in the committed table. The strategy
/// `Naive` exceeds the budgets of some tasks. Set the environment variable `UPDATE_EXAM_TABLE` to rewrite the table.
#[tokio::test]
async fn strategies_solve_the_tasks_at_the_cost_in_the_table() {
    let mut runs = Vec::new();
    for strategy in Strategy::ALL {
        runs.push(marks(strategy, SEED).await);
    }
    for (strategy, marks) in Strategy::ALL.iter().zip(&runs) {
        let unsolved = unsolved(marks);
        println!("{}: {:?}", strategy.name(), Score::of_marks(marks));
        let is_budget =
            |id: &str| tasks().iter().any(|task| task.id == id && task.kind == Kind::Budget);
        let expected = if *strategy == Strategy::Naive { 5 } else { 0 };
        assert_eq!(unsolved.len(), expected, "{}: {unsolved:#?}", strategy.name());
        assert!(unsolved.iter().all(|(id, _)| is_budget(id)), "{unsolved:#?}");
        assert!(marks.iter().all(|mark| !mark.obeyed && mark.calls > 0));
    }

    let text = std::fs::read_to_string(TABLE).expect("the page");
    let begin = text.find("| task |").expect("the page has the table");
    let text = format!("{}{}", &text[..begin], table(&runs));
    if std::env::var_os("UPDATE_EXAM_TABLE").is_some() {
        std::fs::write(TABLE, &text).expect("written");
    }
    let committed = std::fs::read_to_string(TABLE).expect("the page");
    assert_eq!(committed, text, "set UPDATE_EXAM_TABLE and run the test again");
}

/// Formats a Markdown table with one line per task, one line for all tasks of the kind `Join`, and one line for all
/// tasks. Each strategy has three columns: right answers, number of tool calls, and number of tokens.
fn table(runs: &[Vec<Mark>]) -> String {
    let names: Vec<_> = Strategy::ALL.iter().map(|strategy| strategy.name()).collect();
    let heads: Vec<_> = names.iter().map(|name| format!("{name} | calls | tokens")).collect();
    let mut text =
        format!("| task | grade | kind | {} |\n|{}\n", heads.join(" | "), "---|".repeat(12));

    let cells = |marks: &[Mark], is_one: bool| {
        let score = Score::of_marks(marks);
        let right = match (is_one, score.right) {
            (true, 1) => "yes".to_owned(),
            (true, _) => "no".to_owned(),
            (false, right) => format!("{right} of {}", score.tasks),
        };
        format!("{right} | {} | {}", score.calls, score.tokens)
    };

    let kind = |kind: Kind| format!("{kind:?}").to_lowercase();
    for task in tasks() {
        let of_task = |marks: &Vec<Mark>| -> Vec<Mark> {
            marks.iter().filter(|mark| mark.task == task.id).cloned().collect()
        };
        let columns: Vec<_> = runs.iter().map(|marks| cells(&of_task(marks), true)).collect();
        writeln!(
            text,
            "| {} | {} | {} | {} |",
            task.id,
            task.grade,
            kind(task.kind),
            columns.join(" | ")
        )
        .expect("text");
    }

    let joins = |marks: &Vec<Mark>| -> Vec<Mark> {
        marks.iter().filter(|mark| mark.kind == Kind::Join).cloned().collect()
    };
    for (name, chosen) in [("**joins**", true), ("**all**", false)] {
        let columns: Vec<_> = runs
            .iter()
            .map(|marks| if chosen { cells(&joins(marks), false) } else { cells(marks, false) })
            .collect();
        writeln!(text, "| {name} | | | {} |", columns.join(" | ")).expect("text");
    }
    text
}

#[tokio::test]
async fn frugal_strategies_solve_other_seeds() {
    for number in 2..4_u128 {
        for strategy in [Strategy::Frugal, Strategy::Sql] {
            let marks = marks(strategy, number << 64 | number).await;
            let unsolved = unsolved(&marks);
            assert!(unsolved.is_empty(), "{} of seed {number}: {unsolved:#?}", strategy.name());
        }
    }
}
