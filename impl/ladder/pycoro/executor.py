"""Teaching code: rung 23, 2 of 4, the executor: it runs a generator that waits by yielding futures.

What it teaches: `next` sends the generator the value of the last future, gets the next one, and asks that one to call
`next` again.  There is no more to a coroutine.
What changed against the Task of rung 9: nothing but the names.  Its own future says what the generator has returned.
What is still wrong with it: nobody can stop it (rung 12).

Against the text's sketch: what is yielded and is no future is told the generator at its `yield` (its repository has a
NameError instead), and what the generator raises is told whoever waits for it, not whoever happens to run it (P8).  A
future that is there already is not waited for, and a thousand of them in a row are no recursion.  No name of a class
begins with two underscores: in a function of the module such a name is not found (P7).

Source: the article on generator-based coroutines around py-coro-impl.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Generic, TypeAlias, TypeVar

from .future import Future

T = TypeVar("T")

#: A generator that yields the futures it waits for, gets their values, and returns a T.
Coroutine: TypeAlias = Generator[Future[Any], Any, T]  # Any: a coroutine waits for futures of several types


class GeneratorExecutor(Generic[T]):
    """Runs one generator, from `start` on; `future` is what it returns."""

    def __init__(self, generator: Coroutine[T]) -> None:
        self._generator = generator
        self.future = Future[T]()

    def start(self) -> None:
        """Run it up to where it first waits."""
        nothing = Future[None]()
        nothing.resolve(None)
        self._next(nothing)

    def _next(self, future: Future[Any]) -> None:  # Any: as in Coroutine
        """Go on, now that `future` is there, up to where it waits again."""
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
        """Send it the value, or throw the error; what it yields."""
        if future.error is not None:
            yielded = self._generator.throw(future.error)
        else:
            yielded = self._generator.send(future.value)
        if isinstance(yielded, Future):
            return yielded
        wrong = Future[None]()
        wrong.reject(TypeError(f"a coroutine yields futures, not {yielded!r}"))
        return wrong
