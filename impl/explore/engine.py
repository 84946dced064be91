"""explore: run a program under many schedules, until a run fails, all were run, or a number is reached.

A run is a function of its choices (sim/choices.py), so a search is a source of choices: an odometer for all schedules,
or the strategies for as many as are wanted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib import import_module
from types import NoneType
from typing import Any, Final, Self

from ..bridges.network import DEFAULT, Network
from ..bridges.output import audible, muted
from ..bridges.own_thread import off_loop
from ..commands.arguments import check_kind, check_main, check_names, check_whole
from ..interfaces import Oracle
from ..net import Fault, FaultRule
from ..net.simulated.faults import CONNECTION_FAULTS, fault_of
from ..sim.inject import FREE, Injection
from ..sim.limits import ITERATIONS, RunLimits
from ..sim.order import ORDERS, Order
from ..sim.recipe import SEED_MAX, order_and_injection
from ..sim.token import TokenError
from .choices.odometer import KeepsState
from .choices.sources import MIX, STRATEGIES, SWEEP
from .module_state.snapshot import ModuleState
from .programs.leaks import ALL, Tidy, checked
from .programs.probes import EndWanted, Probes
from .programs.program import Program, RuntimeName, Setup, UserMain
from .programs.with_oracle import Judged
from .report.found import CannotExplore, Found, Seen
from .report.internal import boundary
from .search.classes import ClassSearch, has_classes
from .search.determinism import explain
from .search.search import Search, searching

#: The runs of a search, unless another number is given.
RUNS: Final = 200
#: One run in so many has timers that are free.
_FREE_PART: Final = 3
#: A search of fewer runs has no such part.
_SPLIT: Final = 10
#: The rate of a fault that is given without one: it strikes one connection in so many.
_ONE_IN: Final = 2
_ALL: Final = tuple(fault.value for fault in Fault)
#: The faults that are drawn without rules, which no swarm leaves out.
_PLAIN: Final = (*CONNECTION_FAULTS, Fault.NO_SUCH_HOST)

#: The faults of the network, as a text with commas, or one by one.
Faults = str | Sequence[str | Fault | FaultRule]

#: The types of arguments, with their nouns.
_KINDS: Final[dict[str, tuple[tuple[type, ...], str]]] = {
    "every": ((bool,), "True or False"),
    "keep_going": ((bool,), "True or False"),
    "reduce": ((bool,), "True or False"),
    "timeouts": ((bool,), "True or False"),
    "late": ((int, float, NoneType), "a number of seconds"),
    "network": ((Network, NoneType), "a Network"),
    "spec": ((Oracle, NoneType), "an oracle"),
    "token": ((str, NoneType), "the text of a token"),
}

#: Each runtime's module, which is imported when a program of it is explored, and its class.
_RUNTIMES: Final = {
    "asyncio": ("on_asyncio", "OnAsyncio"),
    "impl": ("on_impl", "OnImpl"),
    "trio": ("on_trio", "OnTrio"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The arguments of `explore` besides the program.

    Parameters:
        runs: the number of runs; None: RUNS, or for `every` as many as there are.
        every: run each schedule once, in the order of an odometer, instead of drawing schedules.
        seed: of the first run; each further run has the next one.
        strategy: `mix`, `sweep` (sources.py), or one of strategies.STRATEGIES.
        runtime: `asyncio` or `trio`, unmodified, or `impl`.
        order: `any`: any ready task may run next; `fifo`: only the network and timers vary.
        network: its conditions and names.
        late: how late a timer may be, in seconds; it is drawn in whole milliseconds.  None: in the last third of the
            runs, if those before have set timers and nothing else is injected, timers are *free*: one may come after
            others, as late as that takes, and a timeout may expire before all else.
        cancel: which tasks are cancelled, at any of their suspensions: "all", or patterns of the names of tasks or of
            their coroutine functions, as a sequence or separated by commas.
        timeouts: whether a timeout may expire before all else, at any suspension.
        faults: the faults of the network that may be drawn: "all", or impl.net.Fault or FaultRule, as values or as
            texts, likewise.  A fault without a rule strikes one connection in two.
        errors: leaks that are errors: names of leaks.LEAKS, likewise, or "all": all but `unreferenced`; not for trio.
        follow: installed modules and packages whose lines the report shows as it does the user's, likewise; their steps
            are understood by `every`.
        iterations: the loop iterations after which a run that repeats itself is a livelock.  One that has taken 100
            times as many, and does not repeat itself, is unfinished: it has not failed, and the search goes on.
        spec: judges each run, too; model_tests.explored.explore takes a model of a specification.
        token: of one run to repeat, instead of a search.
        keep_going: whether to go on after a run that failed.
        reduce: with `every`, run one schedule of each class of equivalent ones, where that is possible (classes.py):
            for programs of asyncio and impl, under order `any`, with nothing injected and no spec.  False: run all.

    Raises:
        TypeError: an argument is of another type.
        ValueError: a number is out of range, or a name is unknown.
    """

    runs: int | None = None
    every: bool = False
    seed: int = 0
    strategy: str = MIX
    runtime: RuntimeName = "asyncio"
    order: Order = "any"
    network: Network | None = None
    late: float | None = None
    cancel: str | Sequence[str] | None = None
    timeouts: bool = False
    faults: Faults | None = None
    errors: str | Sequence[str] | None = None
    follow: str | Sequence[str] | None = None
    iterations: int = ITERATIONS
    spec: Oracle | None = None
    token: str | None = None
    keep_going: bool = False
    reduce: bool = True
    #: Whether timers are free in all runs; None: in the last ones.  A batch knows which part it is of.
    free: bool | None = None

    def __post_init__(self) -> None:
        check_whole("runs", RUNS if self.runs is None else self.runs, 1)
        check_whole("iterations", self.iterations, 1)
        check_whole("seed", self.seed, 0, SEED_MAX)
        for name, (kind, noun) in _KINDS.items():
            check_kind(name, getattr(self, name), kind, noun)
        for name in ("cancel", "errors", "faults", "follow"):
            check_names(name, getattr(self, name), (str, Fault, FaultRule))
        if self.strategy not in (MIX, SWEEP, *STRATEGIES):
            raise ValueError(
                f"strategy must be {MIX!r}, {SWEEP!r} or one of {', '.join(STRATEGIES)}, not {self.strategy!r}"
            )
        if self.order not in ORDERS:
            raise ValueError(f"order must be 'fifo' or 'any', not {self.order!r}")

    def seeds(self) -> range:
        """The seeds of the runs, if schedules are drawn."""
        return range(self.seed, self.seed + (self.runs or RUNS))

    def parts(self) -> list[Self]:
        """The search in parts: with timers that keep their order, and, in the last third of the runs, free ones."""
        runs = self.runs or RUNS
        last = runs // _FREE_PART if runs >= _SPLIT else 0
        drawn = self.strategy == MIX and not self.every and self.token is None
        asked = self.late is not None or self.timeouts or self.cancel or self.free is not None
        if asked or not drawn or not last or self.seed + runs > SEED_MAX:
            return [self]
        first = replace(self, runs=runs - last, free=False)
        return [first, replace(self, runs=last, seed=self.seed + runs - last, free=True)]

    def setup(self, main: UserMain) -> Setup:
        """A program, with the conditions under which it runs.

        Raises:
            ValueError: a fault is unknown, or a timer cannot be that late.
        """
        inject = Injection(_names(self.cancel, ("*",)), self.timeouts, _milliseconds(self.late or 0.0))
        if self.token is not None and not inject:
            with suppress(TokenError):  # its run says so
                _, inject = order_and_injection(self.token)
        return Setup(
            main,
            self.order,
            _faulty(self.network, self.faults),
            inject,
            RunLimits.of(self.iterations),
            _names(self.follow, ("all",)),
        )

    def leaks(self) -> tuple[str, ...]:
        """The names of the leaks that are errors.

        Raises:
            ValueError: a name is unknown, or the runtime is trio.
        """
        left = checked(_names(self.errors, ALL), self.runtime == "asyncio")
        if left and self.runtime == "trio":
            raise ValueError("errors= is for programs of asyncio and impl: a nursery of trio leaves nothing behind")
        return left


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
    faults: Faults | None = None,
    errors: str | Sequence[str] | None = None,
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
        ValueError: a number is out of range, or a name is unknown.
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
    setup, watched = options.setup(main), bool(options.leaks())
    state = ModuleState(main)
    try:
        try:
            found = _search(setup, options, state, progress, watched)
        except EndWanted:
            found = _search(setup, options, state, progress, watched=True)
    except KeepsState as error:
        explain(error, program_of(options.runtime, setup), state)
        raise
    if found.failure is not None:
        state.restore()  # its run begins there, and may be repeated
    return found


