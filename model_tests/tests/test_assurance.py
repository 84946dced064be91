"""The table of assurance: it is fresh, no row is empty, and what a rule loses is missing from its row."""

from __future__ import annotations

from dataclasses import replace

import pytest

from spec.kit.assurance import Row, load, text
from spec.kit.bounded import Fails
from spec.registry import REGISTRY

from .. import assurance


@pytest.fixture(scope="module")
def rows() -> dict[str, Row]:
    return assurance.gather()


def test_the_file_is_fresh_and_no_row_is_empty(rows: dict[str, Row]) -> None:
    assert load() == rows, "run python -m model_tests.assurance"
    assert list(assurance.problems(rows)) == []


def test_a_rule_that_nothing_would_notice_is_a_problem(rows: dict[str, Row]) -> None:
    unproved = replace(rows["QUEUE-4"], proved=rows["QUEUE-4"].proved - 1)
    changed = rows | {"NEW-1": Row(), "QUEUE-4": unproved}
    assert list(assurance.problems(changed)) == [
        f"QUEUE-4: 1 of {unproved.obligations} obligations are not proved",
        "NEW-1: nothing would notice if it were broken",
    ]


def test_a_wrong_text_that_is_gone_is_missing_from_the_row(
    rows: dict[str, Row], monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = next(
        instance
        for instance in REGISTRY
        if isinstance(instance, Fails) and instance.broken == "no_lost_getter"
    )
    rule = gone.spec.properties[gone.broken].rule
    monkeypatch.setattr(assurance, "REGISTRY", [each for each in REGISTRY if each is not gone])
    assert assurance.gather()[rule].wrong == rows[rule].wrong - 1


def test_the_words_of_a_row() -> None:
    row = Row(3, 4, 1, 2000, 5, 3, 1, 2, 1, 2, ("3.8 to before 3.12 (gh-1)",))
    assert "; ".join(row.parts()) == (
        "proved 3 of 4; explored in 1 instance of 2,000 states, 5 edges; 3 wrong texts, 1 refuted by no other rule;"
        " 2 vectors; 1 program; named in 2 files of tests; broken by CPython 3.8 to before 3.12 (gh-1)"
    )


def test_what_is_nought_is_not_stored() -> None:
    assert text({"A-1": Row(), "A-2": Row(wrong=1)}) == '{\n"A-1": {},\n"A-2": {"wrong": 1}\n}\n'
