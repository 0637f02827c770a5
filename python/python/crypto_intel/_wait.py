"""Waiting in an event loop for what goes on in native threads."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from . import _native

if TYPE_CHECKING:
    import asyncio

Done = Callable[[Any, BaseException | None], None]


async def wait(begin: Callable[[Done], _native.Task]) -> Any:
    """Begins something, and waits for its end. Whoever stops waiting cancels it."""
    import asyncio  # It takes long to load, and most programs do without.

    loop = asyncio.get_running_loop()
    future: asyncio.Future[Any] = loop.create_future()

    def settle(value: Any, error: BaseException | None) -> None:
        if future.done():
            return
        if error is None:
            future.set_result(value)
        else:
            future.set_exception(error)

    def done(value: Any, error: BaseException | None) -> None:
        try:
            loop.call_soon_threadsafe(settle, value, error)
        except RuntimeError:
            pass  # The loop was closed: nobody waits.

    task = begin(done)
    try:
        return await future
    finally:
        task.cancel()
