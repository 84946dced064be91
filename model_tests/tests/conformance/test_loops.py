"""Loops of a subject's own: each is taken as it is, and one on which no program can run is refused in a line."""

import sys
from pathlib import Path

import pytest

from ...conformance import command
from ...conformance.budget import Budget
from ...conformance.facts.fact import facts
from ...conformance.judge import State
from ...conformance.kit import run
from ...conformance.loops.runtimes import Clocked, Idle, kind_of
from ...conformance.process import Process
from ...conformance.subjects.subject import load
from ..fixtures import Captured
from ..process import python
from .mine import TEXTS, subject

PROXY = TEXTS["a loop with slots, which hands all on to asyncio's"]
FIXED = TEXTS["a loop whose objects and class refuse what is set on them"]
LOOPS = {
    "virtual": (PROXY.format(of="asyncio.SelectorEventLoop", lacks="()"), Clocked),
    "real": (PROXY.format(of="Real", lacks="()"), Idle),
    "without factories": (PROXY.format(of="asyncio.SelectorEventLoop", lacks="('set_task_factory',)"), Clocked),
    "fixed": (FIXED, Clocked),
    "a selector of its own": (
        "import asyncio, selectors\nof = selectors.SelectSelector\n"
        "def new_event_loop(): return asyncio.SelectorEventLoop(of())",
        Idle,
    ),
}  # fmt: skip
LONG = {
    "fixed": "the short form has it without factories",
    "virtual": "the short form has it without factories",
    "real": "the clock is real",
    "a selector of its own": "the clock is real",
}
#: A rule or two of each kind of program: tasks, timers, eager tasks, runners.
RULES = ("TASK-1", "CANCEL-3", "TIMEOUT-3", "TIMEOUT-5", "TASK-14", "LOOP-2", "LOOP-5", "RUN-1", "FUT-6")


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.long(LONG[name])] if name in LONG else []) for name in LOOPS],
)
def test_a_right_loop_is_not_accused(tmp_path: Path, name: str) -> None:
    text, runtime = LOOPS[name]
    file = subject(tmp_path, text)
    assert kind_of(load(file)).runtime is runtime
    report = run(file, RULES, budget=Budget(runs=0))
    assert not report.broken
    states = {verdict.rule: (verdict.state, verdict.why) for verdict in report.verdicts}
    assert states["TASK-1"][0] is states["CANCEL-3"][0] is State.HELD
    assert states["LOOP-5"][0] is (State.ABSENT if "__slots__" in text else State.HELD)  # a fact
    clock = (State.ABSENT, "it needs a clock") if runtime is Idle else (State.HELD, "")
    assert states["TIMEOUT-3"] == clock
    if name == "without factories":
        why = "its loop has no set_task_factory" if sys.version_info >= (3, 12) else "since Python 3.12"
        assert states["TASK-14"] == (State.ABSENT, why)


@pytest.mark.parametrize(("text", "said"), [
    ("class new_event_loop(asyncio.AbstractEventLoop): pass", "makes a loop without call_soon"),
    ("class new_event_loop(asyncio.SelectorEventLoop):\n    def run_forever(self): raise NotImplementedError",
     "makes cannot run a callback: NotImplementedError"),
    ("def new_event_loop(): return None", "makes a loop without call_soon"),
    ("def new_event_loop(): raise OSError(5)", "new_event_loop() raised OSError: 5"),
])  # fmt: skip
def test_a_loop_that_runs_nothing_is_refused(tmp_path: Path, text: str, said: str, capsys: Captured) -> None:
    assert command.main([subject(tmp_path, f"import asyncio\n{text}\n")]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert len(err.splitlines()) == 1


def test_facts_with_threads_have_real_time(tmp_path: Path) -> None:
    with Process(subject(tmp_path, FIXED)) as process:
        for fact in facts().values():
            if fact.threads or "LOOP-2" in fact.rules:
                assert process.one(fact.program) == fact.expected, fact.text


#: A coroutine of a program, in a cycle that is frozen with other objects, as the kit does.
FREEZES = """
import gc
from model_tests.conformance.loops.garbage import left_behind
async def never(): ...
with left_behind():
    cycle = [never()]
    cycle.append(cycle)
    del cycle
    gc.freeze()
gc.collect()
"""


def test_garbage_that_is_frozen_meanwhile_makes_no_warning() -> None:
    ran = python("-c", FREEZES)
    assert (ran.returncode, ran.stderr) == (0, "")
