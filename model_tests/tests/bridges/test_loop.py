"""The simulated asyncio loop without its network: iterations, timers, tasks, errors, executors, order, tokens.

Source: CPython documentation of 3.15, "Event Loop", "Coroutines and Tasks", "Runners".
"""

import asyncio
import concurrent.futures
import contextvars
import logging
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from impl import Choices, DeadlockError, LivelockError
from impl.bridges.asyncio.loop import SimEventLoop
from impl.bridges.asyncio.run import run, simulate
from impl.sim.order import AnyOrder

# `Any` in this file: results of programs.


@pytest.fixture
def loop() -> Iterator[SimEventLoop]:
    made = SimEventLoop()
    yield made
    made.close()


# --- iterations and timers -----------------------------------------------------------------------------------


@pytest.mark.parametrize("begun", [0.0, 0.069999999, 0.1, 1e9 / 3])
def test_a_timer_is_never_early_by_the_loops_own_clock(loop: SimEventLoop, begun: float) -> None:
    """Code that reads time(), and waits again if it is early, would wait for ever (anyio's scopes do)."""
    early: list[float] = []

    def look(when: float) -> None:
        early.extend([when] if loop.time() < when else [])

    async def main() -> None:
        await asyncio.sleep(begun)
        for n in range(200):
            when = loop.time() + 5 + n / 7
            loop.call_at(when, look, when)
        await asyncio.sleep(60)

    loop.run_until_complete(main())
    assert early == []


def test_a_loop_takes_a_ready_queue_and_sleeps_of_one_instant_are_not_drawn_for() -> None:
    choices = Choices.plain()
    queue = AnyOrder(choices.schedule.pick)
    loop = SimEventLoop(choices, order="any", ready=queue)

    for _ in range(2):
        loop.create_task(asyncio.sleep(1))
    loop.run_until_complete(asyncio.sleep(0.5))
    before = len(choices.schedule.drawn)
    loop.kernel.advance(1_000_000_000)
    assert (len(queue), len(choices.schedule.drawn)) == (2, before)
    loop.close()


def test_what_is_no_time_and_no_handler_is_refused(loop: SimEventLoop) -> None:
    with pytest.raises(TypeError):
        loop.call_later(None, print)  # type: ignore[arg-type]  # on purpose
    with pytest.raises(TypeError):
        loop.call_at(None, print)  # type: ignore[arg-type]  # on purpose
    with pytest.raises(TypeError):
        loop.set_exception_handler("none")  # type: ignore[arg-type]  # on purpose
    with pytest.raises(TypeError):
        loop.set_task_factory("none")
    with pytest.raises(ValueError, match="NaN"):
        loop.call_later(float("nan"), print)
    handle = loop.call_later(float("inf"), print)
    assert handle.when() == float("inf")
    loop.call_soon(loop.stop)
    loop.run_forever()


def test_handles_are_asyncios(loop: SimEventLoop) -> None:
    soon, later = loop.call_soon(print), loop.call_later(1, print)
    assert isinstance(soon, asyncio.Handle)
    assert isinstance(later, asyncio.TimerHandle)
    assert later.when() == 1
    assert later < loop.call_later(2, print)
    assert later != loop.call_later(1, print)
    assert len({soon, later}) == 2
    assert repr(soon) == "<Handle print>"
    soon.cancel()
    later.cancel()
    assert soon.cancelled()
    assert later.cancelled()
    assert repr(later) == "<TimerHandle cancelled>"


# --- running -------------------------------------------------------------------------------------------------


def test_run_until_complete_gives_the_result_or_the_error(loop: SimEventLoop) -> None:
    async def fails() -> None:
        raise LookupError("no")

    assert loop.run_until_complete(asyncio.sleep(1, "result")) == "result"
    with pytest.raises(LookupError):
        loop.run_until_complete(fails())
    future = loop.create_future()
    loop.call_soon(loop.stop)
    with pytest.raises(RuntimeError, match="stopped before"):
        loop.run_until_complete(future)


def test_a_loop_runs_once_at_a_time_and_not_when_it_is_closed() -> None:
    loop = SimEventLoop()

    async def main() -> None:
        assert loop.is_running()
        with pytest.raises(RuntimeError, match="already running"):
            loop.run_forever()
        with pytest.raises(RuntimeError, match="another loop"):
            SimEventLoop().run_forever()
        with pytest.raises(RuntimeError, match="Cannot close"):
            loop.close()

    loop.run_until_complete(main())
    loop.close()
    loop.close()
    assert loop.is_closed()
    with pytest.raises(RuntimeError, match="closed"):
        loop.call_soon(print)
    with pytest.raises(RuntimeError, match="closed"):
        loop.run_forever()


def test_the_standard_librarys_runner_runs_it() -> None:
    async def main() -> str:
        left = asyncio.create_task(asyncio.sleep(3600))
        await asyncio.sleep(0)
        assert not left.done()
        return "result"

    with asyncio.Runner(loop_factory=SimEventLoop) as runner:
        assert runner.run(main()) == "result"


def test_keyboard_interrupt_ends_the_loop(loop: SimEventLoop) -> None:
    async def main() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        loop.run_until_complete(main())
    assert not loop.is_running()


# --- tasks ---------------------------------------------------------------------------------------------------


def test_tasks_and_futures_are_those_of_the_standard_library_numbered_by_their_loop() -> None:
    async def main() -> tuple[list[int], list[str]]:
        tasks = {asyncio.create_task(asyncio.sleep(0)) for _ in range(100)}
        done, _ = await asyncio.wait(tasks)
        assert all(isinstance(task, asyncio.Task) for task in done)
        future = asyncio.get_running_loop().create_future()
        assert isinstance(future, asyncio.Future)
        assert len({future, *tasks}) == 101
        return [hash(task) for task in done], sorted(task.get_name() for task in done)

    first, again = simulate(main).outcome(), simulate(main).outcome()
    assert first == again
    assert first[1][0] == "Task-10"  # Task-1 is main


