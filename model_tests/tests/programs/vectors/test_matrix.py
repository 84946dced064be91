"""The matrix of rules and versions: its cells for given findings, on invented versions and on this Python."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ....conformance.facts.fact import facts
from ....conformance.vectors import matrix
from ....conformance.vectors.matrix import Column, MatrixError, cell, history, played, table, unexplained
from ....dev import releases
from ....dev.pythons import ROOT, Interpreter
from ....libraries.releases import untrue
from ....programs.generate import seeded
from ....programs.releases import THIS, dotted, parsed
from ....programs.vectors.catalogue import CATALOGUE
from ....programs.vectors.known_bugs import BUGS, OF_FACTS
from ....programs.vectors.vector import FILE
from ...fixtures import Captured, Patch

LATE = frozenset(vector.name for vector in CATALOGUE if vector.since > (3, 12))


def column(version: tuple[int, ...], *differ: str, skipped: frozenset[str] = frozenset()) -> Column:
    return Column(".".join(map(str, version)), frozenset(differ), skipped)


def test_a_cell_says_what_is_wrong() -> None:
    assert cell("QUEUE-3", column((3, 13))) == "holds"
    assert cell("QUEUE-30", column((3, 12), skipped=LATE)) == "-"
    assert cell("QUEUE-3", column((3, 13), "getters are served oldest first")) == "BROKEN"
    eaten = "a notify that a cancelled waiter has eaten goes to another"
    assert cell("COND-6", column((3, 12), eaten)) == "gh-112202"
    assert cell("COND-6", column((3, 13), eaten)) == "BROKEN"
    another = "the notify passes over a waiter that was cancelled in the same turn"
    assert cell("COND-6", column((3, 12), eaten, another)) == "gh-112202"
    assert cell("COND-1", column((3, 12), eaten)) == "holds"  # a vector of another rule breaks that rule only
    both = (
        "a cancel in the turn of the result is not lost",
        "a cancel while the inner cleans up after the timeout",
    )
    assert cell("WAITFOR-4", column((3, 11), *both)) == "gh-86296 gh-96764"
    lost = "a cancel of who waits reaches the future"
    assert cell("WAITFOR-4", column((3, 11), *both, lost)) == "gh-86296 gh-96764 BROKEN"


def test_a_rule_that_no_vector_is_about_is_judged_by_those_that_name_it() -> None:
    assert cell("QUEUE-10", column((3, 13), "a bounded queue refuses what is too much")) == "holds"
    assert cell("QUEUE-10", column((3, 13), "items leave in the order in which they came")) == "BROKEN"


def test_the_table_has_a_row_for_each_rule_and_a_column_for_each_version() -> None:
    lines = list(table([column((3, 12), skipped=LATE), column((3, 13))]))
    assert lines[0].split() == ["rule", "3.12", "3.13"]
    assert {line.split()[0] for line in lines[1:]} == {rule for vector in CATALOGUE for rule in vector.rules}
    assert [line.split()[1:] for line in lines if line.startswith("GATHER-1 ")] == [["holds", "holds"]]
    assert [line.split()[1:] for line in lines if line.startswith("QUEUE-31 ")] == [["-", "holds"]]


def test_a_bug_is_told_with_its_versions_and_its_vector() -> None:
    name = "uncancel withdraws what was not thrown"
    columns = [column((3, 11), name), column((3, 12), name), column((3, 13))]
    assert list(history(columns)) == [
        "gh-116720: Task: uncancel() to zero does not withdraw what was not thrown",
        f"    CANCEL-6 on 3.11, 3.12: {name}",
    ]
    assert unexplained(columns) == []
    assert unexplained([column((3, 13), name)]) == [f"    CANCEL-6 on 3.13: {name}"]


def test_a_known_bug_names_a_vector_that_there_is() -> None:
    for bug in BUGS:
        shown = [v.name for v in CATALOGUE if v.rules[0] in bug.rules and bug.shown(v.name)]
        assert shown, bug
        assert all(any(name.startswith(begin) for name in shown) for begin in bug.shown_by), bug


@pytest.mark.long("test_vectors plays them on this Python; as a column of the matrix")
def test_this_python_is_a_column(monkeypatch: Patch, capsys: Captured) -> None:
    here = Interpreter(dotted(THIS), Path(sys.executable))
    monkeypatch.setattr(releases, "installed", lambda: (here,))
    monkeypatch.setattr(matrix, "installed", releases.installed)
    monkeypatch.setattr(releases, "VERSIONS", ("3.99", here.version))
    monkeypatch.setattr(releases, "RELEASES", {"3.99.0": "0", f"{here.version}.99": "1"})
    monkeypatch.setenv("PATH", "")
    assert matrix.main() == 0
    told = capsys.readouterr().out
    assert "\nno answer from Python 3.99\nPython 3.99.0 in WebAssembly was not run: it needs node and npm\n" in told
    assert f"{here.version}.99" not in told
    assert told.startswith(f"rule       {here.release}")
    assert "0 differences that no known bug explains" in told
    assert "asyncio==3.4.3 is not there" in told
    known = sum(bug.meets(THIS) for bug in BUGS)
    assert f"\n{known} known bugs found\n" in told


def test_a_python_that_fails_is_told(tmp_path: Path) -> None:
    with pytest.raises(MatrixError, match=r"ModuleNotFoundError: No module named 'nothing'"):
        played([sys.executable, "-c"], "3.13", FILE, "import nothing")


@pytest.mark.long("every release that is there plays the vectors")
def test_at_least_fifteen_bugs_on_the_pythons_that_are_there() -> None:
    columns, _ = matrix.columns(FILE)
    assert unexplained(columns) == []
    if {(3, 6), (3, 8), (3, 11), (3, 13)} <= {column.version[:2] for column in columns}:
        assert len(list(history(columns))) / 2 >= 15


#: Prints how many of a file of programs each asyncio plays as the reference, differs in a known way, or otherwise.
COMPARE = """
import json, sys
sys.path.insert(0, sys.argv[1])
from collections import Counter
from model_tests.programs.differences import explain
from model_tests.programs.runtimes import observe
told = {}
for asyncio in ("asyncio", "asyncio-py"):
    count = told[asyncio] = Counter()
    for program in json.load(open(sys.argv[2])):
        found = explain(program, observe(program, "impl"), observe(program, asyncio))
        count["unexplained" if found is None else "+".join(found)] += 1
