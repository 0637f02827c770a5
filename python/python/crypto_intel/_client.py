"""The clients."""

from __future__ import annotations

import copy
import json
import logging
import os
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ParamSpec, TypedDict, TypeVar

from . import _native
from ._chat import AsyncChat, Chat
from ._export import PlannedCost, Synced, SyncPlan
from ._given import Given
from ._jobs import AsyncSqlJob, SqlJob
from ._money import Estimate, Ledger
from ._operations import AsyncOperations, Operations
from ._reply import Reply
from ._resolve import Candidates, search_terms
from ._stream import AsyncTextStream, TextStream
from ._unsent import AsyncPager, AsyncRequest, Pager, Request
from ._wait import wait

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self, Unpack

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True)
class Attempt:
    """One HTTP exchange of a call. A repeated call has several."""

    method: str
    """HTTP method."""
    path: str
    """Path, without the query."""
    status: int | None
    """HTTP status; `None` without a response."""
    seconds: float
    """Time until the response began."""
    error: str | None
    """Reason for a missing response."""


class CallOptions(TypedDict, total=False):
    """Options of a call that differ from those of its client."""

    timeout: float
    """Maximum time in seconds without data from the service, before and during the response."""
    deadline: float
    """Time limit in seconds of a call with all its attempts."""
    total_timeout: float
    """Time limit in seconds of a stream, from its request to its end."""
    retries: int
    """Maximum number of retries of a failed call, if a retry is safe."""
    api_key: str
    """Another key."""
    base_url: str
    """Another address."""
    headers: dict[str, str]
    """Additional headers, such as a tag for your own accounting."""
    max_age: float
    """Accepts a cached response of at most this age in seconds. With 0, the call is always sent."""
    unchecked: bool
    """Sends values without a check of bounds and known values."""
    extra: dict[str, Any]
    """Parameters that are unknown to this release."""


class ClientSettings(TypedDict, total=False):
    """Settings of a client."""

    api_key: str | None
    """The key; by default from the environment."""
    base_url: str | None
    """The address of the service; by default from the environment."""
    deadline: float | None
    """Time limit in seconds of a call with all its attempts."""
    timeout: float | None
    """Maximum time in seconds without data from the service, before and during a response; by default 60."""
    connect_timeout: float | None
    """Seconds to connect; by default 10."""
    budget: int | None
    """Credits that all calls together may use. A call that could cost more is not sent, and raises
    `OverBudgetError`."""
    allow_unpriced: bool
    """Allows calls with an unpublished price in spite of the budget."""
    retries: int | None
    """Maximum number of retries of a failed call, if a retry is safe; by default 2."""
    rate_limit: int | None
    """Maximum number of requests within 60 seconds."""
    cache: float | None
    """Returns repeated paid reads from memory for this number of seconds."""
    user_agent: str | None
    """Another user agent."""
    headers: dict[str, str] | None
    """Headers of every request. They cannot replace the key."""
    max_body: int | None
    """Maximum size of a response in bytes; by default 64 MiB."""
    on_attempt: Callable[[Attempt], object] | None
    """Receives each HTTP exchange, in the thread that waits for a call."""


_COUNTS = ("budget", "retries", "rate_limit", "max_body")


def _checked(settings: dict[str, Any]) -> dict[str, Any]:
    for name in _COUNTS:
        value = settings.get(name)
        is_count = isinstance(value, int) and not isinstance(value, bool) and value >= 0
        if value is not None and not is_count:
            raise ValueError(f"`{name}` must be a whole number of at least 0, not {value!r}")
    return settings


class _Closed:
    def __getattr__(self, name: str) -> Any:
        raise RuntimeError("the client is closed")


class _Recorder(Operations):
    """Returns calls instead of sending them."""

    def _call(self, operation: str, arguments: dict[str, Any]) -> Any:
        return operation, arguments


