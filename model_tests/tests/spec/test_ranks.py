"""Ranks of leads-to properties: the search sees every error in one, and a right rank proves its property."""

import random
from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest

from spec.crawl import crawl_model
from spec.crawl.sites import site
from spec.future import future_model
from spec.kit import liveness
from spec.kit.core import Spec, SpecError
from spec.kit.liveness import Lasso, WrongRank
from spec.kit.model import Model
from spec.kit.search import check
from spec.locks import LOCK, event_model, lock_model
from spec.queue import queue_model

from . import test_liveness as liveness_of_webs
from .prove.wrong_ranks import WRONG, Wrong
from .test_liveness import At, Label, may, must

# Any below: models of any specification, and functions of any signature.


def explored(model: Model[Any, Any]) -> None:
    liveness.check(model, check(model, keep=True))


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong.title)
def test_the_search_sees_an_error_in_a_rank(wrong: Wrong) -> None:
    with pytest.raises(WrongRank, match=wrong.seen) as found:
        explored(wrong.model())
    assert found.value.name == wrong.name
    assert str(found.value).startswith(f"{wrong.spec.name}: the rank of {wrong.name}")


@pytest.mark.parametrize("model", [
    queue_model(2, 1, 2),
    lock_model(3, 1, LOCK),
    event_model(3),
    future_model(2, 1, 2),
    crawl_model(site({0: (1, 2)}, {1: 2})),
], ids=lambda model: model.spec.name)  # fmt: skip
def test_what_a_rank_shows_is_found_by_the_search_for_a_run_too(model: Model[Any, Any]) -> None:
    graph = check(model, keep=True)
    [goal] = model.spec.progress.values()
    args = tuple(next(iter(model.domains[of])) for of in goal.params)
    assert goal.rank is not None
    assert liveness.wrong_rank(model, graph, goal, args) is None
    assert liveness.Fair(model, graph).lasso(goal, args) is None


@dataclass(frozen=True)
class Web(liveness_of_webs.Web):
    """A graph, and where a `must` is said to lower the rank of a state, which is its number."""

    helps: frozenset[tuple[str, int]]


def asked(k: Web, s: At, label: Label) -> bool:
    return s.n in k.asked


def helps(k: Web, s: At, label: Label) -> bool:
    return (label, s.n) in k.helps


def height(k: Web, s: At, label: Label) -> int:
    return s.n


def come(k: Web, s: At, label: Label) -> bool:
    """WEB-3: It comes."""
    return s.n in k.come


def webs(by: dict[str, Any]) -> Spec[Web, At]:
    spec: Spec[Web, At] = Spec("webs", At)
    spec.action(fair=True)(must)
    spec.action()(may)
    spec.leads_to(asked, rank=height, by=by)(come)
    return spec


@pytest.mark.parametrize("by", [{}, {"must": helps}], ids=["every step", "one event"])
def test_a_rank_that_is_right_leaves_no_run_without_the_goal(by: dict[str, Any], full: bool) -> None:
    spec, chance, right = webs(by), random.Random(0), 0
    labels = (Label("a"), Label("b"))
    events = list(product(("must", "may"), ("a", "b"), (1, 2, 3)))
    for _ in range(3000 if full else 1000):
        moves = {}
        for event in events:
            if chance.random() < 0.6:
                most = 4 if chance.random() < 0.1 else event[2] + 1
                moves[event] = tuple(chance.sample(range(most), chance.randrange(3)))
        begin = chance.randrange(4)
        k = Web(
            moves,
            frozenset(n for n in range(4) if chance.random() < 0.6),
            frozenset(n for n in range(4) if chance.random() < 0.4),
            frozenset((label, n) for label in labels for n in range(4) if chance.random() < 0.7),
        )
        model = Model(spec, k, (At(begin),), {Label: labels})
        graph = check(model, keep=True)
        goal = spec.progress["come"]
        if begin in k.asked - k.come and liveness.wrong_rank(model, graph, goal, ("a",)) is None:
            right += 1
            assert liveness.Fair(model, graph).lasso(goal, ("a",)) is None
    assert right > (20 if full else 7)


def test_a_property_that_is_false_is_refuted_by_a_run_and_not_by_its_rank() -> None:
    k = Web({("may", Label("a"), 1): (0,)}, frozenset({1}), frozenset({0}), frozenset({("a", 1)}))
    with pytest.raises(Lasso, match="after 0 steps a run may go on for ever without it"):
        explored(Model(webs({"must": helps}), k, (At(1),), {Label: [Label("a")]}))


def test_a_run_says_more_than_a_rank_that_is_wrong_for_another_parameter() -> None:
    def come_to_a(k: Web, s: At, label: Label) -> bool:
        """WEB-5: It comes to label a, and never to b."""
        return label == "a" and s.n in k.come

    spec: Spec[Web, At] = Spec("webs", At)
    spec.action(fair=True)(must)
    spec.leads_to(asked, rank=height)(come_to_a)
    a, b = Label("a"), Label("b")
    k = Web({("must", a, 1): (3,), ("must", a, 3): (2,)}, frozenset({1}), frozenset({2}), frozenset())
    with pytest.raises(WrongRank):
        explored(Model(spec, k, (At(1),), {Label: [a]}))
    with pytest.raises(Lasso):
        explored(Model(spec, k, (At(1),), {Label: [a, b]}))


def test_what_lowers_a_rank_is_a_fair_action_with_the_same_parameters() -> None:
    with pytest.raises(SpecError, match="webs: `by` names may, which is no fair action"):
        webs({"may": helps})
    with pytest.raises(SpecError, match="webs: `by` names gone, which is no fair action"):
        webs({"gone": helps})
    spec = webs({})
    with pytest.raises(SpecError, match="there is no rank"):
        spec.leads_to(asked, by={"must": helps})

    def other(k: Web, s: At) -> bool:
        """WEB-4: It comes to all."""
        return s.n in k.come

    with pytest.raises(SpecError, match=r"webs\.other: must has other parameters"):
        spec.leads_to(other, rank=height, by={"must": helps})(other)  # type: ignore[arg-type,dict-item]