print(json.dumps(told))
"""


@pytest.mark.parametrize("version", ["3.13", "3.14", "3.15"])
@pytest.mark.long("every release of a version plays the vectors, 600 programs and facts")
def test_a_release_differs_in_known_bugs_only(version: str, tmp_path: Path) -> None:
    """In its vectors, in random programs, with its tasks in C and in Python, and in the facts that it keeps."""
    there = [python.release for python in releases.installed() if python.version == version]
    if not (there := there or releases.runnable([each for each in releases.RELEASES if each.startswith(version)])):
        pytest.skip(f"Python {version} is not installed, and node does not run it")
    programs = tmp_path / "programs.json"
    programs.write_text(json.dumps([seeded(seed, timers=seed % 2 == 0) for seed in range(100000, 100600)]))
    for release in there:
        python = releases.launcher(release)
        assert unexplained([played(python, release, FILE)]) == []
        kept = {bug.issue for bug in OF_FACTS for text in bug.shown_by if untrue(release, facts()[text])}
        assert kept == {bug.issue for bug in OF_FACTS if bug.meets(parsed(release))}
        line = [*python, COMPARE, ROOT, programs]
        ran = subprocess.run(line, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
        told = json.loads(ran.stdout)
        assert told["asyncio"] == told["asyncio-py"]
        assert sum(told["asyncio"].values()) == 600
        assert "unexplained" not in told["asyncio"]
