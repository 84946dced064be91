"""Run every class of equivalent schedules of a program: source-DPOR with sleep sets.

Two schedules are *equivalent* if one becomes the other by swapping neighbouring steps that do not conflict; they have
the same outcome.  The search keeps a path of nodes (races.py).  It runs the program along the path and on to the end,
adds the demands of the run's races, and goes back to the last node with something to try.  A process *sleeps* while
only steps that do not conflict with its next one were taken: its run was made already.

For example, three tasks of one step each: a writes x, b reads x, c writes y.

    run 1  a b c   a and b conflict: to see them the other way round, b is to be tried at the first node
    run 2  b a c   a sleeps at the first node, as run 1 began with it; b conflicts with a and wakes it

No run begins with c: c conflicts with neither, so every order of the three is equivalent to run 1 or to run 2.

The search is stateless: every run starts from the beginning, so the program must be a function of its schedule.

Source: Godefroid (1996), chapters 4 and 5 (sleep sets); for the rest see races.py.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable
from dataclasses import dataclass
from typing import Final, Literal

from ..choices.odometer import KeepsState
from .drive import DrivenRun
from .footprint import Footprint, conflict
from .races import Node, Races

#: naive: every schedule.  sleep: sleep sets alone.  source: source sets and sleep sets.
Algorithm = Literal["naive", "sleep", "source"]

#: The steps of a run after which the program is taken for one that spins.
STEPS_MAX: Final = 1_000


class Spins(RuntimeError):
    """A run does not end; `choices` are those that it has drawn, as order `any` draws them."""

    def __init__(self, steps: int, choices: list[int]) -> None:
        super().__init__(f"a run took {steps} steps and did not end")
        self.choices = choices


@dataclass(frozen=True, slots=True)
class OneRun:
    """A run of the search.

    number: from 1.
    complete: whether it came to its end; otherwise all that could go on was asleep, so its class was run before.
    """

    number: int
    complete: bool
    driven: DrivenRun


class Reduction:
    """The search; iterate over it to make its runs.  When the iteration ends, every class was run.

    Parameters:
        start: begins a run.
        algorithm: the schedules to leave out.
        races: finds the races; a test passes a wrong one.
        steps_max: the steps of a run after which the program is taken for one that spins.
    """

    def __init__(
        self,
        start: Callable[[], DrivenRun],
        algorithm: Algorithm = "source",
        races: Races | None = None,
        steps_max: int = STEPS_MAX,
    ) -> None:
        self._steps_max = steps_max
        self._start = start
        self._algorithm = algorithm
        self._races = races or Races()
        self._path: list[Node] = []
        self.runs = 0
        #: The runs that came to their end: one for each class, or a few.
        self.complete = 0

    def __iter__(self) -> Generator[OneRun, None, None]:
        """Make the runs.

        Raises:
            KeepsState: the program is no function of its schedule.
            Spins: a run took `steps_max` steps.
        """
        while True:
            old = len(self._path)
            driven = self._start()
            self.runs += 1
            try:
                barriers: list[int] = []
                complete = self._run(driven, barriers)
                self.complete += complete
                if self._algorithm == "source":
                    self._races.demand(self._path[: driven.steps], old - 1, barriers)
                yield OneRun(self.runs, complete, driven)
            finally:
                driven.close()
            if not self._back():
                return

    def _run(self, driven: DrivenRun, barriers: list[int]) -> bool:
        """Run along the path and on; returns whether the run came to its end."""
        at = 0
        while True:
            enabled = driven.enabled()
            if driven.barrier:
                barriers.append(at)
                driven.barrier = False
            if not enabled:
                if at < len(self._path):
                    raise self._differs(at, enabled)
                return True
            if at == self._steps_max:
                raise Spins(at, driven.choices)
            if at == len(self._path):
                node = self._next(enabled, at in barriers)
                if node is None:
                    return False
                self._path.append(node)
            node = self._path[at]
            if node.enabled != enabled:
                raise self._differs(at, enabled)
            node.done[node.current] = driven.step(node.current)
            at += 1

    def _next(self, enabled: list[Hashable], barrier: bool) -> Node | None:
        """The node after the last one of the path; None: everything sleeps."""
        sleep: dict[Hashable, Footprint] = {}
        if self._algorithm != "naive" and self._path and not barrier:
            last = self._path[-1]
            taken, _, mortal = last.done[last.current]
            known = {**last.sleep, **{process: step.footprint for process, step in last.done.items()}}
            del known[last.current]
            sleep = {process: each for process, each in known.items() if not mortal and not conflict(each, taken)}
        awake = [process for process in enabled if process not in sleep]
        if not awake:
            return None
        todo = {awake[0]} if self._algorithm == "source" else set(awake)
        return Node(enabled, awake[0], todo, sleep)

    def goes_on(self) -> bool:
        """Whether there is a further run to make."""
        return any(node.untried() is not None for node in self._path)

    def _back(self) -> bool:
        """Go back to the last node with something to try; False: there is none."""
        while self._path:
            node = self._path[-1]
            process = node.untried()
            if process is not None:
                node.current = process
                return True
            self._path.pop()
        return False

    @staticmethod
    def _differs(at: int, enabled: list[Hashable]) -> KeepsState:
        return KeepsState(f"after {at} equal steps {len(enabled)} tasks may run, and others than in the run before")
