"""Reports whether a list, a response or a table has all rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, cast

State = Literal["complete", "cut_at_limit", "more_available", "failed", "stopped_by_budget"]
"""All rows were read; the caller's limit of rows or pages ended the reading; one page of several was
read; a request failed after some rows; a limit of credits ended the reading. The service may add
states."""


@dataclass(frozen=True)
class Completeness:
    """Reports whether the rows are complete, and how to read the remaining ones."""

    state: State
    """State at the end of the read."""
    rows: int
    """Rows that were read."""
    total: int | None
    """Number of all rows, if the service reports it."""
    resume_token: str | None
    """Token for `resume_from` of an equal list, if the list continues."""

    @property
    def is_complete(self) -> bool:
        """True if every row of the service was read."""
        return self.state == "complete"

    @classmethod
    def _read(cls, rows: int, parts: tuple[str, int | None, str | None]) -> Completeness:
        state, total, resume = parts
        return cls(cast(State, state), rows, total, resume)
