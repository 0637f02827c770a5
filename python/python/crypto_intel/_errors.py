"""What can go wrong: a class for each kind, below one for all."""

from __future__ import annotations

import builtins
from typing import Any


class CryptoIntelError(Exception):
    """An error of a call. Its text never holds the key."""

    status: int | None = None
    """HTTP status, where an answer came."""
    code: str | None = None
    """The service's code."""
    operation: str | None = None
    """The operation that was called."""
    request_id: str | None = None
    """The service's identifier of the request."""
    retry_after: float | None = None
    """Seconds after which the service says to try again."""
    attempts: int = 0
    """Requests that were sent."""
    is_retryable: bool = False
    """Whether the same call may succeed later."""


class AuthenticationError(CryptoIntelError):
    """The key is missing, not valid, or not allowed to do this."""


class InsufficientCreditsError(CryptoIntelError):
    """The credits of the account, or the free allowance, are used up."""


class RateLimitedError(CryptoIntelError):
    """Too many requests."""


class NotFoundError(CryptoIntelError):
    """The entity or the path does not exist."""


class InvalidRequestError(CryptoIntelError, ValueError):
    """The request is at fault: refused before it was sent, or by the service."""


class SqlRejectedError(CryptoIntelError):
    """A query was not accepted; no job exists."""


class SqlFailedError(CryptoIntelError):
    """A query that ran as a job ended without rows."""


class OverBudgetError(CryptoIntelError):
    """A budget forbids the call; nothing was sent."""


class TimeoutError(CryptoIntelError, builtins.TimeoutError):
    """A limit on time fired."""


class DecodeError(CryptoIntelError):
    """The answer is not what the description promises."""


class TruncatedError(CryptoIntelError):
    """A stream ended before its end."""


class ServiceError(CryptoIntelError):
    """The service failed."""


class TransportError(CryptoIntelError, ConnectionError):
    """No answer: the connection failed before one arrived."""


_KINDS: dict[str, type[CryptoIntelError]] = {
    kind.__name__.removesuffix("Error"): kind for kind in CryptoIntelError.__subclasses__()
}


def _make(kind: str, message: str, about: dict[str, Any]) -> CryptoIntelError:
    # A kind that this release does not know is an error all the same.
    error = _KINDS.get(kind, CryptoIntelError)(message)
    for name, value in about.items():
        setattr(error, name, value)
    return error
