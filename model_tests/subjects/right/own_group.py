"""A TaskGroup that raises groups of its own classes.

Difference: the error is a TaskErrors or a TaskFailures, which derive from ExceptionGroup and BaseExceptionGroup.

Freedom: "those exceptions are combined in an ExceptionGroup or BaseExceptionGroup (as appropriate; see
their documentation) which is then raised" (Task Groups): an instance of a subclass is one, and `except*` catches it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from types import TracebackType
from typing import Any, Self


class TaskFailures(BaseExceptionGroup[BaseException]):
    # Any: the base is generic over the errors that it is given.
    def derive(self, errors: Sequence[Any], /) -> Any:
        return own(self.message, errors)


class TaskErrors(TaskFailures, ExceptionGroup[Exception]):
    pass


def own(message: str, errors: Sequence[BaseException]) -> BaseExceptionGroup[BaseException]:
    """Return a group of the narrowest class that may hold these errors."""
    narrow = [error for error in errors if isinstance(error, Exception)]
    if len(narrow) == len(errors):
        return TaskErrors(message, narrow)
    return TaskFailures(message, errors)


class TaskGroup(asyncio.TaskGroup):
    async def __aenter__(self) -> Self:
        await super().__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> Any:  # bool, where a group can be cancelled
        try:
            return await super().__aexit__(kind, error, traceback)
        except BaseExceptionGroup as group:
            raise own(group.message, group.exceptions) from None
