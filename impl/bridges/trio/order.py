"""The order of trio's tasks, drawn from our choices: the one file that uses private names of trio.

1.  trio takes the ready tasks as a batch, shuffles it with its random generator, and runs it from the end.  While a
    simulated run lasts, the generator is ours: its `shuffle` decides which task runs next.
2.  trio wakes tasks in the order of sets, that is, of addresses (a cancel, an event).  So the ready tasks are sorted by
    the *step* that woke them, a number that grows with every event, and then by spawn number.  That is the order
    `fifo`: first in, first out, except that tasks woken by one step run in the order of their creation.
3.  Under `any` only the task that our choices pick stays in the batch, and the others go back to the ready queue.  So
    any ready task may run next, however often it ran before the others; choice 0 is the first by `fifo`.
4.  In a run with threads the ready tasks are items of the kernel's ready queue, as the steps of threads are: each pass
    of trio runs one item, a task or another.
5.  `wait_all_tasks_blocked` waits for a time when no task runs; trio measures that in real time.  Here its callers
    wake when so much virtual time has passed.

For the other events of tasks, `Order` is a public `trio.abc.Instrument`.

Private names: `_r` and `_ALLOW_DETERMINISTIC_SCHEDULING` of `trio._core._run`; `runq`, `waiting_for_idle`, `main_task`
and `main_task_outcome` of the runner in its GLOBAL_RUN_CONTEXT; `_children` and `_pending_excs` of a nursery;
`_next_send` and `_cancel_status` of a task, `_scope` and `_parent` of a status; the ThreadCache, `setup_runner`,
and `Run` and `RunSync` of `trio._threads`.
Tested with the versions of TESTED; any other is refused.
"""

from __future__ import annotations

import queue
import random
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, Final

import outcome
import trio

from ...commands.options import UsageError
from ...interfaces import Runnable
from ...sim.choices import Pick
from ...sim.kernel import Kernel
from ...sim.order import Order as Grade
from ..digest import BridgeDigest

#: Versions of trio with which this file was tested.
TESTED: Final = ("0.30", "0.31", "0.32", "0.33", "0.34", "0.35")

_NAMES: Final = ("_r", "_ALLOW_DETERMINISTIC_SCHEDULING", "GLOBAL_RUN_CONTEXT")

_here = threading.local()


class UntestedTrio(UsageError, RuntimeError):
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
    """Decides which task runs next, and numbers the tasks that are not done.

    Parameters:
        grade: `fifo` or `any`.
        pick: draws the task that runs next, under `any`.
        digest: gets each step.
    """

    def __init__(self, grade: Grade, pick: Pick, digest: BridgeDigest) -> None:
        self._pick = pick if grade == "any" else None
        self._digest = digest
        self._step = 0
        self._spawned = 0
        self._woken: dict[trio.lowlevel.Task, int] = {}
        #: The tasks that are not done, in order of birth, and their numbers; the first are trio's own.
        self.numbers: dict[trio.lowlevel.Task, int] = {}
        #: Called before each step.
        self.stepped: Callable[[], object] = lambda: None
        #: Of a run with threads.
        self.kernel: Kernel | None = None
        self._queued: dict[trio.lowlevel.Task, None] = {}
        self._chosen: list[trio.lowlevel.Task] = []
        #: Whether to end trio's loop at once.
        self.abandon = False

    @property
    def ready(self) -> bool:
        """Whether any task may go."""
        return bool(self._woken)

    def happened(self) -> None:
        """Something happened that may wake tasks: a new step."""
        self._step += 1

    # --- the instrument ----------------------------------------------------------------------------------

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

    # --- the shuffle -------------------------------------------------------------------------------------

    def arrange(self, batch: list[trio.lowlevel.Task]) -> None:
        """Put the tasks that are ready into the order of their runs, last first.

        Raises:
            Abandoned: trio's loop is to end.
        """
        if self.abandon:
            raise Abandoned
        batch.sort(key=lambda task: (self._woken[task], self.numbers[task]))
        if self.kernel is not None:
            self._mix(batch, self.kernel)
        elif self._pick is None:
            batch.reverse()
        elif len(batch) > 1:
            chosen = batch.pop(self._pick(batch))
            _runner().runq.extend(batch)
            batch[:] = [chosen]

    def _mix(self, batch: list[trio.lowlevel.Task], kernel: Kernel) -> None:
        """Run an item of the kernel's queue; one that stands for a task leaves that in the batch."""
        new = [task for task in batch if task not in self._queued]
        self._queued.update(dict.fromkeys(new))
        kernel.ready.extend(TaskTurn(task, self._chosen) for task in new)
        self.happened()
        if kernel.ready:
            _step(kernel)
        _runner().runq.extend(task for task in batch if task not in self._chosen)
        batch[:] = self._chosen
        for task in batch:
            del self._queued[task]
        self._chosen.clear()


