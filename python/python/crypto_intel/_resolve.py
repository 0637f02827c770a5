"""Identifiers of things by name."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Candidate:
    """An identifier that a search found."""

    kind: str
    """Kind of the identifier, such as `contract`."""
    parts: tuple[str, ...]
    """Values of the identifier, such as address and chain."""
    name: str
    """Name of the subject, as the search shows it."""
    is_exact: bool
    """Whether a name of the subject equals the text, apart from upper and lower case."""
    found_by: str
    """The search that found it."""
    arguments: dict[str, str] | None
    """Arguments of the operation that `resolve` got: `client.token_holders(**arguments)`."""


@dataclass(frozen=True)
class Candidates:
    """Everything that the searches found for a name. Exact matches come first."""

    all: tuple[Candidate, ...]
    """All candidates."""
    incomplete: dict[str, str]
    """Searches that failed or have more rows than one page, each with the reason."""
    _problem: str | None

    def only(self) -> Candidate:
        """The only exact match. Raises `LookupError`, with the candidates, unless there is exactly one."""
        if self._problem is not None:
            raise LookupError(self._problem)
        return next(candidate for candidate in self.all if candidate.is_exact)

    def __iter__(self) -> Iterator[Candidate]:
        return iter(self.all)

    def __len__(self) -> int:
        return len(self.all)

    @classmethod
    def _read(cls, text: str) -> Candidates:
        found = json.loads(text)
        candidates = [Candidate(**{**one, "parts": tuple(one["parts"])}) for one in found["candidates"]]
        return cls(tuple(candidates), found["incomplete"], found["problem"])


def search_terms(
    name: str, kind: str | None, operation: str | None
) -> tuple[str, list[str], str | None]:
    """Arguments of the native search. Operations may be written as methods are."""
    kinds = [] if kind is None else [kind]
    return name, kinds, operation.replace("_", "-") if operation else None
