"""asyncio's names on asyncio's loops: futures and tasks of both kinds together, hosts, factories, reports."""

import asyncio
import concurrent.futures
import gc
import threading
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import impl
from impl.bridges.on_asyncio import names as ours
from impl.bridges.on_asyncio.host import AsyncioSpawner, host_of
from impl.tasks import current as running

# `Any` in this file: coroutines of any kind, tasks of either runtime, asyncio's context dict.


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    """Return a loop with tasks of ours and futures of asyncio's."""
    made = asyncio.new_event_loop()
    made.set_task_factory(lambda loop, coro, **rest: ours.Task(coro, loop=loop, **rest))  # type: ignore[arg-type]  # ours is no asyncio.Task
    yield made
    made.run_until_complete(made.shutdown_asyncgens())
    made.close()


# --- both kinds together -------------------------------------------------------------------------------------


@pytest.mark.parametrize("future", [ours.Future, asyncio.Future], ids=["our future", "their future"])
@pytest.mark.parametrize("task", [ours.Task, asyncio.Task], ids=["our task", "their task"])
def test_either_task_awaits_either_future(task: Callable[..., Any], future: Callable[[], Any]) -> None:
    async def waits(what: Any) -> Any:
        return await what

    async def main() -> None:
        good, bad, gone = future(), future(), future()
        tasks = [task(waits(what)) for what in (good, bad, gone)]
        await asyncio.sleep(0)
        good.set_result(3)
        bad.set_exception(ValueError("no"))
        gone.cancel("why")
        done = await ours.gather(*tasks, return_exceptions=True)
        assert done[0] == 3
        assert (type(done[1]), type(done[2])) == (ValueError, asyncio.CancelledError)
        assert done[2].args == ("why",)
        assert [one.cancelled() for one in tasks] == [False, False, True]

    asyncio.run(main())


@pytest.mark.parametrize("outer", [ours.Task, asyncio.Task], ids=["our outer", "their outer"])
@pytest.mark.parametrize("inner", [ours.Task, asyncio.Task], ids=["our inner", "their inner"])
def test_a_cancel_goes_through_tasks_of_both_kinds(outer: Callable[..., Any], inner: Callable[..., Any]) -> None:
    """CANCEL-1, CANCEL-10."""

    async def main() -> None:
        end = ours.Future()

        async def within() -> None:
            await end

        one = inner(within())
        two = outer(_awaits(one))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert two.cancel("all of you")
        assert end.cancelled()
        with pytest.raises(asyncio.CancelledError) as caught:
            await two
        assert caught.value.args == ("all of you",)
        assert one.cancelled()
        assert (one.cancelling(), two.cancelling()) == (1, 1)

    asyncio.run(main())


async def _awaits(what: Any) -> Any:
    return await what


def test_a_cancel_reaches_the_end_of_a_chain_of_5000(loop: asyncio.AbstractEventLoop) -> None:
    async def main() -> None:
        end = ours.Future()
        tasks: list[Any] = []
        for _ in range(5000):
            tasks.append(ours.create_task(_awaits(tasks[-1] if tasks else end)))
            await asyncio.sleep(0)
        assert tasks[-1].cancel("stop")
        assert end.cancelled()
        done = await ours.gather(*tasks, return_exceptions=True)
        assert {(type(error), error.args) for error in done} == {(asyncio.CancelledError, ("stop",))}

    loop.run_until_complete(main())


# --- hosts ---------------------------------------------------------------------------------------------------


def test_a_loop_has_one_host_which_lives_as_long_as_its_holders() -> None:
    loop = asyncio.new_event_loop()
    future = ours.Future(loop=loop)
    assert host_of(loop) is host_of(loop) is future._host
    assert future.get_loop() is loop
    gone = weakref.ref(future._host)
    del future
    assert gone() is None
    loop.close()
    left = weakref.ref(loop)
    del loop
    gc.collect()
    assert left() is None


def test_one_of_our_loops_is_its_own_host() -> None:
    loop = impl.Loop()
    assert running.host_of(loop) is loop


def test_where_no_loop_runs_asyncios_is_taken_by_asyncios_names_alone() -> None:
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    try:
        taken: Any = ours.gather().get_loop()  # asyncio's loop, where a Host is declared
        assert taken is loop
        with pytest.raises(RuntimeError, match="no running event loop"):
            impl.gather()
        with pytest.raises(RuntimeError, match="no running event loop"):
            impl.wrap_future(concurrent.futures.Future())
        assert ours.wrap_future(concurrent.futures.Future()).get_loop() is loop
    finally:
        asyncio.set_event_loop(None)
        loop.close()


