"""The typed trace of asyncio and trio runs: the events of a run of impl; and that tracing changes nothing."""

import asyncio
import gc
import json
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeAlias, get_args

import pytest
import trio

import impl
from impl.bridges.asyncio.run import simulate
from impl.bridges.asyncio.trace import AsyncioDigest, TracedEventLoop
from impl.bridges.trio.run import simulate_trio
from impl.net import IDEAL
from impl.runners.simulate import Run
from impl.runners.simulate import simulate as simulate_impl
from impl.sim.order import Order
from impl.sim.trace import (
    CancelDelivered,
    CancelRequested,
    Event,
    FutureResolved,
    Name,
    QueueItem,
    TaskCreated,
    TaskFinished,
    TaskParked,
    TaskResumed,
    TimerFired,
)

from ...programs.generate import seeded
from ...programs.runtimes import Ours, observe
from . import programs, trio_programs

#: impl or asyncio, which have the same names; and the values that a coroutine yields.
Names: TypeAlias = Any

SECOND = 1_000_000_000
ORDERS: tuple[Order, ...] = ("fifo", "any")


def check_shape(trace: Sequence[Event]) -> Counter[str]:
    """Check that the events make sense one after the other; returns how many there are of each kind."""
    created: set[Name] = set()
    stepped: set[Name] = set()
    finished: set[Name] = set()
    resolved: set[Name] = set()
    parked: dict[Name, Name | None] = {}
    running: Name | None = None
    assert [event.time for event in trace] == sorted(event.time for event in trace)
    for event in trace:
        match event:
            case TaskCreated(_, task):
                assert task not in created
                created.add(task)
            case TaskResumed(_, task):
                assert running is None
                assert task in created - finished
                on = parked.pop(task, None)
                assert on is None or on in resolved | finished, f"{task} was resumed, and {on} is not done"
                running = task
                stepped.add(task)
            case TaskParked(_, task, on):
                assert running == task
                parked[task], running = on, None
            case TaskFinished(_, task, _):
                assert task not in finished
                finished.add(task)
                if task in stepped:  # else it is eager, and another task runs
                    assert running == task
                    running = None
            case FutureResolved(_, future, _):
                assert future not in resolved
                resolved.add(future)
            case CancelRequested(_, task):
                assert task in created - finished
            case CancelDelivered(_, task):
                assert running == task
            case QueueItem(_, _, what):
                assert what in ("put", "got", "done")
    assert created == finished
    return Counter(type(event).__name__ for event in trace)


def without_winding_up(trace: Sequence[Event]) -> Sequence[Event]:
    """The trace of an asyncio run without the task that closes asynchronous generators, which impl often lacks."""
    kinds = [TaskCreated, TaskResumed, FutureResolved, TaskFinished]
    assert [type(event) for event in trace[-4:]] == kinds
    return trace[:-4]


# --- asyncio: the events of impl -----------------------------------------------------------------------------


def through_a_queue(names: Names) -> Callable[[], Any]:
    async def child(queue: Any) -> None:
        for _ in range(4):
            await queue.get()
            queue.task_done()
            await names.sleep(1)

    async def main() -> None:
        for kind in (names.Queue, names.LifoQueue, names.PriorityQueue):
            queue = kind(2)
            task = names.create_task(child(queue))
            await names.sleep(0)
            for n in range(4):
                await queue.put(n)
            await queue.join()
            await task

    return main


def cancelled(names: Names) -> Callable[[], Any]:
    async def awaits(task: Any) -> None:
        await task

    async def main() -> None:
        inner = names.create_task(names.sleep(5))
        outer = names.create_task(awaits(inner))
        early = names.create_task(names.sleep(5))
        early.cancel()
        await names.sleep(1)
        outer.cancel()
        await names.gather(inner, outer, early, return_exceptions=True)
        try:
            async with names.timeout(1):
                await names.Event().wait()
        except TimeoutError:
            pass

    return main


def locked(names: Names) -> Callable[[], Any]:
    async def worker(lock: Any, condition: Any, barrier: Any) -> None:
        async with lock:
            await names.sleep(1)
        await barrier.wait()
        async with condition:
            condition.notify_all()
            await names.sleep(1)
        raise KeyError

    async def main() -> None:
        lock, condition, barrier = names.Lock(), names.Condition(), names.Barrier(3)
        try:
            async with names.TaskGroup() as group:
                for _ in range(3):
                    group.create_task(worker(lock, condition, barrier))
        except* KeyError:
            pass

    return main


