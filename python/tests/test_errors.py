"""An exception class for each kind of error."""

from collections.abc import Callable

import pyarrow
import pytest

import crypto_intel as ci
from crypto_intel import Sandbox

CASES = [
    ("status=401", ci.AuthenticationError),
    ("status=402", ci.InsufficientCreditsError),
    ("status=429", ci.RateLimitedError),
    ("status=404", ci.NotFoundError),
    ("status=400", ci.InvalidRequestError),
    ("status=500", ci.ServiceError),
    ("malformed", ci.DecodeError),
    ("stall", ci.TimeoutError),
]


@pytest.mark.parametrize(("fault", "kind"), CASES)
def test_a_kind_of_error_is_a_class(fault: str, kind: type[ci.CryptoIntelError]) -> None:
    with Sandbox() as sandbox:
        sandbox.inject(fault)
        deadline = 1.0 if fault == "stall" else None
        with pytest.raises(kind) as caught:
            sandbox.client(retries=0, deadline=deadline).market_price("BTC")

    error = caught.value
    assert type(error) is kind
    assert error.operation == "market-price"
    assert sandbox.key not in str(error)
    if fault.startswith("status="):
        assert error.status == int(fault.removeprefix("status=")) and error.attempts == 1


def test_a_mistake_is_found_before_anything_is_sent(shared: Sandbox) -> None:
    before = shared.requests_served()
    with pytest.raises(ci.InvalidRequestError) as caught:
        shared.client().token_holders("vitalik.eth", "eth")
    assert caught.value.attempts == 0 and isinstance(caught.value, ValueError)
    assert shared.requests_served() == before


def test_a_budget_is_never_exceeded(shared: Sandbox) -> None:
    client = shared.client(budget=3)
    client.market_price("BTC")
    before = shared.requests_served()
    with pytest.raises(ci.OverBudgetError):
        client.market_price("ETH")
    assert shared.requests_served() == before and client.credits_used <= 3


def test_a_service_that_is_not_there() -> None:
    client = ci.Client(api_key="sk-x", base_url="http://127.0.0.1:9", retries=0)
    with pytest.raises(ci.TransportError) as caught:
        client.market_price("BTC")
    assert isinstance(caught.value, ConnectionError)


@pytest.mark.parametrize("rows", [10, 20_000])
def test_a_row_that_is_no_json(rows: int, told: Callable[[bytes], str]) -> None:
    row = b'{"symbol":"BTC","timestamp":1780000000,"value":1.5}'
    list_of = b",".join([row] * rows)
    whole = b'{"data":[%s],"meta":{"credits_used":2}}'
    client = ci.Client(api_key="sk-x", base_url=told(whole % list_of), retries=0)
    reply = client.market_price("BTC")
    assert (len(reply.data), reply.credits_used) == (rows, 2)
    assert pyarrow.table(reply.arrow()).num_rows == rows

    client = ci.Client(
        api_key="sk-x", base_url=told(whole % list_of.replace(b"1.5}", b"1.5", 1)), retries=0
    )
    if rows == 10:
        with pytest.raises(ci.DecodeError):
            client.market_price("BTC")
        return
    # The rows of a large response are checked when they are read; its cost is known before.
    reply = client.market_price("BTC")
    assert reply.credits_used == 2
    with pytest.raises(ci.DecodeError):
        reply.data
    with pytest.raises(ci.DecodeError):
        pyarrow.table(reply.arrow())


def test_a_stream_that_is_cut() -> None:
    with Sandbox() as sandbox:
        sandbox.inject("cut-events=2")
        stream = sandbox.client(retries=0).responses_stream("svc-2.0-instant", "Hello")
        with pytest.raises(ci.TruncatedError):
            list(stream)


def test_a_list_that_fails_keeps_what_came_before() -> None:
    with Sandbox() as sandbox:
        client = sandbox.client(retries=0)
        fills = client.iter_hyperliquid_fills("0x" + "1" * 40, limit=20)
        rows = []
        with pytest.raises(ci.ServiceError):
            for fill in fills:
                rows.append(fill)
                if len(rows) == 20:
                    sandbox.inject("status=500")
        assert len(rows) >= 20

        # The consumer raises its own exception, with the same text.
        with pytest.raises(Exception, match="service failed"):
            pyarrow.table(fills.arrow())


def test_an_argument_that_cannot_be_right(shared: Sandbox) -> None:
    import datetime

    client = shared.client()
    with pytest.raises(ValueError, match="`to` has no time zone"):
        client.hyperliquid_fills("0x" + "1" * 40, to=datetime.datetime(2026, 1, 2))
    with pytest.raises(ValueError, match="is not a known fault"):
        shared.inject("nonsense")
