//! Waits for an SQL job. This module computes the time of each poll, and detects the end of the job.
//!
//! The input is a job with its [`PollPolicy`](super::PollPolicy). The output is the job's record after each poll, until
//! the job ends or the deadline passes.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use crypto_intel_api::generated::onchain::SqlJob;
use crypto_intel_core::{Error, ErrorKind};
use futures_core::Stream;
use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use tokio::time::{Instant, sleep, timeout_at};

use super::job::{Job, is_final, requested_wait};
use crate::moment::instant_after;

/// Stream of the records of an SQL job. Dropping the stream stops the polling, and the job continues.
#[must_use = "a stream does nothing until it is polled"]
pub struct Progress<'a>(BoxStream<'a, Result<SqlJob, Error>>);

impl<'a> Progress<'a> {
    pub(super) fn new(job: &'a mut Job) -> Self {
        enum Next<'a> {
            Known(&'a mut Job),
            Ask(&'a mut Job, Polling),
            End,
        }

        let states = stream::unfold(Next::Known(job), |next| async move {
            let (job, mut watch) = match next {
                Next::Known(job) => match job.state.as_deref().cloned() {
                    Some(state) if is_final(&state.status) => return Some((Ok(state), Next::End)),
                    Some(state) => {
                        let watch = Polling::new(job);
                        return Some((Ok(state), Next::Ask(job, watch)));
                    }
                    None => {
                        let watch = Polling::new(job);
                        (job, watch)
                    }
                },
                Next::Ask(job, watch) => (job, watch),
                Next::End => return None,
            };

            match watch.next(job).await {
                Ok(state) if is_final(&state.status) => Some((Ok(state), Next::End)),
                Ok(state) => Some((Ok(state), Next::Ask(job, watch))),
                Err(error) => Some((Err(error), Next::End)),
            }
        });

        Progress(states.boxed())
    }

    /// Returns the next record of the job, which contains the job's status. After a record with a final status, such as
    /// `succeeded`, returns `None`.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Timeout`] if the deadline of the [`PollPolicy`](super::PollPolicy) passed, and
    /// [`ErrorKind::NotFound`] if the service has deleted the job. Also returns the errors of the polls. After an error
    /// the stream ends.
    pub async fn try_next(&mut self) -> Result<Option<SqlJob>, Error> {
        self.next().await.transpose()
    }
}

impl Stream for Progress<'_> {
    type Item = Result<SqlJob, Error>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_next_unpin(cx)
    }
}

impl fmt::Debug for Progress<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Progress")
    }
}

impl Job {
    /// Waits until the job has succeeded, and polls it according to its [`PollPolicy`](super::PollPolicy). Sends no
    /// poll if the last received record shows that the job has ended.
    ///
    /// Dropping the future stops the polling, and the job continues.
    ///
    /// # Errors
    /// - [`ErrorKind::SqlFailed`] if the job failed or was canceled.
    /// - [`ErrorKind::Timeout`] if the deadline of the [`PollPolicy`](super::PollPolicy) passed. The program can then
    ///   call this method again.
    /// - [`ErrorKind::NotFound`] if the service has deleted the job.
    /// - Errors of the polls.
    pub async fn wait(&mut self) -> Result<&SqlJob, Error> {
        let mut watch = Polling::new(self);
        while !self.is_finished() {
            watch.next(self).await?;
        }
        self.require_success()
    }

    /// Returns a stream of the job's records. The first record is the last received record, if there is one. Each later
    /// record is the response to a poll, up to the record of the ended job. The interval of the polls and the deadline
    /// are as for [`wait`](Self::wait). If the job failed, its record is returned without an error.
    pub fn progress(&mut self) -> Progress<'_> {
        Progress::new(self)
    }
}

/// Progress of one wait for a job: the deadline, the number of polls, and the number of consecutive failed polls.
pub(super) struct Polling {
    deadline: Option<(Duration, Instant)>,
    polls: u32,
    failures: u32,
}

impl Polling {
    pub(super) fn new(job: &Job) -> Self {
        let deadline = job.poll.deadline.map(|limit| (limit, instant_after(limit)));
        Polling { deadline, polls: 0, failures: 0 }
    }

    /// Polls the job until a poll receives the job's record, and returns this record.
    pub(super) async fn next(&mut self, job: &mut Job) -> Result<SqlJob, Error> {
        loop {
            // A job without a received record is polled at once.
            if job.state.is_some() || self.polls > 0 {
                self.pause(job).await?;
            }

            self.polls = self.polls.saturating_add(1);
            // The poll has its own time limit, because the client's timeouts may be much longer than the deadline.
            let answer = match self.deadline {
                Some((limit, at)) => {
                    match timeout_at(at.checked_add(GRACE).unwrap_or(at), job.refresh()).await {
                        Ok(answer) => answer.cloned(),
                        Err(_) => return Err(deadline_error(job, limit)),
                    }
                }
                None => job.refresh().await.cloned(),
            };

            match answer {
                Ok(state) => {
                    self.failures = 0;
                    return Ok(state);
                }
                Err(error) if error.is_retryable() && self.failures + 1 < job.poll.failures => {
                    self.failures += 1;
                    tracing::debug!(job = job.id(), %error, "the job's state was not received");
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Sleeps until the next poll is due, or until the deadline if the deadline is earlier. The caller then polls the
    /// job. If the deadline has already passed, returns an error without sleeping.
    async fn pause(&self, job: &Job) -> Result<(), Error> {
        let questions = if job.state.is_some() { self.polls } else { self.polls - 1 };
        let interval = job.poll.interval(questions, job.state.as_deref().and_then(requested_wait));
        let Some((limit, at)) = self.deadline else {
            sleep(interval).await;
            return Ok(());
        };
        let left = at.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(deadline_error(job, limit));
        }
        sleep(interval.min(left)).await;
        Ok(())
    }
}

/// Time after the deadline in which the response to the last poll may still arrive.
const GRACE: Duration = Duration::from_secs(10);

fn deadline_error(job: &Job, limit: Duration) -> Error {
    let status = job.state.as_ref().map_or("unknown", |state| state.status.as_str());
    let message = format!(
        "job `{}` did not end within the maximum wait of {limit:?}; its status is `{status}`; wait again, or cancel the job",
        job.id()
    );
    job.mask_error(Error::new(ErrorKind::Timeout, message))
}
