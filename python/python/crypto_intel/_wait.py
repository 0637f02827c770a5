"""Waiting in an event loop for calls of native threads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _native

if TYPE_CHECKING:
    import asyncio


async def wait(pending: _native.Pending, *, has_notices: bool = False) -> Any:
    """Starts a call, and waits for its end. Cancelling the wait cancels the call.

    Args:
        pending: The call.
        has_notices: Whether the call has notices to deliver before its end.
    """
    import asyncio  # It loads slowly, and most programs do not need it.

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
            pass  # The loop was closed, so nothing waits.

    task = pending.start(done)
    try:
        while has_notices and not future.done():
            await asyncio.wait((future,), timeout=0.05)
            pending.deliver()
        return await future
    finally:
        task.cancel()
        _native.deliver()
