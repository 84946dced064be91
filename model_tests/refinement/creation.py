"""Runs of tasks and callbacks that create tasks, recorded for the monitor of `spec.creation`.

A program has the statements before the loop runs, and those of each task, by step: it creates tasks, cancels them,
gives its step up, and returns.  Every line is written with the task that runs, as current_task() says it, so that a
first step that is taken at once, or is not, shows.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import cache, partial
from random import Random
from typing import Any, Final, NamedTuple

import impl
from spec.creation import LOOP, creation_model
from spec.kit.core import Event
from spec.kit.monitor import Monitor
from spec.kit.trace import Do

from .held import JudgedRuns, NamedLoops, Seen
from .subjects import one_turn

# `Any` in this file: a namespace with asyncio's names, and its objects.

TASKS: Final = 6
#: More iterations than a program needs.
TURNS: Final = 40


OURS: Final = NamedLoops("impl", impl, impl.Loop, eager=False)
OURS_EAGER: Final = NamedLoops("impl, eager", impl, partial(impl.Loop, eager=True), eager=True)
ASYNCIO: Final = NamedLoops("asyncio", asyncio, asyncio.new_event_loop, eager=False)


def eager_asyncio() -> NamedLoops:
    """asyncio with eager start, which it has since 3.12."""

    def new_loop() -> asyncio.AbstractEventLoop:
        loop = asyncio.new_event_loop()
        loop.set_task_factory(getattr(asyncio, "eager_task_factory"))  # noqa: B009  # since 3.12
        return loop

    return NamedLoops("asyncio, eager", asyncio, new_loop, eager=True)


class CreationOp(NamedTuple):
    """One thing that a task does: `create` or `cancel` a task, or `pause`."""

    name: str
    task: int = 0


class CreationProgram(NamedTuple):
    """The calls before the loop runs, those of a callback then, and those of each task."""

    before: tuple[CreationOp, ...]
    callback: tuple[CreationOp, ...]
    bodies: tuple[tuple[CreationOp, ...], ...]


def drawn(random: Random) -> CreationProgram:
    """A random program."""

    def ops(pauses: bool) -> tuple[CreationOp, ...]:
        names = random.choices(("create", "cancel", "pause"), (4, 1, 2 * pauses), k=random.randint(0, 4))
        return tuple(CreationOp(name, random.randrange(TASKS)) for name in names)

    first = CreationOp("create", random.randrange(TASKS))
    return CreationProgram((*ops(False), first), ops(False), tuple(ops(True) for _ in range(TASKS)))


class CreationRecorder:
    """Plays a program; a task is created once, and not cancelled after it has begun."""

    def __init__(self, runtime: NamedLoops, program: CreationProgram) -> None:
        self.names, self.program = runtime.names, program
        self.loop = runtime.new_loop()
        self.seen: list[Seen] = []
        self.tasks: dict[int, Any] = {}
        self.bodies: dict[object, int] = {}
        self.created: set[int] = set()
        self.begun: set[int] = set()
        self.creating: list[int] = []  # the tasks of the calls of create_task that have not returned
        self.running = False

    def run(self) -> list[Seen]:
        """Play it until nothing moves, and return the recorded lines."""
        try:
            self.loop.call_soon(self.begin)
            self.do(self.program.before)
            for _ in range(TURNS):
                one_turn(self.loop)
            return self.seen
        finally:
            self.loop.close()

    def begin(self) -> None:
        """The loop has begun to run."""
        self.running = True
        self.write("start")
        self.do(self.program.callback)

    def current(self) -> int:
        """The task that runs, by its coroutine: with eager start it may have no name yet."""
        task = self.names.current_task(self.loop) if self.running else None
        return LOOP if task is None else self.bodies[task.get_coro()]

    def write(self, name: str, *args: int) -> None:
        self.seen.append(Seen(Do(Event(name, args)), {"current": self.current()}))

    def do(self, ops: Sequence[CreationOp]) -> None:
        for op in ops:
            if op.name == "create" and op.task not in self.created:
                self.create(op.task)
            elif op.name == "cancel" and op.task in self.tasks and op.task not in self.begun:
                self.tasks[op.task].cancel()
                self.write("cancel", op.task)

    def create(self, number: int) -> None:
        """The line of it is written when the body begins within the call, or when the call returns."""
        self.created.add(number)
        self.creating.append(number)
        body = self.body(number)
        self.bodies[body] = number
        task = self.loop.create_task(body)
        if self.creating[-1:] == [number]:
            self.creating.pop()
            self.write("create", number)
        self.tasks[number] = task

    async def body(self, number: int) -> None:
        self.begun.add(number)
        if self.creating[-1:] == [number]:
            self.creating.pop()
            self.write("create", number)
        else:
            self.write("step", number)
        for op in self.program.bodies[number]:
            if op.name == "pause":
                self.ends("pause", number)
                await self.names.sleep(0)
                self.write("step", number)
            else:
                self.do([op])
        self.ends("finish", number)

    def ends(self, name: str, number: int) -> None:
        """A step is about to end; the next line has the task that runs then."""
        self.seen.append(Seen(Do(Event(name, (number,)))))


@cache
def judged(eager: bool) -> JudgedRuns[NamedLoops, CreationProgram]:
    """All runs, with eager start or without; they share the monitor's knowledge of states."""
    monitor = Monitor(creation_model(TASKS, eager=eager))
    return JudgedRuns(monitor, lambda runtime, program: CreationRecorder(runtime, program).run())
