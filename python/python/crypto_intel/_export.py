"""Lists as files of a folder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Format = Literal["parquet", "arrow", "csv", "ndjson"]


@dataclass(frozen=True)
class Exported:
    """What came of an export."""

    outcome: str
    """`complete`, or the limit that ended it: the same export goes on from there."""
    rows: int
    """Rows in the folder."""
    files: int
    """Files in the folder."""
    pages: int
    """Pages that were read, in all runs."""
    credits_used: int
    """Credits the service said it used, in all runs."""


@dataclass(frozen=True)
class Settings:
    """How a list is written, as the native half takes it."""

    format: Format
    partition_by: str | None
    partition_by_day: str | None
    rows_per_file: int | None
    max_seconds: float | None

    def native(self, limits: dict[str, int | None]) -> dict[str, Any]:
        if self.partition_by is not None and self.partition_by_day is not None:
            raise ValueError("an export is divided by one column: partition_by or partition_by_day")
        return limits | {
            "format": self.format,
            "column": self.partition_by,
            "day": self.partition_by_day,
            "rows_per_file": self.rows_per_file,
            "seconds": self.max_seconds,
        }
