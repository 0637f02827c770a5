"""Settings, options, costs and notices of clients."""

import asyncio
import logging
import pickle
import threading
from collections.abc import Callable
from pathlib import Path

import polars
import pytest

import crypto_intel as ci
from crypto_intel import Attempt, Client, Progress, Sandbox

WALLET = "0x" + "1" * 40


def test_a_client_closes_with_its_block(shared: Sandbox) -> None:
    with shared.client() as client:
        assert len(client.market_price("BTC")) > 0
    with pytest.raises(RuntimeError, match="is closed"):
        client.market_price("BTC")

    async def main() -> None:
        async with shared.async_client() as client:
            assert len(await client.market_price("BTC")) > 0
        with pytest.raises(RuntimeError, match="is closed"):
            await client.market_price("BTC")

    asyncio.run(main())


def test_options_of_a_call_differ_from_those_of_its_client(shared: Sandbox, silent: str) -> None:
    client = Client(api_key="sk-wrong", base_url=silent, retries=0)
    right = client.with_options(api_key=shared.key, base_url=shared.url)
    assert len(right.market_price("BTC")) > 0
    assert client.ledger.total.calls == right.ledger.total.calls == 1

    with pytest.raises(ci.TimeoutError):
        client.with_options(timeout=0.1).market_price("BTC")
    with pytest.raises(ci.TimeoutError):
        client.with_options(deadline=0.1).market_price("BTC")
    with pytest.raises(ValueError, match="`retries` must be a whole number"):
        client.with_options(retries=-1)
    # The service decides, not the client.
    unchecked = right.with_options(unchecked=True)
    with pytest.raises(ci.InvalidRequestError) as refused:
        unchecked.token_holders(WALLET, "eth")
    assert refused.value.attempts == 1


def test_a_cache_answers_repeated_calls(shared: Sandbox) -> None:
    client = shared.client(cache=60)
    client.market_price("BTC")
    requests = shared.requests_served()
    assert len(client.market_price("BTC")) > 0
    assert shared.requests_served() == requests
    assert client.ledger.total.saved == 2
    client.with_options(max_age=0).market_price("BTC")
    assert shared.requests_served() == requests + 1


def test_costs_are_known_before_and_after(fresh: Sandbox) -> None:
    client = fresh.client(budget=100)
    requests = fresh.requests_served()
    price = client.request(client.market_price, "BTC").estimate()
    assert price == ci.Estimate(2, 2) and str(price) == "2"
    fills = client.iter_hyperliquid_fills(WALLET, max_credits=8).estimate()
    assert fills is not None and fills.most == 8
    assert client.iter_hyperliquid_fills(WALLET).estimate() is None
    assert fresh.requests_served() == requests

    client.market_price("BTC")
    ledger = client.ledger
    assert (ledger.total.calls, ledger.total.list_price, ledger.remaining) == (1, 2, 98)
    assert ledger.by_operation["market-price"].reported == ledger.total.reported == 2
    assert client.credits_used == 2

    priced = {operation.id: operation.price for operation in ci.operations()}
    assert priced["market-price"] == 2 and isinstance(priced["responses"], list)


def test_each_attempt_is_reported_in_the_waiting_thread() -> None:
    attempts: list[tuple[Attempt, int]] = []
    with Sandbox() as sandbox:
        sandbox.inject("status=500;times=1")
        client = sandbox.client(on_attempt=lambda one: attempts.append((one, threading.get_ident())))
        client.market_price("BTC", time_range="7d")
    statuses = [one.status for one, _ in attempts]
    assert statuses == [500, 200]
    assert {one.path for one, _ in attempts} == {"/gateway/v1/market/price"}
    assert {thread for _, thread in attempts} == {threading.get_ident()}


def test_records_of_the_client_are_log_records(caplog: pytest.LogCaptureFixture) -> None:
    with Sandbox() as sandbox, caplog.at_level(logging.DEBUG, logger="crypto_intel"):
        sandbox.inject("status=500;times=1")
        sandbox.client().market_price("BTC")
    texts = [record.getMessage() for record in caplog.records]
    assert any("trying again" in text for text in texts), texts
    assert all(record.name.startswith("crypto_intel") for record in caplog.records)


def test_a_reply_is_a_sequence_that_can_be_pickled(client: Client) -> None:
    fills = client.hyperliquid_fills(WALLET, limit=20)
    assert [fill["fill_id"] for fill in fills] == [fill["fill_id"] for fill in fills.data]
    assert fills[0] == fills.data[0]

    kept = pickle.loads(pickle.dumps(fills))
    assert (kept.data, kept.meta, kept.request_id) == (fills.data, fills.meta, fills.request_id)
    assert kept.completeness == fills.completeness
    assert kept.to_polars().equals(fills.to_polars())