@pytest.mark.parametrize("program", [through_a_queue, cancelled, locked])
def test_a_program_has_the_same_trace_on_impl_and_on_asyncio(program: Callable[[Names], Any]) -> None:
    ours, theirs = simulate_impl(program(impl), trace=True), simulate(program(asyncio), trace=True)
    assert (ours.error, theirs.error) == (None, None)
    assert list(ours.trace) == list(without_winding_up(theirs.trace))
    assert check_shape(theirs.trace).total() > 30


#: Each library builds these from tasks and futures of its own; and a shutdown of asyncio's queue reports no "done".
OTHERWISE = ("gather", "wait", "wait_for", "as_completed", "shield", "timeout", "timeout_at", "shutdown")


def test_random_programs_have_the_same_trace_on_impl_and_on_asyncio() -> None:
    compared = 0
    for seed in range(300):
        program = seeded(seed, timers=True)
        text = json.dumps(program)
        if any(f'"{name}"' in text or f'.{name}"' in text for name in OTHERWISE):
            continue
        recorder, loop = impl.Recorder(), TracedEventLoop(None, IDEAL, "fifo", AsyncioDigest())
        ours = observe(program, Ours(loop=impl.Loop(observer=recorder)))
        theirs: Any = loop
        if ours == observe(program, Ours(asyncio, theirs)):
            compared += 1
            assert recorder.events == loop.recorder.events, f"seed {seed}"
    assert compared > 20


def test_an_eager_task_announces_itself_before_its_first_step() -> None:
    if sys.version_info < (3, 12):
        pytest.skip("not run: asyncio has eager tasks since 3.12")

    async def done() -> None:
        asyncio.get_running_loop().create_future()

    async def main() -> None:
        asyncio.get_running_loop().set_task_factory(asyncio.eager_task_factory)
        await asyncio.create_task(done())
        await asyncio.create_task(asyncio.sleep(1))

    trace = simulate(main, trace=True).trace
    assert list(trace[2:4]) == [TaskCreated(0, (1, 1)), TaskFinished(0, (1, 1), "result")]


def test_tasks_and_futures_of_other_classes_are_named_when_they_are_met() -> None:
    class OwnTask(asyncio.Task[Any]):
        pass

    async def waits(future: asyncio.Future[int]) -> int:
        return await future

    async def main() -> int:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[int] = asyncio.Future()
        loop.call_later(1, future.set_result, 5)
        own = OwnTask(waits(future), loop=loop)
        loop.set_task_factory(lambda loop, coro, **more: OwnTask(coro, loop=loop, **more))
        first: int = await own
        return first + await asyncio.create_task(waits(future))

    run = simulate(main, trace=True)
    assert run.outcome() == 10
    assert FutureResolved(SECOND, (2, 1), "result") in run.trace
    assert TaskCreated(SECOND, (1, 1)) in run.trace


def test_queues_are_as_before_after_a_traced_run() -> None:
    class Twice(asyncio.Queue[int]):
        """Puts each item twice; `_put` calls the one that it replaces."""

        def _put(self, item: int) -> None:
            super()._put(item)
            super()._put(item)

    outside: asyncio.Queue[int] = asyncio.Queue()

    async def main() -> None:
        queue = Twice()
        queue.put_nowait(1)
        outside.put_nowait(2)
        with pytest.raises(ValueError, match="called too many times"):
            asyncio.Queue[int]().task_done()

    methods = [
        (kind, name) for kind in (asyncio.Queue, Twice, asyncio.LifoQueue) for name in vars(kind) if name != "__doc__"
    ]
    before = [vars(kind)[name] for kind, name in methods]
    trace = simulate(main, trace=True).trace
    assert [vars(kind)[name] for kind, name in methods] == before
    assert [event for event in trace if isinstance(event, QueueItem)] == [
        QueueItem(0, (1, 1), "put"),
        QueueItem(0, (1, 2), "put"),
    ]


def test_a_trace_leaves_unretrieved_exceptions_unretrieved() -> None:
    def reported(trace: bool) -> list[str]:
        messages: list[str] = []

        async def fails() -> None:
            raise ValueError

        async def main() -> None:
            loop = asyncio.get_running_loop()
            loop.set_exception_handler(lambda _, what: messages.append(what["message"]))
            asyncio.create_task(fails())  # noqa: RUF006  (the loop holds it)
            loop.create_future().set_exception(KeyError())
            await asyncio.sleep(1)
            gc.collect()  # since 3.12 the failed task is garbage in a cycle

        simulate(main, trace=trace).outcome()
        return messages

    assert reported(True) == reported(False)
    assert len(reported(True)) == 2