def _search(
    setup: Setup, options: Options, state: ModuleState, progress: Callable[[Found], object], watched: bool
) -> Found:
    """One search; `watched`: each run is looked at after its end.

    Raises:
        EndWanted: it is not watched, and a probe wants the end of a run.
    """
    probes = Probes(watched)
    program = _judged(setup, options, probes)
    found = Found(reached=probes.reached)
    with searching(program), boundary(CannotExplore, EndWanted, KeepsState, TokenError):
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
                _draw(search, found, options, lambda: _judged(replace(setup, inject=FREE), options, probes))
        except CannotExplore:
            if not found.failures:
                raise
    return found


def _draw(search: Search, found: Found, options: Options, free: Callable[[], Program]) -> None:
    """Draw a schedule for each seed.

    Parameters:
        free: makes the program with timers that are free.
    """
    seeds = options.seeds()
    found.bound = f"the seeds were {seeds[0]} to {seeds[-1]}"
    for part in options.parts():
        if part.free and (options.free or found.punctual):
            search.check()
            over = search.draw_free(part.seeds(), free())
        else:
            over = search.draw(part.seeds(), options.strategy)
        if over:
            return
    search.check()


def _judged(setup: Setup, options: Options, probes: Probes) -> Program:
    """The program on its runtime, with all that judges its runs."""
    program = program_of(options.runtime, setup)
    if probes.watched:
        program = Tidy(program, options.leaks(), _running_loop(options.runtime), probes.ended)
    if options.spec is not None:
        program = Judged(program, options.spec)
    return Judged(program, probes)


