"""The adapter of futures, tasks and shields, and the machine that holds them to `spec.task`.

The adapter makes all futures and tasks of a model on a new loop.  The body of a task plays the moves that it is sent
while the task has the turn: it awaits, pauses, ends, and calls.  Its thread (`command_thread.py`) stands still in the
task's step until the next move comes, so each action of the specification is a rule of the machine.  Between two loop
iterations a call comes from outside.

The body of a task records its steps, each with the outcome of its await.  Every result, every exception and every
message of a cancel() is used once; an await that gives a wrong one has an answer that no specification allows.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from functools import cache, partial
from typing import Any, Final, cast

from spec.kit.core import Event, Spec
from spec.kit.fifo import Queued
from spec.kit.trace import Do, Return
from spec.task import Const, Fut, Is, Loop, task, task_fifo_model
from spec.task import loop as loop_spec
from spec.task.models import at_rest

from ..subjects import IMPL, FutureLike, Subject, TaskLike, one_turn
from .adapter import Make, Record
from .command_thread import CommandThread
from .generator import SpecMachine, machine
from .shortest_paths import TURN

#: The actions that are calls, of the task that has the turn or from outside.
CALLS: Final = frozenset({"resolve", "cancel", "uncancel"})
#: The actions of the task that has the turn only.
OWN: Final = frozenset({"await_", "await_done", "pause", "leave"})
#: More requests than an example makes.
MOST: Final = 1_000
#: Moves for each future after which a run is at rest, with a wide margin.
MOVES_MOST: Final = 20
#: Sizes of models: tasks, futures, and the numbers of those that are shielded.
SIZES: Final = (3, 1, ()), (2, 2, (0,))

#: A state of the specification, with a queue beside it or without.
AnyState = Any


class Boom(Exception):
    """The exception of futures and coroutines; each is raised for one future."""


class Outcomes:
    """The results, exceptions and messages of one run; they tell whether an await gives the right one."""

    def __init__(self, subject: Subject, k: Const) -> None:
        self.subject, self.k = subject, k
        self.given: dict[Fut, object] = {}  # a result, or a Boom
        self.messages: list[str] = []
        self.read: set[Fut] = set()  # the futures that have been awaited to their end

    def new(self, x: Fut, fails: bool) -> object:
        """A result or an exception for x; some results are None, which ends a future as any other does."""
        self.given[x] = Boom(x) if fails else None if x % 2 else f"result of {x}"
        return self.given[x]

    def message(self) -> str:
        self.messages.append(f"message {len(self.messages)}")
        return self.messages[-1]

    def of(self, x: Fut) -> object:
        """The outcome of x, which a shield takes from the future that it shields."""
        return self.of(self.k.inner[x]) if x in self.k.shields else self.given.get(x)

    def settled(self, x: Fut) -> bool:
        """Whether the next awaiter of x, if x was cancelled, gets the message of the request.

        CPython gives it to the first awaiter of a task; shield() cancels without a message.
        """
        return x not in self.k.shields and (x not in self.k.tasks or x not in self.read)

    def known(self, error: BaseException) -> bool:
        """Whether a CancelledError has a message of this run."""
        return len(error.args) == 1 and error.args[0] in self.messages

    async def awaiting(self, x: Fut, future: FutureLike) -> Hashable:
        """The outcome of awaiting x, in the words of the specification."""
        try:
            got = await future
        except self.subject.cancelled_error as error:
            right = self.known(error) or not self.settled(x)
            self.read.add(x)
            return Is.CANCELLED if right else repr(error)
        except Boom as error:
            return Is.ERROR if error is self.of(x) else repr(error)
        return Is.RESULT if got is self.of(x) else repr(got)

    async def pausing(self) -> Hashable:
        """The outcome of sleep(0)."""
        try:
            got = await self.subject.sleep(0)
        except self.subject.cancelled_error as error:
            return Is.CANCELLED if self.known(error) else repr(error)
        return Is.RESULT if got is None else repr(got)

    def shown(self, x: Fut, future: FutureLike) -> Hashable:
        """The state that x shows; its result or exception if that is a wrong one."""
        state = state_of(future, self.subject)
        if state == Is.ERROR and (error := future.exception()) is not self.of(x):
            return repr(error)
        if state == Is.RESULT and (result := future.result()) is not self.of(x):
            return repr(result)
        return state


class TaskAdapter:
    """The futures of `k` on a loop of `subject`."""

    def __init__(self, subject: Subject, k: Const, record: Record) -> None:
        self.subject, self.k, self.record = subject, k, record
        self.outcomes = Outcomes(subject, k)
        self.records = 0
        self.turn_of = k.loop
        self.idle = False  # whether the last iteration has changed nothing
        self.over = False
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

    # --- the adapter ----------------------------------------------------------------------------------------

    def knows(self, name: str) -> bool:
        return name in CALLS or name in OWN or name == "step"

    def do(self, event: Event) -> None:
        """Play a move.  For a step, which only the loop takes, the loop runs until a task has the turn."""
        self.idle = False
        self.thread.send(TURN if event.name == "step" else event)

    def turn(self) -> None:
        """One iteration, or its part before a task has the turn; nothing while a task has it."""
        if self.turn_of == self.k.loop:
            self.thread.send(TURN)

    def settle(self) -> None:
        """Every task that has the turn awaits all that is done; then a pending future, or it ends if there is none."""
        for _ in range(MOVES_MOST * len(self.k.all)):
            if (t := self.turn_of) != self.k.loop:
                for move in self.last_moves(t):
                    self.do(move)
                    if move.name == "await_done" and self.turn_of != t:
                        return  # the task was suspended, which no specification allows
            elif self.idle:
                return
            else:
                self.turn()
        raise AssertionError("the loop does not come to rest")

    def last_moves(self, t: Fut) -> Iterator[Event]:
        for x, future in self.futures.items():
            if future.done():
                yield Event("await_done", (t, x))
        plain = (x for x in self.futures if loop_spec.plain(self.k, x) and not self.futures[x].done())
        f = next(plain, None)
        yield Event("leave", (t, Is.RESULT)) if f is None else Event("await_", (t, f))

    def see(self, s: AnyState) -> bool:
        now: Loop = s.below if isinstance(s, Queued) else s
        return (
            now.turn == self.turn_of
            and (not self.idle or at_rest(self.k, now))
            and all(now.state[x] == self.outcomes.shown(x, future) for x, future in self.futures.items())
            and all(now.count[t] == task.cancelling() for t, task in self.tasks.items())
            and all(task.get_name() == f"task {t}" for t, task in self.tasks.items())
        )

    def shown(self) -> str:
        states = [f"{x}: {self.outcomes.shown(x, future)}" for x, future in self.futures.items()]
        counts = [f"{task.get_name()}: {task.cancelling()}" for task in self.tasks.values()]
        turn = "the loop is idle" if self.idle else f"turn of {self.turn_of}"
        return f"state {', '.join(states)}; cancelling {', '.join(counts)}; {turn}"

    def close(self) -> None:
        self.over = True
        self.thread.close()
        for body in self.bodies.values():
            body.close()
        self.loop.close()

    # --- the moves, in their thread -------------------------------------------------------------------------

    def play(self, move: Event) -> None:
        """A call from outside, or an iteration; a move of a task that does not have the turn is left out."""
        if move.name in CALLS:
            self.call(move)
        elif move == TURN:
            before = self.progress()
            one_turn(self.loop)
            self.turn_of = self.k.loop
            self.idle = before == self.progress()

    def progress(self) -> tuple[int, int]:
        return self.records, sum(future.done() for future in self.futures.values())

    def takes_place(self, event: Event, *answers: Hashable) -> None:
        if not self.over:
            self.records += 1
            self.record(Do(event))
            for answer in answers:
                self.record(Return(event.args[0], answer))

    def call(self, move: Event) -> None:
        x = cast(Fut, move.args[0])
        match move.name:
            case "cancel":
                self.takes_place(move, self.futures[x].cancel(self.outcomes.message()))
            case "uncancel":
                self.takes_place(move, self.tasks[x].uncancel())
            case _:
                self.takes_place(move, self.resolve(x, fails=move.args[1] == Is.ERROR))

    def resolve(self, f: Fut, fails: bool) -> bool:
        """Whether f accepts it."""
        before = self.outcomes.of(f)
        outcome = self.outcomes.new(f, fails)
        try:
            if isinstance(outcome, Boom):
                self.futures[f].set_exception(outcome)
            else:
                self.futures[f].set_result(outcome)
        except self.subject.invalid_state:
            self.outcomes.given[f] = before
            return False
        return True

    async def body(self, t: Fut) -> object:
        self.takes_place(Event("step", (t,)), Is.RESULT)
        while not self.over:
            self.turn_of = t
            move = self.thread.next_command()
            if move.name in CALLS:
                self.call(move)
            elif move.name == "leave":
                self.takes_place(move)
                return self.end(t, move.args[1])
            elif move.name == "pause":
                self.takes_place(move)
                self.takes_place(Event("step", (t,)), await self.outcomes.pausing())
            elif move.name in OWN:
                await self.awaits(t, move)
        return None

    async def awaits(self, t: Fut, move: Event) -> None:
        x = cast(Fut, move.args[1])
        if move.name == "await_done":
            self.takes_place(move, await self.outcomes.awaiting(x, self.futures[x]))
        else:
            self.takes_place(move)
            self.takes_place(Event("step", (t,)), await self.outcomes.awaiting(x, self.futures[x]))

    def end(self, t: Fut, how: Hashable) -> object:
        if how == Is.CANCELLED:
            raise self.subject.cancelled_error(self.outcomes.message())
        outcome = self.outcomes.new(t, fails=how == Is.ERROR)
        if isinstance(outcome, Boom):
            raise outcome
        return outcome


def state_of(future: FutureLike, subject: Subject) -> Is | None:
    """The state that a future shows; None if its methods contradict each other.

    A cancelled future is not read, because CPython gives the message of a task to its first reader only.
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
    return partial(TaskAdapter, subject)


def without_withdrawal() -> Spec[Const, Loop]:
    """Tasks without the calls that show `Deviation.UNCANCEL`."""
    spec: Spec[Const, Loop] = Spec("task", Loop, extends=task, without=["uncancel"])

    @spec.action(answer=loop_spec.left)
    def uncancel(k: Const, s: Loop, t: Fut) -> Iterator[Loop]:
        """CANCEL-6: uncancel() takes a request back, but not the last one while it may not have been thrown."""
        if s.count[t] != 1 or (loop_spec.pending(s, t) and t not in s.must):
            yield from loop_spec.uncancel(k, s, t)

    return spec


@cache
def rules(deviates: bool) -> type[SpecMachine]:
    """The machine of all futures and tasks, which share the explored parts of the models."""
    spec = without_withdrawal() if deviates else task
    models = [task_fifo_model(*size, most=MOST, spec=spec, symmetric=True) for size in SIZES]
    return machine(models, task_adapter(IMPL))


def task_machine(subject: Subject) -> type[SpecMachine]:
    """The machine that holds the futures and tasks of `subject` to the specification."""
    own = rules(not subject.withdraws)
    return type(f"TaskMachine_{subject.name}", (own,), {"make": staticmethod(task_adapter(subject))})
