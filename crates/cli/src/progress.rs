//! Progress on standard error, where a person reads it.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::terminal;

/// A line that tells how far something is. Without a terminal it is silent.
#[derive(Debug)]
pub(crate) struct Progress(ProgressBar);

/// What takes less time needs no line.
const PATIENCE: Duration = Duration::from_millis(300);

/// How often time that passes is shown.
const TICK: Duration = Duration::from_millis(200);

impl Progress {
    /// Something that takes an unknown time.
    pub(crate) fn waiting(what: &str) -> Self {
        let progress = Self::new(what, "{spinner} {msg} {elapsed}");
        // Nothing is told until it is over, and the time goes on.
        if terminal::stderr_is_terminal() {
            progress.0.enable_steady_tick(TICK);
        }
        progress
    }

    /// Something that is counted in rows.
    pub(crate) fn rows(what: &str) -> Self {
        Self::new(what, "{spinner} {msg} {pos} rows {elapsed}")
    }

    fn new(what: &str, template: &str) -> Self {
        if !terminal::stderr_is_terminal() {
            return Progress(ProgressBar::hidden());
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(what.to_owned());
        Progress(bar)
    }

    /// Tells how many there are.
    pub(crate) fn count(&self, count: u64) {
        if self.0.elapsed() > PATIENCE {
            self.0.set_position(count);
        }
    }

    /// Tells what is going on.
    pub(crate) fn say(&self, what: String) {
        self.0.set_message(terminal::harmless(&what));
        self.0.tick();
    }

    /// Leaves the line to others.
    pub(crate) fn clear(&self) {
        self.0.finish_and_clear();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
