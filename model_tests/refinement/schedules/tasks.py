"""Tasks, futures and shields of a real loop, moved along a schedule and held to the specification of tasks.

Theory of operation.  What a coroutine does with its turn is free, so the tasks here do what they are told: whoever has
the turn asks for the next move, and plays it.  A move is an event of the specification, or TURN: between two turns of
the loop nobody has the turn, and a move is a call from outside.  Every move is recorded when it takes place, with what
it was answered, and the monitors look at all futures first: so each move sees what became of the one before, the hops
of a cancel too.  A turn is recorded by the task that gets it, with what its await gave; nothing needs to be known of
the loop.

Who is told to play another's move, because the loop gave the turn to somebody else than the schedule has it, returns
instead.  At the end the loop runs until it must be idle, and there the specification must be at rest too: no job is
ready any more.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from typing import Any, Final

from impl.sim.choices import Choices
from spec.kit.core import Event
from spec.kit.fifo import Queued
from spec.kit.monitor import Monitor, Rejected
from spec.kit.trace import Do, Return
from spec.task import Const, Fut, Is, Loop
from spec.task.models import at_rest

from ..subjects import FutureLike, Subject, one_turn
from .directed import TURN

#: Actions that anybody may call.
CALLS: Final = frozenset({"resolve", "cancel", "uncancel"})
#: What a task does with its turn.
OWN: Final = frozenset({"await_", "await_done", "pause", "leave"})
#: Tells the next move, of the task that has the turn or of nobody (None); None: there are no more.
Source = Callable[[Fut | None], Event | None]


class Boom(Exception):
    """What coroutines and futures fail with."""


class Tasks:
    """Runs of `subject`, each held to all of `monitors`, whose models have the same world."""

    def __init__(
        self, subject: Subject, monitors: Sequence[Monitor[Const, Any]]
    ) -> None:  # Any: states with a queue, and without
        self.subject, self.monitors = subject, monitors
        self.k = monitors[0].model.k

    def run(self, schedule: Iterable[Event]) -> int:
        """One run along these moves; returns how many moves were recorded.

        Raises:
            Rejected: the specification does not allow it.
        """
        moves = iter(schedule)
        return self._run(lambda _: next(moves, None))

    def run_drawn(self, choices: Choices, most: int, without: Collection[str] = ()) -> int:
        """One run of up to `most` moves that `choices` draw from what the specification allows; as `run`.

        `without`: the names of actions that are left out.
        """
        left = most

        def source(who: Fut | None) -> Event | None:
            nonlocal left
            left -= 1
            return _draw(self._may(who, without), choices) if left > 0 else None

        return self._run(source)

    def _may(self, who: Fut | None, without: Collection[str]) -> list[Event]:
        """The moves that are allowed now, as far as is known."""
        found = [] if who is not None else [TURN]
        for event in self.monitors[0].enabled():
            mine = event.name in CALLS or (event.name in OWN and event.args[0] == who)
            if mine and event.name not in without:
                found.append(event)
        return found

    def _run(self, source: Source) -> int:
        for monitor in self.monitors:
            monitor.restart()
        run = Run(self, source)
        try:
            run.play()
        finally:
            run.close()
        return run.moves


class Run:
    """One run: the real futures, and what they are told."""

    def __init__(self, tasks: Tasks, source: Source) -> None:
        self.k, self.monitors, self.subject, self.source = tasks.k, tasks.monitors, tasks.subject, source
        self.moves = 0
        self.over = False
        self.wrong: Rejected | None = (
            None  # what a monitor said to a task, whose loop would keep it to itself
        )
        self.loop = loop = tasks.subject.new_loop()
        loop.set_exception_handler(lambda *_: None)
        self.real: dict[Fut, Any] = {}  # Any: a TaskLike for tasks, else a FutureLike
        for x in sorted(self.k.all - self.k.shields):
            task = x in self.k.tasks
            self.real[x] = loop.create_task(self.body(x), name=str(x)) if task else loop.create_future()
        for x in sorted(self.k.shields):
            self.real[x] = self.subject.shield(self.real[self.k.inner[x]])

    def play(self) -> None:
        """Make all moves, then let the loop come to rest."""
        while (move := self.next(None)) is not None:
            if move == TURN:
                self.turn()
            elif move.name in CALLS:
                self.call(move)
        self.source = lambda _: None
        for _ in range(
            2 * len(self.k.all) + 2
        ):  # a turn ends those that run in it, and a shield comes a turn later
            self.turn()
        self.look()
        for monitor in self.monitors:
            monitor.see(lambda s: at_rest(self.k, below(s)), "the loop is idle")

    def next(self, who: Fut | None) -> Event | None:
        """The next move of that task, or of nobody."""
        self.look()
        return self.source(who)

    def turn(self) -> None:
        one_turn(self.loop)
        if self.wrong is not None:
            raise self.wrong

    def close(self) -> None:
        """End what is left, unseen."""
        self.over = True
        for _ in range(2):
            for x in sorted(self.real):
                self.real[x].cancel()
            for _ in range(len(self.k.all) + 2):
                one_turn(self.loop)
        for future in self.real.values():
            if future.done() and not future.cancelled():
                future.exception()  # then nobody need report it
        self.loop.close()

    # --- what is recorded --------------------------------------------------------------------------------------

    def record(self, event: Event, *answer: object) -> None:
        """The event takes place; its caller is given that answer."""
        if not self.over:
            self.moves += 1
            for monitor in self.monitors:
                monitor.feed(Do(event))
                for told in answer:
                    monitor.feed(Return(event.args[0], told))

    def look(self) -> None:
        """Show the monitors what can be seen of every future and task."""
        states = {x: state_of(future) for x, future in self.real.items()}
        counts = {t: self.real[t].cancelling() for t in sorted(self.k.tasks)}

        def agrees(s: Loop | Queued[Loop]) -> bool:
            now = below(s)
            return all(now.state[x] == states[x] for x in states) and all(
                now.count[t] == counts[t] for t in counts
            )

        if not self.over:
            for monitor in self.monitors:
                monitor.see(agrees, f"{[f'{x}: {how}' for x, how in states.items()]}, cancelling {counts}")

    # --- moves -------------------------------------------------------------------------------------------------

    def call(self, move: Event) -> None:
        """A call by whoever has the turn, or from outside."""
        future = self.real[Fut(int(str(move.args[0])))]
        if move.name == "cancel":
            self.record(move, future.cancel())
        elif move.name == "uncancel":
            self.record(move, future.uncancel())
        else:
            self.record(move, self.resolve(future, error=move.args[1] == Is.ERROR))

    def resolve(self, future: FutureLike, *, error: bool) -> bool:
        """Whether it was accepted."""
        try:
            if error:
                future.set_exception(Boom())
            else:
                future.set_result(None)
        except self.subject.invalid_state:
            return False
        return True

    async def body(self, t: Fut) -> None:
        """A task; it does what it is told, and ends as it is told."""
        try:
            how = await self.moves_of(t)
        except Rejected as no:
            self.wrong = self.wrong or no
            self.over = True
            return
        if how == Is.ERROR:
            raise Boom
        if how == Is.CANCELLED:
            raise self.subject.cancelled_error

    async def moves_of(self, t: Fut) -> Is:
        """Play the moves of a task; returns how it is to end."""
        self.record(Event("step", (t,)), Is.RESULT)
        while not self.over:
            move = self.next(t)
            if move is None or (move.name not in CALLS and move.args[:1] != (t,)):
                break
            if move.name in CALLS:
                self.call(move)
            elif move.name == "leave":
                self.record(move)
                return Is(str(move.args[1]))
            elif move.name == "await_done":
                self.record(move, await self.outcome(self.real[Fut(int(str(move.args[1])))]))
            else:
                self.record(move)
                pause = move.name == "pause"
                got = await self.outcome(
                    self.subject.sleep(0) if pause else self.real[Fut(int(str(move.args[1])))]
                )
                self.record(Event("step", (t,)), got)
        self.record(Event("leave", (t, Is.RESULT)))
        return Is.RESULT

    async def outcome(self, what: Awaitable[object]) -> Is:
        """What awaiting it gives."""
        try:
            await what
        except self.subject.cancelled_error:
            return Is.CANCELLED
        except Boom:
            return Is.ERROR
        return Is.RESULT


def state_of(future: FutureLike) -> Is:
    """What has become of a real future."""
    if not future.done():
        return Is.PENDING
    if future.cancelled():
        return Is.CANCELLED
    return Is.RESULT if future.exception() is None else Is.ERROR


def below(s: Loop | Queued[Loop]) -> Loop:
    """The state of the text, with a queue beside it or without."""
    return s.below if isinstance(s, Queued) else s


def _draw(may: list[Event], choices: Choices) -> Event:
    """First which action, then which event: what has many parameters is not likelier for it."""
    names = list(dict.fromkeys(event.name for event in may))
    name = names[choices.program(len(names))]
    events = [event for event in may if event.name == name]
    return events[choices.program(len(events))]
