"""Drive one run of a program step by step: list the processes that may take a step, take one, record its footprint.

1.  A step is one item of the ready queue.  The clock moves only when nothing is ready, and that is a barrier: no step
    after it races with one before it.  A timer that is due already joins at once.
2.  The end of `main`, or a SystemExit of any task, is one event, a part of its last step: it cancels the tasks that are
    left, as asyncio.run does.  They then run to their ends, so that no step of theirs that races with the end stays
    unseen.
3.  A program that cannot continue is seen when nothing is ready and no timer is set.
4.  A step of a task records its footprint if all coroutines of the task are of the rewritten program or of the loop.
    Any other step is not understood, and conflicts with every step of the program.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from gc import get_referents
from types import FrameType
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from ...errors import DeadlockError, Refusal, SimulatedInterrupt, refusal_in
from ...interfaces import Runnable
from ...sim.choices import Choices, Source
from ...sim.deadlock import deadlock
from ...sim.kernel import Kernel
from ...sim.outcome import clear_frames
from ..programs.program import Ended
from .arguments import begins, calls
from .containers import use
from .footprint import Footprint, Name, log
from .kinds import is_of_the_loop, rewritten_codes
from .program import begin_run
from .ready import Entry, NamedReady, Steps

#: A function without parameters that returns the program's coroutine.  Any: it is between it and its loop.
Main: TypeAlias = Callable[[], Coroutine[Any, Any, Any]]
#: The objects in C through which a coroutine or an asynchronous generator is awaited.
_WRAPPERS: Final = frozenset({"coroutine_wrapper", "async_generator_asend", "async_generator_athrow"})
#: A task of either runtime.
AnyTask: TypeAlias = Any


class Step(NamedTuple):
    """One step of a run: its footprint, and the steps that must come before it.

    mortal: after another order of steps, it may be one that an object dies in, or is not (footprint.py).
    """

    footprint: Footprint
    after: Steps
    mortal: bool = False


class FixedChoices:
    """The choices of a run that the search does not vary: of the network, of faults, of timers of one instant.

    They are plain, and note the lanes that were drawn from: then the search has not run every schedule.
    """

    def __init__(self) -> None:
        #: The lanes that were drawn from, in the order of their first draws.
        self.lanes: dict[str, None] = {}
        self.choices = Choices(self._source)

    def _source(self, name: str) -> Source:
        def zero(n: int) -> int:
            self.lanes[name] = None
            return 0

        return zero

    def left_out(self) -> str:
        """The choices that were left out; "": none."""
        said = {"schedule": "the order of timers of one instant"}
        return ", ".join(said.get(lane, f"the choices of the {lane}") for lane in self.lanes)


class DrivenLoop(Protocol):
    """A loop that is driven from outside: impl's (host_impl.py) or asyncio's (host_asyncio.py)."""

    @property
    def ready(self) -> NamedReady:
        """The ready queue that the driver gave to the loop."""

    @property
    def kernel(self) -> Kernel: ...

    @property
    def refused(self) -> BaseException | None:
        """The first thing that the program used and that cannot be simulated."""

    @property
    def fixed(self) -> FixedChoices:
        """The choices of the loop, beside the order of its ready queue."""

    def begin(self, main: Main) -> AnyTask:
        """Make the loop the running one, and a task of `main`."""

    def ended_by(self, error: BaseException) -> BaseException:
        """The error of the program, where main has ended with `error`."""

    def left(self) -> list[AnyTask]:
        """The tasks that are not done, in order of creation."""

    def views(self) -> Iterable[Any]:
        """The same as a report of a deadlock reads them."""  # Any: sim/deadlock.py

    def after_step(self, entry: Entry) -> None:
        """Record the loop's accesses in the step of `entry` beyond its watched objects."""

    def close(self) -> None: ...