class _Base:
    """A client of the service, or of a sandbox. It can be used with `with`.

    Args:
        settings: See `ClientSettings`: `api_key`, `base_url`, `deadline`, `timeout`,
            `connect_timeout`, `budget`, `allow_unpriced`, `retries`, `rate_limit`, `cache`,
            `user_agent`, `headers`, `max_body`, `on_attempt`.
    """

    def __init__(self, *, _origin: str | None = None, **settings: Unpack[ClientSettings]) -> None:
        native: dict[str, Any] = _checked({**settings, "origin": _origin})
        receiver = settings.get("on_attempt")
        if receiver is not None:
            native["on_attempt"] = lambda *fields: receiver(Attempt(*fields))
        _native.set_log_level(logging.getLogger("crypto_intel").getEffectiveLevel())
        self._native = _native.Client(native)
        self._options: dict[str, Any] = {}

    def with_options(self, **options: Unpack[CallOptions]) -> Self:
        """The same client with other options for its calls. Connections, budget, cache and ledger are
        shared.

        >>> client.with_options(timeout=5, retries=0).market_price("BTC")  # doctest: +SKIP
        """
        other = copy.copy(self)
        other._options = self._options | _checked(dict(options))
        return other

    @property
    def ledger(self) -> Ledger:
        """Credits that the calls of this client have used."""
        return Ledger._read(self._native.ledger())

    @property
    def credits_used(self) -> int:
        """Credits used by the calls of this client, as the service reports them."""
        return self.ledger.total.reported

    def bill(self, plan: SyncPlan) -> list[PlannedCost]:
        """The maximum cost of each export of a plan, as if none had been run before. Nothing is sent.

        >>> client.bill({"export": [{"operation": "market-price", "arguments": {"symbol": ["BTC", "ETH"]}}]})
        ... # doctest: +SKIP
        """
        return [PlannedCost(*fields) for fields in self._native.bill(json.dumps(plan))]

    def resolve_estimate(
        self, name: str, *, kind: str | None = None, operation: str | None = None
    ) -> Estimate | None:
        """List price of the searches of `resolve`. `None` if it is not published. Nothing is sent."""
        estimate = self._native.resolve_estimate(*search_terms(name, kind, operation))
        return estimate and Estimate(*estimate)

    def close(self) -> None:
        """Closes the client. Later calls raise an error."""
        closed: Any = _Closed()
        self._native = closed

    def _given(self, operation: str, arguments: dict[str, Any]) -> Given:
        return operation, arguments, self._options

    def _recorded(self, method: Any, args: Any, kwargs: Any) -> Given:
        name = method.__name__
        if name.startswith("iter_") or not hasattr(Operations, name):
            raise TypeError(f"{name} sends no single call; use what it returns")
        call: Any = getattr(_Recorder(), name)(*args, **kwargs)
        return self._given(*call)

    def __repr__(self) -> str:
        if isinstance(self._native, _Closed):
            return f"<{type(self).__name__}: closed>"
        return f"<{type(self).__name__}: {self.credits_used} credits used>"


