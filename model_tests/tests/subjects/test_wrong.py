"""Every wrong subject states its defect; tests/mutants/test_table.py has the checks that catch it."""

from __future__ import annotations

import inspect
from pathlib import Path

from ...subjects.wrong import families, subjects_of, wrong_subjects


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
