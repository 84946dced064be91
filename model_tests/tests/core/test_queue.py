"""Queues, beyond the vectors and the machines: no loop, references, reprs, and the classes of their errors."""

import gc
from typing import Any

import pytest

import impl
from impl import sleep
from impl.interfaces import Observer

# Any: items are anything.
CLASSES: list[type[impl.Queue[Any]]] = [impl.Queue, impl.LifoQueue, impl.PriorityQueue]
KIND = pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)


@pytest.mark.parametrize("call", ["get", "put", "join"])
async def test_cancelled_waiters_leave_no_trace(call: str) -> None:
    """bpo-31620: the wait queues do not grow.  A wait queue refers to its futures, so the collector lists them."""
    queue: impl.Queue[int] = impl.Queue(1)
    if call != "get":
        queue.put_nowait(0)
    for _ in range(50):
        waiter = impl.create_task(getattr(queue, call)(*[1] * (call == "put")))
        await sleep(0)
        waiter.cancel()
        await sleep(0)
    del waiter
    assert sum(type(thing) is impl.Future for thing in gc.get_referents(*gc.get_referents(queue))) == 0


@pytest.mark.parametrize("early", [False, True])
def test_it_is_announced_to_the_observer_once(early: bool) -> None:
    """When it is made, or, if no loop runs then, by the first call that waits."""
    made: list[object] = []

    class Notes(Observer):
        def created(self, thing: object) -> None:
            made.append(thing)

    before: impl.Queue[int] = impl.Queue()

    async def main() -> None:
        queue = before if early else impl.Queue()
        assert made.count(queue) == (not early)
        for _ in range(2):
            getter = impl.create_task(queue.get())
            await sleep(0)
            queue.put_nowait(1)
            await getter
            assert made.count(queue) == 1

    impl.Loop(observer=Notes()).run(main())


@KIND
def test_repr_says_what_it_holds(kind: type[impl.Queue[Any]]) -> None:
    queue = kind(2)
    queue.put_nowait(1)
    assert repr(queue) == f"<{kind.__name__} maxsize=2 items=1 unfinished=1>"
    queue.shutdown()
    assert repr(queue) == f"<{kind.__name__} maxsize=2 items=1 unfinished=1 shut down>"


def test_a_shut_queue_is_no_cycle_of_references() -> None:
    gc.collect()
    queue: impl.Queue[int] = impl.Queue()
    queue.shutdown()
    del queue
    assert gc.collect() == 0


@KIND
def test_the_errors_are_class_attributes(kind: type[impl.Queue[Any]]) -> None:
    """A bridge has another runtime's."""
    errors = {name: type(name, (Exception,), {}) for name in ("Empty", "Full", "ShutDown")}
    queue = type("Other", (kind,), errors)(1)
    with pytest.raises(errors["Empty"]):
        queue.get_nowait()
    queue.put_nowait(1)
    with pytest.raises(errors["Full"]):
        queue.put_nowait(2)
    queue.shutdown(immediate=True)
    with pytest.raises(errors["ShutDown"]):
        queue.put_nowait(2)
    with pytest.raises(errors["ShutDown"]):
        queue.get_nowait()
