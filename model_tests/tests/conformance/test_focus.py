"""The surface of a subject, and the programs that are played because of it."""

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import impl

from ... import conform
from ...conformance import budget, command
from ...conformance.cases.sources import catalogue, enumeration, random
from ...conformance.focus import Depth, Focus
from ...conformance.judge import State
from ...conformance.kit import Kit
from ...conformance.normal import shown
from ...conformance.process import Process
from ...conformance.subjects.subject import SubjectError
from ...conformance.subjects.surface import Surface, surface_of
from ...implementations.all_mutants import BY_NAME
from ...implementations.checks.kit import Here
from ...programs.runtimes import Ours, observe
from ...programs.usage import Use, uses
from ...programs.vectors.notation import program
from ..fixtures import Captured, Patch
from .mine import TEXTS, subject

PARTS = TEXTS["parts of an event and of a lock, and a function that no program uses"]


class Channel:
    """A queue with parameters that differ from asyncio's in each way."""

    def __init__(self, maxsize: int) -> None:
        self.maxsize = maxsize

    async def put(self, value: Any) -> None: ...

    async def get(self, after: float) -> None: ...

    def put_nowait(self, *items: Any, **options: Any) -> None: ...

    def get_nowait(self, default: Any = None) -> None: ...

    def full(self) -> bool: ...  # type: ignore[empty-body]  # it is never called


def test_the_surface_is_compared_by_names_and_kinds_of_parameters() -> None:
    surface = surface_of({"Queue": Channel, "wait": lambda fs, *, timeout=None: None})
    newer = ["shutdown"] if hasattr(asyncio.Queue, "shutdown") else []
    absent = ["empty", "get(after!)", "join", "put(item=)", "qsize", *newer, "task_done", "(maxsize?)"]
    assert surface.missing == {"Queue": absent, "wait": ["(return_when)"]}
    assert surface.unlike == {"Queue": ["qsize"]}
    assert surface.lines() == [
        "Queue: not there: empty, a call of get without after, join, the keyword item of put, qsize, "
        f"{''.join(f'{name}, ' for name in newer)}task_done, a default for maxsize",
        "wait: not there: the parameter return_when",
    ]


@pytest.mark.parametrize("names", [asyncio, impl])
def test_nothing_is_missing_in_a_complete_one(names: Any) -> None:
    primitives = (
        "Lock", "Event", "Condition", "Semaphore", "Queue", "Barrier", "TaskGroup", "gather",
    )  # fmt: skip
    assert surface_of({name: getattr(names, name) for name in primitives}).missing == {}


def test_a_class_that_answers_for_all_names_has_all() -> None:
    class Wrapper:
        def __getattr__(self, name: str) -> Any: ...

    assert surface_of({"Event": Wrapper}) == Surface()


def test_what_a_program_uses_is_read_from_it() -> None:
    text = """
async def waits():
    async with l: await q.get()
q = Queue(2)
l = Lock()
a = go(waits)
q.put_nowait(1)
a.cancel()
"""
    used = uses(program(text))
    assert Use("Queue", places=1) in used
    assert Use("Queue", "put_nowait", 1) in used
    assert {str(use) for use in used} >= {"Lock.__aenter__", "Queue.get", "Task.cancel", "Task"}


def test_asyncios_code_that_is_given_an_incomplete_thing_needs_what_it_lacks() -> None:
    given = program("l = Lock()\nc = Condition(l)")
    surface = Surface({"Lock": ["locked"]})
    assert Focus(["Lock"], surface).look(given).lacks == "Lock.locked is not there"
    assert Focus(["Lock", "Condition"], surface).look(given).lacks == ""


def test_programs_are_deep_if_they_use_the_subjects_names_and_shallow_if_asyncio_does() -> None:
    focus = Focus(["Lock"], Surface())
    depths = Counter(focus.look(case.program).depth for case in catalogue())
    assert all(depths[depth] for depth in Depth)
    shallow = [case.program for case in catalogue() if focus.look(case.program).depth is Depth.SHALLOW]
    assert all("Condition" in str(program) or "Barrier" in str(program) for program in shallow)
    assert {focus.counts(rule) for rule in ("LOCK-1", "LOCK-12")} == {True}
    assert {focus.counts(rule) for rule in ("QUEUE-1", "COND-1")} == {False}


