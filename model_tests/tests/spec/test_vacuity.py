"""Vacuity: for each kind of point a specification that never reaches it, and the line that reports it.

`Lamp` is a lamp with a switch.  Every point of `lamps` is reached; each test below adds one rule that is not, and the
report must name only that.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NewType

import pytest

from spec.crawl import crawl_model, site
from spec.crawl import specification as crawls
from spec.kit.bounded import Fails, Holds, Refines
from spec.kit.core import Spec
from spec.kit.marks import NAME
from spec.kit.model import Model
from spec.kit.search import check
from spec.kit.vacuity import Cover, Twin, cover, to_look_at, unfailing
from spec.queue import queue_model
from spec.queue import specification as queues
from spec.registry import REGISTRY

from ...dev.pythons import ROOT

Hand = NewType("Hand", int)


@dataclass(frozen=True)
class Lamp:
    on: bool = False
    turns: int = 0


lamps: Spec[int, Lamp] = Spec("lamps", Lamp)


def turned(k: int, s: Lamp) -> Iterator[Lamp]:
    """The other way round."""
    if s.turns < k:
        yield replace(s, on=not s.on, turns=s.turns + 1)
    else:
        yield s


def told(k: int, s: Lamp, t: Lamp, hand: Hand) -> tuple[bool, ...]:
    return (t.on,) if t != s else ()


@lamps.action(fair=True, answer=told)
def switch(k: int, s: Lamp, hand: Hand) -> Iterator[Lamp]:
    """LAMP-1: A hand turns the switch; a broken one does nothing."""
    yield from turned(k, s)


@lamps.action()
def look(k: int, s: Lamp, hand: Hand) -> Iterator[Lamp]:
    """LAMP-2: A hand that does nothing is a rule too: its text says that nothing changes."""
    if s.on:
        yield s


@lamps.invariant
def counted(k: int, s: Lamp) -> bool:
    """LAMP-3: A lamp that is on has been turned."""
    return not s.on or s.turns > 0


def dark(k: int, s: Lamp) -> bool:
    return not s.on


@lamps.leads_to(dark)
def lit(k: int, s: Lamp) -> bool:
    """LAMP-4: It comes on, or wears out."""
    return s.on or s.turns == k


def models(spec: Spec[int, Lamp], k: int = 4) -> list[Holds]:
    return [Holds(spec, "", lambda: [Model(spec, k, (Lamp(),), {Hand: [Hand(0)]})], live=True)]


def failing(spec: Spec[int, Lamp], broken: str) -> Fails:
    """Return a report as if that property were broken."""
    return Fails(spec, "", lambda: next(iter(models(spec)[0].models())), broken, 0)


def derived() -> Spec[int, Lamp]:
    return Spec("mine", Lamp, lamps)


def missed(spec: Spec[int, Lamp], k: int = 4) -> list[str]:
    """Return the reports, without file and line."""
    found = cover(spec, models(spec, k))
    assert all(line.startswith("model_tests/tests/spec/test_vacuity.py:") for line in found.missed)
    return [line.partition(": ")[2] for line in found.missed]


def test_what_is_reached_all_over_is_counted() -> None:
    found = cover(lamps, models(lamps))
    assert found == Cover(5, found.kinds, [], [])
    assert dict(found.kinds) == {"action": 2, "yield": 4, "operand": 4, "branch": 2, "trigger": 1}
    assert missed(derived()) == []


#: Rules that have a point which no state reaches, each with its registration and its report.
CASES: list[tuple[str, Callable[..., Any], list[str]]] = []  # Any: rules of every kind


def reported(kind: str, *lines: str) -> Callable[[Callable[..., Any]], None]:
    """Add a rule to the cases."""
    return lambda rule: CASES.append((kind, rule, [f"{rule.__name__}{line}" for line in lines]))


@reported("action", " never happens")
def smash(k: int, s: Lamp, hand: Hand) -> Iterator[Lamp]:
    """MY-1: Never."""
    if s.turns > k:
        yield replace(s, turns=0 if s.on else 1)


@reported("action", " changes nothing", ": `replace(s, on=s.on)` never changes the state")
def stroke(k: int, s: Lamp, hand: Hand) -> Iterator[Lamp]:
    """MY-1: In vain."""
    yield replace(s, on=s.on)


@reported("action", ": `turned(-1, s)` never changes the state", ": `replace(s, turns=k)` is never yielded")
def press(k: int, s: Lamp, hand: Hand) -> Iterator[Lamp]:
    """MY-1: In vain, by one way or the other."""
    yield from turned(k, s)
    if s.turns == 2:
        yield from turned(-1, s)
    if s.turns > k:
        yield replace(s, turns=k)


@reported("invariant", ": `s.on` is never evaluated", ": `not s.on` is never evaluated")
def vain(k: int, s: Lamp) -> bool:
    """MY-1: It never holds."""
    return s.turns <= k or s.on or not s.on


@reported("step", ": `s.turns > k` is never true")
def bright(k: int, s: Lamp, t: Lamp) -> bool:
    """MY-1: A lamp that is on may burn."""
    return s.turns > k or not s.on or s.turns > 0


@reported("invariant", ": `False` is never returned", ": `s.on` is never chosen")
def either(k: int, s: Lamp) -> bool:
    """MY-1: Two ways."""
    if s.turns > k:
        return False
    return (s.turns >= 0) if s.turns < 9 else s.on


@reported("step", ": `False` is never returned", ": `s.on` is never chosen")
def either_way(k: int, s: Lamp, t: Lamp) -> bool:
    """MY-1: Two ways."""
    if s.turns > k:
        return False
    return (s.turns >= 0) if s.turns < 9 else s.on


@reported(
    "invariant",
    ": `n < 0` is never evaluated: nothing is left to range over",
    ": `-n` is never evaluated: nothing is left to range over",
)
def every(k: int, s: Lamp) -> bool:
    """MY-1: It covers nothing."""
    return all(n < 0 for n in range(k) if n > s.turns + k) and len({n: -n for n in range(s.turns - k)}) == 0


@reported("leads_to", ": its trigger never waits for it")
def comes(k: int, s: Lamp) -> bool:
    """MY-1: It is there already."""
    return s.turns >= 0


@pytest.mark.parametrize(("kind", "rule", "lines"), CASES, ids=[rule.__name__ for _, rule, _ in CASES])
def test_a_point_that_no_state_reaches(kind: str, rule: Callable[..., Any], lines: list[str]) -> None:
    spec = derived()
    add: dict[str, Callable[[Any], object]] = {"action": spec.action(), "leads_to": spec.leads_to(dark)}
    add.get(kind, getattr(spec, kind))(rule)
    assert missed(spec) == lines


def test_a_yield_of_a_helper_that_is_never_taken() -> None:
    assert missed(lamps, 0) == [
        "switch changes nothing",
        "switch: `turned(k, s)` never changes the state",
        "turned: `replace(s, on=not s.on, turns=s.turns + 1)` is never yielded",
        "told: `(t.on,)` is never chosen",
        "look never happens",
        "counted: `s.turns > 0` is never evaluated",
        "lit: `s.on` is never true",
        "lit: its trigger never waits for it",
    ]


def test_a_property_that_is_not_seen_to_fail() -> None:
    spec = derived()

    @spec.invariant
    def small(k: int, s: Lamp) -> bool:
        """MY-1: Not too often."""
        return s.turns <= k

    fails = [failing(spec, name) for name in ("counted", "lit")]
    (line,) = unfailing(spec, [*models(spec), *fails])
    assert line.endswith(": small (MY-1): no instance shows that it can fail")
    assert unfailing(lamps, fails) == unfailing(lamps, [])  # of another text
    assert len(unfailing(lamps, [])) == 3
    refined = replace(models(spec)[0], refines=Refines(lambda low: low, lambda k, s: s))
    small_too = [*fails, replace(fails[0], broken="small")]
    assert unfailing(spec, [*models(spec), *small_too]) == []
    assert unfailing(spec, [refined, *small_too]) == ["mine: no instance shows that the refinement can fail"]
    assert unfailing(spec, [refined, *small_too, replace(fails[0], broken="refinement")]) == []


def test_it_is_reported_if_no_instance_is_live() -> None:
    fails = [failing(lamps, name) for name in ("counted", "lit")]
    assert unfailing(lamps, [*models(lamps), *fails]) == []
    (line,) = unfailing(lamps, [replace(models(lamps)[0], live=False), *fails])
    assert line == "lamps: no instance is live: leads-to properties are not checked"


def test_of_a_text_of_ones_own_only_what_it_adds_is_looked_at() -> None:
    mine: Spec[queues.Const, queues.Queue] = Spec("mine", queues.Queue, queues.queue)

    @mine.invariant
    def short(k: queues.Const, s: queues.Queue) -> bool:
        """MY-1: Full, or not."""
        return not queues.full(k, s) or len(s.buf) > 0

    held = [Holds(mine, "", lambda: [queue_model(1, 0, 1, spec=mine)])]
    found = cover(mine, held, own=True)
    (missed,) = found.missed
    assert missed.endswith(": short: `len(s.buf) > 0` is never evaluated")
    (line,) = unfailing(mine, held, own=True)
    assert line.partition(": ")[2] == "short (MY-1): no instance shows that it can fail"
    assert len(cover(mine, held).missed) > 10


def test_a_text_is_not_asked_for_the_helpers_of_another() -> None:
    text = "crawl_fifo"
    spec = next(i.spec for i in REGISTRY if i.spec.name == text)
    look = to_look_at(spec, own=False)
    assert look(next(iter(spec.actions.values())).fn)
    assert not look(crawls.spread)
    assert to_look_at(crawls.crawl, own=False)(crawls.spread)
    assert not to_look_at(crawls.crawl, own=False)(replace)


def test_a_function_without_a_text_is_told() -> None:
    spec = derived()
    space: dict[str, Any] = {}
    exec('def blank(k, s):\n    """MY-1: From nowhere."""\n    return True\n', space)
    spec.invariant(space["blank"])
    (line,) = cover(spec, models(spec)).unread
    assert "blank: its source cannot be found" in line


@pytest.mark.parametrize("model", [
    lambda: queue_model(2, 1, 2),
    lambda: queue_model(2, 1, 2, symmetric=True),
    lambda: crawl_model(site({0: (1, 2), 2: (3,)}, {1: 3, 3: 4})),
])  # fmt: skip
def test_a_twin_does_what_the_original_does(model: Callable[[], Model[Any, Any]]) -> None:
    original = model()
    twin = Twin(original.spec, to_look_at(original.spec, own=False))
    twin.domains = original.domains
    one, two = check(original), check(replace(original, spec=twin.spec))
    assert (one.parent, one.edges, one.fired) == (two.parent, two.edges, two.fired)
    assert twin.marks.reached
    assert all(NAME not in vars(module) for module in (queues, crawls))


def test_the_bound_is_kept_and_the_first_that_suffices_is_the_last() -> None:
    spec = derived()

    @spec.invariant
    def never(k: int, s: Lamp) -> bool:
        """MY-1: Not in these."""
        return s.turns < 40 or s.on or not s.on

    assert cover(spec, models(spec, 50) * 2, most=30).states == 60
    assert cover(spec, models(spec, 50) * 2).states == 51
    assert cover(spec, models(spec, 50), most=30).missed != []


def test_lines_are_where_the_text_is() -> None:
    spec = derived()

    @spec.invariant
    def vain(k: int, s: Lamp) -> bool:
        """MY-1: In vain."""
        return s.turns <= k or s.on

    (line,) = cover(spec, models(spec)).missed
    path, number, _ = line.split(":", 2)
    text = (ROOT / path).read_text(encoding="utf-8").splitlines()[int(number) - 1]
    assert Path(path).name == Path(__file__).name
    assert text.strip() == "return s.turns <= k or s.on"
