"""The clients."""

from __future__ import annotations

from functools import partial
from typing import Any

from . import _native
from ._operations import AsyncOperations, Operations
from ._reply import AsyncPager, Pager, Reply
from ._stream import AsyncTextStream, TextStream
from ._wait import wait


class _Base:
    """A client of the service, or of a sandbox.

    Args:
        api_key: The key; by default from the environment.
        base_url: Another address of the service; by default from the environment.
        deadline: Seconds that a call may take, all its attempts together.
        budget: Credits that all calls together may use. A call that could cost more is not
            sent, and raises `OverBudgetError`.
        retries: How often a call that failed may be sent again, where that is safe.
    """

    def __init__(
        self,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        deadline: float | None = None,
        budget: int | None = None,
        retries: int | None = None,
        _origin: str | None = None,
    ) -> None:
        for name, value in {"budget": budget, "retries": retries}.items():
            if value is not None and (not isinstance(value, int) or value < 0):
                raise ValueError(f"`{name}` must be a whole number from 0, not {value!r}")
        self._native = _native.Client(api_key, base_url, deadline, budget, retries, _origin)

    @property
    def credits_used(self) -> int:
        """Credits that the service said the calls of this client used."""
        return self._native.credits_used()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.credits_used} credits used>"


class Client(_Base, Operations):
    __doc__ = f"{_Base.__doc__}\n    One client may be used by many threads at once.\n    "

    def _call(self, operation: str, arguments: dict[str, Any]) -> Reply[Any]:
        return Reply(self._native.call(operation, arguments))

    def _stream(self, operation: str, arguments: dict[str, Any]) -> TextStream[Any]:
        return TextStream(self._native.stream(operation, arguments))

    def _pager(
        self, operation: str, arguments: dict[str, Any], limits: dict[str, int | None]
    ) -> Pager[Any]:
        return Pager(self._native, operation, arguments, limits)


class AsyncClient(_Base, AsyncOperations):
    __doc__ = (
        f"{_Base.__doc__}\n    Its methods are awaited in an event loop of asyncio. A call that is"
        "\n    cancelled there is cancelled on its way, too.\n    "
    )

    async def _call(self, operation: str, arguments: dict[str, Any]) -> Reply[Any]:
        return Reply(await wait(partial(self._native.start_call, operation, arguments)))

    async def _stream(self, operation: str, arguments: dict[str, Any]) -> AsyncTextStream[Any]:
        stream = await wait(partial(self._native.start_stream, operation, arguments))
        return AsyncTextStream(stream)

    def _pager(
        self, operation: str, arguments: dict[str, Any], limits: dict[str, int | None]
    ) -> AsyncPager[Any]:
        return AsyncPager(self._native, operation, arguments, limits)
