"""Verdicts: a proved property is true, a refuted one has a state that Python checks, and the pins are there.

Last, confluence of the crawl: two steps from one state may follow each other in either order, but for rivals.
"""

import ast
import operator
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NewType

import pytest

pytest.importorskip("z3", reason="the proofs need the extra `prove`")

from spec.cases import CASES, compete
from spec.kit.core import Map, Spec
from spec.kit.frame import FRAME
from spec.kit.prove import aside, premises, verdicts
from spec.kit.prove import solver as z
from spec.kit.prove.case import CONFLUENT, INITIALLY, POSSIBLE, Case, Obligation
from spec.kit.prove.few import Counterexample, Disagreement, counterexample, taken
from spec.kit.prove.sorts import FEW_ITEMS, Sorts
from spec.kit.prove.verdicts import Prover, Verdict
from spec.kit.render.source import Untranslatable
from spec.queue.mutants import MUTANTS

from ...fixtures import Patch
from .planted import Row, planted

Account = NewType("Account", int)


@dataclass(frozen=True)
class Const:
    """The accounts, and their former balances."""

    accounts: frozenset[Account]
    start: int


@dataclass(frozen=True)
class Bank:
    """The balance of every account, and the sum that was handed over in all."""

    has: Map[Account, int]
    moved: int


bank: Spec[Const, Bank] = Spec("bank", Bank, universe={Account: "accounts"})


@bank.assume
def something(k: Const) -> bool:
    """BANK-1: There is something."""
    return k.start >= 0


@bank.init
def equal(k: Const, s: Bank) -> bool:
    """BANK-2: All have the same."""
    return all(s.has[w] == k.start for w in k.accounts) and s.moved == 0


@bank.action()
def give(k: Const, s: Bank, v: Account, w: Account) -> Iterator[Bank]:
    """BANK-3: One unit changes hands."""
    if v != w and s.has[v] > 0:
        yield replace(s, has=s.has | {v: s.has[v] - 1, w: s.has[w] + 1}, moved=s.moved + 1)


@bank.action()
def never(k: Const, s: Bank, v: Account) -> Iterator[Bank]:
    """BANK-4: This cannot happen."""
    if s.has[v] < 0:
        yield s


@bank.invariant
def natural(k: Const, s: Bank) -> bool:
    """BANK-5: No account is overdrawn."""
    return all(s.has[w] >= 0 for w in k.accounts)


@bank.invariant
def total(k: Const, s: Bank) -> bool:
    """BANK-6: Money that is there stays."""
    return sum(s.has[w] for w in k.accounts) >= 0


@bank.invariant
def few(k: Const, s: Bank) -> bool:
    """BANK-7: Wrong: no account has more than it had, plus two."""
    return all(s.has[w] <= k.start + 2 for w in k.accounts)


@bank.step
def kept(k: Const, s: Bank, t: Bank) -> bool:
    """BANK-8: The sum stays."""
    return sum(s.has[w] for w in k.accounts) == sum(t.has[w] for w in k.accounts)


CASE = Case(bank)


def test_what_holds_is_proved_for_any_number_of_accounts() -> None:
    prover = Prover(CASE)
    found = {o: prover.prove(o) for o in CASE.obligations() if o.goal in ("natural", "total", "kept")}
    assert {v.result for v in found.values()} == {"proved"}
    assert found[Obligation("give", "natural")].premises == ("natural",)
    assert found[Obligation("give", "total")].premises in (("total",), ("natural",), ("natural", "total"))


def test_what_does_not_hold_has_a_state_that_python_checks() -> None:
    verdict = Prover(CASE).prove(Obligation("give", "few"))
    assert verdict.result == "refuted"
    at = verdict.found
    assert at is not None
    assert at.event is not None
    assert few(at.k, at.s)
    assert not few(at.k, at.t)
    assert at.t in list(bank.actions["give"].fn(at.k, at.s, *at.event.args))
    assert "give(" in at.text(CASE)


def test_a_step_that_changes_more_than_its_frame_has_a_state_that_python_checks() -> None:
    case = Case(MUTANTS["frame"])
    verdict = Prover(case).prove(Obligation("cancel_wrong", FRAME))
    assert verdict.result == "refuted"
    assert verdict.found is not None
    assert verdict.found.event is not None
    assert Prover(case).prove(Obligation("uncancel", FRAME)).result == "proved"


