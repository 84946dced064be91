"""The suites of libraries: the page shows what is stored, each failure was looked into, and a suite's race is found."""

import re
import sys
from pathlib import Path

import pytest

from ...dev.pythons import ROOT, Interpreter
from ...explored.options import OWN_ORDER
from ...libraries.suites import __main__ as suites
from ...libraries.suites import page, run
from ...libraries.suites.record import OVERDUE, TestResult, read
from ...libraries.suites.run import explored, result
from ...libraries.suites.table import SUITES, ExploredSuite

#: The line that begins with faulthandler ends its test as the limit would: in full, the limit does.
TESTS = """\
import asyncio, faulthandler, sys, time
import pytest

async def test_passes():
    await asyncio.sleep(1)

async def test_race():
    done = []
    async def one(): done.append(1)
    async def two(): done.append(2)
    await asyncio.gather(one(), two())
    assert done == [1, 2]

async def test_process():
    await asyncio.create_subprocess_exec("true")

async def test_clock():
    begun = time.monotonic()
    sum(range(10**6))
    assert time.monotonic() > begun

async def test_fails():
    assert False

def test_slow(pytestconfig):
    if pytestconfig.getoption("--explore"):
        faulthandler.dump_traceback_later(0.01, exit=True, file=sys.__stderr__)
        time.sleep(99)

def test_plain():
    pass
"""


def test_the_page_shows_what_is_stored() -> None:
    stored = page.read()
    assert list(stored) == [suite.name for suite in SUITES if suite.name in stored]
    assert page.PAGE.read_text(encoding="utf-8") == page.page(list(stored.values()))


@pytest.mark.parametrize("suite", SUITES, ids=lambda suite: suite.name)
def test_each_failure_was_looked_into(suite: ExploredSuite) -> None:
    if (found := page.read().get(suite.name)) is None:
        pytest.skip("it is not run yet")
    assert page.unjudged(found, suite) == []
    assert not [part for part in suite.judged if not any(part in test for test in found.failing)]


def test_a_failure_without_a_judgement_is_seen() -> None:
    plain = {"test_a": TestResult("test_a", "passed"), "test_b": TestResult("test_b", "failed")}
    found = {name: TestResult(name, "failed", f"E at {ROOT / 'x.py'}", OWN_ORDER) for name in plain}
    of_a = result("x", "1", "3.13.0", 5, plain, found, (1.2, 3.4))
    assert (of_a.tests, of_a.explored, of_a.failing) == (1, {OWN_ORDER: 1}, {"test_a": [OWN_ORDER, "E at x.py"]})
    assert page.unjudged(of_a, ExploredSuite("x")) == ["test_a"]
    assert page.unjudged(of_a, ExploredSuite("x", judged={"test_a": "the suite's matter"})) == []


def test_the_tests_of_a_suite_have_their_verdicts(full: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tests").mkdir()
    text = re.sub("^ +faulthandler.*\n", "", TESTS, flags=re.M) if full else TESTS
    (tmp_path / "tests" / "test_it.py").write_text(text, encoding="utf-8")
    monkeypatch.setattr(run, "make_environment", lambda *given: None)
    monkeypatch.setattr(run, "python_in", lambda folder: Path(sys.executable))
    monkeypatch.setattr(run, "version_in", lambda path, name: "1.0")
    monkeypatch.setattr(run, "fetched", lambda *given: tmp_path)
    monkeypatch.setattr(run, "LIMITS_S", (60.0, 10.0 if full else 60.0))
    found = explored(ExploredSuite("x"), Interpreter("3.13.0", Path(sys.executable)), 8)
    assert found.tests == 6
    assert found.explored == {"passes": 1, "order only": 1, "not explored": 1, OWN_ORDER: 1, OVERDUE: 1}
    verdicts = {test.partition("::")[2]: verdict for test, (verdict, _) in found.failing.items()}
    assert verdicts == {"test_race": "order only", "test_clock": OWN_ORDER, "test_slow": OVERDUE}
    assert [reason.partition(" ")[0:1] for reason in found.reasons] == [("a",)]


def test_a_record_that_ends_early_is_read(tmp_path: Path) -> None:
    assert read(tmp_path / "none") == {}


def test_an_unknown_name_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert suites.main(["nosuch"]) == 2
    assert capsys.readouterr().err.startswith("suites: there is no nosuch; the libraries are: aiojobs, ")
