"""Arrow tables, and conversions for other libraries."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from ._completeness import Completeness

if TYPE_CHECKING:
    from typing import Unpack

    import duckdb
    import pandas  # type: ignore[import-untyped, unused-ignore]
    import polars
    import pyarrow  # type: ignore[import-untyped, unused-ignore]

    from ._reply import Reply


class TableOptions(TypedDict, total=False):
    """Options for the conversion of rows to columns."""

    figures: Literal["text", "double"]
    """The values of figures of statements: exact text (the default), or doubles for computations."""
    figure_layout: Literal["struct", "columns"]
    """Figures as structs (the default), or as a column with the value and columns with its status."""
    numbers: Literal["double", "text"]
    """All other numbers except integers: doubles (the default) or text."""
    enums: Literal["dictionary", "text"]
    """Values of open enums: dictionary columns (the default) or text."""
    times: Literal["as-sent", "milliseconds"]
    """The unit of times: that of the service (the default) or milliseconds."""
    unknown: Literal["keep", "drop", "error"]
    """Values that no column holds: kept in the column `_extra` (the default), left out if a field is
    unknown, or an error."""
    flatten: str
    """Turns the fields of nested records into columns. This text separates the parts of their names."""
    provenance: bool
    """Adds the columns `_fetched_at`, `_watermark` and `_request` with the origin of each row."""
    batch_rows: int
    """Maximum rows of a batch."""
    preflight: Reply[Any]
    """An answer of `onchain_sql_preflight`. Columns of a result that are named as a column of its
    tables have the type of that column."""


def native_options(options: TableOptions) -> dict[str, Any]:
    """The options for the native module."""
    native: dict[str, Any] = dict(options)
    preflight = options.get("preflight")
    return native if preflight is None else native | {"preflight": preflight.body}


class Tabular:
    """Rows that can be converted to tables."""

    def arrow(self, **options: Unpack[TableOptions]) -> Table:
        """The rows as a table. Batches are read when they are requested."""
        raise NotImplementedError

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self.arrow().__arrow_c_stream__(requested_schema)

    def to_pyarrow(self, **options: Unpack[TableOptions]) -> pyarrow.Table:
        """The rows as a table of pyarrow."""
        import pyarrow

        return pyarrow.table(self.arrow(**options))

    def to_pandas(self, **options: Unpack[TableOptions]) -> pandas.DataFrame:
        """The rows as a frame of pandas, 2.2 or newer; needs pyarrow. `attrs["completeness"]` has the
        state of the rows."""
        table = self.arrow(**options)
        frame = table.to_pyarrow().to_pandas()
        frame.attrs["completeness"] = table.completeness
        return frame

    def to_polars(self, **options: Unpack[TableOptions]) -> polars.DataFrame:
        """The rows as a frame of polars."""
        import polars

        return polars.DataFrame(self.arrow(**options))

    def to_duckdb(
        self,
        connection: duckdb.DuckDBPyConnection | None = None,
        **options: Unpack[TableOptions],
    ) -> duckdb.DuckDBPyRelation:
        """The rows as a relation of DuckDB; needs pyarrow.

        Args:
            connection: The connection; by default that of `duckdb.sql`.
        """
        import duckdb

        table = self.to_pyarrow(**options)
        return duckdb.from_arrow(table, connection=connection or duckdb.default_connection())


class Table(Tabular):
    """Rows as a stream of Arrow batches, for libraries with the PyCapsule interface:
    `pyarrow.table(t)`, `polars.DataFrame(t)`, `duckdb.sql("SELECT * FROM t")`.
    """

    def __init__(
        self,
        stream: Callable[[], tuple[object, Callable[[], Completeness | None]]],
    ) -> None:
        self._stream = stream
        self._state: Callable[[], Completeness | None] = lambda: None

    def arrow(self, **options: Unpack[TableOptions]) -> Table:
        """Returns this table, with the options of its creation."""
        if options:
            raise ValueError("a table has its options already; give them to `arrow` of the rows")
        return self

    @property
    def completeness(self) -> Completeness | None:
        """Whether the table has all rows. `None` before the table is read."""
        return self._state()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        stream, self._state = self._stream()
        return stream
