"""explore: run a program under many schedules, until a run fails, all were run, or a number is reached.

A run is a function of its choices (sim/choices.py), so a search is a source of choices: an odometer for all schedules,
or the strategies for as many as are wanted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import Any, Final

from ..bridges.before_run import BeforeRun, BeforeRunFailed
from ..bridges.guards.adoption import adopt_users
from ..bridges.network import Network
from ..bridges.output import audible, muted
from ..bridges.own_thread import off_loop
from ..commands.arguments import check_main
from ..errors import CallbackError
from ..interfaces import Oracle
from ..net import Fault
from ..sim.choices import Choices
from ..sim.inject import COLLECT, FREE, Injection
from ..sim.limits import ITERATIONS, ErrorPlace, place_of_error
from ..sim.order import Order
from ..sim.outcome import described
from ..sim.token import TokenError
from .choices.odometer import KeepsState
from .choices.sources import MIX
from .module_state.snapshot import ModuleState
from .programs.leaks import Tidy
from .programs.probes import EndWanted, Probes
from .programs.program import Prepared, Program, RuntimeName, Setup, UserMain
from .programs.with_oracle import Judged
from .reduction.preempting import Preempted
from .report.found import CannotExplore, Found, Seen
from .report.internal import boundary
from .search.classes import ClassSearch, has_classes
from .search.determinism import explain
from .search.options import Faults, Options
from .search.search import Search, searching

#: Each runtime's module, which is imported when a program of it is explored, and its class.
_RUNTIMES: Final = {
    "asyncio": ("on_asyncio", "OnAsyncio"),
    "impl": ("on_impl", "OnImpl"),
    "trio": ("on_trio", "OnTrio"),
}


def explore(
    main: UserMain,
    *,
    runs: int | None = None,
    every: bool = False,
    seed: int = 0,
    strategy: str = MIX,
    runtime: RuntimeName = "asyncio",
    order: Order = "any",
    network: Network | None = None,
    late: float | None = None,
    cancel: str | Sequence[str] | None = None,
    timeouts: bool = False,
    preempt: bool = False,
    faults: Faults | None = None,
    errors: str | Sequence[str] | None = None,
    outside: str | Sequence[str] | None = None,
    before_run: BeforeRun | None = None,
    follow: str | Sequence[str] | None = None,
    iterations: int = ITERATIONS,
    spec: Oracle | None = None,
    token: str | None = None,
    keep_going: bool = False,
    reduce: bool = True,
    progress: Callable[[Found], object] = lambda found: None,
) -> Found:
    """Search the schedules of a program for one under which it fails.

    A run fails if the program raises (SystemExit, too), deadlocks or livelocks, or a probe (probes.py) does not hold.
    Where a task was cancelled or a timeout expired early, that the program ends with just that is no failure; nor is an
    error that is raised from the timeout, or by a library that handles it.
    Where a loop of asyncio runs, as in a notebook, the search is made in a thread of its own, and drops the output of
    its runs; the report of a failure has that of the run that fails.

    Parameters, besides those of `Options`, which describes them:
        main: a function without parameters that returns the program's coroutine; it is called once for each run, and
            must make everything that the run changes.
        progress: called after each run.

    Raises:
        InternalError: loopspec went wrong; this says nothing about the program.
        CannotExplore: a run has used something that cannot be simulated, and none before it failed.
        KeepsState: the program is no function of its choices.
        TokenError: the token is malformed, or is of another program or network.
        TypeError: an argument is of another type, or `main` is no function that needs no arguments.
        ValueError: a number is out of range, a name is unknown, a server cannot be reached, or `before_run` failed.
        KeyboardInterrupt: the program was interrupted, or has raised it.
    """
    given = dict(locals())  # all parameters: each of the others is a field of Options
    del given["main"], given["progress"]
    return explore_with(main, Options(**given), progress)


@off_loop(muted)
def explore_with(main: UserMain, options: Options, progress: Callable[[Found], object] = lambda found: None) -> Found:
    """As `explore`, with the options as one object."""
    check_main(main)
    if not callable(progress):
        raise TypeError(f"progress is {progress!r}: it must be a function")
    progress = audible(progress)
    adopt_users()
    state = ModuleState(main)
    try:
        found = _watched_search(options, main, state, progress, ())
        if any(text.startswith(CallbackError.__name__) for text in found.outcomes):
            state.restore()
            usual = _usual(options.setup(main), options)
            if usual:
                found = _watched_search(options, main, state, progress, usual)
                found.usual = "; ".join(usual.values())
    except KeepsState as error:
        if not error.outside:
            explain(error, _prepared(options, options.setup(main)), state)
        raise
    if found.failure is not None:
        state.restore()  # its run begins there, and may be repeated
    return found


def _usual(setup: Setup, options: Options) -> dict[ErrorPlace, str]:
    """The errors of callbacks that nothing handles in the plain run, each with its text."""
    program = _prepared(options, setup)
    with searching(program), boundary(BeforeRunFailed):
        program.once(Choices.plain())
    return {place_of_error(error): described(error) for error in setup.limits.unhandled or ()}


def _watched_search(
    options: Options,
    main: UserMain,
    state: ModuleState,
    progress: Callable[[Found], object],
    usual: Collection[ErrorPlace],
) -> Found:
    """One search; its runs are looked at after their ends, if that is asked for, or a probe wants it.

    Parameters:
        usual: the errors of callbacks that are no failure.
    """
    search = partial(_search, options.setup(main), options, state, progress, usual=usual)
    try:
        return search(watched=bool(options.leaks()))
    except EndWanted:
        return search(watched=True)


def _search(
    setup: Setup,
    options: Options,
    state: ModuleState,
    progress: Callable[[Found], object],
    watched: bool,
    usual: Collection[ErrorPlace],
) -> Found:
    """One search; `watched`: each run is looked at after its end.

    Raises:
        EndWanted: it is not watched, and a probe wants the end of a run.
    """
    probes = Probes(watched, setup.limits, usual)
    program = _judged(setup, options, probes)
    found = Found(reached=probes.reached, preempted=setup.inject.preempt)
    with searching(program), boundary(BeforeRunFailed, CannotExplore, EndWanted, KeepsState, TokenError):
        search = Search(program, found, options.keep_going, progress, _tally(setup.network), state)
        try:
            if options.token is not None:
                search.replay(options.token)
            elif options.every and options.reduce and not watched and _has_classes(options, setup):
                made = ClassSearch(options.runtime, setup, probes, program.failed, search.begin, search.refuse)
                search.classes(made, options.runs)
            elif options.every:
                search.all(options.runs)
            else:
                _draw(search, found, options, lambda inject: _judged(_injected(setup, inject), options, probes))
        except CannotExplore:
            if not found.failures:
                raise
    return found


def _draw(search: Search, found: Found, options: Options, injected: Callable[[Injection], Program]) -> None:
    """Draw a schedule for each seed; where tasks are collected, one run has no other freedom.

    Parameters:
        injected: makes the program with an injection.
    """
    seeds = options.seeds()
    found.bound = f"the seeds were {seeds[0]} to {seeds[-1]}"
    for part in options.parts():
        if part.free and (options.free or found.punctual):
            search.check()
            collected = (
                options.runtime == "asyncio" and options.collects and search.collect(part.seed, injected(COLLECT))
            )
            over = collected and not options.keep_going
            over = over or search.draw_free(part.seeds()[collected:], injected(FREE))
        else:
            over = search.draw(part.seeds(), options.strategy)
        if over:
            return
    search.check()


def _injected(setup: Setup, inject: Injection) -> Setup:
    return replace(setup, inject=replace(inject, preempt=setup.inject.preempt))


def _judged(setup: Setup, options: Options, probes: Probes) -> Program:
    """The program on its runtime, with all that judges its runs."""
    program = _prepared(options, setup)
    if setup.inject.preempt:
        program = Preempted(program)
    if probes.watched:
        program = Tidy(program, options.leaks(), _running_loop(options.runtime), probes.ended)
    if options.spec is not None:
        program = Judged(program, options.spec)
    return Judged(program, probes)


def _has_classes(options: Options, setup: Setup) -> bool:
    return options.spec is None and options.before_run is None and has_classes(options.runtime, setup)


def outcomes(main: UserMain, *, every: bool = True, **arguments: Any) -> dict[str, Seen]:  # Any: explore's
    """The distinct outcomes of a program: its result or error, and the first run with it.

    Parameters and errors are those of `explore`; the search goes on after a failure, and runs every schedule unless
    `every` is False.
    """
    found = explore(main, every=every, keep_going=True, **{"reduce": False, **arguments})
    return found.outcomes


def _tally(network: Network | None) -> Counter[Fault]:
    """The count of the faults that strike."""
    return Counter() if network is None else network.conditions.tally


def _running_loop(runtime: str) -> Callable[[], Any]:  # Any: a loop of impl or of asyncio
    """The function that returns the running loop; None for trio, where nothing is left behind."""
    module = import_module(f".programs.{_RUNTIMES[runtime][0]}", __package__)
    running: Callable[[], Any] = getattr(module, "running_loop", lambda: None)
    return running


def _prepared(options: Options, setup: Setup) -> Program:
    """The program on its runtime, with the function or command that is called before each run."""
    program = program_of(options.runtime, setup)
    return program if options.before_run is None else Prepared(program, options.before_run)


def program_of(runtime: str, setup: Setup) -> Program:
    """The program on its runtime.

    Raises:
        ValueError: there is no such runtime.
    """
    if runtime not in _RUNTIMES:
        raise ValueError(f"runtime must be one of {', '.join(_RUNTIMES)}, not {runtime!r}")
    module, name = _RUNTIMES[runtime]
    program: Program = getattr(import_module(f".programs.{module}", __package__), name)(setup)
    return program
