"""The conformance kit: the programs that it plays, its judgement, and subjects that do their worst."""

import re
import subprocess
import sys
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import pytest

import impl
from impl.commands.options import UsageError

from ... import conform
from ...conformance import command
from ...conformance.attribute import among, by_use, kind_of, operations
from ...conformance.cases.sources import Case
from ...conformance.conform import named
from ...conformance.judge import HELD, Judge, State
from ...conformance.kit import run
from ...conformance.known_bugs import known
from ...conformance.normal import normal, shown
from ...conformance.process import Process
from ...conformance.report import Report, rules
from ...conformance.subjects.origin import is_asyncios
from ...conformance.subjects.subject import SubjectError, brought, load
from ...dev.pythons import ROOT, pythons
from ...implementations.rows import implementations
from ...programs.releases import parsed
from ...programs.runtimes import Program, observe
from ...programs.vectors.known_bugs import BUGS, OF_FACTS
from ...programs.vectors.notation import program
from ..fixtures import Captured, Patch
from ..process import python
from . import mine

WAITS = program("""
async def waits(): await e.wait()
e = Event()
a = go(waits)
turn()
e.set()
""")


def subject(folder: Path, text: str) -> str:
    """A subject in a file that imports asyncio."""
    return mine.subject(folder, f"import asyncio\n{text}")


def test_what_nobody_promises_is_left_out() -> None:
    lines = [[0, "handler", "report", "KeyError(1)"], [0, "a", "await f", "raised CancelledError('why')"]]
    assert normal({"main": []}, lines) == [[0, "a", "await f", "raised CancelledError()"]]
    assert normal({"main": []}, lines, ["FUT-9", "FUT-13"]) == lines


def test_the_kind_of_a_difference() -> None:
    done, waits = [[0, "end", "a", "gave 1"]], [[0, "end", "a", "pending"]]
    cancelled = [[0, "end", "a", "cancelled"]]
    plain: Program = {"main": []}
    cancels: Program = {"main": [["do", ["a.cancel"]]]}
    assert kind_of(plain, done, waits) == "stuck"
    assert kind_of(cancels, done, waits) == "lost"
    assert kind_of(plain, done, cancelled) == "cancel"
    assert kind_of(plain, done, [[0, "end", "a", "gave 2"]]) == "value"
    other_done, other_waits = [[0, "end", "b", "gave 1"]], [[0, "end", "b", "pending"]]
    assert kind_of(plain, done + other_waits, waits + other_done) == "order"
    assert kind_of(plain, done + other_done, other_done + done) == "order"
    assert kind_of(plain, done + other_done, waits + other_done) == "stuck"


def test_a_difference_is_about_what_the_subject_brings() -> None:
    assert among(["CANCEL-2", "QUEUE-18"], ["Queue"]) == "QUEUE-18"
    assert among(["CANCEL-2", "QUEUE-18"], []) == "CANCEL-2"
    both: Program = {"main": [["let", "q", ["Queue"]], ["let", "l", ["Lock"]]]}
    assert by_use(both, "lost", ["Queue"]) == "QUEUE-18"


def test_operations_are_what_is_done_and_not_what_is_named() -> None:
    assert operations(WAITS) == 4  # a task, a turn, set, wait


KNOWN = {  # by release, the rules that asyncio is known to break
    "3.11": {"WAITFOR-4", "COND-6", "CANCEL-6", "GROUP-5", "GROUP-9", "COND-5", "FUT-7"},
    "3.12": {"COND-6", "CANCEL-6", "GROUP-5", "GROUP-9", "COND-5", "FUT-7"},
    "3.13.18": {"ASDONE-3"},
    "3.14.0": {"ASDONE-3", "FUT-9"},
    "3.15.2": {"GROUP-5"},
}


@pytest.mark.parametrize("version", KNOWN)
def test_what_a_version_is_known_for_excuses_only_what_is_asyncios(version: str) -> None:
    assert {rule for rule in rules() if known(rule, version=parsed(version))} == KNOWN[version]
    assert known("COND-6", frozenset({"Condition"}), (3, 11)) is None


