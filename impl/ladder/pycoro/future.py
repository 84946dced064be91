"""Teaching code: rung 23, 1 of 4, a future that is created with its task, like a promise.

Teaches: `Future(task)` calls `task(resolve)` at once, and `resolve` is called with the result later.  So a function
that takes a callback becomes a future in one line: `Future(partial(get, loop, url))`.
Changed against the Future of rung 8: the code that creates a future also decides how it is resolved.
Still wrong: `resolve` runs the callbacks at once, so a chain of coroutines that wait for each other is as deep on the
stack as it is long (F7 of rung 8).  Rung 20, Tornado's loop, runs them later.

Against the text's sketch: a future can be created without a task (defect P1) and knows its state (P2).  A callback that
is added late is called once and not kept (P3).  A second `resolve` is an error and runs no callback (P4).  `yield from`
works (P6).  An error can be stored and is raised in the coroutine that waits (in its repository, such a coroutine
continues as if the future were resolved).

Source: the article on generator-based coroutines around py-coro-impl.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ..rungs import delegating

T = TypeVar("T")


class Future(delegating.Future[T]):
    """The Future of rung 10, in the words of the article.

    `task(resolve)` is called at once; `resolve(value)` may be called then or later, in the loop's thread.
    """

    def __init__(self, task: Callable[[Callable[[T], None]], object] | None = None) -> None:
        super().__init__()
        if task is not None:
            task(self.resolve)

    resolve = delegating.Future.set_result
    reject = delegating.Future.set_exception
    add_callback = delegating.Future.add_done_callback

    @property
    def pending(self) -> bool:
        return not self.done()

    @property
    def value(self) -> T:
        """The result; raises the error of `reject`, or InvalidStateError while it is pending."""
        return self.result()

    @property
    def error(self) -> BaseException | None:
        """The error of `reject`, if there is one."""
        return self._error