def test_all_tasks_come_in_order_of_creation_and_are_held() -> None:
    async def main() -> list[str]:
        for n in range(50):
            asyncio.create_task(asyncio.sleep(n), name=str(n))  # noqa: RUF006  (the loop holds it)
        await asyncio.sleep(9.5)
        current = asyncio.current_task()
        assert current is not None
        tasks = [task for task in asyncio.all_tasks() if task is not current]
        return [task.get_name() for task in tasks]

    assert sorted(simulate(main).outcome(), key=int) == [str(n) for n in range(10, 50)]


@pytest.mark.parametrize("given", [{}, {"name": "a"}, {"name": None}, {"context": contextvars.Context()}])
def test_a_factory_gets_the_keywords_that_asyncio_gives_it(given: dict[str, Any]) -> None:
    """TASK-25: since 3.14 as they are given; before, no name and no context of None."""
    seen: list[Any] = []

    def factory(loop: asyncio.AbstractEventLoop, coro: Any, **more: Any) -> asyncio.Task[Any]:
        seen.append(more)
        return asyncio.Task(coro, loop=loop, **more)

    for made in (asyncio.new_event_loop(), SimEventLoop()):
        made.set_task_factory(factory)
        made.run_until_complete(made.create_task(asyncio.sleep(0), **given))
        made.close()
    assert seen[0] == seen[1]


@pytest.mark.skipif(sys.version_info < (3, 12), reason="eager tasks are new in 3.12")
def test_eager_tasks_run_at_once_and_have_our_hashes(loop: SimEventLoop) -> None:
    async def main() -> list[str]:
        log: list[str] = []

        async def child() -> None:
            log.append("child")
            await asyncio.sleep(1)
            log.append("later")

        task = asyncio.create_task(child())
        log.append("main")
        assert hash(task) < 100
        await task
        return log

    loop.set_task_factory(asyncio.eager_task_factory)  # type: ignore[attr-defined]  # the types are of 3.11
    assert loop.run_until_complete(main()) == ["child", "main", "later"]


# --- errors --------------------------------------------------------------------------------------------------


def test_errors_without_a_handler_are_logged(loop: SimEventLoop, caplog: pytest.LogCaptureFixture) -> None:
    def broken(loop: object, context: object) -> None:
        raise LookupError("the handler")

    with caplog.at_level(logging.ERROR, "asyncio"):
        loop.call_exception_handler({"message": "it happened", "future": 7})
        loop.set_exception_handler(broken)
        loop.call_exception_handler({"message": "it happened"})
    # The collector may find the tasks that other tests left, at any time.
    first, second = (message for message in caplog.messages if "was destroyed" not in message)
    assert first == "it happened\nfuture: 7"
    assert "Unhandled error in exception handler" in second


def test_a_deadlock_names_every_task_its_line_and_what_it_waits_for() -> None:
    async def waits(event: asyncio.Event) -> None:
        await event.wait()

    async def main() -> None:
        lock, queue = asyncio.Lock(), asyncio.Queue[int]()
        await lock.acquire()
        tasks = [
            asyncio.create_task(waits(asyncio.Event()), name="of an event"),
            asyncio.create_task(queue.get(), name="of a queue"),
        ]
        await asyncio.sleep(1)
        async with lock:
            await asyncio.gather(*tasks)

    with pytest.raises(DeadlockError) as caught:
        run(main())
    head, *lines = str(caught.value).splitlines()
    assert head == "nothing can ever happen any more"
    assert "main waits at" in lines[0]
    assert "bridges/test_loop.py" in lines[0]
    assert "Lock.acquire of" in lines[0]
    assert "of an event waits at" in lines[1]
    assert "Event.wait of" in lines[1]
    assert "of a queue waits" in lines[2]
    assert "Queue.get of" in lines[2]
    assert caught.value.__notes__[0].startswith("token: lsa2-")


def test_a_livelock_is_told(loop: SimEventLoop) -> None:
    small = SimEventLoop(turns_max=100)

    async def main() -> None:
        while True:
            await asyncio.sleep(0)

    with pytest.raises(LivelockError, match="100 turns have passed"):
        small.run_until_complete(main())
    for task in list(small.live):
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            small.run_until_complete(task)
    small.close()


# --- generators and executors --------------------------------------------------------------------------------


def test_asynchronous_generators_are_finished() -> None:
    log: list[str] = []

    async def numbers(name: str) -> AsyncIterator[int]:
        try:
            while True:
                yield 1
        finally:
            await asyncio.sleep(1)
            log.append(name)

    async def main() -> AsyncIterator[int]:
        async for _ in numbers("dropped"):
            break
        await asyncio.sleep(2)
        log.append("main")
        kept = numbers("kept")
        await anext(kept)
        return kept

    kept = simulate(main).outcome()
    assert kept is not None
    assert log == ["dropped", "main", "kept"]


def _fail() -> None:
    raise LookupError("no")


async def test_functions_for_executors_run_in_threads() -> None:
    log: list[Any] = []
    loop = asyncio.get_running_loop()
    first = loop.run_in_executor(None, log.append, "first")
    with concurrent.futures.ThreadPoolExecutor() as pool:
        second = loop.run_in_executor(pool, log.append, "second")
        log.append("main")
        await asyncio.gather(first, second)
    log.append(await asyncio.to_thread(threading.get_ident) != threading.get_ident())
    with pytest.raises(LookupError):
        await loop.run_in_executor(None, _fail)
    assert log == ["main", "first", "second", True]
