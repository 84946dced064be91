"""Confluence of the crawl: two steps from one state may follow each other in either order, but for rivals."""

from __future__ import annotations

from dataclasses import replace

import pytest

pytest.importorskip("z3", reason="the proofs need the extra `prove`")

from spec.cases import CASES, compete
from spec.kit.prove import premises
from spec.kit.prove.case import CONFLUENT, Case, Obligation
from spec.kit.prove.few import counterexample
from spec.kit.prove.verdicts import Prover
from spec.kit.render.source import Untranslatable

OURS = next(case for case in CASES if case.exclusive is not None)
PAIRS = [o for o in OURS.obligations() if o.goal == CONFLUENT]


def test_every_pair_of_actions_is_an_obligation() -> None:
    assert (OURS.title, OURS.exclusive) == ("our rule", {"start+start": compete})
    assert len(PAIRS) == len(set(PAIRS)) == 21
    pins = premises.load()[OURS.name].premises
    assert all(pair in pins for pair in PAIRS)


def refuted(case: Case, pair: str) -> str:
    found = counterexample(case, Obligation(pair, CONFLUENT))
    assert found is not None
    assert found.beside is not None
    return found.text(case)


def test_rivals_do_exclude_each_other(full: bool) -> None:
    case, pair = replace(OURS, exclusive={}), Obligation("start+start", CONFLUENT)
    assert Prover(OURS).attempt(pair, (), 1_000_000).result == "unsat"
    assert Prover(case).attempt(pair, case.premises(pair), 1_000_000).result != "unsat"
    if full:
        assert refuted(case, pair.action).count("start(") == 2


def test_an_action_that_chooses_is_not_read() -> None:
    queue = replace(CASES[0], exclusive={})
    with pytest.raises(Untranslatable, match="it chooses one of several steps"):
        counterexample(queue, Obligation("get+get", CONFLUENT))
