"""How findings are confirmed: on which Pythons, and the error for one with fields that do not fit together."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from ...libraries import confirmation, findings, found
from ...libraries.finding import FINDINGS, LibraryFinding, read
from ..fixtures import Patch
from ..process import python

PLAIN = """
import asyncio
import os.path as path
from {module} import request

def main(wrong):
    from email.message import Message
    return "it fails" if wrong else "it works"

print("the control:", main(False))
print("the bug:", main(True))
"""
FRONT = f"""---
library: pytest
versions: {pytest.__version__}, 0.1
since: "3.11"
bug: "a bug: it
  fails"
rule: FUT-1
control: it works
shows: it fails
---

# A bug
"""
FINDING = read(FRONT, "a_bug")


@pytest.fixture
def file(tmp_path: Path, monkeypatch: Patch) -> Path:
    """The Markdown file of the finding, which is looked for in an empty folder, and only this Python is there."""
    monkeypatch.setattr(sys.modules[LibraryFinding.__module__], "FOLDER", tmp_path)
    monkeypatch.setattr(confirmation, "pythons", list)
    FINDING.folder.mkdir()
    FINDING.file.write_text(text("urllib"), encoding="utf-8")
    return FINDING.file


def text(module: str) -> str:
    """The Markdown of the finding, with a script that imports a module."""
    return f"{FRONT}\n```python\nexample()\n```\n\n```python\n{PLAIN.format(module=module)}```\n"


def test_the_front_matter_of_a_file_is_the_finding() -> None:
    assert (
        LibraryFinding(
            "a_bug",
            "pytest",
            (pytest.__version__, "0.1"),
            "a bug: it fails",
            "it works",
            "it fails",
            rule="FUT-1",
        )
        == FINDING
    )
    with pytest.raises(TypeError, match="no_such_field"):
        read(FRONT.replace("rule:", "no_such_field:"), "a_bug")


def test_the_modules_that_a_script_imports() -> None:
    assert confirmation.imported(PLAIN.format(module="urllib.request")) == ["asyncio", "email", "os", "urllib"]


def test_the_script_of_a_finding_is_the_last_block_of_its_file(file: Path) -> None:
    assert FINDING.script == PLAIN.format(module="urllib")
    file.write_text(f"{text('urllib')}\n## More\n", encoding="utf-8")
    with pytest.raises(AssertionError, match="does not end with a script"):
        _ = FINDING.script


def test_a_python_counts_if_all_is_there_that_the_script_imports(file: Path) -> None:
    own = "{}.{}".format(*sys.version_info)
    assert confirmation.confirmed(FINDING) == {own: True}
    assert confirmation.confirmed(replace(FINDING, versions=("0.2",))) == {}
    file.write_text(text("no_such_module"), encoding="utf-8")
    assert confirmation.confirmed(FINDING) == {}


@pytest.mark.parametrize(("old", "new"), [("True", "False"), ("True", "1 / 0"), ("False", "True")])
def test_a_script_that_prints_other_outcomes_confirms_nothing(file: Path, old: str, new: str) -> None:
    file.write_text(text("urllib").replace(f"main({old})", f"main({new})"), encoding="utf-8")
    assert list(confirmation.confirmed(FINDING).values()) == [False]


def test_a_failure_that_names_no_difference_is_refused(monkeypatch: Patch) -> None:
    finding = replace(FINDING, failure="AssertionError")
    monkeypatch.setattr(findings, "FINDINGS", (finding,))
    done = findings.result("a_bug")
    assert not done.ok
    assert "failure= must name a difference of FUT-1" in done.line
    assert not [each.name for each in FINDINGS if found.mistaken(each)]


def test_a_worker_says_nothing_of_what_a_search_leaves_behind() -> None:
    code = (
        "import asyncio, logging\n"
        "from model_tests.libraries.searches import quiet\n"
        "quiet()\n"
        "async def wait(): await asyncio.Event().wait()\n"
        "loop = asyncio.new_event_loop()\n"
        "task = loop.create_task(wait())\n"
        "loop.run_until_complete(asyncio.sleep(0, loop.close))\n"
        "never = wait()\n"
        "logging.getLogger('library').error('broken')\n"
    )
    ran = python("-c", code, check=True)
    assert (ran.stdout, ran.stderr) == ("", "")
