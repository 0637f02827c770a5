"""Tables beside a client of httpx and pandas, on one sandbox. Figures: docs/frames-measurements.md."""

import sys
import time

import httpx
import pandas
import pyarrow

from crypto_intel import Sandbox

ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 20
QUERY = {"symbol": "BTC", "time_range": "max"}


def timed(name, work):
    rows, began = 0, time.perf_counter()
    for _ in range(ROUNDS):
        rows += len(work())
    seconds = time.perf_counter() - began
    print(f"{name}: {rows / seconds:,.0f} rows/s ({rows // ROUNDS} rows an answer)")
    return rows / seconds


with Sandbox(1_780_000_000) as sandbox:
    client = sandbox.client()
    http = httpx.Client(headers={"Authorization": f"Bearer {sandbox.key}"})
    answer = client.market_price(**QUERY)
    body = answer._answer.body()
    url = f"{sandbox.url}/gateway/v1/market/price"

    def by_hand(answer):
        frame = pandas.DataFrame(answer["data"])
        frame["timestamp"] = pandas.to_datetime(frame["timestamp"], unit="s", utc=True)
        return frame

    for _ in range(3):
        ours = timed("arrow()            ", lambda: pyarrow.table(client.market_price(**QUERY).arrow()))
        theirs = timed("httpx + pandas     ", lambda: by_hand(http.get(url, params=QUERY).json()))
        print(f"                     {ours / theirs:.1f} x")
        ours = timed("arrow() of a body  ", lambda: pyarrow.table(answer.arrow()))
        import json

        theirs = timed("pandas of a body   ", lambda: by_hand(json.loads(body)))
        print(f"                     {ours / theirs:.1f} x")
