"""The child process: errors of loopspec's own there, subjects that leave coroutines to the search, and ends of a test.

A program does not return, blocks, or ends the process; all of that is counted, never timed.
"""

from __future__ import annotations

import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest

from impl.errors import InternalError

from ...conformance import command
from ...conformance.budget import Budget
from ...conformance.cases.sources import Case
from ...conformance.findings.sentence import sentence
from ...conformance.kit import LOST_MAX, Kit, report_of, run
from ...conformance.process import PATIENCE, Process
from ...conformance.subjects.subject import SubjectError
from ...implementations.verdicts import judged
from ..fixtures import Patch, Terminal
from .mine import TEXTS
from .test_conform import WAITS, subject

WHEN_CANCELLED = TEXTS["a method that waits, and does something wrong when it is cancelled"]
PLANTED = TEXTS["code of loopspec that fails in the child, in no file of the subject"]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(("name", "method", "wrong", "documented"), [
    ("Semaphore", "acquire", "self._value -= self._value > 0", True),
    *(
        pytest.param(*row, marks=pytest.mark.long("seconds each"))
        for row in (
            ("BoundedSemaphore", "acquire", "self._value = 0", False),
            ("Lock", "acquire", "self._locked = True", True),
            ("Condition", "wait", "self.release()", False),
        )
    ),
])  # fmt: skip
def test_no_coroutine_is_left(tmp_path: Path, name: str, method: str, wrong: str, documented: bool) -> None:
    text = WHEN_CANCELLED.format(name=name, method=method, wrong=wrong)
    assert run(subject(tmp_path, text), documented=documented, budget=Budget(runs=0)).status == 1


@pytest.mark.usefixtures("small")
@pytest.mark.short("DocumentedPlayer", "LoadedSubject.greeting", why="seconds, as the child is begun anew")
@pytest.mark.parametrize("target", ["DocumentedPlayer", "LoadedSubject.failure", "LoadedSubject.greeting"])
def test_an_error_of_loopspec_in_the_child_is_none_of_the_subject(tmp_path: Path, target: str) -> None:
    with pytest.raises(InternalError, match="KeyError: 'planted'"):
        run(subject(tmp_path, PLANTED.format(target=target)))


@pytest.mark.short("the first item of all is lost-failures1-notes1", why="a second each")
@pytest.mark.parametrize(("text", "failures", "notes"), [
    ("all queues have one store", ["queue: rejected at line 1"], []),
    ("the first item of all is lost", [], ["queues is not judged: equal runs differ, as its objects share a state"]),
])  # fmt: skip
def test_equal_runs_of_a_state_machine_may_differ(
    tmp_path: Path, text: str, failures: list[str], notes: list[str]
) -> None:
    with Process(subject(tmp_path, TEXTS[text])) as process:
        kit = Kit(process, (), False)
        found = list(kit.machines())
    assert [failure.text.splitlines()[0].partition(": what")[0] for failure in found] == [
        f"spec.kit.monitor.Rejected: {failure}" for failure in failures
    ]
    assert kit.notes == [f"the state machine of {note}" for note in notes]


@pytest.mark.parametrize("name", ["Future", "Task"])
def test_a_thing_that_the_loop_makes_and_that_asks_the_loop_for_one_is_refused(tmp_path: Path, name: str) -> None:
    text = TEXTS["what the loop makes, and asks the loop for another"]
    with pytest.raises(SubjectError, match=f"{name} is not judged, as it calls itself by loop.create_{name.lower()}"):
        run(subject(tmp_path, text.replace("Thing", name).replace("make", f"create_{name.lower()}")))


def test_a_program_that_is_blocked_ends_the_test(tmp_path: Path) -> None:
    path = subject(tmp_path, TEXTS["a lock of threads, whose holder waits for itself"])
    with Process(path) as process:
        process.patience = 1.0
        report = report_of(process, budget=Budget(runs=0))
    assert [sentence(finding) for finding in report.findings] == ["the program does not return"]
    assert "1 program did not return" in report.text()


def test_a_subject_that_cannot_be_looked_at_is_refused(tmp_path: Path) -> None:
    text = """
class Meta(type):
    def __getattribute__(cls, name):
        if name == "wait": raise RuntimeError("no reflection")
        return super().__getattribute__(name)
class Event(metaclass=Meta): pass
"""
    with pytest.raises(SubjectError, match="cannot be looked at: RuntimeError: no reflection"):
        run(subject(tmp_path, text))