def test_rows_say_whether_they_are_all(client: Client) -> None:
    page = client.hyperliquid_fills(WALLET, limit=20)
    assert page.completeness.state == "more_available"
    assert client.market_price("BTC").completeness.is_complete

    # The token of a page continues a list.
    token = page.completeness.resume_token
    assert token is not None
    rest = list(client.iter_hyperliquid_fills(WALLET, limit=20).resume_from(token))
    every = client.iter_hyperliquid_fills(WALLET, limit=20)
    assert [fill["fill_id"] for fill in every][20:] == [fill["fill_id"] for fill in rest]
    assert every.completeness == ci.Completeness("complete", 20 + len(rest), None, None)

    few = client.iter_hyperliquid_fills(WALLET, limit=20, max_items=30)
    assert len(list(few)) == few.completeness.rows == 30
    assert few.completeness.state == "cut_at_limit" and few.resume_token is not None

    table = client.iter_hyperliquid_fills(WALLET, limit=20, max_items=30).arrow()
    assert table.completeness is None
    assert polars.DataFrame(table).height == 30
    assert table.completeness is not None and table.completeness.state == "cut_at_limit"
    more = client.iter_hyperliquid_fills(WALLET, limit=20).resume_from(
        table.completeness.resume_token or ""
    )
    assert more.to_polars().height == len(rest) - 10


def test_a_list_that_fails_says_so() -> None:
    with Sandbox(at=1_780_000_000) as sandbox:
        fills = sandbox.client(retries=0).iter_hyperliquid_fills(WALLET, limit=20)
        rows = iter(fills)
        next(rows)
        sandbox.inject("status=500")
        with pytest.raises(ci.ServiceError):
            list(rows)
        assert fills.completeness.state == "failed"
        assert fills.resume_token is not None


def test_a_call_is_repeated_and_shows_its_new_rows(told: Callable[[bytes], str]) -> None:
    client = Client(api_key="sk-x", base_url=told(b'{"data": [{"value": 1}], "meta": {}}'))
    updates = client.request(client.market_price, "BTC").watch(every=0.01)
    first, second = next(updates), next(updates)
    assert (first.new, second.new) == ([{"value": 1}], [])
    assert second.reply.data == first.reply.data and not second.may_lack_rows

    async def main() -> None:
        client = ci.AsyncClient(api_key="sk-x", base_url=told(b'{"data": [], "meta": {}}'))
        async for update in client.request(client.market_price, "BTC").watch(every=0.01):
            assert update.new == []
            break

    asyncio.run(main())


def test_every_operation_with_rows_can_be_exported(client: Client, tmp_path: Path) -> None:
    holders = client.request(client.market_price, "BTC", time_range="7d")
    done = holders.export(tmp_path / "prices")
    assert (done.outcome, done.rows, done.pages) == ("complete", len(holders.send()), 1)
    assert polars.read_parquet(tmp_path / "prices" / "*.parquet").height == done.rows
    with pytest.raises(TypeError, match="sends no single call"):
        client.request(client.iter_hyperliquid_fills, WALLET)  # type: ignore[arg-type]


def test_an_export_reports_its_progress_and_ends_with_an_exception(
    client: Client, tmp_path: Path
) -> None:
    seen: list[Progress] = []
    fills = client.iter_hyperliquid_fills(WALLET, limit=20, max_items=60)
    fills.export(tmp_path / "all", on_progress=seen.append, table={"flatten": "."})
    assert [one.rows for one in seen][-1] == 60

    def stop(progress: Progress) -> None:
        raise InterruptedError(progress.rows)

    with pytest.raises(InterruptedError):
        fills.export(tmp_path / "part", on_progress=stop)
    assert fills.export(tmp_path / "part").rows == 60


def test_an_awaited_export_reports_its_progress(shared: Sandbox, tmp_path: Path) -> None:
    async def main() -> None:
        fills = shared.async_client().iter_hyperliquid_fills(WALLET, limit=20, max_items=60)
        seen: list[Progress] = []
        await fills.export(tmp_path / "all", on_progress=seen.append)
        assert seen[-1].rows == 60

        def stop(progress: Progress) -> None:
            raise InterruptedError(progress.rows)

        with pytest.raises(InterruptedError):
            await fills.export(tmp_path / "part", on_progress=stop)

    asyncio.run(main())


def test_rows_have_their_origin_on_demand(client: Client) -> None:
    fills = client.iter_hyperliquid_fills(WALLET, limit=20, max_items=20)
    origin = fills.to_polars(provenance=True).select("_fetched_at", "_watermark", "_request")
    assert origin.null_count().sum_horizontal().item() == 0
    assert origin["_request"][0].startswith("GET /gateway/v1/hyperliquid")
    assert "_request" not in fills.to_polars().columns


def test_parameters_of_a_newer_release_are_sent(shared: Sandbox) -> None:
    client = shared.client(retries=0).with_options(extra={"new_parameter": 1})
    with pytest.raises(ci.InvalidRequestError, match="new_parameter"):
        client.market_price("BTC")
