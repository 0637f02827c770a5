"""Calls and lists that are not sent yet."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from . import _native
from ._completeness import Completeness
from ._export import Exported, ExportSettings, native_settings
from ._given import Given
from ._money import Estimate
from ._reply import Reply
from ._table import Table, TableOptions, Tabular, native_options
from ._wait import wait

if TYPE_CHECKING:
    from typing import Self, Unpack

    import polars

    from ._scan import ScanSettings

T = TypeVar("T")

_EXPORT = """Writes all rows to files in a folder. The same export to the same folder continues after
an interrupt, a kill or a limit, without losing or duplicating rows. Only pages in flight at that
moment are charged again, at most four of them.

Args:
    folder: An empty folder, a folder of the same export, or a new folder.
    settings: See `ExportSettings`. The limits of rows and credits are those of the list.
"""


class Unsent(Tabular):
    """A call or a list that is not sent yet."""

    def __init__(
        self,
        client: _native.Client,
        given: Given,
        limits: dict[str, Any] | None = None,
    ) -> None:
        self._client = client
        self._given = given
        self._limits = limits

    @property
    def operation(self) -> str:
        """The operation."""
        return self._given[0]

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments by their names in the interface."""
        return {name: value for name, value in self._given[1].items() if value is not None}

    def estimate(self) -> Estimate | None:
        """The cost by list price. Nothing is sent. `None` if the price is not published, or if no limit
        bounds the list."""
        bounds = self._client.estimate(self._given, self._limits)
        return None if bounds is None else Estimate(*bounds)

    def arrow(self, **options: Unpack[TableOptions]) -> Table:
        """The rows as a table. Batches are read when they are requested."""
        native, limits = native_options(options), self._limits or {}

        def stream() -> tuple[object, Any]:
            capsule, state = self._client.frames(self._given, limits, native)

            def completeness() -> Completeness | None:
                rows, parts = state.get()
                return None if parts is None else Completeness._read(rows, parts)

            return capsule, completeness

        return Table(stream)

    def scan(self, **settings: Unpack[ScanSettings]) -> polars.LazyFrame:
        """The rows as a lazy frame of polars. A request is sent when it is collected: comparisons of
        the query become parameters, and `head` becomes a limit on rows. `explain` shows the price.
        """
        from ._scan import scan

        return scan(self._client, self._given, self._limits, settings)

    def _export(
        self, folder: str | os.PathLike[str], settings: ExportSettings
    ) -> _native.Pending:
        native = native_settings(settings, self._limits or {})
        return self._client.export(self._given, os.fspath(folder), native)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.operation}>"


@dataclass(frozen=True)
class Update(Generic[T]):
    """A response of a repeated call."""

    reply: Reply[T]
    """The answer."""
    new: list[Any]
    """Rows that were in no earlier response. A row with changed values is new."""
    left_out: int
    """Skipped repetitions, because a response took longer than the interval."""
    failures: int
    """Failed calls since the previous response."""
    may_lack_rows: bool
    """Whether rows may be missing between the previous response and this one, because no row is in both."""

    @classmethod
    def _read(cls, fields: tuple[_native.Answer, list[int], int, int, bool]) -> Update[T]:
        answer, new, left_out, failures, is_disjoint = fields
        reply: Reply[T] = Reply(answer)
        return cls(reply, [reply[index] for index in new], left_out, failures, is_disjoint)


class Request(Unsent, Generic[T]):
    """A call that is not sent yet; see `Client.request`."""

    def send(self) -> Reply[T]:
        """Sends the call, and waits for its response."""
        return Reply(self._client.call(self._given).wait())

    def export(
        self, folder: str | os.PathLike[str], **settings: Unpack[ExportSettings]
    ) -> Exported:
        return Exported._read(self._export(folder, settings).wait())

    export.__doc__ = _EXPORT

    def watch(self, every: float) -> Iterator[Update[T]]:
        """Repeats the call, and yields each answer with its new rows. Failures that may pass are
        survived; others are raised.

        Args:
            every: Seconds between two calls.
        """
        watch = self._client.watch(self._given, every)
        while True:
            yield Update._read(watch.next().wait())


class AsyncRequest(Unsent, Generic[T]):
    """A call that is not sent yet; see `AsyncClient.request`."""

    async def send(self) -> Reply[T]:
        """Sends the call, and waits for its response."""
        return Reply(await wait(self._client.call(self._given)))

    async def export(
        self, folder: str | os.PathLike[str], **settings: Unpack[ExportSettings]
    ) -> Exported:
        pending = self._export(folder, settings)
        has_notices = "on_progress" in settings
        return Exported._read(await wait(pending, has_notices=has_notices))

    export.__doc__ = _EXPORT

    async def watch(self, every: float) -> AsyncIterator[Update[T]]:
        """Repeats the call, and yields each answer with its new rows; as `Request.watch`."""
        watch = self._client.watch(self._given, every)
        while True:
            yield Update._read(await wait(watch.next()))


class _List(Unsent):
    """The rows of a list, page after page. Each iteration reads it from its beginning, or from the
    token of `resume_from`. `completeness` shows whether more rows exist after it.
    """

    _read: _native.Rows | None = None

    def resume_from(self, token: str) -> Self:
        """Begins after the rows of an earlier list of the same arguments.

        Args:
            token: The `resume_token` of that list.
        """
        self._limits = {**(self._limits or {}), "resume": token}
        return self

    @property
    def completeness(self) -> Completeness:
        """Whether the rows of the last iteration are complete.

        Raises:
            RuntimeError: Before the first iteration.
        """
        if self._read is None:
            raise RuntimeError("the list has not been read yet")
        return Completeness._read(*self._read.completeness())

    @property
    def resume_token(self) -> str | None:
        """The position after the last iteration, for `resume_from`. `None` means that the list was
        read to its end; a limit such as `max_credits` leaves a token.

        Raises:
            RuntimeError: Before the first iteration.
        """
        return self.completeness.resume_token

    def _rows(self) -> _native.Rows:
        self._read = self._client.rows(self._given, self._limits or {})
        return self._read


class Pager(_List, Generic[T]):
    __doc__ = _List.__doc__

    def __iter__(self) -> Iterator[T]:
        rows = self._rows()
        while (batch := rows.next_batch().wait()) is not None:
            yield from json.loads(batch)

    def export(
        self, folder: str | os.PathLike[str], **settings: Unpack[ExportSettings]
    ) -> Exported:
        return Exported._read(self._export(folder, settings).wait())

    export.__doc__ = _EXPORT


class AsyncPager(_List, Generic[T]):
    __doc__ = _List.__doc__

    async def __aiter__(self) -> AsyncIterator[T]:
        rows = self._rows()
        while (batch := await wait(rows.next_batch())) is not None:
            for row in json.loads(batch):
                yield row

    async def export(
        self, folder: str | os.PathLike[str], **settings: Unpack[ExportSettings]
    ) -> Exported:
        pending = self._export(folder, settings)
        has_notices = "on_progress" in settings
        return Exported._read(await wait(pending, has_notices=has_notices))

    export.__doc__ = _EXPORT
