"""Runs of the peers' suites detect tests that fail, hang, pass unexpectedly, or do not use the simulated loop."""

from pathlib import Path

import pytest

from ...assurance.suites import known_failures
from ...assurance.suites.__main__ import main
from ...assurance.suites.account import FileAccount, faults, play
from ...assurance.suites.known_failures import KNOWN, NEEDS, OURS, KnownFailures
from ...assurance.suites.suites import SUITES, Suite
from ...dev.distributions import Unfetched
from ..fixtures import Captured, Patch

_TESTS = """
import asyncio, signal, time
import pytest
from impl.bridges.asyncio.loop import SimEventLoop

def test_on_ours():
    with asyncio.Runner() as runner:
        assert isinstance(runner.get_loop(), SimEventLoop)
        runner.run(asyncio.sleep(1000))

def test_without():
    pass

def test_on_another():
    asyncio.unix_events._UnixSelectorEventLoop()

@pytest.mark.parametrize("said", ["ay", "no"])
def test_fails(said):
    asyncio.new_event_loop().close()
    assert said == "ay"

def test_hangs():
    try:
        time.sleep(5)
    except BaseException:
        time.sleep(5)

@pytest.mark.skip
def test_skipped():
    pass
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> FileAccount:
    folder = tmp_path_factory.mktemp("suite")
    (folder / "test_it.py").write_text(_TESTS, encoding="utf-8")
    return play(Suite("package", ("test_it.py",)), folder, "test_it.py", "--alarm", "1")


@pytest.mark.long("a process of pytest")
def test_each_test_is_told_by_what_became_of_it(played: FileAccount) -> None:
    assert played.trouble == ""
    assert played.passed == ["test_on_ours", "test_fails[ay]"]
    assert (played.loopless, played.skipped) == (1, 1)
    assert sorted(played.failed) == ["test_fails[no]", "test_hangs", "test_on_another"]
    assert "is not simulated" in played.failed["test_on_another"]
    assert "it has not ended after 1.0 s" in played.failed["test_hangs"]


def test_both_ways_of_differing_from_the_list_are_faults(played: FileAccount, monkeypatch: Patch) -> None:
    entries = (
        KnownFailures("package: test_it.py", ("test_hangs",), NEEDS[0], "why"),
        KnownFailures("package: test_it.py", ("test_fails", "test_on_another"), OURS, "why"),
        KnownFailures("package: test_other.py", ("test_on_ours",), OURS, "why"),
        KnownFailures("package: test_it.py", ("test_on_ours",), OURS, "why", until=(3, 10)),
    )
    assert len(faults([played])) == 3
    monkeypatch.setattr(known_failures, "KNOWN", entries)
    assert faults([played]) == ["passes, and is known to fail (ours): package: test_it.py::test_fails[ay]"]
    assert (played.ran, played.fair()) == (5, 4)


@pytest.mark.long("a process of pytest")
def test_a_file_that_cannot_be_read_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text("import nothing_of_this_name\n", encoding="utf-8")
    [line] = faults([play(Suite("package", ()), tmp_path, "test_it.py")])
    assert line == "package: test_it.py: no test of it ran"


def test_every_entry_of_the_list_is_about_a_file_of_a_suite() -> None:
    packages = {suite.package for suite in SUITES}
    for entry in KNOWN:
        assert entry.file.partition(": ")[0] in packages
        assert entry.reason in (*NEEDS, OURS)
        assert entry.names
        assert entry.why


def test_what_cannot_be_fetched_is_one_line_and_exit_1(monkeypatch: Patch, capsys: Captured) -> None:
    def refuse(package: str) -> Path:
        raise Unfetched(f"no {package}")

    monkeypatch.setattr("model_tests.assurance.suites.__main__.fetched", refuse)
    assert main([]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "WRONG no aiohttp"


def test_a_word_that_no_file_has_is_one_line_and_exit_2(tmp_path: Path, monkeypatch: Patch, capsys: Captured) -> None:
    monkeypatch.setattr("model_tests.assurance.suites.__main__.fetched", lambda package: tmp_path)
    assert main(["--only", "nothing"]) == 2
    assert capsys.readouterr().err == "no file has 'nothing' in its name\n"
