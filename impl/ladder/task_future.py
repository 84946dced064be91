"""Teaching code: rung 13, a Task is a Future: whoever waits for it gets what its coroutine returns, or its error.

What it teaches: the end of a coroutine is something to wait for, too.  So coroutines wait for coroutines that run at
the same time, and a program is one Task that waits for others.
What changed against rung 12: the result and the error go to the Task itself, where others take them.  `run` asks one
Task for all pages.
What is still wrong with it: somebody must know when to stop the loop (rung 15), and how to hand out work that is not
known beforehand (rung 14).  An error that nobody asks for is silent; `impl/tasks/future.py` reports it.  A chain of tasks,
each of which waits for the next, ends in RecursionError (the text's defect F7): see `futures.py`.

Against the text's sketch: an error is stored and raised in whoever waits, not in whoever resolved (T6, F9); a Task
that is cancelled is done, and whoever waits for it is told so by a CancelledError (T10), which does not make him
cancelled as well (T11).

Source: "A Web Crawler With asyncio Coroutines" (500 Lines), "Coordinating Coroutines".
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import Any, TypeVar

from ..crawl.outcome import Outcome
from . import cancelling
from .delegating import Future, fetch, parked
from .world import World
from .yielding import Coroutine, Loop

T = TypeVar("T")


class Task(Future[T], cancelling.Task):
    """Runs a coroutine, can stop it, and is the future of its result."""

    def __init__(self, coroutine: Coroutine[T]) -> None:
        Future.__init__(self)
        cancelling.Task.__init__(self, coroutine)

    def ended(self, result: Any, error: BaseException | None) -> None:  # Any: a T
        self.cancelled = self.is_stopped_by(error)
        self._resolve(result, error)


def fetch_all(loop: Loop, urls: Sequence[str]) -> Coroutine[dict[str, Outcome]]:
    """Fetch them, all at once, and wait for every one."""
    tasks = {url: Task(fetch(loop, url)) for url in urls}
    done: dict[str, Outcome] = {}
    for url, task in tasks.items():
        done[url] = yield from task
    return done


def run(world: World, urls: Sequence[str]) -> dict[str, Outcome]:
    """Fetch them, all at once."""
    with closing(Loop(world)) as loop:
        main = Task(fetch_all(loop, urls))
        loop.run()
    return main.result()


def waiting_unit() -> object:
    """Two suspended generators, their Task, which is the future of their result, and the Future that they wait for."""
    future = Future[None]()
    Task(parked(future))
    return future