def test_an_action_that_cannot_happen_is_said_to_be_so() -> None:
    verdict = Prover(CASE).prove(Obligation("never", POSSIBLE))
    assert (verdict.result, verdict.premises) == ("proved", ("1",))
    pinned = Prover(CASE, {Obligation("never", POSSIBLE): ()}).prove(Obligation("never", POSSIBLE))
    assert pinned.stale
    assert Prover(CASE).prove(Obligation("give", POSSIBLE)).premises == ()


def test_a_pinned_way_is_proved_without_a_search_and_a_wrong_pin_is_stale(monkeypatch: Patch) -> None:
    searches = []

    def looking(*about: Any) -> list[Counterexample | None]:
        searches.append(about[-1])
        return taken(*about)

    monkeypatch.setattr(verdicts, "taken", looking)
    for action, pin, never, stale in (
        ("never", ("1",), ("1",), False),
        ("never", ("7",), ("1",), True),  # there is no such way
        ("give", ("1",), (), True),
    ):
        obligation = Obligation(action, POSSIBLE)
        verdict = Prover(CASE, {obligation: pin}).prove(obligation)
        assert (verdict.result, verdict.premises, verdict.stale) == ("proved", never, stale)
    assert searches == [{0}, set(), set()]


def test_assumptions_that_contradict_each_other_are_noticed() -> None:
    def nothing(k: Const) -> bool:
        return k.start < 0

    case = Case(bank, "nothing", nothing)
    assert Prover(CASE).prove(Obligation(INITIALLY, POSSIBLE)).premises == ()
    assert Prover(case).prove(Obligation(INITIALLY, POSSIBLE)).premises == ("1",)


def test_over_few_elements_a_sequence_is_short() -> None:
    """So that a quantifier over it can be written out."""
    for few, longer in (0, "sat"), (1, "unsat"):
        xs = Sorts([], few).constant(tuple[Account, ...], "xs")
        assert z.ask([z.length(xs) > FEW_ITEMS], steps=1_000_000).result == longer
        assert z.ask([z.equal(z.length(xs), z.number(FEW_ITEMS))], steps=1_000_000).result == "sat"


def test_a_wrong_translation_is_an_error_and_no_result() -> None:
    wrong = Row(ast.Gt, operator.ge, "")
    with planted(wrong), pytest.raises(Disagreement, match="Python does not agree with Z3"):
        Prover(CASE).prove(Obligation("give", "natural"))


def test_pinned_premises_are_used_and_stale_ones_are_noticed() -> None:
    o = Obligation("give", "natural")
    assert Prover(CASE, {o: ("natural", "total")}).prove(o).premises == ("natural", "total")
    stale = Prover(CASE, {o: ()}).prove(o)
    assert (stale.result, stale.stale) == ("proved", True) or stale.premises == ()
    lost = premises.Pins("", {Obligation("give", "gone"): (), o: ("gone",)})
    assert len(list(lost.stale(CASE))) == 2


def test_a_sum_within_a_quantifier_is_not_read() -> None:
    more: Spec[Const, Bank] = Spec("more", Bank, bank)

    @more.invariant
    def odd(k: Const, s: Bank) -> bool:
        """BANK-9: Nonsense."""
        return all(sum(s.has[w] for w in k.accounts if w != v) >= 0 for v in k.accounts)

    with pytest.raises(Untranslatable, match="depends on the variable"):
        Prover(Case(more)).prove(Obligation(INITIALLY, "odd"))


def test_an_obligation_without_an_answer_is_given_up(monkeypatch: Patch) -> None:
    slow = Obligation("give", "few")

    def prove(self: Prover, obligation: Obligation) -> Verdict:
        if obligation == slow:
            time.sleep(60)
        return Verdict(obligation, "proved")

    monkeypatch.setattr(verdicts.Prover, "prove", prove)
    wanted = [Obligation("give", "total"), slow, Obligation("never", "few")]
    found = list(aside.verdicts(Prover(CASE), wanted, wall=0.5))
    assert [v.result for v in found] == ["proved", "unknown", "proved"]
    assert [v.obligation for v in found] == wanted


# The shipped specifications.


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_obligation_is_pinned(case: Case) -> None:
    pins = premises.load()[case.name]
    assert pins.text == premises.identity(case), "a check proves all of it: python -m spec prove --pin"
    assert list(pins.stale(case)) == []
    assert set(pins.premises) == set(case.obligations()) - set(case.false)


def test_there_are_many_obligations() -> None:
    assert sum(len(case.obligations()) for case in CASES) >= 850


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
