"""The errors of the loop, with asyncio's names and asyncio's places in the hierarchy of exceptions."""

from __future__ import annotations

from typing import NamedTuple, Self

#: This package: "impl" in a checkout, "loopspec.impl" in the wheel.  Its logger has the same name.
PACKAGE = __name__.rpartition(".")[0]
#: asyncio's name for the builtin (since 3.11).
TimeoutError = TimeoutError


class CancelledError(BaseException):
    """The task was cancelled; `args` holds the message of `cancel(msg)`, if there was one.

    It is a BaseException, so `except Exception` does not catch it (CPython documentation, `asyncio.CancelledError`,
    since 3.8).
    """


class InvalidStateError(Exception):
    """A future was resolved twice, or its result was read before there was one."""


class QueueEmpty(Exception):
    """`get_nowait` found no item."""


class QueueFull(Exception):
    """`put_nowait` found no free place."""


class QueueShutDown(Exception):
    """The queue was shut down: no item can be put any more, or none is left to get."""


class BrokenBarrierError(RuntimeError):
    """The barrier was reset while a task waited at it, or was broken by `abort`."""


class CallbackError(Exception):
    """A callback has failed, and the program has no exception handler: a search takes that for a failure of the run."""


class SimulatedInterrupt(KeyboardInterrupt):
    """KeyboardInterrupt, by a SIGINT that a simulated program has sent to itself: an outcome of that program."""


SimulatedInterrupt.__name__ = SimulatedInterrupt.__qualname__ = KeyboardInterrupt.__name__
SimulatedInterrupt.__module__ = KeyboardInterrupt.__module__


class EndedBySignal(SystemExit):
    """A simulated program has sent itself a signal that ends it, as it has no handler for that.

    Parameters:
        name: of the signal.
        number: of the signal; the exit status of a shell is 128 more.
    """

    def __init__(self, name: str, number: int) -> None:
        super().__init__(128 + number)
        self.name, self.number = name, number

    def __str__(self) -> str:
        return f"{self.name}, for which the program has no handler"


class Blocked(NamedTuple):
    """A task that cannot continue: one line of a deadlock report."""

    #: The name of the task (`Task.get_name()`).
    task: str
    #: The function that the task runs, as its code names it; "" if that is unknown.
    function: str
    #: `waits at FILE:LINE in FUNCTION for`, or words about a task that does not wait.
    state: str
    #: The method that waits, for instance `Queue.get`; "" for a bare future.
    method: str = ""
    #: The program's own name of the object that it waits for, for instance `self.lock`; "" if it has none.
    called: str = ""
    #: That object, as its repr says; "" if the task waits for none.
    thing: str = ""
    #: The tasks that hold the lock or semaphore, or the task that is waited for: places in `DeadlockError.blocked`.
    holders: tuple[int, ...] = ()
    #: Whether the holders are certain: they are inside `async with`.
    certain: bool = True


class DeadlockError(RuntimeError):
    """Nothing is ready, no timer is set, nothing is on the wire: the program cannot continue.

    asyncio would hang.  The text names the tasks, the line at which each waits, the object that it waits for, the
    holders of a lock, and a cycle of tasks that wait for each other.  It lists as many tasks as fit into 4,000
    characters.
    """

    #: The tasks in order of creation, those that are not in the text included.
    blocked: tuple[Blocked, ...] = ()


class UnfinishedError(DeadlockError):
    """The run has taken as many loop iterations as it may, and it is not known whether it would end."""


class LivelockError(DeadlockError):
    """Tasks keep running while the virtual clock stands still: the program spins for ever."""


class Refusal(RuntimeError):
    """The program used something that cannot be simulated: the run says nothing about it.

    Parameters:
        what: the thing, as a noun, such as `a subprocess`.
        suggestion: the thing to use instead.
        place: the line of the program, such as `FILE, line 7`; "": none is known.
        library: the installed package that used it; "": the program did.
    """

    def __init__(self, what: str, suggestion: str, place: str = "", library: str = "") -> None:
        super().__init__(what, suggestion, place, library)
        self.what, self.suggestion, self.place, self.library = what, suggestion, place, library

    def __str__(self) -> str:
        return f"{self.what} is outside of the simulation; use {self.suggestion}"

    def sentence(self) -> str:
        """The thing and its place, and the advice, in one line."""
        where = f" ({self.place})" if self.place else ""
        if not self.library:
            return f"{self.what}{where}; use {self.suggestion}"
        verb = "starts" if self.what in ("a thread", "a subprocess") else "uses"
        return f"{self.library} {verb} {self.what}{where}; give the program a stand-in for {self.library}"


class StartsThreads(Refusal):
    """The program starts threads, and the reduction knows no footprints of theirs."""


def refusal_in(error: BaseException | None, deep: int = 9) -> Refusal | None:
    """The refusal that an error is, that it holds as a group or was raised from, at most `deep` errors down."""
    if error is None or isinstance(error, Refusal) or not deep:
        return error if isinstance(error, Refusal) else None
    held = error.exceptions if isinstance(error, BaseExceptionGroup) else ()
    return next(filter(None, (refusal_in(each, deep - 1) for each in (error.__cause__, *held))), None)


class InternalError(RuntimeError):
    """Loopspec itself went wrong: this says nothing about the program; `__cause__` is the error."""

    @classmethod
    def of(cls, error: BaseException) -> Self:
        """The error to raise from another one."""
        return cls(f"{type(error).__name__}: {error}")
