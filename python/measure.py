"""Compares tables with a client of httpx and pandas on one sandbox. Results: docs/frames-measurements.md.

measure.py [ROUNDS]: `pip install httpx pandas pyarrow`, and a wheel that was built with `--release`.
"""

import json
import sys
import time
from collections.abc import Callable
from typing import Any

import httpx
import pandas
import pyarrow

from crypto_intel import Sandbox

ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 10
SYMBOLS = "BTC,ETH,SOL,LINK,DOGE,XRP,ADA,AVAX,UNI,AAVE"
QUERY = {"symbol": SYMBOLS, "time_range": "90d"}


def timed(name: str, work: Callable[[], Any]) -> float:
    """Rows per second. A lock of Python that is held while waiting would also be visible here."""
    rows, began = 0, time.perf_counter()
    for _ in range(ROUNDS):
        rows += len(work())
    seconds = time.perf_counter() - began
    print(f"{name:20} {rows / seconds:12,.0f} rows/s ({rows // ROUNDS:,} rows an answer)")
    return rows / seconds


def compare(what: str, ours: float, peer: str, theirs: float) -> None:
    print(f"{'':20} {ours / theirs:12.1f} x")
    # For `cargo xtask bench`: milliseconds for each 1,000 rows.
    print("ratio", what, 1e6 / ours, peer, 1e6 / theirs, "ms for 1,000 rows", sep="\t")


def by_hand(answer: dict[str, Any]) -> pandas.DataFrame:
    frame = pandas.DataFrame(answer["data"])
    frame["timestamp"] = pandas.to_datetime(frame["timestamp"], unit="s", utc=True)
    return frame


with Sandbox(1_780_000_000) as sandbox:
    client = sandbox.client()
    http = httpx.Client(headers={"Authorization": f"Bearer {sandbox.key}"}, timeout=60)
    url = f"{sandbox.url}/gateway/v1/market/price"
    answer = client.market_price(**QUERY)
    body = http.get(url, params=QUERY).content
    print(f"{len(body):,} bytes an answer")

    for _ in range(3):
        server = timed("sandbox alone", lambda: [http.get(url, params=QUERY)] and answer)
        ours = timed("arrow()", lambda: pyarrow.table(client.market_price(**QUERY).arrow()))
        theirs = timed("httpx + pandas", lambda: by_hand(http.get(url, params=QUERY).json()))
        compare("arrow()", ours, "httpx + pandas", theirs)
        ours = timed("arrow() of a body", lambda: pyarrow.table(answer.arrow()))
        theirs = timed("pandas of a body", lambda: by_hand(json.loads(body)))
        compare("arrow() of a body", ours, "pandas of a body", theirs)
