"""The service in this process, with invented data, for samples and tests."""

from __future__ import annotations

import datetime
import json
import urllib.error
import urllib.request
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypedDict

from . import _native
from ._client import AsyncClient, Client, ClientSettings

if TYPE_CHECKING:
    from typing import Unpack


class AnswerStep(TypedDict, total=False):
    """A step of the answers that `Sandbox.answer` sets: one of `data`, `partial`, `text`, `fault` and
    `invented`."""

    data: Any
    """Rows, a record, or a whole answer with `data` and `meta`."""
    partial: dict[str, Any]
    """Fields that replace those of the invented rows."""
    text: str
    """Text of a chat, also as a stream."""
    fault: str
    """A fault, such as `status=503`."""
    invented: bool
    """The invented answer."""
    times: int
    """Number of calls that the step answers."""


class Sandbox:
    """A sandbox on a free port of this machine, until the end of its `with`.

    Args:
        at: Unix seconds at which its clock is stopped, so that equal calls have equal answers.
        seed: Seed of another world with other data.
        scenarios: Scenarios that are active from the start, such as `market-crash`.
    """

    def __init__(
        self, at: int | None = None, seed: int | None = None, *, scenarios: tuple[str, ...] = ()
    ) -> None:
        self._native = _native.Sandbox(at, seed)
        clock = "running" if at is None else f"stopped at {at}"
        # The port differs between runs, so exports name the data by seed and clock.
        self._origin = f"sandbox, seed {seed or 0}, clock {clock}"
        for scenario in scenarios:
            self.play(scenario)

    @property
    def url(self) -> str:
        """Its base URL."""
        return self._native.url

    @property
    def key(self) -> str:
        """A valid key."""
        return self._native.key

    def client(self, **settings: Unpack[ClientSettings]) -> Client:
        """A client of it; see `Client`."""
        return Client(_origin=self._origin, **self._with_defaults(settings))

    def async_client(self, **settings: Unpack[ClientSettings]) -> AsyncClient:
        """An async client of it; see `AsyncClient`."""
        return AsyncClient(_origin=self._origin, **self._with_defaults(settings))

    def _with_defaults(self, settings: ClientSettings) -> ClientSettings:
        defaults: ClientSettings = {"api_key": self.key, "base_url": self.url}
        return {**defaults, **settings}

    def inject(self, fault: str) -> None:
        """Adds a fault for later requests, such as `status=500` or `unknown-members`; see
        `docs/states.md` of the project for all of them.
        """
        self._native.inject(fault)

    def clear_faults(self) -> None:
        """Removes all faults."""
        self._native.clear_faults()

    def play(self, scenario: str) -> None:
        """Begins a scenario, such as `market-crash` or `exchange-halt=okx`; see `scenarios`."""
        self._native.play(scenario)

    def end(self, scenario: str) -> None:
        """Ends a scenario and its effects on the data."""
        self._native.end(scenario)

    @staticmethod
    def scenarios() -> dict[str, str]:
        """The scenarios with their effects."""
        return dict(_native.Sandbox.scenarios())

    @property
    def now(self) -> datetime.datetime:
        """The time of its clock."""
        return datetime.datetime.fromtimestamp(self._native.now(), datetime.UTC)

    def advance(self, seconds: int) -> None:
        """Moves its clock forward."""
        self._native.advance(seconds)

    def set_clock(self, time: datetime.datetime) -> None:
        """Sets its clock to a time with a zone."""
        if time.tzinfo is None:
            raise ValueError("`time` has no time zone; set one such as datetime.timezone.utc")
        self._native.set_clock(int(time.timestamp()))

    def answer(
        self, operation: str, *steps: AnswerStep, when: dict[str, str] | None = None
    ) -> None:
        """Sets the answers of an operation. Each step answers one call, or `times` calls; the last step
        answers all further calls. A wrong field or type is an error that names its place.

        >>> with Sandbox() as sandbox:
        ...     sandbox.answer("market-price", {"data": [{"timestamp": 1, "value": 91000.0}]})
        ...     sandbox.client().market_price("BTC").data[0]["value"]
        91000.0

        Args:
            operation: Identifier of the operation, such as `market-price`.
            steps: See `AnswerStep`.
            when: Limits the answers to calls with these arguments.
        """
        script: dict[str, Any] = {"operation": operation, "steps": list(steps)}
        if when is not None:
            script["when"] = when
        self.control("/sandbox/answers", json.dumps(script))

    def clear_answers(self, operation: str | None = None) -> None:
        """Removes the answers that were set for an operation, or for all."""
        self.control("/sandbox/answers", operation or "", method="DELETE")

    def control(self, path: str, body: str | None = None, *, method: str | None = None) -> Any:
        """Sends a request to a control path; see `docs/sandbox.md` of the project.

        Args:
            path: The path below the address, such as `/sandbox/scenarios`.
            body: The body of a POST. Without it, the request is a GET.
            method: Another method.
        """
        token = self._native.control_token
        data = None if body is None else body.encode()
        request = urllib.request.Request(self.url + path, data=data, method=method)
        request.add_header("x-sandbox-token", token or "")
        try:
            with urllib.request.urlopen(request) as response:
                text = response.read()
        except urllib.error.HTTPError as error:
            reason = json.loads(error.read() or b"{}")
            message = reason.get("error", {}).get("message") or f"status {error.code}"
            raise ValueError(f"sandbox: {message}") from None
        return json.loads(text) if text else None

    def requests_served(self) -> int:
        """Number of requests that it has received."""
        return self._native.requests_served()

    def credits_charged(self) -> int:
        """Credits that it has charged, also for calls whose answer was lost."""
        return self._native.credits_charged()

    def close(self) -> None:
        """Stops it."""
        self._native.close()

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Sandbox at {self.url}>"
