//! Frames of window functions. The frame of a row is the range of rows from which the function computes its value.

use std::ops::Range;

use super::order::compare;
use super::plan::{Edge, Frame, SortKey};
use crate::running::Row;
use crate::value::Value;

/// A partition of a window: its rows in the order of ORDER BY.
pub(super) struct Partition<'a> {
    /// Sort keys of each row: the values of the ORDER BY expressions.
    pub(super) keys: &'a [Row],
    pub(super) order: &'a [SortKey],
}

impl Partition<'_> {
    /// Returns the range of rows with the same sort keys as row `at`. The range includes row `at`.
    pub(super) fn peers(&self, at: usize) -> Range<usize> {
        let same = |other: usize| compare(&self.keys[other], &self.keys[at], self.order).is_eq();
        let mut start = at;
        while start > 0 && same(start - 1) {
            start -= 1;
        }
        let mut end = at + 1;
        while end < self.keys.len() && same(end) {
            end += 1;
        }
        start..end
    }

    /// Returns the range of rows in the window frame of the row with index `at`. `peers` is the range of rows with the
    /// same sort keys as this row. `frame` is the frame clause, such as `ROWS 2 PRECEDING`.
    pub(super) fn frame(&self, at: usize, peers: &Range<usize>, frame: &Frame) -> Range<usize> {
        let count = self.keys.len();
        let start = match frame.start {
            Edge::First => 0,
            Edge::Last => count,
            Edge::Current if frame.is_range => peers.start,
            Edge::Current => at,
            Edge::At(by) if frame.is_range => self.range_start(at, by),
            Edge::At(by) => offset(at, by, count),
        };
        let end = match frame.end {
            Edge::First => 0,
            Edge::Last => count,
            Edge::Current if frame.is_range => peers.end,
            Edge::Current => at + 1,
            Edge::At(by) if frame.is_range => self.range_end(at, by),
            Edge::At(by) => offset(at, by + 1.0, count),
        };
        start.min(count)..end.clamp(start.min(count), count)
    }

    /// Returns the sort key of row `other` minus the sort key of row `at`, negated for a descending order. Neither key
    /// is NULL.
    fn distance(&self, at: usize, other: usize) -> f64 {
        let distance = match (&self.keys[at][0], &self.keys[other][0]) {
            (Value::Int(a), Value::Int(b)) => Value::Int(b - a).float(),
            (a, b) => b.float() - a.float(),
        };
        if self.order[0].descending { -distance } else { distance }
    }

    fn range_start(&self, at: usize, by: f64) -> usize {
        (0..self.keys.len())
            .find(|other| self.distance(at, *other) >= by)
            .unwrap_or(self.keys.len())
    }

    fn range_end(&self, at: usize, by: f64) -> usize {
        (0..self.keys.len())
            .rev()
            .find(|other| self.distance(at, *other) <= by)
            .map_or(0, |last| last + 1)
    }
}

/// Returns the index of the row that is `by` rows after row `at`. The result is limited to the range from 0 to `count`.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "row indexes are small"
)]
fn offset(at: usize, by: f64, count: usize) -> usize {
    (at as f64 + by).clamp(0.0, count as f64) as usize
}
