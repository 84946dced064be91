"""Refinement: a correct one is accepted and its steps counted, a wrong one is refuted by a shortest run.

There are two small specifications: a clock that shows the hour, and its works, which count minutes until the hour is
full.  Viewed through `hour`, the works are the clock.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NewType

import pytest

from spec.crawl import Const, Crawl, fifo_model
from spec.crawl.bounded import CRAWLS, DIAMOND, star
from spec.crawl.fifo import FifoCrawl, view
from spec.kit.core import Event, Spec
from spec.kit.model import Model
from spec.kit.refinement import refines
from spec.kit.search import LimitError, Violation, check

Way = NewType("Way", int)
FULL = 3  # so many minutes make an hour


@dataclass(frozen=True)
class Clock:
    hour: int


@dataclass(frozen=True)
class Works:
    minutes: int
    side: int = 0  # of no importance: two sides, which are interchangeable


clock: Spec[int, Clock] = Spec("clock", Clock)
works: Spec[int, Works] = Spec("works", Works)


@clock.action()
def strike(k: int, s: Clock) -> Iterator[Clock]:
    """CLOCK-1: The next hour, until the last."""
    if s.hour < k:
        yield Clock(s.hour + 1)


@works.action()
def tick(k: int, s: Works, way: Way) -> Iterator[Works]:
    """WORKS-1: The next minute, until the last hour, on one side or the other."""
    if s.minutes < k * FULL:
        yield Works(s.minutes + 1, way)


def hour(k: int, s: Works) -> Clock:
    return Clock(s.minutes // FULL)


def clock_model(hours: int = 4) -> Model[int, Clock]:
    return Model(clock, hours, (Clock(0),), {})


def works_model(
    spec: Spec[int, Works] = works, *, hours: int = 4, start: int = 0, symmetric: bool = False
) -> Model[int, Works]:
    canon = (lambda s: replace(s, side=0)) if symmetric else None
    return Model(spec, hours, (Works(start),), {Way: (0, 1)}, canon)


def test_a_step_is_a_step_of_the_higher_model_or_a_stutter() -> None:
    # The last minute of each of 4 hours has two sides, and each side two ways on.
    assert refines(works_model(), clock_model(), hour) == 4 * 2 * 2


def test_of_a_symmetric_model_one_state_of_each_class_is_visited() -> None:
    assert refines(works_model(symmetric=True), clock_model(), hour) == 4 * 2


def test_a_model_that_only_stutters_refines_and_says_so() -> None:
    assert refines(works_model(), clock_model(), lambda k, s: Clock(0)) == 0


def test_a_step_that_is_none_is_told_by_a_shortest_run() -> None:
    skips: Spec[int, Works] = Spec("skips", Works, extends=works)

    @skips.action()
    def skip(k: int, s: Works, way: Way) -> Iterator[Works]:
        """WORKS-2: After two minutes, two hours at once; and later another, which is not to be told."""
        if s.minutes in (2, 5):
            yield Works(s.minutes + 2 * FULL, way)

    with pytest.raises(Violation) as caught:
        refines(works_model(skips), clock_model(), hour)
    assert (caught.value.name, caught.value.depth) == ("refinement", 3)
    assert str(caught.value).splitlines() == [
        "skips: the refinement of clock is broken after 3 steps",
        "   0  init     minutes=0  side=0",
        "   1  tick(0)  minutes: 0 -> 1",
        "   2  tick(0)  minutes: 1 -> 2",
        "   3  skip(0)  minutes: 2 -> 8",
        "clock does not allow this step, which it sees as",
        "   0  init     hour=0",
        "   1  skip(0)  hour: 0 -> 2",
    ]


def test_the_run_that_is_told_is_one_under_a_symmetry_too() -> None:
    low = works_model(hours=5, symmetric=True)
    with pytest.raises(Violation) as caught:
        refines(low, clock_model(4), hour)
    trace = caught.value.trace
    assert caught.value.depth == 5 * FULL
    assert trace[0] == (None, Works(0))
    for (_, s), (event, t) in pairwise(trace):
        assert event is not None
        assert t in low.after(s, event)
    assert trace[-1][0] == Event("tick", (0,))


def test_a_wrong_view_is_no_refinement() -> None:
    with pytest.raises(Violation, match="the refinement of clock is broken after 1 step\n") as caught:
        refines(works_model(), clock_model(), lambda k, s: Clock(2 * s.minutes))
    assert caught.value.depth == 1


def test_an_initial_state_must_be_one_of_the_higher_model() -> None:
    with pytest.raises(Violation) as caught:
        refines(works_model(start=FULL), clock_model(), hour)
    assert (caught.value.name, caught.value.depth) == ("refinement", 0)
    assert str(caught.value).splitlines() == [
        "works: the refinement of clock is broken after 0 steps",
        "   0  init  minutes=3  side=0",
        "clock does not allow this state, which it sees as",
        "   0  init  hour=1",
    ]


def test_a_search_that_would_pass_its_limit_raises() -> None:
    states = len(check(works_model()).states)
    assert refines(works_model(), clock_model(), hour, limit=states) > 0
    with pytest.raises(LimitError, match=rf"works has more than {states - 1} reachable states"):
        refines(works_model(), clock_model(), hour, limit=states - 1)


def test_properties_of_the_lower_model_are_not_its_business() -> None:
    """The check handles them; a broken property does not hide a broken refinement."""
    strict: Spec[int, Works] = Spec("strict", Works, extends=works)

    @strict.invariant
    def never(k: int, s: Works) -> bool:
        """WORKS-3: Never."""
        return False

    assert refines(works_model(strict), clock_model(), hour) == 16


@pytest.mark.parametrize(("k", "steps"), [(DIAMOND, 119), (star(5, 2), 1_063)], ids=["diamond", "star"])
def test_the_chapters_loop_refines_the_crawl(k: Const, steps: int) -> None:
    """The manifest lists the sites; here the steps are counted, and a view that omits something fails."""
    low = fifo_model(k)
    assert refines(low, CRAWLS.high(low), CRAWLS.view) == steps

    def forgetful(k: Const, s: FifoCrawl) -> Crawl:
        return replace(view(k, s), done=frozenset())

    with pytest.raises(Violation) as caught:
        refines(low, CRAWLS.high(low), forgetful)
    assert (caught.value.name, caught.value.depth) == ("refinement", 2)
