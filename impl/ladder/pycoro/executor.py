"""Teaching code: rung 23, 2 of 4, the executor: it runs a generator that waits by yielding futures.

Teaches: `_next` sends the value of the last future to the generator, receives the next future, and adds itself to that
one's callbacks.  That is all a coroutine needs.
Changed against the Task of rung 9: only the names.  The executor's own future holds the generator's result.
Still wrong: it cannot be cancelled (rung 12).

Against the text's sketch: yielding anything but a future raises TypeError at the `yield` (in its repository that is a
NameError).  An error of the generator is stored in the executor's future; it does not reach the code that happens to
resume it (P8).  A done future is not waited for, and a thousand of them in a row are no recursion.  No class name
begins with two underscores, because a function of the module cannot use such a name (P7).

Source: the article on generator-based coroutines around py-coro-impl.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Generic, TypeAlias, TypeVar

from .future import Future

T = TypeVar("T")

#: A generator that yields the futures it waits for, receives their values, and returns a T.
Coroutine: TypeAlias = Generator[Future[Any], Any, T]  # Any: a coroutine waits for futures of several types


class GeneratorExecutor(Generic[T]):
    """Runs one generator from `start` on; `future` is the future of its result."""

    def __init__(self, generator: Coroutine[T]) -> None:
        self._generator = generator
        self.future = Future[T]()

    def start(self) -> None:
        """Run the generator until it waits."""
        nothing = Future[None]()
        nothing.resolve(None)
        self._next(nothing)

    def _next(self, future: Future[Any]) -> None:  # Any: as in Coroutine
        """Resume the generator with the future's result or error, until it waits again."""
        while not future.pending:
            try:
                future = self._resumed(future)
            except StopIteration as stop:
                self.future.resolve(stop.value)
                return
            except Exception as error:
                self.future.reject(error)
                return
        future.add_callback(self._next)

    def _resumed(self, future: Future[Any]) -> Future[Any]:  # Any: as in Coroutine
        """Send the value or throw the error; returns the future that is yielded next."""
        if future.error is not None:
            yielded = self._generator.throw(future.error)
        else:
            yielded = self._generator.send(future.value)
        if isinstance(yielded, Future):
            return yielded
        wrong = Future[None]()
        wrong.reject(TypeError(f"a coroutine yields futures, not {yielded!r}"))
        return wrong
