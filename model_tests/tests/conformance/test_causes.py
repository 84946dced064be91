"""Findings: shrunk, grouped by cause, named after the rule that they show, and written as short tests and files."""

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from ...conformance import command, judge, kit
from ...conformance.budget import Budget
from ...conformance.cases.requirements import needed
from ...conformance.cases.sources import Case, catalogue, enumeration
from ...conformance.causes import Causes
from ...conformance.findings.finding import Finding, Rejection
from ...conformance.findings.grouping import form, grouped
from ...conformance.findings.sentence import sentence
from ...conformance.findings.symptoms import symptom
from ...conformance.findings.verdicts import rules
from ...conformance.focus import Focus
from ...conformance.judge import Judge, Judgement, State
from ...conformance.kit import Kit
from ...conformance.loops.garbage import left_behind
from ...conformance.process import Process
from ...conformance.report import Report
from ...conformance.subjects.surface import Surface
from ...implementations.all_mutants import BY_NAME
from ...implementations.checks.kit import Here
from ...implementations.corpus import corpus
from ...implementations.mutant import Mutant
from ...implementations.rows import implementations
from ...programs.vectors.notation import program
from ..fixtures import Captured, Patch
from .mine import subject

# Any in this file: programs are JSON.

WAITS: dict[str, Any] = {
    "main": [["let", "l", ["Lock"]], ["let", "a", ["create_task", ["body", "x"]]]],
    "bodies": {"x": [["await", ["l.acquire"]]]},
}


def test_programs_are_equal_up_to_names() -> None:
    other = json.loads(json.dumps(WAITS).replace('"x"', '"waits"').replace('"a"', '"first"'))
    assert form(WAITS) == form(other)
    assert form(WAITS) != form({**WAITS, "bodies": {"x": []}})


def finding(rule: str, program: dict[str, Any] = WAITS, kind: str = "value") -> Finding:
    return Finding("", program, [], [], "asyncio", rule, kind)


def test_one_form_is_one_finding_and_others_are_listed() -> None:
    others = [{**WAITS, "bodies": {"x": [["turn", n]]}} for n in (1, 2, 3)]
    found = [finding("LOCK-7"), finding("LOCK-7"), *map(finding, ("LOCK-8", "LOCK-5", "COND-1"), others)]
    (first,) = grouped(found, {"LOCK"}, ["QUEUE-5"])
    assert (first.rule, first.also, first.because) == ("LOCK-7", ("LOCK-8", "LOCK-5"), ("COND-1", "QUEUE-5"))
    assert [each.rule for each in grouped(found, {"LOCK", "COND"}, [])] == ["LOCK-7", "COND-1"]


def test_a_smaller_program_must_still_use_what_the_rule_is_about() -> None:
    shuts: dict[str, Any] = {"main": [["let", "q", ["Queue"]], ["do", ["q.shutdown"]]], "bodies": {}}
    assert not needed("QUEUE-32", shuts)({"main": [], "bodies": {}})
    assert needed("QUEUE-5", shuts)(shuts)
    calls = [["let", "c", ["Condition"]], ["do", ["A.cancel"]], ["do", ["c.notify"]]]
    shows = needed("COND-6", {"main": calls, "bodies": {}})
    assert not any(shows({"main": some, "bodies": {}}) for some in (calls[:2], calls[::2]))


def test_the_rule_follows_from_what_is_seen() -> None:
    calls = [[0, "main", "l.release()", "raised RuntimeError()"]]
    assert symptom(WAITS, calls, [[0, "main", "l.release()", "None"]], "value", ["Lock"]) == "LOCK-9"
    assert symptom(WAITS, calls, [[0, "main", "l.release()", "None"]], "value", ["Queue"]) == ""
    ends = [[0, "end", "a", "cancelled"]]
    assert symptom(WAITS, ends, [[0, "end", "a", "gave None"]], "cancel", ["Lock"]) == "LOCK-4"
    early = {
        "main": [["let", "A", ["create_task", ["wait_for", "f", 0]]], ["do", ["A.cancel"]]],
        "bodies": {},
    }
    wanted, late = (
        [[0, "main", "A.cancel()", "True"]],
        [0, "A", "await wait_for(f, 0)", "raised TimeoutError()"],
    )
    had = [late, [0, "main", "A.cancel()", "False"]]
    assert symptom(early, wanted, had, "value", ["wait_for"]) == "WAITFOR-2"