def test_a_loop_or_a_task_is_in_each_program() -> None:
    for brings in ([], ["Task"], ["new_event_loop", "Lock"]):
        focus = Focus(brings, Surface())
        assert {focus.look(case.program).depth for case in catalogue()} == {Depth.DEEP}
        assert focus.counts("QUEUE-1")


@pytest.mark.parametrize("name", ["Lock", "LifoQueue", "BoundedSemaphore", "gather"])
def test_small_and_random_programs_are_about_the_subject(name: str) -> None:
    focus = Focus([name], Surface())
    found = list(random(20, focus.names, focus.about))
    assert len(found) == 20
    found += enumeration(about=focus.about)
    assert all(f"'{name}'" in str(case.program) for case in found)


def test_a_rule_of_a_class_that_is_not_there_is_not_exercised() -> None:
    absent = {"QUEUE-28": "LifoQueue is not there", "QUEUE-29": "PriorityQueue is not there"}
    assert Focus(["Queue"], Surface()).elsewhere == absent
    assert Focus(["Queue", "LifoQueue"], Surface()).elsewhere == {"QUEUE-29": absent["QUEUE-29"]}
    assert Focus(["Task", "Queue"], Surface()).elsewhere == Focus(["Lock"], Surface()).elsewhere == {}
    kit = Kit(Here(BY_NAME["QueuePutterKeepsWakeUp"]), ["QUEUE-1", "QUEUE-28"], documented=False)
    kit.play(case for case in catalogue() if case.rules == ("QUEUE-28", "QUEUE-1"))  # on asyncio's LifoQueue
    states = {each.rule: (each.state, each.cases, each.why) for each in kit.report([]).verdicts}
    assert states.pop("QUEUE-1") == (State.HELD, 2, "")
    assert states == {"QUEUE-28": (State.ABSENT, 0, absent["QUEUE-28"])}


def test_each_interleaving_calls_what_its_rules_are_about() -> None:
    cases = enumeration(lambda rule: rule == "QUEUE-30", Focus(["Queue"], Surface()).about)
    assert cases
    assert [case.name for case in cases if "q.shutdown" not in str(case.program)] == []


def test_nothing_of_asyncios_is_built_upon_an_incomplete_name(tmp_path: Path) -> None:
    """asyncio's queue calls `clear` of its event."""
    with Process(subject(tmp_path, PARTS)) as process:
        waits = "q = Queue(); q.put_nowait(1); a = go(waits); turn(); q.get_nowait(); q.task_done()"
        joins = program(f"{waits}\nasync def waits(): await q.join()")
        assert shown(process.one(joins)) == observe(joins, "asyncio")
        assert process.surface.missing == {"Event": ["clear"], "Lock": ["locked"]}


def test_a_part_of_a_primitive_has_rules_of_its_own(tmp_path: Path, full: bool, monkeypatch: Patch) -> None:
    if not full:
        monkeypatch.setattr(budget, "INTERLEAVINGS", 60)
        monkeypatch.setattr(budget, "LEAKS", 6)
    report = conform(subject(tmp_path, PARTS), random=20 if full else 4)
    states = {verdict.rule: verdict for verdict in report.verdicts}
    assert states["EVENT-1"].state is states["LOCK-1"].state is State.HELD
    assert (states["LOCK-12"].state, states["LOCK-12"].why) == (State.ABSENT, "Lock.locked is not there")
    assert [rule for rule in states if rule.startswith("QUEUE")] == []
    assert report.notes[0 if full else 1 :] == [  # the first of the short form says that it is one
        "Lock: not there: locked",
        "Event: not there: clear",
        "brought, and never exercised: open_connection",
    ]


def test_what_only_one_side_has_is_not_looked_at() -> None:
    shown = program("l = Lock()\nsee(l)")
    lines = observe({**shown, "unseen": ["locked"]}, Ours())
    looks = [line for line in lines if line[1:3] in (["main", "see l"], ["end", "l"])]
    assert looks == [[0, "main", "see l", ""]]


def test_a_subject_of_which_nothing_is_exercised_is_an_error(tmp_path: Path, capsys: Captured) -> None:
    text = "import asyncio\nasync def open_connection(*given, **named): pass\n"
    name = subject(tmp_path, text)
    assert command.main([name]) == 2
    said = f"nothing of {name} was exercised: no program was played that uses open_connection"
    assert capsys.readouterr() == ("", f"loopspec conform: {said}\n")
    with pytest.raises(SubjectError, match="open_connection"):
        conform(name)
