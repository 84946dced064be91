"""One source of choice: everything that may vary in a simulated run is drawn through `choose(n) -> int`.

1.  A run is (program, choices) -> trace.  `Choices` has four *lanes* (`LANES`), so that one more draw of the
    network does not shift the draws of the schedule.
2.  `choose(n)` returns a number below n.  0 is always the plain choice: first in, first out; no fault; a whole
    segment.  `choose(1)` consumes nothing.  A recorded value that is out of range is clamped to n - 1, and an
    exhausted lane returns 0: so *any* lists of ints are a valid run, and shrinking them is always allowed.
3.  Where the values come from is the only thing that differs between seeded search, replay, enumeration and
    Hypothesis: `Choices.seeded`, `Choices.listed`, or a `Choices` with a source of your own.
4.  Every choice point adds its width to `digest()`: a replay with another digest met other choice points,
    so the program has changed.

All choice points, with the number of possibilities and the meaning of 0 (a test compares the files with the code):

| lane     | file                        | choice                             | possibilities        | 0             |
|----------|-----------------------------|------------------------------------|----------------------|---------------|
| schedule | sim/kernel.py               | the next ready item, under `any`   | items that may run   | the oldest    |
| schedule | sim/kernel.py               | the first of timers of one instant | timers               | the first set |
| schedule | sim/kernel.py               | how late a timer is, in ms         | late_ms_max + 1      | on time       |
| schedule | threads/group.py            | whether a thread lets others go on | 2                    | it goes on    |
| schedule | threads/group.py            | whether another goes on than the loop, which waited | 2 | the other |
| schedule | threads/group.py            | the next thread while the loop blocks | threads that can run | the oldest |
| schedule | bridges/trio/run.py         | the next task of trio, under `any` | tasks of the batch   | the oldest    |
| schedule | ladder/world/simulation.py   | the next thread of an environment  | threads that can run | the first     |
| network  | net/simulated/conditions.py | the latency of one way, in ms      | max - min + 1        | the least     |
| network  | net/simulated/conditions.py | the number of segments             | segments_max         | one segment   |
| network  | net/simulated/conditions.py | the size of a segment              | see `segments`       | one byte      |
| faults   | net/simulated/conditions.py | whether a look-up fails            | fault_one_in         | it succeeds   |
| faults   | net/simulated/conditions.py | the fault of a connection          | see the method       | no fault      |
| faults   | net/simulated/conditions.py | the segment that it strikes        | STRIKES              | the first     |
| faults   | net/simulated/striker.py    | whether a rule is left out         | 2                    | it is not     |
| faults   | net/simulated/striker.py    | whether a rule strikes             | its one_in           | it does not   |
| faults   | net/simulated/striker.py    | the segment that it strikes        | STRIKES              | the first     |
| faults   | net/simulated/striker.py    | how late a connect is              | DELAYS_S             | the least     |
| faults   | net/simulated/striker.py    | the seconds of a host's fault      | OUTAGE_S_MAX         | one           |
| faults   | sim/inject.py               | a cancel or timeout, at a suspend  | 2, 3 or 4            | none          |
| faults   | sim/lateness.py             | which timers a timer comes after   | 2, 3 or 4            | none          |
| faults   | sim/lateness.py             | how late the clock of trio is      | _TIMES               | on time       |
| schedule | crawl/polite.py             | the jitter of a back-off           | 1000                 | none          |
| program  | crawl/simulation.py         | the generated site                 | generated_web.py     | a plain site  |

`random.Random.random()` is the one method with a sequence that the Python documentation promises for ever
("Notes on Reproducibility"), hence `int(random() * n)`.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from functools import cached_property
from typing import Final, Protocol

#: schedule: which task runs next, ties and lateness of timers; network: latencies, segments; faults; program: its own.
LANES: Final = ("schedule", "network", "faults", "program")

_NOTHING_MET: Final = hashlib.sha256().digest()

Choose = Callable[[int], int]
#: Returns the index of one of the given items: those that may run next.
Pick = Callable[[Sequence[object]], int]


class Source(Protocol):
    """Where the values of one lane come from."""

    def __call__(self, n: int, /) -> int:
        """A value for a choice point of width n >= 2 (out of range is clamped)."""


def _zero(n: int) -> int:
    return 0


def _ignore(freedom: Freedom, timer: object, other: object = None) -> None:
    """Nothing: only a recorder asks."""


class Freedom(Enum):
    """What happens to a timer of the program; each but the first is drawn."""

    #: It is a timeout that expires in its turn.
    DUE = "due"
    #: It comes just after another one that was due later.
    LATE = "late"
    #: It comes with that one.
    TIED = "tied"
    #: It is a timeout that comes before all else.
    EXPIRED = "expired"
    #: The clock of trio is late, by the seconds in the place of the timer.
    CLOCK = "clock"
    #: The first timeout around a task of trio, in the place of the timer, comes before all else.
    AROUND = "around"
    #: The innermost scope around that task is cancelled.
    CANCELLED = "cancelled"
    #: The garbage collector has taken a task: the place where it waited, and its name, are in the places of timers.
    COLLECTED = "collected"


class Tell(Protocol):
    """Receives what happens to timers of the program."""

    def __call__(self, freedom: Freedom, timer: object, other: object = None, /) -> object:
        """`other`: the timer that `timer` comes after, or with."""


class Lane:
    """One lane: call it with the number of possibilities to draw."""

    __slots__ = ("_met", "_source", "_widths", "drawn", "name", "overtaken")

    def __init__(self, name: str, source: Source) -> None:
        self.name = name
        self.drawn: list[int] = []
        #: How many items, of those that might run, were ready longer than the one that was picked last.
        self.overtaken = 0
        self._source = source
        self._widths = hashlib.sha256()
        self._met: list[int] = []  # widths that are not in the digest yet: to hash each by itself is slow

    def __call__(self, n: int) -> int:
        """Draw a number of range(n).

        Raises:
            ValueError: n < 1, there is nothing to choose from.
        """
        if n <= 1:
            if n < 1:
                raise ValueError(f"choose({n}) in lane {self.name!r}: there must be at least one possibility")
            return 0
        value = self._source(n)
        if not 0 <= value < n:
            value = min(max(value, 0), n - 1)
        return self.record(n, value)

    def record(self, n: int, value: int) -> int:
        """Record a choice that was made at a choice point of width n >= 2; returns it."""
        self._met.append(n)
        self.drawn.append(value)
        return value

    def goes_on_with(self, items: Sequence[object]) -> int:
        """As `pick`; the item 0 is a thread that runs and may go on."""
        return self.pick(items)

    def holds(self) -> None:
        """The loop's own thread blocks in the step that runs; a lane that looks at steps overrides this."""

    def goes_on(self) -> None:
        """It blocks no more; a lane that looks at steps overrides this."""

    def takes_up(self, thread: object, function: str) -> None:
        """A thread of a pool begins a function; a lane that looks at steps overrides this."""

    def pick(self, items: Sequence[object]) -> int:
        """Draw the index of one of `items`, which may run next; a lane that looks at them overrides this."""
        self.overtaken = self(len(items))
        return self.overtaken

    def replace_source(self, source: Source) -> None:
        """Draw from another source, from now on."""
        self._source = source

    def rest(self) -> None:
        """All that was picked has run; a lane that looks at it overrides this."""

    def pause(self) -> Callable[[], None]:
        """Draw 0, and record none of it, until the function that it returns is called."""
        source, mark = self._source, len(self.drawn)
        self._source = _zero

        def resume() -> None:
            self._source = source
            del self.drawn[mark:]

        return resume

    def finish(self) -> None:
        """Draw 0 from now on: the decisions of the run are over."""
        self._source = _zero

    def digest(self) -> bytes:
        """SHA-256 of the widths of its choice points so far."""
        self._widths.update(b"".join(b"%d," % n for n in self._met))
        self._met.clear()
        return self._widths.digest()


