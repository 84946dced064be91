"""A whole future in own code that refuses StopIteration by TypeError, and takes late callbacks through its list.

The documentation says "a Future-like object" and fixes the methods; it leaves their code free.
"""

from __future__ import annotations

import contextvars
from typing import Any, TypeVar

from . import one_outcome_object

T = TypeVar("T")


class Future(one_outcome_object.Future[T]):
    def set_exception(self, exception: type[BaseException] | BaseException, /) -> None:
        error = exception() if isinstance(exception, type) else exception
        if isinstance(error, StopIteration) and not self.done():
            raise TypeError("a StopIteration cannot be raised into a future")
        super().set_exception(error)

    def add_done_callback(self, fn: Any, /, *, context: contextvars.Context | None = None) -> None:
        self._callbacks.append((fn, contextvars.copy_context() if context is None else context))
        if self.done():
            self._schedule()
