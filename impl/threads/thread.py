"""A thread of a simulated program.

1.  The loop's own thread passes the baton (sim/baton.py) to a thread and waits until that blocks or ends.  So a step of
    a thread is an item of the ready queue, as a task's step is.
2.  The frames of a thread are read only while it is parked.  To walk the stack of one that runs may crash CPython.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any, ClassVar, Protocol

from ..interfaces import Runnable
from ..sim.baton import BatonThread
from ..sim.frames import is_library

# Any in this file: runs and locks of the bridges.


class ThreadHost(Protocol):
    """The group of a thread, as the thread sees it (group.py)."""

    run: Any
    alive: dict[ProgramThread, None]
    held: dict[int, tuple[Any, ProgramThread]]

    def point(self) -> None: ...

    def wake(self, thread: ProgramThread) -> None: ...

    def resume(self, thread: ProgramThread, giver: ProgramThread | None = None) -> None: ...


class _Here(threading.local):
    thread: ProgramThread | None = None
    launching = False


_here = _Here()


def running_thread() -> ProgramThread | None:
    """The simulated thread that this is; None: it is another one, the loop's own for instance."""
    return _here.thread


def launching() -> bool:
    """Whether this thread starts a thread of the system for a simulated one."""
    return _here.launching


class ThreadStep(Runnable):
    """The step of a thread that is parked: it begins when the thread is woken, or at the time of a timer."""

    __slots__ = ("task",)

    only_wakes: ClassVar[bool] = True
    is_thread: ClassVar[bool] = True

    def __init__(self, thread: ProgramThread) -> None:
        self.task = thread

    def dead(self) -> bool:
        """Whether the thread waits at another call now."""
        return self.task.step is not self

    def run(self) -> None:
        thread = self.task
        if thread.step is self:
            thread.group.resume(thread)


class Expiry(ThreadStep):
    """The step of a thread that waits for a limited time: a timeout of the program."""

    __slots__ = ("_due",)

    only_wakes: ClassVar[bool] = False

    def __init__(self, thread: ProgramThread, due: int) -> None:
        """`due`: the time, in virtual nanoseconds."""
        super().__init__(thread)
        self._due = due

    def when(self) -> float:
        return self._due / 1e9


class Awaited:
    """The thing that a thread waits for."""

    __slots__ = ("_thing", "_thread")

    def __init__(self, thread: ProgramThread, thing: object) -> None:
        self._thread, self._thing = thread, thing

    def done(self) -> bool:
        """Whether the thread was woken."""
        return self._thread.woken

    def __repr__(self) -> str:
        return repr(self._thing)


class ProgramThread(BatonThread):
    """A thread of the program.

    Parameters:
        group: the threads of its run.
        number: of the thread in its run, from 1.
        name: returns its name.
        function: the name of the function that it runs; "": it runs those of others, as a thread of a pool does.
        daemon: whether the end of the program does not wait for it.
    """

    def __init__(self, group: ThreadHost, number: int, name: Callable[[], str], function: str, daemon: bool) -> None:
        super().__init__()
        self.group = group
        self.number = number
        self.daemon = daemon
        self.get_name = name
        self.__name__ = function
        #: The step that begins when it is woken; None: it runs, or has ended.
        self.step: ThreadStep | None = None
        #: Whether it was woken since it was parked.
        self.woken = False
        self.waits_for: Awaited | None = None
        self.error: BaseException | None = None
        #: Called when it has ended.
        self.at_end: Callable[[], object] = lambda: None
        self._frame: FrameType | None = None
        #: The thread that it returns the baton to.
        self.giver: BatonThread

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.get_name()}>"

    # --- as reports see a task ---------------------------------------------------------------------------

    def get_coro(self) -> ProgramThread:
        return self

    def cancelled(self) -> bool:
        return False

    @property
    def failure(self) -> tuple[BaseException | None, bool]:
        """The error that has ended it, which its excepthook has received."""
        return self.error, True

    def suspended_frames(self) -> list[FrameType]:
        """The frames while it is parked, outermost first, from the first that is no library's."""
        found = []
        frame = self._frame
        while frame is not None:
            found.append(frame)
            frame = frame.f_back
        while found and is_library(found[-1].f_code.co_filename):
            found.pop()
        return found[::-1]

    # --- in the thread that starts or resumes it ---------------------------------------------------------

    def launch(self, call: Callable[[], object]) -> None:
        """Start the system's thread, which makes a call, and wait until that comes to `begin`, or has ended."""
        profile = sys.getprofile()

        def live() -> None:
            _here.thread = self
            sys.setprofile(profile)
            call()

        _here.launching = True
        try:
            self.spawn(live)
        finally:
            _here.launching = False
        self.group.resume(self, running_thread())

    # --- in the thread itself ----------------------------------------------------------------------------

    def begin(self) -> None:
        """It is about to run the program's function: wait for its first turn."""
        self.park(ThreadStep(self), ready=True)

    def park(self, step: ThreadStep, ready: bool = False) -> None:
        """Return the baton, and wait until the step runs.

        Parameters:
            ready: whether it may run at once: others go first that are ready.

        Raises:
            ThreadEnded: the run has ended.
        """
        self.check()
        self._frame = sys._getframe(1)
        self.step, self.woken = step, False
        if ready:
            self.group.wake(self)
        try:
            self.pass_to(self.giver)
        finally:
            self._frame = None

    def at_point(self, goes_on: Callable[[ThreadStep], bool]) -> None:
        """Ask whether it goes on, and else let the one run that was picked."""
        step = ThreadStep(self)
        self._frame = sys._getframe(1)
        if goes_on(step):
            self._frame = None
        else:
            self.park(step, ready=True)

    def over(self) -> BatonThread:
        self.at_end()
        self.group.alive.pop(self, None)
        _here.thread = None
        return self.giver
