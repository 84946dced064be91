"""A future that gives its base one callback, which runs all the others in one handle of the loop.

The documentation says that callbacks run by call_soon() and in their contexts, but not that each has its
own handle.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")
Entry = tuple[Callable[[Any], object], contextvars.Context]


class Future(asyncio.Future[T]):
    def __init__(self, *, loop: asyncio.AbstractEventLoop | None = None) -> None:
        super().__init__(loop=loop)
        self._entries: list[Entry] = []
        self.callbacks_run: int | None = None  # None until the base has its one callback

    def add_done_callback(
        self, callback: Callable[[Any], object], /, *, context: contextvars.Context | None = None
    ) -> None:
        where = contextvars.copy_context() if context is None else context
        if self.done():
            self.get_loop().call_soon(callback, self, context=where)
        else:
            self._entries.append((callback, where))
            if self.callbacks_run is None:
                self.callbacks_run = 0
                super().add_done_callback(Future._run_all, context=contextvars.Context())

    def remove_done_callback(self, callback: Callable[[Any], object], /) -> int:
        kept = [entry for entry in self._entries if entry[0] != callback]
        removed = len(self._entries) - len(kept)
        self._entries = kept
        return removed

    def _run_all(self) -> None:
        while self._entries:
            callback, where = self._entries.pop(0)
            self.callbacks_run = (self.callbacks_run or 0) + 1
            try:
                where.run(callback, self)
            except (KeyboardInterrupt, SystemExit):
                self.get_loop().call_soon(self._run_all)  # the loop stops here; the rest runs if it goes on
                raise
            except BaseException as error:
                message = f"Exception in callback {callback!r}"
                self.get_loop().call_exception_handler(
                    {"message": message, "exception": error, "future": self}
                )
