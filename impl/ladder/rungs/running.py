"""Teaching code: rung 15, `run_until_complete`: the loop runs until one Task is done, and its result is the program's.

What it teaches: a loop has no end of its own; a callback on the main Task ends it, by way of an error that leaves
`run_forever`.
What changed against rung 14: the loop does not end because nobody waits.  If nobody does and the Task is not done, it
can never be done, and that is said, with a DeadlockError, instead of a hang.
What is still wrong with it: who is not done when the main Task is stays suspended, and is told nothing; `impl/loop.py`
cancels them.  And all of it is our own: from rung 17 on the language has a word for it, `async`.

Against the text's sketch: the callback does not raise StopError itself, as that would leave `set_result` by way of
whoever resolved, a coroutine perhaps, and the callbacks after it would not be called (L1).  It tells the loop, which
raises when they are all done.  The result of the Task is returned, its error raised (L2); a Task that is done before
the loop begins is done (T7).

Source: "A Web Crawler With asyncio Coroutines" (500 Lines), "Coordinating Coroutines".
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import Any, TypeVar

from ...crawl.outcome import Outcome
from ...errors import DeadlockError
from ..world.interfaces import World
from . import yielding
from .futures import Future
from .join_queue import fetch_all, waiting_unit
from .task_future import Task
from .yielding import Coroutine

__all__ = ["EventLoop", "StopError", "run", "waiting_unit"]

T = TypeVar("T")


class StopError(BaseException):
    """Leaves `run_forever`."""


class EventLoop(yielding.Loop):
    """A loop that runs until it is told to stop."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.stopping = False

    def run_until_complete(self, coroutine: Coroutine[T]) -> T:
        """Run until the coroutine has ended: what it returns; raises what it raises.

        Raises:
            DeadlockError: it waits, and nothing is left that could happen.
        """
        task = Task(coroutine)
        task.add_done_callback(self.stop_callback)
        try:
            self.run_forever()
        except StopError:
            pass
        return task.result()

    def stop_callback(self, future: Future[Any]) -> None:  # Any: whatever the Task returns
        """The main Task is done."""
        self.stopping = True

    def run_forever(self) -> None:
        """Resolve futures until somebody stops it: raises StopError then."""
        while not self.stopping:
            if not self.deadlines:
                raise DeadlockError("the main task waits, and nothing can ever happen any more")
            self.turn()
        self.stopping = False
        raise StopError


def run(world: World, urls: Sequence[str]) -> dict[str, Outcome]:
    """Fetch them, ten at a time."""
    with closing(EventLoop(world)) as loop:
        return loop.run_until_complete(fetch_all(loop, urls))
