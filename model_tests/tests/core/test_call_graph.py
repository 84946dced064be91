"""Call graphs: which task awaits which (GRAPH-1, GRAPH-2), in circles too (GRAPH-3), and how they are shown."""

import gc
import io
import weakref
from collections.abc import Awaitable, Callable, Generator
from contextlib import suppress
from itertools import pairwise
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import impl

from ...refinement.held import HeldRuns

EXAMPLES: Final = 100
HELD = [HeldRuns("GRAPH-3", ("impl",), examples=EXAMPLES)]
PLACES: Final = st.integers(0, 5)


def graph_of(future: object = None, **options: Any) -> impl.FutureCallGraph:
    graph = impl.capture_call_graph(future, **{"depth": 2, **options})
    assert graph is not None
    return graph


def awaiters(future: object) -> list[str]:
    return [entry.future.get_name() for entry in graph_of(future).awaited_by]


def functions(graph: impl.FutureCallGraph) -> list[str]:
    return [entry.frame.f_code.co_name for entry in graph.call_stack]


async def plain(work: Awaitable[Any]) -> None:
    await work


async def one_by_one(work: Any) -> None:
    async for _ in impl.as_completed([impl.sleep(0), work], timeout=3):
        pass


BODIES: dict[str, Callable[[Any], Awaitable[Any]]] = {
    "plain": lambda work: plain(plain(work)),
    "gather": lambda work: impl.gather(work, impl.sleep(0)),
    "gathers": lambda work: impl.gather(impl.gather(work, return_exceptions=True)),
    "wait": lambda work: impl.wait([work], timeout=2),
    "wait_for": lambda work: impl.wait_for(work, 2),
    "wait_for 0": lambda work: impl.wait_for(work, 0),
    "timeout of a shield": lambda work: impl.wait_for(impl.shield(work), 2),
    "as_completed": one_by_one,
}


@pytest.mark.parametrize("cancel", [False, True])
@pytest.mark.parametrize("how", BODIES)
async def test_a_task_awaits_while_it_waits(how: str, cancel: bool) -> None:
    """GRAPH-1: not before, not after its end, its cancel, or its timeout."""

    async def stubborn() -> None:
        for _ in range(2):
            with suppress(impl.CancelledError):
                await impl.sleep(5)

    async def waits() -> None:
        with suppress(TimeoutError):
            await BODIES[how](work)

    work = impl.create_task(stubborn())
    await impl.sleep(1)
    assert awaiters(work) == []
    task = impl.create_task(waits(), name="waits")
    await impl.sleep(1)
    assert awaiters(work) == ["waits"]
    if cancel:
        task.cancel()
    await impl.wait([task])
    assert awaiters(work) == []


async def test_the_awaiters_are_in_order_and_each_once() -> None:
    """GRAPH-2: those that were added come last, and stay."""
    work = impl.get_running_loop().create_future()
    tasks = [impl.create_task(plain(work), name=name) for name in ("c", "a", "b")]
    await impl.sleep(0)
    for waiter in (tasks[1], impl.current_task(), "text"):
        impl.future_add_to_awaited_by(work, waiter)
    impl.future_discard_from_awaited_by(work, work)
    work.add_done_callback(tasks[2].cancel)  # a callback that is no wait
    assert awaiters(work) == ["c", "a", "b", "Task-1"]
    work.set_result(None)
    assert awaiters(work) == ["a", "Task-1"]
    impl.future_discard_from_awaited_by(work, tasks[1])
    assert awaiters(work) == ["Task-1"]


async def test_no_task_is_kept_by_what_it_awaited() -> None:
    """GRAPH-1: asyncio's as_completed and gather keep their callers (3.14, 3.15)."""
    stop = impl.get_running_loop().create_future()

    async def leaves_early() -> None:
        for step in impl.as_completed([stop, impl.sleep(0)]):
            await step
            break
        await impl.wait([stop, impl.shield(stop), impl.gather(impl.shield(stop))])

    kept = []
    for _ in range(3):
        task = impl.create_task(leaves_early())
        kept.append(weakref.ref(task))
        await impl.sleep(1)
        task.cancel()
        await impl.wait([task])
        impl.future_add_to_awaited_by(stop, task)
        del task
    await impl.sleep(0)
    gc.collect()
    assert [ref() for ref in kept] == [None] * 3
    assert graph_of(stop).awaited_by == ()


async def test_the_frames_of_each_task_are_shown() -> None:
    """Innermost first; generators of the chapter and asynchronous generators too."""

    async def numbers() -> Any:
        yield 1
        await impl.sleep(1)

    async def counts() -> None:
        async for _ in numbers():
            pass

    def chapter() -> Generator[Any, Any, None]:
        yield future

    future = impl.get_running_loop().create_future()
    counting, old = impl.create_task(counts()), impl.create_task(chapter())
    await impl.sleep(0)
    assert functions(graph_of(counting)) == ["sleep", "numbers", "counts"]
    assert "chapter" in functions(graph_of(old))
    assert awaiters(future) == [old.get_name()]
    await counting
    assert graph_of(counting).call_stack == ()
    old.cancel()


