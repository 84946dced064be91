"""The check: a breadth-first search over every reachable state, and the shortest trace to a broken property.

States are visited level by level, so the first state or step found broken is one of the nearest to the start, and no
trace is shorter.  Invariants are checked once in every state, step properties on every step.  A search that would pass
its limit raises: a truncated search is no proof and must not look like one.  With a symmetry (`Model.canon`) only
representatives are kept; a trace is made concrete again by replaying it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, is_dataclass
from itertools import islice, pairwise, zip_longest
from typing import Any, Generic

from .contents import prints
from .core import UNSTEADY, Event, K, Map, Named, S, SpecError, truth, twice
from .frame import FRAME
from .model import Model
from .symmetry import Symmetry

#: A trace: states, beginning with an initial one, each with the event that led to it (None: initial).
Trace = list[tuple[Event | None, S]]
#: The step, and the node before it, that reached each node of a search first; None: the search begins there.
Came = dict[S, tuple[Event, S] | None]
#: The number of new states between two calls of a search's `tick`.
TICK = 256
#: While no more states are known, the steps from each are taken again, and must be the same; so must properties.
TWICE = 30
#: How often a property that is broken is asked again.
AGAIN = 10
#: The most steps from one state; an action that gives more does not end.
MANY = 1_000_000


class LimitError(Exception):
    """The model has more states than the search may visit; the rest is not checked."""


class Violation(Exception):
    """A property is broken (`broken`; None: a deadlock, a state without successor that may not be an end).

    `depth` counts the steps of `trace`; the text of the exception is the trace as a table of changes.
    """

    def __init__(self, spec: str, fields: Iterable[str], broken: Named | None, trace: Trace[S]) -> None:
        self.name = broken.name if broken else "deadlock"
        self.trace: Trace[Any] = trace  # Any: an exception class cannot be generic
        self.depth = len(trace) - 1
        rule = f" ({broken.rule})" if broken else ""
        verb = "is broken" if broken else "is reached"
        head = f"{spec}: {self.name}{rule} {verb} after {steps(self.depth)}"
        super().__init__("\n".join([head, *table(tuple(fields), trace)]))


@dataclass
class Graph(Generic[S]):
    """The result of a search: its states in breadth-first order, each with the state it was first reached from.

    `edges` counts steps, each way to take one separately; `depth` is the distance of the farthest state; `fired`
    counts the steps of each action.  `out`: the steps from each state, if they were to be kept; the states in them are
    the very objects that are the keys, so that `is` compares them.
    """

    parent: dict[S, S | None]
    edges: int
    depth: int
    fired: dict[str, int]
    out: dict[S, list[tuple[Event, S]]]

    @property
    def states(self) -> list[S]:
        """All reachable states, in breadth-first order."""
        return list(self.parent)


def check(
    model: Model[K, S],
    *,
    limit: int = 1_000_000,
    may_end: Callable[[S], bool] | None = None,
    keep: bool = False,
    tick: Callable[[int], None] | None = None,
    symmetry: bool = True,
) -> Graph[S]:
    """Visit every reachable state of `model` and check every invariant and step property of its specification.

    `limit`: the most states to visit.  `may_end`: which states may have no successor (default: all).  `keep`: fill
    the graph's `out`.  `tick` is called every TICK states with the number of states so far.  `symmetry`: check the
    symmetry that the model claims, too.
    Raises Violation, with a shortest trace; LimitError; SpecError for a successor that is not a state of the
    specification or is the state before it, changed, for a property that is neither true nor false, for steps and
    properties that are others when they are asked for again, and for a model that is not symmetric.
    """
    search = _Search(model, limit, keep, tick)
    if model.canon is not None and symmetry:
        search.symmetry = Symmetry(model, model.canon)
        search.symmetry.check()
    try:
        search.run(may_end)
    except Violation:
        search.settle()
        raise
    search.settle()
    return search.graph


class _Search(Generic[K, S]):
    """A search in progress: the states visited, and the level of states with steps still to be taken."""

    def __init__(self, model: Model[K, S], limit: int, keep: bool, tick: Callable[[int], None] | None) -> None:
        self.model, self.limit, self.keep, self.tick = model, limit, keep, tick
        self.canon: Callable[[S], S] = model.canon or (lambda s: s)
        self.graph: Graph[S] = Graph({}, 0, 0, dict.fromkeys(model.spec.actions, 0), {})
        self.symmetry: Symmetry[K, S] | None = None
        self.level: list[tuple[S, list[int]]] = []
        self.first: dict[S, list[tuple[Event, S]]] = {}  # the steps from the first states, to be taken again
        self.known: dict[S, S] = {}  # each state that is kept, by itself

    def run(self, may_end: Callable[[S], bool] | None) -> None:
        """Visit every state, level by level."""
        for s in self.model.init:
            self.visit(self.canon(s), None)
        while self.level:
            level, self.level = self.level, []
            for s, before in level:
                taken = self.expand(s)
                self.compare(s, before)
                if s in self.first:
                    self.again(s)
                if not taken and may_end is not None and not truth(may_end, twice(may_end, s)):
                    raise violation(self.model, None, path(self.graph, s))
            self.graph.depth += bool(self.level)

    def settle(self) -> None:
        """Look at the first states again, before the verdict: a count that changes slowly shows only now."""
        for s in self.first:
            self.again(s)

    def visit(self, s: S, parent: S | None) -> None:
        """Check the invariants of `s`, unless that was done, and put it into the level."""
        visited, name = self.graph.parent, self.model.spec.name
        if s in visited:
            return
        if len(visited) >= self.limit:
            raise LimitError(f"{name} has more than {self.limit:,} reachable states: the search is no proof")
        visited[s] = parent
        self.level.append((s, prints(s)))
        if broken := self.model.broken(s):
            raise violation(self.model, broken[0], path(self.graph, s))
        if self.keep:
            self.known[s] = s
        if self.tick is not None and len(visited) % TICK == 0:
            self.tick(len(visited))

    def compare(self, s: S, before: list[int]) -> None:
        """Raise SpecError if a state is not as it was when it was met: `before`, the prints of its fields."""
        if before != (now := prints(s)):
            names = self.model.spec.field_names
            name = next(n for n, a, b in zip(names, before, now, strict=True) if a != b)
            raise SpecError(
                f"{self.model.spec.name}: a step from {s} changes its {name} in place: yield replace(s, {name}=...)"
            ).at(self.model.spec.state)

    def expand(self, s: S) -> int:
        """Take every step from `s` and check it; returns how many there are."""
        model, graph = self.model, self.graph
        before, most, stood = graph.edges, graph.edges + MANY, False
        happened: set[Event] = set()
        out: list[tuple[Event, S]] = []
        first: list[tuple[Event, S]] | None = [] if len(graph.parent) <= TWICE else None
        for event, t in model.successors(s):
            if t is not s:
                model.refuse(t, event, s)
            if first is not None:
                first.append((event, t))
            graph.edges += 1
            if graph.edges > most:
                raise SpecError(f"{model.spec.name}: {event} gives more than {MANY:,} states: does it end?").at(
                    model.spec.actions[event.name].fn
                )
            graph.fired[event.name] += 1
            if model.demands:
                happened.add(event)
            again = t is s and stood  # a step that changes nothing is visited once
            stood = stood or t is s
            kept = s if again else self.canon(t)
            if self.symmetry is not None and kept is not t:
                self.symmetry.invariants(t, kept)
            if broken := model.broken(s, t, event, again=again):
                raise violation(model, broken[0], [*path(graph, s), kept])
            if not again:
                self.visit(kept, s)
            if self.keep:
                out.append((event, self.known[kept]))
        if model.demands and (refused := model.refused(s, happened)):
            if not all(model.refused(s, happened) for _ in range(AGAIN)):
                raise unsteady(refused[0], s)
            error = violation(model, refused[0], path(graph, s))
            error.args = (f"{error}\n  {refused[1]} cannot happen here, and must be possible",)
            raise error
        if self.keep:
            graph.out[s] = out
        if first is not None:
            self.first[s] = first
        return graph.edges - before

    def again(self, s: S) -> None:
        """Raise SpecError if the steps from a state are not those that were taken first, or a property is broken."""
        model, first = self.model, self.first[s]
        for a, b in zip_longest(first, islice(model.successors(s), len(first) + 1)):
            if a != b:
                event, _ = a or b
                raise SpecError(
                    f"{model.spec.name}: {event} has other steps from {s} the second time: make all that they"
                    " depend on a field of the state or of the constants"
                ).at(model.spec.actions[event.name].fn)
        found = model.broken(s) + [p for event, t in first for p in model.broken(s, t, event)]
        if model.demands and (refused := model.refused(s, {event for event, _ in first})):
            found.append(refused[0])
        if found:
            raise unsteady(found[0], s)


def unsteady(p: Named, s: object) -> SpecError:
    """The error of a property that is true in a state, or of a step from it, and false when it is asked again."""
    return SpecError(f"{p.name} ({p.rule}), in {s}, {UNSTEADY}").at(p.fn)


def steps(count: int) -> str:
    """A number of steps, in words."""
    return f"{count} step{'s' * (count != 1)}"


def path(graph: Graph[S], s: S) -> list[S]:
    """The states on a shortest way to `s`, beginning with an initial one."""
    back: list[S] = []
    at: S | None = s
    while at is not None:
        back.append(at)
        at = graph.parent[at]
    return back[::-1]


def violation(model: Model[K, S], broken: Named | None, states: list[S]) -> Violation:
    """The violation at the end of `states`, which are representatives, with the trace of a real run.

    A step property is broken by the last step: among the steps between the same representatives it must be one that
    breaks it.
    Raises SpecError for a `canon` that is not a symmetry, and for steps or a property with another value by now.
    """
    canon: Callable[[S], S] = model.canon or (lambda s: s)
    on_step = broken is not None and (broken.name in model.spec.steps or broken.name == FRAME)
    trace: Trace[S] = [(None, next(s for s in model.init if canon(s) == states[0]))]

    def breaks(*step: Any) -> bool:
        return all(broken in model.broken(*step) for _ in range(AGAIN))

    for i, target in enumerate(states[1:], start=2):
        here, must_break = trace[-1][1], on_step and i == len(states)
        found = (
            (event, t)
            for event, t in model.successors(here)
            if canon(t) == target and (not must_break or breaks(here, t, event))
        )
        if (step := next(found, None)) is None:
            if must_break and broken and not model.canon:
                raise unsteady(broken, here)
            why = "the canon of the model is not a symmetry: " if model.canon else ""
            raise SpecError(f"{model.spec.name}: {why}{here} has other steps")
        trace.append(step)
    if broken and broken.name in model.spec.invariants and not model.canon and not breaks(trace[-1][1]):
        raise unsteady(broken, trace[-1][1])
    return Violation(model.spec.name, model.spec.field_names, broken, trace)


def back(came: Came[S], s: S) -> tuple[S, list[tuple[Event, S]]]:
    """The first node of the way to `s`, and its steps."""
    taken: list[tuple[Event, S]] = []
    while (by := came[s]) is not None:
        taken.append((by[0], s))
        s = by[1]
    return s, taken[::-1]


def table(fields: tuple[str, ...], trace: Trace[S]) -> list[str]:
    """One line for each state of a trace: its number, the event, and the fields that changed."""
    rows = [("0", "init", whole(fields, trace[0][1]))]
    for number, ((_, s), (event, t)) in enumerate(pairwise(trace), start=1):
        rows.append((str(number), str(event), changes(fields, s, t)))
    width = max(len(event) for _, event, _ in rows)
    return [f"  {number:>2}  {event:<{width}}  {text}" for number, event, text in rows]


def whole(fields: tuple[str, ...], s: object) -> str:
    """A state in one line."""
    return "  ".join(f"{name}={show(getattr(s, name))}" for name in fields)


def changes(fields: tuple[str, ...], s: object, t: object) -> str:
    """The changes of a step from one state to another, in one line."""
    found = [line for name in fields for line in changed(name, getattr(s, name), getattr(t, name))]
    return "  ".join(found) or "(nothing changes)"


def changed(name: str, before: object, after: object) -> list[str]:
    """How a field changed: nothing, one text, or one for each key of a map and each field of a record."""
    if before == after:
        return []
    if is_dataclass(before) and type(before) is type(after):
        names = [part.name for part in fields(before)]
        return [line for part in names for line in changed(part, getattr(before, part), getattr(after, part))]
    if isinstance(before, Map) and isinstance(after, Map) and before.keys() == after.keys():
        return [line for key in before for line in changed(f"{name}[{key}]", before[key], after[key])]
    return [f"{name}: {show(before)} -> {show(after)}"]


def show(value: object) -> str:
    """A value as text that is the same in every run: sets are sorted."""
    if isinstance(value, Map):
        return "{" + ", ".join(f"{show(key)}: {show(item)}" for key, item in value.items()) + "}"
    if isinstance(value, frozenset):
        return "{" + ", ".join(sorted(map(show, value))) + "}"
    if is_dataclass(value) and not isinstance(value, type):
        return "(" + "  ".join(f"{part.name}={show(getattr(value, part.name))}" for part in fields(value)) + ")"
    if isinstance(value, tuple):
        return "(" + ", ".join(map(show, value)) + ")"
    return str(value)
