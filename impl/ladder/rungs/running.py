"""Teaching code: rung 15, `run_until_complete`: the loop runs until one Task is done and returns its result.

Teaches: a loop has no end of its own; a callback of the main Task ends it, by an error that leaves `run_forever`.
Changed against rung 14: the loop does not end when no socket is watched.  If nothing can happen and the main Task is
not done, it can never be done: that is a DeadlockError, not a hang.
Still wrong: tasks that are not done when the main Task ends stay suspended; `impl/loop.py` cancels them.  From rung 17
on the language has a keyword for coroutines, `async`.

Against the text's sketch: its callback raises StopError, which would leave `set_result`, perhaps in the middle of a
coroutine, and skip the later callbacks (L1).  Here the callback sets a flag, and the loop raises after the callbacks.
The result of the Task is returned, its error raised (L2).  A Task that is done before the loop starts ends it (T7).

Source: "A Web Crawler With asyncio Coroutines" (500 Lines), "Coordinating Coroutines".
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import Any, TypeVar

from ...errors import DeadlockError
from ...web.outcome import Outcome
from ..world import World
from . import yielding
from .futures import Future
from .join_queue import fetch_all
from .task_future import Task
from .yielding import Coroutine

T = TypeVar("T")


class StopError(BaseException):
    """Leaves `run_forever`."""


class EventLoop(yielding.Loop):
    """A loop that runs until its main Task is done."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.stopping = False

    def run_until_complete(self, coroutine: Coroutine[T]) -> T:
        """Run the coroutine as the main Task; return its result or raise its error.

        Raises:
            DeadlockError: the main Task waits, and nothing can happen any more.
        """
        task = Task(coroutine)
        task.add_done_callback(self.stop_callback)
        try:
            self.run_forever()
        except StopError:
            pass
        return task.result()

    def stop_callback(self, future: Future[Any]) -> None:  # Any: of any result
        """Stop: the main Task is done."""
        self.stopping = True

    def run_forever(self) -> None:
        """Run iterations until `stop_callback` is called; then raises StopError."""
        while not self.stopping:
            if not self.deadlines:
                raise DeadlockError("the main task waits, and nothing can ever happen any more")
            self.turn()
        self.stopping = False
        raise StopError


def run(world: World, urls: Sequence[str]) -> dict[str, Outcome]:
    """Fetch the pages, ten at a time."""
    with closing(EventLoop(world)) as loop:
        return loop.run_until_complete(fetch_all(loop, urls))
