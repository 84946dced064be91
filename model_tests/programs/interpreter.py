"""Run a random program on a runtime and write down all that can be seen, in order.

Theory of operation.  One interpreter serves every runtime: a `Runtime` is a subject (subjects.py) whose loop also
has a clock.  It makes the futures and queues, starts the root task, and lets the loop run until it comes to rest:
nothing ready, no timer.  Which tasks are pending then is part of what is seen.  Then all that still waits is
cancelled, oldest first, and the loop comes to rest again, until nobody is left: bodies have no loops, so every
round ends some operation, and the cleanup of cancelled tasks is seen too.

An event is (virtual milliseconds, who, what, ...): who is a task's number in order of creation, or the path of a
callback.  Texts of errors and messages are not written down: nobody promises them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol, cast

import impl

from ..subjects import ASYNCIO, IMPL, FutureLike, LoopLike, QueueLike, Subject, TaskLike
from .random_programs import (
    Act,
    AddCallback,
    Await,
    AwaitChild,
    CallAtOnce,
    CallLater,
    CallSoon,
    CancelFuture,
    CancelTask,
    Finally,
    Get,
    GetNowait,
    Join,
    Op,
    Pause,
    Program,
    Put,
    PutNowait,
    Raise,
    Resolve,
    Sleep,
    Spawn,
    Swallow,
    TaskDone,
    Uncancel,
)
from .virtual_asyncio import Hang, VirtualLoop

#: Virtual milliseconds, who, what, and what came of it.
Event = tuple[int, str, str, object]

#: Far beyond what bodies without loops can need.
_ROUNDS_MAX: Final = 1000


class TimedLoop(LoopLike, Protocol):
    """What the interpreter calls of a loop beyond what the machines do."""

    def time(self) -> float: ...

    # Any: as in subjects.py
    def call_later(self, delay: float, callback: Callable[..., object], /, *args: Any) -> object: ...


@dataclass(frozen=True)
class Runtime:
    """A subject in virtual time; `hang` is what its loop raises when nothing can happen any more."""

    subject: Subject
    hang: type[Exception]


VIRTUAL_ASYNCIO: Final = Runtime(replace(ASYNCIO, new_loop=VirtualLoop), Hang)
OURS: Final = Runtime(IMPL, impl.DeadlockError)


class Failure(Exception):
    """What programs raise."""


def run(program: Program, runtime: Runtime, new_loop: Callable[[], LoopLike] | None = None) -> list[Event]:
    """All that can be seen of a run of `program`; `new_loop` takes the place of the subject's."""
    return _Run(program, runtime, new_loop or runtime.subject.new_loop).to_rest()