TEST = "test_the_stack_of_the_current_task"
ALL: Final = f"inner outer {TEST}"
STACKS: Final = {
    "": ALL, "limit=2": f"outer {TEST}", "limit=-1": "inner", "limit=0": "", "limit=9": ALL, "depth=3": f"outer {TEST}",
}  # fmt: skip


@pytest.mark.parametrize("option", STACKS)
async def test_the_stack_of_the_current_task(option: str) -> None:
    name, _, value = option.partition("=")
    options = {name: int(value)} if name else {}

    def inner() -> None:
        for task in (None, impl.current_task()):
            assert functions(graph_of(task, **options)) == STACKS[option].split()

    async def outer() -> None:
        inner()

    await outer()


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.lists(st.tuples(PLACES, PLACES), max_size=14))
def test_any_graph_is_shown_and_a_circle_is_named_if_there_is_one(edges: list[tuple[int, int]]) -> None:
    impl.run(shows(edges))


async def shows(edges: list[tuple[int, int]]) -> None:
    """GRAPH-3: each future that leads to the start has one full entry, with all its awaiters."""
    after = {n: [b for a, b in dict.fromkeys(edges) if a == n] for n in range(6)}
    reached = {0: {0}}  # in how many steps
    for steps in range(6):
        reached[steps + 1] = {b for a in reached[steps] for b in after[a]}
    circle = bool(reached[6])  # a way of six steps meets a future again
    futures = [impl.Future[None]() for _ in range(6)]
    for one, other in edges:
        impl.future_add_to_awaited_by(futures[one], futures[other])
    todo, full = [graph_of(futures[0])], dict[int, list[int]]()
    while todo:
        entry = todo.pop()
        number = futures.index(entry.future)
        awaited_by = [futures.index(each.future) for each in entry.awaited_by]
        assert awaited_by in (after[number], [])
        if awaited_by and number not in full:
            full[number] = awaited_by
            todo.extend(entry.awaited_by)
    assert full.keys() == {n for numbers in reached.values() for n in numbers if after[n]}
    assert (": a circle: Future() awaited by Future()" in impl.format_call_graph(futures[0])) == circle


def test_a_circle_of_tasks_is_named() -> None:
    """GRAPH-3: a child of a group awaits the parent; a future behind the circle shows it too."""

    async def parent() -> None:
        me: Any = impl.current_task()
        async with impl.TaskGroup() as group:
            group.create_task(plain(me), name="child")

    async def main() -> None:
        top, before = impl.create_task(parent(), name="parent"), impl.Future[None]()
        impl.future_add_to_awaited_by(before, top)
        await impl.sleep(1)
        names = " awaited by ".join(f"Task(name={name!r})" for name in ("parent", "child", "parent"))
        for start in (top, before):
            assert impl.format_call_graph(start).count(f"* Task(name='parent'): a circle: {names}") == 1
        top.cancel()

    with pytest.raises(impl.DeadlockError):  # the circle swallows its cancel
        impl.run(main())


async def test_a_graph_of_many_ways_has_one_entry_a_future() -> None:
    """Two ways from each of 40 futures to the next are 2 ** 40 ways; a chain of 5,000 is no recursion."""
    steps, chain = ([impl.Future[None]() for _ in range(length)] for length in (40, 5_000))
    for edges in (pairwise(steps), zip(steps, steps[2:], strict=False), pairwise(chain)):
        for one, other in edges:
            impl.future_add_to_awaited_by(one, other)
    text = impl.format_call_graph(steps[0])
    assert len(text.splitlines()) < 200
    assert "(shown above)" in text
    graph = graph_of(chain[0])
    for future in chain[1:]:
        [graph] = graph.awaited_by
        assert graph.future is future


async def test_the_text_names_tasks_files_and_kinds() -> None:
    task = impl.create_task(impl.sleep(1), name="sleeper")
    waits = impl.create_task(plain(task), name="waits")
    await impl.sleep(0)
    lines = impl.format_call_graph(task).splitlines()
    assert lines[:2] == ["* Task(name='sleeper')", "  + Call stack:"]
    assert lines[-1].startswith(f"      |   File {__file__!r}, line ")
    assert lines[-1].endswith(" in async plain()")
    here = " in async test_the_text_names_tasks_files_and_kinds()"
    for arguments, last in (((task,), lines[-1]), ((), here)):
        out = io.StringIO()
        impl.print_call_graph(*arguments, file=out)
        assert out.getvalue().endswith(f"{last}\n")
    await waits


def test_without_a_task_there_is_no_graph(loop: impl.Loop) -> None:
    seen: list[Any] = []
    loop.call_soon(lambda: seen.extend([impl.capture_call_graph(), impl.format_call_graph()]))
    loop.run(impl.sleep(0))
    assert seen == [None, ""]