class DrivenRun:
    """One run of `main` on a host.

    Parameters:
        trusted: every state that the program's tasks share is watched already, so nothing is foreign: for tests with
            declared variables.
        cancels: whether the end of main cancels the tasks that are left.
    """

    def __init__(self, host: DrivenLoop, main: Main, trusted: bool = False, cancels: bool = True) -> None:
        begin_run(main)
        self._host = host
        self._trusted = trusted
        self._cancels = cancels
        self._free: list[Entry] = []
        self.end: Ended | None = None
        self.steps = 0
        #: Steps that were not understood.
        self.unknown = 0
        #: The choices of the run, as order `any` draws them: the index of the item that ran, wherever several might.
        self.choices: list[int] = []
        #: The process of each step.
        self.processes: list[Name] = []
        #: Whether the clock has moved since this was last set to False.
        self.barrier = False
        try:
            self.main = host.begin(main)
        except BaseException:
            self.close()
            raise

    def enabled(self) -> list[Name]:
        """The processes that may take a step now; none: the run is over."""
        kernel, ready = self._host.kernel, self._host.ready
        when = kernel.next_event()
        if when is not None and when <= kernel.now:
            kernel.advance(when)
        while not ready.entries:
            when = kernel.next_event()
            if when is None:
                if self.end is None:
                    with log.aside():
                        self.end = Ended(None, self._host.refused or deadlock(self._host.views()))
                return []
            kernel.advance(when)
            self.barrier = True
        self._free = ready.free()
        return [entry.process for entry in self._free]

    def left_out(self) -> str:
        """The choices that the search left out; "": none."""
        return self._host.fixed.left_out()

    def drawn(self) -> Choices:
        """The choices of the run, beside the order of its ready queue."""
        return self._host.fixed.choices

    def step(self, process: Name) -> Step:
        """Let a process take its step; it must be among `enabled()`."""
        index = next(n for n, entry in enumerate(self._free) if entry.process == process)
        entry = self._free[index]
        if len(self._free) > 1:
            self.choices.append(index)
        self.processes.append(process)
        host, ready = self._host, self._host.ready
        ready.chosen, self._free = entry, []
        self.steps += 1
        ready.step = self.steps
        ready.begin_step()
        log.begin_step(process)
        if not self._trusted:
            self._judge(entry)
        exited: BaseException | None = None
        failed = self._failed()
        try:
            host.kernel.step()
        except (SystemExit, SimulatedInterrupt) as error:
            exited = error
        if self._failed() > failed:
            log.write(host, "live")  # as the end of main does: an outcome depends on which of them comes first
        if host.kernel.stopping and not self.main.done():  # it says something of an iteration: here is none
            exited = exited or Refusal("loop.stop() under --every", "explore without --every")
        host.after_step(entry)
        entry.let_go()
        if self.end is None and (exited is not None or self.main.done()):
            self._end(exited)
        self.unknown += log.unknown
        mine, line = log.end_step(), ready.footprint()
        footprint = Footprint(*(one | other for one, other in zip(mine, line, strict=True)))
        return Step(footprint, entry.after, log.mortal())

    def _failed(self) -> int:
        """The number of callbacks that have failed."""
        limits = self._host.kernel.limits
        return 0 if limits is None else len(limits.unhandled or ())

    def _judge(self, entry: Entry) -> None:
        """Record whether the step runs code of the program, and whether that is understood."""
        log.reads |= log.unknown_bit
        if log.unwatched:
            log.not_understood("a value that the loop holds")
        task = None if entry.callback else self._task(entry.item)
        if task is not None:
            self._judge_task(task)
            return
        with log.aside():
            fn = getattr(entry.item, "_fn", None) or getattr(entry.item, "fn", None)
            args: Any = getattr(entry.item, "_args", None) or getattr(entry.item, "args", ())
        if fn is not None:
            calls(fn, args)

    @staticmethod
    def _judge_task(task: AnyTask) -> None:
        with log.aside():
            coroutine = task.get_coro()
        begins(coroutine)
        for frame in frames(coroutine):
            if frame is None:
                log.not_understood("an awaitable of another kind")
            elif id(frame.f_code) not in rewritten_codes and not is_of_the_loop(frame.f_globals.get("__name__")):
                log.not_understood(f"{frame.f_code.co_filename}:{frame.f_lineno}")

    def _task(self, item: Runnable) -> AnyTask:
        return getattr(item, "task", item)

    def _end(self, exited: BaseException | None) -> None:
        """The end of main, or of the program by a task that exits: see the head of this module."""
        main, kernel = self.main, self._host.kernel
        kernel.limits = kernel.limits and replace(kernel.limits, unhandled=[])  # those of the run are complete
        with log.aside():
            if exited is not None:
                self.end = Ended(None, exited)
            elif main.cancelled():
                try:
                    main.result()
                except BaseException as error:
                    self.end = Ended(None, self._host.ended_by(error))
            elif main.exception() is not None:
                self.end = Ended(None, main.exception())
            else:
                self.end = Ended(main.result())
        assert self.end is not None
        refused = self._host.refused or refusal_in(self.end.error)
        # The rewritten program goes less deep.
        if refused is None and isinstance(self.end.error, RecursionError):
            refused = Refusal("a recursion as deep as this under --every", "explore without --every")
        if refused is not None:
            self.end = Ended(None, refused)
        use(self.end.result)
        log.write(self._host, "live")
        if self._cancels:
            for task in self._host.left():
                task.cancel()

    def close(self) -> None:
        """Close the loop; errors on the way are the program's, and change nothing that was found."""
        self._free = []
        with log.aside():
            self._host.close()
        if self.end is not None:
            clear_frames(self.end.error)
        log.begin_run()


def frames(coroutine: Any) -> Iterator[FrameType | None]:  # Any: a coroutine, or its awaitable
    """The frames of a coroutine that is suspended or has not begun, from its own to the innermost.

    None stands for an awaitable without a frame that is not of the loop.
    """
    while coroutine is not None:
        if type(coroutine).__name__ in _WRAPPERS:
            coroutine = next(each for each in get_referents(coroutine) if not isinstance(each, type))
        kind = next((kind for kind in ("cr", "gi", "ag") if hasattr(coroutine, f"{kind}_frame")), None)
        if kind is None:
            if not is_of_the_loop(type(coroutine).__module__):
                yield None
            return
        frame = getattr(coroutine, f"{kind}_frame")
        if frame is not None:
            yield frame
        coroutine = getattr(coroutine, "gi_yieldfrom" if kind == "gi" else f"{kind}_await")


@contextmanager
def closing_quietly() -> Iterator[None]:
    """Errors of coroutines that are closed are the program's; they come after the end.

    If the coroutine of a task group is closed after a task of it failed, the group raises both errors as a group.
    """
    try:
        yield
    except (Exception, DeadlockError, GeneratorExit, SystemExit, SimulatedInterrupt):
        pass
    except KeyboardInterrupt:
        raise
    except BaseExceptionGroup as group:
        if group.subgroup(KeyboardInterrupt):
            raise
