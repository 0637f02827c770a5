"""Tables in the libraries of Python."""

import duckdb
import pandas
import polars
import pyarrow
import pytest

from crypto_intel import Client

WALLET = "0x1111111111111111111111111111111111111111"


def test_pyarrow_reads_what_the_objects_hold(client: Client) -> None:
    fills = client.hyperliquid_fills(WALLET, limit=50)
    table = pyarrow.table(fills.arrow())
    assert table.column("fill_id").to_pylist() == [fill["fill_id"] for fill in fills.data]
    assert table.column("price").to_pylist() == [fill["price"] for fill in fills.data]
    assert str(table.schema.field("time_ms").type) == "timestamp[ms, tz=UTC]"
    assert table.schema.field("price").metadata[b"description"]
    assert len(fills) == table.num_rows > 10


def test_polars_takes_an_answer_and_a_list(client: Client) -> None:
    fills = client.hyperliquid_fills(WALLET, limit=50)
    frame = polars.DataFrame(fills.arrow())
    assert frame["price"].to_list() == [fill["price"] for fill in fills.data]
    assert frame.schema["time_ms"] == polars.Datetime("ms", "UTC")

    pages = client.iter_hyperliquid_fills(WALLET, limit=20, max_items=len(fills))
    assert polars.DataFrame(pages.arrow())["fill_id"].to_list() == frame["fill_id"].to_list()


def test_pandas_takes_an_answer_and_a_list(client: Client) -> None:
    fills = client.hyperliquid_fills(WALLET, limit=50)
    frame = fills.to_pandas()
    assert frame["price"].to_list() == [fill["price"] for fill in fills.data]
    assert str(frame["time_ms"].dt.tz) == "UTC"

    pages = client.iter_hyperliquid_fills(WALLET, limit=20, max_items=len(fills))
    frame = pages.to_pandas()
    assert frame["fill_id"].to_list() == [fill["fill_id"] for fill in fills.data]


def test_duckdb_queries_an_answer_and_a_list(client: Client) -> None:
    fills = client.hyperliquid_fills(WALLET, limit=50)
    answer = fills.arrow()
    total = sum(fill["price"] for fill in fills.data)
    ((rows, found),) = duckdb.sql("SELECT count(*), sum(price) FROM answer").fetchall()
    assert rows == len(fills) and abs(found - total) < 1e-6 * total

    pages = client.iter_hyperliquid_fills(WALLET, limit=20, max_items=50).arrow()
    assert duckdb.sql("SELECT count(DISTINCT fill_id) FROM pages").fetchall() == [(50,)]


def test_a_sql_answer_is_a_table_with_the_columns_of_its_rows(client: Client) -> None:
    query = "SELECT number AS n, toString(number) AS name, number / 2 AS half FROM numbers(3)"
    frame = polars.DataFrame(client.onchain_sql(query).arrow())
    assert dict(frame.schema) == {"n": polars.Int64, "name": polars.String, "half": polars.Float64}
    assert frame["half"].to_list() == [0.0, 0.5, 1.0]


def test_a_table_can_be_read_again(client: Client) -> None:
    table = client.market_price("BTC", time_range="7d").arrow()
    assert pyarrow.table(table).equals(pyarrow.table(table))


def test_batches_are_read_as_they_are_asked_for(client: Client) -> None:
    fills = client.iter_hyperliquid_fills(WALLET, limit=10, max_items=50)
    reader = pyarrow.RecordBatchReader.from_stream(fills.arrow())
    assert sum(batch.num_rows for batch in reader) == 50


def test_figures_are_exact_text_or_doubles_with_a_reason_where_there_is_none(
    client: Client,
) -> None:
    statements = client.equity_income_statement("AAPL", limit=8)
    sent = [row["revenue"]["value"] for row in statements.data]

    table = pyarrow.table(statements.arrow())
    revenue = table.schema.field("revenue").type
    assert {"status", "reason_code"} <= {field.name for field in revenue}
    texts = [None if value is None else str(value) for value in sent]
    assert [row["value"] for row in table.column("revenue").to_pylist()] == texts

    pages = client.iter_equity_income_statement("AAPL", limit=8, max_items=8)
    for source in (statements, pages):
        doubles = pyarrow.table(source.arrow(figures="double")).column("revenue").to_pylist()
        wanted = [None if value is None else float(value) for value in sent]
        assert [row["value"] for row in doubles] == wanted
    with pytest.raises(ValueError, match="figures"):
        pyarrow.table(statements.arrow(figures="float"))  # type: ignore[arg-type]
