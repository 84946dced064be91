"""The adapter of futures, tasks and shields, and the machine that holds them to `spec.task`.

An adapter makes all futures and tasks of a model on a new loop.  A task's body plays the moves that it is sent while
it has the turn: it awaits, pauses, ends, and calls.  Its thread (`command_thread.py`) stands still in the task's step
until the next move comes, so each move is an action of its own.  Between two loop iterations a call comes from outside.

A step is recorded by the task that takes it, with what its await gave.  Every result, exception and message of a
cancel() is used once: an await that gives another one gives an answer that no specification has.

Source: CPython gives the message of a cancelled task to the first awaiter only, and shield() cancels without one.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable, Iterator
from functools import cache
from typing import Any, Final, cast

from spec.kit.core import Event, Spec
from spec.kit.fifo import Queued
from spec.kit.trace import Do, Return
from spec.task import Const, Fut, Is, Loop, task, task_fifo_model
from spec.task import loop as loop_spec
from spec.task.models import at_rest

from ..schedules.directed import TURN
from ..subjects import IMPL, Deviation, FutureLike, Subject, TaskLike, one_turn
from .adapter import Adapter, Make, Record
from .command_thread import CommandThread
from .generated import SpecMachine, machine

#: The actions that are calls: of the task that has the turn, or from outside.
CALLS: Final = frozenset({"resolve", "cancel", "uncancel"})
#: The actions by which a task uses its turn.
OWN: Final = frozenset({"await_", "await_done", "pause", "leave"})
#: More than an example has steps.
MOST: Final = 1_000
#: A run comes to rest after far fewer moves for each of its futures.
MOVES_MOST: Final = 20
#: Tasks, futures, and what is shielded.
SIZES: Final = (3, 1, ()), (2, 2, (0,))

# Any: a state of the specification, with a queue beside it or without.
AnyState = Any


class Boom(Exception):
    """The exception of futures and coroutines; each is raised for one future."""


class TaskAdapter:
    """The futures of `k` on a loop of `subject`."""

    def __init__(self, subject: Subject, k: Const, record: Record) -> None:
        self.subject, self.k, self.record = subject, k, record
        self.over = False
        self.idle = False  # whether the last iteration has changed nothing
        self.turn_of = k.loop
        self.records = 0
        self.outcomes: dict[Fut | None, object] = {None: None}  # results and exceptions; sleep(0) gives None
        self.messages: list[str] = []
        self.read: set[Fut | None] = set()  # what has been awaited to its end
        self.loop = subject.new_loop()
        self.loop.set_exception_handler(lambda *_: None)
        self.bodies = {t: self.body(t) for t in sorted(k.tasks)}
        self.tasks: dict[Fut, TaskLike] = {}
        self.futures: dict[Fut, FutureLike] = {}
        for x in sorted(k.all):
            self.futures[x] = self.made(x)
        self.thread = CommandThread(self.play)

    def made(self, x: Fut) -> FutureLike:
        if x in self.k.tasks:
            self.tasks[x] = self.loop.create_task(self.bodies[x], name=f"task {x}")
            return self.tasks[x]
        if x in self.k.shields:
            return cast(FutureLike, self.subject.shield(self.futures[self.k.inner[x]]))
        return self.loop.create_future()

    # --- what a machine asks for --------------------------------------------------------------------------------

    def knows(self, name: str) -> bool:
        return name in CALLS or name in OWN or name == "step"

    def do(self, event: Event) -> None:
        """Play a move.  A step is the loop's: the loop runs until a task has the turn."""
        self.idle = False
        self.thread.send(TURN if event.name == "step" else event)

    def turn(self) -> None:
        """One iteration, or as much of it as runs before a task has the turn; nothing while a task has it."""
        if self.turn_of == self.k.loop:
            self.thread.send(TURN)

    def settle(self) -> None:
        """A task that has the turn awaits everything that is done; then a future, or it ends if none is pending."""
        for _ in range(MOVES_MOST * len(self.k.all)):
            if (t := self.turn_of) != self.k.loop:
                for move in self.parking(t):
                    self.do(move)
                    if move.name == "await_done" and self.turn_of != t:
                        return  # it has suspended the task, which no specification allows
            elif self.idle:
                return
            else:
                self.turn()
        raise AssertionError("the loop does not come to rest")

    def parking(self, t: Fut) -> Iterator[Event]:
        for x, future in self.futures.items():
            if future.done():
                yield Event("await_done", (t, x))
        for f, future in self.futures.items():
            if loop_spec.plain(self.k, f) and not future.done():
                yield Event("await_", (t, f))
                return
        yield Event("leave", (t, Is.RESULT))

    def see(self, s: AnyState) -> bool:
        now: Loop = s.below if isinstance(s, Queued) else s
        return (
            now.turn == self.turn_of
            and (not self.idle or at_rest(self.k, now))
            and all(now.state[x] == self.state(x) for x in self.futures)
            and all(now.count[t] == task.cancelling() for t, task in self.tasks.items())
        )

    def state(self, x: Fut) -> object:
        """What x shows; what no specification has, if it contradicts what is known."""
        future, expected = self.futures[x], self.outcomes.get(self.origin(x))
        if x in self.tasks and self.tasks[x].get_name() != f"task {x}":
            return self.tasks[x].get_name()
        seen = state_of(future, self.subject)
        if seen == Is.ERROR and future.exception() is not expected:
            return future.exception()
        if seen == Is.RESULT and future.result() is not expected:
            return future.result()
        return seen

    def origin(self, x: Fut) -> Fut:
        """What x takes its outcome from: x itself, or what it shields."""
        return self.origin(self.k.inner[x]) if x in self.k.shields else x

    def close(self) -> None:
        self.over = True
        self.thread.close()
        for body in self.bodies.values():
            body.close()
        self.loop.close()

    # --- what its thread runs -----------------------------------------------------------------------------------

    def play(self, move: Event) -> None:
        """A move while no task has the turn."""
        if move.name in CALLS:
            self.call(move)
        elif move == TURN:
            before = self.records, [future.done() for future in self.futures.values()]
            one_turn(self.loop)
            self.turn_of = self.k.loop
            self.idle = before == (self.records, [future.done() for future in self.futures.values()])

    def took_place(self, event: Event, *answers: Hashable) -> None:
        if not self.over:
            self.records += 1
            self.record(Do(event))
            for answer in answers:
                self.record(Return(event.args[0], answer))

    def call(self, move: Event) -> None:
        x = cast(Fut, move.args[0])
        match move.name:
            case "cancel":
                self.took_place(move, self.futures[x].cancel(self.message()))
            case "uncancel":
                self.took_place(move, self.tasks[x].uncancel())
            case _:
                self.took_place(move, self.resolve(x, move.args[1] == Is.ERROR))

    def message(self) -> str:
        """A new one."""
        self.messages.append(f"message {len(self.messages)}")
        return self.messages[-1]

    def resolve(self, f: Fut, fails: bool) -> bool:
        """Whether f accepts it."""
        outcome = Boom(f) if fails else object()
        try:
            if isinstance(outcome, Boom):
                self.futures[f].set_exception(outcome)
            else:
                self.futures[f].set_result(outcome)
        except self.subject.invalid_state:
            return False
        self.outcomes[f] = outcome
        return True

    async def body(self, t: Fut) -> object:
        """A task: it plays what it is sent."""
        self.took_place(Event("step", (t,)), Is.RESULT)
        while not self.over:
            self.turn_of = t
            move = self.thread.next_command()
            f = cast(Fut, move.args[-1]) if move.args else None
            if move.name in CALLS:
                self.call(move)
            elif move.name == "leave":
                self.took_place(move)
                return self.end(t, move.args[1])
            elif move.name == "await_done":
                self.took_place(move, await self.outcome(f))
            elif move.name in OWN:
                self.took_place(move)
                got = await self.outcome(None if move.name == "pause" else f)
                self.took_place(Event("step", (t,)), got)
        return None

    def end(self, t: Fut, how: Hashable) -> object:
        """Return or raise something new."""
        if how == Is.CANCELLED:
            raise self.subject.cancelled_error(self.message())
        self.outcomes[t] = outcome = Boom(t) if how == Is.ERROR else object()
        if isinstance(outcome, Boom):
            raise outcome
        return outcome

    async def outcome(self, x: Fut | None) -> Hashable:
        """What awaiting x, or sleep(0), gives."""
        awaited: Awaitable[object] = self.subject.sleep(0) if x is None else self.futures[x]
        expected = None if x is None else self.origin(x)
        try:
            got = await awaited
        except self.subject.cancelled_error as error:
            unsettled = x in self.k.shields or (x in self.tasks and x in self.read)
            self.read.add(x)
            return (
                Is.CANCELLED if unsettled or error.args[:1] in [(m,) for m in self.messages] else repr(error)
            )
        except Boom as error:
            return Is.ERROR if error is self.outcomes.get(expected) else repr(error)
        return Is.RESULT if got is self.outcomes.get(expected) else repr(got)


