"""CPython's own tests on the bridge, and whether the runner detects failures, hangs and asyncio's own functions."""

import sys
import time
import unittest
from pathlib import Path

import pytest

from ...assurance.suites import cpython as cpython_suite
from ...assurance.suites.cpython import (
    FILES,
    OURS,
    Alarmed,
    SuiteReport,
    defining,
    faults,
    files_of,
    main,
    run_file,
    run_python,
)
from ...assurance.suites.known_failures import INTERNAL, KnownFailures, internals
from ...dev.pythons import SUPPORTED, Interpreter, pythons
from ..fixtures import Captured, Patch

#: The fast files; the others are for `--full`.
QUICK = ("futures", "futures2", "queues", "locks", "timeouts", "graph")
#: The number of tests, in the versions that they were counted on.
COUNTS = {
    release: dict(zip(FILES, counts, strict=False))
    for release, counts in {
        (3, 11, 7): (53, 2, 683, 44, 70, 32, 35, 15, 26),
        (3, 12, 1): (53, 4, 707, 44, 70, 32, 35, 19, 27, 39),
        (3, 13, 0): (55, 4, 731, 59, 75, 34, 39, 19, 29, 40, 5),
        (3, 14, 10): (63, 4, 829, 59, 75, 34, 96, 19, 30, 48, 7, 14),
        (3, 15, 2): (64, 4, 847, 59, 75, 34, 130, 19, 30, 48, 7, 14),
    }.items()
}
HERE = Path(sys.executable)


def need_tests() -> None:
    pytest.importorskip("test.test_asyncio", reason="this Python was installed without its tests")


def test_the_quick_files_pass_on_this_python() -> None:
    need_tests()
    here = ".".join(map(str, sys.version_info[:2]))
    files = files_of(here, QUICK)
    reports = [run_file(HERE, file) for file in files]
    assert faults(reports) == []
    counted = COUNTS.get(sys.version_info[:3])
    if counted is not None:
        assert {report.file: report.ran for report in reports} == {file: counted[file] for file in files}
    assert all(report.passed == report.ran - len(report.internal) > 0 for report in reports)
    for modules in reports[0].definers.values():
        assert [module for module in modules if not module.startswith("impl.")] == []


@pytest.mark.parametrize("version", SUPPORTED)
@pytest.mark.long("all files of the suite")
def test_the_whole_suite_passes(version: str, capsys: Captured) -> None:
    found = [python for python in pythons() if python.version == version]
    if not found:
        pytest.skip(f"Python {version} is not there")
    well = run_python(found[0], FILES, cpython_suite.SUBJECT, cpython_suite.LIMIT_S)
    if well is None:
        pytest.skip(f"Python {version} was installed without its tests")
    assert well, capsys.readouterr().out


