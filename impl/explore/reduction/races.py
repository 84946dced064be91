"""The races of a run, and the steps that must be tried instead: source sets, strictly.

1.  *Happens before*: the steps of one process are in order, a step comes after those that enabled it, and after every
    earlier step that it conflicts with.  No step before a barrier races with one after it.
2.  Two steps *race* if they conflict, are of different processes, and nothing between them orders them.  Then the run
    with the second first must be tried, from the state before the first step.
3.  The *initials* of the steps that the first does not precede, and of the second, are the processes that can begin
    such a run; one of them must be tried there (a source set).
4.  *Strictly*: the published algorithm assumes that a step does the same when it comes first.  Here a step is a piece
    of a program, and its footprint depends on its reads.  If the first step wrote something that the second
    touched, it may do something else: then every process is tried there, unless the same step was already seen in
    this state with the same footprint.

Source: Abdulla, Aronis, Jonsson, Sagonas, "Optimal Dynamic Partial Order Reduction" (POPL 2014), algorithm 1
(Source-DPOR); the strict rule is our own.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from .drive import Step
from .footprint import Footprint, Name, conflict
from .ready import Steps


@dataclass(slots=True, eq=False)
class Node:
    """A state on the current path: the processes that may run, those to be tried, and those that were."""

    enabled: list[Name]
    #: The process of the step to the next node.
    current: Name
    todo: set[Name]
    #: The processes that need not run here: a run with their step first was made already.
    sleep: dict[Name, Footprint]
    done: dict[Name, Step] = field(default_factory=dict)

    def untried(self) -> Name | None:
        """A process that is still to be tried here, or None."""
        for process in self.enabled:
            if process in self.todo and process not in self.done and process not in self.sleep:
                return process
        return None

    def seen(self, process: Name) -> Footprint | None:
        """The footprint of a process's next step in this state, if it is known."""
        step = self.done.get(process)
        return self.sleep.get(process) if step is None else step.footprint


class Races:
    """Adds the demands of the races of a run to the nodes of its path; `strict`: see the head of this module."""

    def __init__(self, strict: bool = True) -> None:
        self._strict = strict

    def demand(self, path: list[Node], new_from: int, barriers: list[int]) -> None:
        """Look for the races of the run along `path`.

        Parameters:
            path: the nodes of the run, each with its current step done.
            new_from: the first step that earlier runs did not take in this state.
            barriers: the steps before which the clock moved, in order.
        """
        processes = [node.current for node in path]
        steps = [node.done[node.current] for node in path]
        before: list[Steps] = []
        last: dict[Name, int] = {}
        barrier = 0
        bounds = iter([*barriers, len(path)])
        bound = next(bounds)
        for i, (process, step) in enumerate(zip(processes, steps, strict=True)):
            while bound <= i < len(path) and bound != len(path):
                barrier = bound
                bound = next(bounds)
            earlier = (1 << barrier) - 1
            if process in last:
                earlier |= before[last[process]] | 1 << last[process]
            enablers = step.after & ((1 << i) - 1)
            while enablers:
                j = enablers.bit_length() - 1
                enablers ^= 1 << j
                earlier |= before[j] | 1 << j
            racing = []
            for j in range(i - 1, barrier - 1, -1):
                if not earlier >> j & 1 and conflict(steps[j].footprint, step.footprint):
                    racing.append(j)
                    earlier |= before[j] | 1 << j
            before.append(earlier)
            last[process] = i
            if i >= new_from:
                for j in racing:
                    self._demand(path[j], j, i, processes, steps, before)

    def _demand(
        self, node: Node, j: int, i: int, processes: list[Name], steps: list[Step], before: list[Steps]
    ) -> None:
        """Step `i` races with step `j`, which was taken at `node`: demand a run with `i` first."""
        process, footprint = processes[i], steps[i].footprint
        between = [k for k in range(j + 1, i) if not before[k] >> j & 1]
        if self._strict and (
            steps[j].mortal or not self.exact(node, steps[j].footprint, process, footprint, [steps[k] for k in between])
        ):
            node.todo.update(node.enabled)
            return
        initials = []
        seen: set[Name] = set()
        mask = 0
        for k in [*between, i]:
            if processes[k] not in seen and not before[k] & mask:
                initials.append(processes[k])
            seen.add(processes[k])
            mask |= 1 << k
        if any(each in node.todo for each in initials):
            return
        able = [each for each in initials if each in node.enabled]
        if able:
            node.todo.add(process if process in able else able[0])
        else:  # it stands behind another item in its lane
            node.todo.update(node.enabled)

    @staticmethod
    def exact(node: Node, first: Footprint, process: Name, footprint: Footprint, between: list[Step]) -> bool:
        """Whether the second step certainly does the same when it comes before the first."""
        if not (first.writes | first.adds) & (footprint.reads | footprint.writes | footprint.adds):
            return True
        seen = node.seen(process)
        return seen == footprint and not any(conflict(step.footprint, seen) for step in between)
