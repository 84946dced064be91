"""Liveness: whether the leads-to properties hold in every fair run; else a run that goes round without the goal.

Fairness is weak: a fair event (an action with its parameters) that stays enabled from some state on is taken again and
again.  A step that changes nothing is no progress and enables no event, as in TLA+.  So a fair run without the goal
ends up in one strongly connected part of the states that owe the goal, those reached without the goal since the
trigger held.  Such a part holds a fair run exactly if every fair event that is enabled in all its states is taken
between two of them.  It is enough to examine the maximal parts: a smaller one has more events enabled everywhere and
takes fewer.  A single state is such a part too: there the run stops.

Fairness is about single events, which renaming would mix up: a model with a symmetry is refused.

A property with a rank (`ranks.py`) needs no search: the rank is checked in every state and on every step.  Where it is
wrong, a run without the goal is searched for; if there is none, the rank is to blame.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from itertools import pairwise, product
from typing import Generic, TypeVar

from .core import Event, K, Named, S, SpecError, truth, twice
from .model import Model
from .ranks import Owed
from .search import Came, Graph, Trace, Violation, back, path, steps, table

Node = TypeVar("Node", bound=Hashable)
#: Steps, each with the state that it leads to, by number.
Steps = list[tuple[Event, int]]
#: For each state its steps, without those that change nothing.
Moves = dict[int, Steps]
#: For each node that a search reached, in order, the step that led to it.


class Lasso(Violation):
    """A goal that need not be reached: after `depth` steps of `trace`, the rest of it may repeat for ever.

    If the rest is empty, the run stops there.
    """

    def __init__(
        self, model: Model[K, S], goal: Named, args: tuple[Hashable, ...], trace: Trace[S], depth: int
    ) -> None:
        super().__init__(model.spec.name, model.spec.field_names, goal, trace)
        self.depth = depth
        head, *rows = table(model.spec.field_names, trace)
        loop = rows[depth:]
        ever = f"  from {depth} on, repeated for ever:" if loop else "  where the run may stop"
        self.args = (
            "\n".join(
                [
                    f"{model.spec.name}: {Event(goal.name, args) if args else goal.name} ({goal.rule})"
                    f" need not come: after {steps(depth)} a run may go on for ever without it",
                    *[head, *rows[:depth], ever, *loop],
                ]
            ),
        )


class WrongRank(Violation):
    """A rank that does not prove its property, after `depth` steps; the last state, or step, is where."""

    def __init__(self, model: Model[K, S], goal: Named, args: tuple[Hashable, ...], trace: Trace[S], why: str) -> None:
        super().__init__(model.spec.name, model.spec.field_names, goal, trace)
        head = f"{model.spec.name}: the rank of {Event(goal.name, args) if args else goal.name} ({goal.rule})"
        rows = table(model.spec.field_names, trace)
        self.args = ("\n".join([f"{head} is wrong after {steps(self.depth)}: {why}", *rows]),)


def check(model: Model[K, S], graph: Graph[S]) -> None:
    """Check the leads-to properties of the specification of `model`.

    `graph` is the result of `check(model, keep=True)`.
    Raises Lasso, with the shortest way to a loop; WrongRank; SpecError for a model with a symmetry, a graph without
    its steps, and a parameter without a domain.
    """
    name, progress = model.spec.name, model.spec.progress.values()
    if model.canon is not None:
        raise SpecError(f"{name}: leads-to properties cannot be checked up to a symmetry")
    if graph.out.keys() != graph.parent.keys():
        raise SpecError(f"{name}: leads-to properties need the steps: check with keep=True")
    fair: Fair[K, S] | None = None
    for goal in progress:
        if missing := [t for t in goal.params if t not in model.domains]:
            raise SpecError(f"{name}.{goal.name}: the model has no domain for {missing[0]}")
        # A run that breaks the property, whatever its parameters, says more than a wrong rank.
        wrong: WrongRank | None = None
        for args in product(*(model.domains[t] for t in goal.params)):
            here = wrong_rank(model, graph, goal, args) if goal.rank is not None else None
            if goal.rank is not None and here is None:
                continue
            fair = fair or Fair(model, graph)
            if lasso := fair.lasso(goal, args):
                raise lasso
            wrong = wrong or here
        if wrong is not None:
            raise wrong


def wrong_rank(model: Model[K, S], graph: Graph[S], goal: Named, args: tuple[Hashable, ...]) -> WrongRank | None:
    """The first state, or step, where the rank of a property does not prove it; or None."""
    actions = model.spec.actions
    owed = Owed(goal, model.k, args)
    for s, out in graph.out.items():
        why = owed.begins(s)
        last: Trace[S] = []
        for stage in owed.stages(s):
            why = why or owed.enabled(stage, [event for event, _ in out], actions)
            for event, t in out:
                if not why and (why := owed.step(stage, s, event, t)):
                    last = [(event, t)]
        if why:
            return WrongRank(model, goal, args, [*way(graph, s), *last], why)
    return None


def way(graph: Graph[S], s: S) -> Trace[S]:
    """A shortest trace to a state."""
    states = path(graph, s)
    trace: Trace[S] = [(None, states[0])]
    for before, after in pairwise(states):
        trace.append(next((event, t) for event, t in graph.out[before] if t is after))
    return trace


class Fair(Generic[K, S]):
    """The fair runs of a model: `moves`, and as `due` the fair events that are enabled in each state.

    States go by their number in the graph, which is faster than to hash them.
    """

    def __init__(self, model: Model[K, S], graph: Graph[S]) -> None:
        self.model = model
        self.states = list(graph.out)
        number = {id(s): n for n, s in enumerate(self.states)}  # a graph has each state once
        self.begin = [number[id(s)] for s, before in graph.parent.items() if before is None]
        self.moves: Moves = {
            number[id(s)]: [(event, number[id(t)]) for event, t in out if t is not s] for s, out in graph.out.items()
        }
        fair = {name for name, action in model.spec.actions.items() if action.fair}
        self.due = {s: frozenset(e for e, _ in out if e.name in fair) for s, out in self.moves.items()}

    def lasso(self, goal: Named, args: tuple[Hashable, ...]) -> Lasso | None:
        """A fair run without the goal after its trigger, or None."""
        came = self._runs(goal, args)
        rank = {s: number for number, (s, owed) in enumerate(came) if owed}
        owed = {s: [(e, t) for e, t in self.moves[s] if t in rank] for s in rank}
        parts = {min(part, key=rank.__getitem__): part for part in components(owed)}
        for start in sorted(parts, key=rank.__getitem__):
            part = set(parts[start])
            inside = {s: [(e, t) for e, t in owed[s] if t in part] for s in parts[start]}
            if self._may_stay(inside):
                first, way = back(came, (start, True))
                taken = [*((e, s) for e, (s, _) in way), *self._round(start, inside)]
                trace: Trace[S] = [(None, self.states[first[0]]), *((e, self.states[s]) for e, s in taken)]
                return Lasso(self.model, goal, args, trace, len(way))
        return None

    def _runs(self, goal: Named, args: tuple[Hashable, ...]) -> Came[tuple[int, bool]]:
        """Every state, breadth-first, with whether the goal is owed there: triggered on the way, and not yet met."""
        k, trigger = self.model.k, goal.trigger
        unmet = {n for n, s in enumerate(self.states) if not truth(goal.fn, twice(goal.fn, k, s, *args))}
        asked = {n for n in unmet if trigger is not None and truth(trigger, twice(trigger, k, self.states[n], *args))}
        came: Came[tuple[int, bool]] = {(s, s in asked): None for s in self.begin}
        todo = list(came)
        for s, owed in todo:
            for event, t in self.moves[s]:
                node = (t, t in asked or (owed and t in unmet))
                if node not in came:
                    came[node] = (event, (s, owed))
                    todo.append(node)
        return came

    def _may_stay(self, inside: Moves) -> bool:
        """Whether a fair run may stay for ever in a strongly connected part, with those moves."""
        always = frozenset.intersection(*(self.due[s] for s in inside))
        return always <= {e for moves in inside.values() for e, _ in moves}

    def _round(self, start: int, inside: Moves) -> Steps:
        """A fair cycle through the part from `start`, by the nearest step each time; empty: a run may stop there."""
        here, due = start, self.due[start]
        loop: Steps = []
        while due:
            way = walk(here, inside, lambda e, t: e in due or not due <= self.due[t])  # noqa: B023  # used at once
            for event, t in way:
                due = (due - {event}) & self.due[t]
            here = way[-1][1]
            loop += way
        return loop if here == start else loop + walk(here, inside, lambda _, t: t == start)


def walk(start: int, moves: Moves, found: Callable[[Event, int], bool]) -> Steps:
    """The shortest way from `start` that ends with the step `found`; there must be one."""
    came: Came[int] = {start: None}
    todo = [start]
    for s in todo:
        for event, t in moves[s]:
            if found(event, t):
                return [*back(came, s)[1], (event, t)]
            if t not in came:
                came[t] = (event, s)
                todo.append(t)
    raise AssertionError("no such step in a strongly connected part")


def components(moves: Moves) -> Iterator[list[int]]:
    """The maximal strongly connected parts of a graph, single states among them.

    [Tarjan, "Depth-first search and linear graph algorithms", without recursion]
    """
    number: dict[int, int] = {}
    low: dict[int, int] = {}  # the least number known to be reached from it, while its part is open
    stack: list[int] = []
    for root in moves:
        if root in number:
            continue
        number[root] = low[root] = len(number)
        stack.append(root)
        todo = [(root, iter(moves[root]))]
        while todo:
            s, rest = todo[-1]
            for _, t in rest:
                if t not in number:
                    number[t] = low[t] = len(number)
                    stack.append(t)
                    todo.append((t, iter(moves[t])))
                    break
                if t in low:
                    low[s] = min(low[s], number[t])
            else:
                todo.pop()
                if todo:
                    before = todo[-1][0]
                    low[before] = min(low[before], low[s])
                if low[s] == number[s]:
                    part = [stack.pop()]
                    while part[-1] != s:
                        part.append(stack.pop())
                    for member in part:
                        del low[member]
                    yield part
