"""asyncio's future in Python with more attributes: when it was made and ended, and its callbacks.

The documentation lists the methods of a future and does not forbid others.
"""

from __future__ import annotations

import asyncio.futures
import contextvars
from collections.abc import Callable
from typing import Any

_Base: Any = asyncio.futures._PyFuture  # type: ignore[attr-defined]


class Future(_Base):  # type: ignore[misc]
    def __init__(self, *, loop: asyncio.AbstractEventLoop | None = None) -> None:
        super().__init__(loop=loop)
        self.made_at = self.get_loop().time()
        self.ended_at: float | None = None
        self.callbacks_ever = 0

    def _note_end(self) -> None:
        self.ended_at = self.get_loop().time()

    def set_result(self, result: Any) -> None:
        super().set_result(result)
        self._note_end()

    def set_exception(self, exception: type[BaseException] | BaseException) -> None:
        super().set_exception(exception)
        self._note_end()

    def cancel(self, msg: Any = None) -> bool:
        changed = bool(super().cancel(msg=msg))
        if changed:
            self._note_end()
        return changed

    def add_done_callback(
        self, fn: Callable[[Any], object], *, context: contextvars.Context | None = None
    ) -> None:
        self.callbacks_ever += 1
        super().add_done_callback(fn, context=context)
