"""The bridge's reports, contexts, factories and misuse, and the behaviour that it keeps from this version of Python."""

import asyncio
import gc
import sys
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import pytest

from impl.bridges.on_asyncio import names as ours
from impl.bridges.on_asyncio.versions import PINNED

# `Any` in this file: coroutines of any kind, tasks of either runtime, asyncio's context dict.


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    made = asyncio.new_event_loop()
    yield made
    made.close()


async def _awaits(what: Any) -> Any:
    return await what


# --- reports -------------------------------------------------------------------------------------------------


def test_an_unretrieved_exception_is_reported_once_with_the_future(loop: asyncio.AbstractEventLoop) -> None:
    """FUT-9; in debug mode with the place where the future was made."""
    loop.set_debug(True)
    reports: list[dict[str, Any]] = []
    loop.set_exception_handler(lambda loop, context: reports.append({**context, "future": repr(context.get("future"))}))
    future = ours.Future(loop=loop)
    future.set_exception(ValueError("unasked"))
    del future
    gc.collect()
    [report] = reports
    assert report["message"] == "Future exception was never retrieved"
    assert report["exception"].args == ("unasked",)
    assert "ValueError('unasked')" in report["future"]
    assert __file__ in str(report["source_traceback"])


# --- behaviour of the version --------------------------------------------------------------------------------


def test_a_stop_iteration_is_as_this_version_has_it(loop: asyncio.AbstractEventLoop) -> None:
    """FUT-7; a subclass is stored as a RuntimeError everywhere (gh-112182)."""

    class Sub(StopIteration):
        pass

    future, other = ours.Future(loop=loop), ours.Future(loop=loop)
    if PINNED["StopIteration is refused"]:
        with pytest.raises(TypeError):
            future.set_exception(StopIteration())
        assert not future.done()
    else:
        future.set_exception(StopIteration())
        assert isinstance(future.exception(), RuntimeError)
    other.set_exception(Sub())
    assert isinstance(other.exception(), RuntimeError)


def test_the_table_is_of_this_python() -> None:
    minor = sys.version_info[1]
    assert list(PINNED.values()) == [minor < 13, minor < 13, minor < 13, minor < 15, minor < 12]


def test_every_name_is_ours_and_asyncio_s_too() -> None:
    later = {"create_eager_task_factory", "eager_task_factory", "QueueShutDown"}
    later |= {name for name in ours.__all__ if "CallGraph" in name or "call_graph" in name or "awaited_by" in name}
    for name in ours.__all__:
        assert hasattr(asyncio, name) or name in later
        thing = getattr(ours, name)
        if callable(thing) and name != "QueueShutDown":
            assert thing.__module__.startswith("impl."), name


def test_what_waits_for_another_loop_s_future_is_told() -> None:
    other = asyncio.new_event_loop()
    foreign: list[Any] = [ours.Future(loop=other), asyncio.Future(loop=other)]

    async def main() -> None:
        for future in foreign:
            with pytest.raises(RuntimeError, match="attached to a different loop"):
                await ours.Task(_awaits(future))

    asyncio.run(main())
    other.close()


def test_a_coroutine_that_yields_anything_else_is_told() -> None:
    class Bare:
        def __await__(self) -> Iterator[object]:
            yield 3

    async def bad() -> Coroutine[Any, Any, Any] | None:
        await Bare()  # type: ignore[misc]  # that is the test
        return None

    async def main() -> None:
        with pytest.raises(RuntimeError, match="bad yield: 3"):
            await ours.Task(bad())

    asyncio.run(main())


# --- tasks: eager ones, factories, registries ------------------------------------------------------------------


@pytest.mark.parametrize("kind", [ours.Task, asyncio.Task], ids=["our task", "their task"])
def test_an_eager_task_starts_within_a_callback(kind: Callable[..., Any]) -> None:
    """TASK-14: where no task is current, and after one that is."""
    seen: list[Any] = []

    async def child() -> None:
        seen.append(asyncio.current_task())

    def start() -> None:
        seen.append(ours.Task(child(), eager_start=True))
        seen.append(asyncio.current_task())

    async def main() -> None:
        asyncio.get_running_loop().call_soon(start)
        await asyncio.sleep(0)
        start()

    with asyncio.Runner() as runner:
        runner.get_loop().set_task_factory(lambda loop, coro, **more: kind(coro, loop=loop, **more))
        runner.run(main())
    assert len(seen) == 6
    assert (seen[0], seen[2]) == (seen[1], None)
    assert seen[3] is seen[4] is not seen[5]
    assert isinstance(seen[5], kind)  # type: ignore[arg-type]  # it is a class


@pytest.mark.skipif(sys.version_info < (3, 15), reason="a second __init__ begins again before 3.15")
def test_a_second_init_is_refused() -> None:
    async def main() -> None:
        coro = asyncio.sleep(0)
        task: Any = ours.Task(coro)
        future: Any = ours.Future()
        await task
        for thing, arguments in ((task, [coro]), (future, [])):
            with pytest.raises(RuntimeError, match="is already initialized"):
                thing.__init__(*arguments)
        assert (task.done(), future.done()) == (True, False)

    asyncio.run(main())


@pytest.mark.skipif(sys.version_info < (3, 14), reason="one registry: since 3.14 there is one for tasks in Python")
def test_our_tasks_are_in_both_registries() -> None:
    tasks: Any = asyncio.tasks

    async def child() -> list[Any]:
        return [each() for each in (tasks._c_current_task, tasks._py_current_task)]

    async def main() -> None:
        task = ours.Task(child(), name="child")
        for registry in (tasks._c_all_tasks, tasks._py_all_tasks):
            assert task in registry()
        assert await task == [task, task]
        eager = ours.Task(child(), eager_start=True)
        assert eager.result() == [eager, eager]
        if tasks._py_current_task is not tasks._c_current_task:  # PurePython makes them one, for good
            assert tasks._py_current_task() is None  # main's is in C
        assert tasks._c_current_task() is asyncio.current_task() is not None

    asyncio.run(main())
