"""The awaiters of a future: the tasks that are parked on it, and those that wait for it through a combinator.

1.  A future keeps no list of the tasks that await it.  The list is read from the future's wait queue when a call graph
    is captured: a task there awaits the future itself, and a callback that is a method of a `WaitingProxy` waits on
    behalf of the task that called gather, wait, shield and so on (GRAPH-1).  So a future and a parked task pay nothing.
2.  A proxy refers to its task weakly.  A task that has left a combinator before its end is not kept alive by the
    futures that live on, and a task that is done awaits nothing.
3.  Programs with futures of their own may add an awaiter (GRAPH-2).  Those are kept in a table by themselves, weakly.

Source: CPython documentation of 3.15, "Call Graph Introspection".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final
from weakref import ReferenceType, WeakKeyDictionary, ref

from . import current
from .callback import DoneCallback
from .future import Future, isfuture
from .task import Task

# Any in this file: a future or a task of any runtime.


class WaitingProxy:
    """Waits for futures by callbacks that are its own methods, on behalf of a task."""

    __slots__ = ()

    def awaiter(self) -> Any:
        """The task that waits now, or None."""
        raise NotImplementedError


class TaskProxy(WaitingProxy):
    """A proxy of one task.

    Parameters:
        task: the task that waits; None: no task does.
    """

    __slots__ = ("_task",)

    def __init__(self, task: Any) -> None:
        self._task: ReferenceType[Any] | None = None if task is None else ref(task)

    def awaiter(self) -> Any:
        task = None if self._task is None else self._task()
        return None if task is None or task.done() else task


def awaiters(future: Any) -> list[Any]:
    """The tasks and futures that await `future`, in the order of their begin; then those that were added."""
    found = dict.fromkeys(each for each in _waiting(future) if each is not None)
    return list(found | dict.fromkeys(_added.get(future, ())))


def _waiting(future: Any) -> Iterator[Any]:
    if not isinstance(future, Future):
        yield from (_behind(callback, future) for callback in current.foreign.callbacks(future))
        return
    for waiter in future._waiters():
        if isinstance(waiter, Task):
            yield waiter
        elif isinstance(waiter, DoneCallback):
            yield _behind(waiter.function, future)


def _behind(callback: Callable[..., object] | None, future: Any) -> Any:
    """The task that a callback of `future` wakes, or waits for; None: it is another callback."""
    owner = getattr(callback, "__self__", None)
    if isinstance(owner, WaitingProxy):
        return owner.awaiter()
    parked = owner.waits_for if isinstance(owner, Task) else current.foreign.waits_for(owner)
    return owner if parked is future else None  # a bridge's task is woken by a callback


#: The awaiters that programs added, by future.
_added: Final[WeakKeyDictionary[Any, WeakKeyDictionary[Any, None]]] = WeakKeyDictionary()


def future_add_to_awaited_by(future: Any, waiter: Any, /) -> None:
    """Record that `waiter`, a future or a task, awaits `future`, until `future_discard_from_awaited_by` (GRAPH-2).

    As in asyncio, nothing is recorded if one of them is neither a future nor a task.
    """
    if isfuture(future) and isfuture(waiter):
        _added.setdefault(future, WeakKeyDictionary())[waiter] = None


def future_discard_from_awaited_by(future: Any, waiter: Any, /) -> None:
    """Take back a record of `future_add_to_awaited_by`; without one, do nothing."""
    if isfuture(future) and (waiters := _added.get(future)) is not None:
        waiters.pop(waiter, None)
