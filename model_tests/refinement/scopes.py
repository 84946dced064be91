"""Runs of nested timeouts and task groups, recorded for the monitor of `spec.scopes`.

A program is a block: a tree of waits, errors, cancels and further blocks, each a timeout or a group.  A program also
has the times at which the task is cancelled from outside, and those at which a group is cancelled: before its entry,
within, or after its end.  On an asyncio without TaskGroup.cancel (before 3.15) groups are not cancelled.  The recorder
plays it in a task, in virtual time.  It writes a line for each step of the text, with cancelling() and with the error
that the task is about to raise, where that is seen.

Every wait ends at a time of its own, and so do the deadlines and the cancels, the failures, and the cancels of groups:
so no two of them meet in one iteration, where a group would see them in an order that no code can observe.
"""

from __future__ import annotations

from functools import cache, partial
from random import Random
from typing import Any, Final, NamedTuple

import impl
from spec.kit.core import Event
from spec.kit.monitor import Monitor
from spec.kit.trace import Do
from spec.scopes import Error, scope_model

from ..programs.virtual_asyncio import VirtualLoop
from .held import JudgedRuns, NamedLoops, Seen
from .subjects import ASYNCIO as STOCK

# `Any` in this file: a namespace with asyncio's names, and its objects.

#: The most scopes of a program, of each kind.
TIMEOUTS: Final = 3
GROUPS: Final = 2
#: More cancels from outside than a program has.
MOST: Final = 1_000
#: Programs take so many steps of the clock, of four milliseconds each; within a step each kind of event has its own.
STEPS: Final = 12
WAKES, ASKS, FAILS, STOPS = 0, 1, 2, 3
#: How long a task of a group takes to clean up: it ends between all other events.
CLEANS_UP_S: Final = 0.00925


OURS: Final = NamedLoops("impl", impl, impl.Loop)


def asyncio_runtime() -> NamedLoops:
    import asyncio

    return NamedLoops("asyncio", asyncio, VirtualLoop, deviations=STOCK.deviations)


class ScopeOp(NamedTuple):
    """One thing that a block does; `at_ms`: until when it waits.  `catches`: whether it catches its own error.
    `group`: the group that it cancels."""

    name: str
    at_ms: int = 0
    catches: bool = False
    group: int = 0


class ScopeBlock(NamedTuple):
    """A scope: its deadline, or when the first of its tasks fails; and its reaction to an error that it raises."""

    number: int
    group: bool
    at_ms: int | None
    ops: tuple[ScopeOp | ScopeBlock, ...]
    cleanup: tuple[ScopeOp, ...]
    catches: bool


class ScopeProgram(NamedTuple):
    """The body of the task, when it is cancelled from outside, and which groups are cancelled when."""

    body: ScopeBlock
    cancels_ms: tuple[int, ...]
    stops_ms: tuple[tuple[int, int], ...] = ()


def drawn(random: Random) -> ScopeProgram:
    """A random program."""
    left = {True: list(range(TIMEOUTS, TIMEOUTS + GROUPS)), False: list(range(TIMEOUTS))}

    def moment(kind: int) -> int:
        return 4 * random.randrange(1, STEPS) + kind

    def op() -> ScopeOp:
        name = random.choices(("until", "cancel", "uncancel", "raise", "stop"), (10, 1, 2, 1, 1))[0]
        return ScopeOp(name, moment(WAKES), random.random() < 0.3, a_group())

    def a_group() -> int:
        return TIMEOUTS + random.randrange(GROUPS)

    def block(depth: int) -> ScopeBlock:
        group = random.random() < 0.4
        if not left[group]:
            group = not group
        number = left[group].pop(0)
        when = moment(FAILS if group else ASKS) if random.random() < 0.8 else None
        ops: list[ScopeOp | ScopeBlock] = [op() for _ in range(random.randint(1, 2))]
        if depth < 2 and random.random() < 0.8 and (left[True] or left[False]):
            ops.insert(random.randint(0, len(ops)), block(depth + 1))
        cleanup = (ScopeOp("until", moment(WAKES)),) * (random.random() < 0.3)
        return ScopeBlock(number, group, when, tuple(ops), cleanup, random.random() < 0.4)

    body = block(0)
    cancels = {moment(ASKS) for _ in range(random.randint(0, 2))}
    stops = {moment(STOPS): a_group() for _ in range(random.choice((0, 0, 0, 1, 2)))}
    return ScopeProgram(body, tuple(sorted(cancels)), tuple((group, when) for when, group in sorted(stops.items())))


class BodyError(Exception):
    """An error of a body, or of a task of a group."""


