"""The order of trio's tasks, drawn from our choices: the one file that uses private names of trio.

Theory of operation.
1.  trio takes what is ready as a batch, has its random generator shuffle it, and runs it from the end.  Here the
    generator is ours while a simulated run lasts: its `shuffle` says who goes next.
2.  trio wakes tasks in the order of sets, that is, of addresses (a cancel, an event).  So what is ready is sorted by
    the *step* that woke it, a number that grows whenever anything happens, and then by spawn number.  That is the
    order `fifo`: first in, first out, but for those that one step woke, which go in the order of their birth.
3.  Under `any` one task of the batch is left in it, which our choices name, and the others go back to what is ready.
    So whoever is ready may go next, however often it has gone before the others; choice 0 is the first by `fifo`.
4.  `wait_all_tasks_blocked` waits for a time in which nobody runs; trio measures that by waiting in reality.  Here
    those who wait for it are woken when so much virtual time has passed.

Everything else of a task's life is told by a public `trio.abc.Instrument`, which is this file's `Order`.

Private names: `_r` and `_ALLOW_DETERMINISTIC_SCHEDULING` of `trio._core._run`, `runq` and `waiting_for_idle` of the
runner in its GLOBAL_RUN_CONTEXT, and `_children` of a nursery.  Tested with the versions of TESTED; any other one is
refused.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, Final

import trio

from ...sim.choices import Choose
from ...sim.order import Order as Grade
from ..digest import Digest

#: Versions of trio with which this file was tested.
TESTED: Final = ("0.30", "0.31", "0.32", "0.33", "0.34", "0.35")

_NAMES: Final = ("_r", "_ALLOW_DETERMINISTIC_SCHEDULING", "GLOBAL_RUN_CONTEXT")

_here = threading.local()


class UntestedTrio(RuntimeError):
    """The order of this version of trio's tasks cannot be relied upon to be ours; the text says which can."""

    def __init__(self) -> None:
        versions = ", ".join(TESTED)
        super().__init__(
            f"a simulated run decides the order of trio's tasks by private names of trio, tested with trio {versions}; "
            f"this is trio {trio.__version__}"
        )


class Abandoned(BaseException):
    """Thrown into trio's own loop, which ends by it: tasks that will not end are left behind."""


class Order(trio.abc.Instrument):
    """Says who goes next, and knows who is there.

    Parameters:
        grade: `fifo` or `any`.
        choose: where `any` draws from.
        digest: told of each step.
    """

    def __init__(self, grade: Grade, choose: Choose, digest: Digest) -> None:
        self._choose = choose if grade == "any" else None
        self._digest = digest
        self._step = 0
        self._spawned = 0
        self._woken: dict[trio.lowlevel.Task, int] = {}
        #: The tasks that are not done, in order of birth, and their numbers; the first are trio's own.
        self.numbers: dict[trio.lowlevel.Task, int] = {}
        #: Who wants to know of each step.
        self.stepped: Callable[[], object] = lambda: None
        #: Whether to end trio's loop at once.
        self.abandon = False

    @property
    def ready(self) -> bool:
        """Whether any task may go."""
        return bool(self._woken)

    def happened(self) -> None:
        """Something happened that may wake tasks: a new step."""
        self._step += 1

    # --- what trio tells ---------------------------------------------------------------------------------

    def task_spawned(self, task: trio.lowlevel.Task) -> None:
        self.numbers[task] = self._spawned
        self._spawned += 1

    def task_scheduled(self, task: trio.lowlevel.Task) -> None:
        self._woken[task] = self._step

    def before_task_step(self, task: trio.lowlevel.Task) -> None:
        del self._woken[task]
        self._step += 1
        self._digest.add(f"step {self.numbers[task]}")
        self.stepped()

    def task_exited(self, task: trio.lowlevel.Task) -> None:
        self._digest.add(f"exit {self.numbers.pop(task)}")

    # --- what trio asks ----------------------------------------------------------------------------------

    def arrange(self, batch: list[trio.lowlevel.Task]) -> None:
        """Put the tasks that are ready into the order in which they are to go, last first.

        Raises:
            Abandoned: trio's loop is to end.
        """
        if self.abandon:
            raise Abandoned
        batch.sort(key=lambda task: (self._woken[task], self.numbers[task]))
        if self._choose is None:
            batch.reverse()
        elif len(batch) > 1:
            chosen = batch.pop(self._choose(len(batch)))
            _runner().runq.extend(batch)
            batch[:] = [chosen]


# Any, here and below: what is private to trio has no type that we could name.


@cache
def _core() -> Any:
    from trio._core import _run

    return _run


def _runner() -> Any:
    return _core().GLOBAL_RUN_CONTEXT.runner


def quiet_time() -> float | None:
    """The shortest time, in seconds, for which some `wait_all_tasks_blocked` wants nobody to run; None: no such."""
    waiting = _runner().waiting_for_idle
    return waiting.keys()[0][0] if waiting else None


def end_quiet_time(cushion: float) -> None:
    """Nobody has run for `cushion` seconds: wake those who waited for that."""
    waiting = _runner().waiting_for_idle
    while waiting and waiting.keys()[0][0] == cushion:
        _, task = waiting.popitem(0)
        trio.lowlevel.reschedule(task)


def bury(tasks: Iterable[trio.lowlevel.Task]) -> None:
    """Close tasks that will never go on, in a run that has ended; what they make of that is lost."""
    for task in tasks:
        for nursery in task.child_nurseries:
            children: set[Any] = nursery._children
            children.clear()  # one that has any complains when it is collected
        try:
            task.coro.close()
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException:
            pass


class _Generator(random.Random):
    """trio's generator, which is asked to shuffle what is ready."""

    def shuffle(self, x: Any) -> None:
        order: Order | None = getattr(_here, "order", None)
        if order is None:  # a real run, in another thread
            super().shuffle(x)
        else:
            order.arrange(x)


class _Installed:
    """How many simulated runs there are; the first installs our generator, the last one gives trio's back."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._runs = 0
        self._theirs: tuple[Any, Any] = (None, None)

    def enter(self) -> None:
        with self._lock:
            self._runs += 1
            if self._runs == 1:
                core = _core()
                self._theirs = core._r, core._ALLOW_DETERMINISTIC_SCHEDULING
                core._r, core._ALLOW_DETERMINISTIC_SCHEDULING = _Generator(), True

    def leave(self) -> None:
        with self._lock:
            self._runs -= 1
            if self._runs == 0:
                core = _core()
                core._r, core._ALLOW_DETERMINISTIC_SCHEDULING = self._theirs


_installed = _Installed()


def check_version() -> None:
    """Raises UntestedTrio, unless this is a version that was tested."""
    known = ".".join(trio.__version__.split(".")[:2]) in TESTED
    if not (known and all(hasattr(_core(), name) for name in _NAMES)):
        raise UntestedTrio


@contextmanager
def arranged_by(order: Order) -> Iterator[None]:
    """While it lasts, `order` says who goes next in the run of trio in this thread."""
    check_version()
    _installed.enter()
    _here.order = order
    try:
        yield
    finally:
        _here.order = None
        _installed.leave()
