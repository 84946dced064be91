"""A program is run to its end on a loop of any runtime, and the loop is wound up."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from typing import Any, Final, Generic, Protocol, TypeAlias, TypeVar, cast

from ..errors import DeadlockError, InternalError, Refusal, SimulatedInterrupt, refusal_in
from .kernel import Kernel
from .outcome import outcome_of

T = TypeVar("T")

#: A program: a coroutine, or a function that makes one.  Any: the yields of a coroutine are for its runtime alone.
Main: TypeAlias = Coroutine[Any, Any, T] | Callable[[], Coroutine[Any, Any, T]]

#: How often a loop is wound up again, because a task has exited meanwhile.
_EXITS_MAX: Final = 100
#: The steps of threads after the program, at most: one that polls for ever is unwound then.
STEPS_MAX: Final = 10_000


@dataclass(frozen=True, slots=True)
class End(Generic[T]):
    """How a program ended: as the fields of Run say."""

    result: T | None
    error: BaseException | None
    elapsed_ns: int
    said: str = ""


class Driven(Protocol):
    """The members of a loop that `drive` uses."""

    #: The tasks that are not done.
    live: dict[Any, None]

    @property
    def now(self) -> int: ...

    @property
    def refused(self) -> BaseException | None: ...

    def run_until_complete(self, what: Coroutine[Any, Any, T], /) -> T: ...  # Any: as Main

    @property
    def unending(self) -> Refusal | None: ...

    def wind_up(self) -> None: ...

    def finish_threads(self, steps: int) -> None: ...

    def close(self) -> None: ...


class _Live(dict[Any, None]):  # Any: tasks of any loop
    """The tasks of a loop that are not done; it takes the text of main's error when that ends, not some steps later."""

    def __init__(self, tasks: dict[Any, None]) -> None:
        super().__init__(tasks)
        self.said = ""
        self._ended = False

    def pop(self, task: Any, *default: None) -> None:  # type: ignore[override]  # the loops give None only
        """A bridge forgets a task that is done."""
        self._note(task)
        return super().pop(task, *default)

    def __delitem__(self, task: Any) -> None:
        """impl's loop forgets a task that is done."""
        self._note(task)
        super().__delitem__(task)

    def _note(self, task: Any) -> None:
        # Main is the first task of its loop.
        if not self._ended and task in self and next(iter(self)) is task:
            self._ended = True
            error, _ = task.failure
            self.said = "" if error is None else outcome_of(None, error)


def wound_up(loop: Driven) -> SystemExit | None:
    """Wind a loop up, on and on if tasks exit meanwhile; returns the first SystemExit.

    A KeyboardInterrupt of a signal is dropped.  A task that swallows its cancellation and waits on is left as it is.
    """
    exited, kernel = None, cast(Kernel, getattr(loop, "kernel", loop))
    kernel.limits = kernel.limits and replace(kernel.limits, unhandled=None)
    for _ in range(_EXITS_MAX):
        left = list(loop.live)
        try:
            loop.wind_up()
            break
        except DeadlockError:
            break
        except SimulatedInterrupt:
            pass
        except SystemExit as error:
            exited = exited or error
        for task in left:
            if task.done() and not task.cancelled():
                task.exception()  # it ended the loop: it is not reported as well
    return exited


def drive(loop: Driven, main: Main[T]) -> End[T]:
    """Run a program to its end, wind the loop up and close it.

    A task that swallows its cancellation and waits on is abandoned: the outcome of the program says more.  A SystemExit
    of any task ends the program, as in asyncio.

    Raises:
        InternalError: the loop went wrong.
        KeyboardInterrupt: the program was interrupted, or has raised it.
    """
    result = error = None
    said = ""
    loop.live = live = _Live(loop.live)
    try:
        result = loop.run_until_complete(main() if callable(main) else main)
    except BaseException as raised:
        by_signal = isinstance(raised, SimulatedInterrupt)
        if isinstance(raised, InternalError | KeyboardInterrupt) and not by_signal:
            raise
        error, said = raised, (live.said if not by_signal else "") or outcome_of(None, raised)
    finally:
        elapsed_ns, refused = loop.now, loop.refused or refusal_in(error)
        try:
            exited = wound_up(loop)
            loop.finish_threads(STEPS_MAX)
            if exited is not None and error is None:
                raise exited
        finally:
            loop.close()
    refused = refused or loop.unending
    if refused is not None:
        return End(None, refused, elapsed_ns, outcome_of(None, refused))
    return End(result, error, elapsed_ns, said)