def _has_classes(options: Options, setup: Setup) -> bool:
    return options.spec is None and has_classes(options.runtime, setup)


def outcomes(main: UserMain, *, every: bool = True, **arguments: Any) -> dict[str, Seen]:  # Any: explore's
    """The distinct outcomes of a program: its result or error, and the first run with it.

    Parameters and errors are those of `explore`; the search goes on after a failure, and runs every schedule unless
    `every` is False.
    """
    found = explore(main, every=every, keep_going=True, **{"reduce": False, **arguments})
    return found.outcomes


def _names(given: str | Sequence[str] | None, every: tuple[str, ...]) -> tuple[str, ...]:
    """The names of an argument: none, all, or those that it has."""
    if given is None:
        return ()
    if given == "all":
        return every
    return tuple(given.split(",")) if isinstance(given, str) else tuple(given)


def _milliseconds(late: float) -> int:
    if not 0 <= late < float("inf"):
        raise ValueError(f"late is {late}: it must be at least 0 s, and finite")
    if 0 < late < 0.001:
        raise ValueError(f"late is {late}: a lateness is drawn in whole milliseconds, so at least 0.001 s")
    return round(late * 1000)


def _faulty(network: Network | None, faults: Faults | None) -> Network | None:
    """The network with these faults; where there are several rules, each run leaves some out.

    Raises:
        ValueError: a fault is unknown.
    """
    given = faults if isinstance(faults, Sequence) and not isinstance(faults, str) else _names(faults, _ALL)
    chosen = tuple(fault_of(each, _ONE_IN) if isinstance(each, str) else each for each in given)
    if not chosen:
        return network and replace(network, conditions=replace(network.conditions, tally=Counter()))
    usual = network or DEFAULT
    swarm = any(each not in _PLAIN for each in chosen) and len(chosen) > 1
    conditions = replace(usual.conditions, faults=chosen, fault_one_in=_ONE_IN, swarm=swarm, tally=Counter())
    return replace(usual, conditions=conditions)


def _tally(network: Network | None) -> Counter[Fault]:
    """The count of the faults that strike."""
    return Counter() if network is None else network.conditions.tally


def _running_loop(runtime: str) -> Callable[[], Any]:  # Any: a loop of impl or of asyncio
    """The function that returns the running loop; None for trio, where nothing is left behind."""
    module = import_module(f".programs.{_RUNTIMES[runtime][0]}", __package__)
    running: Callable[[], Any] = getattr(module, "running_loop", lambda: None)
    return running


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
