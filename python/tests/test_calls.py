"""Calls, lists and streams of blocking and async clients."""

import asyncio
import datetime
import inspect
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import pyarrow
import pytest

import crypto_intel as ci
from crypto_intel import AsyncClient, Client, CryptoIntelError, Sandbox

WALLET = "0x1111111111111111111111111111111111111111"
MODEL = "svc-2.0-instant"


def text_of(answer: Any) -> str:
    parts = [part for item in answer["output"] for part in item.get("content") or []]
    return "".join(part["text"] for part in parts)


def methods(kind: type) -> dict[str, inspect.Signature]:
    members = inspect.getmembers(kind, inspect.isfunction)
    return {name: inspect.signature(method) for name, method in members if name[0] != "_"}


def test_both_clients_have_the_same_documented_methods() -> None:
    ours, theirs = methods(Client), methods(AsyncClient)
    assert ours.keys() == theirs.keys() and len(ours) > 146
    for name, signature in ours.items():
        assert signature.parameters.keys() == theirs[name].parameters.keys()
        assert getattr(Client, name).__doc__ and getattr(AsyncClient, name).__doc__


def test_lists_are_read_to_their_limit(client: Client) -> None:
    fills = client.iter_hyperliquid_fills(WALLET, limit=20, max_items=50)
    rows = [fill["fill_id"] for fill in fills]
    assert len(rows) == 50 == len(set(rows))
    assert len(list(client.iter_hyperliquid_fills(WALLET, limit=20, max_pages=2))) == 40


def test_list_that_a_limit_ended_can_be_read_on(client: Client) -> None:
    def fills(**limits: int) -> Any:
        return client.iter_hyperliquid_fills(WALLET, limit=20, **limits)

    whole = [fill["fill_id"] for fill in fills(max_items=90)]
    with pytest.raises(RuntimeError):
        _ = fills().resume_token
    for limits in ({"max_items": 30}, {"max_pages": 2}, {"max_credits": 12}):
        first = fills(**limits)
        rows = [fill["fill_id"] for fill in first]
        assert 0 < len(rows) < 90 and first.resume_token is not None
        rest = fills(max_items=90 - len(rows)).resume_from(first.resume_token)
        assert rows + [fill["fill_id"] for fill in rest] == whole

    ended = client.iter_search_project("bitcoin")
    assert list(ended) and ended.resume_token is None


def test_wrong_arguments_are_named(client: Client) -> None:
    with pytest.raises(ValueError, match="max_items"):
        list(client.iter_hyperliquid_fills(WALLET, max_items=-1))
    with pytest.raises(ValueError, match="retries"):
        Client(retries=-1)
    with pytest.raises(ValueError, match="budget"):
        Client(budget=1.5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="symbol"):
        client.market_price(b"BTC")  # type: ignore[arg-type]


def test_arguments_of_any_type_reach_the_service(client: Client) -> None:
    day = datetime.date(2026, 1, 2)
    noon = datetime.datetime(2026, 1, 2, 12, tzinfo=datetime.timezone.utc)
    seconds = int(noon.timestamp())
    candles = partial(client.exchange_candles, "upbit", "BTC-KRW", from_="2026-01-01")
    of_day, of_noon, same = candles(to=day), candles(to=noon), candles(to=seconds)
    assert of_noon.data and same.data == of_noon.data != of_day.data
    assert candles(to=seconds + 0.25).data == same.data


def test_text_streams_in_pieces_and_adds_up(client: Client) -> None:
    stream = client.responses_stream(MODEL, "What moved ETH today?")
    pieces = list(stream)
    assert len(pieces) > 1
    answer = stream.whole()
    assert "".join(pieces) == text_of(answer) and answer["usage"]


def test_every_operation_that_streams_does(client: Client) -> None:
    streams = [name for name in methods(Client) if name.endswith("_stream")]
    assert len(streams) == 2
    question = {"input": "Hello", "messages": [{"role": "user", "content": "Hello"}]}
    for name in streams:
        method = getattr(client, name)
        given = {key: question[key] for key in question if key in methods(Client)[name].parameters}
        assert "".join(method(MODEL if "input" in given else "svc-ask", **given))


