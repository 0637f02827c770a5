"""Responses as plain objects or as Arrow tables."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from . import _native
from ._completeness import Completeness
from ._errors import DecodeError
from ._table import Table, TableOptions, Tabular, native_options

if TYPE_CHECKING:
    from typing import Unpack

T = TypeVar("T")

_SHOWN = 10
"""Rows that a notebook shows."""


class Reply(Tabular, Generic[T]):
    """A response. `data` contains the JSON of the service as dictionaries and lists.

    The call raises `DecodeError` if the response is not JSON. In a response of 256 KiB or more, invalid rows
    raise it when they are read. Iteration and indices return rows.
    """

    def __init__(self, answer: _native.Answer) -> None:
        self._answer = answer
        self._whole: Any = None

    @property
    def body(self) -> bytes:
        """The JSON as the service sent it."""
        return self._answer.body()

    @property
    def whole(self) -> Any:
        """The complete response, with `meta`."""
        if self._whole is None:
            try:
                self._whole = json.loads(self.body)
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
        """Metadata of the response."""
        meta = self.whole.get("meta") if isinstance(self.whole, dict) else None
        return meta if isinstance(meta, dict) else {}

    @property
    def operation(self) -> str:
        """The operation that was called."""
        return self._answer.operation

    @property
    def credits_used(self) -> int | None:
        """Credits used by the call, as the service reports them."""
        return self._answer.credits_used

    @property
    def cached(self) -> bool | None:
        """Whether the response came from the service's cache, as the service reports it."""
        return self._answer.cached

    @property
    def empty_reason(self) -> str | None:
        """Why the answer has no rows, as the service reports it."""
        return _of_type(self.meta.get("empty_reason"), str)

    @property
    def watermark(self) -> int | None:
        """Time at which the service computed the answer, in Unix seconds."""
        return _of_type(self.meta.get("watermark"), int)

    @property
    def total_rows(self) -> int | None:
        """Number of rows of the whole list, not of this page."""
        return _of_type(self.meta.get("total"), int)

    @property
    def request_id(self) -> str | None:
        """The service's identifier of the request."""
        return self._answer.request_id

    @property
    def completeness(self) -> Completeness:
        """Whether the rows are complete. A response is one page; `iter_…` reads all pages."""
        parts = self._answer.completeness or ("complete", None, None)
        return Completeness._read(len(self), parts)

    def arrow(self, **options: Unpack[TableOptions]) -> Table:
        """The rows as a table, from the bytes of the response."""
        native = native_options(options)
        return Table(lambda: (self._answer.frames(native), lambda: self.completeness))

    def _rows(self) -> list[Any]:
        data: Any = self.data
        return data if isinstance(data, list) else [data]

    def __len__(self) -> int:
        return 1 if self._answer.rows is None else self._answer.rows

    def __iter__(self) -> Iterator[Any]:
        return iter(self._rows())

    def __getitem__(self, index: int) -> Any:
        return self._rows()[index]

    def __reduce__(self) -> tuple[Any, ...]:
        answer = self._answer
        used = (answer.credits_used, answer.cached, answer.request_id)
        contents = (answer.rows, answer.completeness)
        return (_restored, (answer.operation, answer.body(), used, contents))

    def __repr__(self) -> str:
        rows = "one value" if self._answer.rows is None else f"{self._answer.rows} rows"
        return f"<Reply of {self.operation}: {rows}, {self.credits_used} credits>"

    def _repr_html_(self) -> str:
        rows = self._rows()
        more = len(rows) - _SHOWN
        rest = f"<p>… and {more} more rows</p>" if more > 0 else ""
        return f"<p>{html.escape(repr(self))}</p>{_html(rows)}{rest}"


def _of_type(value: Any, kind: type[T]) -> T | None:
    return value if isinstance(value, kind) and not isinstance(value, bool) else None


def _restored(operation: str, body: bytes, used: Any, contents: Any) -> Reply[Any]:
    return Reply(_native.Answer.restored(operation, body, used, contents))


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
