"""Wrong implementations of runners."""

from __future__ import annotations

import asyncio
import contextvars
from typing import Any

#: typeshed says that it is final.
_Runner: Any = asyncio.Runner


class ContextForEachRun(_Runner):
    """A runner that makes a new context for each run, so that a later run does not see what an earlier one set.

    Breaks "context ... The runner's default context is used if context is None."
    """

    def run(self, coro: Any, *, context: contextvars.Context | None = None) -> Any:
        return super().run(coro, context=contextvars.copy_context() if context is None else context)
