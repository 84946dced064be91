"""The options of a search, and the conditions under which they let a program run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from types import NoneType
from typing import Final, Self

from ...bridges.before_run import BeforeRun, check_before_run
from ...bridges.network import DEFAULT, Network, reaching
from ...commands.arguments import check_kind, check_names, check_whole
from ...interfaces import Oracle
from ...net import Fault, FaultRule
from ...net.simulated.faults import CONNECTION_FAULTS, fault_of
from ...sim.inject import Injection
from ...sim.limits import ITERATIONS, RunLimits
from ...sim.order import ORDERS, Order
from ...sim.recipe import SEED_MAX, order_and_injection
from ...sim.token import TokenError
from ..choices.sources import MIX, STRATEGIES, SWEEP
from ..programs.leaks import ALL, checked
from ..programs.program import RuntimeName, Setup, UserMain

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
    "preempt": ((bool,), "True or False"),
    "reduce": ((bool,), "True or False"),
    "timeouts": ((bool,), "True or False"),
    "late": ((int, float, NoneType), "a number of seconds"),
    "network": ((Network, NoneType), "a Network"),
    "spec": ((Oracle, NoneType), "an oracle"),
    "token": ((str, NoneType), "the text of a token"),
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
        preempt: whether a thread may let others go on at each access of shared state; not for impl.  The program is
            rewritten for that.
        faults: the faults of the network that may be drawn: "all", or impl.net.Fault or FaultRule, as values or as
            texts, likewise.  A fault without a rule strikes one connection in two.
        errors: leaks that are errors: names of leaks.LEAKS, likewise, or "all": all but `unreferenced`; not for trio.
        outside: real servers, as HOST:PORT or paths of Unix sockets, likewise: hosts of the simulated network, with its
            latencies, segments and faults.  Their answers are waited for in reality, so no verdict is exhausted.
        before_run: a command, or a function, that is called before each run: it resets the state of such servers.
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
    preempt: bool = False
    faults: Faults | None = None
    errors: str | Sequence[str] | None = None
    outside: str | Sequence[str] | None = None
    before_run: BeforeRun | None = None
    follow: str | Sequence[str] | None = None
    iterations: int = ITERATIONS
    spec: Oracle | None = None
    token: str | None = None
    keep_going: bool = False
    reduce: bool = True
    #: Whether timers are free in all runs; None: in the last ones.  A batch knows which part it is of.
    free: bool | None = None
    #: Whether the first run with free timers may be one that collects tasks; of several batches the first one's.
    collects: bool = True

    def __post_init__(self) -> None:
        check_whole("runs", RUNS if self.runs is None else self.runs, 1)
        check_whole("iterations", self.iterations, 1)
        check_whole("seed", self.seed, 0, SEED_MAX)
        for name, (kind, noun) in _KINDS.items():
            check_kind(name, getattr(self, name), kind, noun)
        for name in ("cancel", "errors", "faults", "follow", "outside"):
            check_names(name, getattr(self, name), (str, Fault, FaultRule))
        check_before_run(self.before_run)
        if self.outside and self.runtime != "asyncio":
            raise ValueError(f"outside= is for programs of asyncio, not of {self.runtime}")
        if self.strategy not in (MIX, SWEEP, *STRATEGIES):
            raise ValueError(
                f"strategy must be {MIX!r}, {SWEEP!r} or one of {', '.join(STRATEGIES)}, not {self.strategy!r}"
            )
        if self.order not in ORDERS:
            raise ValueError(f"order must be 'fifo' or 'any', not {self.order!r}")
        if self.preempt and (self.runtime == "impl" or self.order != "any"):
            raise ValueError("preempt is for threads of programs of asyncio and trio, under order 'any'")

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
        late = _milliseconds(self.late or 0.0)
        inject = Injection(_names(self.cancel, ("*",)), self.timeouts, late, preempt=self.preempt)
        if self.token is not None and not inject:
            with suppress(TokenError):  # its run says so
                _, inject = order_and_injection(self.token)
        return Setup(
            main,
            self.order,
            reaching(_faulty(self.network, self.faults), _names(self.outside, ())),
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