def state_of(future: FutureLike, subject: Subject) -> Is | None:
    """What has become of it; None if its methods disagree.

    Those of a cancelled task are not asked: CPython gives the message of its cancellation to the first reader only.
    """
    if future.cancelled():
        return Is.CANCELLED if future.done() else None
    if not future.done():
        refused = [refuses(read, subject) for read in (future.result, future.exception)]
        return Is.PENDING if all(refused) else None
    error = future.exception()
    return Is.RESULT if error is None else Is.ERROR if isinstance(error, Boom) else None


def refuses(read: Callable[[], object], subject: Subject) -> bool:
    """Whether it raises InvalidStateError."""
    try:
        read()
    except subject.invalid_state:
        return True
    return False


def task_adapter(subject: Subject) -> Make:
    """Makes adapters of the futures and tasks of `subject`."""

    def make(k: Const, record: Record) -> Adapter:
        return TaskAdapter(subject, k, record)

    return make


def without_withdrawal() -> Spec[Const, Loop]:
    """Tasks without what `Deviation.UNCANCEL` does otherwise."""
    spec: Spec[Const, Loop] = Spec("task", Loop, extends=task, without=["uncancel"])

    @spec.action(answer=loop_spec.left)
    def uncancel(k: Const, s: Loop, t: Fut) -> Iterator[Loop]:
        """CANCEL-6: uncancel() takes a request back, but not the last one while it may not have been thrown."""
        if s.count[t] != 1 or (loop_spec.pending(s, t) and t not in s.must):
            yield from loop_spec.uncancel(k, s, t)

    return spec


@cache
def rules(deviates: bool) -> type[SpecMachine]:
    """The machine of all futures and tasks: they share what is learned of the models."""
    spec = without_withdrawal() if deviates else task
    models = [task_fifo_model(*size, most=MOST, spec=spec, symmetric=True) for size in SIZES]
    return machine(models, task_adapter(IMPL))


def task_machine(subject: Subject) -> type[SpecMachine]:
    """The machine that holds the futures and tasks of `subject` to the specification."""
    own = rules(Deviation.UNCANCEL in subject.deviations)
    return type(f"TaskMachine_{subject.name}", (own,), {"make": staticmethod(task_adapter(subject))})
