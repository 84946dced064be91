"""A run is a function of its choices: its recipe, its token, and its outcome, for programs of every runtime.

1.  A run is (program, parameters, choices) -> trace.  A `Recipe` holds all of that but the program (recipe.py).
2.  Equal runs are equal event by event, in one process and in two.  For that `isolated` seeds the module random and
    puts it back afterwards, and begins the bytes that a bridged program gets from `os.urandom` (entropy.py).  The
    cyclic garbage collector would run at moments that depend on the whole process; it runs at counted events only
    (garbage.py), because programs can observe finalizers.
3.  Other sources of randomness are not controlled: `datetime.now`, the order of a set of strings (PYTHONHASHSEED fixes
    it), and the order of a set of impl tasks, which hash by address; a bridge numbers its tasks.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field, replace
from functools import partial
from io import StringIO
from typing import Any, Final, Generic, Self, TypeVar

from ..errors import LivelockError, UnfinishedError
from ..interfaces import Runnable
from ..loop import Loop
from ..sim import entropy
from ..sim.choices import Choices
from ..sim.end import End, Main, drive
from ..sim.garbage import Collector, uncollected
from ..sim.inject import NOTHING, Injection, pack, unpack
from ..sim.limits import RunLimits
from ..sim.order import Order
from ..sim.outcome import outcome_of
from ..sim.recipe import Recipe
from ..sim.set_order import first_iteration
from ..sim.token import Packer, TokenError, Unpacker
from ..sim.trace import Digest, Event, Name, Recorder, Remark
from ..tasks.current import our_running_loop

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Run(Generic[T]):
    """A run that is over: `error` is the program's error, or DeadlockError; else it returned `result`."""

    result: T | None
    error: BaseException | None
    #: The outcome in one line (outcome.py), of an error as it was when the program ended; "": it has returned.
    said: str
    elapsed_ns: int  # virtual, until the program returned or raised
    events: int
    digest: str
    token: str
    #: The events (sim/trace.py), if a trace was asked for.
    trace: Sequence[Event] = field(repr=False)
    #: The names of the tasks of the trace.
    labels: Mapping[Name, str] = field(repr=False, compare=False)
    #: Further items of a picture besides the trace, each with the number of events before it.
    remarks: Sequence[tuple[int, Remark]] = field(repr=False, compare=False)
    recipe: Recipe[Any] = field(repr=False, compare=False)  # Any: the parameters of any runtime
    choices: Choices = field(repr=False, compare=False)

    def outcome(self) -> T:
        """The result.

        Raises:
            BaseException: the error.
        """
        if self.error is not None:
            raise self.error
        return self.result  # type: ignore[return-value]  # without an error it is one

    def _repr_html_(self) -> str:
        """The picture of the run for a notebook, if it has a trace; else its outcome, and its token."""
        from ..picture import page, scene_of  # here, as a run without a picture needs none of it
        from ..picture.page import framed, preformatted

        said, notes = self.said or outcome_of(self.result, self.error), [f"token: {self.token}"]
        if self.trace:
            return framed(page([scene_of(self, title=said, notes=notes)]))
        seconds = f"virtual time: {self.elapsed_ns / 1e9:.6f} s"
        return preformatted("\n".join([said, seconds, *notes, "trace=True: draw it"]))

    def noted(self) -> T:
        """As `outcome`, with a note of the token on the error."""
        if self.error is not None:
            self.error.add_note(f"token: {self.token}")
        return self.outcome()

    def recorded_token(self) -> str:
        """The token that contains the choices of this run, even if they came from a seed.

        Raises:
            TokenError: a choice is too great for a token.
        """
        return self.recipe.recorded_token(self.choices, bytes.fromhex(self.digest))

    def check(self, again: Callable[..., Run[T]] | None = None) -> Self:
        """The run itself.

        Parameters:
            again: makes a run with the parameters of a recipe, so that the error can say whether it is this one again.

        Raises:
            TokenError: it was to repeat the run of a token, and is another run: the program has changed since, or
                depends on more than its choices.
        """
        if isinstance(self.error, LivelockError | UnfinishedError):
            return self  # how far it went depends on its limits
        if not self.choices.digest().startswith(self.recipe.widths):
            how = "it came to other choice points"
        elif not bytes.fromhex(self.digest).startswith(self.recipe.events):
            how = "it came to the same choice points, but its events differ"
        else:
            return self
        raise TokenError(
            f"this is not the run that the token stands for: {how}; {self._reason(again)}; "
            f"now the token is {self.token!r}"
        ) from self.error

    def _reason(self, again: Callable[..., Run[T]] | None) -> str:
        """The reason why it is not the run that the token stands for, as a part of a sentence."""
        if again is not None:
            given, choices = self.recipe.parameters, self.recipe.choices()
            same = partial(again, seed=self.recipe.seed, order=given.order, inject=given.inject, choices=choices)
            with redirect_stdout(StringIO()):
                other, place = first_iteration(same)
            if place:
                return f"the program iterates over a set of objects in order of their addresses ({place})"
            if (other.choices.digest(), other.digest) != (self.choices.digest(), self.digest):
                return "made once more, it is another run again: the program depends on more than its choices"
        fixed = None if sys.flags.ignore_environment else os.environ.get("PYTHONHASHSEED")
        if fixed not in (None, "", "random"):
            hashes = f"its sets of strings have another order: PYTHONHASHSEED is {fixed} in this process"
        else:
            hashes = "its sets of strings have another order, as in each process: then set PYTHONHASHSEED"
        return f"the program has changed since, or {hashes}"


