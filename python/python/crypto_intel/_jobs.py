"""Queries that run as jobs of the service."""

from __future__ import annotations

import json
from typing import Any, cast

from . import _native
from ._records import SqlJob as State
from ._reply import Reply
from ._wait import wait


class _Job:
    def __init__(self, job: _native.SqlJob) -> None:
        self._job = job

    @property
    def id(self) -> str:
        """Identifier, for `sql_job` of another program. The service keeps a job for 24 hours."""
        return self._job.id

    @property
    def credits_used(self) -> int | None:
        """Credits used by the submission, as the service reports them. `None` for a job that was
        found by its identifier."""
        return self._job.credits_used

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id}>"


def _state(body: bytes) -> State:
    return cast(State, json.loads(body))


class SqlJob(_Job):
    """A query that runs as a job. Dropping it leaves the job running."""

    def refresh(self) -> State:
        """Requests the state of the job once."""
        return _state(self._job.refresh().wait())

    def cancel(self) -> State:
        """Cancels the job, and returns its state."""
        return _state(self._job.cancel().wait())

    def result(self) -> Reply[list[dict[str, Any]]]:
        """The rows. Waits for the end of the job.

        Raises:
            SqlFailedError: The job failed or was cancelled.
        """
        return Reply(self._job.result().wait())


class AsyncSqlJob(_Job):
    """A query that runs as a job; as `SqlJob`."""

    async def refresh(self) -> State:
        """Requests the state of the job once."""
        return _state(await wait(self._job.refresh()))

    async def cancel(self) -> State:
        """Cancels the job, and returns its state."""
        return _state(await wait(self._job.cancel()))

    async def result(self) -> Reply[list[dict[str, Any]]]:
        """The rows. Waits for the end of the job."""
        return Reply(await wait(self._job.result()))
