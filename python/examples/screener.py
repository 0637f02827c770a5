"""A screener over statements: companies with high growth and margin.

`pip install duckdb pyarrow`; offline, against the sandbox.
"""

import duckdb
import pyarrow

from crypto_intel import Sandbox

with Sandbox(at=1_780_000_000) as sandbox:
    client = sandbox.client(budget=1_000)
    listings = [
        listing["ticker"]
        for listing in client.iter_equity_listings(limit=100)
        if listing["financial_serving_status"] == "available"
    ]
    answers = [client.equity_income_statement(ticker, period="annual", limit=3) for ticker in listings]

    # A figure has a value or a reason why it is missing. Missing figures do not count as 0.
    statements = pyarrow.concat_tables([pyarrow.table(answer.arrow(figures="double")) for answer in answers])
    found = duckdb.sql("""
        WITH years AS (
            SELECT symbol, fiscal_year, revenue.value AS revenue, net_income.value AS income,
                   revenue.value / lag(revenue.value) OVER (
                       PARTITION BY symbol ORDER BY fiscal_year
                   ) - 1 AS growth
            FROM statements
            WHERE revenue.status = 'available'
        )
        SELECT symbol, fiscal_year, round(growth * 100, 1) AS growth_percent,
               round(income / revenue * 100, 1) AS margin_percent
        FROM years
        QUALIFY row_number() OVER (PARTITION BY symbol ORDER BY fiscal_year DESC) = 1
        ORDER BY growth_percent DESC NULLS LAST
    """)
    assert found is not None  # DuckDB returns None only for statements without a result.
    print(found)
    rows = found.fetchall()
    assert len(rows) > 5 and any(row[2] is not None for row in rows)
    print(f"{len(listings)} listings, {client.credits_used} credits used")
