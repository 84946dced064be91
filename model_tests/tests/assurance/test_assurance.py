"""The table of assurance: it is fresh, no row is empty, and evidence that a rule loses is missing from its row."""

from dataclasses import replace

import pytest

from spec.kit.assurance import Row, load, text
from spec.kit.bounded import Fails
from spec.registry import REGISTRY

from ...assurance import table as assurance
from ..fixtures import Patch
from ..refinement import test_traces_tasks


@pytest.fixture(scope="module")
def rows() -> dict[str, Row]:
    return assurance.gather()


def test_the_file_is_fresh_and_no_row_is_empty(rows: dict[str, Row]) -> None:
    assert load() == rows, "run python -m model_tests.assurance.table"
    assert list(assurance.problems(rows)) == []


def test_a_rule_that_nothing_would_notice_is_a_problem(rows: dict[str, Row]) -> None:
    unproved = replace(rows["QUEUE-4"], proved=rows["QUEUE-4"].proved - 1)
    changed = rows | {"NEW-1": Row(), "QUEUE-4": unproved}
    assert list(assurance.problems(changed)) == [
        f"QUEUE-4: 1 of {unproved.obligations} obligations are not proved",
        "NEW-1: nothing would notice if it were broken",
    ]


def test_a_wrong_text_that_is_gone_is_missing_from_the_row(rows: dict[str, Row], monkeypatch: Patch) -> None:
    gone = next(
        instance for instance in REGISTRY if isinstance(instance, Fails) and instance.broken == "no_lost_getter"
    )
    rule = gone.spec.properties[gone.broken].rule
    monkeypatch.setattr(assurance, "REGISTRY", [each for each in REGISTRY if each is not gone])
    assert assurance.gather()[rule].wrong == rows[rule].wrong - 1


def test_the_words_of_a_row() -> None:
    row = Row(3, 4, 1, 2000, 5, 3, 1, 2, 1, 0, 75, 1500, 5, 2, ("3.8 to before 3.12 (gh-1)",))
    assert "; ".join(row.parts()) == (
        "proved 3 of 4; explored in 1 instance of 2,000 states, 5 edges; 3 wrong texts, 1 refuted by no other rule;"
        " 2 vectors; 1 program; 75 examples of a machine and 1,500 recorded runs, on 5 runtimes;"
        " named in 2 files of tests; broken by CPython 3.8 to before 3.12 (gh-1)"
    )
    assert list(Row(facts=1, machine=1, runtimes=1).parts()) == [
        "1 fact",
        "1 example of a machine, on 1 runtime",
    ]


def test_names_in_tests_fill_no_row() -> None:
    assert Row(wrong=1, only=1, tests=3, broken=("3.8",)).empty
    shown = (
        Row(proved=1),
        Row(states=1),
        Row(vectors=1),
        Row(programs=1),
        Row(facts=1),
        Row(machine=1),
        Row(traces=1),
    )
    assert not any(row.empty for row in shown)


def test_the_runs_of_a_test_are_in_the_rows_of_its_specification(rows: dict[str, Row], monkeypatch: Patch) -> None:
    monkeypatch.setattr(test_traces_tasks, "HELD", [])
    changed = assurance.gather()
    assert changed["TASK-3"].traces == 0 < rows["TASK-3"].traces
    assert changed["TASK-3"].machine == rows["TASK-3"].machine > 0
    assert (rows["TASK-22"].machine, rows["TASK-22"].traces) == (0, 0)


def test_what_is_nought_is_not_stored() -> None:
    assert text({"A-1": Row(), "A-2": Row(wrong=1)}) == '{\n"A-1": {},\n"A-2": {"wrong": 1}\n}\n'