def found_by(mutant: Mutant, about: str, programs: int = 150) -> list[Finding]:
    """Return the findings of a mutant on some programs of the enumeration."""
    here = Here(mutant)
    judge = Judge(here.brings, here.own, lambda rule: True)
    focus = Focus(judge.brings, Surface())
    causes = Causes(here, judge, focus)
    with left_behind():
        every = enumeration(about=focus.about)
        cases = [case for case in every if case.name.startswith(about)][:programs]
        for case in cases:
            lines = here.one(case.program)
            verdict = judge.judge(case, lines)
            if verdict.state is State.BROKEN:
                causes.add(case, lines, verdict)
        return causes.findings()


@pytest.mark.parametrize(("name", "about", "says"), [
    pytest.param("QueuePutterKeepsWakeUp", "Queue.put:", "a putter waits, though there is room",
        marks=pytest.mark.long("the programs of a queue")),
    ("EventWokenWaiterIgnoresCancel", "Event.set:", "a task was cancelled, and went on"),
])  # fmt: skip
def test_the_first_rule_is_the_one_that_is_broken(name: str, about: str, says: str) -> None:
    found = found_by(BY_NAME[name], about)
    assert found[0].rule == BY_NAME[name].rule
    assert len(found) <= 2
    assert sentence(found[0]).startswith(says) or found[0].kind == "order"


class LosesBoth(BY_NAME["QueueGetterKeepsWakeUp"].wrong, BY_NAME["QueuePutterKeepsWakeUp"].wrong):  # type: ignore[misc]
    """Neither a getter nor a putter that is cancelled passes its wake-up on."""


#: Programs that cancel a getter, or a putter, after it was woken.
LOSING = ("the wake-up of a cancelled getter goes to the next", "Queue.put: 2 tth1", "Queue.put: 2 th1h")


@cache
def losing() -> list[Case]:
    """Return those programs."""
    every = *catalogue(), *enumeration(lambda rule: rule == "QUEUE-21")
    return [case for case in every if case.name in LOSING]


def verdicts_on_both(only: list[str], documented: bool = False) -> tuple[set[str], set[str]]:
    """Return the broken rules of LosesBoth, and the methods where a task of a finding hangs."""
    with left_behind():
        kit = Kit(Here(Mutant(LosesBoth, "QUEUE-21", "contract", "Queue")), only, documented)
        kit.causes.attempts = 200
        kit.play(losing())
        report = kit.report([])
    return {verdict.rule for verdict in report.broken}, {finding.hangs_in for finding in report.findings}


@pytest.mark.long("two reports")
def test_a_verdict_does_not_depend_on_which_other_rules_are_under_test(full: bool) -> None:
    every, hangs = verdicts_on_both([])
    assert every >= {"QUEUE-5", "QUEUE-21"}
    assert hangs == {"get", "put"}
    assert verdicts_on_both(["QUEUE-21"])[0] == {"QUEUE-21"}
    if not full:
        return
    assert verdicts_on_both(["QUEUE-5", "QUEUE-21"])[0] == {"QUEUE-5", "QUEUE-21"}
    assert verdicts_on_both(["QUEUE-3"])[0] == set()  # its programs fail, and no task is overtaken
    documented = {rule for rule in every if rules()[rule][0] == "documented"}
    assert verdicts_on_both([], documented=True)[0] == documented


