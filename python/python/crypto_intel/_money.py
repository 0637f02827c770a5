"""Prices, estimates and the ledger."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from . import _native


@dataclass(frozen=True)
class Estimate:
    """Cost by list price, in credits. It can differ from the charge."""

    least: int
    """The minimum: repeats within the service's free window may cost nothing."""
    most: int
    """The maximum."""

    def __str__(self) -> str:
        return f"{self.most}" if self.least == self.most else f"{self.least} to {self.most}"


@dataclass(frozen=True)
class Spending:
    """Cost of a group of calls, in credits."""

    calls: int
    """Calls with a successful response."""
    list_price: int
    """Sum of the list prices, which is the maximum cost of the calls."""
    unpriced: int
    """Calls among them whose price is not published."""
    reported: int
    """Sum of the credits used that the service reported."""
    saved: int
    """Sum of the list prices of calls whose response came from a cache."""


@dataclass(frozen=True)
class Ledger:
    """Credits that a client has spent."""

    total: Spending
    """All calls."""
    by_operation: dict[str, Spending]
    """By operation, such as `market-price`."""
    by_tag: dict[str, Spending]
    """By tag of the operations."""
    remaining: int | None
    """Remaining credits of the budget, by list price. `None` without a budget."""
    unsettled_requests: int
    """Requests whose charge is unknown: requests in flight, and interrupted requests."""
    unsettled_list_price: int
    """Sum of their list prices."""

    @classmethod
    def _read(cls, text: str) -> Ledger:
        told: dict[str, Any] = json.loads(text)
        for name in ("by_operation", "by_tag"):
            told[name] = {key: Spending(**spending) for key, spending in told[name].items()}
        return cls(**{**told, "total": Spending(**told["total"])})


@dataclass(frozen=True)
class Operation:
    """An operation of the service."""

    id: str
    """Identifier, such as `market-price`. The method of a client has underscores."""
    tag: str
    """Group of operations."""
    summary: str
    """Purpose, in one sentence."""
    price: int | list[dict[str, Any]] | None
    """List price in credits, or prices by model and effort. `None` if it is not published."""
    tier: str | None
    """Price tier, or `not stated`. `None` for operations that are free, priced by model, or without a price."""
    is_paged: bool
    """Whether a list has several pages, which `iter_…` reads."""


def _catalogue() -> list[dict[str, Any]]:
    catalogue: list[dict[str, Any]] = json.loads(_native.catalogue())
    return catalogue


def operations() -> list[Operation]:
    """The operations of the service with their list prices. Nothing is sent."""
    fields = ("id", "tag", "summary", "price", "tier", "is_paged")
    return [Operation(**{name: row[name] for name in fields}) for row in _catalogue()]
