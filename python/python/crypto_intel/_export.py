"""Exports of answers and lists to files in a folder."""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypedDict

from ._table import TableOptions, native_options

Format = Literal["parquet", "arrow", "csv", "ndjson"]


@dataclass(frozen=True)
class Progress:
    """Progress of an export."""

    rows: int
    """Rows that were read, in all runs."""
    rows_written: int
    """Rows in the files of the folder."""
    files: int
    """Files in the folder."""
    pages: int
    """Pages that were read, in all runs."""
    credits_used: int
    """Credits used, as reported by the service, in all runs."""
    seconds: float
    """Seconds since the start of this run."""


class ExportSettings(TypedDict, total=False):
    """Settings of an export."""

    format: Format
    """The format of the files; `parquet` by default."""
    partition_by: str
    """A column. Each value becomes a folder, such as `side=buy/`."""
    partition_by_day: str
    """A column of times. Each day becomes a folder, such as `day=2026-01-31/`."""
    rows_per_file: int
    """Rows after which files are written."""
    max_seconds: float
    """The run ends after the page in which this time has passed."""
    side_by_side: int
    """Maximum pages in flight. After a kill, at most this number of pages is charged again."""
    refresh: bool
    """Reads all rows anew, and then replaces the files of an earlier export."""
    journal_folder: str | os.PathLike[str]
    """Folder for pages that were received and are not in files; by default in the folder itself."""
    origin: str
    """Name of the data source; by default the base URL. A folder with data of another source is
    rejected."""
    table: TableOptions
    """How rows become columns."""
    on_progress: Callable[[Progress], object]
    """Receives the progress after each page. An exception ends the run; the next run continues."""


def native_settings(settings: ExportSettings, limits: dict[str, Any]) -> dict[str, Any]:
    """The settings and the limits of a list for the native module."""
    if settings.get("partition_by") is not None and settings.get("partition_by_day") is not None:
        raise ValueError("an export is divided by one column: partition_by or partition_by_day")
    if limits.get("resume") is not None:
        raise ValueError("an export continues by its folder; it takes no `resume_from`")
    if limits.get("pages") is not None:
        raise ValueError("an export takes no `max_pages`; use `max_items` or `max_credits`")

    native: dict[str, Any] = {**limits, **settings}
    if "table" in settings:
        native["table"] = native_options(settings["table"])
    if "on_progress" in settings:
        receiver = settings["on_progress"]
        native["on_progress"] = lambda *fields: receiver(Progress(*fields))
    return native


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
