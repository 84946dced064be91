"""The translation into logic against Python, and errors planted into it, which the comparison must see."""

import pytest

pytest.importorskip("z3", reason="the proofs need the extra `prove`")

from spec.cases import CASES
from spec.kit.prove.agreement import Tally, compare
from spec.kit.prove.laws import Laws

from .planted import ERRORS, planted
from .subjects import LAWFUL, NAMES, models, subject

#: Pairs of constants and state to compare on: of these, at least 1,000 comparisons follow in the long form.
SAMPLES = {
    "queue": 42,
    "queue, least": 42,
    "crawl": 52,
    "stream": 48,
    "callbacks": 60,
    "future": 95,
    "task": 42,
    "task_hops": 220,
    "creation": 60,
    "scopes": 60,
    "locks": 45,
    "events": 95,
    "constructs": 100,
}
#: Of a model with more states than these, the short form asks for the laws at about so many.
STATES = 1_000
#: The errors that the short form plants.
QUICK = ("all as any", "if-else swapped", "not forgotten")


@pytest.mark.short(
    *("constructs", "events", "future", "task_hops", "creation"),
    why="a second each; `loopspec prove` compares each before its proofs",
)
@pytest.mark.parametrize("name", NAMES)
def test_python_and_z3_agree(name: str, full: bool) -> None:
    found = compare(subject(name), SAMPLES[name] if full else 1, seed=1)
    assert (found.mismatches, found.undecided) == ([], [])
    if full:
        assert found.comparisons >= 1_000
        assert found.made["action: True"] >= 80
        false = found.made["property: False"]
        assert false >= 0.08 * found.made["property"], "too few of the states are wrong"


@pytest.mark.parametrize("name", ERRORS)
def test_an_error_of_the_translator_is_seen(name: str, full: bool) -> None:
    if not full and name not in QUICK:
        pytest.skip("in the long form only")
    error = ERRORS[name]
    found = Tally()
    with planted(error):
        for seed in range(1, error.samples + 1):
            compare(subject(error.seen), 1, seed, found)
            if found.mismatches:
                return
    pytest.fail(f"not seen in {found.comparisons} comparisons")


def test_every_law_is_asked() -> None:
    assert {name.partition(",")[0] for name in LAWFUL} == {case.spec.name for case in CASES if case.spec.laws}


@pytest.mark.parametrize("name", LAWFUL)
def test_a_law_is_true_of_its_helper(name: str, full: bool) -> None:
    of = subject(name)
    laws = Laws(of.case.spec)
    laws.see(of.model, of.states if full else of.states[:: 1 + len(of.states) // STATES])
    for model in models(name)[1:]:
        laws.see(model, [])
    assert laws.unasked == []
