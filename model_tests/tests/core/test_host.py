"""Future, Task and Queue are independent of loop classes: they run on the small host below, and import none."""

from collections import deque
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import impl
from impl.interfaces import Observer, Runnable
from impl.tasks.current import set_running_loop

from ...dev.imports import import_graph

IMPL = Path(impl.__file__).parent
GRAPH = cache(lambda: import_graph(IMPL))


class Host:
    """All that Future, Task and Queue need. Any: as in interfaces.Host."""

    def __init__(self) -> None:
        self.ready: deque[Runnable] = deque()
        self.current: Any = None
        self.observer: Observer | None = None
        self.tasks: list[object] = []

    def adopt(self, task: object) -> int:
        self.tasks.append(task)
        return len(self.tasks)

    def release(self, task: object) -> None:
        self.tasks.remove(task)

    def report(self, what: dict[str, Any]) -> None:
        raise what["exception"]

    def create_future(self) -> impl.Future[Any]:
        return impl.Future(self)

    def run(self) -> None:
        before = set_running_loop(self)
        while self.ready:
            self.ready.popleft().run()
        set_running_loop(before)


def test_a_producer_and_a_consumer_on_twenty_lines() -> None:
    host = Host()
    queue: impl.Queue[int] = impl.Queue(1)
    got: list[int] = []

    async def produce() -> str:
        for item in range(3):
            await queue.put(item)
        await queue.join()
        return "joined"

    async def consume() -> None:
        while True:
            got.append(await queue.get())
            queue.task_done()

    producer = impl.Task(produce(), host)
    consumer = impl.Task(consume(), host)
    host.run()
    assert (got, producer.result(), host.tasks) == ([0, 1, 2], "joined", [consumer])
    assert consumer.cancel()
    host.run()
    assert (consumer.cancelled(), host.tasks) == (True, [])


def test_a_future_and_its_callbacks_on_twenty_lines() -> None:
    host = Host()
    future: impl.Future[int] = impl.Future(host)
    seen: list[int] = []
    future.add_done_callback(lambda done: seen.append(done.result()))
    future.set_result(5)
    assert seen == []
    host.run()
    assert seen == [5]


@pytest.mark.parametrize("module", ["tasks.future", "tasks.task", "sync.queue", "combinators.timeout"])
def test_no_primitive_imports_a_loop(module: str) -> None:
    reached = reachable(f"impl.{module}")
    assert {"impl.interfaces", "impl.tasks.current"} <= reached
    assert reached & {"impl.sim.kernel", "impl.loop", "impl.sim.order", "impl.sim.trace"} == set()


def test_the_import_graph_shows_that_the_loop_imports_the_kernel() -> None:
    assert "impl.sim.kernel" in reachable("impl.loop")


def reachable(module: str) -> set[str]:
    """The modules of impl that `module` imports, directly or not, type-checking imports included."""
    graph = GRAPH()
    reached: set[str] = set()
    new = {module}
    while new:
        reached |= new
        new = set().union(*(graph[name] for name in new)) - reached
    return reached
