"""Loops that are wrong in one method: the kit sees it in what runs on them, which is asyncio's code."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from ...conformance.budget import Budget
from ...conformance.judge import State
from ...conformance.kit import run
from ...subjects.judged import verified

#: A method in which a loop is wrong, and the rule that it breaks.
WRONG = [
    pytest.param(
        "TASK-9",
        """
    def create_task(self, coro, *, name=None, **more):
        return super().create_task(coro, name=f"{name} of mine", **more)
""",
        marks=pytest.mark.skipif(sys.version_info < (3, 13), reason="asyncio.create_task names tasks itself"),
    ),
    (
        "FUT-12",
        """
    def call_soon(self, callback, *args, context=None):
        return super().call_soon(callback, *args)
""",
    ),
    (
        "LOOP-5",
        """
    def call_soon(self, callback, *args, context=None):
        super().call_soon(callback, *args, context=context)
""",
    ),
    (
        "LOOP-5",
        """
    def call_soon(self, callback, *args, context=None):
        super().call_soon(callback, *args, context=context)
        return asyncio.Handle(callback, args, self, context)
""",
    ),
    pytest.param(
        "TASK-6",
        """
    def create_task(self, coro, **more):
        return asyncio.Task(coro, loop=self, eager_start=True, **more)
""",
        marks=pytest.mark.skipif(sys.version_info < (3, 12), reason="a task cannot start eagerly"),
    ),
]


@pytest.mark.parametrize(("rule", "method"), WRONG)
def test_a_wrong_loop_is_caught_by_what_runs_on_it(tmp_path: Path, rule: str, method: str) -> None:
    file = tmp_path / "mine.py"
    loop = f"class Loop(asyncio.SelectorEventLoop):{method}"
    file.write_text(f"import asyncio\n\n\n{loop}\n\ndef new_event_loop():\n    return Loop()\n")
    report = run(str(file), only=[rule], budget=Budget(runs=0))
    assert [(verdict.rule, verdict.state) for verdict in report.broken] == [(rule, State.BROKEN)]
    assert verified(report.findings[0].function(), str(file)) == "verified"
