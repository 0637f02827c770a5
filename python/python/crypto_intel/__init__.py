"""Client of a crypto, market and on-chain intelligence service.

>>> from crypto_intel import Sandbox
>>> with Sandbox() as sandbox:
...     prices = sandbox.client().market_price("BTC", time_range="7d")
>>> prices.operation
'market-price'
"""

from ._chat import Conversation, ToolAnswer, ToolRun, answer_citations, answer_text
from ._client import AsyncClient, Attempt, CallOptions, Client, ClientSettings
from ._completeness import Completeness
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
from ._export import (
    Changes,
    Exported,
    ExportSettings,
    PlannedCost,
    PlannedExport,
    Progress,
    Synced,
    SyncPlan,
    Windows,
    read_as_of,
)
from ._jobs import AsyncSqlJob, SqlJob
from ._money import Estimate, Ledger, Operation, Spending, operations
from ._reply import Reply
from ._resolve import Candidate, Candidates
from ._sandbox import AnswerStep, Sandbox
from ._scan import ScanSettings
from ._stream import (
    AsyncTextStream,
    Citation,
    Event,
    OtherEvent,
    ReasoningDelta,
    RefusalDelta,
    TextDelta,
    TextStream,
    ToolCall,
)
from ._table import Table, TableOptions
from ._unsent import AsyncPager, AsyncRequest, Pager, Request, Update

__all__ = [
    "AnswerStep",
    "AsyncClient",
    "AsyncPager",
    "AsyncRequest",
    "AsyncSqlJob",
    "AsyncTextStream",
    "Attempt",
    "AuthenticationError",
    "CallOptions",
    "Candidate",
    "Candidates",
    "Changes",
    "Citation",
    "Client",
    "ClientSettings",
    "Completeness",
    "Conversation",
    "CryptoIntelError",
    "DecodeError",
    "Estimate",
    "Event",
    "ExportSettings",
    "Exported",
    "InsufficientCreditsError",
    "InvalidRequestError",
    "Ledger",
    "NotFoundError",
    "Operation",
    "OtherEvent",
    "OverBudgetError",
    "Pager",
    "PlannedCost",
    "PlannedExport",
    "Progress",
    "RateLimitedError",
    "ReasoningDelta",
    "RefusalDelta",
    "Reply",
    "Request",
    "Sandbox",
    "ScanSettings",
    "ServiceError",
    "Spending",
    "SqlFailedError",
    "SqlJob",
    "SqlRejectedError",
    "SyncPlan",
    "Synced",
    "Table",
    "TableOptions",
    "TextDelta",
    "TextStream",
    "TimeoutError",
    "ToolAnswer",
    "ToolCall",
    "ToolRun",
    "TransportError",
    "TruncatedError",
    "Update",
    "Windows",
    "answer_citations",
    "answer_text",
    "operations",
    "read_as_of",
]
