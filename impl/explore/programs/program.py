"""A program to explore, and how one of its runs ended: the interface between the search and the runtimes.

A runtime runs a program in two ways.  `once` is the bulk of a search: it stops when `main` is done, and makes no
digest and no token.  `simulate` is an ordinary run with all of them, which replays the failures of `once`.  Both draw
the same choices until `main` is done; after that `once` draws nothing (the end of main is one event), and `simulate`
draws for its winding-up, where the recorded choices have ended and all are plain.
"""

from __future__ import annotations

import linecache
import re
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from opcode import opmap
from typing import Any, Final, Literal, Protocol, Self, TypeAlias

from ...bridges.before_run import BeforeRun, call_before_run
from ...bridges.network import Network
from ...errors import UnfinishedError
from ...runners.simulate import Run
from ...sim.choices import Choices
from ...sim.frames import is_users
from ...sim.inject import NOTHING, Injection
from ...sim.limits import RunLimits
from ...sim.order import Order
from ...sim.outcome import outcome_of

#: A function without parameters that returns the program's coroutine.  Any: it is between it and its runtime.
UserMain: TypeAlias = Callable[[], Coroutine[Any, Any, Any]]
#: Receives a primitive or a task, the name of its method, and whether the call has changed it.
Note: TypeAlias = Callable[[Any, str, bool], object]
#: asyncio: unmodified, on SimEventLoop; impl: on impl.Loop; trio: unmodified.
RuntimeName = Literal["asyncio", "impl", "trio"]
#: The instruction of the statement `raise`.
_RAISE: Final = opmap["RAISE_VARARGS"]


@dataclass(frozen=True, slots=True)
class Setup:
    """A program with the conditions under which it is explored."""

    main: UserMain
    order: Order = "any"
    #: None: that of the runtime (impl has none of its own).
    network: Network | None = None
    inject: Injection = NOTHING
    limits: RunLimits = field(default_factory=RunLimits)
    #: Modules and packages whose steps are recorded as the user's are.
    follow: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ended:
    """How `main` ended; it is made when that happens, and so is the text of its outcome."""

    result: Any = None  # Any: the program's
    error: BaseException | None = None
    said: str = ""
    #: Whether anything was injected, as far as that is known.
    injected: bool = True

    def __post_init__(self) -> None:
        if not self.said:
            object.__setattr__(self, "said", outcome_of(self.result, self.error))

    @classmethod
    def of(cls, run: Run[Any]) -> Self:  # Any: as result
        """How a run ended."""
        return cls(run.result, run.error, run.said, any(run.choices.drawn()["faults"]))

    def outcome(self) -> str:
        """The outcome in one line without addresses: runs with the same one count as equal."""
        return self.said


#: A statement `raise`, alone in its line or behind the head of its block; the text of an assert may have the word, too.
_RAISES: Final = re.compile(r"\s*((except|if|elif|else)\b.*:\s*)?raise\b")


def timed_out(error: BaseException | None, raised: bool = False, deep: int = 9) -> bool:
    """Whether an error is a timeout, or the form that code has given to one, at most `deep` errors down.

    That is an error that is raised from it, or by a library that handles it, such as httpx.ReadTimeout.

    Parameters:
        raised: whether the user's code, too, may have raised it while handling the timeout, by `raise`.
    """
    if error is None or not deep:
        return False
    if isinstance(error, TimeoutError) or _is_trios(error):
        return True
    handles = _is_of_library(error) or (raised and _is_raised(error))
    return timed_out(error.__cause__ or (error.__context__ if handles else None), raised, deep - 1)


def _is_trios(error: BaseException) -> bool:
    """Whether it is the timeout of trio, which need not be installed."""
    kind = type(error)
    return kind.__name__ == "TooSlowError" and kind.__module__.partition(".")[0] == "trio"


def _is_raised(error: BaseException) -> bool:
    """Whether a `raise` has raised an error; one of an operation, or of `assert`, is no decision of the program's."""
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    if at is None:
        return False
    code = at.tb_frame.f_code
    if isinstance(error, AssertionError) and not _RAISES.match(linecache.getline(code.co_filename, at.tb_lineno)):
        return False
    return code.co_code[at.tb_lasti] == _RAISE


