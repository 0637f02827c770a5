//! Time limits of a call: the deadline, and the maximum time without a byte from the service. A list can request pages
//! before the caller needs them. While the caller does not poll the list (idle time), both limits are extended.
//!
//! [`TimeLimits::wait_for`] returns a timeout error if a limit ends before the awaited future is ready. For example,
//! the future waits for data from the service or for an API key from the key provider.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::{Poll, ready};
use std::time::Duration;

use crypto_intel_core::{Error, ErrorKind, IdleTime};
use tokio::time::{Instant, Sleep, sleep_until};

use crate::moment::instant_after;

/// Time limits of one call, with the idle time that extends them. Idle time is time in which no caller polled the call.
#[derive(Debug, Clone)]
pub(crate) struct TimeLimits {
    deadline: Option<Limit>,
    silence: Duration,
    idle: IdleTime,
}

/// Time limit that has started to run.
#[derive(Debug, Clone, Copy)]
struct Limit {
    length: Duration,
    /// Time at which the limit ends without idle time. If the [`IdleTime`] grows by 5 s after the start of the limit,
    /// the limit ends 5 s after `end`.
    end: Instant,
    /// Total [`IdleTime`] when this time limit started to run. Only later idle time extends the limit.
    idle: Duration,
}

impl Limit {
    fn start(length: Duration, idle: &IdleTime) -> Self {
        Limit { length, end: instant_after(length), idle: idle.total() }
    }

    /// Returns the time at which the limit ends: `self.end` plus the idle time since the start of the limit.
    fn end(&self, idle: &IdleTime) -> Instant {
        let idle = idle.total().saturating_sub(self.idle);
        self.end.checked_add(idle).unwrap_or(self.end)
    }
}

impl TimeLimits {
    /// Starts the time limits of a call.
    pub(crate) fn start(deadline: Option<Duration>, silence: Duration, idle: IdleTime) -> Self {
        TimeLimits { deadline: deadline.map(|length| Limit::start(length, &idle)), silence, idle }
    }

    /// Removes the deadline. The client calls this method when a stream has begun, because the stream may end after the
    /// deadline.
    pub(crate) fn without_deadline(self) -> Self {
        TimeLimits { deadline: None, ..self }
    }

    /// Returns true if a wait that starts now ends before the deadline.
    pub(crate) fn allows(&self, wait: Duration) -> bool {
        self.is_before_deadline(instant_after(wait))
    }

    /// Returns true if `moment` is before the deadline of the call, or if the call has no deadline.
    pub(crate) fn is_before_deadline(&self, moment: Instant) -> bool {
        self.deadline.is_none_or(|deadline| moment < deadline.end(&self.idle))
    }

    /// Returns the total idle time so far: the time in which no caller polled the call. Calls of one pager share this
    /// total.
    pub(crate) fn idle_time(&self) -> Duration {
        self.idle.total()
    }

    /// Waits until the future `sign` is ready. The future returns, for example, response headers, a chunk of the body,
    /// or an API key from the key provider.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Timeout`] if `sign` is not ready before one of the time limits ends.
    pub(crate) async fn wait_for<F: Future>(&self, sign: F) -> Result<F::Output, Error> {
        let mut sign = pin!(sign);
        // The limit for silence and the timer are created only if `sign` is not ready at once.
        let mut silence = None;
        let mut clock = pin!(None::<Sleep>);

        poll_fn(|cx| {
            if let Poll::Ready(sign) = sign.as_mut().poll(cx) {
                return Poll::Ready(Ok(sign));
            }
            let silence = *silence.get_or_insert_with(|| Limit::start(self.silence, &self.idle));
            loop {
                let (end, late) = self.first_end(silence);
                if let Some(clock) = clock.as_mut().as_pin_mut() {
                    let set_to = clock.deadline();
                    ready!(clock.poll(cx));
                    if end <= set_to {
                        return Poll::Ready(Err(Error::new(ErrorKind::Timeout, late())));
                    }
                }
                // The timer was not set yet, or idle time has moved the end of the limit. So time is left.
                clock.set(Some(sleep_until(end)));
            }
        })
        .await
    }

    /// Returns the time at which the read timeout `silence` or the deadline of the call ends, whichever is first. Also
    /// returns a function that creates the error message.
    fn first_end(&self, silence: Limit) -> (Instant, impl Fn() -> String + use<>) {
        let silence_end = silence.end(&self.idle);
        let deadline = self
            .deadline
            .map(|deadline| (deadline.end(&self.idle), deadline.length))
            .filter(|(end, _)| *end <= silence_end);
        let end = deadline.map_or(silence_end, |(end, _)| end);

        (end, move || match deadline {
            Some((_, length)) => format!("no result within {length:?} (deadline of the call)"),
            None => format!("no data for {:?} (read timeout)", silence.length),
        })
    }
}
