"""A ready queue for an explorer that chooses its next item; it knows the lanes of order `any` and each item's enabler.

1.  Each item is a step of a *process*: of a task, or of `CALLBACKS`, which runs the callbacks one after the other.
2.  An item may run if no earlier ready item shares a lane with it: that of the callbacks, or the one of the future that
    woke both (ORDER-1 of sim/order.py).
3.  Putting a callback into the line of callbacks decides about the order of all that are put there.  So this is an
    access to the line, and is a part of the footprint of the step that puts it.
4.  Callbacks of one *group* commute with each other (counting.py), so they stand in the line side by side: they keep
    their places among all other callbacks, and have no order among themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any, Final, TypeAlias

from ...interfaces import Runnable
from .footprint import Footprint, Name, log

#: The process of all callbacks that are in no group.
CALLBACKS: Final = "callbacks"

#: Steps of a run, as bits: the first step is bit 0.
Steps: TypeAlias = int


class Entry:
    """A ready item: its process, the items that it must not overtake, and the steps that must have come before it."""

    __slots__ = ("after", "callback", "group", "item", "process", "waker")

    def __init__(self, item: Runnable, process: Name, waker: Name | None, group: Hashable | None, after: Steps) -> None:
        self.item = item
        self.process = process
        self.callback = item.is_callback
        self.waker = waker
        self.group = group
        self.after = after

    def let_go(self) -> None:
        """The item has run: hold it no longer."""
        self.item = None  # type: ignore[assignment]  # nothing asks for it any more

    def blocks(self, later: Entry) -> bool:
        """Whether a later item must not overtake this one."""
        if self.waker is not None and self.waker == later.waker:
            return True
        return self.callback and later.callback and (self.group is None or self.group != later.group)


class NamedReady:
    """The ready queue of an explored loop.

    Parameters:
        task_of: the task of the step that an item is, or None for a callback.
        group_of: the group of a callback; no code can observe the order within a group; None: it has none.
    """

    def __init__(
        self,
        task_of: Callable[[Runnable], object | None],
        group_of: Callable[[Runnable], Hashable | None] = lambda item: None,
    ) -> None:
        self._task_of = task_of
        self._group_of = group_of
        self.entries: list[Entry] = []
        #: The step that runs now, counted from 1; 0: none did yet.
        self.step = 0
        #: The entry that `popleft` takes.
        self.chosen: Entry | None = None
        #: Further steps that enable the items that become ready now.
        self.also_after: Steps = 0
        self._groups: set[Hashable] = set()
        self.begin_step()

    def begin_step(self) -> None:
        self._reads = self._writes = self._adds = 0

    def footprint(self) -> Footprint:
        """The accesses of the step to the line of callbacks."""
        return Footprint(self._reads, self._writes, self._adds)

    def now(self) -> Steps:
        """The step that runs now."""
        return (1 << self.step) >> 1

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Runnable]:
        return (entry.item for entry in self.entries)

    def append(self, item: Runnable, /) -> None:
        waker = item.waker()
        name = None if waker is None else log.made(waker).name
        task = self._task_of(item)
        group: Hashable | None = None
        process: Name
        if task is not None:
            process = log.made(task).name
        else:
            group = self._group_of(item)
            process = CALLBACKS if group is None else ("callback", name)
            self._line_up(group)
        self.entries.append(Entry(item, process, name, group, self.now() | self.also_after))

    def _line_up(self, group: Hashable | None) -> None:
        """A callback is put into the line: that commutes with the same for its group, and with nothing else."""
        if group is None:
            self._writes |= log.bit((CALLBACKS, "line"))
            return
        self._groups.add(group)
        self._adds |= log.bit((CALLBACKS, group))
        self._reads |= log.bit((CALLBACKS, "line"))
        for other in self._groups:
            if other != group:
                self._reads |= log.bit((CALLBACKS, other))

    def extend(self, items: Iterable[Runnable], /) -> None:
        for item in items:
            self.append(item)

    def free(self) -> list[Entry]:
        """The items that may run, oldest first."""
        free: list[Entry] = []
        for n, entry in enumerate(self.entries):
            if (entry.waker is None and not entry.callback) or not any(
                earlier.blocks(entry) for earlier in self.entries[:n]
            ):
                free.append(entry)
        return free

    def popleft(self) -> Runnable:
        """Take the chosen item; those that stood behind it come after this step."""
        chosen = self.chosen
        assert chosen is not None
        self.entries.remove(chosen)
        now = self.now()
        for entry in self.entries:
            if chosen.blocks(entry) or entry.blocks(chosen):
                entry.after |= now
        return chosen.item

    def clear(self) -> None:
        self.entries.clear()


class LiveTasks(dict[Any, None]):  # Any: tasks of either runtime
    """The tasks of a loop that are not done, as a dictionary that records its accesses.

    Adding and removing tasks commute; looking at all of them does not.

    Parameters:
        owner: the object that the accesses are to.
    """

    def __init__(self, owner: object) -> None:
        super().__init__()
        self._owner = owner

    def __setitem__(self, task: Any, value: None) -> None:
        log.add(self._owner, "live")
        super().__setitem__(task, value)

    def __delitem__(self, task: Any) -> None:
        log.add(self._owner, "live")
        super().__delitem__(task)

    def pop(self, task: Any, *default: Any) -> Any:
        log.add(self._owner, "live")
        return super().pop(task, *default)

    def __iter__(self) -> Iterator[Any]:
        log.read(self._owner, "live")
        return super().__iter__()

    def unseen(self) -> list[Any]:
        """The tasks, without an access."""
        return list(dict.keys(self))
