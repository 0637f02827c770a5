//! Limits on the time of a call, counted while somebody waits for it.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::{Poll, ready};
use std::time::Duration;

use crypto_intel_core::{Error, ErrorKind, IdleTime};
use tokio::time::{Instant, Sleep, sleep_until};

use crate::moment::after;

/// The limits on time of one call.
#[derive(Debug, Clone)]
pub(crate) struct TimeLimits {
    deadline: Option<Limit>,
    silence: Duration,
    idle: IdleTime,
}

/// A limit that began at some moment.
#[derive(Debug, Clone, Copy)]
struct Limit {
    length: Duration,
    /// When it is reached, if somebody waits all the time from its beginning on.
    end: Instant,
    /// The call's idle time when the limit began.
    idle: Duration,
}

impl Limit {
    fn begin(length: Duration, idle: &IdleTime) -> Self {
        Limit { length, end: after(length), idle: idle.total() }
    }

    /// When it is reached, if somebody waits all the time from now on.
    fn end(&self, idle: &IdleTime) -> Instant {
        let idle = idle.total().saturating_sub(self.idle);
        self.end.checked_add(idle).unwrap_or(self.end)
    }
}

impl TimeLimits {
    /// Limits of a call that begins now.
    pub(crate) fn begin(deadline: Option<Duration>, silence: Duration, idle: IdleTime) -> Self {
        TimeLimits { deadline: deadline.map(|length| Limit::begin(length, &idle)), silence, idle }
    }

    /// The deadline is for getting an answer to begin; a stream may take its time.
    pub(crate) fn without_deadline(self) -> Self {
        TimeLimits { deadline: None, ..self }
    }

    /// Whether the deadline leaves time for this wait.
    pub(crate) fn allows(&self, wait: Duration) -> bool {
        self.is_before_deadline(after(wait))
    }

    /// Whether this moment comes before the deadline.
    pub(crate) fn is_before_deadline(&self, moment: Instant) -> bool {
        self.deadline.is_none_or(|deadline| moment < deadline.end(&self.idle))
    }

    /// Time in which nobody waited, so far.
    pub(crate) fn idle(&self) -> Duration {
        self.idle.total()
    }

    /// Waits for the next sign of the service.
    ///
    /// # Errors
    /// [`ErrorKind::Timeout`] when it does not come within the limits.
    pub(crate) async fn wait_for<F: Future>(&self, sign: F) -> Result<F::Output, Error> {
        let mut sign = pin!(sign);
        let silence = Limit::begin(self.silence, &self.idle);
        // Set up only when there is something to wait for.
        let mut clock = pin!(None::<Sleep>);

        poll_fn(|cx| {
            if let Poll::Ready(sign) = sign.as_mut().poll(cx) {
                return Poll::Ready(Ok(sign));
            }
            loop {
                let (end, late) = self.first_end(silence);
                if let Some(clock) = clock.as_mut().as_pin_mut() {
                    let set_to = clock.deadline();
                    ready!(clock.poll(cx));
                    if end <= set_to {
                        return Poll::Ready(Err(Error::new(ErrorKind::Timeout, late())));
                    }
                }
                // At first, or because the clock ran while nobody waited: there is time left.
                clock.set(Some(sleep_until(end)));
            }
        })
        .await
    }

    /// Returns the end of the limit that is reached first, and its error message.
    fn first_end(&self, silence: Limit) -> (Instant, impl Fn() -> String + use<>) {
        let silence_end = silence.end(&self.idle);
        let deadline = self
            .deadline
            .map(|deadline| (deadline.end(&self.idle), deadline.length))
            .filter(|(end, _)| *end <= silence_end);
        let end = deadline.map_or(silence_end, |(end, _)| end);

        (end, move || match deadline {
            Some((_, length)) => format!("not done within {length:?} (deadline of the call)"),
            None => format!("no data for {:?} (read limit)", silence.length),
        })
    }
}