def test_the_main_task_is_asyncios() -> None:
    case = Case("main", program("main.cancel()\nmain.uncancel()"), ("CANCEL-6",))
    verdict = Judge(["Task"], ["Task"], lambda rule: True).judge(case, observe(case.program, "asyncio"))
    assert verdict.state is State.HELD


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="its main task keeps CANCEL-6")
def test_other_tasks_are_the_subjects() -> None:
    text = """
async def a():
    A.cancel()
    A.uncancel()
A = go(a)
main.cancel()
main.uncancel()
"""
    case = Case("both", program(text), ("CANCEL-6",))

    def cancelled(task: str, own: list[str]) -> State:
        judge, end = Judge(["Task"], own, lambda rule: True), ["end", task]
        lines = [[*ln[:3], "cancelled"] if ln[1:3] == end else ln for ln in case.expected]
        return judge.judge(case, lines).state

    assert (cancelled("main", ["Task"]), cancelled("A", ["Task"])) == (State.HELD, State.BROKEN)
    assert cancelled("main", []) is State.KNOWN  # it derives from asyncio's, which it mends


def test_asyncio_makes_the_subjects_futures(tmp_path: Path) -> None:
    text = """
class Future(asyncio.futures._PyFuture):
    def __await__(self):
        raise KeyError(7)
"""
    with Process(subject(tmp_path, text)) as process:
        assert process.brings == ["Future"]
        assert [0, "waits", "await e.wait()", "raised KeyError(7)"] in process.one(WAITS)


def test_what_the_subject_brings_is_what_programs_see(tmp_path: Path) -> None:
    (tmp_path / "beside.py").write_text("ANSWER = 7\n")
    text = "import beside\nclass Event(asyncio.Event):\n    async def wait(self): return beside.ANSWER\n"
    with Process(subject(tmp_path, text)) as process:
        assert (process.brings, process.own, process.timeless) == (["Event"], [], False)
        assert [0, "waits", "await e.wait()", "7"] in process.one(WAITS)


@pytest.mark.parametrize("module", ["asyncio.locks", "locks", "__import__('sys').modules['asyncio.locks']"])
def test_a_subject_gets_asyncios_own_from_each_module_of_asyncio(tmp_path: Path, module: str) -> None:
    text = f"from asyncio import locks\ndef Event(): return {module}.Event()\n"
    with Process(subject(tmp_path, text)) as process:
        every = list(process.play([WAITS] * 20))  # Python specializes code that runs often
    assert every == [every[0]] * 20
    assert [0, "waits", "await e.wait()", "True"] in every[0]


COPIES = mine.TEXTS["copies of asyncio's code, one with a changed line"]


def test_what_was_copied_is_asyncios_as_what_was_imported(tmp_path: Path) -> None:
    """A known bug of asyncio is not held against a copy; a bug from a line changed in the copy is."""
    case = Case("uncancel", program("A = create_task(a())\nA.cancel()\nA.uncancel()\nasync def a(): pass"))
    with Process(subject(tmp_path, COPIES)) as process:
        assert sorted(process.brings) == ["Condition", "Future", "Task", "TaskGroup", "wait_for"]
        assert process.own == ["Condition"]
        judge = Judge(process.brings, process.own, lambda rule: True)
        assert judge.judge(case, process.one(case.program)).state is State.BROKEN
    assert not any(is_asyncios(name, getattr(impl, name)) for name in ("gather", "Task", "Lock"))


def test_who_does_not_return_is_seen_and_the_rest_is_played(tmp_path: Path) -> None:
    text = """
class Event(asyncio.Event):
    async def wait(self):
        while True:
            try:
                while True: pass
            except BaseException: pass
class Lock(asyncio.Lock):  # is not entered when it is loaded
    def __init__(self, loop=None): super().__init__()
    async def acquire(self):
        while True: pass
"""
    idle = program("turn()")
    with Process(subject(tmp_path, text), patience=600.0) as process:
        seen = list(process.play([idle, WAITS, idle]))
        assert seen[1] == [[0, "loop", "hangs without yielding in Event.wait()", ""]]
        assert shown(seen[0]) == shown(seen[2]) == [[0, "end", "main", "gave None"]]
        assert process.losses == 1


@pytest.mark.long("a second")
def test_a_long_program_that_ends_is_played_to_its_end(tmp_path: Path) -> None:
    """It is played again, and counted; it has fewer events than one that never ends."""
    text = """
import time
class Event(asyncio.Event):
    async def wait(self):
        end = time.process_time() + 0.4
        while time.process_time() < end: sum(range(100_000))
        return "it ends"
"""
    with Process(subject(tmp_path, text), patience=60.0) as process:
        first, second = process.play([WAITS, program("turn()")])
        assert [0, "waits", "await e.wait()", "'it ends'"] in first
        # It waited meanwhile, and is played after it.
        assert shown(second) == [[0, "end", "main", "gave None"]]
        assert (process.slow, process.losses) == (1, 0)


