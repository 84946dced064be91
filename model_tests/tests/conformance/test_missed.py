"""Wrong and right code that the kit has judged wrongly: each has the right verdict now, for the right rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from ...conformance.budget import Budget
from ...conformance.facts.fact import facts
from ...conformance.kit import run
from ...conformance.process import Process
from ...programs.releases import THIS
from .mine import subject

KEEPS_ALL = """
class {name}(asyncio.{name}):
    def __init__(self, *given):
        super().__init__(*given)
        self.{kept} = []
    def {method}(self, *given, **keywords):
        made = super().{method}(*given, **keywords)
        self.{kept}.append(given[0] if made is None else made)
        return made
"""
QUEUE = {"name": "Queue", "method": "_put"}
GROUP = {"name": "TaskGroup", "method": "create_task"}
#: By name: the subject, and the rule that it breaks, or "".
SUBJECTS = {
    "a queue with a history": (KEEPS_ALL.format(kept="history", **QUEUE), ""),
    "a queue that keeps its items": (KEEPS_ALL.format(kept="_history", **QUEUE), "LEAK-1"),
    "a group with a list of its tasks": (KEEPS_ALL.format(kept="tasks", **GROUP), ""),
    "a group that keeps its tasks": (KEEPS_ALL.format(kept="_kept", **GROUP), "LEAK-9"),
    "a group whose property has the results": (
        KEEPS_ALL.format(kept="_kept", **GROUP)
        + "    @property\n    def results(self): return {task.get_name(): task for task in self._kept}",
        "",
    ),
    "an event that keeps its waiters": (
        "_all = []\nclass Event(asyncio.Event):\n    def wait(self):\n"
        "        _all.append(asyncio.current_task())\n        return super().wait()",
        "LEAK-2",
    ),
    "an event that asks for a loop": (
        "class Event(asyncio.Event):\n    def __init__(self):\n        super().__init__()\n"
        "        self._made_in = asyncio.get_running_loop()",
        "EVENT-6",
    ),
    "a future that counts what it calls all the same": (
        "class Future(asyncio.Future):\n    def __init__(self, **given):\n        super().__init__(**given)\n"
        "        self._all = []\n    def add_done_callback(self, fn, *, context=None):\n"
        "        self._all.append(fn)\n        super().add_done_callback(fn, context=context)\n"
        "    def remove_done_callback(self, fn):\n"
        "        return self._all.count(fn) if self.done() else super().remove_done_callback(fn)\n",
        "FUT-10",
    ),
    "a queue that asks for a loop": (
        "class Queue(asyncio.Queue):\n    def __init__(self, maxsize=0):\n        super().__init__(maxsize)\n"
        "        self._changed = asyncio.get_running_loop().create_future()",
        "QUEUE-10",
    ),
    "a condition that counts those that were notified": (
        "class Condition(asyncio.Condition):\n    def notify(self, n=1):\n"
        "        if not self.locked(): raise RuntimeError\n"
        "        for waiter in list(self._waiters)[:n]:\n"
        "            if not waiter.done(): waiter.set_result(False)",
        "COND-9",
    ),
    "a barrier for one round": (
        "class Barrier(asyncio.Barrier):\n    def _exit(self):\n        if self._count == 0: self._cond.notify_all()",
        "BARRIER-1",
    ),
}


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
    text, rule = SUBJECTS[name]
    path = subject(tmp_path, f"import asyncio\n{text}\n")
    for documented in (False, True) if full else (False,):
        report = run(path, documented=documented, budget=Budget(runs=0))
        settled = rule.startswith("LEAK") or "asks for a loop" in name
        found = {verdict.rule for verdict in report.broken}
        assert (rule in found) if rule and not (documented and settled) else not found
