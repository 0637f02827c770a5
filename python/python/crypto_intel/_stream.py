"""Chat answers while the model writes them."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

from . import _native
from ._wait import wait

T = TypeVar("T")


@dataclass(frozen=True)
class TextDelta:
    """More text of the answer."""

    text: str


@dataclass(frozen=True)
class ReasoningDelta:
    """More reasoning of the model."""

    text: str


@dataclass(frozen=True)
class RefusalDelta:
    """More of a refusal to answer."""

    text: str


@dataclass(frozen=True)
class ToolCall:
    """A call of a tool that the model requests."""

    id: str
    """Identifier, for the message with the result."""
    name: str
    """Name of the tool."""
    arguments: str
    """Arguments as JSON text, as the model wrote them."""

    def parse(self) -> dict[str, Any]:
        """The arguments. Raises `ValueError` if they are not a JSON object."""
        arguments = json.loads(self.arguments or "{}")
        if not isinstance(arguments, dict):
            raise ValueError(f"the arguments of {self.name} are no object: {self.arguments}")
        return arguments


@dataclass(frozen=True)
class Citation:
    """A source that the answer cites."""

    url: str
    title: str | None
    start: int | None
    """Position in the text where the supported part begins."""
    end: int | None


@dataclass(frozen=True)
class OtherEvent:
    """An event of another kind."""

    kind: str
    data: Any


Event = TextDelta | ReasoningDelta | RefusalDelta | ToolCall | Citation | OtherEvent

_DELTAS: dict[str, Callable[[str], Event]] = {"text": TextDelta, "reasoning": ReasoningDelta, "refusal": RefusalDelta}


def tool_calls_in(answer: Any) -> list[ToolCall]:
    """The calls of tools that a whole answer requests, in either protocol."""
    items = [item for item in answer.get("output") or [] if item.get("type") == "function_call"]
    calls = [_tool_call(item) for item in items]
    for choice in answer.get("choices") or []:
        message = choice.get("message") or {}
        for call in message.get("tool_calls") or []:
            calls.append(_tool_call({**call, **(call.get("function") or {})}))
    return calls


def _tool_call(item: dict[str, Any]) -> ToolCall:
    id = item.get("call_id") or item.get("id") or ""
    return ToolCall(id, item.get("name") or "", item.get("arguments") or "")


def citations_in(annotations: Any) -> list[Citation]:
    """The citations among annotations; others are left out."""
    found = []
    for annotation in annotations or []:
        fields = annotation.get("url_citation") or annotation
        if isinstance(fields, dict) and isinstance(fields.get("url"), str):
            begin, end = fields.get("start_index"), fields.get("end_index")
            found.append(Citation(fields["url"], fields.get("title"), begin, end))
    return found


class _Reading:
    """Turns the events of the native module into events of this one."""

    def __init__(self) -> None:
        # Tool calls that arrive in pieces, by their position.
        self._pieces: dict[int, dict[str, Any]] = {}

    def take(self, batch: bytes) -> list[Event]:
        events: list[Event] = []
        for told in json.loads(batch):
            events.extend(self._event(told))
        return events

    def _event(self, told: dict[str, Any]) -> list[Event]:
        kind: str = told["type"]
        data: Any = told.get("data")
        if kind in _DELTAS:
            return [_DELTAS[kind](told["text"])]
        if kind == "item" and data.get("type") == "function_call":
            return [_tool_call(data)]
        if kind == "item":
            parts = data.get("content") or []
            return [cite for part in parts for cite in citations_in(part.get("annotations"))]
        if kind == "annotations":
            return list(citations_in(data))
        if kind == "tool_call_delta":
            self._add(data)
            return []
        if kind in ("arguments", "part"):
            return []
        return [OtherEvent(told.get("kind") or kind, data)]

    def _add(self, delta: dict[str, Any]) -> None:
        call = self._pieces.setdefault(delta.get("index") or 0, {"arguments": ""})
        function = delta.get("function") or {}
        call["id"] = delta.get("id") or call.get("id")
        call["name"] = function.get("name") or call.get("name")
        call["arguments"] += function.get("arguments") or ""

    def end(self) -> list[Event]:
        return [_tool_call(self._pieces[index]) for index in sorted(self._pieces)]


class TextStream(Generic[T]):
    """An answer while the model writes it: an iterator of pieces of its text.

    Nothing is read before it is requested. Dropping the stream cancels the rest of the answer.
    """

    def __init__(self, stream: _native.Events) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        text = self._stream.next_text().wait()
        if text is None:
            raise StopIteration
        return cast(str, text)

    def events(self) -> Iterator[Event]:
        """Text, reasoning, calls of tools and citations, in their order. Text that the service repeats
        as a whole is left out.

        Yields:
            One of `TextDelta`, `ReasoningDelta`, `RefusalDelta`, `ToolCall`, `Citation` and
            `OtherEvent`. A later release may add others.
        """
        reading = _Reading()
        while (batch := self._stream.next_events().wait()) is not None:
            yield from reading.take(batch)
        yield from reading.end()

    def whole(self) -> T:
        """Reads the rest, and returns the whole answer; once.

        Raises:
            TruncatedError: The stream ended before the answer did.
        """
        return cast(T, json.loads(self._stream.read_whole().wait()))


class AsyncTextStream(Generic[T]):
    """An answer while the model writes it: an async iterator of pieces of its text."""

    def __init__(self, stream: _native.Events) -> None:
        self._stream = stream

    def __aiter__(self) -> AsyncIterator[str]:
        return self

    async def __anext__(self) -> str:
        text = await wait(self._stream.next_text())
        if text is None:
            raise StopAsyncIteration
        return cast(str, text)

    async def events(self) -> AsyncIterator[Event]:
        """Text, reasoning, calls of tools and citations; as `TextStream.events`."""
        reading = _Reading()
        while (batch := await wait(self._stream.next_events())) is not None:
            for event in reading.take(batch):
                yield event
        for event in reading.end():
            yield event

    async def whole(self) -> T:
        """Reads the rest, and returns the whole answer; once."""
        answer: Any = await wait(self._stream.read_whole())
        return cast(T, json.loads(answer))
