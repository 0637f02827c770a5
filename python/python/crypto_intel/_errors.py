"""Exceptions: a class for each kind of error, with a common base class."""

from __future__ import annotations

import builtins
from typing import Any


class CryptoIntelError(Exception):
    """An error of a call. Its text never contains the key."""

    status: int | None = None
    """HTTP status, if there was a response."""
    code: str | None = None
    """The service's code."""
    operation: str | None = None
    """The operation that was called."""
    request_id: str | None = None
    """The service's identifier of the request."""
    retry_after: float | None = None
    """Seconds until a retry, as the service requests."""
    attempts: int = 0
    """Requests that were sent."""
    is_retryable: bool = False
    """Whether the same call may succeed later."""


class AuthenticationError(CryptoIntelError):
    """The key is missing, invalid, or has no permission for this call."""


class InsufficientCreditsError(CryptoIntelError):
    """The credits of the account, or the free allowance, are used up."""


class RateLimitedError(CryptoIntelError):
    """Too many requests."""


class NotFoundError(CryptoIntelError):
    """The requested data or the path do not exist."""


class InvalidRequestError(CryptoIntelError, ValueError):
    """The request is invalid: it was rejected before it was sent, or by the service."""


class SqlRejectedError(CryptoIntelError):
    """A query was not accepted; no job exists."""


class SqlFailedError(CryptoIntelError):
    """A query that ran as a job ended without rows."""


class OverBudgetError(CryptoIntelError):
    """The budget does not allow the call; nothing was sent."""


class TimeoutError(CryptoIntelError, builtins.TimeoutError):
    """A time limit was reached."""


class DecodeError(CryptoIntelError):
    """The response does not match the description."""


class TruncatedError(CryptoIntelError):
    """A stream ended before its final event."""


class ServiceError(CryptoIntelError):
    """The service failed."""


class TransportError(CryptoIntelError, ConnectionError):
    """There is no response, because the connection failed before it."""


_KINDS: dict[str, type[CryptoIntelError]] = {
    kind.__name__.removesuffix("Error"): kind for kind in CryptoIntelError.__subclasses__()
}


def _make(kind: str, message: str, about: dict[str, Any]) -> CryptoIntelError:
    # A kind that this release does not know is an error all the same.
    error = _KINDS.get(kind, CryptoIntelError)(message)
    for name, value in about.items():
        setattr(error, name, value)
    return error
