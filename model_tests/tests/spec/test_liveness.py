"""Leads-to under weak fairness: runs that refute it, runs that do not, and that a lasso is a fair run.

A `Web` is an arbitrary graph, given as a constant.  So specifications with cycles, dead ends and steps that change
nothing are one line each.  Random ones are compared with a search of all sets of states, which does not use
components.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import NewType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spec.kit import liveness
from spec.kit.core import Event, Spec, SpecError
from spec.kit.liveness import Lasso
from spec.kit.model import Model
from spec.kit.search import Graph, LimitError, check

Label = NewType("Label", str)
Moves = dict[tuple[str, str, int], tuple[int, ...]]


@dataclass(frozen=True)
class Web:
    """For an action, a label and a state, the states that follow; where the event is requested, and where it has
    occurred.
    """

    moves: Moves
    asked: frozenset[int]
    come: frozenset[int]


@dataclass(frozen=True)
class At:
    n: int


webs: Spec[Web, At] = Spec("webs", At)


@webs.action(fair=True)
def must(k: Web, s: At, label: Label) -> Iterator[At]:
    """WEB-1: A fair move."""
    for n in k.moves.get(("must", label, s.n), ()):
        yield At(n)


@webs.action()
def may(k: Web, s: At, label: Label) -> Iterator[At]:
    """WEB-2: A move that need not be made."""
    for n in k.moves.get(("may", label, s.n), ()):
        yield At(n)


def asked(k: Web, s: At) -> bool:
    return s.n in k.asked


@webs.leads_to(asked)
def comes(k: Web, s: At) -> bool:
    """WEB-3: A requested event comes."""
    return s.n in k.come


def web(moves: Moves, asked: set[int], come: set[int]) -> Model[Web, At]:
    labels = [Label("a"), Label("b")]
    return Model(webs, Web(moves, frozenset(asked), frozenset(come)), (At(0),), {Label: labels})


def searched(model: Model[Web, At]) -> Graph[At]:
    return check(model, keep=True)


def lasso(model: Model[Web, At]) -> Lasso | None:
    try:
        liveness.check(model, searched(model))
    except Lasso as found:
        return found
    return None


def test_a_fair_move_is_made_and_another_need_not_be() -> None:
    assert lasso(web({("must", "a", 0): (1,)}, {0}, {1})) is None
    found = lasso(web({("may", "a", 0): (1,)}, {0}, {1}))
    assert found is not None
    assert (found.name, found.depth, len(found.trace)) == ("comes", 0, 1)
    assert str(found).splitlines() == [
        "webs: comes (WEB-3) need not come: after 0 steps a run may go on for ever without it",
        "   0  init  n=0",
        "  where the run may stop",
    ]


def test_a_lasso_is_told_with_its_loop() -> None:
    found = lasso(web({("may", "a", 0): (1,), ("must", "a", 1): (2,), ("must", "b", 2): (1,)}, {1}, {3}))
    assert found is not None
    assert found.depth == 1
    assert str(found).splitlines() == [
        "webs: comes (WEB-3) need not come: after 1 step a run may go on for ever without it",
        "   0  init     n=0",
        "   1  may(a)   n: 0 -> 1",
        "  from 1 on, repeated for ever:",
        "   2  must(a)  n: 1 -> 2",
        "   3  must(b)  n: 2 -> 1",
    ]


def test_what_changes_nothing_is_no_progress() -> None:
    """A fair event that only spins is not enabled; one that can also move must move."""
    spins = lasso(web({("must", "a", 0): (0,), ("may", "a", 0): (1,)}, {0}, {1}))
    assert spins is not None
    assert len(spins.trace) == 1
    assert lasso(web({("must", "a", 0): (0, 1)}, {0}, {1})) is None
    assert lasso(web({("may", "b", 0): (0,), ("must", "a", 0): (1,)}, {0}, {1})) is None


def test_fairness_is_weak() -> None:
    """An event that is sometimes enabled need not happen; one that is always enabled must."""
    toggle: Moves = {("may", "b", 0): (1,), ("may", "b", 1): (0,), ("must", "a", 0): (2,)}
    found = lasso(web(toggle, {0}, {2}))
    assert found is not None
    assert found.depth == 0
    assert [str(event) for event, _ in found.trace] == ["None", "may(b)", "may(b)"]
    assert lasso(web(toggle | {("must", "b", 1): (0,)}, {0}, {2})) is not None
    assert lasso(web(toggle | {("must", "a", 1): (2,)}, {0}, {2})) is None


def test_fairness_is_of_single_events() -> None:
    """An event of the same action that repeats does not replace the one that must happen."""
    moves: Moves = {("must", "b", 0): (1,), ("must", "b", 1): (0,)}
    moves |= {("must", "a", 0): (2,), ("must", "a", 1): (2,)}
    assert lasso(web(moves, {0}, {2})) is None
    assert lasso(web({key: to for key, to in moves.items() if key != ("must", "a", 1)}, {0}, {2})) is not None


def test_only_what_was_asked_for_and_has_not_come_is_owed() -> None:
    there_and_back: Moves = {("must", "a", 0): (1,), ("must", "a", 1): (2,), ("must", "b", 2): (1,)}
    assert lasso(web(there_and_back, set(), {3})) is None  # never requested
    # It came; that 2 continues without it does not matter.
    assert lasso(web(there_and_back, {0}, {1})) is None
    assert lasso(web(there_and_back, {0, 2}, {1})) is None  # requested again, and it occurs again
    assert lasso(web(there_and_back, {0}, {0, 3})) is None  # it occurs in the state of the request
    assert lasso(web(there_and_back, {2}, {0})) is not None


def test_it_may_be_said_of_every_value() -> None:
    spec: Spec[Web, At] = Spec("each", At, webs, without=["comes"])

    def calls(k: Web, s: At, label: Label) -> bool:
        return s.n == 0

    @spec.leads_to(calls)
    def served(k: Web, s: At, label: Label) -> bool:
        """WEB-4: Every label is served."""
        return s.n == {"a": 1, "b": 2}[label]

    k = Web({("must", "a", 0): (1,), ("must", "a", 1): (0,)}, frozenset(), frozenset())
    model = Model(spec, k, (At(0),), {Label: [Label("a"), Label("b")]})
    with pytest.raises(Lasso, match=r"each: served\(b\) \(WEB-4\) need not come: after 0 steps"):
        liveness.check(model, check(model, keep=True))
    model.domains = {Label: [Label("a")]}
    liveness.check(model, check(model, keep=True))
    model.domains = {}
    with pytest.raises(SpecError, match=r"each\.served: the model has no domain for .*Label"):
        liveness.check(model, check(model, keep=True))


def test_it_is_refused_where_it_would_say_nothing() -> None:
    model = web({("must", "a", 0): (1,)}, {0}, {1})
    with pytest.raises(SpecError, match="webs: leads-to properties need the steps: check with keep=True"):
        liveness.check(model, check(model))
    with pytest.raises(LimitError):
        check(model, keep=True, limit=1)
    graph = searched(model)
    model.canon = lambda s: s
    with pytest.raises(SpecError, match="webs: leads-to properties cannot be checked up to a symmetry"):
        liveness.check(model, graph)


# Any graph.

STATES = range(4)
EVENTS = [("must", "a"), ("must", "b"), ("may", "a")]
some = st.sets(st.sampled_from(STATES), max_size=3)
ends = some.map(lambda to: tuple(sorted(to)))
graphs = st.fixed_dictionaries({(*event, n): ends for event in EVENTS for n in STATES})


def changing(moves: Moves) -> set[tuple[str, str, int, int]]:
    return {(action, label, n, to) for (action, label, n), ends in moves.items() for to in ends if to != n}


def reached(begin: set[int], steps: set[tuple[int, int]]) -> set[int]:
    while more := {b for a, b in steps if a in begin} - begin:
        begin = begin | more
    return begin


def may_stay(inside: set[int], moves: Moves) -> bool:
    """Return whether a run can visit exactly these states for ever, fairly."""
    steps = {(a, b) for *_, a, b in changing(moves) if a in inside and b in inside}
    if any(reached({n}, steps) != inside for n in inside):
        return False
    fair = {label for action, label, *_ in changing(moves) if action == "must"}
    always = {x for x in fair if all(any(m[:3] == ("must", x, n) for m in changing(moves)) for n in inside)}
    return always <= {m[1] for m in changing(moves) if m[0] == "must" and m[2] in inside and m[3] in inside}


@given(graphs, some, some)
def test_a_lasso_is_a_fair_run_within_some_states(moves: Moves, asked: set[int], come: set[int]) -> None:
    alive = reached({0}, {(a, b) for *_, a, b in changing(moves)})
    waiting = {(a, b) for *_, a, b in changing(moves) if a not in come and b not in come}
    owed = reached({n for n in asked & alive if n not in come}, waiting)
    sets = [set(part) for size in STATES for part in combinations(sorted(owed), size + 1)]
    model = web(moves, asked, come)
    found = lasso(model)
    assert (found is not None) == any(may_stay(inside, moves) for inside in sets)
    if found is not None:
        runs(model, found, moves, asked, come)


def runs(model: Model[Web, At], found: Lasso, moves: Moves, asked: set[int], come: set[int]) -> None:
    """Check that it is a run of the model with a fair cycle where the requested event never comes."""
    assert found.trace[0] == (None, At(0))
    for (_, s), (event, t) in zip(found.trace, found.trace[1:], strict=False):
        assert isinstance(event, Event)
        assert t in model.after(s, event)
    states = [s.n for _, s in found.trace]
    loop = states[found.depth :]
    assert loop[0] == loop[-1]
    since = max(i for i, n in enumerate(states[: found.depth + 1]) if n in asked and n not in come)
    assert come.isdisjoint(states[since:])
    taken = {event.args[0] for event, _ in found.trace[found.depth + 1 :] if event and event.name == "must"}
    due = {m[1] for m in changing(moves) if m[0] == "must"}
    moved = {m[:3] for m in changing(moves)}
    assert {x for x in due if all(("must", x, n) in moved for n in loop)} <= taken
