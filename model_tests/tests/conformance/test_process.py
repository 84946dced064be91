"""The child process: errors of loopspec's own there, and subjects that leave coroutines to the search."""

from __future__ import annotations

from pathlib import Path

import pytest

from impl.errors import InternalError

from ...conformance.budget import Budget
from ...conformance.kit import run
from ...conformance.subject import SubjectError
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


@pytest.mark.parametrize("target", ["Seen", "Served.failure", "Served.greeting"])
def test_an_error_of_loopspec_in_the_child_is_none_of_the_subject(tmp_path: Path, target: str) -> None:
    with pytest.raises(InternalError, match="KeyError: 'planted'"):
        run(subject(tmp_path, PLANTED.format(target=target)))


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