def finished(
    recipe: Recipe[Any],
    choices: Choices,
    end: End[T],
    digest: Digest,
    recorder: Recorder | None = None,
) -> Run[T]:  # Any: as in Run
    """The run of that recipe, which drew from `choices`; `recorder` has its trace, if there is one."""
    return Run(
        end.result,
        end.error,
        end.said,
        end.elapsed_ns,
        digest.count,
        digest.digest(),
        recipe.token(choices, bytes.fromhex(digest.digest())),
        () if recorder is None else recorder.events,
        {} if recorder is None else recorder.labels,
        () if recorder is None else recorder.remarks,
        recipe,
        choices,
    )


@contextmanager
def isolated(seed: int) -> Iterator[None]:
    """Seed the module random and `entropy` for the duration, and let only a `Collector` collect garbage."""
    state = random.getstate()
    random.seed(f"loopspec {seed}")
    entropy.begin(seed)
    try:
        with uncollected():
            yield
    finally:
        random.setstate(state)


# --- programs of impl ----------------------------------------------------------------------------------------

KIND: Final = "lsi"


@dataclass(frozen=True, slots=True)
class Scheduling:
    """The parameters of a run of an impl program: those of its loop."""

    order: Order = "fifo"
    inject: Injection = NOTHING

    def pack(self, packer: Packer) -> None:
        pack(packer, self.order, self.inject)

    def unpack(self, unpacker: Unpacker) -> Scheduling:
        return Scheduling(*unpack(unpacker))


class _GarbageRecorder(Recorder):
    """The trace; it also says when garbage is collected."""

    __slots__ = ("_collector",)

    def __init__(self, keep: bool) -> None:
        super().__init__(keep)
        self._collector = Collector()

    def taken(self, item: Runnable) -> None:
        super().taken(item)
        self._collector.at(self.count)


def simulate(
    main: Main[T],
    *,
    seed: int = 0,
    order: Order = "fifo",
    late_ms_max: int = 0,
    inject: Injection = NOTHING,
    token: str | None = None,
    choices: Choices | None = None,
    trace: bool = False,
    limits: RunLimits | None = None,
) -> Run[T]:
    """Run an impl program as `impl.run` does, and return its outcome, trace and token.

    A program that needs a network makes it: `SimulatedNet(loop, loop.choices)` with the running loop.

    Parameters:
        main: a coroutine, or a function without parameters that makes one.
        seed: of the choices, and of the module random.
        order: as for Loop.
        late_ms_max: as for Loop; that of `inject`, if this is 0.
        inject: cancels, timeouts and late timers.
        token: of a run to repeat; it replaces seed, order, late_ms_max and inject.
        choices: drawn from instead of those of the seed; the token of the run then contains them.
        trace: whether to keep the events.
        limits: of its loop iterations; None: those of a run by itself.

    Raises:
        TokenError: the token is malformed, the program has changed, or a choice is too great for a token.
        ValueError: choices are given beside a token.
        RuntimeError: a loop of impl runs in this thread.
        KeyboardInterrupt: the program was interrupted, or has raised it.
    """
    try:
        if our_running_loop() is not None:
            raise RuntimeError("simulate() cannot be called from a running event loop")
        inject = replace(inject, late_ms_max=late_ms_max or inject.late_ms_max)
        recipe = Recipe.of(KIND, Scheduling(order, inject), seed, token)
        drawn = recipe.choices(choices)
        watch = _GarbageRecorder(trace)
        order, inject = recipe.parameters.order, recipe.parameters.inject
        loop = Loop(drawn, order, watch, inject=inject)
        loop.limits = limits or RunLimits.of_one()
    except BaseException:
        if not callable(main):
            main.close()
        raise
    with isolated(recipe.seed):
        end = drive(loop, main)

    again = partial(simulate, main, limits=limits) if callable(main) else None
    return finished(recipe, drawn, end, watch, watch).check(again)
