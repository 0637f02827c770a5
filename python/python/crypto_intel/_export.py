"""Exports of lists to files in a folder."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Any, Literal

Format = Literal["parquet", "arrow", "csv", "ndjson"]


@dataclass(frozen=True)
class Exported:
    """Result of an export."""

    outcome: str
    """`complete`, or the limit that ended the run. The same export continues after a limit."""
    rows: int
    """Rows in the folder."""
    files: int
    """Files in the folder."""
    pages: int
    """Pages that were read, in all runs."""
    credits_used: int
    """Credits used, as reported by the service, in all runs."""
    unchanged_since: datetime.datetime | None
    """Time of the rows, if an earlier run had already written all of them. Then this run sent no
    request; `refresh=True` reads the rows anew."""

    @classmethod
    def _read(cls, fields: tuple[str, int, int, int, int, int | None]) -> Exported:
        since = fields[5]
        time = None if since is None else datetime.datetime.fromtimestamp(since, datetime.UTC)
        return cls(*fields[:5], time)


@dataclass(frozen=True)
class Settings:
    """Settings of an export, for the native module."""

    format: Format
    partition_by: str | None
    partition_by_day: str | None
    rows_per_file: int | None
    max_seconds: float | None
    refresh: bool

    def native(self, limits: dict[str, int | None]) -> dict[str, Any]:
        if self.partition_by is not None and self.partition_by_day is not None:
            raise ValueError("an export is divided by one column: partition_by or partition_by_day")
        return limits | {
            "format": self.format,
            "column": self.partition_by,
            "day": self.partition_by_day,
            "rows_per_file": self.rows_per_file,
            "seconds": self.max_seconds,
            "refresh": self.refresh,
        }
