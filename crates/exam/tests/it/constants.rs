//! Tests that answers differ between seeds, so that no program can reuse the answers of earlier exams.

use std::collections::BTreeMap;

use crypto_intel_exam::{Exam, Kind, agrees, tasks};
use serde_json::Value;

const SEEDS: u128 = 24;
/// Maximum number of tasks that a program may solve without tool calls.
const MOST: usize = 2;

/// Returns the right answers of the exam with the seed `number`, in the order of the tasks. Each item of the result
/// belongs to one task, and contains one answer per question of this task.
async fn answers(number: u128) -> Vec<Vec<Value>> {
    let answers = Exam::with_seed(number).answers().await.expect("answers");
    let mut answers = answers.into_iter();
    let of_task = |kind: Kind| {
        let count = if kind == Kind::Unknown { 2 } else { 1 };
        answers.by_ref().take(count).map(|(_, answer)| answer).collect()
    };
    tasks().iter().map(|task| task.kind).map(of_task).collect()
}

fn solves(given: &[Value], right: &[Value]) -> bool {
    given.iter().zip(right).all(|(given, right)| agrees(given, right))
}

#[tokio::test]
async fn no_constant_answers_score_more_than_two_of_eighty() {
    let mut exams = Vec::new();
    for number in 0..SEEDS {
        // Both halves of the seed differ between exams.
        exams.push(answers(number << 64 | number << 32).await);
    }
    let mut wrong = Vec::new();
    for (exam, number) in exams.iter().zip(0..) {
        for (task, answers) in tasks().iter().zip(exam) {
            let nulls = answers.iter().filter(|answer| answer.is_null()).count();
            if nulls != usize::from(task.kind == Kind::Unknown) {
                wrong.push(format!("{} of seed {number}: {answers:?}", task.id));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");

    // The most frequent answers in the first half of the exams are given in the second half.
    let (known, later) = exams.split_at(exams.len() / 2);
    let mut often = BTreeMap::new();
    let frequent = |task: usize| {
        let count =
            |given: &Vec<Value>| known.iter().filter(|exam| solves(given, &exam[task])).count();
        known.iter().map(|exam| (count(&exam[task]), &exam[task])).max_by_key(|(count, _)| *count)
    };
    let constant: Vec<&Vec<Value>> = (0..tasks().len())
        .map(|task| {
            let (count, given) = frequent(task).expect("an answer");
            if count > 1 {
                often.insert(tasks()[task].id.as_str(), count);
            }
            given
        })
        .collect();
    let scores: Vec<usize> = later
        .iter()
        .map(|exam| constant.iter().zip(exam).filter(|(given, right)| solves(given, right)).count())
        .collect();
    println!("repeated answers in 12 exams: {often:?}; scores in 12 others: {scores:?}");
    assert!(scores.iter().all(|score| *score <= MOST), "{scores:?} {often:?}");

    for constant in [Value::Null, 0.into(), 1.into(), "BTC".into(), true.into()] {
        for exam in &exams {
            let right =
                exam.iter().filter(|right| right.iter().all(|right| agrees(&constant, right)));
            assert!(right.count() <= MOST, "{constant}");
        }
    }
}