class _Run:
    """One run."""

    def __init__(self, program: Program, runtime: Runtime, new_loop: Callable[[], LoopLike]) -> None:
        self.subject = runtime.subject
        self.hang = runtime.hang
        self.loop = cast(TimedLoop, new_loop())
        self.events: list[Event] = []
        self.futures: list[FutureLike] = [self.loop.create_future() for _ in range(program.futures)]
        self.queues: list[QueueLike] = [self.subject.new_queue(size) for size in program.queues]
        self.tasks: list[TaskLike] = []
        self.items = 0
        self.loop.set_exception_handler(self.reported)
        self.spawn(program.body)

    def to_rest(self) -> list[Event]:
        for _ in range(_ROUNDS_MAX):
            try:
                self.loop.run_forever()
            except self.hang:
                pass
            pending = [task for task in self.tasks if not task.done()]
            self.see("loop", "rest", [self.tasks.index(task) for task in pending])
            if not pending:
                break
            for task in pending:
                task.cancel()
        else:
            raise AssertionError(f"still not at rest: {self.tasks}")
        for cell in (*self.futures, *self.tasks):
            self.see("loop", "end", self.ended(cell))
        self.loop.close()
        return self.events

    # --- what is seen ----------------------------------------------------------------------------------------

    def see(self, who: str, what: str, result: object) -> None:
        self.events.append((round(self.loop.time() * 1000), who, what, result))

    def ended(self, cell: FutureLike) -> str:
        """How it ended; asking retrieves an exception, so that asyncio does not report it later."""
        if not cell.done():
            return "pending"
        if cell.cancelled():
            return "cancelled"
        return (
            f"result {cell.result()}"
            if cell.exception() is None
            else f"error {type(cell.exception()).__name__}"
        )

    def reported(self, loop: object, context: dict[str, Any]) -> None:  # Any: asyncio's context dict
        self.see("handler", type(context["exception"]).__name__, None)

    # --- callbacks -------------------------------------------------------------------------------------------

    def called(self, who: str, acts: tuple[Act, ...]) -> None:
        self.see(who, "called", None)
        for number, act in enumerate(acts):
            self.act(f"{who}.{number}", act)

    def act(self, who: str, act: Act) -> None:
        """Do what does not wait; an error that asyncio documents is an outcome."""
        try:
            self.see(who, type(act).__name__, self.done(who, act))
        except (
            self.subject.invalid_state,
            self.subject.queue_empty,
            self.subject.queue_full,
            ValueError,
        ) as error:
            self.see(who, type(act).__name__, type(error).__name__)

    def done(self, who: str, act: Act) -> object:
        """Do it; what it answers, if it answers."""
        match act:
            case Resolve(future, True):
                self.futures[future].set_exception(Failure())
            case Resolve(future, False):
                self.futures[future].set_result(who)
            case CancelFuture(future):
                return self.futures[future].cancel()
            case AddCallback(cell, acts):
                cells: list[FutureLike] = [*self.futures, *self.tasks]
                cells[cell % len(cells)].add_done_callback(lambda done: self.called(f"{who}:done", acts))
            case PutNowait(queue):
                self.queues[queue].put_nowait(self.item())
            case GetNowait(queue):
                return self.queues[queue].get_nowait()
            case TaskDone(queue):
                self.queues[queue].task_done()
            case CancelTask(number):
                task = self.tasks[number % len(self.tasks)]
                return task.cancel(), task.cancelling()
            case CallSoon(acts):
                self.loop.call_soon(self.called, f"{who}:soon", acts)
            case Raise():
                raise Failure
        return None

    def item(self) -> int:
        self.items += 1
        return self.items

    # --- tasks -----------------------------------------------------------------------------------------------

    def spawn(self, body: tuple[Op, ...]) -> TaskLike:
        number = len(self.tasks)
        task = self.loop.create_task(self.task(number, body), name=f"task {number}")
        self.tasks.append(task)
        return task

    async def task(self, number: int, body: tuple[Op, ...]) -> int:
        self.see(str(number), "begin", None)
        await self.play(number, f"{number}", body, [])
        return number

    async def play(self, number: int, who: str, body: tuple[Op, ...], children: list[TaskLike]) -> None:
        for place, op in enumerate(body):
            at = f"{who}.{place}"
            match op:
                case Swallow(inner):
                    try:
                        await self.play(number, at, inner, children)
                    except self.subject.cancelled_error:
                        self.see(at, "swallowed", self.tasks[number].cancelling())
                case Finally(inner, cleanup):
                    try:
                        await self.play(number, at, inner, children)
                    finally:
                        self.see(at, "cleanup", None)
                        await self.play(number, f"{at}f", cleanup, children)
                case Spawn(inner):
                    children.append(self.spawn(inner))
                    self.see(at, "Spawn", self.tasks.index(children[-1]))
                case Uncancel():
                    self.see(at, "Uncancel", self.tasks[number].uncancel())
                case CallLater(ms, acts):
                    self.see(at, "CallLater", ms)
                    self.loop.call_later(ms / 1000, self.called, f"{at}:later", acts)
                case Pause() | Sleep() | CallAtOnce() | Await() | Put() | Get() | Join() | AwaitChild():
                    await self.wait(at, op, children)
                case _:
                    self.act(at, op)

    async def wait(self, who: str, op: Op, children: list[TaskLike]) -> None:
        """An operation that may give up the turn: its begin, and how it ended."""
        what = type(op).__name__
        self.see(who, what, "...")
        try:
            self.see(who, what, await self.waited(who, op, children))
        except Failure:
            self.see(who, what, "failed")
        except self.subject.cancelled_error:
            self.see(who, what, "cancelled")
            raise

    async def waited(self, who: str, op: Op, children: list[TaskLike]) -> object:
        match op:
            case Pause(turns):
                for turn in range(turns):
                    await self.subject.sleep(0)
                    self.see(who, "turn", turn)
            case Sleep(ms):
                await self.subject.sleep(ms / 1000)
            case CallAtOnce(acts):
                self.loop.call_later(0, self.called, f"{who}:at once", acts)
                await self.subject.sleep(0)
            case Await(future):
                return await self.futures[future]
            case Put(queue):
                await self.queues[queue].put(item := self.item())
                return item
            case Get(queue):
                return await self.queues[queue].get()
            case Join(queue):
                await self.queues[queue].join()
            case AwaitChild(child) if children:
                return await children[child % len(children)]
        return None
