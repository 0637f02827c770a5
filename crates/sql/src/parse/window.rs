//! Parser for window definitions with PARTITION BY, ORDER BY and frames.

use super::Parser;
use crate::ast::{Bound, Frame, Window};
use crate::problem::{Problem, Result};

impl Parser<'_> {
    /// Parses the definition of a window. The opening parenthesis is already parsed.
    pub(super) fn window(&mut self) -> Result<Window> {
        let mut window = Window::default();
        let is_clause =
            ["PARTITION", "ORDER", "ROWS", "RANGE", "GROUPS"].iter().any(|w| self.is(w));
        if !is_clause && !self.is_symbol_at(0, ")") {
            window.base = Some(self.name()?);
        }
        if self.skip_words(&["PARTITION", "BY"]) {
            window.partition = self.list(Self::expr)?;
        }
        if self.skip_words(&["ORDER", "BY"]) {
            window.order = self.list(Self::order)?;
        }
        if self.is("GROUPS") {
            return Err(Problem::text("GROUPS frames are not supported: use ROWS or RANGE"));
        }
        let is_range = self.is("RANGE");
        if self.word("ROWS") || self.word("RANGE") {
            window.frame = Some(self.frame(is_range)?);
        }
        self.expect(")")?;
        Ok(window)
    }

    fn frame(&mut self, is_range: bool) -> Result<Frame> {
        if self.word("BETWEEN") {
            let start = self.bound()?;
            self.expect_word("AND")?;
            let end = self.bound()?;
            return Ok(Frame { is_range, start, end });
        }
        Ok(Frame { is_range, start: self.bound()?, end: Bound::Current })
    }

    fn bound(&mut self) -> Result<Bound> {
        if self.skip_words(&["UNBOUNDED", "PRECEDING"]) {
            return Ok(Bound::UnboundedPreceding);
        }
        if self.skip_words(&["UNBOUNDED", "FOLLOWING"]) {
            return Ok(Bound::UnboundedFollowing);
        }
        if self.skip_words(&["CURRENT", "ROW"]) {
            return Ok(Bound::Current);
        }
        let distance = self.above_and()?;
        if self.word("PRECEDING") {
            return Ok(Bound::Preceding(distance));
        }
        if self.word("FOLLOWING") {
            return Ok(Bound::Following(distance));
        }
        self.unexpected("PRECEDING or FOLLOWING")
    }
}
