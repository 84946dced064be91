"""Wrong runners."""

from __future__ import annotations

import asyncio
import contextvars
from typing import Any

from .._parts import Runner


class StartsAfresh(Runner):
    """A runner that runs each program in a context of its own.

    Breaks "The runner's default context is used if context is None" (Runner.run)."""

    def run(self, coro: Any, *, context: contextvars.Context | None = None) -> Any:
        return super().run(coro, context=contextvars.copy_context() if context is None else context)


class DropsItsTasks(Runner):
    """A runner whose block ends with an error closes its loop, but ends no task or asynchronous generator.

    Breaks "properly finalizes the loop at the context manager exit" (Runner, its docstring)."""

    def __exit__(self: Any, exc_type: Any, *args: Any) -> None:
        if exc_type is not None and self._loop is not None:
            self._loop.close()
            self._loop, self._state = None, type(self._state).CLOSED
            asyncio.set_event_loop(None)
        super().__exit__(exc_type, *args)
