"""Predicates: the rules that a whole run breaks; and subjects, accused of that or of nothing, in both modes.

The last subjects are wrong and right code that the kit has judged wrongly: each has the right verdict now.
"""

from pathlib import Path
from typing import Final

import pytest

from ...conformance import budget, judge
from ...conformance.budget import Budget
from ...conformance.facts.fact import facts
from ...conformance.judge import State
from ...conformance.kit import run
from ...conformance.loops.garbage import left_behind
from ...conformance.normal import BEGINS, Line
from ...conformance.predicates import predicates
from ...conformance.predicates.parts import Part, ProgramStep, orders, outcomes
from ...conformance.process import Process
from ...conformance.stepping import Stepping
from ...implementations.all_mutants import BY_NAME
from ...implementations.checks.kit import seen
from ...programs.releases import THIS, parsed
from ...programs.tables import texts
from ...programs.vectors.notation import program
from ...programs.vectors.runtime import Runtime
from ..fixtures import Patch
from .mine import subject

HERE: Final = Path(__file__).parent
TWO: Final = """
async def a(): await {0}
async def b(): await {0}
{1}
A = go(a)
B = go(b)
"""
#: Two tasks call it: the calls begin, return, or are seen at the end, in this order; and the rules that are broken.
RUNS: Final = [
    ("q.get()", "q = Queue()", "a b A q=qsize=0", "QUEUE-1"),
    ("q.get()", "q = Queue()\nq.put_nowait(1)", "main:q.put_nowait(1) a b q=qsize=0", "QUEUE-1"),
    ("q.get()", "q = Queue()\nq.put_nowait(1)", "main:q.put_nowait(1) a b A q=qsize=0", ""),
    ("q.get()", "q = Queue()\nq.put_nowait(1)", "main:q.put_nowait(1) a b q=qsize=1", "QUEUE-5 QUEUE-5"),
    ("q.put(1)", "q = Queue(1)", "a A b q=qsize=1", ""),
    ("q.put(1)", "q = Queue(1)", "a A b B q=qsize=2", "QUEUE-2"),
    ("q.put(1)", "q = Queue(2)", "a A b q=qsize=1", "QUEUE-21"),
    ("q.join()", "q = Queue()\nq.put_nowait(1)", "main:q.put_nowait(1) a b A q=qsize=1", "QUEUE-6"),
    ("q.join()", "q = Queue()", "a b A q=qsize=0", "QUEUE-7"),
    ("q.join()", "q = Queue()\nq.put_nowait(1)", "main:q.put_nowait(1) a A b B q=qsize=1", "QUEUE-39 QUEUE-39"),
    ("q.join()", "q = Queue()", "main:q.task_done() main:q.put_nowait(1) a q=qsize=1", "QUEUE-8"),
    ("q.get()", "q = Queue()", "a main:q.put_nowait(1) main:q.task_done() main:q.task_done() q=qsize=0", "QUEUE-1"),
    ("q.put(1)", "q = Queue(-1)", "a A b q=qsize=1", "QUEUE-9 QUEUE-21"),
    ("q.get()", "q = Queue()\nq.shutdown()", "a main:q.shutdown() b B q=qsize=0", "QUEUE-32"),
    ("l.acquire()", "l = Lock()", "a b A l=locked=True", ""),
    ("l.acquire()", "l = Lock()", "a b A B l=locked=True", "LOCK-7"),
    ("l.acquire()", "l = Lock()", "a b B l=locked=True", "LOCK-10"),
    ("l.acquire()", "l = Semaphore(2)", "a b A B l=locked=True", ""),
    ("l.acquire()", "l = Semaphore(2)", "a A b l=locked=False", "LOCK-8"),
    ("l.acquire()", "l = Semaphore(2)", "a A b l=locked=True", "LOCK-6"),
    ("e.wait()", "e = Event()\ne.set()", "main:e.set() a b A e=is_set=True", "EVENT-9"),
    ("e.wait()", "e = Event()", "a b A e=is_set=False", "EVENT-11"),
    ("e.wait()", "e = Event()", "a b main:e.set() A e=is_set=False", "EVENT-1"),
    ("e.wait()", "e = Event()", "a b main:e.set() main:e.clear() A e=is_set=False", "EVENT-4 EVENT-1"),
    ("c.wait()", "c = Condition()", "main:c.acquire() a main:c.acquire() A c=locked=True", "COND-4"),
    ("bar.wait()", "bar = Barrier(2)", "a b bar=n_waiting=0", "BARRIER-1"),
    ("bar.wait()", "bar = Barrier(3)", "a b bar=n_waiting=2", ""),
    ("bar.wait()", "bar = Barrier(3)", "a b A B bar=n_waiting=0", "BARRIER-1"),
    ("bar.wait()", "bar = Barrier(1)", "a A b B bar=n_waiting=0", ""),
]  # fmt: skip


