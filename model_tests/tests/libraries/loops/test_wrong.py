"""Loops that are wrong in one method: the kit sees it in asyncio's code, which runs on them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ....conformance.budget import Budget
from ....conformance.judge import State
from ....conformance.kit import run
from ....implementations.judged import verified
from ....implementations.tables import texts
from ....programs.releases import THIS, parsed

#: The wrong method of a loop; after the colon the rule that it breaks, and the first Python with the defect:
#: asyncio.create_task() named tasks itself before 3.13, and no task started eagerly before 3.12.
WRONG = texts(Path(__file__).with_name("wrong.txt"))


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_loop_is_caught_by_what_runs_on_it(tmp_path: Path, wrong: str) -> None:
    rule, _, since = wrong.rpartition(": ")[2].partition(", since ")
    if parsed(since or "3.11") > THIS:
        pytest.skip(f"since Python {since}")
    file = tmp_path / "mine.py"
    loop = f"class Loop(asyncio.SelectorEventLoop):\n{WRONG[wrong]}"
    file.write_text(f"import asyncio\n\n\n{loop}\n\ndef new_event_loop():\n    return Loop()\n")
    report = run(str(file), only=[rule], budget=Budget(runs=0))
    assert [(verdict.rule, verdict.state) for verdict in report.broken] == [(rule, State.BROKEN)]
    assert verified(report.findings[0].function(), str(file)) == "verified"
