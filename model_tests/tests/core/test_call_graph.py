"""Call graphs: which task awaits which (GRAPH-1, GRAPH-2), in circles too (GRAPH-3), and how they are shown."""

from __future__ import annotations

import gc
import io
import weakref
from collections.abc import Awaitable, Callable, Generator
from itertools import pairwise
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import impl

from ...refinement.held import Held

EXAMPLES: Final = 100
HELD = [Held("GRAPH-3", ("impl",), examples=EXAMPLES)]
PLACES: Final = st.integers(0, 5)

Body = Callable[[impl.Task[Any]], Awaitable[object]]


def graph_of(future: object = None) -> impl.FutureCallGraph:
    graph = impl.capture_call_graph(future)
    assert graph is not None
    return graph


def awaiters(future: object) -> list[str]:
    return [entry.future.get_name() for entry in graph_of(future).awaited_by]


def functions(graph: impl.FutureCallGraph) -> list[str]:
    return [entry.frame.f_code.co_name for entry in graph.call_stack]


async def plain(work: impl.Task[Any]) -> None:
    await work


async def one_by_one(work: impl.Task[Any]) -> None:
    async for _ in impl.as_completed([impl.sleep(0), work], timeout=3):
        pass


async def at_once(work: impl.Task[Any]) -> None:
    await impl.wait_for(work, 0)


BODIES: dict[str, Body] = {
    "plain": plain,
    "nested": lambda work: plain(work),
    "gather": lambda work: impl.gather(work, impl.sleep(0)),
    "gathers": lambda work: impl.gather(impl.gather(work, return_exceptions=True)),
    "wait": lambda work: impl.wait([work], timeout=2),
    "wait_for": lambda work: impl.wait_for(work, 2),
    "shield": lambda work: impl.shield(work),
    "timeout of a shield": lambda work: impl.wait_for(impl.shield(work), 2),
    "as_completed": one_by_one,
    "wait_for 0": at_once,
}


@pytest.mark.parametrize("order", ["fifo", "any"])
@pytest.mark.parametrize("how", BODIES)
def test_a_task_awaits_while_it_waits(how: str, order: Any) -> None:
    """GRAPH-1: not before, not after its end, its cancel, or its timeout."""

    async def stubborn() -> None:
        for _ in range(2):
            try:
                await impl.sleep(5)
            except impl.CancelledError:
                pass

    async def awaits(work: impl.Task[Any]) -> None:
        try:
            await BODIES[how](work)
        except TimeoutError:
            pass

    async def main() -> None:
        for cancel in (False, True):
            work = impl.create_task(stubborn())
            await impl.sleep(1)
            assert awaiters(work) == []
            task = impl.create_task(awaits(work), name="waits")
            await impl.sleep(1)
            assert set(awaiters(work)) == {"waits"}
            if cancel:
                task.cancel()
            await impl.wait([task])
            assert awaiters(work) == []
            work.cancel()

    impl.run(main(), order=order, choices=impl.Choices.seeded(3) if order == "any" else None)


def test_the_awaiters_are_in_order_and_each_once() -> None:
    async def main() -> None:
        work = impl.get_running_loop().create_future()
        tasks = [impl.create_task(plain(work), name=name) for name in ("c", "a", "b")]
        await impl.sleep(0)
        impl.future_add_to_awaited_by(work, tasks[1])
        impl.future_add_to_awaited_by(work, impl.current_task())
        work.add_done_callback(tasks[2].cancel)  # a callback that is no wait
        assert awaiters(work) == ["c", "a", "b", "Task-1"]
        work.set_result(None)
        assert awaiters(work) == ["a", "Task-1"]

    impl.run(main())


def test_no_task_is_kept_by_what_it_awaited() -> None:
    """GRAPH-1: asyncio's as_completed and gather keep their callers (3.14, 3.15)."""

    async def leaves_early(stop: impl.Future[None]) -> bytes:
        for step in impl.as_completed([stop, impl.sleep(0)]):
            await step
            break
        with pytest.raises(KeyError):
            await impl.gather(impl.shield(stop), fails())
        await impl.wait([stop])
        return b"result"

    async def fails() -> None:
        raise KeyError

    async def main() -> None:
        stop = impl.get_running_loop().create_future()
        kept = []
        for _ in range(3):
            task = impl.create_task(leaves_early(stop))
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

    impl.run(main())


def test_the_tasks_of_a_group_are_awaited_by_its_parent() -> None:
    async def main() -> None:
        async with impl.TaskGroup() as group:
            child = group.create_task(impl.sleep(1), name="child")
            assert awaiters(child) == ["Task-1"]
            assert functions(graph_of(child).awaited_by[0]) == ["main"]
            await impl.sleep(0)
        assert awaiters(child) == []

    impl.run(main())


def test_the_frames_of_each_task_are_shown() -> None:
    """Innermost first; generators of the chapter and asynchronous generators too."""

    async def numbers() -> Any:
        yield 1
        await impl.sleep(1)

    async def counts() -> None:
        async for _ in numbers():
            pass

    def chapter(future: impl.Future[None]) -> Generator[Any, Any, None]:
        yield future

    async def main() -> None:
        future = impl.get_running_loop().create_future()
        counting, old = impl.create_task(counts()), impl.create_task(chapter(future))
        await impl.sleep(0)
        assert functions(graph_of(counting)) == ["sleep", "numbers", "counts"]
        assert "chapter" in functions(graph_of(old))
        assert awaiters(future) == [old.get_name()]
        await counting
        assert graph_of(counting).call_stack == ()
        old.cancel()

    impl.run(main())


