"""How findings are confirmed: on which Pythons, and the error for one with fields that do not fit together."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from ...libraries import confirmed, findings, found
from ...libraries.finding import FINDINGS, LibraryFinding, read
from ..fixtures import Patch
from ..process import python

PLAIN = """
import asyncio
import os.path as path
from {module} import request

def outcome(wrong):
    from email.message import Message
    return "it fails" if wrong else "it works"
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


def plain(folder: Path, module: str) -> Path:
    (folder / "pytest").mkdir()
    script = folder / "pytest" / "plain.py"
    script.write_text(PLAIN.format(module=module))
    return script


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


def test_the_modules_that_a_script_imports(tmp_path: Path) -> None:
    assert confirmed.imported(plain(tmp_path, "urllib.request")) == ["asyncio", "email", "os", "urllib"]


def test_a_plain_script_imports_nothing_of_this_project() -> None:
    for finding in FINDINGS:
        names = confirmed.imported(finding.script)
        assert not {"impl", "spec", "model_tests"} & set(names), finding.name


def test_a_python_counts_if_all_is_there_that_the_script_imports(tmp_path: Path, monkeypatch: Patch) -> None:
    own = "{}.{}".format(*sys.version_info)
    monkeypatch.setattr(sys.modules[LibraryFinding.__module__], "FOLDER", tmp_path)
    monkeypatch.setattr(confirmed, "pythons", list)
    script = plain(tmp_path, "urllib")
    assert confirmed.confirmed(FINDING) == {own: True}
    assert confirmed.confirmed(replace(FINDING, versions=("0.2",))) == {}
    script.write_text(PLAIN.format(module="no_such_module"))
    assert confirmed.confirmed(FINDING) == {}


def test_a_shared_script_is_called_with_the_case(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr(sys.modules[LibraryFinding.__module__], "FOLDER", tmp_path)
    monkeypatch.setattr(confirmed, "pythons", list)
    script = plain(tmp_path, "urllib")
    script.write_text(script.read_text().replace("outcome(wrong)", "outcome(case, wrong)"))
    script.write_text(script.read_text().replace("if wrong", "if wrong and case == 'bug'"))
    assert list(confirmed.confirmed(replace(FINDING, case="bug")).values()) == [True]
    assert list(confirmed.confirmed(replace(FINDING, case="case")).values()) == [False]


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
