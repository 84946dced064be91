"""The result of an exploration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from typing import Any, Final, Literal

from ...bridges.output import muted
from ...bridges.own_thread import off_loop
from ...errors import Refusal
from ...net import Fault
from ...picture.page import framed, page, preformatted
from ...runners.simulate import Run
from ...sim.choices import Choices
from ..programs.program import Program
from ..programs.quiet_logging import unlogged
from .data import Report, report_of
from .internal import boundary
from .scenes import scenes_of
from .text import output_of, text_of

#: failed: a run failed.  refused: a run cannot be simulated, and none before it failed.  exhausted: every
#: schedule was run, none failed.  not exhausted: a bound ended the search.
Verdict = Literal["failed", "refused", "exhausted", "not exhausted"]

#: The condition of a run with threads.
_THREADS: Final = "threads take turns where they block, or call threading, queue or the loop"
_PREEMPTED: Final = "threads take turns at accesses of shared state, too"
_DIGEST_BYTES: Final = 16
#: The longest repr of a result, in characters.
_LONGEST: Final = 240
_MODULUS: Final = 1 << 8 * _DIGEST_BYTES


@dataclass(slots=True)
class Seen:
    """The runs with one outcome."""

    #: The number of the first of them, from 1.
    first: int
    runs: int = 0


@dataclass(frozen=True)
class Failure:
    """A run that failed."""

    #: The number of the run, from 1, and its seed (None: a search of all schedules has none).
    number: int
    seed: int | None
    outcome: str
    error: BaseException
    #: The run by itself: its token, its choices, its recipe.
    run: Run[Any]  # Any: the program's result
    program: Program = field(repr=False)
    #: In how many runs of those that repeat it; "": a run is the same whenever it is repeated.
    repeats: str = ""

    @property
    def token(self) -> str:
        """The token that repeats the run."""
        return self.run.recorded_token()

    @property
    def plan(self) -> dict[str, list[int]]:
        """The choices of the run, by lane: all that decides it."""
        return self.run.choices.drawn()

    @cached_property
    @off_loop(muted)
    def simple(self) -> Report:
        """The failure in its simplest form, with the steps of its tasks; the program runs some hundred times."""
        with boundary():
            return report_of(self.program, self.plan, self.error)

    @off_loop(muted)
    def again(self, plan: dict[str, list[int]] | None = None, trace: bool = True) -> Run[Any]:
        """Run the program once more, by this plan or another one, with the events of sim/trace.py."""
        choices = Choices.listed(self.plan if plan is None else plan)
        with unlogged(), self.program.around():
            return self.program.simulate(choices=choices, trace=trace)


class CannotExplore(Exception):
    """A run has used something that cannot be simulated, and no run before it has failed.

    `found`: the result until then.
    """

    def __init__(self, found: Found) -> None:
        super().__init__(found)
        self.found = found

    def __str__(self) -> str:
        assert self.found.refused is not None
        return f"cannot be explored: {self.found.refused.sentence()}"


@dataclass(repr=False)
class Found:
    """The result of an exploration."""

    #: The number of runs.
    runs: int = 0
    #: The distinct outcomes, in the order of their first runs.
    outcomes: dict[str, Seen] = field(default_factory=dict)
    #: How many runs failed.
    failures: int = 0
    #: The first run that failed.
    failure: Failure | None = None
    #: Whether every schedule was run.
    exhausted: bool = False
    #: The use of something that cannot be simulated, which has ended the search.
    refused: Refusal | None = None
    #: The texts of the probes `sometimes`, and whether each held in some run.
    reached: dict[str, bool] = field(default_factory=dict)
    #: How often each fault of the network struck.
    struck: Counter[Fault] = field(default_factory=Counter)
    #: How many runs were unfinished: not ended, and not known to go round for ever.
    unfinished: int = 0
    #: Whether a run has set timers, and none could be late.
    punctual: bool = False
    #: The most functions of a run that ran inline, in the place of processes.
    inline: int = 0
    #: The real servers that the runs used; "": none.
    outside: str = ""
    #: Whether a run has started threads.
    threaded: bool = False
    #: Whether these let others go on at accesses of shared state, too.
    preempted: bool = False
    #: The error of a callback that nothing handles in the plain run, either, and that is no failure therefore.
    usual: str = ""
    #: How many runs had timers that were free: late as others required it, and timeouts before all else.
    freed: int = 0
    #: A use, by a run with such timers, of something that cannot be simulated; it ended those runs.
    beyond: Refusal | None = None
    #: The reason why the search ended.
    bound: str = ""
    #: Under which conditions the verdict holds.
    assumptions: list[str] = field(default_factory=list)
    #: The sum over the runs, whatever order they were made in: see `digest`.
    total: int = 0

    @property
    def never(self) -> list[str]:
        """The probes `sometimes` that held in no run."""
        return [text for text, held in self.reached.items() if not held]

    @property
    def verdict(self) -> Verdict:
        """`failed` if a run failed or a probe never held; else whether all schedules were run, or a bound ended it."""
        if self.refused is not None and not self.failures:
            return "refused"
        if self.failures or self.never:
            return "failed"
        is_whole = self.exhausted and not (self.unfinished or self.inline or self.outside)
        return "exhausted" if is_whole else "not exhausted"

    @property
    def status(self) -> int:
        """The exit status of a command that has found this."""
        return 1 if self.verdict == "failed" else 3 if self.unfinished else 0

    def add(self, outcome: str, seed: int | None) -> None:
        """Count one more run."""
        self.runs += 1
        seen = self.outcomes.get(outcome)
        if seen is None:
            seen = self.outcomes[outcome] = Seen(self.runs)
        seen.runs += 1
        key = f"{self.runs if seed is None else seed} {outcome}".encode(errors="replace")
        self.merge(int.from_bytes(blake2b(key, digest_size=_DIGEST_BYTES).digest()))

    def begin_again(self) -> None:
        """Forget the runs: they are made in another way."""
        self.runs = self.failures = self.total = 0
        self.outcomes.clear()
        self.refused, self.bound = None, ""

    def ends_at(self, refusal: Refusal) -> None:
        """Note that the last run used something that cannot be simulated."""
        self.refused = refusal
        said = f", which cannot be explored: {refusal.sentence()}" if self.failures else ""
        self.bound = f"the search ended at run {self.runs}{said}"

    def note(self, choices: Choices) -> None:
        """Note the omissions of a run with these choices."""
        self.punctual |= choices.punctual
        self.inline = max(self.inline, choices.inline)
        self.threaded |= choices.threads

    def merge(self, total: int) -> None:
        """Add the total of other runs."""
        self.total = (self.total + total) % _MODULUS

    @property
    def digest(self) -> str:
        """A sum over the runs, in hexadecimal: equal for the same seeds with the same outcomes, in whatever batches."""
        return f"{self.total:0{2 * _DIGEST_BYTES}x}"

    def __repr__(self) -> str:
        fails = "" if self.failure is None else f"{self.failure.outcome}; "
        said = f"{self._counts}: {fails}{self.reason}"
        return f"<Found {said if len(said) <= _LONGEST else f'{said[:_LONGEST]}...'}>"

    def _repr_html_(self) -> str:
        """The picture of the failure for a notebook; without one, the verdict.  The program runs some hundred times."""
        return preformatted(self.report()) if self.failure is None else framed(page(scenes_of(self.failure.simple)))

    def report(self, replay: Callable[[str], str] = lambda token: "", output: bool = True) -> str:
        """The result as text; a failure in its simplest form.

        Parameters:
            replay: returns, for a token, the line that repeats its run.
            output: whether the output of the failing run follows.
        """
        lines = []
        if self.verdict == "refused":
            lines.append(str(CannotExplore(self)))
        if self.failure is not None:
            simple = self.failure.simple
            lines.append(text_of(simple, replay(simple.token)))
            lines += [self.failure.repeats] if self.failure.repeats else []
        lines.append(f"{self._counts}: {self.reason}")
        if self.struck:
            counts = (f"{fault.value} {self.struck[fault]}" for fault in Fault if self.struck[fault])
            lines.append(f"faults struck: {', '.join(counts)}")
        if output and self.failure is not None:
            lines += output_of(self.failure.simple)
        return "\n".join(lines)

    @property
    def _counts(self) -> str:
        """The verdict, with the numbers of runs and outcomes."""
        runs = f"{self.runs} run{'s' * (self.runs != 1)}"
        return f"{self.verdict} ({runs}, {len(self.outcomes)} outcome{'s' * (len(self.outcomes) != 1)})"

    @property
    def reason(self) -> str:
        """Why the verdict is as it is, and under which conditions it holds."""
        fails = [] if self.failures or self.refused else ["no run failed"]
        if self.unfinished:
            fails.append(f"{self.unfinished} run{'s' * (self.unfinished != 1)} did not end")
        parts = [*fails, self.bound, *self._conditions(), *(f"never: {text}" for text in self.never)]
        return "; ".join(parts)

    @property
    def processes(self) -> str:
        """That functions ran inline; "": none did."""
        functions = f"function{'s' * (self.inline != 1)}"
        return f"{self.inline} {functions} ran inline, in the place of processes" if self.inline else ""

    def _conditions(self) -> list[str]:
        """The assumptions; a timer that may not be late is one where no run failed."""
        late = "timers kept the order of their times"
        if self.beyond is not None:
            late = f"timers varied no more once a run came to {self.beyond.sentence()}"
        elif self.freed:
            late = f"in the last {self.freed} runs timers were late and timeouts expired early"
        return [
            *self.assumptions,
            *([f"outside of the determinism: {self.outside}"] if self.outside else []),
            *([self.processes] if self.inline else []),
            *([_PREEMPTED if self.preempted else _THREADS] if self.threaded else []),
            *([f"a callback fails in the plain run, too: {self.usual}"] if self.usual else []),
            *([late] if (self.punctual or self.freed or self.beyond) and not self.failures else []),
        ]

    def as_json(self) -> dict[str, Any]:  # Any: an argument of json.dumps
        """The result as dictionaries and lists."""
        return {
            "verdict": self.verdict,
            "refused": None if self.refused is None else self.refused.sentence(),
            "runs": self.runs,
            "failures": self.failures,
            "unfinished": self.unfinished,
            "inline": self.inline,
            "threads": self.threaded,
            "freed": self.freed,
            "outside": self.outside,
            "repeats": "" if self.failure is None else self.failure.repeats,
            "bound": self.bound,
            "assumptions": self._conditions(),
            "struck": {fault.value: self.struck[fault] for fault in Fault if self.struck[fault]},
            "outcomes": [
                {"outcome": outcome, "first": seen.first, "runs": seen.runs} for outcome, seen in self.outcomes.items()
            ],
            "failure": None if self.failure is None else self.failure.simple.as_json(),
        }
