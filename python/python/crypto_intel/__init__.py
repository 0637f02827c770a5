"""Client of a crypto, market and on-chain intelligence service.

>>> from crypto_intel import Sandbox
>>> with Sandbox() as sandbox:
...     prices = sandbox.client().market_price("BTC", time_range="7d")
>>> prices.operation
'market-price'
"""

from ._client import AsyncClient, Client
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
from ._export import Exported
from ._reply import AsyncPager, Pager, Reply, Table
from ._sandbox import Sandbox
from ._stream import AsyncTextStream, TextStream

__all__ = [
    "AsyncClient",
    "AsyncPager",
    "AsyncTextStream",
    "AuthenticationError",
    "Client",
    "CryptoIntelError",
    "DecodeError",
    "Exported",
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
