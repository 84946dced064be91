"""Teaching code: rung 23, 1 of 4, a future that is given its task, like a promise.

What it teaches: `Future(task)` calls `task(resolve)` at once; whoever has the result, some day, calls `resolve` with
it.  So anything that takes a callback becomes a future in one line: `Future(partial(get, loop, url))`.
What changed against the Future of rung 8: who resolves it is said where it is made, and nobody else need know how.
What is still wrong with it: `resolve` calls the callbacks then and there, inside the caller, so a chain of coroutines
that wait for each other is as deep on the stack as it is long (F7 of rung 8).  Rung 20, Tornado's loop, calls them
later.

Against the text's sketch: it can be made without a task (its defect P1) and knows its state (P2); a callback that
comes late is called once and not kept (P3), and a second `resolve` is an error and calls nobody (P4); `yield from`
works (P6); an error can be stored, and is raised where it is waited for (its repository goes on as if all were well).

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
    """A result that is not there yet.

    `task(resolve)` is called at once; `resolve(value)` may be called then or later, in the thread of the loop.
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
            Exception: what it was rejected with.
            InvalidStateError: it is not there yet.
        """
        if self.pending:
            raise InvalidStateError("the value of a Future that is not resolved")
        if self.error is not None:
            raise self.error
        return cast(T, self._value)

    def resolve(self, value: T) -> None:
        """Here is the result.  Raises InvalidStateError when there is one already."""
        self._settle(value, None)

    def reject(self, error: Exception) -> None:
        """There will be no result.  Raises InvalidStateError as `resolve`."""
        self._settle(None, error)

    def add_callback(self, callback: Callable[[Future[T]], object]) -> None:
        """Call it with this future when it is resolved; now, if it is."""
        if self.pending:
            self._callbacks.append(callback)
        else:
            callback(self)

    def __iter__(self) -> Generator[Future[T], T, T]:
        """Wait for it in a coroutine, unless it is there; the result."""
        if self.pending:
            yield self
        return self.value

    def _settle(self, value: T | None, error: Exception | None) -> None:
        """Store it and call the callbacks; what one raises does not concern the others, nor whoever resolves."""
        if not self.pending:
            raise InvalidStateError("a Future is resolved once")
        self.pending, self._value, self.error = False, value, error
        callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            try:
                callback(self)
            except Exception:
                log.exception("a callback has failed")