def test_a_queue_that_cannot_say_that_it_is_full_may_keep_its_putters() -> None:
    put = {"main": [["let", "q", ["Queue", 1]], ["let", "a", ["create_task", ["q.put", 1]]]], "bodies": {}}
    wanted = [[0, "a", "await q.put(1)", "None"], [0, "end", "a", "gave None"]]
    had = [[0, "end", "a", "pending"]]
    for full, rule in ((" ", "QUEUE-21"), ("full=False", "QUEUE-21"), ("full=True", "QUEUE-1")):
        end = [[0, "end", "q", full]]
        found = symptom(put, wanted + end, had + end, "lost", ["Queue"])
        assert (found == "QUEUE-21") is (rule == "QUEUE-21")


def test_a_program_with_too_many_right_runs_is_not_judged(monkeypatch: Patch) -> None:
    with left_behind():
        kit = Kit(Here(BY_NAME["QueuePutterKeepsWakeUp"]), ["QUEUE-21"], documented=False)
        kit.judge.runs = 3
        monkeypatch.setattr(judge, "predicates", lambda *_: iter([]))  # these need no search
        kit.play(case for case in losing() if "put:" in case.name)
        report = kit.report([])
    assert [(verdict.state, verdict.why) for verdict in report.verdicts] == [(State.OPEN, "in 2 programs")]
    assert report.notes[-1].startswith("2 programs are inconclusive: their output differs")


def test_a_smaller_program_that_is_undecided_is_not_shown(monkeypatch: Patch) -> None:
    with left_behind():
        causes = Kit(Here(BY_NAME["QueuePutterKeepsWakeUp"]), (), documented=False).causes
        large = causes.again(losing()[-1], losing()[-1].program)
        small = large._replace(case=Case("", WAITS, large.case.rules))
        monkeypatch.setattr(causes, "smaller", lambda failed: small)
        monkeypatch.setattr(
            causes, "searched", lambda failed: Judgement(State.OPEN if failed is small else State.BROKEN)
        )
        assert [finding.program for finding in causes.shrink(large)] == [large.case.program]


NEWEST = """
import asyncio
class Queue(asyncio.Queue):
    def _wakeup_next(self, waiters):
        waiters.reverse()
        super()._wakeup_next(waiters)
        waiters.reverse()
"""
#: The newest putter is woken, and cancels the oldest.
WOKEN = """
async def first(): await q.put(1)
async def last():
    await wait_for(q.put(2), 1)
    A.cancel()
q = Queue(1)
q.put_nowait(0)
A = go(first)
go(last)
await sleep(0.1)
q.get_nowait()
"""


EARLIER = "QUEUE-3", "a task was served before one that had called earlier"


@pytest.mark.parametrize(("only", "said"), [
    pytest.param([], [EARLIER], marks=pytest.mark.long("all rules, where the short form has one")),
    pytest.param(["QUEUE-3"], [EARLIER], marks=pytest.mark.long("it shrinks for seconds")),
    (["QUEUE-18"], []),
])  # fmt: skip
def test_what_is_right_in_another_order_breaks_a_rule_of_order(
    tmp_path: Path, only: list[str], said: list[tuple[str, str]]
) -> None:
    with left_behind(), Process(subject(tmp_path, NEWEST)) as process:
        kit = Kit(process, only, documented=False)
        kit.play([Case("", program(WOKEN), ())])
        found = kit.report([]).findings
    assert [(each.rule, sentence(each)) for each in found] == said


