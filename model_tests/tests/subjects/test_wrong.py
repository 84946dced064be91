"""Every wrong subject is wrong: its witness tells it from asyncio's own."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from ...subjects.proof import faults_of
from ...subjects.witness import Witness
from ...subjects.witnesses import witnesses
from ...subjects.wrong import families, subjects_of, wrong_subjects

#: What a wrong subject leaves behind: coroutines and tasks that never end.
pytestmark = [
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore:coroutine .* was never awaited:RuntimeWarning"),
]


def name(witness: Witness) -> str:
    return f"{witness.subject.__module__.rpartition('.')[2]}.{witness.subject.__qualname__}"


@pytest.mark.parametrize("witness", witnesses(), ids=name)
def test_the_witness_tells_it_from_asyncios(witness: Witness) -> None:
    assert list(faults_of(witness)) == []


def test_every_subject_has_a_witness() -> None:
    proved = {id(witness.subject) for witness in witnesses()}
    assert [
        f"{family}.{name}"
        for family in families()
        for name, subject in subjects_of(family)
        if id(subject) not in proved
    ] == []


def test_every_subject_says_in_its_first_line_what_is_wrong_and_what_it_breaks() -> None:
    for family in families():
        for name, subject in subjects_of(family):
            first, _, rest = (inspect.getdoc(subject) or "").partition("\n")
            assert first.endswith("."), f"{family}.{name}"
            assert rest.lstrip().startswith("Breaks "), f"{family}.{name}"


def test_the_list_names_a_file_and_a_name_in_it() -> None:
    listed = wrong_subjects()
    assert len(listed) == len(set(listed)) >= 66
    for path, name in listed:
        assert f" {name}(" in Path(path).read_text(encoding="utf-8")
