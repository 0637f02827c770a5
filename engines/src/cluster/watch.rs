//! Watches the executors while a statement runs. Reports changes of their number and long waits to the user.

use std::sync::Arc;
use std::time::{Duration, Instant};

use datafusion::common::{Result, exec_err};

use super::executors;

/// Function that receives messages for the user.
pub(super) type Report = Arc<dyn Fn(&str) + Send + Sync>;

/// Interval between two requests for the number of executors.
const EXECUTORS_EVERY: Duration = Duration::from_secs(1);

/// Time after which the first message reports that a statement still runs and has returned no rows. Each further
/// message follows at twice the time of the message before it: 10 s, 20 s, 40 s and so on after the start.
const FIRST_MESSAGE: Duration = Duration::from_secs(5);

/// Maximum time for which the scheduler may have no executor. After this time, the statement fails.
const WITHOUT_EXECUTOR: Duration = Duration::from_secs(8);

/// Monitor of the executors while a statement runs. The same monitor is used if the statement runs again, for example
/// because an executor was lost.
pub(super) struct Watch {
    scheduler: String,
    report: Report,
    begin: Instant,
    last_request: Option<Instant>,
    next_message: Duration,
    /// Last number of executors that the scheduler reported.
    executors: Option<usize>,
    /// Time of the last check at which the scheduler had an executor according to its last report. The initial value is
    /// the start of the statement. An executor is assumed until the scheduler sends its first report.
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

    /// Passes a message of one line to the report function.
    pub(super) fn report_line(&self, line: &str) {
        (self.report)(line);
    }

    /// Requests the number of executors, at most once per second, and reports changes of this number. Also reports
    /// after 5, 10, 20, … seconds that the statement still runs without returning a row.
    ///
    /// # Errors
    /// Returns an error if the scheduler has had no executor for 8 seconds.
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
                self.report_line(&format!(
                    "the scheduler has lost {} of {before} executors",
                    before - count
                ));
            }
            Some(before) if count > before => {
                self.report_line(&format!(
                    "the scheduler had {before} executors, and has {count} now"
                ));
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
            Some(0) => "no executor is running".to_owned(),
            Some(1) => "1 executor is running".to_owned(),
            Some(count) => format!("{count} executors are running"),
            None => "the scheduler does not report its executors".to_owned(),
        };
        self.report_line(&format!(
            "the statement has run for {seconds} s without a row ({executors})"
        ));
        self.next_message *= 2;
    }
}