@pytest.mark.parametrize(
    ("limit", "shown"),
    [
        (None, ["inner", "outer", "main"]),
        (2, ["outer", "main"]),
        (-1, ["inner"]),
        (0, []),
        (9, ["inner", "outer", "main"]),
    ],
)
def test_the_stack_of_the_current_task(limit: int | None, shown: list[str]) -> None:
    def inner() -> None:
        graph = impl.capture_call_graph(limit=limit)
        assert graph is not None
        assert functions(graph) == shown
        assert graph_of(impl.current_task()).future is graph.future
        skipping = impl.capture_call_graph(depth=2)
        assert skipping is not None
        assert functions(skipping) == ["outer", "main"]

    async def outer() -> None:
        inner()

    async def main() -> None:
        await outer()

    impl.run(main())


def test_a_circle_ends_where_it_closes_and_is_named() -> None:
    """GRAPH-3: two tasks, a future that awaits itself, and a circle behind another task."""

    async def child(parent: impl.Task[Any]) -> None:
        await parent

    async def parent() -> None:
        me: Any = impl.current_task()
        async with impl.TaskGroup() as group:
            group.create_task(child(me), name="child")

    async def main() -> None:
        top = impl.create_task(parent(), name="parent")
        tail = impl.create_task(plain(top), name="tail")
        itself, before = impl.Future[None](), impl.Future[None]()
        impl.future_add_to_awaited_by(itself, itself)
        impl.future_add_to_awaited_by(before, top)
        await impl.sleep(1)
        circle = "* Task(name='parent'): a circle: " + " awaited by ".join(
            f"Task(name={name!r})" for name in ("parent", "child", "parent")
        )
        for start in (top, before):
            assert impl.format_call_graph(start).count(circle) == 1
        [entry] = [each for each in graph_of(top).awaited_by if each.future.get_name() == "child"]
        assert [(each.future, each.awaited_by) for each in entry.awaited_by] == [(top, ())]
        assert "Future(): a circle: Future() awaited by Future()" in impl.format_call_graph(itself)
        tail.cancel()
        top.cancel()

    with pytest.raises(impl.DeadlockError):  # the circle swallows its cancel
        impl.run(main())


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.lists(st.tuples(PLACES, PLACES), max_size=14))
def test_any_graph_is_shown_and_a_circle_is_named_if_there_is_one(edges: list[tuple[int, int]]) -> None:
    """GRAPH-3: each future that leads to the start has one full entry, with all its awaiters."""
    after = {n: [b for a, b in dict.fromkeys(edges) if a == n] for n in range(6)}
    reached = {0: {0}}  # from where, in how many steps
    for steps in range(6):
        reached[steps + 1] = {b for a in reached[steps] for b in after[a]}
    circle = bool(reached[6])  # a way of six steps meets a future again

    async def main() -> None:
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

    impl.run(main())


def test_a_graph_of_many_ways_has_one_entry_a_future() -> None:
    """Two ways from each of 40 futures to the next are 2 ** 40 ways; a chain of 5,000 is no recursion."""

    async def main() -> None:
        steps = [impl.Future[None]() for _ in range(40)]
        for n, step in enumerate(steps):
            for after in steps[n + 1 : n + 3]:
                impl.future_add_to_awaited_by(step, after)
        assert len(impl.format_call_graph(steps[0]).splitlines()) < 200
        assert "(shown above)" in impl.format_call_graph(steps[0])
        chain = [impl.Future[None]() for _ in range(5_000)]
        for one, other in pairwise(chain):
            impl.future_add_to_awaited_by(one, other)
        graph, length = graph_of(chain[0]), 1
        while graph.awaited_by:
            [graph] = graph.awaited_by
            length += 1
        assert length == 5_000

    impl.run(main())


def test_the_text_names_tasks_files_and_kinds() -> None:
    async def main() -> None:
        task = impl.create_task(impl.sleep(1), name="sleeper")
        waits = impl.create_task(plain(task), name="waits")
        await impl.sleep(0)
        lines = impl.format_call_graph(task).splitlines()
        assert lines[:2] == ["* Task(name='sleeper')", "  + Call stack:"]
        assert lines[-1].startswith(f"      |   File {__file__!r}, line ")
        assert lines[-1].endswith(" in async plain()")
        out = io.StringIO()
        impl.print_call_graph(task, file=out)
        assert out.getvalue().splitlines() == lines
        out = io.StringIO()
        impl.print_call_graph(file=out)
        assert out.getvalue().splitlines()[2].endswith("<locals>.main()")
        await waits

    impl.run(main())


def test_misuse() -> None:
    with pytest.raises(RuntimeError, match="no running event loop"):
        impl.capture_call_graph()
    with pytest.raises(TypeError, match="takes a future or a task, not 'text'"):
        impl.format_call_graph("text")
    seen: list[Any] = []

    async def main() -> None:
        future = impl.Future[None]()
        impl.future_add_to_awaited_by(future, "text")
        impl.future_discard_from_awaited_by("text", future)
        impl.future_discard_from_awaited_by(future, future)
        assert graph_of(future).awaited_by == ()
        impl.get_running_loop().call_soon(
            lambda: seen.extend([impl.capture_call_graph(), impl.format_call_graph()])
        )
        await impl.sleep(0)

    impl.run(main())
    assert seen == [None, ""]
