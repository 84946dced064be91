"""Every wrong subject is wrong: a fact, a vector or a witness tells it from asyncio's own."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from pathlib import Path

from ...subjects.proof import TABLE
from ...subjects.wrong import families, subjects_of, wrong_subjects


def test_each_is_told_from_asyncios_own() -> None:
    """In a process of its own, which forks for each subject."""
    command = [sys.executable, "-m", "model_tests.subjects.proof"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, f"{len(wrong_subjects())} wrong subjects\n")


def test_a_right_subject_is_not_told_from_it() -> None:
    """By a row of a wrong task."""
    row = json.loads(TABLE.read_text(encoding="utf-8"))["cancels.UncancelsAll"]
    code = "import sys; from model_tests.subjects.proof import *; print(differs(sys.argv[1], facts()[sys.argv[2]]))"
    for subject, told in (
        ("right/pure_asyncio.py:Task", "False\n"),
        ("wrong/cancels.py:UncancelsAll", "True\n"),
    ):
        command = [sys.executable, "-c", code, str(TABLE.parent / subject), row]
        assert subprocess.run(command, capture_output=True, text=True, check=False).stdout == told


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
