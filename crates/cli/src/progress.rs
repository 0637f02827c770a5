//! Progress bars on standard error. They are hidden if standard error is not a terminal, if `TERM` is `dumb`, in agent
//! mode, or while rows are printed on a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::terminal;

/// Progress bar of one task. It prints nothing if it is hidden.
#[derive(Debug)]
pub(crate) struct Progress(ProgressBar);

/// Time from the creation of a progress bar until [`Progress::count`] first draws the bar.
const PATIENCE: Duration = Duration::from_millis(300);

/// Interval at which [`Progress::waiting`] updates the elapsed time of its progress bar.
const TICK: Duration = Duration::from_millis(200);

impl Progress {
    /// Creates a progress bar for a task of unknown length.
    pub(crate) fn waiting(what: &str) -> Self {
        let progress = Self::new(what, "{spinner} {msg} {elapsed}");
        // A task of unknown length reports nothing before its end, so a timer updates the bar.
        if !progress.0.is_hidden() {
            progress.0.enable_steady_tick(TICK);
        }
        progress
    }

    /// Creates a progress bar that counts rows.
    pub(crate) fn rows(what: &str) -> Self {
        Self::new(what, "{spinner} {msg} {pos} rows {elapsed}")
    }

    /// Creates a progress bar that stays hidden.
    pub(crate) fn hidden() -> Self {
        Progress(ProgressBar::hidden())
    }

    fn new(what: &str, template: &str) -> Self {
        if !terminal::stderr_is_terminal() || terminal::is_dumb() {
            return Self::hidden();
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        // Unlike `set_message`, this method does not draw the bar.
        Progress(bar.with_message(what.to_owned()))
    }

    /// Sets the number of rows that the progress bar shows. Does nothing in the first 300 ms ([`PATIENCE`]) after the
    /// creation of the bar.
    pub(crate) fn count(&self, count: u64) {
        if self.0.elapsed() > PATIENCE {
            self.0.set_position(count);
        }
    }

    /// Replaces the text of the progress bar.
    pub(crate) fn set_text(&self, what: String) {
        self.0.set_message(terminal::escape_controls(&what));
        self.0.tick();
    }

    /// Removes the progress bar from the terminal.
    pub(crate) fn clear(&self) {
        self.0.finish_and_clear();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
