"""The files that `loopspec new` writes, for the name `gate`; `written` puts another name in its place.

The lines are short enough for a name of LONGEST characters in 88 columns, and none is split that a shorter name would
let a formatter join.
"""

from __future__ import annotations

import ast
import re
from typing import Final

from impl.bridges.own_packages import spelled

#: The most characters of a name.
LONGEST: Final = 15

TEXT: Final = spelled('''\
"""The specification of `gate`: tasks take permits, and wait while none is free."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NewType

from spec.kit import Fails, Holds, Model, Spec, mutant, only

Task = NewType("Task", int)


class Said(StrEnum):
    DONE = "done"


@dataclass(frozen=True)
class Const:
    tasks: frozenset[Task]
    most: int


@dataclass(frozen=True)
class State:
    free: int
    waiting: frozenset[Task]


# A Task that is a parameter of an action is one of the constant `tasks`.
gate = Spec[Const, State]("gate", State, universe={Task: "tasks"})


def done(k: Const, s: State, t: State, task: Task) -> tuple[Said, ...]:
    return () if task in t.waiting else (Said.DONE,)


@gate.init
def full(k: Const, s: State) -> bool:
    """GATE-1: At first all permits are free."""
    return s.free == k.most


@gate.action(answer=done)
def acquire(k: Const, s: State, task: Task) -> Iterator[State]:
    """GATE-2: A task takes a permit, or waits while none is free."""
    if task not in s.waiting and s.free > 0:
        yield replace(s, free=s.free - 1)
    elif task not in s.waiting:
        yield replace(s, waiting=s.waiting | {task})


@gate.action(answer=done, fair=True, hidden=True)
def take(k: Const, s: State, task: Task) -> Iterator[State]:
    """GATE-3: A task that waits takes a permit that became free."""
    if task in s.waiting and s.free > 0:
        yield replace(s, free=s.free - 1, waiting=s.waiting - {task})


@gate.action()
def tick(k: Const, s: State) -> Iterator[State]:
    """GATE-4: Time passes: one more permit is free, up to the most."""
    yield replace(s, free=min(s.free + 1, k.most))


@gate.invariant
def no_permit_too_many(k: Const, s: State) -> bool:
    """GATE-5: There are never more free permits than the most."""
    return s.free <= k.most


def model(spec: Spec[Const, State] = gate) -> Model[Const, State]:
    """A bounded model: two tasks, one permit."""
    k = Const(frozenset({Task(0), Task(1)}), most=1)
    return Model(spec, k, (State(k.most, frozenset()),), {Task: k.tasks})


def tick_on(k: Const, s: State) -> Iterator[State]:
    """GATE-4: Wrong: permits pile up."""
    yield replace(s, free=s.free + 1)


wrong = mutant(gate, "permits pile up", tick=tick_on)
SMALL = Holds(gate, "small", lambda: [model()])
WRONG = Fails(
    gate,
    "permits pile up",
    lambda: model(only(wrong, "no_permit_too_many")),
    broken="no_permit_too_many",
    depth=1,
)
''')

ADAPTER: Final = spelled('''\
"""Code for the specification in gate.py, and the adapter that holds it to that."""

import asyncio
from collections import deque

from model_tests.refinement.machines.objects import object_adapter

from gate import Const, State


class Permits:
    """The code under test: its methods have the names of the actions."""

    def __init__(self, most: int) -> None:
        self.free = self.most = most
        self.waiters: deque[asyncio.Future[None]] = deque()

    async def acquire(self) -> None:
        while self.free == 0:
            waiter = asyncio.get_running_loop().create_future()
            self.waiters.append(waiter)
            try:
                await waiter
            except asyncio.CancelledError:
                self.wake()  # another, if this one was woken
                raise
        self.free -= 1

    def tick(self) -> None:
        self.free = min(self.free + 1, self.most)
        self.wake()

    def wake(self) -> None:
        """Wake a task that still waits, if a permit is free."""
        while self.free > 0 and self.waiters:
            waiter = self.waiters.popleft()
            if not waiter.done():
                waiter.set_result(None)
                break


def new(k: Const) -> Permits:
    return Permits(k.most)


def agrees(permits: Permits, s: State) -> bool:
    """Whether what the code shows of itself may be seen in a state."""
    return permits.free == s.free


make = object_adapter(new, agrees=agrees)
''')

TEST: Final = spelled('''\
"""The code in gate_adapter.py, held to the specification in gate.py."""

import asyncio

import pytest
from model_tests.explored import OwnOracle
from model_tests.refinement.check_implementation import check_implementation

from gate import SMALL, model
from gate_adapter import Permits, make


def test_it_does_what_the_specification_allows() -> None:
    """Any event that is allowed may come between any two turns of the loop."""
    check_implementation(SMALL, make=make, examples=25)


@pytest.mark.explore(runs=50, spec=OwnOracle(model(), Permits))
async def test_a_program_under_many_schedules() -> None:
    """In each run the tasks take turns in another order, in virtual time."""
    permits = Permits(most=1)
    tasks = [asyncio.create_task(permits.acquire()) for _ in range(2)]
    await asyncio.sleep(1)
    permits.tick()
    await asyncio.gather(*tasks)
''')

#: The files, by the name that each has for `gate`.
FILES: Final = {"gate.py": TEXT, "gate_adapter.py": ADAPTER, "test_gate.py": TEST}


def written(name: str) -> dict[str, str]:
    """The files for another name: file name -> text."""

    def put(text: str) -> str:
        return re.sub(r"(?<![a-z])gate(?![a-z])", name, text.replace("GATE-", f"{name.upper()}-"))

    return {put(file): put(text) for file, text in FILES.items()}


def taken() -> set[str]:
    """The names that the files use themselves."""
    nodes = [node for text in FILES.values() for node in ast.walk(ast.parse(text))]
    found = {node.id for node in nodes if isinstance(node, ast.Name)}
    found |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    found |= {node.name for node in nodes if isinstance(node, ast.alias | ast.FunctionDef)}
    return found - {"gate"}
