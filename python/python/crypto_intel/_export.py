"""Exports of responses and lists to files in a folder."""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Required, TypedDict

from . import _native
from ._table import Table, TableOptions, native_options

Format = Literal["parquet", "arrow", "csv", "ndjson"]

_ChangedRows = tuple[int, int, int, tuple[int, int] | None]
_Fields = tuple[str, int, int, int, int, int | None, _ChangedRows | None]


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
    """The run ends after the page during which this time has passed."""
    side_by_side: int
    """Maximum pages in flight. After a kill, at most this number of pages is charged again."""
    refresh: bool
    """Reads all rows again, and then replaces the files of an earlier export."""
    update: float
    """Updates a complete export: reads the rows that begin, usually, this number of seconds before
    the latest stored row, adds new rows, and replaces changed rows."""
    journal_folder: str | os.PathLike[str]
    """Folder for received pages that are not yet in files; by default inside the export folder."""
    origin: str
    """Name of the data source; by default the base URL. A folder with data of another source is
    rejected."""
    table: TableOptions
    """Options for the conversion of rows to columns."""
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
class Changes:
    """Changes of the rows by an update."""

    added: int
    """New rows."""
    replaced: int
    """Rows with new values."""
    removed: int
    """Rows that the service no longer returns for a time from which it returns others."""
    gap: tuple[datetime.datetime, datetime.datetime] | None
    """Times between which the service returned no row, although rows may have been there: those of
    the last row of the folder, and of the first row of the update."""

    @classmethod
    def _read(cls, fields: _ChangedRows) -> Changes:
        gap = fields[3]
        if gap is None:
            return cls(*fields[:3], None)
        return cls(*fields[:3], (_time(gap[0]), _time(gap[1])))


def _time(seconds: int) -> datetime.datetime:
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC)


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

    changes: Changes | None
    """Changes by this run, if it was an update."""

    @classmethod
    def _read(cls, fields: _Fields) -> Exported:
        since, changes = fields[5], fields[6]
        return cls(
            *fields[:5],
            None if since is None else _time(since),
            None if changes is None else Changes._read(changes),
        )


def read_as_of(folder: str | os.PathLike[str], time: datetime.datetime) -> Table:
    """Rows that an export in a folder had at an earlier time, without what was read later. The export
    must have been written with `update` and `table={"provenance": True}`.

    Args:
        folder: The folder of the export.
        time: A time with a zone.
    """
    if time.tzinfo is None:
        raise ValueError("`time` has no time zone; set one such as datetime.timezone.utc")
    stream = _native.read_as_of(os.fspath(folder), time.timestamp())
    return Table(lambda: (stream, lambda: None))


Windows = TypedDict("Windows", {"from": str, "to": str, "days": int})
"""Consecutive time ranges of operations with the parameters `from` and `to`: a first day, the day
after the last, and the days of a range. `from` is a keyword, so this is no class."""


class PlannedExport(TypedDict, total=False):
    """Exports of one operation: one for each combination of its arguments and windows."""

    operation: Required[str]
    """Identifier of the operation, such as `market-price`."""
    arguments: dict[str, Any]
    """Arguments by parameter. A list stands for one export per value."""
    windows: Windows
    """Time ranges: one export each."""
    overlap_days: int
    """Days that each run reads again for late and changed rows, as `update`."""
    max_rows: int
    """Maximum number of rows of each export."""
    format: Format
    """The format of the files; `parquet` by default."""
    provenance: bool
    """Adds the columns that `read_as_of` needs."""


class SyncPlan(TypedDict, total=False):
    """Exports that run together."""

    export: Required[list[PlannedExport]]
    """The exports."""
    side_by_side: int
    """Maximum number of exports that run at once; 4 by default."""


@dataclass(frozen=True)
class PlannedCost:
    """Maximum cost of one export of a plan, by list price."""

    name: str
    """Name of the export: its folder, below that of the plan."""
    requests: int | None
    """Number of requests; `None` if no limit bounds it."""
    credits: int | None
    """List price; `None` if it is not known or no limit bounds it."""


@dataclass(frozen=True)
class Synced:
    """Result of one export of a plan."""

    name: str
    """Name of the export: its folder, below that of the plan."""
    exported: Exported | None
    """Result of its run."""
    error: str | None
    """The error that ended it. The same plan continues."""

    @classmethod
    def _read(cls, fields: tuple[str, _Fields | None, str | None]) -> Synced:
        exported = None if fields[1] is None else Exported._read(fields[1])
        return cls(fields[0], exported, fields[2])