# The command and the function.

#: A file with a class that resembles none of asyncio's; the child has imported it anyway.
FORM: Final = str(ROOT / "model_tests" / "conformance" / "normal.py")


@pytest.mark.parametrize(("arguments", "said"), [
    (["no.such.module"], "no.such.module"),
    (["no-such-file.py"], "there is no file no-such-file.py"),
    (["no-such-file.py:Queue"], "there is no file no-such-file.py"),
    ([f"{FORM}:NoSuchClass"], "has no class or function NoSuchClass"),
    (
        [f"{FORM}:NormalForm"],
        "is not one of asyncio's names and derives from none: give the class the name of what it replaces, "
        f"as in `Queue = NormalForm`, and test {FORM}",
    ),
    (["json"], "json has none of asyncio's names: give the class the name of what it replaces, as in `Queue ="),
    (["asyncio", "--only", "NOT-A-RULE"], "unknown rule NOT-A-RULE"),
    (["asyncio", "--random", "many"], "'many'"),
    ([], "subject"),
])  # fmt: skip
def test_a_usage_error_is_one_line(arguments: list[str], said: str, capsys: Captured) -> None:
    assert command.main(arguments) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert said in err


ITEMS = mine.TEXTS["a queue of another name"]
PERMITS = mine.TEXTS["a semaphore of another name"]


@pytest.mark.parametrize(("text", "name", "said"), [
    (ITEMS, "", "none of asyncio's names: write `Queue = MyQueue` in the file"),
    (ITEMS, ":MyQueue", "derives from none: write `Queue = MyQueue` in the file, and test {path}"),
    (PERMITS, "", "write `Semaphore = OurSemaphore` in the file"),
    ("class Mine(asyncio.Queue): pass", "", "none of asyncio's names: try {path}:Mine"),
])  # fmt: skip
def test_a_file_without_asyncios_names_is_told(tmp_path: Path, text: str, name: str, said: str) -> None:
    path = subject(tmp_path, text)
    with pytest.raises(SubjectError, match=re.escape(said.format(path=path)) + "$"):
        load(path + name)


@pytest.mark.parametrize("text", ["1 / 0", "import no_such_thing", "raise SystemExit(3)", "def"])
def test_a_subject_that_cannot_be_imported_is_one_line(tmp_path: Path, text: str) -> None:
    with pytest.raises(SubjectError, match=r"\Acannot import .*mine\.py: .+\Z"):
        load(subject(tmp_path, text))


@pytest.mark.parametrize(("text", "brings", "own"), [
    ("class Mine(asyncio.Queue): pass", ["Queue"], []),
    ("class Queue: pass", ["Queue"], ["Queue"]),
    ("import functools\n@functools.wraps(asyncio.gather)\ndef Mine(*them): pass", ["gather"], ["gather"]),
    ("import impl\nclass Mine(impl.Future): pass", ["Future"], ["Future"]),
    ("import impl\nclass Mine(impl.Timeout): pass", ["timeout", "timeout_at", "Timeout"], None),
])  # fmt: skip
def test_one_class_of_a_file_replaces_what_it_derives_from(
    tmp_path: Path, text: str, brings: list[str], own: list[str] | None
) -> None:
    text += "\nclass Lock(asyncio.Lock): pass\n"
    name = "Mine" if "Mine" in text else "Queue"
    found = brought(load(f"{subject(tmp_path, text)}:{name}"))
    assert sorted(found) == sorted(brings)
    others = [each for each, thing in found.items() if not is_asyncios(each, thing)]
    assert sorted(others) == sorted(brings if own is None else own)


