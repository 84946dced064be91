"""Loops that are wrong in one method: the kit sees it in what runs on them, which is asyncio's code."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from ...conformance.budget import Budget
from ...conformance.judge import State
from ...conformance.kit import run
from ...subjects.judged import verified

#: A loop that differs in what the code that it runs can see, and the rule that it breaks.
DIFFERENT = {
    "TASK-9": """
    def create_task(self, coro, *, name=None, **more):
        return super().create_task(coro, name=f"{name} of mine", **more)
""",
    "FUT-12": """
    def call_soon(self, callback, *args, context=None):
        return super().call_soon(callback, *args)
""",
    "TASK-6": """
    def create_task(self, coro, **more):
        return asyncio.Task(coro, loop=self, eager_start=True, **more)
""",
}


@pytest.mark.parametrize(
    "rule", [rule for rule in DIFFERENT if rule != "TASK-6" or sys.version_info >= (3, 12)]
)
def test_a_wrong_loop_is_caught_by_what_runs_on_it(tmp_path: Path, rule: str) -> None:
    file = tmp_path / "mine.py"
    loop = f"class Loop(asyncio.SelectorEventLoop):{DIFFERENT[rule]}"
    file.write_text(f"import asyncio\n\n\n{loop}\n\ndef new_event_loop():\n    return Loop()\n")
    report = run(str(file), only=[rule], budget=Budget(runs=0))
    assert [(verdict.rule, verdict.state) for verdict in report.broken] == [(rule, State.BROKEN)]
    assert verified(report.findings[0].function(), str(file)) == "verified"
