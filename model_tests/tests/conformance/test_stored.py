"""The stored lines: they are those of impl, there are lines for all programs, and they excuse no error in impl."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest

import impl

from ...conformance.cases.sources import Case, catalogue, enumeration
from ...conformance.cases.stored import key, stored
from ...conformance.expected import programs
from ...conformance.judge import Judge, State
from ...conformance.kit import Kit
from ...conformance.loops.garbage import left_behind
from ...conformance.subjects.copied import of_impl
from ...implementations.all_mutants import BY_NAME
from ...implementations.checks.kit import Here
from ...programs.differences import WakesAtAnyEnd
from ...programs.runtimes import Ours, namespace, observe


@pytest.fixture(autouse=True, scope="module")
def _left_behind() -> Iterator[None]:
    with left_behind():
        yield


def test_the_stored_lines_are_those_of_impl(full: bool) -> None:
    """If not, read what `python -m model_tests.conformance.expected` prints; of the short form, a sample."""
    known = stored()
    keys = {key(case.program) for case in catalogue()}
    for number, case in enumerate(programs()):
        keys.add(of := key(case.program))
        assert of in known, case.name
        assert not (full or number % 100 == 0) or not case.impl_differs, case.name
    assert keys == known.keys()


def test_what_is_played_on_impl_excuses_nothing_where_impl_differs() -> None:
    """Else an error in impl would be found neither in impl nor in classes that derive from it."""
    names = namespace("Condition", WakesAtAnyEnd)
    judge = Judge(["Condition"], ["Condition"], lambda rule: True)
    for case in enumeration(lambda rule: rule == "COND-6"):
        seen = observe(case.program, Ours(names, names.new_event_loop()))
        if seen != case.expected and judge.judge(case, seen).state is State.HELD:
            break
    else:
        raise AssertionError("no program shows the choice that the documentation leaves")
    vars(case)["reference"] = seen  # as if impl had the difference
    assert judge.judge(case, seen).state is State.BROKEN


def test_a_report_says_what_is_compared_with_itself() -> None:
    case = Case("a lock", {"main": [["let", "l", ["Lock"]], ["await", ["l.acquire"]]], "bodies": {}})
    assert case.stored is None
    for of, said in ((True, True), (False, False)):
        here = Here(BY_NAME["LockWaiterKeepsWakeUp"])
        here.of_impl = of
        kit = Kit(here, (), documented=False)
        kit.play([*islice(catalogue(), 3), case])
        notes = kit.report([]).notes
        assert any("1 programs compare impl's code with itself" in note for note in notes) is said


def test_what_derives_from_impls_is_impls() -> None:
    class Mine(impl.Lock):
        pass

    class Own:
        pass

    assert all(map(of_impl, (impl.Lock, Mine, impl.gather)))
    assert not any(map(of_impl, (Own, print)))