@pytest.mark.long("each of them takes its processor time")
def test_a_few_programs_that_do_not_return_end_the_test(tmp_path: Path) -> None:
    text = "class Event(asyncio.Event):\n    async def wait(self):\n        while True: pass\n"
    report = run(subject(tmp_path, text))
    assert report.status == 1
    assert any(f"{LOST_MAX} programs did not return" in note for note in report.notes)


def test_a_stopped_test_is_unfinished(tmp_path: Path, monkeypatch: Patch) -> None:
    text = subject(tmp_path, "class Event(asyncio.Event): pass\n")
    budget = Budget(seconds=1)
    monkeypatch.setattr(budget, "_end", 0.0)
    report = run(text, budget=budget)
    assert (report.status, report.unfinished) == (3, "stopped after 1 seconds")

    def interrupt(self: Kit, case: Case, *rest: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Kit, "note", interrupt)
    report = run(text)
    assert (report.status, report.unfinished) == (3, "interrupted after 0 programs")
    assert "unfinished: interrupted" in report.text()


@pytest.mark.long("two reports")
@pytest.mark.usefixtures("small")
def test_the_same_subject_has_the_same_digest(full: bool, tmp_path: Path) -> None:
    text = subject(tmp_path, "class Event(asyncio.Event):\n    def clear(self): pass\n")
    runs = 20 if full else 4
    first, second = (run(text, ["EVENT-3"], budget=Budget(runs=runs)) for _ in range(2))
    assert first.text() == second.text()
    assert first.digest in first.text()
    assert first.digest != run(text, ["EVENT-2"], budget=Budget(runs=runs)).digest


@pytest.mark.long("four reports")
def test_two_reports_of_one_process_are_those_of_two(tmp_path: Path) -> None:
    text = subject(tmp_path, "class Event(asyncio.Event):\n    def clear(self): pass\n")
    assert judged(text, [False, True]) == judged(text, [False]) + judged(text, [True])


@pytest.mark.long("half a minute")
def test_a_report_is_the_same_beside_burning_processes(tmp_path: Path) -> None:
    """The broken event and the blocked one, too: long work is counted."""
    waits = ("await super().wait()", "while True: pass")
    paths = [tmp_path / f"{number}.py" for number in range(len(waits))]
    for path, how in zip(paths, waits, strict=True):
        path.write_text(f"import asyncio\nclass Event(asyncio.Event):\n async def wait(self):\n  {how}\n")
    idle = [run(str(path), budget=Budget(runs=20)).text() for path in paths]
    burning = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(4)]
    try:
        assert [run(str(path), budget=Budget(runs=20)).text() for path in paths] == idle
    finally:
        for process in burning:
            process.kill()
            process.wait()


class Hasty(Process):
    """It has little patience with programs only: on a starved machine the import of the subject takes seconds."""

    def start(self) -> None:
        self.patience = PATIENCE
        super().start()
        self.patience = 0.5


def test_who_is_blocked_is_given_up(tmp_path: Path) -> None:
    text = "import time\nclass Event(asyncio.Event):\n    async def wait(self): time.sleep(1000)\n"
    with Hasty(subject(tmp_path, text)) as process:
        assert process.one(WAITS) == [[0, "loop", "does not return", ""]]


@pytest.mark.parametrize(("does", "seen"), [
    pytest.param("import os; os._exit(3)", "'ends the process (status 3)'", id="exit"),
    pytest.param("import ctypes; ctypes.string_at(0)", "'ends the process (", id="segfault"),
    pytest.param("await self.wait()", "'raised RecursionError", id="recursion"),
    pytest.param("print('{}', flush=True)", "'gave None'", id="prints an answer"),
])  # fmt: skip
def test_a_subject_that_ends_its_process_does_no_harm(tmp_path: Path, does: str, seen: str) -> None:
    text = f"class Event(asyncio.Event):\n    async def wait(self):\n        {does}\n"
    with Process(subject(tmp_path, text)) as process:
        assert seen in str(process.one(WAITS))


@pytest.mark.long("a report")
@pytest.mark.usefixtures("small")
def test_a_terminal_and_a_log_show_how_many_programs_were_played(tmp_path: Path, monkeypatch: Patch) -> None:
    for stream, log_s, shown in ((Terminal(), 999, True), (StringIO(), 999, False), (StringIO(), 0, True)):
        monkeypatch.setattr(sys, "stderr", stream)
        monkeypatch.setattr(command, "LOG_S", log_s)
        command.main([subject(tmp_path, "class Event(asyncio.Event): pass\n"), "--only", "EVENT-3", "--random", "0"])
        assert ("programs   0 failed" in stream.getvalue()) is shown
        assert ("\r" in stream.getvalue()) is stream.isatty()
