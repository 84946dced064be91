"""Teaching code: the object that waits for a page in each rung, and its bytes.

In a rung that blocks, a thread or a process waits, if not the program itself.  In the others an object waits: a
suspended generator with its Task and its future, or a registered method.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

from ..web.serving.site import Site
from . import scale
from .pycoro.executor import GeneratorExecutor
from .pycoro.future import Future as Promise
from .rung import Rung
from .rungs import cancelling, delegating, futures, native, yielding
from .rungs.callbacks import Fetcher, Loop
from .rungs.join_queue import wait_in
from .rungs.task_future import Task
from .rungs.yielding import Coroutine
from .tornado.coroutine import coroutine
from .tornado.future import Future as TornadoFuture
from .tornado.ioloop import IOLoop
from .world import World
from .world.simulation import SimulatedWorld

#: How many units are created, to compute the bytes of one.
UNITS: Final = 100

#: How bytes are measured where a thread or a process waits, not an object of the program.
OUTSIDE: Final = {
    "processes": scale.process_bytes,
    "threads": scale.thread_bytes,
    "promises": scale.thread_bytes,
}


def parked(future: futures.Future[None]) -> Coroutine[None]:
    """The smallest coroutine that waits."""
    yield future


def parked_within(future: delegating.Future[None]) -> Coroutine[None]:
    """The same, by `yield from`."""
    yield from future


async def parked_in_await(future: native.Future[None]) -> None:
    """The same, by `await`."""
    await future


parked_on_tornado = coroutine(parked)


# Any, from here on: a loop or a Task of one of the rungs, and futures of several classes.
@cache
def loop_of(kind: Callable[[World], Any]) -> Any:
    """A loop that fetches nothing."""
    return kind(SimulatedWorld(Site({}, ())))


def task_of(
    task: Callable[[Any], object], coroutine: Callable[[Any], Coroutine[Any]], kind: Callable[[], object]
) -> Callable[[], object]:
    """Creates a suspended generator, its Task, and the future that it waits for."""

    def unit() -> object:
        future = kind()
        task(coroutine(future))
        return future

    return unit


def run_by_tornado() -> object:
    """A suspended generator, its Runner, its future, and the future of its result."""
    future = TornadoFuture[None]()
    loop = loop_of(IOLoop)
    results: list[Any] = []
    loop.add_callback(lambda: results.append(parked_on_tornado(future)))
    loop.add_callback(loop.stop)
    loop.start()
    return future


#: Creates one of the objects that wait; asyncio's rung has its own, because no other module imports asyncio.
OBJECTS: Final[Mapping[str, Callable[[], object]]] = {
    # A registered method, and so its Fetcher, without the socket.
    "callbacks": lambda: Fetcher(loop_of(Loop), "http://xkcd.test/", lambda url, outcome: None).read_response,
    "yielding": task_of(yielding.Task, parked, futures.Future),
    "delegating": task_of(yielding.Task, parked_within, delegating.Future),
    "cancelling": task_of(cancelling.Task, parked, futures.Future),
    "task_future": task_of(Task, parked_within, delegating.Future),
    # A worker that waits for an item, in a list of waiters.
    **dict.fromkeys(("join_queue", "running", "chapter"), task_of(Task, wait_in, list)),
    "native": task_of(Task, lambda future: native.steps(parked_in_await(future)), native.Future),
    "tornado": run_by_tornado,
    "one_selector": task_of(lambda parked: GeneratorExecutor(parked).start(), parked_within, Promise),
}


def waiting_unit(rung: Rung) -> Callable[[], object] | None:
    """Creates one of the objects that wait; None: no object of the program waits."""
    return OBJECTS.get(rung.name) or getattr(rung.load(), "waiting_unit", None)


def waiting_bytes(rung: Rung) -> float | None:
    """The bytes of one waiting unit; None: there is none, or the system does not report them."""
    if rung.name in OUTSIDE:
        return OUTSIDE[rung.name]()
    unit = waiting_unit(rung)
    return None if unit is None else bytes_of(unit)


def bytes_of(unit: Callable[[], object]) -> int:
    """The bytes of one object that `unit` creates."""
    unit()  # fills the caches
    return scale.traced(lambda: [unit() for _ in range(UNITS)])[1] // UNITS
