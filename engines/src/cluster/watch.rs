//! Watches the executors while a statement runs, and reports what a person should know.

use std::sync::Arc;
use std::time::{Duration, Instant};

use datafusion::common::{Result, exec_err};

use super::executors;

/// A function for messages to a person.
pub(super) type Report = Arc<dyn Fn(&str) + Send + Sync>;

/// Time between two requests for the number of executors.
const EXECUTORS_EVERY: Duration = Duration::from_secs(1);

/// Time until the first message about a statement that waits. The time to each further message is twice as long.
const FIRST_MESSAGE: Duration = Duration::from_secs(5);

/// Maximum time without an executor.
const WITHOUT_EXECUTOR: Duration = Duration::from_secs(8);

/// The executors and the waiting time of a statement, over all its runs.
pub(super) struct Watch {
    scheduler: String,
    report: Report,
    begin: Instant,
    last_request: Option<Instant>,
    next_message: Duration,
    /// Last known number of executors.
    executors: Option<usize>,
    /// Last time at which the scheduler had an executor, or did not report a number. At first, the begin.
    had_executor: Instant,
}

impl Watch {
    pub(super) fn new(scheduler: String, report: Report) -> Watch {
        let (begin, next_message) = (Instant::now(), FIRST_MESSAGE);
        Watch {
            scheduler,
            report,
            begin,
            last_request: None,
            next_message,
            executors: None,
            had_executor: begin,
        }
    }

    /// Reports a line to the person.
    pub(super) fn say(&self, line: &str) {
        (self.report)(line);
    }

    /// Requests the number of executors at most once per second, and reports changes and long waits.
    ///
    /// # Errors
    /// If the scheduler has had no executor for 8 seconds.
    pub(super) async fn update(&mut self) -> Result<()> {
        if self.last_request.is_some_and(|last| last.elapsed() < EXECUTORS_EVERY) {
            return Ok(());
        }
        self.last_request = Some(Instant::now());
        if let Some(count) = executors::count(&self.scheduler).await {
            self.report_change(count);
            self.executors = Some(count);
        }
        if self.executors != Some(0) {
            self.had_executor = Instant::now();
        }
        if self.had_executor.elapsed() > WITHOUT_EXECUTOR {
            return exec_err!(
                "the scheduler at {} has no executor: start `crypto-intel-cluster executor`, and run the statement \
                 again",
                self.scheduler
            );
        }

        self.report_wait();
        Ok(())
    }

    fn report_change(&self, count: usize) {
        match self.executors {
            Some(before) if count < before => {
                self.say(&format!(
                    "the scheduler has lost {} of {before} executors",
                    before - count
                ));
            }
            Some(before) if count > before => {
                self.say(&format!("the scheduler had {before} executors, and has {count} now"));
            }
            _ => {}
        }
    }

    fn report_wait(&mut self) {
        if self.begin.elapsed() < self.next_message {
            return;
        }
        let seconds = self.begin.elapsed().as_secs();
        let executors = match self.executors {
            Some(0) => "no executor works".to_owned(),
            Some(1) => "1 executor works".to_owned(),
            Some(count) => format!("{count} executors work"),
            None => "the scheduler does not report its executors".to_owned(),
        };
        self.say(&format!("the statement has run for {seconds} s without a row ({executors})"));
        self.next_message *= 2;
    }
}
