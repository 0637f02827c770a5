"""Client of a crypto, market and on-chain intelligence service.

>>> from crypto_intel import Sandbox
>>> with Sandbox() as sandbox:
...     prices = sandbox.client().market_price("BTC", time_range="7d")
>>> prices.operation
'market-price'
"""

from ._client import AsyncClient, Client, TextStream
from ._errors import (
    AuthenticationError,
    CryptoIntelError,
    DecodeError,
    InsufficientCreditsError,
    InvalidRequestError,
    NotFoundError,
    OverBudgetError,
    RateLimitedError,
    ServiceError,
    SqlFailedError,
    SqlRejectedError,
    TimeoutError,
    TransportError,
    TruncatedError,
)
from ._reply import AsyncPager, Pager, Reply, Table
from ._sandbox import Sandbox

__all__ = [
    "AsyncClient",
    "AsyncPager",
    "AuthenticationError",
    "Client",
    "CryptoIntelError",
    "DecodeError",
    "InsufficientCreditsError",
    "InvalidRequestError",
    "NotFoundError",
    "OverBudgetError",
    "Pager",
    "RateLimitedError",
    "Reply",
    "Sandbox",
    "ServiceError",
    "SqlFailedError",
    "SqlRejectedError",
    "Table",
    "TextStream",
    "TimeoutError",
    "TransportError",
    "TruncatedError",
]
