"""The order of the ready queue, graded by promise: `fifo`, or `any`.

Under `fifo` the ready queue is a deque: first in, first out, as in asyncio.  Under `any` the next item is the one that
`pick` picks, as trio's contract allows for tasks, but two promises stay:

    An item may run if no *earlier* ready item is a callback while it is one (callbacks keep their order among
    themselves), or was woken by the same future (its callbacks and waiters keep their order).        (ORDER-1)

So each item is in at most two lanes (that of callbacks, and the one of its future), and may run when it heads all of
them.  Choice 0 is the oldest item, which may always run: all-zero choices are `fifo`.  The items that may run are
kept in a list in order of arrival, so a draw costs a search of that list, not of the whole queue.
"""

from __future__ import annotations

from bisect import insort
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal, Protocol

from ..interfaces import Runnable
from .choices import Lane, Pick

#: `fifo`: asyncio's order, documented or not; `any`: any ready task may run next.
Order = Literal["fifo", "any"]
#: In the order of the numbers that they have in tokens.
ORDERS: Final[tuple[Order, ...]] = ("fifo", "any")

_CALLBACKS = 0  # the lane of callbacks; that of a future is its id: an entry in it holds the future

#: arrival number, item, its lanes, and its waker
Entry = tuple[int, Runnable, tuple[int, ...], object]


class ReadyQueue(Protocol):
    """The methods of a ready queue that the kernel calls: a deque, an AnyOrder, or an explorer's own."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Runnable]:
        """The items, in order of arrival."""

    def append(self, item: Runnable, /) -> None: ...

    def extend(self, items: Iterable[Runnable], /) -> None: ...

    def popleft(self) -> Runnable:
        """Take the item that runs next."""

    def clear(self) -> None: ...


class AnyOrder:
    """A ready queue with the methods of a deque; its `popleft` takes the item that `pick` picks (ORDER-1).

    Parameters:
        pick: receives the entries of the items that may run, oldest first, and returns the index of one.
        choose: likewise, of the thread that runs and those items; None: as `pick`.
    """

    __slots__ = ("_choose", "_count", "_free", "_lanes", "_pick", "_size")

    def __init__(self, pick: Pick, choose: Pick | None = None) -> None:
        self._pick = pick
        self._choose = choose or pick
        self._count = 0
        self._size = 0
        # Those that may run, oldest first; arrival numbers differ, so items never compare.
        self._free: list[Entry] = []
        # A lane of one entry is that entry: nearly all are, and a deque costs more than the rest of `append`.
        self._lanes: dict[int, Entry | deque[Entry]] = {}

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Runnable]:
        lines = ((line,) if isinstance(line, tuple) else line for line in self._lanes.values())
        entries = {entry[0]: entry[1] for line in (self._free, *lines) for entry in line}
        return (entries[number] for number in sorted(entries))

    def append(self, item: Runnable, /) -> None:
        waker = item.waker()
        self._count += 1
        self._size += 1
        lanes: tuple[int, ...]
        if waker is None:
            if not item.is_callback:  # a task's step delays no other item
                self._free.append((self._count, item, (), None))
                return
            lanes = (_CALLBACKS,)
        else:
            lanes = (_CALLBACKS, id(waker)) if item.is_callback else (id(waker),)
        entry = (self._count, item, lanes, waker)
        if self._joins(entry):
            self._free.append(entry)

    def extend(self, items: Iterable[Runnable], /) -> None:
        for item in items:
            self.append(item)

    def popleft(self) -> Runnable:
        """Take the item that `pick` picks from those that may run."""
        free = self._free
        _, item, lanes, _ = free.pop(self._pick(free))
        self._size -= 1
        if not lanes:
            return item
        queued = self._lanes
        for lane in lanes:
            line = queued[lane]
            if isinstance(line, tuple):
                del queued[lane]
                continue
            line.popleft()
            if not line:
                del queued[lane]
            elif self._heads_all(line[0]):  # it was not free before: `item` stood ahead of it in this lane
                insort(free, line[0])
        return item

    def goes_on(self, item: Runnable) -> bool:
        """Pick the next of `item`, which runs now, and those that may run; returns whether it is `item` (index 0).

        Otherwise `popleft` takes the one that was picked.
        """
        chosen = self._choose([(0, item, (), None), *self._free])
        if not chosen:
            return True
        pick = self._pick

        def picked(free: Sequence[object]) -> int:
            self._pick = pick
            return chosen - 1

        self._pick = picked
        return False

    def clear(self) -> None:
        self._free.clear()
        self._lanes.clear()
        self._size = 0

    def _joins(self, entry: Entry) -> bool:
        """Put the entry at the end of its lanes; returns whether it heads all of them."""
        queued = self._lanes
        heads = True
        for lane in entry[2]:
            line = queued.get(lane)
            if line is None:
                queued[lane] = entry
                continue
            heads = False
            if isinstance(line, tuple):
                queued[lane] = deque((line, entry))
            else:
                line.append(entry)
        return heads

    def _heads_all(self, entry: Entry) -> bool:
        lines = (self._lanes[lane] for lane in entry[2])
        return all((line if isinstance(line, tuple) else line[0]) is entry for line in lines)


def any_order(lane: Lane) -> AnyOrder:
    """A ready queue with the picks of a lane."""
    return AnyOrder(lane.pick, lane.goes_on_with)
