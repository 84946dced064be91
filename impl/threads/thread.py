"""A thread of a simulated program: a thread of the system that runs only while it holds the baton.

1.  The loop's own thread resumes a thread and waits until that blocks or ends: so one of them runs, and a step of a
    thread is an item of the ready queue, as a task's step is.
2.  A thread that is left at the end of a run is unwound: each call that would block raises ThreadEnded in it.  One that
    catches this again and again is abandoned: it stays blocked for ever.
3.  The frames of a thread are read only while it is parked.  To walk the stack of one that runs may crash CPython.

`_thread.start_joinable_thread` (since CPython 3.13) and `_set_sentinel` (before) tell when the system's thread is gone;
destructors of its thread-locals have run then.
"""

from __future__ import annotations

import _thread
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any, ClassVar, Final, Protocol

from ..interfaces import Runnable
from ..sim.frames import is_library

# Any in this file: functions of _thread that not each Python has, locks, and the things that threads wait for.


class ThreadHost(Protocol):
    """The group of a thread, as the thread sees it (group.py)."""

    @property
    def run(self) -> object: ...

    @property
    def held(self) -> dict[int, tuple[Any, ProgramThread]]: ...

    def point(self) -> None: ...

    def wake(self, thread: ProgramThread) -> None: ...

    def received(self, thread: ProgramThread) -> None: ...

    def passed(self) -> None: ...

    def over(self, thread: ProgramThread) -> None: ...


#: How often a thread may catch ThreadEnded before it is abandoned.
ENDINGS_MAX: Final = 100
_allocate: Final = _thread.allocate_lock
_start: Final[Callable[..., Any]] = getattr(_thread, "start_joinable_thread", _thread.start_new_thread)
_JOINABLE: Final = hasattr(_thread, "start_joinable_thread")
_sentinel: Final[Callable[[], Any]] = getattr(_thread, "_set_sentinel", _allocate)


class ThreadEnded(BaseException):
    """The run has ended: this unwinds a thread that is left.  `except Exception` does not catch it."""


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
        if self.task.step is self:
            self.task.resume()


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


class ProgramThread:
    """A thread of the program.

    Parameters:
        group: its baton.
        number: of the thread in its run, from 1.
        name: returns its name.
        function: the name of the function that it runs; "": it runs those of others, as a thread of a pool does.
        daemon: whether the end of the program does not wait for it.
    """

    def __init__(self, group: ThreadHost, number: int, name: Callable[[], str], function: str, daemon: bool) -> None:
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
        self.ending = self.abandoned = False
        self._endings = 0
        self._ended = self._begun = False
        self._frame: FrameType | None = None
        self._go, self._launched = _allocate(), _allocate()
        self._go.acquire()
        self._launched.acquire()
        self._system: Any = None

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.get_name()}>"

    # --- as reports see a task ---------------------------------------------------------------------------

    def get_coro(self) -> ProgramThread:
        return self

    def done(self) -> bool:
        return self._ended

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
        _here.launching = True
        try:
            started = _start(lambda: self._live(call, profile), *(() if _JOINABLE else ((),)))
        finally:
            _here.launching = False
        self._launched.acquire()
        if _JOINABLE:  # else the thread has set it, before or after its start has returned here
            self._system = started

    def resume(self) -> None:
        """Let it run until it is parked, or has ended."""
        self.step = None
        self._go.release()
        try:
            self.group.received(self)
        finally:
            if self._ended:
                self._join()

    def _join(self) -> None:
        """Wait until the system's thread is gone."""
        if _JOINABLE:
            self._system.join()
        else:
            self._system.acquire()

    # --- in the thread itself ----------------------------------------------------------------------------

    def _live(self, call: Callable[[], object], profile: Any) -> None:
        if not _JOINABLE:
            self._system = _sentinel()
            self._system.acquire()
        _here.thread = self
        sys.setprofile(profile)
        try:
            call()
        except ThreadEnded:
            pass
        finally:
            self._over()

    def begin(self) -> None:
        """It is about to run the program's function: wait for its first turn."""
        self._begun = True
        self.step = ThreadStep(self)
        self.group.wake(self)
        self._launched.release()
        self._go.acquire()
        if self.ending:
            raise ThreadEnded

    def park(self, step: ThreadStep, ready: bool = False) -> None:
        """Pass the baton, and wait until the step runs.

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
        self._pass()
        self._frame = None
        if self.ending:
            raise ThreadEnded

    def at_point(self, goes_on: Callable[[ThreadStep], bool]) -> None:
        """Ask whether it goes on, and else let the one run that was picked."""
        step = ThreadStep(self)
        self._frame = sys._getframe(1)
        if goes_on(step):
            self._frame = None
        else:
            self.park(step, ready=True)

    def check(self) -> None:
        """Raise ThreadEnded if the run has ended."""
        if self.ending:
            self._endings += 1
            if self._endings > ENDINGS_MAX:
                self.abandoned = True
                while True:
                    self._pass()
            raise ThreadEnded

    def _pass(self) -> None:
        self.group.passed()
        self._go.acquire()

    def _over(self) -> None:
        self._ended = True
        self.at_end()
        self.group.over(self)
        _here.thread = None
        if self._begun:
            self.group.passed()
        else:
            self._launched.release()
