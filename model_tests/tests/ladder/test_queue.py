"""Rungs 14 and 15, the queue and the loop's end: Q1 to Q5, L1 to L3 and T7 of the text's sketch are absent.

S0 is present: callbacks run inside `set_result`, which is the text's rule.
"""

from __future__ import annotations

import pytest

from impl.errors import DeadlockError
from impl.ladder.rungs.delegating import Future
from impl.ladder.rungs.join_queue import JoinableQueue
from impl.ladder.rungs.running import EventLoop
from impl.ladder.rungs.task_future import Task
from impl.ladder.rungs.yielding import Coroutine

#: A little web of pages that take no time; two of them link to `b`.
LINKS = {"r": ["a", "b"], "a": ["b"], "b": []}


def sleeps(loop: EventLoop, seconds: float) -> Coroutine[None]:
    """Wait for a deadline of the loop."""
    alarm = Future[None]()
    loop.deadlines[alarm] = loop.world.time() + seconds
    try:
        yield from alarm
    except TimeoutError:
        del loop.deadlines[alarm]


def joins(queue: JoinableQueue[str], seen: list[str], *then: Future[str]) -> Coroutine[None]:
    """Join the queue, then wait for the futures."""
    yield from queue.join()
    seen.append("joined")
    for each in then:
        seen.append((yield from each))


def test_join_waits_again_when_there_is_work_again() -> None:
    """Q1: each join waits for its item, and none raises; without work it does not wait.

    If the first joiner puts more, the second one still waits.
    """
    queue = JoinableQueue[str]()
    seen: list[str] = []
    Task(joins(queue, seen))
    assert seen.pop() == "joined"
    for count in (1, 2, 3):
        queue.put_nowait("a")
        Task(joins(queue, seen))
        assert len(seen) == count - 1
        queue.task_done()
        assert len(seen) == count

    def joins_and_puts() -> Coroutine[None]:
        yield from queue.join()
        queue.put_nowait("more")

    queue.put_nowait("a")
    Task(joins_and_puts())
    Task(joins(queue, seen))
    for count in (3, 4):
        queue.task_done()
        assert len(seen) == count


def test_a_second_end_does_not_wake_an_old_joiner() -> None:
    """Q2: a task that has joined and waits for something else is not resumed."""
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
    """Q3; it changes nothing, so the next item is open (Q4)."""
    queue = JoinableQueue[str]()
    with pytest.raises(ValueError, match="too many times"):
        queue.task_done()
    seen: list[str] = []
    queue.put_nowait("a")
    Task(joins(queue, seen))
    assert seen == []
    queue.task_done()
    assert seen == ["joined"]


def test_a_put_that_is_not_waited_for_puts_nothing() -> None:
    """Q5: `put` is a coroutine, and a call of it runs no line; so the rung begins with `put_nowait`."""
    queue = JoinableQueue[str]()
    seen: list[str] = []
    queue.put("a")
    Task(joins(queue, seen))
    assert seen == ["joined"]


def puts_what_it_finds(queue: JoinableQueue[int]) -> Coroutine[None]:
    """A worker that makes two more items of each, down to 0."""
    while True:
        left = yield from queue.get()
        for _ in range(2 if left else 0):
            yield from queue.put(left - 1)
        queue.task_done()


def test_workers_that_put_must_not_wait_for_room(loop: EventLoop) -> None:
    """L3: all of them wait for room that only they could make.  Without a bound they finish."""

    def fans_out(queue: JoinableQueue[int]) -> Coroutine[int]:
        queue.put_nowait(3)
        workers = [Task(puts_what_it_finds(queue)) for _ in range(2)]
        yield from queue.join()
        return sum(worker.cancel() for worker in workers)

    with pytest.raises(DeadlockError):
        loop.run_until_complete(fans_out(JoinableQueue(1)))
    assert loop.run_until_complete(fans_out(JoinableQueue())) == 2


def crawls(queue: JoinableQueue[str], seen: set[str], fetched: list[str], *, noted: bool) -> Coroutine[None]:
    """A worker in the text's order, which puts a link before it notes it as seen; or after, if `noted`."""
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
    """S0, the text's rule: the page is fetched twice, unless it is noted before it is put."""
    queue = JoinableQueue[str]()
    fetched: list[str] = []
    seen = {"r"}
    for _ in range(3):
        Task(crawls(queue, seen, fetched, noted=noted))
    queue.put_nowait("r")
    assert fetched == expected


def test_the_result_of_the_main_task_is_returned(loop: EventLoop) -> None:
    """L2; the loop can run again.  T7: a task that does not wait is done."""

    def main(seconds: int) -> Coroutine[int]:
        if seconds:
            yield from sleeps(loop, seconds)
        return seconds

    assert [loop.run_until_complete(main(seconds)) for seconds in (1, 3, 0)] == [1, 3, 0]
    assert loop.world.time() == 4


def test_the_error_of_the_main_task_is_raised(loop: EventLoop) -> None:
    """L2."""

    def main() -> Coroutine[None]:
        yield from sleeps(loop, 2)
        raise LookupError("of the main task")

    with pytest.raises(LookupError, match="of the main task"):
        loop.run_until_complete(main())


def test_a_main_task_that_can_never_be_done_is_a_deadlock(loop: EventLoop) -> None:
    """L2: and no hang."""

    def main() -> Coroutine[str]:
        return (yield from Future[str]())

    with pytest.raises(DeadlockError, match="nothing can ever happen"):
        loop.run_until_complete(main())


def test_the_end_of_the_main_task_interrupts_no_other(loop: EventLoop) -> None:
    """L1: the other waiters of the same future are resumed, and the caller of `set_result` continues."""
    bell = Future[str]()
    seen: list[str] = []

    def rings() -> Coroutine[None]:
        yield from sleeps(loop, 2)
        bell.set_result("ring")
        seen.append("the next line")

    def waits(seconds: int) -> Coroutine[str]:
        if seconds:
            yield from sleeps(loop, seconds)
        seen.append((yield from bell))
        return "main"

    ringer = Task(rings())
    Task(waits(1))
    assert loop.run_until_complete(waits(0)) == "main"
    assert seen == ["ring", "ring", "the next line"]
    assert ringer.done()
