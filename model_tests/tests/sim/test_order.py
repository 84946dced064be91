"""Order `any` against its literal definition: the items that may run, the one that runs, and the cost (ORDER-1)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import impl
from impl.interfaces import Runnable
from impl.sim.order import AnyOrder

from ...refinement.held import HeldRuns

EXAMPLES = 100
HELD = [HeldRuns("ORDER-1", ("impl",), examples=EXAMPLES)]


class Item(Runnable):
    """An item with a name, in the lanes that the test gives it."""

    __slots__ = ("by", "is_callback", "name")

    def __init__(self, name: int, plain: bool, waker: object) -> None:
        self.name = name
        self.is_callback = plain  # type: ignore[misc]  # a ClassVar of the base; here each item has its own
        self.by = waker

    def waker(self) -> object | None:
        return self.by

    def __repr__(self) -> str:
        return f"{self.name}{' plain' * self.is_callback} {self.by}"


@dataclass
class Naive:
    """The definition: compare each item with all earlier items, each time."""

    items: list[Item] = field(default_factory=list)

    def free(self) -> list[Item]:
        return [
            item
            for place, item in enumerate(self.items)
            if not any(
                (earlier.is_callback and item.is_callback) or (item.by is not None and earlier.by is item.by)
                for earlier in self.items[:place]
            )
        ]


WAKERS = [None, *(object() for _ in range(3))]
takes = st.tuples(st.just("take"), st.integers(0, 7))
adds = st.tuples(st.just("add"), st.lists(st.tuples(st.booleans(), st.sampled_from(WAKERS)), max_size=4))


@settings(max_examples=EXAMPLES)
@given(st.lists(takes | adds, max_size=40))
# `Any`, here and below: the arguments of operations; orders are looked up by name.
def test_any_is_its_definition(operations: list[tuple[str, Any]]) -> None:
    widths: list[int] = []
    wanted = 0

    def pick(items: Sequence[object]) -> int:
        widths.append(len(items))
        return min(wanted, len(items) - 1)

    queue, naive = AnyOrder(pick), Naive()
    made = 0
    for what, given_ in [*operations, *[("take", 1)] * 200]:
        if what == "add":
            new = [Item(made + n, plain, waker) for n, (plain, waker) in enumerate(given_)]
            made += len(new)
            queue.extend(new)
            naive.items += new
        elif naive.items:
            wanted = given_
            free = naive.free()
            taken = queue.popleft()
            assert widths[-1] == len(free)
            assert taken is free[min(given_, len(free) - 1)]
            naive.items.remove(taken)
        assert list(queue) == naive.items
    assert not queue


@given(st.lists(takes | adds, max_size=40))
def test_any_with_zero_choices_is_fifo(operations: list[tuple[str, Any]]) -> None:
    queue = AnyOrder(lambda items: 0)
    fifo: list[Item] = []
    for what, given_ in operations:
        if what == "add":
            new = [Item(0, plain, waker) for plain, waker in given_]
            queue.extend(new)
            fifo += new
        elif fifo:
            assert queue.popleft() is fifo.pop(0)


def test_a_cleared_queue_is_as_new() -> None:
    queue = AnyOrder(lambda items: 0)
    queue.extend(Item(n, True, None) for n in range(3))
    queue.clear()
    assert not queue
    item = Item(4, True, None)
    queue.append(item)
    assert queue.popleft() is item


class Counting:
    """A future-like waker that counts how often it is hashed or compared, as a measure of the work of lanes."""

    work = 0

    def __hash__(self) -> int:
        Counting.work += 1
        return id(self)

    def __eq__(self, other: object) -> bool:
        Counting.work += 1
        return self is other


@pytest.mark.parametrize("shape", ["tasks of one future", "tasks of their own", "callbacks"])
def test_ten_thousand_ready_items_do_not_collapse(shape: str) -> None:
    """A take costs a bounded number of look-ups, however many are ready: work is counted, not time."""
    count = 10_000
    one = Counting()
    wakers = [one if shape == "tasks of one future" else Counting() for _ in range(count)]
    Counting.work = 0
    lane = impl.Choices.seeded(1).schedule
    queue = AnyOrder(lane.pick)
    queue.extend(Item(n, shape == "callbacks", wakers[n]) for n in range(count))
    taken = [queue.popleft() for _ in range(count)]
    assert Counting.work <= 16 * count
    assert len({id(item) for item in taken}) == count
    numbers = [item.name for item in taken]  # type: ignore[attr-defined]  # they are Items
    assert (numbers == sorted(numbers)) == (shape != "tasks of their own")


# --- the promise, on a loop ----------------------------------------------------------------------------------


def log_of(seed: int, order: Any = "any") -> list[str]:
    """Return the order of the runs of three callbacks, three waiters of one future and three other tasks."""
    loop = impl.Loop(impl.Choices.seeded(seed), order)
    seen: list[str] = []

    async def waiter(number: int, future: impl.Future[None]) -> None:
        await future
        seen.append(f"waiter {number}")

    async def spinner(number: int) -> None:
        for _ in range(3):
            await impl.sleep(0)
        seen.append(f"task {number}")

    async def main() -> None:
        future: impl.Future[None] = loop.create_future()
        tasks = [loop.create_task(waiter(number, future)) for number in range(3)]
        while len(future._waiters()) < 3:
            await impl.sleep(0)
        future.add_done_callback(lambda _: seen.append("waiter 3"))
        tasks += [loop.create_task(spinner(number)) for number in range(3)]
        future.set_result(None)
        for number in range(3):
            loop.call_soon(seen.append, f"callback {number}")
        for task in tasks:
            await task

    loop.run(main())
    return seen


def test_callbacks_and_waiters_of_one_future_keep_their_order() -> None:
    orders = set()
    for seed in range(200):
        seen = log_of(seed)
        orders.add(tuple(seen))
        assert [what for what in seen if what.startswith("callback")] == [f"callback {n}" for n in range(3)]
        assert [what for what in seen if what.startswith("waiter")][-1] == "waiter 3"
    assert len(orders) > 150


def test_the_timer_of_a_future_keeps_its_place_among_callbacks() -> None:
    for seed in range(20):
        loop = impl.Loop(impl.Choices.seeded(seed), "any")
        future: impl.Future[None] = loop.create_future()
        seen: list[bool] = []

        async def main(loop: impl.Loop, future: impl.Future[None], seen: list[bool]) -> None:
            loop.call_soon(lambda: seen.append(future.done()))
            loop.at(loop.now, future)  # due when the callback is ready already
            await future

        loop.run(main(loop, future, seen))
        assert seen == [False]


def test_tasks_of_their_own_come_in_every_order() -> None:
    tasks = {tuple(what for what in log_of(seed) if what.startswith("task")) for seed in range(200)}
    assert len(tasks) == 6


def test_fifo_is_one_order() -> None:
    assert len({tuple(log_of(seed, "fifo")) for seed in range(20)}) == 1


def test_the_lane_of_a_future_is_its_own_although_its_items_let_go_of_it() -> None:
    """A callback that is cancelled in the queue drops its arguments: another future may then have that address."""

    class Forgets(Item):
        def waker(self) -> object | None:
            waker, self.by = self.by, None
            return waker

    seen: list[int] = []

    def last(items: Sequence[object]) -> int:
        seen.append(len(items))
        return len(items) - 1

    queue = AnyOrder(last)
    for n in range(50):
        queue.append(Forgets(n, False, bytearray(n)))
    taken = [queue.popleft() for _ in range(50)]
    assert seen == list(range(50, 0, -1))
    assert len(set(map(id, taken))) == 50