@trio.lowlevel.disable_ki_protection
def _step(kernel: Kernel) -> None:
    """Run an item; Ctrl-C ends a step that runs on, which trio would wait for."""
    kernel.step()


class TaskTurn(Runnable):
    """A ready task, in the kernel's queue: to run it chooses the task."""

    __slots__ = ("_chosen", "task")

    def __init__(self, task: trio.lowlevel.Task, chosen: list[trio.lowlevel.Task]) -> None:
        self.task, self._chosen = task, chosen

    def run(self) -> None:
        self._chosen.append(self.task)


# Any, here and below: private objects of trio have no type that we could name.


@cache
def _core() -> Any:
    from trio._core import _run

    return _run


def _runner() -> Any:
    return _core().GLOBAL_RUN_CONTEXT.runner


@cache
def replace_threads(start: Callable[..., bool], check_run: Callable[[], object]) -> None:
    """Have `start` start the threads of trio, for good, and where it returns False trio; call `check_run` before a run.

    A thread that calls back into trio waits at a queue; it is made by the name that the guard replaces.
    """
    from trio import _threads
    from trio._core._thread_cache import ThreadCache

    theirs = ThreadCache.start_thread_soon

    def start_thread_soon(threads: Any, fn: Any, deliver: Any, name: str | None = None) -> None:
        if not start(fn, deliver, name):
            theirs(threads, fn, deliver, name)

    # mypy refuses a method that is replaced, and one with other names of parameters.
    ThreadCache.start_thread_soon = start_thread_soon  # type: ignore[assignment, method-assign]
    for kind in (_threads.Run, _threads.RunSync):
        _with_queue(kind)
    setup = _core().setup_runner

    def checked(*args: Any) -> Any:
        check_run()
        return setup(*args)

    _core().setup_runner = checked


def _with_queue(kind: Any) -> None:
    made = kind.__init__

    def init(message: Any, *args: Any) -> None:
        made(message, *args)
        vars(message)["queue"] = queue.SimpleQueue()

    kind.__init__ = init


def scopes(task: trio.lowlevel.Task) -> Iterator[trio.CancelScope]:
    """Yield the scopes that may cancel a task, the innermost first; none is outside a shield."""
    status: Any = task._cancel_status
    while status is not None:
        yield status._scope
        status = None if status._scope.shield else status._parent


def quiet_time() -> float | None:
    """The shortest wait, in seconds, of a call of `wait_all_tasks_blocked`; None: no such call."""
    waiting = _runner().waiting_for_idle
    return waiting.keys()[0][0] if waiting else None


def end_quiet_time(cushion: float) -> None:
    """No task has run for `cushion` seconds: wake the tasks that waited for that."""
    waiting = _runner().waiting_for_idle
    while waiting and waiting.keys()[0][0] == cushion:
        _, task = waiting.popitem(0)
        trio.lowlevel.reschedule(task)


def how_woken(task: trio.lowlevel.Task) -> str:
    """How the wait of a task that was just scheduled has ended: result, exception or cancelled."""
    return _how(task._next_send)


def how_exited(task: trio.lowlevel.Task, failed: int) -> str:
    """Likewise for a task that just exited; `failed` is the `failures` of it from before its last step."""
    error = error_of(task, failed)
    return "result" if error is None else _how(outcome.Error(error))


def error_of(task: trio.lowlevel.Task, failed: int) -> BaseException | None:
    """The error of a task that just exited; `failed` as for `how_exited`."""
    runner = _runner()
    if task is runner.main_task:
        error: BaseException | None = getattr(runner.main_task_outcome, "error", None)
        return error
    nursery: Any = task.parent_nursery
    return nursery._pending_excs[-1] if failures(task) > failed else None


def failures(task: trio.lowlevel.Task) -> int:
    """How many tasks of the nursery of `task` have failed so far."""
    return len(getattr(task.parent_nursery, "_pending_excs", ()))  # a nursery that was closed has none


def _how(end: object) -> str:
    if not isinstance(end, outcome.Error):
        return "result"
    error = end.error
    if isinstance(error, BaseExceptionGroup):
        return "exception" if error.split(trio.Cancelled)[1] else "cancelled"
    return "cancelled" if isinstance(error, trio.Cancelled) else "exception"


def close_abandoned(tasks: Iterable[trio.lowlevel.Task]) -> None:
    """Close tasks that will never go on, in a run that has ended; their reactions are lost."""
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
    """trio's generator, which is asked to shuffle the ready tasks."""

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
    """Have `order` decide which task runs next in the run of trio in this thread."""
    check_version()
    _installed.enter()
    _here.order = order
    try:
        yield
    finally:
        _here.order = None
        _installed.leave()
