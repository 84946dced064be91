"""Wrong and right code that the kit has judged wrongly: each has the right verdict now, for the right rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from ...conformance.budget import Budget
from ...conformance.facts.fact import facts
from ...conformance.kit import run
from ...conformance.process import Process
from ...implementations.tables import texts
from ...programs.releases import THIS
from .mine import subject

#: By name: the subject; after the colon the rule that it breaks, or "-".  RULES: those of the short form.
SUBJECTS = texts(Path(__file__).with_name("missed.txt"))
RULES = sorted({name.rpartition(": ")[2] for name in SUBJECTS} - {"-"})
#: A function that keeps its results, or its caller, for ever, by its name and the rule that it breaks.
KEPT = """
import asyncio
_kept, _of = [], asyncio.{name}
{define} {name}(*given, **keywords):
    made = {awaits}_of(*given, **keywords)
    _kept.append({kept})
    return made
"""
KEEPING = {
    "Task": "LEAK-3", "shield": "LEAK-4", "gather": "LEAK-5", "wait": "LEAK-6", "wait_for": "LEAK-7",
    "as_completed": "LEAK-8", "timeout": "LEAK-10", "run": "LEAK-11",
}  # fmt: skip


@pytest.mark.parametrize("name", KEEPING)
def test_what_keeps_its_results_breaks_a_rule_of_its_own(tmp_path: Path, name: str) -> None:
    awaits = ("async def", "await ") if name.startswith("wait") else ("def", "")
    kept = "asyncio.current_task()" if name in ("shield", "as_completed") else "made"
    text = KEPT.format(name=name, define=awaits[0], awaits=awaits[1], kept=kept)
    with Process(subject(tmp_path, text)) as process:
        about = [fact for fact in facts().values() if name in fact.names and fact.since <= THIS]
        rules = [rule for fact in about if process.one(fact.program) != fact.expected for rule in fact.rules]
    assert KEEPING[name] in rules


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.long("ten seconds")] * ("that were notified" in name))
        for name in SUBJECTS
    ],
)
def test_a_verdict(tmp_path: Path, name: str, full: bool) -> None:
    rule = name.rpartition(": ")[2].strip("-")
    path = subject(tmp_path, f"import asyncio\n{SUBJECTS[name]}")
    for documented in (False, True) if full else (False,):
        report = run(path, [] if full else RULES, documented, budget=Budget(runs=0))
        settled = rule.startswith("LEAK") or "asks for a loop" in name
        found = {verdict.rule for verdict in report.broken}
        assert (rule in found) if rule and not (documented and settled) else not found
