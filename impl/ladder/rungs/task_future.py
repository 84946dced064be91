"""Teaching code: rung 13, a Task is a Future: waiting for it gives its coroutine's result or error.

Teaches: the end of a coroutine can be waited for too.  So coroutines wait for coroutines that run concurrently, and a
program is one Task that waits for others.
Changed against rung 12: the Task holds the result or the error.  `run` waits for one Task, which fetches all pages.
Still wrong: some code must know when to stop the loop (rung 15) and hand out work that is found on the way (rung 14).
An error that is never retrieved is lost; `impl/tasks/future.py` logs it.  A long chain of tasks, each of which waits
for the next, ends in RecursionError (the text's defect F7): see `futures.py`.

Against the text's sketch: an error is stored and raised in the task that waits, not in the caller of `set_result` (T6,
F9).  A cancelled Task is done, and waiting for it raises CancelledError (T10), which does not make the waiting task
cancelled (T11).

Source: "A Web Crawler With asyncio Coroutines" (500 Lines), "Coordinating Coroutines".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Any, TypeVar

from ...web.outcome import Outcome
from ..world import World
from . import cancelling
from .delegating import Future, fetch
from .yielding import Coroutine, Loop

T = TypeVar("T")


class Task(Future[T], cancelling.Task):
    """Runs a coroutine, can cancel it, and is the future of its result."""

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


def run(
    world: World,
    urls: Sequence[str],
    main_of: Callable[[Loop, Sequence[str]], Coroutine[dict[str, Outcome]]] = fetch_all,
) -> dict[str, Outcome]:
    """Fetch the pages, all at once."""
    with closing(Loop(world)) as loop:
        main = Task(main_of(loop, urls))
        loop.run()
    return main.result()
