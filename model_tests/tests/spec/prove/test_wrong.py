"""Mutants of the specifications lose the obligation that they are named for, on a state that Python checks."""

import pytest

pytest.importorskip("z3", reason="the proofs need the extra `prove`")

from spec.cases import wrong
from spec.commands import prove
from spec.commands.wrong import title
from spec.kit.bounded import Fails
from spec.kit.frame import DECLARED
from spec.kit.prove import premises
from spec.kit.prove.case import Case
from spec.kit.prove.few import few_questions, obeyed
from spec.kit.prove.wrong import case_of, obligations, refuted

#: Mutants, each with the case of the right specification.
Mutants = list[tuple[Fails, Case]]


@pytest.fixture(scope="module")
def mutants() -> Mutants:
    return wrong()


@pytest.mark.long("`python -m spec prove --wrong` reads them all")
def test_every_mutant_of_safety_is_within_the_subset(mutants: Mutants, full: bool) -> None:
    assert len(mutants) >= 75
    for fails, like in mutants if full else mutants[::6]:
        wanted = obligations(fails, fails.broken)
        assert wanted, title(fails)
        for obligation in wanted:
            assert few_questions(case_of(fails, like), obligation, 1), title(fails)


def test_each_is_refuted(mutants: Mutants, full: bool) -> None:
    names = [title(fails) for fails, _ in mutants]
    chosen = names if full else premises.sample(names, seed=1, one_in=120)
    assert chosen
    for fails, like in mutants:
        if title(fails) in chosen:
            goal = fails.broken
            found = refuted(fails, like, goal)
            assert found is not None, title(fails)
            assert found.found.event is not None
            if goal in DECLARED:
                assert not obeyed(found.case, found.obligation, found.found, found.found.event)
                continue
            properties = fails.spec.invariants | fails.spec.steps
            states = [found.found.t] if goal in fails.spec.invariants else [found.found.s, found.found.t]
            more = found.found.event.args if properties[goal].of else ()
            assert not properties[goal].fn(found.found.k, *states, *more)


def test_right_actions_are_not_refuted(mutants: Mutants) -> None:
    """A mutant that keeps the property is seen as such."""
    fails, like = next(each for each in mutants if title(each[0]) == "events: a wait does not check")
    assert refuted(fails, like, "leaves_only_when_woken") is None


def test_a_line_for_each_mutant(mutants: Mutants, capsys: pytest.CaptureFixture[str]) -> None:
    assert prove.main(["events", "--wrong"]) == 0
    *lines, last = capsys.readouterr().out.splitlines()
    many = len([fails for fails, _ in mutants if fails.spec.name == "events"])
    assert len(lines) == many
    assert lines[0].startswith("events: a wait does not check")
    assert lines[0].endswith("refuted: none_beside (EVENT-9) after wait_anyway")
    assert last.startswith(f"{many} mutants: {many} refuted, 0 not; ")
    assert prove.main(["events", "--wrong", "--pin"]) == 2
