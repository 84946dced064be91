"""The table of the systems that the project started from is complete: each has a file and a test that exist."""

from __future__ import annotations

import re

import pytest

from ...dev.pythons import ROOT

WALK = (ROOT / "impl" / "ladder" / "README.md").read_text(encoding="utf-8")
TABLE = WALK.partition("\n## The systems that the project started from\n")[2]
ROWS = re.findall(r"^\| (\d+) \| (.+?) \| (.+?) \| (.+?) \|$", TABLE, re.MULTILINE)


def test_the_table_has_a_row_for_each_system() -> None:
    assert [int(number) for number, _, _, _ in ROWS] == list(range(1, 29))
    assert "not yet" not in TABLE


@pytest.mark.parametrize(("files", "test"), [row[2:] for row in ROWS], ids=[row[1] for row in ROWS])
def test_each_system_has_its_file_and_its_test(files: str, test: str) -> None:
    for file in files.split(", "):
        assert (ROOT / "impl" / "ladder" / file.strip("`")).is_file(), file
    module, _, function = test.strip("`").partition("::")
    text = (ROOT / "model_tests" / "tests" / module).read_text(encoding="utf-8")
    assert f"def {function}(" in text if function else "def test_" in text


def test_the_readme_links_to_it() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "(impl/ladder/README.md#the-systems-that-the-project-started-from)" in readme
