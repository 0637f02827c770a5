"""Answers and lists: plain objects, or tables of Arrow."""

from __future__ import annotations

import html
import json
import os
from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, cast

from . import _native
from ._errors import DecodeError
from ._export import Exported, Format, Settings
from ._wait import wait

if TYPE_CHECKING:
    from typing import Self

T = TypeVar("T")

Figures = Literal["text", "double"]
"""The values of figures in tables: exact text, or doubles for computations."""

_SHOWN = 10
"""Rows that a notebook shows."""


class Table:
    """Rows as a stream of Arrow batches, for whatever speaks the PyCapsule interface:
    `pyarrow.table(t)`, `polars.DataFrame(t)`, `duckdb.from_arrow(pyarrow.table(t))`.
    """

    def __init__(self, stream: Callable[[], object]) -> None:
        self._stream = stream

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._stream()


class Reply(Generic[T]):
    """An answer. `data` is what the service sent, as dictionaries and lists.

    What is no JSON raises `DecodeError` when the call is made; among the rows of an answer of
    256 KiB or more, when they are read.
    """

    def __init__(self, answer: _native.Answer) -> None:
        self._answer = answer
        self._whole: Any = None

    @property
    def whole(self) -> Any:
        """The whole answer, `meta` and all."""
        if self._whole is None:
            try:
                self._whole = json.loads(self._answer.body())
            except ValueError as error:
                raise DecodeError(f"{self.operation}: the answer is no JSON: {error}") from error
        return self._whole

    @property
    def data(self) -> T:
        """The rows of a list, or the one value."""
        whole = self.whole
        if not isinstance(whole, dict) or "data" not in whole:
            return cast(T, whole)
        data = whole["data"]
        return cast(T, [] if data is None and self._answer.rows is not None else data)

    @property
    def meta(self) -> dict[str, Any]:
        """What the answer says of itself."""
        meta = self.whole.get("meta") if isinstance(self.whole, dict) else None
        return meta if isinstance(meta, dict) else {}

    @property
    def operation(self) -> str:
        """The operation that was called."""
        return self._answer.operation

    @property
    def credits_used(self) -> int | None:
        """Credits the service says the call used."""
        return self._answer.credits_used

    @property
    def cached(self) -> bool | None:
        """Whether the service says that the answer came from its cache."""
        return self._answer.cached

    @property
    def request_id(self) -> str | None:
        """The service's identifier of the request."""
        return self._answer.request_id

    def arrow(self, *, figures: Figures = "text") -> Table:
        """The rows as a table, from the bytes of the answer.

        Args:
            figures: The values of figures of statements: exact text, or doubles for computations.
        """
        return Table(lambda: self._answer.frames(figures))

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._answer.frames("text")

    def __len__(self) -> int:
        return 1 if self._answer.rows is None else self._answer.rows

    def __repr__(self) -> str:
        rows = "one value" if self._answer.rows is None else f"{self._answer.rows} rows"
        return f"<Reply of {self.operation}: {rows}, {self.credits_used} credits>"

    def _repr_html_(self) -> str:
        data: Any = self.data
        rows = data if isinstance(data, list) else [data]
        more = len(rows) - _SHOWN
        rest = f"<p>… and {more} more rows</p>" if more > 0 else ""
        return f"<p>{html.escape(repr(self))}</p>{_html(rows)}{rest}"


def _html(rows: list[Any]) -> str:
    shown = [row if isinstance(row, dict) else {"value": row} for row in rows[:_SHOWN]]
    names = list(dict.fromkeys(name for row in shown for name in row))
    head = "".join(f"<th>{html.escape(str(name))}</th>" for name in names)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(_cell(row.get(name)))}</td>" for name in names) + "</tr>"
        for row in shown
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: Any) -> str:
    text = "" if value is None else value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "…"


