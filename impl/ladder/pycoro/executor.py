"""Teaching code: rung 23, 2 of 4, the executor: it runs a generator that waits by yielding futures.

Teaches: `step` sends the value of the last future to the generator, receives the next future, and adds itself to that
one's callbacks.  That is all a coroutine needs.
Changed against the Task of rung 9, from which it derives: it is started by hand, and its own future holds the
generator's result.
Still wrong: it cannot be cancelled (rung 12).

Against the text's sketch: yielding anything but a future raises TypeError at the `yield` (in its repository that is a
NameError).  An error of the generator is stored in the executor's future; it does not reach the code that happens to
resume it (P8).  A done future is not waited for, and a thousand of them in a row are no recursion.  No class name
begins with two underscores, because a function of the module cannot use such a name (P7).

Source: the article on generator-based coroutines around py-coro-impl.
"""

from __future__ import annotations

from typing import Generic, TypeVar

from ..rungs import yielding
from ..rungs.yielding import Coroutine
from .future import Future

__all__ = ["Coroutine", "GeneratorExecutor"]

T = TypeVar("T")


class GeneratorExecutor(yielding.Task, Generic[T]):
    """Runs one generator from `start` on; `future` is the future of its result."""

    def __init__(self, generator: Coroutine[T]) -> None:
        self.coroutine = generator
        self.future = Future[T]()

    def start(self) -> None:
        """Run the generator until it waits."""
        nothing = Future[None]()
        nothing.resolve(None)
        self.step(nothing)

    def ended(self, result: T, error: BaseException | None) -> None:  # type: ignore[override]  # what the generator returns
        if error is None:
            self.future.resolve(result)
        else:
            self.future.reject(error)
