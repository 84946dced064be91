"""The trace: every kind of event, canonical names, the digest; and that an observer changes nothing."""

from typing import get_args

import pytest

import impl
from impl import Recorder, sleep
from impl.crawl.simulation import KIND, Crawl, simulate
from impl.interfaces import Observer
from impl.sim.recipe import Recipe
from impl.sim.trace import (
    CancelDelivered,
    CancelRequested,
    Event,
    FutureResolved,
    QueueItem,
    TaskCreated,
    TaskFinished,
    TaskParked,
    TaskResumed,
    TimerFired,
)

from ...programs.generate import seeded
from ...programs.runtimes import Ours, observe

SECOND = 1_000_000_000


def traced(main: object) -> list[Event]:
    recorder = Recorder()
    impl.Loop(observer=recorder).run(main)  # type: ignore[arg-type]  # a coroutine of any kind
    assert recorder.count == len(recorder.events)
    return recorder.events


def test_a_run_event_by_event() -> None:
    async def child(queue: impl.Queue[int]) -> None:
        await queue.get()
        queue.task_done()
        await sleep(1)

    async def main() -> None:
        queue: impl.Queue[int] = impl.Queue()
        task = impl.create_task(child(queue))
        await sleep(0)
        queue.put_nowait(1)
        await task

    root, queue, task, getter, sleeper = (1,), (1, 1), (1, 2), (1, 2, 1), (1, 2, 2)
    assert traced(main()) == [
        TaskCreated(0, root),
        TaskResumed(0, root),
        TaskCreated(0, task),
        TaskParked(0, root, None),
        TaskResumed(0, task),
        TaskParked(0, task, getter),
        TaskResumed(0, root),
        QueueItem(0, queue, "put"),
        FutureResolved(0, getter, "result"),
        TaskParked(0, root, task),
        TaskResumed(0, task),
        QueueItem(0, queue, "got"),
        QueueItem(0, queue, "done"),
        TaskParked(0, task, sleeper),
        TimerFired(SECOND, SECOND),
        FutureResolved(SECOND, sleeper, "result"),
        TaskResumed(SECOND, task),
        TaskFinished(SECOND, task, "result"),
        TaskResumed(SECOND, root),
        TaskFinished(SECOND, root, "result"),
    ]


def test_a_cancel_event_by_event() -> None:
    """A request to a chain: requested of each task, delivered where it is thrown in, then from task to task."""

    async def spin() -> None:
        await sleep(0)

    async def awaits(task: impl.Task[None]) -> None:
        await task

    async def main() -> None:
        inner = impl.create_task(spin())
        outer = impl.create_task(awaits(inner))
        await sleep(0)
        outer.cancel()
        await sleep(0)
        await sleep(0)

    events = traced(main())
    kinds = (CancelRequested, CancelDelivered, TaskFinished)
    assert [event for event in events if isinstance(event, kinds)] == [
        CancelRequested(0, (1, 2)),
        CancelRequested(0, (1, 1)),
        CancelDelivered(0, (1, 1)),
        TaskFinished(0, (1, 1), "cancelled"),
        CancelDelivered(0, (1, 2)),
        TaskFinished(0, (1, 2), "cancelled"),
        TaskFinished(0, (1,), "result"),
    ]


@pytest.mark.parametrize(
    ("how", "wanted"), [("set_result", "result"), ("set_exception", "exception"), ("cancel", "cancelled")]
)
def test_how_a_future_ended(how: str, wanted: str) -> None:
    async def main() -> None:
        future: impl.Future[object] = impl.Future()
        getattr(future, how)(ValueError())
        if not future.cancelled():
            future.exception()  # else it is reported

    assert FutureResolved(0, (1, 1), wanted) in traced(main())


def test_every_kind_of_event_is_seen_in_a_crawl() -> None:
    """Witness: a crawl announces all there is."""
    recipe = Recipe(KIND, Crawl(60), 3)
    ran = simulate(recipe, trace=True)
    events = ran.trace
    assert {type(event) for event in events} == set(get_args(Event))
    assert ran.events == len(events)
    assert ran.digest == simulate(recipe).digest
    assert [event.time for event in events] == sorted(event.time for event in events)


def test_keeping_nothing_has_the_same_digest() -> None:
    digests = set()
    for keep in (True, False):
        recorder = Recorder(keep)
        observe(seeded(5, timers=True), Ours(loop=impl.Loop(observer=recorder)))
        digests.add((recorder.digest(), recorder.count))
        assert bool(recorder.events) is keep
    assert len(digests) == 1


def test_the_digest_tells_programs_apart() -> None:
    """The value of a future is not part of the digest, its outcome is."""

    def digest_of(first: float, second: float, value: object) -> str:
        async def main() -> object:
            await sleep(first)
            await sleep(second)
            return value

        recorder = Recorder(keep=False)
        impl.run(main(), observer=recorder)
        return recorder.digest()

    assert digest_of(1, 2, 5) == digest_of(1, 2, object())
    assert len({digest_of(1, 2, 5), digest_of(2, 1, 5), digest_of(1, 3, 5)}) == 3


@pytest.mark.parametrize("seed", range(30))
def test_watching_changes_nothing(seed: int) -> None:
    """The program sees the same events with a recorder, with an observer that does nothing, and with none."""
    drawn = seeded(seed, timers=True)
    observers = (None, Observer(), Recorder())
    seen = [observe(drawn, Ours(loop=impl.Loop(observer=observer))) for observer in observers]
    assert seen[0] == seen[1] == seen[2]


def test_a_recorder_leaves_unretrieved_exceptions_unretrieved() -> None:
    """FUT-9 holds for a recorded run: its report is the same."""

    async def fails() -> None:
        raise ValueError

    async def main() -> None:
        impl.create_task(fails())
        await sleep(1)

    def reported(observer: Observer | None) -> list[str]:
        messages: list[str] = []
        loop = impl.Loop(observer=observer)
        loop.set_exception_handler(lambda _, what: messages.append(what["message"]))
        loop.run(main())
        return messages

    assert reported(Recorder()) == reported(None) == ["Task 'Task-2' exception was never retrieved"]


def test_a_queue_made_before_the_loop_shows_from_the_first_wait() -> None:
    queue: impl.Queue[int] = impl.Queue(1)

    async def main() -> None:
        queue.put_nowait(1)  # no task has waited yet
        task = impl.create_task(queue.put(2))
        await sleep(0)
        queue.get_nowait()
        await task

    assert [event.what for event in traced(main()) if isinstance(event, QueueItem)] == ["got", "put"]


def test_the_items_that_a_shutdown_discards_are_got_and_done() -> None:
    """QUEUE-31."""

    async def main() -> None:
        queue: impl.Queue[int] = impl.Queue()
        queue.put_nowait(1)
        queue.put_nowait(2)
        queue.shutdown(immediate=True)

    items = [event for event in traced(main()) if isinstance(event, QueueItem)]
    assert [event.what for event in items] == ["put", "put", "got", "done", "got", "done"]
    assert len({event.queue for event in items}) == 1


def test_a_recorder_records_one_loop() -> None:
    recorder = Recorder()
    impl.Loop(observer=recorder).close()
    with pytest.raises(RuntimeError, match="one loop"):
        impl.Loop(observer=recorder)
