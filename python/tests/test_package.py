"""What the README does not show."""

import asyncio
import os
import signal
import threading
import time

import pyarrow
import pytest

import crypto_intel
from crypto_intel import CryptoIntelError, Sandbox

WALLET = "0x1111111111111111111111111111111111111111"
AT = 1_780_000_000


def test_rows_of_a_table_are_those_of_the_objects():
    with Sandbox(AT) as sandbox:
        fills = sandbox.client().hyperliquid_fills(WALLET, limit=50)
        table = pyarrow.table(fills)
        assert table.column("fill_id").to_pylist() == [fill["fill_id"] for fill in fills.data]
        assert table.column("price").to_pylist() == [fill["price"] for fill in fills.data]
        assert str(table.schema.field("time_ms").type) == "timestamp[ms, tz=UTC]"
        assert len(fills) == 50


def test_lists_are_read_to_their_limit():
    with Sandbox(AT) as sandbox:
        fills = sandbox.client().iter_hyperliquid_fills(WALLET, limit=20, max_items=50)
        rows = [fill["fill_id"] for fill in fills]
        assert len(rows) == 50
        assert pyarrow.table(fills.arrow()).column("fill_id").to_pylist() == rows


def test_every_kind_of_error_is_a_class():
    with Sandbox(AT) as sandbox:
        with pytest.raises(crypto_intel.InvalidRequestError) as caught:
            sandbox.client().market_price("BTC", time_range="for ever")
        assert sandbox.key not in str(caught.value)
        wrong = crypto_intel.Client(api_key="sk-wrong", base_url=sandbox.url)
        with pytest.raises(crypto_intel.AuthenticationError) as caught:
            wrong.market_price("BTC")
        assert caught.value.status == 401
    gone = crypto_intel.Client(api_key="sk-x", base_url="http://127.0.0.1:9")
    with pytest.raises(CryptoIntelError) as caught:
        gone.market_price("BTC")
    assert isinstance(caught.value, (crypto_intel.TransportError, crypto_intel.TimeoutError))


def test_arguments_of_any_type_reach_the_service():
    import datetime

    with Sandbox(AT) as sandbox:
        client = sandbox.client()
        day = datetime.date(2026, 1, 2)
        noon = datetime.datetime(2026, 1, 2, 12, tzinfo=datetime.timezone.utc)
        of_day = client.hyperliquid_fills(WALLET, to=day, limit=1).data
        of_noon = client.hyperliquid_fills(WALLET, to=noon, limit=1).data
        assert of_noon[0]["time"] <= noon.timestamp() < of_day[0]["time"]


def test_a_notebook_sees_a_table():
    with Sandbox(AT) as sandbox:
        prices = sandbox.client().market_price("BTC", time_range="7d")
        assert "<th>timestamp</th>" in prices._repr_html_()
        assert repr(prices).startswith("<Reply of market-price: ")


def test_text_streams_in_async_code_too():
    async def ask():
        with Sandbox(AT) as sandbox:
            stream = await sandbox.async_client().ask("svc-2.0-instant", "What moved ETH today?")
            return [text async for text in stream]

    assert len("".join(asyncio.run(ask()))) > 20


def test_ctrl_c_ends_a_call_that_waits():
    with __import__("socket").create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        client = crypto_intel.Client(api_key="sk-x", base_url=url)
        press = threading.Timer(0.5, os.kill, [os.getpid(), signal.SIGINT])
        press.start()
        began = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            client.market_price("BTC")
        assert time.monotonic() - began < 10


def test_other_threads_run_while_one_waits():
    with __import__("socket").create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        client = crypto_intel.Client(api_key="sk-x", base_url=url, deadline=1.0)
        caught = []

        def call():
            try:
                client.market_price("BTC")
            except CryptoIntelError as error:
                caught.append(error)

        thread = threading.Thread(target=call)
        thread.start()
        turns = 0
        while thread.is_alive():
            turns += 1
            time.sleep(0.01)
        assert turns > 20 and isinstance(caught[0], TimeoutError)