class _List:
    """A list that is not read yet."""

    def __init__(
        self,
        client: _native.Client,
        operation: str,
        arguments: dict[str, Any],
        limits: dict[str, int | None],
    ) -> None:
        self._client = client
        self.operation = operation
        self._arguments = arguments
        self._limits = limits
        self._from: str | None = None
        self._read: _native.Batches | None = None

    def resume_from(self, token: str) -> Self:
        """Begins after the rows of an earlier list of the same arguments.

        Args:
            token: The `resume_token` of that list.
        """
        self._from = token
        return self

    @property
    def resume_token(self) -> str | None:
        """The position after the last iteration, for `resume_from`. `None` means that the list was
        read to its end; a limit such as `max_credits` leaves a token.

        Raises:
            RuntimeError: Before the first iteration.
        """
        if self._read is None:
            raise RuntimeError("the list has not been read yet")
        return self._read.resume_token()

    def _batches(self) -> _native.Batches:
        self._read = self._client.batches(
            self.operation, self._arguments, self._limits, self._from
        )
        return self._read

    def _frames(self, figures: Figures) -> object:
        return self._client.frames(
            self.operation, self._arguments, self._limits, self._from, figures
        )

    def _check_start(self) -> None:
        if self._from is not None:
            raise ValueError("an export continues by its folder; it takes no `resume_from`")

    def arrow(self, *, figures: Figures = "text") -> Table:
        """The rows as a table; batches are read as they are asked for.

        Args:
            figures: The values of figures of statements: exact text, or doubles for computations.
        """
        return Table(lambda: self._frames(figures))

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._frames("text")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.operation}>"


class Pager(_List, Generic[T]):
    """The rows of a list, page after page. Each iteration reads it from its beginning, or from the
    token of `resume_from`. After an iteration, `resume_token` shows whether more rows exist.
    """

    def __iter__(self) -> Iterator[T]:
        batches = self._batches()
        while (batch := batches.next_batch()) is not None:
            yield from json.loads(batch)

    def export(
        self,
        folder: str | os.PathLike[str],
        *,
        format: Format = "parquet",
        partition_by: str | None = None,
        partition_by_day: str | None = None,
        rows_per_file: int | None = None,
        max_seconds: float | None = None,
        refresh: bool = False,
    ) -> Exported:
        """Writes all rows to files in a folder. The same export to the same folder continues after
        an interrupt, a kill or a limit, without losing or duplicating rows. Only pages in flight at
        that moment are charged again, at most four of them.

        Args:
            folder: An empty folder, a folder of the same export, or a new folder.
            format: The format of the files.
            partition_by: A column. Each value becomes a folder, such as `side=buy/`.
            partition_by_day: A column of times. Each day becomes a folder, such as
                `day=2026-01-31/`.
            rows_per_file: Rows after which files are written.
            max_seconds: The run ends after the page in which this time has passed.
            refresh: Read all rows anew, and then replace the files of an earlier export.

        The limits of rows and credits are those of the list. An export does not support
        `max_pages`.
        """
        self._check_start()
        settings = Settings(
            format, partition_by, partition_by_day, rows_per_file, max_seconds, refresh
        ).native(self._limits)
        where = os.fspath(folder)
        return Exported._read(
            self._client.export(self.operation, self._arguments, where, settings)
        )


class AsyncPager(_List, Generic[T]):
    """The rows of a list, page after page. Each iteration reads it from its beginning, or from the
    token of `resume_from`. After an iteration, `resume_token` shows whether more rows exist.
    """

    async def __aiter__(self) -> AsyncIterator[T]:
        batches = self._batches()
        while (batch := await wait(batches.start_next_batch)) is not None:
            for row in json.loads(batch):
                yield row

    async def export(
        self,
        folder: str | os.PathLike[str],
        *,
        format: Format = "parquet",
        partition_by: str | None = None,
        partition_by_day: str | None = None,
        rows_per_file: int | None = None,
        max_seconds: float | None = None,
        refresh: bool = False,
    ) -> Exported:
        """Writes all rows to files in a folder. The same export to the same folder continues after
        an interrupt, a kill or a limit, without losing or duplicating rows. Only pages in flight at
        that moment are charged again, at most four of them.

        Args:
            folder: An empty folder, a folder of the same export, or a new folder.
            format: The format of the files.
            partition_by: A column. Each value becomes a folder, such as `side=buy/`.
            partition_by_day: A column of times. Each day becomes a folder, such as
                `day=2026-01-31/`.
            rows_per_file: Rows after which files are written.
            max_seconds: The run ends after the page in which this time has passed.
            refresh: Read all rows anew, and then replace the files of an earlier export.

        The limits of rows and credits are those of the list. An export does not support
        `max_pages`.
        """
        self._check_start()
        settings = Settings(
            format, partition_by, partition_by_day, rows_per_file, max_seconds, refresh
        ).native(self._limits)
        where = os.fspath(folder)
        begin = partial(
            self._client.start_export, self.operation, self._arguments, where, settings
        )
        return Exported._read(await wait(begin))
