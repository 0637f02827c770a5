//! All tasks: question, right answer and scripted solution.

mod compare;
mod figures;
mod hard;
mod queries;
mod single;

use crate::task::Task;

/// All tasks, the short ones first.
#[must_use]
pub fn all() -> Vec<Task> {
    let mut all = single::tasks();
    all.extend(figures::tasks());
    all.extend(compare::tasks());
    all.extend(hard::tasks());
    all.extend(queries::tasks());
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_forty_tasks_of_different_names_that_say_the_form_of_their_answer() {
        let all = all();
        assert_eq!(all.len(), 40);
        let mut names: Vec<_> = all.iter().map(|task| task.id).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 40);
        for task in &all {
            assert!(task.question.contains("Answer with "), "{}", task.id);
        }
    }
}