@pytest.mark.parametrize(("base", "name"), [
    ("asyncio", ""),
    pytest.param("asyncio", ":Event", marks=pytest.mark.long("the others have asyncio, and a class")),
    ("impl", ":Event"),
])  # fmt: skip
def test_a_broken_rule_has_a_script(tmp_path: Path, base: str, name: str, monkeypatch: Patch) -> None:
    made: list[Report] = []

    def kept(*given: Any) -> Report:  # Any: as in run
        made.append(run(*given))
        return made[-1]

    monkeypatch.setattr("model_tests.conformance.conform.run", kept)  # one run has the text and the finding
    text = f"import {base}\nclass Event({base}.Event):\n    def clear(self): pass\n"
    with pytest.raises(AssertionError) as failed:
        conform(subject(tmp_path, text) + name, only=["EVENT-3"], random=0)
    report = str(failed.value)
    assert re.search("EVENT-3    documented +[0-9]+ broken", report)
    assert "def test_event_3():" in report
    assert "1 broken, 0 known bug, 0 differs in timing, 0 not judged, 0 not exercised" in report
    (judged,) = made
    script = judged.findings[0].script()
    ran = python("-c", script)
    seen = [line[4:].partition("  (")[0] for line in script[script.index("# seen:") :].splitlines()[1:]]
    assert ran.stdout.splitlines() == seen


def test_a_rule_that_was_asked_for_and_that_nothing_shows_is_told_of() -> None:
    (verdict,) = conform("asyncio", only=["QUEUE-20"], random=0).verdicts
    assert (verdict.state, verdict.why) == (State.ABSENT, "no program was played that would show it")


def test_a_subject_that_keeps_the_rules_gives_the_report() -> None:
    report = conform("asyncio", only=["EVENT-2", "SEM-2"], documented_only=True, random=0)
    assert [(verdict.rule, verdict.state) for verdict in report.verdicts] == [("EVENT-2", State.HELD)]
    with pytest.raises(UsageError):
        conform("asyncio", only=["no rule"])
    with pytest.raises(SubjectError):
        conform("no.such.module")


def test_a_class_or_function_is_its_place_in_its_file(tmp_path: Path, monkeypatch: Patch) -> None:
    path = subject(tmp_path, "class Mine(asyncio.Event):\n    def clear(self): pass\n    class Inner: pass\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "mine", raising=False)  # an earlier test's
    theirs = import_module("mine")
    monkeypatch.delitem(sys.modules, "mine")
    with pytest.raises(SubjectError, match="Mine is not a class or function of a "):
        named(theirs.Mine, None)  # another module has its name
    monkeypatch.setitem(sys.modules, "mine", theirs)
    assert named(theirs.Mine, "unfair") == f"{path}:Mine as unfair"
    assert named(Judge, None).endswith("judge.py:Judge")
    assert named(run, None).endswith("kit.py:run")
    for none in (theirs.Mine.Inner, type("Mine", (theirs.Mine,), {}), lambda: None, partial(run), len):
        with pytest.raises(SubjectError, match="put it at the top of one"):
            conform(none)


def test_the_guide_says_what_each_state_means() -> None:
    guide = (ROOT / "model_tests" / "documents" / "site" / "conformance.md").read_text(encoding="utf-8")
    states = [line.split(" | ")[0].strip("| ") for line in guide.splitlines() if line.startswith("| ")]
    assert states == ["state", *(state.value for state in State)]


def test_nothing_to_say_is_held() -> None:
    case = Case("an event", WAITS)
    assert Judge((), (), lambda rule: True).judge(case, case.expected) is HELD


@pytest.mark.long("half a minute for each Python")
def test_every_python_is_known_for_just_that() -> None:
    for path in filter(Path.exists, (each.environment for each in pythons())):
        command = [str(path), "-m", "model_tests.commands.cli", "conform", "asyncio"]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        named = {line.split()[0] for line in ran.stdout.splitlines() if "known bug:" in line}
        told = subprocess.run([path, "-V"], capture_output=True, text=True, check=True).stdout
        bugs = {bug.rules[0] for bug in (*BUGS, *OF_FACTS) if bug.meets(parsed(told))}
        assert (ran.returncode, named) == (0, bugs), told


@pytest.mark.long("half a minute")
def test_what_too_many_runs_leave_open_is_decided_on_a_smaller_program() -> None:
    with implementations()["wrong/queues/CountsPutters"].subject() as subject:
        report = run(subject, ["QUEUE-21"])
    assert [finding.rule for finding in report.findings] == ["QUEUE-21"]
    assert any("are inconclusive: their output differs" in note for note in report.notes)


@pytest.mark.long("half a minute")
def test_the_bridge_keeps_all_rules() -> None:
    report = run("impl.bridges.on_asyncio.names")
    others = [verdict for verdict in report.verdicts if verdict.state is not State.HELD]
    assert [verdict.line() for verdict in others if not verdict.why.startswith("since Python")] == []
