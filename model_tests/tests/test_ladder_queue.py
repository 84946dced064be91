"""The ladder's queue and its run_until_complete: the defects Q1 to Q5, L1 to L3 and T7 of the text's sketch are not
there; S0 is, as it is the text's rule that callbacks run inside `set_result`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from impl.errors import DeadlockError, QueueFull
from impl.ladder.delegating import Future
from impl.ladder.join_queue import JoinableQueue, fetch_all, run, work
from impl.ladder.measure import pages, reference
from impl.ladder.running import EventLoop
from impl.ladder.simulated import SimulatedWorld
from impl.ladder.task_future import Task
from impl.ladder.yielding import Coroutine
from impl.loop import Loop
from impl.runners import create_task, sleep
from impl.sim.choices import Choices
from impl.sync.queue import Queue
from impl.web.site import Site

#: A little web whose pages take no time; two of them link to `b`.
LINKS = {"r": ["a", "b"], "a": ["b"], "b": []}


@pytest.fixture
def loop() -> Iterator[EventLoop]:
    """In a world with nothing in it."""
    world = SimulatedWorld(Site({}, ()))
    loop = EventLoop(world)
    yield loop
    loop.close()
    world.close()


def sleeps(loop: EventLoop, seconds: float) -> Coroutine[None]:
    """Wait for a time-out, as a fetch does that comes to nothing."""
    alarm = Future[None]()
    loop.deadlines[alarm] = loop.world.time() + seconds
    try:
        yield from alarm
    except TimeoutError:
        del loop.deadlines[alarm]


def gets(queue: JoinableQueue[str], seen: list[str]) -> Coroutine[None]:
    seen.append((yield from queue.get()))


def joins(queue: JoinableQueue[str], seen: list[str], *then: Future[str]) -> Coroutine[None]:
    """Join it, then wait for these."""
    yield from queue.join()
    seen.append("joined")
    for each in then:
        seen.append((yield from each))


def test_items_go_in_order_to_those_who_wait_in_order() -> None:
    queue = JoinableQueue[str]()
    seen: list[list[str]] = [[], [], []]
    for each in seen[:2]:
        Task(gets(queue, each))
    for item in "abc":
        queue.put_nowait(item)
    Task(gets(queue, seen[2]))
    assert seen == [["a"], ["b"], ["c"]]


def test_join_waits_until_each_item_is_reported() -> None:
    """Not until the queue is empty; with nothing to do it does not wait at all."""
    queue = JoinableQueue[str]()
    seen: list[str] = []
    Task(joins(queue, seen))
    assert seen == ["joined"]
    queue.put_nowait("a")
    Task(gets(queue, []))
    Task(joins(queue, seen))
    assert seen == ["joined"]
    queue.task_done()
    assert seen == ["joined", "joined"]


def test_join_waits_again_when_there_is_work_again() -> None:
    """Q1: the second join waits for the second item, and its end raises nothing."""
    queue = JoinableQueue[str]()
    seen: list[str] = []
    for count in (1, 2, 3):
        queue.put_nowait("a")
        Task(joins(queue, seen))
        assert len(seen) == count - 1
        queue.task_done()
        assert len(seen) == count


def test_join_does_not_return_while_there_is_work() -> None:
    """Q1: who is woken first may put more; then the others go on waiting."""
    queue = JoinableQueue[str]()
    seen: list[str] = []

    def joins_and_puts() -> Coroutine[None]:
        yield from queue.join()
        queue.put_nowait("more")

    queue.put_nowait("a")
    Task(joins_and_puts())
    Task(joins(queue, seen))
    queue.task_done()
    assert seen == []
    queue.task_done()
    assert seen == ["joined"]


def test_a_second_end_wakes_nobody_who_has_gone_on() -> None:
    """Q2: who has joined and waits for something else is left alone."""
    queue = JoinableQueue[str]()
    other = Future[str]()
    seen: list[str] = []
    queue.put_nowait("a")
    Task(joins(queue, seen, other))
    queue.task_done()
    queue.put_nowait("b")
    queue.task_done()
    assert seen == ["joined"]
    other.set_result("other")
    assert seen == ["joined", "other"]


def test_task_done_is_refused_when_nothing_is_open() -> None:
    """Q3; and changes nothing: an item that is put then is open (Q4)."""
    queue = JoinableQueue[str]()
    with pytest.raises(ValueError, match="too many times"):
        queue.task_done()
    seen: list[str] = []
    queue.put_nowait("a")
    Task(joins(queue, seen))
    assert seen == []
    queue.task_done()
    assert seen == ["joined"]


def test_a_put_that_nobody_waits_for_puts_nothing() -> None:
    """Q5: `put` is a coroutine, and a call of it runs no line; so the rung begins with `put_nowait`."""
    queue = JoinableQueue[str]()
    seen: list[str] = []
    queue.put("a")
    Task(joins(queue, seen))
    assert seen == ["joined"]


def test_all_pages_are_fetched() -> None:
    """Q5: the first ones are put, and so there are pages."""
    site = pages(25, page_ms=20)
    urls = list(site.resources)
    world = SimulatedWorld(site)
    try:
        assert run(world, urls) == reference(site, urls)
        assert world.meter.concurrency == 10
    finally:
        world.close()


def test_a_getter_that_is_cancelled_leaves_the_line() -> None:
    """So the item goes to the next one."""
    queue = JoinableQueue[str]()
    seen: list[str] = []
    first, _ = Task(gets(queue, [])), Task(gets(queue, seen))
    first.cancel()
    queue.put_nowait("a")
    assert seen == ["a"]


def test_a_putter_waits_for_room() -> None:
    queue = JoinableQueue[str](1)
    seen: list[str] = []

    def puts(item: str) -> Coroutine[None]:
        yield from queue.put(item)
        seen.append(f"put {item}")

    tasks = [Task(puts(item)) for item in "abc"]
    assert seen == ["put a"]
    with pytest.raises(QueueFull):
        queue.put_nowait("d")
    tasks[1].cancel()
    Task(gets(queue, seen))
    assert seen == ["put a", "put c", "a"]


def puts_what_it_finds(queue: JoinableQueue[int]) -> Coroutine[None]:
    """A worker whose items make two more each, down to 0."""
    while True:
        left = yield from queue.get()
        for _ in range(2 if left else 0):
            yield from queue.put(left - 1)
        queue.task_done()


def fans_out(queue: JoinableQueue[int]) -> Coroutine[str]:
    queue.put_nowait(3)
    workers = [Task(puts_what_it_finds(queue)) for _ in range(2)]
    yield from queue.join()
    return f"{sum(worker.cancel() for worker in workers)} workers cancelled"


def test_workers_that_put_must_not_wait_for_room(loop: EventLoop) -> None:
    """L3: all of them wait for room that only they could make.  Without a bound they come to an end."""
    with pytest.raises(DeadlockError):
        loop.run_until_complete(fans_out(JoinableQueue(1)))
    assert loop.run_until_complete(fans_out(JoinableQueue())) == "2 workers cancelled"


def crawls(queue: JoinableQueue[str], seen: set[str], fetched: list[str], *, noted: bool) -> Coroutine[None]:
    """A worker in the order of the text, which puts first, or (`noted`) in the right one."""
    while True:
        page = yield from queue.get()
        fetched.append(page)
        new = [link for link in LINKS[page] if link not in seen]
        if noted:
            seen.update(new)
        for link in new:
            queue.put_nowait(link)
        seen.update(new)
        queue.task_done()


@pytest.mark.parametrize(("noted", "expected"), [(False, ["r", "a", "b", "b"]), (True, ["r", "a", "b"])])
def test_a_put_runs_a_worker_before_the_next_line(*, noted: bool, expected: list[str]) -> None:
    """S0, which is the text's rule: the page is fetched twice, unless it is noted before it is put."""
    queue = JoinableQueue[str]()
    fetched: list[str] = []
    seen = {"r"}
    for _ in range(3):
        Task(crawls(queue, seen, fetched, noted=noted))
    queue.put_nowait("r")
    assert fetched == expected