def seeded_source(seed: int) -> Callable[[str], Source]:
    """Uniform pseudo-random sources of all lanes, the same on every Python; each lane has a generator of its own."""

    def source(name: str) -> Source:
        rand = random.Random(f"loopspec {seed} {name}").random
        return lambda n: int(rand() * n)

    return source


class Choices:
    """The choices of one run: four lanes, drawn from and recorded.

    `choices.schedule(3)` draws from a lane; `choices.lane(name)` is that lane by name.  A lane is made when it is
    first drawn from: its generator costs more than a short run.
    """

    def __init__(self, source: Callable[[str], Source], seed: int | None = None) -> None:
        """`source` returns, for the name of a lane, the source of its values; `seed`, if one determines them all."""
        self.seed = seed
        #: Whether the run has set a timer for later, and it could not be late: no choice was drawn for it.
        self.punctual = False
        #: How many functions of the run ran inline, in the place of processes.
        self.inline = 0
        #: Whether the run has started threads.
        self.threads = False
        #: Receives the drawn freedoms of timers: the timer, and the one that it comes after or with.
        self.tell: Tell = _ignore
        self._source = source

    @cached_property
    def schedule(self) -> Lane:
        """Which task runs next, ties and lateness of timers."""
        return Lane("schedule", self._source("schedule"))

    @cached_property
    def network(self) -> Lane:
        """Latencies and segments."""
        return Lane("network", self._source("network"))

    @cached_property
    def faults(self) -> Lane:
        """Faults."""
        return Lane("faults", self._source("faults"))

    @cached_property
    def program(self) -> Lane:
        """The program's own choices."""
        return Lane("program", self._source("program"))

    @classmethod
    def plain(cls) -> Choices:
        """Always 0: no fault, no delay beyond the least, first in, first out."""
        return cls(lambda name: _zero)

    @classmethod
    def seeded(cls, seed: int) -> Choices:
        """Uniform pseudo-random values, the same on every Python; each lane has a generator of its own."""

        return cls(seeded_source(seed), seed)

    @classmethod
    def listed(cls, values: Mapping[str, Iterable[int]]) -> Choices:
        """Replay lists of values, by lane; after the end of a list, 0.

        Raises:
            ValueError: a key names no lane.
        """
        if unknown := sorted(set(values) - set(LANES)):
            raise ValueError(f"no such lane: {', '.join(unknown)}; the lanes are {', '.join(LANES)}")

        def source(name: str) -> Source:
            left = iter(values.get(name, ()))
            return lambda n: next(left, 0)

        return cls(source)

    def lane(self, name: str) -> Lane:
        """The lane of that name.

        Raises:
            ValueError: there is none.
        """
        if name not in LANES:
            raise ValueError(f"no such lane: {name}; the lanes are {', '.join(LANES)}")
        lane: Lane = getattr(self, name)
        return lane

    def replace_source(self, name: str, source: Source) -> None:
        """Draw the values of one lane from another source, from now on."""
        self.lane(name).replace_source(source)

    def pause(self) -> Callable[[], None]:
        """Draw 0 in every lane, and record none of it, until the function that it returns is called."""
        resumes = [self.lane(name).pause() for name in LANES]
        return lambda: [resume() for resume in resumes].clear()

    def rest(self) -> None:
        """All that was picked has run."""
        if self._begun("schedule"):
            self.lane("schedule").rest()

    def holds(self) -> None:
        """The loop's own thread blocks in the step that runs."""
        if self._begun("schedule"):
            self.lane("schedule").holds()

    def goes_on(self) -> None:
        """It blocks no more."""
        if self._begun("schedule"):
            self.lane("schedule").goes_on()

    def takes_up(self, thread: object, function: str) -> None:
        """A thread of a pool begins a function of this name."""
        if self._begun("schedule"):
            self.lane("schedule").takes_up(thread, function)

    def finish(self) -> None:
        """Draw 0 in every lane from now on."""
        self._source = lambda name: _zero
        for name in LANES:
            if self._begun(name):
                self.lane(name).finish()

    def drawn(self) -> dict[str, list[int]]:
        """The values drawn so far, by lane: `Choices.listed` of them replays the run."""
        return {name: list(self.lane(name).drawn) if self._begun(name) else [] for name in LANES}

    def digest(self) -> bytes:
        """SHA-256 of the widths of all choice points so far: equal for equal programs under equal choices."""
        whole = hashlib.sha256()
        for name in LANES:
            whole.update(self.lane(name).digest() if self._begun(name) else _NOTHING_MET)
        return whole.digest()

    def _begun(self, name: str) -> bool:
        """Whether the lane was made."""
        return name in self.__dict__