class Client(_Base, Operations, Chat):
    __doc__ = f"{_Base.__doc__}\n    One client may be used by many threads at once.\n    "

    def request(
        self, method: Callable[P, Reply[T]], /, *args: P.args, **kwargs: P.kwargs
    ) -> Request[T]:
        """A call that is not sent yet, to estimate, export, repeat or scan it.

        >>> client.request(client.token_holders, "0x…", "ethereum").estimate()  # doctest: +SKIP

        Args:
            method: A method of this client that sends one call.
            args: Its arguments.
            kwargs: Its arguments by name.
        """
        return Request(self._native, self._recorded(method, args, kwargs))

    def submit_sql(self, query: str, *, max_rows: int | None = None) -> SqlJob:
        """Submits a query as a job, for queries that take longer than about 30 seconds. The
        submission is charged, once.

        Args:
            query: The query, in the ClickHouse dialect.
            max_rows: Maximum rows of the result.
        """
        given = self._given("", {})
        return SqlJob(self._native.submit(given, query, max_rows).wait())

    def sql_job(self, id: str) -> SqlJob:
        """A job that was submitted before. Nothing is sent.

        Args:
            id: Its identifier.
        """
        return SqlJob(self._native.job(self._given("", {}), id))

    def resolve(
        self, name: str, *, kind: str | None = None, operation: str | None = None
    ) -> Candidates:
        """Searches for the identifiers of something by its name, such as `USDC`. Each search is a paid
        call; `resolve_estimate` returns the price of all.

        >>> token = client.resolve("AAVE", operation="token_holders").only()  # doctest: +SKIP
        >>> client.token_holders(**token.arguments)  # doctest: +SKIP

        Args:
            name: Name, symbol, handle or address.
            kind: Only this kind of identifier, such as `contract`.
            operation: Only identifiers that this operation accepts.
        """
        return Candidates._read(self._native.resolve(*search_terms(name, kind, operation)).wait())

    def _call(self, operation: str, arguments: dict[str, Any]) -> Reply[Any]:
        return Reply(self._native.call(self._given(operation, arguments)).wait())

    def _stream(self, operation: str, arguments: dict[str, Any]) -> TextStream[Any]:
        return TextStream(self._native.stream(self._given(operation, arguments)).wait())

    def _pager(
        self, operation: str, arguments: dict[str, Any], limits: dict[str, int | None]
    ) -> Pager[Any]:
        return Pager(self._native, self._given(operation, arguments), limits)

    def sync(self, plan: SyncPlan, folder: str | os.PathLike[str]) -> list[Synced]:
        """Runs the exports of a plan, each in a folder below `folder`. The budget of the client holds
        for all of them together. The same plan continues after an interrupt, a kill or a limit.
        """
        parts = self._native.sync(json.dumps(plan), os.fspath(folder)).wait()
        return [Synced._read(part) for part in parts]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class AsyncClient(_Base, AsyncOperations, AsyncChat):
    __doc__ = (
        f"{_Base.__doc__}\n    Its methods are awaited in an event loop of asyncio. A call that is"
        "\n    cancelled there is cancelled on its way, too.\n    "
    )

    def request(
        self,
        method: Callable[P, Coroutine[Any, Any, Reply[T]]],
        /,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> AsyncRequest[T]:
        """A call that is not sent yet, to estimate, export, repeat or scan it; see `Client.request`."""
        return AsyncRequest(self._native, self._recorded(method, args, kwargs))

    async def submit_sql(self, query: str, *, max_rows: int | None = None) -> AsyncSqlJob:
        """Submits a query as a job; see `Client.submit_sql`."""
        given = self._given("", {})
        return AsyncSqlJob(await wait(self._native.submit(given, query, max_rows)))

    def sql_job(self, id: str) -> AsyncSqlJob:
        """A job that was submitted before. Nothing is sent."""
        return AsyncSqlJob(self._native.job(self._given("", {}), id))

    async def resolve(
        self, name: str, *, kind: str | None = None, operation: str | None = None
    ) -> Candidates:
        """Searches for the identifiers of something by its name; see `Client.resolve`."""
        pending = self._native.resolve(*search_terms(name, kind, operation))
        return Candidates._read(await wait(pending))

    async def _call(self, operation: str, arguments: dict[str, Any]) -> Reply[Any]:
        return Reply(await wait(self._native.call(self._given(operation, arguments))))

    async def _stream(self, operation: str, arguments: dict[str, Any]) -> AsyncTextStream[Any]:
        stream = await wait(self._native.stream(self._given(operation, arguments)))
        return AsyncTextStream(stream)

    def _pager(
        self, operation: str, arguments: dict[str, Any], limits: dict[str, int | None]
    ) -> AsyncPager[Any]:
        return AsyncPager(self._native, self._given(operation, arguments), limits)

    async def sync(self, plan: SyncPlan, folder: str | os.PathLike[str]) -> list[Synced]:
        """Runs the exports of a plan; see `Client.sync`."""
        parts = await wait(self._native.sync(json.dumps(plan), os.fspath(folder)))
        return [Synced._read(part) for part in parts]

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
