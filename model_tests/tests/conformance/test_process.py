"""The child process: errors of loopspec's own there, and subjects that leave coroutines to the search."""

from __future__ import annotations

from pathlib import Path

import pytest

from impl.errors import InternalError

from ...conformance.budget import Budget
from ...conformance.findings.worded import sentence
from ...conformance.kit import report_of, run
from ...conformance.process import Process
from ...conformance.subjects.subject import SubjectError
from .mine import TEXTS, subject

WHEN_CANCELLED = TEXTS["a method that waits, and does something wrong when it is cancelled"]
PLANTED = TEXTS["code of loopspec that fails in the child, in no file of the subject"]


@pytest.mark.parametrize(("name", "method", "wrong", "documented"), [
    ("Semaphore", "acquire", "self._value -= self._value > 0", True),
    ("Condition", "wait", "self.release()", False),
    *(
        pytest.param(*row, marks=pytest.mark.long("seconds each"))
        for row in (
            ("BoundedSemaphore", "acquire", "self._value = 0", False),
            ("Lock", "acquire", "self._locked = True", True),
        )
    ),
])  # fmt: skip
def test_no_coroutine_is_left(tmp_path: Path, name: str, method: str, wrong: str, documented: bool) -> None:
    text = WHEN_CANCELLED.format(name=name, method=method, wrong=wrong)
    assert run(subject(tmp_path, text), documented=documented, budget=Budget(runs=0)).status == 1


@pytest.mark.parametrize("target", ["DocumentedPlayer", "LoadedSubject.failure", "LoadedSubject.greeting"])
def test_an_error_of_loopspec_in_the_child_is_none_of_the_subject(tmp_path: Path, target: str) -> None:
    with pytest.raises(InternalError, match="KeyError: 'planted'"):
        run(subject(tmp_path, PLANTED.format(target=target)))


@pytest.mark.parametrize("name", ["Future", "Task"])
def test_a_thing_that_the_loop_makes_and_that_asks_the_loop_for_one_is_refused(
    tmp_path: Path, name: str
) -> None:
    text = TEXTS["what the loop makes, and asks the loop for another"]
    with pytest.raises(
        SubjectError, match=f"{name} is not judged, as it calls itself by loop.create_{name.lower()}"
    ):
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
