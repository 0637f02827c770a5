"""A year of trades as Parquet, a folder a day, and a query over it.

`pip install duckdb`; offline, against the sandbox.
"""

import tempfile

import duckdb

from crypto_intel import Sandbox

NOW = 1_780_000_000  # 2026-05-28
A_YEAR = 365 * 86_400

with Sandbox(at=NOW) as sandbox, tempfile.TemporaryDirectory() as folder:
    client = sandbox.client(budget=1_000)
    markets = client.kalshi_markets(limit=3).data
    for market in markets:
        trades = client.iter_kalshi_trades(
            market["market_ticker"], from_=NOW - A_YEAR, limit=500
        )
        # After a kill at this point, the same line continues the export.
        done = trades.export(f"{folder}/{market['market_ticker']}", partition_by_day="timestamp")
        print(f"{market['title']}: {done.rows} trades in {done.files} files, {done.pages} pages")
        assert done.outcome == "complete"

    by_month = duckdb.sql(f"""
        SELECT market_ticker, date_trunc('month', day) AS month,
               count(*) AS trades, sum(notional_volume_usd) AS volume, avg(yes_price) AS price
        FROM read_parquet('{folder}/*/*/*.parquet', hive_partitioning = true)
        GROUP BY ALL ORDER BY ALL
    """)
    assert by_month is not None  # DuckDB returns None only for statements without a result.
    print(by_month)
    months = by_month.fetchall()
    # The markets of the sandbox have trades of about two months.
    assert len(months) >= 6 and all(row[2] > 0 for row in months)
    print(f"{client.credits_used} credits used")
