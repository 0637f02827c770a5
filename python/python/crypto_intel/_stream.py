"""Answers of the chat, as they are written."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any, Generic, TypeVar, cast

from . import _native
from ._wait import wait

T = TypeVar("T")


class TextStream(Generic[T]):
    """The text of an answer in pieces, each as soon as it is written.

    Nothing is read before it is asked for. What is unread when the stream is dropped is never waited
    for.
    """

    def __init__(self, stream: _native.TextStream) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[str]:
        while (text := self._stream.next_text()) is not None:
            yield text

    def whole(self) -> T:
        """Reads what is left, and gives the answer that has added up; once.

        Raises:
            TruncatedError: The stream ended before the answer did.
        """
        return cast(T, json.loads(self._stream.whole()))


class AsyncTextStream(Generic[T]):
    """The text of an answer in pieces, each as soon as it is written; the same, awaited."""

    def __init__(self, stream: _native.TextStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[str]:
        while (text := await wait(self._stream.start_next_text)) is not None:
            yield text

    async def whole(self) -> T:
        """Reads what is left, and gives the answer that has added up; once."""
        answer: Any = await wait(self._stream.start_whole)
        return cast(T, json.loads(answer))