# --- tracing changes nothing ---------------------------------------------------------------------------------


RUNS: list[Callable[..., Run[Any]]] = [
    *(
        partial(simulate, partial(program, None))
        for program in (programs.streams, programs.crawl, programs.fetches, programs.scopes)
    ),
    *(
        partial(simulate_trio, program, None)
        for program in (trio_programs.echo, trio_programs.sharing, trio_programs.generators)
    ),
]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("run", RUNS)
def test_tracing_changes_nothing(run: Callable[..., Run[Any]], order: Order, full: bool) -> None:
    for seed in range(3 if full else 1):
        plain, traced = (run(seed=seed, order=order, trace=trace) for trace in (False, True))
        assert list(plain.trace) == []
        for name in ("result", "elapsed_ns", "events", "digest", "token"):
            assert getattr(plain, name) == getattr(traced, name), name
        assert str(plain.error) == str(traced.error)
        check_shape(traced.trace)


def test_the_events_of_a_crawl_on_asyncio_are_of_every_kind() -> None:
    kinds = check_shape(simulate(lambda: programs.fetches(None), trace=True).trace)
    kinds += check_shape(simulate(through_a_queue(asyncio), trace=True).trace)
    assert set(kinds) == {kind.__name__ for kind in get_args(Event)}


def test_recorded_choices_repeat_bridged_runs() -> None:
    """A token of choices, not of a seed; it holds the seed of the module random too."""
    first = simulate(lambda: programs.streams(None), seed=3, order="any")
    again = simulate(lambda: programs.streams(None), token=first.recorded_token())
    assert (again.digest, again.result, again.token) == (first.digest, first.result, first.recorded_token())
    over = simulate_trio(trio_programs.echo, None, seed=3, order="any")
    repeated = simulate_trio(trio_programs.echo, None, token=over.recorded_token())
    assert (repeated.digest, repeated.result) == (over.digest, over.result)


# --- trio ----------------------------------------------------------------------------------------------------


def test_a_trio_run_event_by_event() -> None:
    """A wait is a future that the task creates; a deadline is a timer, and cancels the wait."""

    async def child(event: trio.Event) -> None:
        await event.wait()

    async def fails() -> None:
        raise KeyError

    async def main() -> None:
        event = trio.Event()
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(child, event)
                await trio.sleep(1)
                event.set()
                nursery.start_soon(trio.sleep, 5)
                nursery.start_soon(fails)
        except* KeyError:
            pass

    root, first, sleeper, failing = (1,), (1, 1), (1, 3), (1, 4)
    trace = simulate_trio(main, trace=True).trace
    check_shape(trace)
    assert list(trace) == [
        TaskCreated(0, root),
        TaskResumed(0, root),
        TaskCreated(0, first),
        TaskParked(0, root, (1, 2)),
        TaskResumed(0, first),
        TaskParked(0, first, (1, 1, 1)),
        TimerFired(SECOND, SECOND),
        CancelRequested(SECOND, root),
        FutureResolved(SECOND, (1, 2), "cancelled"),
        TaskResumed(SECOND, root),
        CancelDelivered(SECOND, root),
        FutureResolved(SECOND, (1, 1, 1), "result"),
        TaskCreated(SECOND, sleeper),
        TaskCreated(SECOND, failing),
        TaskParked(SECOND, root, (1, 5)),
        TaskResumed(SECOND, first),
        TaskFinished(SECOND, first, "result"),
        TaskResumed(SECOND, sleeper),
        TaskParked(SECOND, sleeper, (1, 3, 1)),
        TaskResumed(SECOND, failing),
        CancelRequested(SECOND, sleeper),
        FutureResolved(SECOND, (1, 3, 1), "cancelled"),
        TaskFinished(SECOND, failing, "exception"),
        TaskResumed(SECOND, sleeper),
        CancelDelivered(SECOND, sleeper),
        FutureResolved(SECOND, (1, 5), "result"),
        TaskFinished(SECOND, sleeper, "cancelled"),
        TaskResumed(SECOND, root),
        TaskFinished(SECOND, root, "result"),
    ]
