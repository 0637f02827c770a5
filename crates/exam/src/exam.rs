//! An exam. Its seed determines the questions, the right answers, and the data of the sandbox.
//!
//! An exam with a random seed is official. An exam with a chosen seed is not official.

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

/// An exam. Two exams with the same seed have equal questions and equal answers.
#[derive(Debug, Clone, Copy)]
pub struct Exam {
    seed: Seed,
    is_official: bool,
}

impl Exam {
    /// Creates an official exam with a random seed of 128 bits.
    ///
    /// # Errors
    /// Returns an error if the system has no random numbers.
    pub fn random() -> io::Result<Self> {
        Ok(Exam { seed: Seed::random()?, is_official: true })
    }

    /// Creates an exam with a chosen seed. The exam is not official, because the examined program may know the seed.
    #[must_use]
    pub fn with_seed(number: u128) -> Self {
        Exam { seed: Seed::new(number), is_official: false }
    }

    /// Returns the seed of the exam. Do not show it before the end of the exam.
    #[must_use]
    pub fn seed(self) -> u128 {
        self.seed.number()
    }

    /// Returns true if the seed of the exam is random.
    #[must_use]
    pub fn is_official(self) -> bool {
        self.is_official
    }

    /// Computes the right answers from the data of the sandbox, without the MCP server. Each item contains the name of
    /// a question and its answer.
    ///
    /// # Errors
    /// Returns an error if an answer cannot be computed. Such an error is a defect of the task.
    pub async fn answers(self) -> Result<Vec<(String, Value)>, String> {
        let world = World::new(self.seed)?;
        let mut answers = Vec::new();
        for question in self.questions(None)? {
            let answer = world.answer(&question).await?;
            answers.push((question.id, answer));
        }
        Ok(answers)
    }

    /// Answers all questions of the exam with a scripted strategy. Returns one mark per answer: whether the answer is
    /// right, and its cost. If `only` is set, answers only the questions of the task with this name.
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

    /// Returns the questions of all tasks. If `only` is set, returns only the questions of the task with this name.
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