def test_async_code_has_all_of_it(shared: Sandbox) -> None:
    async def main() -> None:
        client = shared.async_client()
        bitcoin, ether = await asyncio.gather(client.market_price("BTC"), client.market_price("ETH"))
        assert len(bitcoin) and bitcoin.data != ether.data
        fills = client.iter_hyperliquid_fills(WALLET, limit=20, max_items=50)
        assert len([fill async for fill in fills]) == 50
        assert pyarrow.table(fills.arrow()).num_rows == 50

        stream = await client.responses_stream(MODEL, "What moved ETH today?")
        text = "".join([piece async for piece in stream])
        assert len(text) > 20 and text == text_of(await stream.whole())
        with pytest.raises(ci.InvalidRequestError):
            await client.market_price("BTC", time_range="for ever")

    asyncio.run(main())


def test_many_async_calls_are_under_way_at_once(together: tuple[str, int]) -> None:
    url, wanted = together

    async def main() -> list[int]:
        client = AsyncClient(api_key="sk-x", base_url=url, retries=0)
        replies = await asyncio.gather(*(client.market_price("BTC") for _ in range(wanted)))
        return [len(reply) for reply in replies]

    assert asyncio.run(main()) == [0] * wanted


def test_a_call_that_is_cancelled_closes_its_connection() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(60)
        url = f"http://127.0.0.1:{server.getsockname()[1]}"

        async def main() -> None:
            call = asyncio.create_task(AsyncClient(api_key="sk-x", base_url=url).market_price("BTC"))
            connection, _ = await asyncio.to_thread(server.accept)
            with connection:
                connection.settimeout(60)
                assert await asyncio.to_thread(connection.recv, 65536)
                call.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await call
                assert await asyncio.to_thread(connection.recv, 65536) == b""

        asyncio.run(main())


@pytest.fixture
def listening() -> Iterator[None]:
    """Ctrl-C raises, as in a terminal; a program in the background of a shell ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def pressed(seconds: float = 0.5) -> threading.Timer:
    timer = threading.Timer(seconds, os.kill, [os.getpid(), signal.SIGINT])
    timer.start()
    return timer


@pytest.mark.usefixtures("listening")
def test_ctrl_c_ends_a_call_that_waits(silent: str) -> None:
    client = ci.Client(api_key="sk-x", base_url=silent, deadline=60)
    press, began = pressed(), time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        client.market_price("BTC")
    press.join()
    assert time.monotonic() - began < 20


@pytest.mark.usefixtures("listening")
def test_ctrl_c_ends_a_table_that_is_read(silent: str) -> None:
    client = ci.Client(api_key="sk-x", base_url=silent, deadline=60)
    press, began = pressed(), time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        try:
            pyarrow.table(client.iter_hyperliquid_fills(WALLET).arrow())
        except Exception:  # The exception of the consumer; the exception of Ctrl-C follows.
            for _ in range(400):
                time.sleep(0.05)
    press.join()
    assert time.monotonic() - began < 20


def test_other_threads_run_while_one_waits(silent: str) -> None:
    client = ci.Client(api_key="sk-x", base_url=silent, deadline=1.0)
    caught = []

    def call() -> None:
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
    assert turns > 10 and isinstance(caught[0], TimeoutError)


def test_a_notebook_sees_a_table(client: Client) -> None:
    prices = client.market_price("BTC", time_range="7d")
    shown = prices._repr_html_()
    assert "<th>timestamp</th>" in shown and "more rows" in shown
    assert repr(prices).startswith("<Reply of market-price: ")
    assert "&lt;Reply" in shown


def test_worlds_differ_by_their_seed() -> None:
    def price(seed: int) -> float:
        with Sandbox(1_780_000_000, seed=seed) as sandbox:
            return sandbox.client().market_price("BTC").data[0]["value"]

    assert price(1) == price(1) != price(2)