def lines(call: str, text: str) -> list[Line]:
    """Return the lines of a run in short form."""
    found: list[Line] = []
    for place, word in enumerate(text.split()):
        actor, colon, done = word.partition(":")
        thing, equal, looks = word.partition("=")
        if colon:
            found.append([0, actor, done, "None"])
        elif equal:
            found.append([0, "end", thing, looks])
        elif word.isupper():
            found.append([0, word.lower(), f"await {call}", str(place)])
        else:
            found.append([0, word, BEGINS, "await"])
    return found


@pytest.mark.parametrize(("call", "setup", "text", "rules"), RUNS)
def test_a_run_breaks_these_rules(call: str, setup: str, text: str, rules: str) -> None:
    made = program(TWO.format(call, setup))
    brings = ["Queue", "Lock", "Semaphore", "Event", "Barrier", "Condition"]
    assert [rule for rule, _ in predicates(made, lines(call, text), brings)] == rules.split()
    assert list(predicates(made, lines(call, text), ["gather"])) == []


#: Right programs: a cancel goes along a chain, or a report comes before the first item.
RIGHT: Final = [
    """
async def a(): await q.get()
async def b(): await A
q = Queue()
A = go(a)
B = go(b)
turn(2)
B.cancel()
turn(3)
A.cancelling()
""",
    """
q = Queue()
with suppress(ValueError): q.task_done()
q.put_nowait(1)
""",
    """
async def a(): await q.join()
q = Queue()
q.put_nowait(1)
q.get_nowait()
A = go(a)
turn()
q.task_done()
turn()
""",
]


@pytest.mark.parametrize("text", RIGHT)
def test_nothing_is_said_of_a_right_run(text: str) -> None:
    made = program(text)
    assert list(predicates(made, Stepping(made, Runtime()).play(), ["Queue", "Task"])) == []


def test_nothing_is_said_of_a_run_in_which_a_task_is_not_known() -> None:
    made = program(TWO.format("l.acquire()", "l = Lock()") + "C = go(a)\n")
    assert list(predicates(made, lines("l.acquire()", "a b A B l=locked=True"), ["Lock"])) == []


@pytest.mark.parametrize(("what", "text"), texts(HERE / "tasks.txt").items())
def test_a_wrong_task_breaks_these_rules(what: str, text: str) -> None:
    """Of a mutant's; asyncio's tasks break none."""
    made = program(text)
    mutant, *rules = what.rpartition(": ")[2].replace(",", "").split()
    with left_behind():
        assert {rule for rule, _ in predicates(made, seen(BY_NAME[mutant], made), ["Task"])} == {*rules}
    assert list(predicates(made, Stepping(made, Runtime()).play(), ["Task"])) == []


def test_the_parts_of_a_difference() -> None:
    wanted = [[0, "a", "await f", "1"], [0, "b", "g()", "2"]]
    had = [[0, "b", "g()", "2"], [5, "a", "await f", "1"]]
    a, b = ProgramStep("a", "await f", 0), ProgramStep("b", "g()", 0)
    assert outcomes(wanted, had) == [Part(a, "1", at=5)]
    assert outcomes(wanted, had[:1]) == [Part(a, None)]
    assert outcomes(wanted, [[0, "b", "g()", "3"], wanted[0]]) == [Part(b, "3")]
    assert list(orders(wanted, had)) == [Part(b, "2", before=a)]


