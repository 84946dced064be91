"""The outcomes that the rules allow: as a search of all choices finds them, and as they are stored."""

import json
from random import Random
from typing import Any

import pytest

import impl
from impl.explore.choices.odometer import Odometer

from ....conformance.normal import Line, NormalForm, strings
from ....conformance.stepping import Stepping
from ....conformance.vectors.command import row, stored
from ....conformance.vectors.outcomes import member, noted, outcomes
from ....conformance.vectors.states import Loop
from ....programs.freedoms import designs
from ....programs.runtimes import TURNS_MAX, Ours, observe
from ....programs.vectors.catalogue import CATALOGUE
from ....programs.vectors.vector import vectors

GETTERS = """two getters: QUEUE-3
async def a(): await q.get()
async def b(): await q.get()
q = Queue()
A = go(a)
B = go(b)
turn()
q.put_nowait(1)
q.put_nowait(2)
"""
CANCEL = """a cancel: LOCK-5
async def a(): await l.acquire()
l = Lock()
await l.acquire()
A = go(a)
turn()
A.cancel()
l.release()
"""
GATHER = """two of a gather: GATHER-1
async def a(): f.done()
async def b(): f.set_result(1)
f = future()
await gather(a(), b())
"""
EVENT = """an event: EVENT-1
async def a(): await e.wait()
e = Event()
A = go(a)
turn(3)
e.set()
turn()
turn(2)
see(A)
"""
GROUP = """a group: GROUP-1
async def a(): f.done()
f = future()
async with TaskGroup() as g: g.create_task(a())
"""
#: Programs; and lines of each that, put first, make an outcome that no rule allows.
PROGRAMS = {
    GETTERS: "await q.get()",
    CANCEL: "l.release()",
    GATHER: "await gather(body(a), body(b))",
    EVENT: "see A",
    GROUP: "end with TaskGroup()",
}


class Whole(Stepping):
    """A player that draws nothing after the lines."""

    def end(self, named: list[str]) -> None:
        self.loop.choices.finish()
        self.loop.close()


def by_choices(program: dict[str, Any], names: Any, form: NormalForm) -> set[str]:
    """Return the outcomes of all lists of choices, one run each."""
    odometer, found = Odometer(), set()
    while True:
        loop = Loop(odometer.choices(), "any", turns_max=TURNS_MAX)
        player = Whole(program, Ours(names, loop))
        found.add(json.dumps(noted(form.of(player.play()))))
        if not odometer.next():
            return found


def in_file(expected: list[Line], told: dict[str, Any], lines: list[Line]) -> bool:
    return member(lines, expected, told["more"], told["outcomes"])


@pytest.mark.parametrize("text", PROGRAMS)
def test_the_search_of_states_finds_what_all_choices_do(text: str) -> None:
    (vector,) = vectors(f"# {text}")
    form = NormalForm(vector.program, vector.rules)
    expected = observe(vector.program, "impl")
    told = outcomes(vector, expected, most=5_000)
    every: set[str] = set()
    for names in designs(impl.__all__, set(strings(vector.program))):
        every |= by_choices(vector.program, names, form)
    assert every
    assert all(in_file(form.of(expected), told, json.loads(lines)) for lines in every)
    assert told["outcomes"] is not None
    assert paths(told["outcomes"]) == len(every)
    for lines in map(json.loads, sorted(every)):
        moved = sorted(lines, key=lambda line: line[2] != PROGRAMS[text])
        assert json.dumps(moved) in every or not in_file(form.of(expected), told, moved)
        assert not in_file(form.of(expected), told, lines[:-1])
        assert not in_file(form.of(expected), told, [*lines, lines[-1]])
        assert not in_file(form.of(expected), told, [[1, *lines[0][1:]], *lines[1:]])


def paths(states: list[list[int]], at: int = 0) -> int:
    """Return the number of lists of lines."""
    return sum(1 if to < 0 else paths(states, to) for to in states[at][1::2])


def test_a_set_that_is_too_large_is_none() -> None:
    (vector,) = vectors(f"# {next(iter(PROGRAMS))}")
    assert outcomes(vector, [], most=5)["outcomes"] is None


def test_stored_outcomes_are_those_of_the_reference(full: bool) -> None:
    """Else: loopspec vectors --search --json model_tests/programs/vectors/vectors.json."""
    told = stored()
    numbers = range(len(CATALOGUE)) if full else Random(36).sample(range(len(CATALOGUE)), 6)
    for number in numbers:
        assert row(CATALOGUE[number], {}) == told[number]
    assert sum(each["outcomes"] is not None for each in told) > len(told) // 2
    for vector, each in zip(CATALOGUE, told, strict=True):
        form = NormalForm(vector.program, vector.rules)
        lines = noted(form.of(Stepping(vector.program, Ours()).play()))
        assert each["outcomes"] is None or in_file(form.of(each["expected"]), each, lines)
