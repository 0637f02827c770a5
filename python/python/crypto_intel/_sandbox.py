"""The service in this process, with invented data, for samples and tests."""

from __future__ import annotations

from types import TracebackType

from . import _native
from ._client import AsyncClient, Client


class Sandbox:
    """A sandbox on a free port of this machine, until the end of its `with`.

    Args:
        at: Unix seconds at which its clock stands still, so that equal calls have equal answers.
        seed: Another world with other data.
    """

    def __init__(self, at: int | None = None, seed: int | None = None) -> None:
        self._native = _native.Sandbox(at, seed)
        clock = "running" if at is None else f"stopped at {at}"
        # The port differs between runs, so exports name the data by seed and clock.
        self._origin = f"sandbox, seed {seed or 0}, clock {clock}"

    @property
    def url(self) -> str:
        """Its address."""
        return self._native.url

    @property
    def key(self) -> str:
        """A key that it takes."""
        return self._native.key

    def client(
        self,
        *,
        deadline: float | None = None,
        budget: int | None = None,
        retries: int | None = None,
    ) -> Client:
        """A client of it; see `Client`."""
        return Client(
            api_key=self.key,
            base_url=self.url,
            deadline=deadline,
            budget=budget,
            retries=retries,
            _origin=self._origin,
        )

    def async_client(
        self,
        *,
        deadline: float | None = None,
        budget: int | None = None,
        retries: int | None = None,
    ) -> AsyncClient:
        """An async client of it; see `AsyncClient`."""
        return AsyncClient(
            api_key=self.key,
            base_url=self.url,
            deadline=deadline,
            budget=budget,
            retries=retries,
            _origin=self._origin,
        )

    def inject(self, fault: str) -> None:
        """Makes it answer with a fault, such as `status=500` or `unknown-members`; see
        `docs/states.md` of the project for all of them.
        """
        self._native.inject(fault)

    def clear_faults(self) -> None:
        """Takes all faults back."""
        self._native.clear_faults()

    def requests_served(self) -> int:
        """Requests that it answered so far."""
        return self._native.requests_served()

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
