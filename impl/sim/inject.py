"""Injection: cancels, timeouts and late timers, drawn from the choices of a run as everything else that may vary.

1.  *Late timers.*  A timer promises "not before".  With `late_ms_max` each timer of the program is late by a number of
    milliseconds that is drawn in the lane `schedule`; with `late_freely` it may come after others (lateness.py).
2.  *Cancels.*  At each suspension of a task that `cancel` names, the lane `faults` draws: 0, nothing; 1, the task is
    cancelled now, while it is parked; 2, it is cancelled in the window after its wake-up, before it runs again.
    Programs get this from the users of their functions: `wait_for`, `timeout`, a task group when another task fails.
3.  *Collected tasks.*  With `collect` the garbage collector takes the tasks that nothing but the loop refers to, as it
    may in asyncio, which holds its tasks weakly (garbage.py).  Nothing is drawn.
4.  *Timeouts.*  With `timeouts` and a callback timer pending, there is a fourth choice: the clock moves to the first
    such timer, and it alone is due, as if all else had stalled until then.

The queue below wraps the ready queue of any loop.  The kernel asks it whether anything is ready before
it moves the clock, and takes items from it: at both, the step before has ended, and its task may be suspended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Final, Protocol, TypeAlias

from ..interfaces import Runnable
from .choices import Choices
from .order import ORDERS, Order, ReadyQueue
from .token import Packer, TokenError, Unpacker

#: A task of impl or of asyncio.
AnyTask: TypeAlias = Any

#: No token has more or longer names, or a greater lateness.
_NAMES_MAX: Final = 100
_NAME_MAX: Final = 1000
_LATE_MAX: Final = 10**9

CANCEL, CANCEL_WOKEN, EXPIRE = 1, 2, 3


@dataclass(frozen=True, slots=True)
class Injection:
    """The cancels, timeouts and late timers of a run.

    Raises:
        ValueError: a lateness or a name is out of range.
    """

    #: Patterns (fnmatch) of the names of tasks, or of their coroutine functions; "*" is every task.
    cancel: tuple[str, ...] = ()
    #: Whether timeouts may come before all else.
    timeouts: bool = False
    #: How late a timer may be, in milliseconds.
    late_ms_max: int = 0
    #: Whether a timer that is due may come after others, in the place of `late_ms_max`.
    late_freely: bool = False
    #: Whether tasks that nothing refers to are collected; not beside `late_freely`.
    collect: bool = False
    #: Whether a thread may let others go on at an access of shared state; its program is rewritten for that.
    preempt: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.late_ms_max <= _LATE_MAX:
            raise ValueError(f"late_ms_max is {self.late_ms_max}: it must be from 0 to {_LATE_MAX}")
        if len(self.cancel) > _NAMES_MAX or any(len(name.encode()) > _NAME_MAX for name in self.cancel):
            raise ValueError(f"cancel names at most {_NAMES_MAX} patterns of at most {_NAME_MAX} bytes")

    def __bool__(self) -> bool:
        return self != NOTHING

    def interrupts(self) -> bool:
        """Whether tasks may be cancelled or timeouts expire: a queue must be wrapped for that."""
        return bool(self.cancel) or self.timeouts

    def names(self, *called: str) -> bool:
        """Whether `cancel` names a task that is called so: its name, and that of its coroutine function."""
        return any(fnmatchcase(each, name) for each in called for name in self.cancel)


NOTHING: Final = Injection()
#: Timers that are free: a busy machine does this to any program.
FREE: Final = Injection(timeouts=True, late_freely=True)
#: The garbage collector does its work.
COLLECT: Final = Injection(collect=True)


def interruption(draw: Callable[[int], int], names: bool, expires: bool) -> int:
    """Draw whether to interrupt a task that is suspended: CANCEL, CANCEL_WOKEN, EXPIRE, or 0 for nothing.

    Parameters:
        draw: the lane `faults`.
        names: whether it may be cancelled.
        expires: whether a timeout is pending.
    """
    if not names and not expires:
        return 0
    drawn = draw(1 + 2 * names + expires)
    return EXPIRE if drawn and not names else drawn


def pack(packer: Packer, order: Order, inject: Injection) -> None:
    """Add an order and an injection to a token."""
    # Tokens of before `late_freely` and `collect` have no greater number than that of an injection without them.
    packer.number(ORDERS.index(order) + len(ORDERS) * (bool(inject) + inject.late_freely + 2 * inject.collect))
    if inject:
        packer.number(inject.late_ms_max).number(inject.timeouts + 2 * inject.preempt).number(len(inject.cancel))
        for name in inject.cancel:
            packer.number(len(name.encode())).raw(name.encode())


def unpack(unpacker: Unpacker) -> tuple[Order, Injection]:
    """The order and the injection of a token.

    Raises:
        TokenError: they are malformed.
    """
    injected, order = divmod(unpacker.number(4 * len(ORDERS) - 1), len(ORDERS))
    if not injected:
        return ORDERS[order], NOTHING
    late_ms_max, flags = unpacker.number(_LATE_MAX), unpacker.number(3)
    try:
        names = [unpacker.raw(unpacker.number(_NAME_MAX)).decode() for _ in range(unpacker.number(_NAMES_MAX))]
    except UnicodeDecodeError:
        raise TokenError("the token carries a name that is no text") from None
    return ORDERS[order], Injection(tuple(names), bool(flags & 1), late_ms_max, injected == 2, injected == 3, flags > 1)


class Expiring(Protocol):
    """The method of a kernel that an injected timeout calls."""

    def expire_next(self, do: bool) -> bool:
        """Whether a callback timer is pending; with `do`, make the first one due, and it alone."""


class InjectingQueue:
    """A ready queue that injects cancels and timeouts.

    Parameters:
        inner: the ready queue that it wraps.
        inject: the cancels and timeouts to inject.
        choices: the source of the draws.
        kernel: the kernel that takes from it; `clear` drops it.
    """

    __slots__ = ("_inject", "_kernel", "_last", "_window", "append", "choices", "extend", "inner")

    def __init__(self, inner: ReadyQueue, inject: Injection, choices: Choices, kernel: Expiring) -> None:
        self.inner = inner
        self._inject = inject
        self.choices = choices
        self._kernel: Expiring | None = kernel
        #: The task of the last step, until its suspension was drawn for.
        self._last: AnyTask = None
        #: The task that is cancelled before its next step; there is one at most for each draw.
        self._window: list[AnyTask] = []
        self.append: Callable[[Runnable], None] = inner.append
        self.extend: Callable[[Iterable[Runnable]], None] = inner.extend

    def __len__(self) -> int:
        """The number of ready items, once the last suspension was drawn for."""
        if self._last is not None:
            self._suspended()
        return len(self.inner)

    def __iter__(self) -> Iterator[Runnable]:
        return iter(self.inner)

    def popleft(self) -> Runnable:
        if self._last is not None:
            self._suspended()
        item = self.inner.popleft()
        if not (item.is_callback or item.is_thread):
            task: AnyTask = getattr(item, "task", item)
            if task in self._window:
                self._window.remove(task)
                task.cancel()
            self._last = task
        return item

    def clear(self) -> None:
        self._last = self._kernel = None
        self._window.clear()
        self.inner.clear()

    def _suspended(self) -> None:
        """The step of the last task has ended: draw whether to interrupt it, unless that was its end."""
        task, self._last = self._last, None
        if task.done():
            return
        names = self._inject.names(task.get_name(), getattr(task.get_coro(), "__name__", ""))
        kernel = self._kernel if self._inject.timeouts else None
        expires = kernel is not None and kernel.expire_next(False)
        drawn = interruption(self.choices.faults, names, expires)
        if drawn == CANCEL:
            task.cancel()
        elif drawn == CANCEL_WOKEN:
            self._window.append(task)
        elif drawn == EXPIRE and kernel is not None:
            kernel.expire_next(True)
