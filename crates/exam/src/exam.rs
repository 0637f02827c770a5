//! An exam: a seed, and a flag for official exams.
//!
//! The input is a random or given seed. The output is the questions, the right answers, and the world of the
//! sandbox.

use std::io;

use crypto_intel_mcp::JqWorker;
use serde_json::Value;

use crate::report::Mark;
use crate::seed::Seed;
use crate::strategy::Strategy;
use crate::task::{Question, Task, tasks};
use crate::task_environment::TaskEnvironment;
use crate::tools::Tools;
use crate::world::World;

/// An exam, which is defined by its seed.
#[derive(Debug, Clone, Copy)]
pub struct Exam {
    seed: Seed,
    is_official: bool,
}

impl Exam {
    /// Creates an official exam with a random seed of 128 bits.
    ///
    /// # Errors
    /// If the system has no random numbers.
    pub fn random() -> io::Result<Self> {
        Ok(Exam { seed: Seed::random()?, is_official: true })
    }

    /// Creates an exam with a chosen seed, which an examinee may know. It is not official.
    #[must_use]
    pub fn with_seed(number: u128) -> Self {
        Exam { seed: Seed::new(number), is_official: false }
    }

    /// Returns the seed. Show it only after the exam.
    #[must_use]
    pub fn seed(self) -> u128 {
        self.seed.number()
    }

    /// Returns true if the seed was random.
    #[must_use]
    pub fn is_official(self) -> bool {
        self.is_official
    }

    /// Computes the right answers from the data of the exam's world, without the MCP server.
    ///
    /// # Errors
    /// If a task cannot be computed, which is a defect of the task.
    pub async fn answers(self) -> Result<Vec<(String, Value)>, String> {
        let world = World::new(self.seed)?;
        let mut answers = Vec::new();
        for question in self.questions(None)? {
            let answer = world.answer(&question).await?;
            answers.push((question.id, answer));
        }
        Ok(answers)
    }

    /// Solves the tasks, or only the task named `only`, by a scripted strategy.
    pub async fn solve(
        self,
        strategy: Strategy,
        only: Option<&str>,
        jq_worker: &JqWorker,
    ) -> Result<Vec<Mark>, String> {
        let world = World::new(self.seed)?;
        let mut marks = Vec::new();
        for question in self.questions(only)? {
            let right = world.answer(&question).await?;
            let environment = TaskEnvironment::start(self.seed, &question, jq_worker)?;
            let answer = match Tools::connect(environment.server.clone()).await {
                Ok(tools) => strategy.solve(&question.plan, &tools).await,
                Err(error) => Err(error),
            };
            marks.push(environment.mark(&question, right, answer));
        }
        Ok(marks)
    }

    /// Returns the questions of all tasks, or only of the task named `only`.
    pub(crate) fn questions(self, only: Option<&str>) -> Result<Vec<Question>, String> {
        let chosen = tasks().iter().filter(|task| only.is_none_or(|id| id == task.id));
        let questions = chosen.map(|task: &'static Task| Question::of_task(task, self.seed));
        questions.collect::<Result<Vec<_>, _>>().map(|questions| questions.concat())
    }

    pub(crate) fn world(self) -> Result<World, String> {
        World::new(self.seed)
    }

    pub(crate) fn environment(
        self,
        question: &Question,
        jq_worker: &JqWorker,
    ) -> Result<TaskEnvironment, String> {
        TaskEnvironment::start(self.seed, question, jq_worker)
    }
}
