"""Chat: events, conversations, tools, typed answers."""

import asyncio
from dataclasses import dataclass
from typing import Annotated, Literal, TypedDict

import pytest

import crypto_intel as ci
from crypto_intel import Client, Sandbox
from crypto_intel._schema import decode, schema_of

MODEL = "svc-2.0-instant"


def test_a_stream_is_an_iterator_and_has_events(client: Client) -> None:
    stream = client.responses_stream(MODEL, "What moved ETH today?")
    first = next(stream)
    text = first + "".join(stream)
    assert text == ci.answer_text(stream.whole())

    events = list(client.responses_stream(MODEL, "What moved ETH today?").events())
    deltas = [event.text for event in events if isinstance(event, ci.TextDelta)]
    assert "".join(deltas) == text

    old = client.chat_completions_stream(
        "svc-1.5-instant", [{"role": "user", "content": "What moved ETH today?"}]
    )
    assert any(isinstance(event, ci.TextDelta) for event in old.events())


def test_a_stream_can_be_awaited(shared: Sandbox) -> None:
    async def main() -> None:
        client = shared.async_client()
        stream = await client.responses_stream(MODEL, "What moved ETH today?")
        first = await anext(stream)
        events = [event async for event in stream.events()]
        text = first + "".join(e.text for e in events if isinstance(e, ci.TextDelta))
        assert text == ci.answer_text(await stream.whole())

    asyncio.run(main())


def test_a_conversation_goes_on_from_its_last_answer(shared: Sandbox, client: Client) -> None:
    conversation = ci.Conversation(client, MODEL, instructions="Be brief.")
    first = conversation.ask("What is ETH?").data
    assert conversation.last == first["id"]
    later = ci.Conversation(shared.client(), MODEL, last=conversation.last)
    assert later.ask("And its supply?").data["previous_response_id"] == first["id"]

    async def main() -> None:
        conversation = ci.Conversation(shared.async_client(), MODEL)
        answer = await conversation.ask_async("What is ETH?")
        assert conversation.last == answer.data["id"]

    asyncio.run(main())


def token_price(symbol: Annotated[str, "Ticker, such as ETH"], days: int = 1) -> float:
    """Price of a token in my own book."""
    if symbol != "ETH":
        raise ValueError(f"no {symbol} in the book")
    return 2500.5


def test_functions_are_tools(shared: Sandbox, client: Client) -> None:
    answer = client.run_tools(MODEL, "What is the token price of ETH?", [token_price])
    assert answer.end == "answered" and answer.rounds == 2 and answer.text
    assert [run.call.name for run in answer.runs] == ["token_price"]

    async def main() -> None:
        async def token_price_now(symbol: str) -> float:
            """Price of a token in my own book."""
            await asyncio.sleep(0)
            raise LookupError("the book is closed")

        client = shared.async_client()
        answer = await client.run_tools(MODEL, "What is the token price of ETH?", [token_price_now])
        assert isinstance(answer.runs[0].error, LookupError)
        assert "the book is closed" in answer.runs[0].output

    asyncio.run(main())
    once = client.run_tools(MODEL, "What is the token price of ETH?", [token_price], max_rounds=1)
    assert (once.end, once.runs) == ("rounds", [])


class Asset(TypedDict):
    symbol: str
    price: float


@dataclass
class Verdict:
    bullish: bool
    side: Literal["long", "short", "none"]
    assets: list[Asset]
    note: str | None = None


def test_an_answer_of_a_type(shared: Sandbox, client: Client) -> None:
    verdict = client.structured(Verdict, MODEL, "Is ETH in an uptrend?")
    assert isinstance(verdict, Verdict) and verdict.side in ("long", "short", "none")

    async def main() -> None:
        asset = await shared.async_client().structured(Asset, MODEL, "The price of ETH?")
        assert isinstance(asset["symbol"], str)

    asyncio.run(main())


def test_types_and_values() -> None:
    schema = schema_of(Verdict)
    assert schema["required"] == ["bullish", "side", "assets"]
    assert schema["properties"]["assets"]["items"]["required"] == ["price", "symbol"]
    assert schema["properties"]["note"] == {"anyOf": [{"type": "string"}, {"type": "null"}]}

    given = {"bullish": True, "side": "long", "assets": [{"symbol": "ETH", "price": 1}], "more": 1}
    assert decode(Verdict, given) == Verdict(True, "long", [{"symbol": "ETH", "price": 1.0}])
    for wrong, message in [
        ({"bullish": 1}, "`side` is missing"),
        (given | {"side": "up"}, "the answer.side: 'up' is no"),
        (given | {"assets": [{"symbol": "E", "price": "1"}]}, r"assets\[0\].price: '1' is no float"),
        ([], "is no Verdict"),
    ]:
        with pytest.raises(ValueError, match=message):
            decode(Verdict, wrong)
    with pytest.raises(TypeError, match="has no JSON Schema"):
        schema_of(complex)


def test_models_of_pydantic() -> None:
    pydantic = pytest.importorskip("pydantic")
    model = pydantic.create_model("Price", symbol=(str, ...), usd=(float, ...))
    assert schema_of(model)["required"] == ["symbol", "usd"]
    assert decode(model, {"symbol": "ETH", "usd": 1}).usd == 1.0
    with pytest.raises(ValueError, match="usd"):
        decode(model, {"symbol": "ETH"})