#: A program, the lines that are expected and those that are seen of its names, and the sentence of the difference.
SAID = [
    ("s = shield(f)\ns.cancel()", "main:s.cancel():True s:cancelled", "main:s.cancel():False s:gave_1",
     "shield.cancel() returned False, and not True"),
    ("A = go(a)\ns = shield(A)\nA.cancel()", "s:cancelled", "s:gave_None",
     "the shield at the end returned None, and not cancelled"),
    ("A = go(a)\nA.cancel()", "a:await_f:raised_CancelledError() A:cancelled", "a:await_f:1 A:gave_None",
     "a task was cancelled, and went on as if it had not been"),
    ("f.cancel()\nA = go(a)", "a:await_f:raised_CancelledError() A:cancelled", "a:await_f:1 A:gave_None",
     "Future returned 1, and not raised CancelledError()"),
    ("A = go(a)\nA.cancel()", "a:await_f:raised_CancelledError() A:cancelled", "A:pending",
     "a task waits in Future for ever, and should be cancelled"),
    ("b = Barrier(2)", "b:broken=True", "b:broken=False",
     "the Barrier at the end was broken=False, and not broken=True"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected", "seen", "says"), SAID)
def test_the_sentence_says_what_was_seen(text: str, expected: str, seen: str, says: str) -> None:
    def lines(words: str) -> list[list[Any]]:
        made = [word.replace("_", " ").split(":") for word in words.split()]
        return [[0, *each] if each[2:] else [0, "end", *each] for each in made]

    made = program(f"async def a(): await f\nf = loop.create_future()\n{text}\n")
    kind = "lost" if "pending" in seen else "cancel"
    assert sentence(Finding("", made, lines(expected), lines(seen), kind=kind)) == says


# The files.

KEEPS = """
import asyncio
class Lock(asyncio.Lock):
    def release(self):
        self._locked = False
"""


def test_the_report_in_files(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "keeps.py").write_text(KEEPS)
    files = [f"--programs={tmp_path}/all", f"--json={tmp_path}/r.json", f"--junit={tmp_path}/r.xml"]
    assert command.main([str(tmp_path / "keeps.py"), "--only", "LOCK-9", "--random", "0", *files]) == 1
    assert "Lock.release() returned None, and not raised RuntimeError(): LOCK-9" in capsys.readouterr().out
    report = json.loads((tmp_path / "r.json").read_text())
    assert [each["rule"] for each in report["findings"]] == ["LOCK-9"]
    assert {each["state"] for each in report["rules"]} == {"broken"}
    suite = ElementTree.parse(tmp_path / "r.xml").getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("1", "1")
    (script,) = (tmp_path / "all").iterdir()
    assert script.name == "1_lock_9.py"
    (tmp_path / "test_it.py").write_text(report["findings"][0]["function"])
    call = [sys.executable, "-c", "import test_it; test_it.test_lock_9()"]
    assert subprocess.run(call, cwd=tmp_path, capture_output=True, timeout=60, check=False).returncode == 1


def test_a_smaller_leak_is_not_one_that_asyncio_has_too() -> None:
    """A loop that makes tasks and never yields keeps them all, with any event."""
    with corpus("right")["future_of_threads"].subject() as event:
        [finding] = kit.run(event, ["LEAK-2"], budget=Budget(runs=0)).findings
    assert ".wait()" in (finding.function() or "")


# The finding of a state machine names the rules that make the specification reject the run.


EXAMPLE = Path(__file__).parents[2] / "examples" / "subjects" / "queue_holds_one_more.py"


def reported(subject: object, machine: str) -> tuple[Rejection, Report]:
    with Process(str(subject)) as process:
        kit = Kit(process, (), documented=False)
        failure = process.machine(machine, 30)
        assert failure is not None
        return failure, kit.report([failure])


@pytest.mark.long("it shrinks for ten seconds")
def test_a_rejected_state_breaks_the_rule_of_the_action_before_it() -> None:
    failure, report = reported(EXAMPLE, "queues")
    assert failure.rules == ("QUEUE-25",)  # put_nowait on a full queue
    assert "what is seen of the state" in failure.text
    (broken,) = report.of(State.BROKEN)
    assert (broken.rule, broken.why) == ("QUEUE-25", "the state machine of queues fails")
    assert report.status == 1
    assert "the state machine of queues fails: QUEUE-25" in report.text()
    assert "state machine of queues" in report.junit()


@pytest.mark.long("it shrinks for ten seconds")
def test_a_wake_up_that_is_due_breaks_its_rule() -> None:
    with implementations()["wrong/queues/WakesNoPutter"].subject() as subject:
        failure, report = reported(subject, "queues")
    assert failure.rules == ("QUEUE-12", "QUEUE-13")  # a putter waits for room, and is woken by it
    assert "still due: put_resume" in failure.text
    assert {verdict.rule for verdict in report.of(State.BROKEN)} == set(failure.rules)