def _is_of_library(error: BaseException) -> bool:
    """Whether no line of the user's raised an error."""
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    return at is not None and not is_users(at.tb_frame.f_code.co_filename)


class Program(Protocol):
    """A program on one runtime."""

    def around(self) -> AbstractContextManager[object]:
        """The context of a whole exploration: the part that each run would otherwise set up by itself."""

    runtime: RuntimeName

    @property
    def setup(self) -> Setup:
        """The program and its conditions."""

    def like(self, main: UserMain) -> Program:
        """Another program, explored under the same conditions."""

    def recording(self, note: Note) -> AbstractContextManager[object]:
        """The context of a run that notes its calls of primitives."""

    def once(self, choices: Choices) -> Ended:
        """Run it once, until `main` is done.

        Raises:
            KeyboardInterrupt: the program was interrupted, or has raised it.
        """

    def failed(self, ended: Ended) -> bool:
        """Whether a run that ended so has failed."""

    def simulate(self, choices: Choices | None = None, token: str | None = None, trace: bool = False) -> Run[Any]:
        """Run it with digest and token, of these choices or of the token.

        Raises:
            TokenError: as the runtime's `simulate`.
        """


class RuntimeProgram:
    """The part of a Program that is the same on each runtime."""

    runtime: RuntimeName
    #: The runtime's CancelledError.
    cancelled: type[BaseException]

    #: Its `simulate`, on the network of the program.
    _simulates: Callable[..., Run[Any]]

    def __init__(self, setup: Setup) -> None:
        self._setup = setup

    @property
    def setup(self) -> Setup:
        return self._setup

    def like(self, main: UserMain) -> Self:
        return type(self)(replace(self._setup, main=main))

    def failed(self, ended: Ended) -> bool:
        """Whether the run raised something else than the injected error, if there was one.

        Where timers are free, the program may answer a timeout by an error of its own, or by a cancel.
        """
        inject, error = self._setup.inject, ended.error
        free = inject.late_freely

        def expected(each: BaseException) -> bool:
            cancelled = (bool(inject.cancel) or free) and isinstance(each, self.cancelled)
            return ended.injected and (cancelled or ((inject.timeouts or free) and timed_out(each, free)))

        if isinstance(error, BaseExceptionGroup):
            return error.split(expected)[1] is not None
        return error is not None and not isinstance(error, UnfinishedError) and not expected(error)

    def simulate(self, choices: Choices | None = None, token: str | None = None, trace: bool = False) -> Run[Any]:
        return self._simulated(self._setup.main, choices, token, trace)

    def _simulated(
        self, main: UserMain, choices: Choices | None, token: str | None = None, trace: bool = False
    ) -> Run[Any]:
        setup = self._setup
        return self._simulates(
            main,
            order=setup.order,
            token=token,
            choices=choices,
            trace=trace,
            inject=setup.inject,
            limits=setup.limits,
        )


class WrappedProgram:
    """Another program as it is: the base of those that add something to its runs.

    `context()` is entered around all runs, and `before_run()` called before each.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self.runtime = program.runtime

    @property
    def setup(self) -> Setup:
        return self._program.setup

    def context(self) -> AbstractContextManager[object]:
        return nullcontext()

    def before_run(self) -> None:
        pass

    @contextmanager
    def around(self) -> Iterator[None]:
        with self._program.around(), self.context():
            yield

    def recording(self, note: Note) -> AbstractContextManager[object]:
        return self._program.recording(note)

    def once(self, choices: Choices) -> Ended:
        self.before_run()
        return self._program.once(choices)

    def failed(self, ended: Ended) -> bool:
        return self._program.failed(ended)

    def simulate(self, choices: Choices | None = None, token: str | None = None, trace: bool = False) -> Run[Any]:
        self.before_run()
        return self._program.simulate(choices, token, trace)


class Prepared(WrappedProgram):
    """Another program, with something to call before each run."""

    def __init__(self, program: Program, what: BeforeRun) -> None:
        super().__init__(program)
        self._what = what

    def like(self, main: UserMain) -> Prepared:
        return Prepared(self._program.like(main), self._what)

    def before_run(self) -> None:
        call_before_run(self._what)