def test_a_put_runs_nobody_where_callbacks_are_deferred() -> None:
    """S0 is not there with `impl/tasks/future.py`, which the head of the rung names."""
    fetched: list[str] = []
    seen = {"r"}

    async def crawls(queue: Queue[str]) -> None:
        while True:
            page = await queue.get()
            fetched.append(page)
            new = [link for link in LINKS[page] if link not in seen]
            for link in new:
                queue.put_nowait(link)
            seen.update(new)
            queue.task_done()

    async def main() -> None:
        queue = Queue[str]()
        workers = [create_task(crawls(queue)) for _ in range(3)]
        await sleep(1)
        queue.put_nowait("r")
        await queue.join()
        for worker in workers:
            worker.cancel()

    Loop(Choices.plain()).run(main())
    assert fetched == ["r", "a", "b"]


def test_a_worker_that_dies_is_told_to_whoever_waits_for_all(
    loop: EventLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its item is done all the same, so the join ends; then its error is raised."""

    def fetch(loop: Any, url: str) -> Coroutine[None]:  # Any: nobody looks at it
        raise RuntimeError(f"in the worker, at {url}")
        yield

    monkeypatch.setattr("impl.ladder.join_queue.fetch", fetch)
    queue = JoinableQueue[str]()
    queue.put_nowait("a")
    worker = Task(work(loop, queue, {}))
    assert isinstance(worker.exception(), RuntimeError)
    with pytest.raises(RuntimeError, match="in the worker, at a"):
        loop.run_until_complete(fetch_all(loop, ["a"]))


def test_the_result_of_the_main_task_is_returned(loop: EventLoop) -> None:
    """L2; and what it waits for takes its time.  Twice, as the loop is not stopped for ever."""

    def main(number: int) -> Coroutine[int]:
        yield from sleeps(loop, 2)
        return number

    assert [loop.run_until_complete(main(number)) for number in (1, 2)] == [1, 2]
    assert loop.world.time() == 4


def test_the_error_of_the_main_task_is_raised(loop: EventLoop) -> None:
    """L2."""

    def main() -> Coroutine[None]:
        yield from sleeps(loop, 2)
        raise LookupError("of the main task")

    with pytest.raises(LookupError, match="of the main task"):
        loop.run_until_complete(main())


def test_a_main_task_that_does_not_wait_is_done(loop: EventLoop) -> None:
    """T7."""

    def main() -> Coroutine[str]:
        return "at once"
        yield

    assert loop.run_until_complete(main()) == "at once"


def test_a_main_task_that_can_never_be_done_is_a_deadlock(loop: EventLoop) -> None:
    """L2: and no hang."""

    def main() -> Coroutine[str]:
        return (yield from Future[str]())

    with pytest.raises(DeadlockError, match="nothing can ever happen"):
        loop.run_until_complete(main())


def test_the_end_of_the_main_task_interrupts_nobody(loop: EventLoop) -> None:
    """L1: others in the line of the same future are called, and whoever resolved it goes on."""
    bell = Future[str]()
    seen: list[str] = []

    def rings() -> Coroutine[None]:
        yield from sleeps(loop, 2)
        bell.set_result("ring")
        seen.append("whoever resolved goes on")

    def late() -> Coroutine[None]:
        yield from sleeps(loop, 1)
        seen.append((yield from bell))

    def main() -> Coroutine[str]:
        return (yield from bell)

    ringer = Task(rings())
    Task(late())
    assert loop.run_until_complete(main()) == "ring"
    assert seen == ["ring", "whoever resolved goes on"]
    assert ringer.done()
