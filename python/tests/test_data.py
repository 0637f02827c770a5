"""Frames of other libraries, lazy scans, jobs, and the states of a sandbox."""

import asyncio
import datetime
import logging

import pandas
import polars
import pytest

import crypto_intel as ci
from crypto_intel import Client, Sandbox

WALLET = "0x" + "1" * 40
QUERY = (
    "SELECT block_time, block_number FROM agent.ethereum_transactions "
    "WHERE block_date >= today() - 1 LIMIT 3"
)


def test_rows_become_frames_of_each_library(client: Client) -> None:
    fills = client.hyperliquid_fills(WALLET, limit=20)
    prices = [fill["price"] for fill in fills.data]
    assert fills.to_polars()["price"].to_list() == prices
    assert fills.to_pyarrow().column("price").to_pylist() == prices
    relation = fills.to_duckdb()
    assert [row[0] for row in relation.project("price").fetchall()] == prices
    frame: pandas.DataFrame = fills.to_pandas()
    assert frame["price"].to_list() == prices
    assert frame.attrs["completeness"].state == "more_available"

    pages = client.iter_hyperliquid_fills(WALLET, limit=20, max_items=20)
    assert pages.to_polars().equals(fills.to_polars())
    named = fills.to_polars(enums="text", times="milliseconds")
    assert named.schema["side"] == polars.String
    with pytest.raises(ValueError, match="the table option `enums` cannot be"):
        fills.to_polars(enums="words")  # type: ignore[arg-type]


def test_dates_of_statements_are_dates(client: Client) -> None:
    statements = client.equity_income_statement("AAPL", limit=4)
    periods = statements.to_polars()["report_period"]
    assert periods.dtype == polars.Date
    sent = [row["report_period"] for row in statements.data]
    assert [str(day) if day is not None else None for day in periods] == sent


def test_a_preflight_gives_the_types_of_columns(client: Client) -> None:
    rows = client.onchain_sql(QUERY)
    assert rows.to_polars().schema["block_time"] == polars.Int64
    checked = client.onchain_sql_preflight(QUERY)
    schema = rows.to_polars(preflight=checked).schema
    assert isinstance(schema["block_time"], polars.Datetime)


def test_a_scan_makes_parameters_of_comparisons(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    fills = client.iter_hyperliquid_fills(WALLET)
    lazy = fills.scan()
    everything = fills.to_polars()
    assert lazy.collect().equals(everything)

    symbol = everything["symbol"][0]
    since = everything["time"].sort()[100]
    query = lazy.filter(polars.col("symbol") == symbol, polars.col("time_ms") >= since)
    with caplog.at_level(logging.INFO, logger="crypto_intel.scan"):
        found = query.collect()
    expected = everything.filter(
        polars.col("symbol") == symbol, polars.col("time_ms") >= since
    )
    assert found.equals(expected) and 0 < found.height < everything.height
    assert f"'symbol': '{symbol}'" in caplog.text and "list price" in caplog.text

    prices = client.request(client.market_price, "BTC", time_range="7d").scan()
    assert "list price 2 credits" in prices.explain()
    assert prices.head(3).select("value").collect().shape == (3, 1)
    with pytest.raises(Exception, match="max_credits"):
        client.request(client.market_price, "BTC").scan(max_credits=1).collect()


def test_a_scan_reads_no_more_rows_than_the_query_needs() -> None:
    with Sandbox(at=1_780_000_000) as sandbox:
        client = sandbox.client()
        fills = client.iter_hyperliquid_fills(WALLET, limit=20)
        assert fills.scan().head(30).collect().height == 30
        # One page may be requested ahead.
        assert sandbox.requests_served() <= 3


def test_a_query_runs_as_a_job(shared: Sandbox, client: Client) -> None:
    job = client.submit_sql("SELECT number AS n FROM numbers(3)")
    assert job.credits_used is not None
    assert job.result().to_polars()["n"].to_list() == [0, 1, 2]
    again = shared.client().sql_job(job.id)
    assert again.refresh()["status"] == "succeeded"
    assert len(again.result()) == 3
    with pytest.raises(ci.NotFoundError):
        client.sql_job("00000000-0000-4000-8000-000000000000").refresh()

    async def main() -> None:
        job = await shared.async_client().submit_sql("SELECT number AS n FROM numbers(4)")
        assert len(await job.result()) == 4

    asyncio.run(main())


def test_a_sandbox_has_a_clock_and_scenarios() -> None:
    with Sandbox(at=1_780_000_000, scenarios=("free-window=off",)) as sandbox:
        before = sandbox.now
        sandbox.advance(3_600)
        assert sandbox.now - before == datetime.timedelta(hours=1)
        sandbox.set_clock(before)
        assert sandbox.now == before

        client = sandbox.client(retries=0)
        price = client.market_price("BTC", time_range="7d").data[-1]["value"]
        assert price is not None
        sandbox.play("market-crash")
        sandbox.advance(2 * 86_400)
        crashed = client.market_price("BTC", time_range="7d").data[-1]["value"]
        assert crashed is not None and crashed < 0.75 * price
        sandbox.end("market-crash")
        with pytest.raises(ValueError, match="scenario"):
            sandbox.play("nonsense")
        assert "market-crash" in Sandbox.scenarios()
        assert sandbox.credits_charged() == client.credits_used == 4
