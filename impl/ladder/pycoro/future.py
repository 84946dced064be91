"""Teaching code: rung 23, 1 of 4, a future that is created with its task, like a promise.

Teaches: `Future(task)` calls `task(resolve)` at once, and `resolve` is called with the result later.  So a function
that takes a callback becomes a future in one line: `Future(partial(get, loop, url))`.
Changed against the Future of rung 8: the code that creates a future also decides what resolves it.
Still wrong: `resolve` runs the callbacks at once, so a chain of coroutines that wait for each other is as deep on the
stack as it is long (F7 of rung 8).  Rung 20, Tornado's loop, runs them later.

Against the text's sketch: a future can be created without a task (defect P1) and knows its state (P2).  A callback that
is added late is called once and not kept (P3).  A second `resolve` is an error and runs no callback (P4).  `yield from`
works (P6).  An error can be stored and is raised in the coroutine that waits (in its repository, such a coroutine
continues as if the future were resolved).

Source: the article on generator-based coroutines around py-coro-impl.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator
from typing import Generic, TypeVar, cast

from ...errors import InvalidStateError

T = TypeVar("T")

log = logging.getLogger(__name__)


class Future(Generic[T]):
    """A placeholder for a result.

    `task(resolve)` is called at once; `resolve(value)` may be called then or later, in the loop's thread.
    """

    def __init__(self, task: Callable[[Callable[[T], None]], object] | None = None) -> None:
        self.pending = True
        self.error: Exception | None = None
        self._value: T | None = None
        self._callbacks: list[Callable[[Future[T]], object]] = []
        if task is not None:
            task(self.resolve)

    @property
    def value(self) -> T:
        """The result.

        Raises:
            Exception: the error of `reject`.
            InvalidStateError: it is pending.
        """
        if self.pending:
            raise InvalidStateError("the value of a Future that is not resolved")
        if self.error is not None:
            raise self.error
        return cast(T, self._value)

    def resolve(self, value: T) -> None:
        """Set the result and run the callbacks; raises InvalidStateError when it is done already."""
        self._settle(value, None)

    def reject(self, error: Exception) -> None:
        """Set an error instead of a result; raises InvalidStateError when it is done already."""
        self._settle(None, error)

    def add_callback(self, callback: Callable[[Future[T]], object]) -> None:
        """Call `callback(self)` when the future is done; at once if it is done."""
        if self.pending:
            self._callbacks.append(callback)
        else:
            callback(self)

    def __iter__(self) -> Generator[Future[T], T, T]:
        """Wait for the future in a coroutine, unless it is done; returns the result."""
        if self.pending:
            yield self
        return self.value

    def _settle(self, value: T | None, error: Exception | None) -> None:
        """Store the result and run the callbacks; an error in one is logged."""
        if not self.pending:
            raise InvalidStateError("a Future is resolved once")
        self.pending, self._value, self.error = False, value, error
        callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            try:
                callback(self)
            except Exception:
                log.exception("a callback has failed")
