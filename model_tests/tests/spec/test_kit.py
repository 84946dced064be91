"""The kit of spec: immutable maps, registries that demand rule identifiers, a search that reports violations."""

import copy
import dataclasses
import pickle
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any, NewType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spec.kit import core
from spec.kit.core import Event, Map, Spec, SpecError
from spec.kit.model import Model
from spec.kit.search import LimitError, Violation, check

maps = st.dictionaries(st.integers(0, 4), st.integers(0, 4))


@given(maps, maps)
def test_a_map_is_updated_by_making_another(a: dict[int, int], b: dict[int, int]) -> None:
    m = Map(a)
    assert m | b == {**a, **b}
    assert isinstance(m | b, Map)
    assert m == a
    assert hash(m | b) == hash(Map({**a, **b}))


@given(maps)
def test_equal_maps_hash_equal_in_any_order_of_insertion(a: dict[int, int]) -> None:
    orders = [Map(dict(items)) for items in permutations(a.items())]
    assert len(set(orders)) == 1


def test_maps_are_told_apart_by_their_values() -> None:
    assert len({Map({0: 0, 1: 1}), Map({0: 1, 1: 0}), Map({0: 0}), Map({0: 0, 1: 1, 2: 2})}) == 4


CHANGES: dict[str, Callable[[Map[int, int]], object]] = {
    "setitem": lambda m: m.__setitem__(0, 1),
    "delitem": lambda m: m.__delitem__(0),
    "ior": lambda m: m.__ior__({0: 1}),
    "clear": lambda m: m.clear(),
    "pop": lambda m: m.pop(0),
    "popitem": lambda m: m.popitem(),
    "setdefault": lambda m: m.setdefault(5, 1),
    "update": lambda m: m.update({0: 1}),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_map_cannot_be_changed(change: Callable[[Map[int, int]], object]) -> None:
    m = Map({0: 0})
    with pytest.raises(TypeError, match=r"a Map is immutable: write m \| \{key: value\}"):
        change(m)
    assert m == {0: 0}


def test_a_map_is_copied_and_pickled_as_a_map() -> None:
    m = Map({0: (1,), 2: (3,)})
    for twin in (copy.copy(m), copy.deepcopy(m), pickle.loads(pickle.dumps(m))):
        assert twin == m
        assert isinstance(twin, Map)
        assert hash(twin) == hash(m)


def test_a_state_with_other_values_is_what_dataclasses_makes() -> None:
    s = Pair(Map({Side(0): 1}))
    none = core.replace(s, counts=Map({}))
    for t in (core.replace(s, over=True), core.replace(none, over=True, counts=s.counts)):
        assert t == dataclasses.replace(s, over=True) != s
        assert hash(t) == hash(dataclasses.replace(s, over=True))
        assert pickle.loads(pickle.dumps(t)) == t
        with pytest.raises(dataclasses.FrozenInstanceError):
            t.over = False  # type: ignore[misc]  # which mypy sees, too
    with pytest.raises(TypeError, match="Pair has no field 'done'"):
        core.replace(s, done=True)  # type: ignore[call-arg]  # which mypy sees, too


# A small text: two counters, each raised by one or two up to a limit; with both at the limit it ends.

Side = NewType("Side", int)


@dataclass(frozen=True)
class Pair:
    counts: Map[Side, int]
    over: bool = False


pairs: Spec[int, Pair] = Spec("pairs", Pair)


@pairs.assume
def natural(k: int) -> bool:
    """PAIR-1: The limit is a natural number."""
    return k >= 0


@pairs.init
def zero(k: int, s: Pair) -> bool:
    """PAIR-2: Both begin at zero."""
    return not s.over and all(n == 0 for n in s.counts.values())


@pairs.action()
def add(k: int, s: Pair, side: Side) -> Iterator[Pair]:
    """PAIR-3: A side is raised by one, or by two."""
    for n in (1, 2):
        if s.counts[side] + n <= k:
            yield replace(s, counts=s.counts | {side: s.counts[side] + n})


@pairs.action()
def end(k: int, s: Pair) -> Iterator[Pair]:
    """PAIR-4: When both are at the limit, it is over."""
    if not s.over and all(n == k for n in s.counts.values()):
        yield replace(s, over=True)


@pairs.invariant
def within(k: int, s: Pair) -> bool:
    """PAIR-5: No side passes the limit."""
    return all(n <= k for n in s.counts.values())


@pairs.step
def rises(k: int, s: Pair, t: Pair) -> bool:
    """PAIR-6: No side ever falls."""
    return all(s.counts[side] <= t.counts[side] for side in s.counts)


def swapped(s: Pair) -> Pair:
    """The larger count first: the sides are interchangeable."""
    return replace(s, counts=Map({Side(i): n for i, n in enumerate(sorted(s.counts.values(), reverse=True))}))


def model(spec: Spec[int, Pair] = pairs, k: int = 3, *, symmetric: bool = False) -> Model[int, Pair]:
    sides = [Side(0), Side(1)]
    begin = Pair(Map(dict.fromkeys(sides, 0)))
    return Model(spec, k, (begin,), {Side: sides}, swapped if symmetric else None)


def test_the_search_counts_states_edges_depth_and_actions() -> None:
    graph = check(model())
    # (k + 1) ** 2 counts, and one state more; a side at 0 or 1 has two ways up, at 2 it has one.
    assert (len(graph.states), graph.edges, graph.depth) == (17, 2 * 4 * 5 + 1, 5)
    assert graph.fired == {"add": 40, "end": 1}
    assert graph.states[0] == model().init[0]


def test_under_a_symmetry_only_representatives_are_visited() -> None:
    graph = check(model(symmetric=True))
    assert set(graph.states) == {swapped(s) for s in check(model()).states}
    assert (len(graph.states), graph.depth) == (11, 5)


def test_a_model_answers_what_is_allowed() -> None:
    m = model()
    (start,) = m.init
    assert m.enabled(start) == [Event("add", (0,)), Event("add", (1,))]
    assert [dict(t.counts) for t in m.after(start, Event("add", (1,)))] == [{0: 0, 1: 1}, {0: 0, 1: 2}]
    assert m.after(start, Event("end")) == []
    beyond = replace(start, counts=start.counts | {Side(0): 4})
    assert [p.rule for p in m.broken(beyond)] == ["PAIR-5"]
    assert [p.rule for p in m.broken(beyond, start)] == ["PAIR-6"]
    assert m.broken(start) == m.broken(start, beyond) == []


@pytest.mark.parametrize("symmetric", [False, True])
def test_the_steps_are_kept_on_request(symmetric: bool) -> None:
    m = model(symmetric=symmetric)
    canon = m.canon or (lambda s: s)
    assert check(m).out == {}
    graph = check(m, keep=True)
    assert list(graph.out) == graph.states
    same = {id(s) for s in graph.parent}
    for s, steps in graph.out.items():
        assert steps == [(event, canon(t)) for event, t in m.successors(s)]
        assert same.issuperset({id(s), *(id(t) for _, t in steps)})
    assert sum(map(len, graph.out.values())) == graph.edges


def test_a_long_search_says_now_and_then_how_far_it_is() -> None:
    told: list[int] = []
    assert len(check(model(k=30), tick=told.append).states) == 31 * 31 + 1
    assert told == [256, 512, 768]


def test_a_search_that_would_pass_its_limit_raises() -> None:
    assert len(check(model(), limit=17).states) == 17
    with pytest.raises(LimitError, match="pairs has more than 16 reachable states: the search is no proof"):
        check(model(), limit=16)


def test_a_state_that_may_not_be_the_end_is_reported_as_a_deadlock() -> None:
    assert check(model(), may_end=lambda s: s.over).depth == 5
    with pytest.raises(Violation, match="pairs: deadlock is reached after 5 steps") as caught:
        check(model(), may_end=lambda s: False)
    assert caught.value.trace[-1][1].over


def mine(kind: str, rule: Callable[..., Any]) -> Spec[int, Pair]:  # Any: of either kind
    """The text with another rule."""
    spec: Spec[int, Pair] = Spec("mine", Pair, extends=pairs)
    register = spec.action() if kind == "action" else getattr(spec, kind)
    register(rule)
    return spec


def low(k: int, s: Pair) -> bool:
    """MY-1: Together they stay below 5."""
    return sum(s.counts.values()) < 5


@pytest.mark.parametrize("symmetric", [False, True])
def test_a_broken_invariant_is_told_by_a_shortest_run(symmetric: bool) -> None:
    spec = mine("invariant", low)
    with pytest.raises(Violation) as caught:
        check(model(spec, symmetric=symmetric))
    assert (caught.value.name, caught.value.depth) == ("low", 3)
    at = caught.value.trace[0][1]
    for event, t in caught.value.trace[1:]:
        assert event is not None
        assert t in model(spec).after(at, event)
        at = t
    if not symmetric:
        assert str(caught.value).splitlines() == [
            "mine: low (MY-1) is broken after 3 steps",
            "   0  init    counts={0: 0, 1: 0}  over=False",
            "   1  add(0)  counts[0]: 0 -> 1",
            "   2  add(0)  counts[0]: 1 -> 3",
            "   3  add(1)  counts[1]: 0 -> 2",
        ]


@pytest.mark.parametrize("symmetric", [False, True])
def test_a_broken_step_is_the_last_of_its_run(symmetric: bool) -> None:
    spec: Spec[int, Pair] = Spec("mine", Pair, extends=pairs)

    @spec.step
    def small(k: int, s: Pair, t: Pair) -> bool:
        """MY-1: From 1 upwards, no step is larger than one."""
        return all(s.counts[side] == 0 or t.counts[side] - s.counts[side] < 2 for side in s.counts)

    m = model(spec, symmetric=symmetric)
    with pytest.raises(Violation) as caught:
        check(m)
    assert (caught.value.name, caught.value.depth) == ("small", 2)
    (_, s), (_, t) = caught.value.trace[-2:]
    assert [p.name for p in m.broken(s, t)] == ["small"]


def test_a_step_that_changes_nothing_is_a_step() -> None:
    spec: Spec[int, Pair] = Spec("mine", Pair, extends=pairs)

    @spec.action()
    def rest(k: int, s: Pair, side: Side) -> Iterator[Pair]:
        """MY-1: A side may rest, and so may both."""
        yield s

    graph = check(model(spec), keep=True)
    assert (graph.edges, graph.fired["rest"]) == (41 + 2 * 17, 2 * 17)
    assert all(sum(t is s for _, t in out) == 2 for s, out in graph.out.items())

    @spec.step
    def restless(k: int, s: Pair, t: Pair) -> bool:
        """MY-2: Every step changes something, until it is over."""
        return s != t or s.over

    with pytest.raises(Violation, match=r"restless \(MY-2\) is broken after 1 step\n.*\n.*rest\(0\)"):
        check(model(spec))


def forgotten(k: int, s: Pair) -> bool:
    """MY-1: Nothing is returned."""
    return None  # type: ignore[return-value]  # as mypy says: so will the check


def slip(k: int, s: Pair) -> Iterator[Pair]:
    """MY-1: It returns no state."""
    yield s.counts  # type: ignore[misc]  # the same


def soften(k: int, s: Pair) -> Iterator[Pair]:
    """MY-1: It returns a mutable state."""
    yield replace(s, over=[])  # type: ignore[arg-type]  # the same


@pytest.mark.parametrize(("kind", "rule", "told"), [
    ("invariant", forgotten, "forgotten gives None, and not True or False: it lacks a return"),
    ("action", slip, r"mine: slip\(\): \{0: 0, 1: 0\} is no Pair"),
    ("action", soften, r"soften\(\): Pair.over is \[\], which is a value that can"),
])  # fmt: skip
def test_what_a_text_gets_wrong_is_told(kind: str, rule: Callable[..., object], told: str) -> None:
    with pytest.raises(SpecError, match=told):
        check(model(mine(kind, rule)))


def test_a_symmetry_that_is_none_is_reported() -> None:
    m = model(mine("invariant", low))
    m.canon = lambda s: Pair(Map({Side(0): 2, Side(1): 2})) if s.counts[Side(0)] == 1 else s
    with pytest.raises(SpecError, match=r"mine: the model is not symmetric: add has steps from one that it"):
        check(m)


def test_a_derived_text_may_replace_what_it_inherits() -> None:
    spec: Spec[int, Pair] = Spec("by one", Pair, extends=pairs, without=["add"])

    @spec.action()
    def add_one(k: int, s: Pair, side: Side) -> Iterator[Pair]:
        """PAIR-3: A side is raised by one."""
        if s.counts[side] < k:
            yield replace(s, counts=s.counts | {side: s.counts[side] + 1})

    assert check(model(spec)).edges == 2 * 3 * 4 + 1
    assert set(pairs.actions) == {"add", "end"}


def undocumented(k: int, s: Pair) -> bool:
    return True


def unnamed(k: int, s: Pair) -> bool:
    """It holds."""
    return True


def twice(k: int, s: Pair) -> bool:
    """PAIR-3: It holds."""
    return True


@pytest.mark.parametrize(("fn", "message"), [
    (undocumented, r'mine\.undocumented \(.*\.py:\d+\) lacks a docstring: begin .* "QUEUE-1: \.\.\."'),
    (unnamed, r'mine\.unnamed \(.*\) lacks a rule identifier: begin .* "QUEUE-1: \.\.\."'),
    (twice, r"mine\.twice \(.*\): PAIR-3 is already the identifier of add"),
    (within, r"mine\.within \(.*\): the name is taken; .* `without` it"),
])  # fmt: skip
def test_what_cannot_be_cited_is_not_registered(fn: Callable[[int, Pair], bool], message: str) -> None:
    spec: Spec[int, Pair] = Spec("mine", Pair, extends=pairs)
    for register in (spec.invariant, spec.init):
        with pytest.raises(SpecError, match=message):
            register(fn)
    assert spec.tables() == pairs.tables()


@dataclass
class Changing:
    n: int


def test_what_is_not_well_formed_is_refused_with_its_name() -> None:
    for state in (Changing, int):
        with pytest.raises(SpecError, match=rf"mine: the state {state.__name__} must be a frozen dataclass"):
            Spec("mine", state)
    with pytest.raises(SpecError, match="mine: `without` names ad, which is not inherited"):
        Spec("mine", Pair, extends=pairs, without=["ad"])
    with pytest.raises(SpecError, match="pairs: constants or initial states break natural"):
        model(k=-1)
    started = Pair(Map({Side(0): 1}))
    with pytest.raises(SpecError, match="pairs: constants or initial states break zero"):
        Model(pairs, 3, (started,), {Side: [Side(0)]})
    with pytest.raises(SpecError, match=r"pairs\.add: the model has no domain for .*Side"):
        Model(pairs, 3, model().init, {})
    with pytest.raises(SpecError, match="pairs: the model has no initial state"):
        Model(pairs, 3, (), {Side: [Side(0)]})
