"""Leads-to properties by ranks: a right rank is proved, a wrong one is refuted on a state that Python checks."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NewType

import pytest

pytest.importorskip("z3", reason="the proofs need the extra `prove`")

from spec.cases import CASES
from spec.kit.core import Map, Spec
from spec.kit.prove import premises
from spec.kit.prove.case import BEGINS, ENABLED, Case, Obligation
from spec.kit.prove.few import counterexample
from spec.kit.prove.verdicts import Prover

from .wrong_ranks import WRONG, Wrong

RANKED = {
    "queue": "comes_to_rest",
    "locks": "comes_to_rest",
    "events": "comes_to_rest",
    "future": "due_callback_is_called",
}


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong.title)
def test_an_error_in_a_rank_is_refuted(wrong: Wrong) -> None:
    case = Case(wrong.spec)
    found = counterexample(case, Obligation(*wrong.lost))
    assert found is not None
    assert found.text(case).startswith("  for (")


def test_every_leads_to_property_has_a_rank_or_a_reason() -> None:
    for case in CASES:
        assert set(case.unknown) == set(case.spec.progress) - set(case.ranked), case.name
        assert all(case.unknown.values())
    proved = {case.spec.name: name for case in CASES for name in case.ranked}
    assert proved == RANKED | {"crawl": "crawl_terminates"}
    assert sum(o.of in case.ranked for case in CASES for o in case.obligations()) >= 100


def test_a_crawl_that_is_not_closed_can_go_on() -> None:
    """It follows from one invariant, and that there is a worker from the types: they have values."""
    for case in CASES:
        if case.spec.name == "crawl":
            pins = premises.load()[case.name].premises
            assert pins[Obligation(ENABLED, "crawl_terminates")] == ("join_exact",)
            for action in case.spec.actions:
                assert Obligation(action, "crawl_terminates") in pins


# Where the kit has to give up.

Task = NewType("Task", int)


@dataclass(frozen=True)
class Const:
    """The tasks."""

    tasks: frozenset[Task]


@dataclass(frozen=True)
class Line:
    """(a, b) in `before`: a stands before b.  How much each was served."""

    before: frozenset[tuple[Task, Task]]
    has: Map[Task, int]
    open: bool


def line(strict: bool) -> Spec[Const, Line]:
    """A line: while it is open its first may leave, which closes it; `strict`: none stands before itself."""
    spec: Spec[Const, Line] = Spec("line", Line, universe={Task: "tasks"})

    @spec.action(fair=True)
    def leave(k: Const, s: Line) -> Iterator[Line]:
        """LINE-1: The first leaves."""
        for t in k.tasks:
            if s.open and all((v, t) not in s.before for v in k.tasks):
                yield replace(s, open=False)

    @spec.action(fair=True)
    def count(k: Const, s: Line, t: Task) -> Iterator[Line]:
        """LINE-2: The sum matters, another one for each task."""
        if s.open and sum(s.has[u] for u in k.tasks if u != t) > 0:
            yield replace(s, open=False)

    if strict:
        spec.invariant(ordered)
    spec.leads_to(is_open, rank=opened)(closes)
    return spec


def ordered(k: Const, s: Line) -> bool:
    """LINE-3: It is a line."""
    return all(
        ((v, w) not in s.before or (w, v) not in s.before)
        and all((u, v) not in s.before or (v, w) not in s.before or (u, w) in s.before for u in k.tasks)
        for v in k.tasks
        for w in k.tasks
    )


def is_open(k: Const, s: Line) -> bool:
    return s.open


def opened(k: Const, s: Line) -> int:
    return 1 if s.open else 0


def closes(k: Const, s: Line) -> bool:
    """LINE-4: It closes."""
    return not s.open


def without_counting(spec: Spec[Const, Line]) -> Case:
    return Case(Spec("line", Line, spec, without=["count"]))


def test_one_stands_first_in_a_line_and_not_in_a_circle() -> None:
    in_line = Prover(without_counting(line(strict=True))).prove(Obligation(ENABLED, "closes"))
    assert (in_line.result, in_line.premises) == ("proved", ("ordered",))
    in_a_circle = Prover(without_counting(line(strict=False))).prove(Obligation(ENABLED, "closes"))
    assert in_a_circle.result == "refuted"
    begins = Prover(without_counting(line(strict=False))).prove(Obligation(BEGINS, "closes"))
    assert begins.result == "proved"


def test_too_little_is_known_of_a_sum_that_depends_on_what_is_chosen() -> None:
    verdict = Prover(Case(line(strict=True))).prove(Obligation(ENABLED, "closes"))
    assert verdict.result == "unknown"
    assert "count: where it chooses, its condition has a sum" in verdict.why
