"""Lazy frames of polars over calls and lists."""

from __future__ import annotations

import datetime
import json
import logging
import math
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypedDict

from . import _native
from ._errors import OverBudgetError
from ._given import Given
from ._money import Estimate, _catalogue
from ._table import TableOptions, native_options

if TYPE_CHECKING:
    import polars

_LOG = logging.getLogger("crypto_intel.scan")

_WINDOWS = (("from", "to"), ("start_time", "end_time"))
"""Parameters that are the lower and the upper bound of a time."""


class ScanSettings(TypedDict, total=False):
    """Settings of a scan."""

    max_credits: int
    """Sends nothing if the list price of the query exceeds this sum or is unknown."""
    table: TableOptions
    """Options for the conversion of rows to columns."""


def scan(
    client: _native.Client,
    given: Given,
    limits: dict[str, Any] | None,
    settings: ScanSettings,
) -> polars.LazyFrame:
    """A lazy frame over a call, or over a list with limits."""
    import polars
    from polars.io.plugins import register_io_source

    operation = next(row for row in _catalogue() if row["id"] == given[0])
    options = native_options(settings.get("table", TableOptions()))
    schema = polars.DataFrame(_Stream(_native.schema(given[0], options))).schema
    most = settings.get("max_credits")

    def source(
        columns: list[str] | None,
        predicate: polars.Expr | None,
        rows: int | None,
        batch_rows: int | None,
    ) -> Iterator[polars.DataFrame]:
        asked = _narrowed(given, operation, schema, predicate)
        within = limits
        # A filter that the service does not apply needs more rows.
        if limits is not None and rows is not None and predicate is None:
            within = {**limits, "items": min(rows, limits.get("items") or rows)}
        bounds = client.estimate(asked, within)
        price = "unknown" if bounds is None else str(Estimate(*bounds))
        _LOG.info("%s %s: list price %s", asked[0], asked[1], price)
        if most is not None and (bounds is None or bounds[1] > most):
            raise OverBudgetError(
                f"{asked[0]}: the list price is {price} credits, and `max_credits` is {most}"
            )

        capsule, _ = client.frames(asked, within or {}, options)
        frame = polars.DataFrame(_Stream(capsule))
        if predicate is not None:
            frame = frame.filter(predicate)
        if rows is not None:
            frame = frame.head(rows)
        yield frame if columns is None else frame.select(columns)

    bounds = client.estimate(given, limits)
    detail = "list price unknown" if bounds is None else f"list price {Estimate(*bounds)} credits"
    with warnings.catch_warnings():
        # This function of polars is marked as unstable.
        warnings.simplefilter("ignore")
        return register_io_source(
            source, schema=schema, explain_name=given[0], explain_detail=detail
        )


class _Stream:
    def __init__(self, capsule: object) -> None:
        self._capsule = capsule

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._capsule


def _narrowed(
    given: Given,
    operation: dict[str, Any],
    schema: Any,
    predicate: polars.Expr | None,
) -> Given:
    """The call with additional arguments from the predicate. Arguments of the caller are kept."""
    if predicate is None or not operation["is_read"]:
        return given
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = json.loads(predicate.meta.serialize(format="json"))

    parameters = {row["name"]: row for row in operation["parameters"] if not row["is_of_pages"]}
    arguments = {name: value for name, value in given[1].items() if value is not None}
    found: dict[str, Any] = {}
    for column, comparison, value in _comparisons(tree):
        if comparison == "Eq" and column in parameters and isinstance(value, str | int | float):
            found.setdefault(column, value)
        elif isinstance(value, datetime.datetime):
            found |= _window(column, comparison, value, parameters, schema)
    return given[0], found | arguments, given[2]


def _comparisons(tree: Any) -> Iterator[tuple[str, str, Any]]:
    """Comparisons of a column with a value; all of them are true for a row of the result."""
    binary = tree.get("BinaryExpr") if isinstance(tree, dict) else None
    if binary is None:
        return
    if binary["op"] == "And":
        yield from _comparisons(binary["left"])
        yield from _comparisons(binary["right"])
    elif "Column" in binary["left"]:
        value = _value(binary["right"])
        if value is not None:
            yield binary["left"]["Column"], binary["op"], value


def _value(tree: Any) -> str | int | float | datetime.datetime | None:
    literal = tree.get("Literal") if isinstance(tree, dict) else None
    if not isinstance(literal, dict):
        return None
    inner = literal.get("Scalar") or literal.get("Dyn")
    if not isinstance(inner, dict) or len(inner) != 1:
        return None
    (kind, value) = next(iter(inner.items()))
    if kind == "Datetime":
        units = {"Milliseconds": 1_000, "Microseconds": 1_000_000, "Nanoseconds": 1_000_000_000}
        seconds = value[0] / units[value[1]]
        return datetime.datetime.fromtimestamp(seconds, datetime.UTC)
    return value if isinstance(value, str | int | float) else None


def _window(
    column: str,
    comparison: str,
    value: datetime.datetime,
    parameters: dict[str, Any],
    schema: Any,
) -> dict[str, Any]:
    """The bound of a time range, if the rows have one time. Bounds are rounded outwards, and the rows
    are compared again."""
    import polars

    times = [name for name, ty in schema.items() if isinstance(ty, polars.Datetime)]
    names = next((pair for pair in _WINDOWS if pair[0] in parameters and pair[1] in parameters), None)
    if times != [column] or names is None:
        return {}
    lower, upper = names
    convention = parameters[lower]["convention"]
    if convention == "Day" or (parameters[lower]["kind"] != "Moment" and convention is None):
        return {}
    unit = 1_000 if convention == "UnixMillis" else 1
    seconds = value.timestamp() * unit
    if comparison in ("Gt", "GtEq"):
        return {lower: math.floor(seconds)}
    if comparison in ("Lt", "LtEq"):
        return {upper: math.ceil(seconds)}
    return {}
