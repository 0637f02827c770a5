"""The clients: operations, and questions to the chat."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

from . import _native
from ._operations import AsyncOperations, Operations
from ._reply import AsyncPager, Pager, Reply


class TextStream:
    """The text of an answer, in pieces, as it is written."""

    def __init__(self, stream: _native.TextStream) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[str]:
        return self._stream

    async def __aiter__(self) -> AsyncIterator[str]:
        while (text := await asyncio.to_thread(next, self._stream, None)) is not None:
            yield text


class Client(Operations):
    """Sends calls and waits for their answers. One client may be used by many threads.

    Args:
        api_key: The key; by default from the environment.
        base_url: Another address of the service; by default from the environment.
        deadline: Seconds that a call may take, all its attempts together.
    """

    def __init__(
        self,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        deadline: float | None = None,
    ) -> None:
        self._native = _native.Client(api_key, base_url, deadline)

    @property
    def credits_used(self) -> int:
        """Credits that the service said the calls of this client used."""
        return self._native.credits_used()

    def ask(self, model: str, question: str) -> TextStream:
        """Asks the chat, and gives the text of the answer as it is written."""
        return TextStream(self._native.ask(model, question))

    def _call(self, operation: str, arguments: dict[str, Any]) -> Reply[Any]:
        return Reply(self._native.call(operation, arguments))

    def _pager(
        self, operation: str, arguments: dict[str, Any], limits: dict[str, int | None]
    ) -> Pager[Any]:
        return Pager(self._native, operation, arguments, limits)

    def __repr__(self) -> str:
        return f"<Client: {self.credits_used} credits used>"


class AsyncClient(AsyncOperations):
    """The same, awaited. Calls wait in threads, so that an event loop goes on meanwhile; a call
    that is cancelled is no longer waited for, and ends by itself.
    """

    def __init__(
        self,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        deadline: float | None = None,
    ) -> None:
        self._native = _native.Client(api_key, base_url, deadline)

    @property
    def credits_used(self) -> int:
        """Credits that the service said the calls of this client used."""
        return self._native.credits_used()

    async def ask(self, model: str, question: str) -> TextStream:
        """Asks the chat, and gives the text of the answer as it is written."""
        return TextStream(await asyncio.to_thread(self._native.ask, model, question))

    async def _call(self, operation: str, arguments: dict[str, Any]) -> Reply[Any]:
        return Reply(await asyncio.to_thread(self._native.call, operation, arguments))

    def _pager(
        self, operation: str, arguments: dict[str, Any], limits: dict[str, int | None]
    ) -> AsyncPager[Any]:
        return AsyncPager(self._native, operation, arguments, limits)

    def __repr__(self) -> str:
        return f"<AsyncClient: {self.credits_used} credits used>"
