"""The cases of the kit: the stored lines of all programs are those of impl and excuse no error in it; the enumeration.

tests/implementations says which mutants the small-scope enumeration catches.
"""

from collections.abc import Iterator
from functools import cache
from itertools import islice

import pytest

import impl

from ...conformance import expectations
from ...conformance.cases.expected_lines import key, stored
from ...conformance.cases.scenarios import SCENARIOS
from ...conformance.cases.sources import Case, catalogue, enumeration
from ...conformance.judge import Judge, State
from ...conformance.kit import Kit
from ...conformance.loops.garbage import left_behind
from ...conformance.subjects.origin import of_impl
from ...implementations.all_mutants import BY_NAME
from ...implementations.checks.kit import Here
from ...programs.differences import WakesAtAnyEnd
from ...programs.enumeration import interleavings, programs
from ...programs.runtimes import Ours, namespace, observe
from ...programs.vectors.catalogue.handovers import SELECTED, SELECTED_OF_CONDITION


@pytest.fixture(autouse=True, scope="module")
def _left_behind() -> Iterator[None]:
    with left_behind():
        yield


def test_the_stored_lines_are_those_of_impl(full: bool) -> None:
    """If not, read what `python -m model_tests.conformance.expectations` prints; of the short form, a sample."""
    known = stored()
    keys = {key(case.program) for case in catalogue()}
    for number, case in enumerate(expectations.programs()):
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


# --- the small-scope enumeration: interleavings and programs -------------------------------------------------


@cache
def cases() -> dict[str, Case]:
    return {case.name: case for case in enumeration()}


def test_interleavings_are_all_moves_in_all_orders() -> None:
    found = interleavings("h12t", 2, 3)
    assert found[:5] == ["", "h", "1", "2", "hh"]
    assert {"h1", "1h", "th1", "t1h", "tth", "t2h"} < set(found)
    assert [string for string in found if string.endswith("t")] == []
    assert [string for string in found if string.count("1") > 1] == []


@pytest.mark.long("it makes them all")
def test_the_number_of_programs() -> None:
    """Pinned, so that a program that is lost fails a test."""
    assert len(cases()) == 18_071
    assert len(set(interleavings("h12t", 2, 4))) == len(interleavings("h12t", 2, 4)) == 43


def test_waiters_wait_before_main_hands_over() -> None:
    scenario = next(scenario for scenario in SCENARIOS if scenario.name == "Queue.get")
    made = dict(programs(scenario))["2 th1"]
    assert made["main"][:4] == [
        ["let", "q", ["Queue"]],
        ["let", "a", ["create_task", ["body", "waits_a"]]],
        ["let", "b", ["create_task", ["body", "waits_b"]]],
        ["turn"],
    ]
    assert made["main"][4:6] == [["do", ["q.put_nowait", 2]], ["do", ["a.cancel"]]]


def test_only_the_name_of_a_task_is_filled_in() -> None:
    made = [case.program for case in enumeration(lambda rule: rule == "WAIT-2")]
    assert all("'FIRST_EXCEPTION'" in str(program["bodies"]) for program in made)


def test_what_the_catalogue_selects_are_interleavings() -> None:
    for selected in (*SELECTED, *SELECTED_OF_CONDITION):
        waiters, moves = selected.split()
        cancels = "123"[: int(waiters)]
        assert moves in interleavings("h" + cancels + "t", 5, 5)


def test_asyncio_keeps_the_rules_but_for_its_known_bugs(full: bool) -> None:
    judge = Judge((), (), lambda rule: True)
    for case in islice(enumeration(), 0, None, 1 if full else 100):
        for runtime in ("asyncio", "asyncio-py"):
            verdict = judge.judge(case, observe(case.program, runtime))
            assert verdict.state is not State.BROKEN, (case.name, verdict)


def test_no_task_waits_after_a_shutdown() -> None:
    """QUEUE-31, QUEUE-32; of impl, without another implementation to compare it with."""
    seen = 0
    for case in enumeration(lambda rule: rule in ("QUEUE-31", "QUEUE-32")):
        if "q.shutdown" in str(case.program["main"]):
            seen += 1
            assert [line for line in case.reference if line[1] == "end" and line[3] == "pending"] == []
    assert seen == 666