class ScopeRecorder:
    """Plays a program in a task of its own."""

    def __init__(self, runtime: NamedLoops, program: ScopeProgram) -> None:
        self.names, self.program = runtime.names, program
        self.loop = runtime.new_loop()
        self.seen: list[Seen] = []
        self.error = Error.NONE
        self.waiting: dict[int, Any] = {}  # the timeouts that the task is in
        self.children: dict[int, int] = {}  # the tasks of each group that are not done, for the group
        self.groups = {number: self.names.TaskGroup() for number in range(TIMEOUTS, TIMEOUTS + GROUPS)}
        self.refusing: set[int] = set()  # the groups that were cancelled before their entry

    def run(self) -> list[Seen]:
        """Play it to the end of the task, and return the recorded lines."""
        try:
            self.loop.set_exception_handler(lambda *_: None)
            self.task = self.loop.create_task(self.main())
            for when in self.program.cancels_ms:
                self.loop.call_at(when / 1000, self.cancel)
            for number, when in self.program.stops_ms:
                self.loop.call_at(when / 1000, self.stop, number)
            self.loop.run_until_complete(self.task)
            return self.seen
        finally:
            self.loop.close()

    def write(self, name: str, *args: int, known: bool = True) -> None:
        """A line; `known`: whether the error that the task raises is seen."""
        error = {"error": self.error} if known else {}
        self.seen.append(Seen(Do(Event(name, args)), {"count": self.task.cancelling(), **error}))

    def unseen(self, name: str, *args: int) -> None:
        """A line for an event that took place before."""
        self.seen.append(Seen(Do(Event(name, args))))

    def cancel(self) -> None:
        """A cancel from outside."""
        if not self.task.done():
            self.expired()
            self.task.cancel()
            self.write("cancel", known=False)

    def stop(self, number: int) -> None:
        """A group is cancelled."""
        if not self.task.done() and hasattr(self.names.TaskGroup, "cancel"):
            self.expired()
            self.groups[number].cancel()
            self.write("cancel_group", number, known=False)
            if number not in self.children:
                self.refusing.add(number)

    def kind_of(self, error: BaseException) -> Error:
        if isinstance(error, self.names.CancelledError):
            return Error.CANCELLED
        return Error.TIMEOUT if isinstance(error, TimeoutError) else Error.FAILURE

    # --- the task --------------------------------------------------------------------------------------------

    async def main(self) -> None:
        """The program; then two waits, to throw a request that was not thrown before."""
        await self.block(self.program.body)
        for step in 1, 2:
            await self.op(ScopeOp("until", 4 * (STEPS + step), catches=True))

    async def block(self, block: ScopeBlock) -> None:
        try:
            await (self.group(block) if block.group else self.timeout(block))
        except BaseException as error:
            self.error = self.kind_of(error)
            self.write("leave", block.number)
            if not (block.catches or block.number == self.program.body.number):
                raise
            self.catch()
        else:
            self.error = Error.NONE
            self.write("leave", block.number)

    async def timeout(self, block: ScopeBlock) -> None:
        when = None if block.at_ms is None else block.at_ms / 1000
        async with self.names.timeout_at(when) as scope:
            self.write("enter", block.number)
            self.waiting[block.number] = scope
            try:
                await self.inside(block)
            finally:
                del self.waiting[block.number]

    async def group(self, block: ScopeBlock) -> None:
        waits = False
        try:
            async with self.groups[block.number] as group:
                self.write("enter", block.number)
                self.children[block.number] = 0
                if block.at_ms is not None and block.number not in self.refusing:
                    for coroutine in self.fails(block.at_ms), self.cleans_up():
                        self.children[block.number] += 1
                        child = group.create_task(coroutine)
                        child.add_done_callback(partial(self.ended, block.number))
                try:
                    await self.inside(block)
                finally:
                    self.write("end", block.number)
                    waits = self.children[block.number] > 0
                    if waits:
                        self.write("wait")
        finally:
            if waits:
                self.resumed(left=True)

    async def inside(self, block: ScopeBlock) -> None:
        try:
            for each in block.ops:
                await (self.block(each) if isinstance(each, ScopeBlock) else self.op(each))
        except BaseException:
            for op in block.cleanup:
                await self.op(op)
            raise

    async def op(self, op: ScopeOp) -> None:
        try:
            await self.does(op)
        except BaseException as error:
            self.error = self.kind_of(error)
            if op.name == "raise":
                self.write("raise_")
            if not op.catches:
                raise
            self.catch()

    async def does(self, op: ScopeOp) -> None:
        match op.name:
            case "raise":
                raise BodyError
            case "cancel":
                self.task.cancel()
                self.write("cancel")
            case "uncancel":
                self.uncancel()
            case "stop":
                self.stop(op.group)
            case _:
                await self.until(op.at_ms)

    def uncancel(self) -> None:
        """A request from outside is taken back, if one is left: the others are those of scopes."""
        made = [line.event.name for line, _ in self.seen if isinstance(line, Do)]
        if made.count("cancel") > made.count("uncancel"):
            self.task.uncancel()
            self.write("uncancel")

    def catch(self) -> None:
        self.error = Error.NONE
        self.write("catch")

    async def until(self, at_ms: int) -> None:
        """Wait until that time, if it is not past."""
        delay = at_ms / 1000 - self.loop.time()
        if delay <= 0:
            return
        self.write("wait")
        try:
            await self.names.sleep(delay)
        except self.names.CancelledError:
            self.error = Error.CANCELLED
            raise
        finally:
            self.resumed()

    def resumed(self, left: bool = False) -> None:
        """The task runs again; `left`: it has left a group, too, and the next line will be about that group."""
        self.expired()
        if left:
            self.unseen("resume")
        else:
            self.write("resume")

    def expired(self) -> None:
        """Lines for the timeouts that have expired since."""
        for number, scope in self.waiting.items():
            if scope is not None and scope.expired():
                self.waiting[number] = None
                self.unseen("expire", number)

    # --- the tasks of groups -----------------------------------------------------------------------------------

    async def fails(self, at_ms: int) -> None:
        delay = at_ms / 1000 - self.loop.time()
        await self.names.sleep(max(delay, 0.0005))
        raise BodyError

    async def cleans_up(self) -> None:
        try:
            await self.loop.create_future()
        finally:
            await self.names.sleep(CLEANS_UP_S)

    def ended(self, number: int, child: Any) -> None:
        """A task of a group is done; the group was told just before."""
        self.children[number] -= 1
        self.expired()
        if not child.cancelled():
            self.write("fail", number, known=False)


@cache
def judged() -> JudgedRuns[NamedLoops, ScopeProgram]:
    """All runs; they share the monitor's knowledge of states."""
    monitor = Monitor(scope_model(TIMEOUTS, GROUPS, MOST))
    return JudgedRuns(monitor, lambda runtime, program: ScopeRecorder(runtime, program).run())