def test_what_fails_and_what_is_asyncios_own_is_seen(tmp_path: Path, monkeypatch: Patch) -> None:
    need_tests()
    (tmp_path / "a_wrong_subject.py").write_text(
        "from impl.bridges.on_asyncio.names import *\n"
        "from impl.bridges.on_asyncio.names import Queue as LifoQueue\n"
        "from asyncio import gather, shield as _hidden\n"
        "del wait_for\n",
        encoding="utf-8",
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    report = run_file(HERE, "queues", "a_wrong_subject")
    assert list(report.failed) == ["test_queues.LifoQueueTests.test_order"]
    assert report.failed["test_queues.LifoQueueTests.test_order"].startswith("AssertionError: Lists differ")
    assert report.passed == report.ran - 1
    assert faults([report])[1:] == [
        "wait_for is missing",
        "gather is asyncio's own: asyncio.tasks defines it",
    ]


def test_a_hang_is_a_failure_of_one_test() -> None:
    class Hangs(unittest.TestCase):
        def test_a(self) -> None:
            try:
                time.sleep(5)
            except BaseException:
                time.sleep(5)  # the alarm fires again

        def test_b(self) -> None:
            pass

    result = Alarmed()
    result.limit_s = 0.05
    unittest.defaultTestLoader.loadTestsFromTestCase(Hangs).run(result)
    assert result.testsRun == 2
    [(test, story)] = result.errors
    assert test.id().endswith("test_a")
    assert "it has not ended after 0.05 s" in story


@pytest.mark.parametrize(
    ("code", "trouble"),
    [
        (
            "while True:\n            try:\n                time.sleep(60)\n            except BaseException: pass\n",
            "given up: test_queues.",
        ),
        pytest.param(
            "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])\n        time.sleep(60)\n",
            "killed after",
            marks=pytest.mark.long("six seconds"),
        ),
    ],
    ids=["swallows", "blocked"],
)
def test_a_hang_that_no_alarm_ends_ends_the_file(tmp_path: Path, monkeypatch: Patch, code: str, trouble: str) -> None:
    """A task that swallows each alarm; a loop that does not close; a wait in C that no signal handler interrupts."""
    need_tests()
    head = "from impl.bridges.on_asyncio.names import *\nimport asyncio, signal, time\nclass Queue(Queue):\n"
    (tmp_path / "hanging.py").write_text(f"{head}    def put_nowait(self, item):\n        {code}", encoding="utf-8")
    # A process needs seconds to begin on a loaded machine.
    monkeypatch.setattr(cpython_suite, "FILE_LIMITS", 60 if trouble == "killed after" else 1200)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    report = run_file(HERE, "queues", "hanging", 0.1)
    assert report.trouble.startswith(trouble)
    assert faults([report])[0].startswith("queues: ")


def test_a_list_of_internals_is_checked_both_ways() -> None:
    one = KnownFailures("test_graph.One", ("test_a", "test_b"), INTERNAL, "compares names", (3, 14), (3, 15))
    assert dict(internals((3, 14, 10), (one,))) == {
        "test_graph.One.test_a": "compares names",
        "test_graph.One.test_b": "compares names",
    }
    assert list(internals((3, 13, 18), (one,))) == list(internals((3, 15, 0), (one,))) == []
    report = SuiteReport("graph", ran=3, failed={"test_graph.One.test_a": "no", "test_graph.One.test_c": "no"})
    report.excuse(internals((3, 14, 10), (one,)))
    report.excuse([("test_tasks.One.test_a", "another file")])
    assert (report.internal, report.passed) == ({"test_graph.One.test_a": "compares names"}, 1)
    assert faults([report]) == [
        "test_graph.One.test_c: no",
        "test_graph.One.test_b is listed as internal, and does not fail",
    ]
    for release in COUNTS:
        assert len(list(internals(release))) <= 25


def test_a_python_without_tests_is_named(monkeypatch: Patch, capsys: Captured) -> None:
    def without(python: Path, file: str, *rest: object) -> SuiteReport:
        return SuiteReport(file, trouble="No module named 'test'", no_tests=True)

    monkeypatch.setattr(cpython_suite, "run_file", without)
    monkeypatch.setattr(cpython_suite, "pythons", lambda: [Interpreter("3.12", Path("there"))])
    assert main([]) == 1
    assert "not run: this Python was installed without its tests (No module named 'test')" in capsys.readouterr().out


def test_a_process_that_dies_is_seen(tmp_path: Path, monkeypatch: Patch) -> None:
    (tmp_path / "a_broken_subject.py").write_text("raise SystemExit('no')\n", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    report = run_file(HERE, "queues", "a_broken_subject")
    if report.no_tests:
        pytest.skip("this Python was installed without its tests")
    assert faults([report]) == ["queues: the process ended early: no"]


def test_a_class_is_defined_by_all_that_it_derives_from() -> None:
    from asyncio import Queue

    class Mine(Queue[int]):
        pass

    assert defining(Mine)[:2] == [__name__, "asyncio.queues"]
    assert set(OURS) <= set(run_names())


def run_names() -> list[str]:
    from impl.bridges.on_asyncio import names as asyncio_names

    return [name for name in vars(asyncio_names) if name in asyncio_names.__all__]
