"""Lists as files, read with common libraries."""

import asyncio
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import polars
import pyarrow
import pyarrow.dataset
import pyarrow.parquet
import pytest

from crypto_intel import Client, Sandbox

WALLET = "0x1111111111111111111111111111111111111111"


def test_an_export_is_read_by_all(client: Client, tmp_path: Path) -> None:
    fills = client.iter_hyperliquid_fills(WALLET, max_items=150)
    done = fills.export(tmp_path / "all", rows_per_file=100)
    assert (done.rows, done.outcome) == (150, "row limit")

    wanted = [fill["fill_id"] for fill in fills]
    files = str(tmp_path / "all" / "*.parquet")
    assert polars.read_parquet(files)["fill_id"].to_list() == wanted
    dataset = pyarrow.dataset.dataset(tmp_path / "all", exclude_invalid_files=True)
    assert dataset.to_table()["fill_id"].to_pylist() == wanted
    found = duckdb.sql(f"SELECT fill_id FROM read_parquet('{files}')").fetchall()
    assert [row[0] for row in found] == wanted


def test_an_export_goes_on_where_it_ended(client: Client, tmp_path: Path) -> None:
    first = client.iter_hyperliquid_fills(WALLET, max_items=100).export(tmp_path)
    again = client.iter_hyperliquid_fills(WALLET, max_items=180).export(tmp_path)
    assert (first.rows, again.rows) == (100, 180)
    names = duckdb.sql(f"SELECT DISTINCT fill_id FROM '{tmp_path}/*.parquet'").fetchall()
    assert len(names) == 180


def test_rows_are_divided_into_folders(client: Client, tmp_path: Path) -> None:
    fills = client.iter_hyperliquid_fills(WALLET, max_items=150)
    fills.export(tmp_path / "side", partition_by="side")
    fills.export(tmp_path / "day", partition_by_day="time_ms", format="csv")
    assert {path.name for path in (tmp_path / "side").glob("[!_]*")} == {"side=buy", "side=sell"}
    assert all(path.name.startswith("day=2026-") for path in (tmp_path / "day").glob("day*"))
    with pytest.raises(ValueError, match="divided by one column"):
        fills.export(tmp_path / "both", partition_by="side", partition_by_day="time_ms")
    with pytest.raises(ValueError, match="unknown column `sides`"):
        fills.export(tmp_path / "wrong", partition_by="sides")
    with pytest.raises(OSError, match="the folder contains a different export"):
        client.iter_hyperliquid_fills(WALLET, symbol="BTC").export(tmp_path / "side")


def test_an_export_can_be_awaited(shared: Sandbox, tmp_path: Path) -> None:
    async def main() -> int:
        fills = shared.async_client().iter_hyperliquid_fills(WALLET, max_items=50)
        return (await fills.export(tmp_path)).rows

    assert asyncio.run(main()) == 50


def test_finished_export_reports_its_age_and_can_be_refreshed(
    shared: Sandbox, tmp_path: Path
) -> None:
    folder = tmp_path / "fills"
    fills = shared.client().iter_hyperliquid_fills(WALLET, max_items=150)
    assert fills.export(folder).unchanged_since is None
    requests = shared.requests_served()
    assert fills.export(folder).unchanged_since is not None
    assert shared.requests_served() == requests
    assert fills.export(folder, refresh=True).unchanged_since is None
    assert shared.requests_served() > requests

    with Sandbox(at=1_700_000_000) as other, pytest.raises(OSError, match="origin of the earlier export"):
        other.client().iter_hyperliquid_fills(WALLET, max_items=150).export(folder)


def test_files_and_rows_have_the_origin_of_their_data(client: Client, tmp_path: Path) -> None:
    fills = client.iter_hyperliquid_fills(WALLET, max_items=50)
    fills.export(tmp_path, table={"provenance": True})
    meta = json.loads((tmp_path / "_checkpoint.json").read_bytes())["meta"]
    assert isinstance(meta["watermark"], int) and "credits_used" in meta

    part = tmp_path / "part-00000.parquet"
    file = pyarrow.parquet.read_table(part)
    kept = json.loads(pyarrow.parquet.read_metadata(part).metadata[b"crypto_intel.meta"])
    assert kept["watermark"] == meta["watermark"] and "credits_used" not in kept
    assert {int(time.timestamp()) for time in file["_watermark"].to_pylist()} == {meta["watermark"]}
    assert all(time is not None for time in file["_fetched_at"].to_pylist())
    assert all(one.startswith("GET /gateway/v1/") for one in file["_request"].to_pylist())
    # Rows with other columns are not written to the same folder.
    with pytest.raises(OSError, match="the columns differ"):
        client.iter_hyperliquid_fills(WALLET, max_items=90).export(tmp_path)


# A shell that starts a program in the background makes it ignore SIGINT, and `nohup` makes it ignore SIGHUP.
_INTERRUPTED = """
import signal, sys
from crypto_intel import Client
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
client = Client(api_key=sys.argv[1], base_url=sys.argv[2])
candles = client.iter_exchange_candles("upbit", "BTC-KRW", from_="2025-01-01", limit=100)
candles.export(sys.argv[3])
"""


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_pages_are_not_requested_again_after_a_signal(
    sent: signal.Signals, tmp_path: Path
) -> None:
    with Sandbox(at=1_780_000_000) as sandbox:
        # Long enough that a slow machine sends the signal before the export ends.
        sandbox.inject("latency=40")
        export = [sys.executable, "-c", _INTERRUPTED, sandbox.key, sandbox.url, str(tmp_path)]
        process = subprocess.Popen(export, stderr=subprocess.DEVNULL)
        while sandbox.requests_served() < 20:
            assert process.poll() is None
            time.sleep(0.001)
        process.send_signal(sent)
        assert process.wait() != 0

        subprocess.run(export, check=True)
        rows = len(polars.read_parquet(str(tmp_path / "*.parquet")))
        pages = -(-rows // 100)
        assert pages <= sandbox.requests_served() <= pages + 4