def accused() -> dict[str, tuple[str, list[str]]]:
    """Return subjects by name: the code, and the rule of the finding in each mode, "-" if there is none.

    A release of CPython after the rules is the first on which it is so.
    """
    found = {}
    files = ("accused.txt", "more_accused.txt", "spared.txt")
    for head, code in [item for file in files for item in texts(HERE / file).items()]:
        name, rules = head.partition(":")[0].split(", ")
        found[name] = code, rules.split()
    return found


SUBJECTS: Final = accused()


@pytest.mark.parametrize("documented", [False, True])
@pytest.mark.parametrize(
    "name",
    [name if name == "t4" else pytest.param(name, marks=pytest.mark.long("seconds each")) for name in SUBJECTS],
)
def test_a_subject_is_accused(name: str, documented: bool, full: bool, tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr(budget, "INTERLEAVINGS", 400 if full else 60)
    monkeypatch.setattr(budget, "LEAKS", 2)
    monkeypatch.setattr(judge, "SEARCHES", 10_000 if full else 3000)
    code, rules = SUBJECTS[name]
    if rules[2:] and parsed(rules[2]) > THIS:
        pytest.skip(f"since Python {rules[2]}")
    path = subject(tmp_path, f"import asyncio, collections, contextlib, dataclasses, functools, typing\n{code}\n")
    report = run(path, documented=documented, budget=Budget(runs=0))
    broken = [verdict.rule for verdict in report.of(State.BROKEN)]
    assert broken == [finding.rule for finding in report.findings] == [*{rules[documented]} - {"-"}]


@pytest.mark.skipif(THIS >= (3, 13), reason="the documentation promises it since 3.13")
def test_a_version_is_not_held_to_what_a_later_one_promises(tmp_path: Path) -> None:
    path = subject(tmp_path, f"import asyncio\n{SUBJECTS['g12'][0]}\n")
    report = run(path, documented=True, budget=Budget(runs=0))
    assert report.findings == []
    assert [verdict.rule for verdict in report.of(State.KNOWN)] == ["GROUP-5"]


#: By name: the subject; after the colon the rule that it breaks, or "-".
#: RULES: those that the short form asks for if it breaks none.  SLOW: the subjects of the long form.
MISSED: Final = texts(HERE / "missed.txt")
RULES = sorted({name.rpartition(": ")[2] for name in MISSED} - {"-"})
SLOW: Final = {
    "a condition that counts those that were notified: COND-9": "ten seconds",
    "a queue with a list of the errors of its getters: -": "half a minute; a queue with a history is as public",
    "a group that keeps its tasks: LEAK-9": "seconds; a queue that keeps its items is found by the same programs",
    "a group whose property has the results: -": "seconds; a queue with a history is as public",
    "a group with a list of its tasks: -": "seconds; a queue with a history is as public",
    "a barrier for one round: BARRIER-1": "a second",
    "an event that asks for a loop: EVENT-6": "a second; a queue that asks for a loop is found by the same programs",
    "a queue that keeps its items: LEAK-1": "a second; results that are kept are found by the same programs",
    "an event that keeps its waiters: LEAK-2": "seconds; test_causes.py has another event that breaks this rule",
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
    [pytest.param(name, marks=[pytest.mark.long(SLOW[name])] if name in SLOW else []) for name in MISSED],
)
def test_a_verdict(tmp_path: Path, name: str, full: bool) -> None:
    rule = name.rpartition(": ")[2].strip("-")
    path = subject(tmp_path, f"import asyncio\n{MISSED[name]}")
    for documented in (False, True) if full else (False,):
        only = [] if full else [rule] if rule else RULES  # no other rule counts if one is named
        report = run(path, only, documented, budget=Budget(runs=0))
        settled = rule.startswith("LEAK") or "asks for a loop" in name
        found = {verdict.rule for verdict in report.broken}
        assert (rule in found) if rule and not (documented and settled) else not found