def test_the_running_loop_is_found_and_ours_is_first() -> None:
    async def inner() -> object:
        return impl.get_running_loop()

    async def main() -> None:
        host = impl.get_running_loop()
        assert isinstance(host, AsyncioSpawner)
        assert host.loop is asyncio.get_running_loop()
        assert host.current is asyncio.current_task()
        assert isinstance(impl.run(inner()), impl.Loop)  # a run of ours inside an iteration of asyncio's loop
        assert impl.get_running_loop() is host

    asyncio.run(main())
    with pytest.raises(RuntimeError, match="no running event loop"):
        impl.get_running_loop()


def test_each_thread_has_its_own() -> None:
    seen: list[Any] = []

    async def main(value: int) -> None:
        lock = ours.Lock()
        async with lock:
            seen.append((value, await ours.gather(ours.sleep(0.001, value), ours.sleep(0, value))))

    threads = [threading.Thread(target=lambda value=value: asyncio.run(main(value))) for value in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(seen) == [(value, [value, value]) for value in range(4)]


def test_a_primitive_of_one_loop_refuses_another() -> None:
    queue = ours.Queue()

    async def waits() -> None:
        with pytest.raises(TimeoutError):
            await ours.wait_for(queue.get(), 0.001)

    asyncio.run(waits())
    with pytest.raises(RuntimeError, match="different event loop"):
        asyncio.run(waits())


def test_the_task_factory_of_the_loop_is_honoured(loop: asyncio.AbstractEventLoop) -> None:
    async def child() -> int:
        return 1

    async def main() -> None:
        async with ours.TaskGroup() as group:
            tasks = [each(child()) for each in (group.create_task, ours.create_task, ours.ensure_future)]
        assert {type(task) for task in tasks} == {ours.Task}

    loop.run_until_complete(main())

    async def plain() -> None:
        task = ours.create_task(child())
        assert isinstance(task, asyncio.Task)
        await task

    asyncio.run(plain())


def test_an_eager_task_starts_within_the_step_of_its_creator() -> None:
    """TASK-14, on every version; asyncio has it since 3.12."""
    seen: list[str] = []

    async def child() -> int:
        task = asyncio.current_task()
        assert task is not None
        seen.append(task.get_name())
        await asyncio.sleep(0)
        return 1

    async def main() -> None:
        outer = asyncio.current_task()
        task = ours.Task(child(), eager_start=True, name="eager")
        assert seen == ["eager"]
        assert asyncio.current_task() is outer
        assert await task == 1

    asyncio.run(main())


@pytest.mark.parametrize("inner", [ours.Task, asyncio.Task], ids=["our inner", "their inner"])
@pytest.mark.parametrize("outer", [ours.Task, asyncio.Task], ids=["our outer", "their outer"])
def test_a_call_graph_has_tasks_of_both_kinds(outer: Callable[..., Any], inner: Callable[..., Any]) -> None:
    """GRAPH-1, on every version; asyncio has call graphs since 3.14."""

    async def plain(work: Any) -> None:
        await work

    async def gathers(work: Any) -> None:
        await ours.gather(work, asyncio.sleep(0))

    async def waits(work: Any) -> None:
        await ours.wait([work])

    async def main() -> None:
        work = inner(asyncio.sleep(0.01))
        tasks = [outer(body(work), name=body.__name__) for body in (plain, gathers, waits)]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        graph = ours.capture_call_graph(work)
        assert graph is not None
        assert {entry.future for entry in graph.awaited_by} == set(tasks)
        if outer is inner is ours.Task:
            assert work._asyncio_awaited_by == set(tasks)
        await asyncio.gather(*tasks)
        graph = ours.capture_call_graph(work)
        assert graph is not None
        assert graph.awaited_by == ()

    asyncio.run(main())


def test_uvloop_drives_them() -> None:
    uvloop = pytest.importorskip("uvloop")

    async def main() -> list[int]:
        queue, cond = ours.Queue(1), ours.Condition()
        async with ours.TaskGroup() as group:
            for value in range(3):
                group.create_task(queue.put(value))
            taken = group.create_task(_take(queue, 3))
        async with cond:
            with pytest.raises(TimeoutError):
                await ours.wait_for(cond.wait(), 0.001)
        return list(taken.result())

    loop = uvloop.new_event_loop()
    loop.set_task_factory(lambda loop, coro, **rest: ours.Task(coro, loop=loop, **rest))
    assert loop.run_until_complete(main()) == [0, 1, 2]
    loop.close()


async def _take(queue: Any, count: int) -> list[int]:
    return [await queue.get() for _ in range(count)]
