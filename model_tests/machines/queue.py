"""The state machine of Queue: real queues against `queue_model`, with cancels and single turns as rules.

Theory of operation.  A rule does one operation on the subject and the same on the model, and compares what it
answers; after every rule the whole visible state is compared: who is done and with what, and what the queue
says of itself.  "Cancel task i" and "run exactly one turn" are rules like any other: so a cancel can land
between a hand-over and its receiver, which is where nearly all historical bugs of queues lived.

At the end the queue is left alone until nobody moves, and is judged once more, by what was seen and without
the model: nobody waits who could go on, and every item that was put either came out once or still lies there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Coroutine
from typing import Any

import hypothesis.strategies as st
from hypothesis import note
from hypothesis.stateful import initialize, invariant, precondition, rule

from ..subjects import Subject, TaskLike, one_turn
from .base import SubjectMachine
from .outcomes import Returned, matches, outcome_of
from .queue_model import Op, Place, QueueModel

JOBS_MAX = 6  # tasks that are not over; few, so that operations meet on the same ones

#: Whom `cancel` prefers: the window between wake-up and run is where the bugs are.
RANKING = (Place.WOKEN, Place.WAITING, Place.NEW, Place.LEAVING, Place.OVER)


class QueueMachine(SubjectMachine):
    """Operations on one queue; `queue_machine` says whose."""

    def __init__(self) -> None:
        super().__init__()
        self.started: list[TaskLike] = []
        self.numbers = 0  # items are numbers, each used once
        self.put_from_outside: list[int] = []
        self.got_from_outside: list[int] = []
        self.reported_done = 0

    @initialize(
        maxsize=st.integers(0, 2),
        crowd=st.sampled_from([Op.GET, Op.PUT]),
        size=st.sampled_from([0, 3, 4, 5, JOBS_MAX]),
        joins=st.booleans(),
    )
    def begin(self, maxsize: int, crowd: Op, size: int, joins: bool) -> None:
        """Hypothesis leaves rules out at random; so that most examples have a line, they begin with a crowd."""
        self.queue = self.subject.new_queue(maxsize)
        self.model = QueueModel(maxsize)
        for op in [crowd] * size + [Op.JOIN] * joins:
            self.start_op(op)
        self.turn()

    # --- tasks ---------------------------------------------------------------------------------------------

    @precondition(lambda self: len(self.model.alive()) < JOBS_MAX)
    @rule(op=st.sampled_from(Op))
    def start_op(self, op: Op) -> None:
        """A new task that does `put`, `get` or `join`."""
        if op is Op.PUT:
            self.numbers += 1
            body: Coroutine[Any, Any, object] = self.queue.put(self.numbers)  # Any: a runtime's own yields
        else:
            body = self.queue.get() if op is Op.GET else self.queue.join()
        self.started.append(self.start(body, op.value))
        self.model.start(op, self.numbers)

    @precondition(lambda self: self.started)
    @rule(rank=st.integers(0, JOBS_MAX))
    def cancel(self, rank: int) -> None:
        """Whoever was woken and has not run yet comes first, then who waits, then the rest; the newest first."""
        places = [job.place for job in self.model.jobs]
        ranked = sorted(range(len(places)), key=lambda number: (RANKING.index(places[number]), -number))
        self.cancel_job(ranked[rank % len(ranked)])

    def cancel_job(self, number: int) -> None:
        note(f"cancel of task {number}")
        asked = self.started[number].cancel()
        assert asked is self.model.cancel(number), f"cancel() of task {number} answered {asked}"

    # --- operations that do not wait -----------------------------------------------------------------------

    @rule()
    def put_nowait(self) -> None:
        self.numbers += 1
        try:
            self.queue.put_nowait(self.numbers)
        except self.subject.queue_full:
            accepted = False
        else:
            accepted = True
            self.put_from_outside.append(self.numbers)
        assert accepted is self.model.put_nowait(self.numbers), f"put_nowait accepted the item: {accepted}"

    @rule()
    def get_nowait(self) -> None:
        try:
            item = self.queue.get_nowait()
        except self.subject.queue_empty:
            item = None
        else:
            self.got_from_outside.append(item)
        expected = self.model.get_nowait()
        assert item == expected, f"get_nowait gave {item}, not {expected}"

    @rule()
    def task_done(self) -> None:
        try:
            self.queue.task_done()
        except ValueError:
            accepted = False
        else:
            accepted = True
            self.reported_done += 1
        assert accepted is self.model.task_done(), f"QUEUE-8: task_done accepted: {accepted}"

    # --- time ----------------------------------------------------------------------------------------------

    @rule()
    def turn(self) -> None:
        one_turn(self.loop)
        self.model.turn()

    @precondition(lambda self: self.model.lines[Op.GET] and not self.model.full())
    @rule()
    def hand_to_getter_and_cancel_it(self) -> None:
        """QUEUE-5, directly: random rules seldom hit this window with a second getter waiting."""
        receiver = self.model.lines[Op.GET][0]
        self.put_nowait()
        self.cancel_job(receiver)
        self.turn()

    @precondition(lambda self: self.model.lines[Op.PUT] and self.model.items)
    @rule()
    def make_room_for_putter_and_cancel_it(self) -> None:
        """QUEUE-21, directly."""
        receiver = self.model.lines[Op.PUT][0]
        self.get_nowait()
        self.cancel_job(receiver)
        self.turn()

    @precondition(lambda self: self.model.lines[Op.JOIN])
    @rule()
    def release_join_and_put(self) -> None:
        """QUEUE-16, directly."""
        for _ in range(self.model.unfinished):
            self.task_done()
        self.put_nowait()
        self.turn()

    # --- what must hold ------------------------------------------------------------------------------------

    @invariant()
    def shows_what_the_model_says(self) -> None:
        model = self.model
        seen = (self.queue.qsize(), self.queue.empty(), self.queue.full())
        expected = (len(model.items), not model.items, model.full())
        assert seen == expected, f"(qsize, empty, full) is {seen}, not {expected}"
        for number, (task, job) in enumerate(zip(self.started, model.jobs, strict=True)):
            outcome = outcome_of(task)
            if job.outcome is None:
                assert outcome is None, (
                    f"{job.op.value} (task {number}) ended with {outcome}, but should wait"
                )
            else:
                assert outcome is not None, (
                    f"{job.op.value} (task {number}) waits, but should give {job.outcome}"
                )
                assert matches(job.outcome, outcome), f"task {number}: {outcome}, not {job.outcome}"

    def judge(self) -> None:
        self.settle()
        self.nobody_waits_in_vain()
        self.items_are_conserved()
        self.cancel_the_rest()
        assert not self.reported, f"the exception handler was told {self.reported}"

    def settle(self) -> None:
        """Leave it alone until nobody moves."""
        while self.model.ready:
            self.turn()
            self.shows_what_the_model_says()

    def nobody_waits_in_vain(self) -> None:
        """QUEUE-5, -6: at rest no getter waits beside an item, no putter beside room, no join without work."""
        waiting = {task.get_name() for task in self.started if not task.done()}
        assert "get" not in waiting or self.queue.empty(), "a getter waits while there is an item"
        assert "put" not in waiting or self.queue.full(), "a putter waits while there is room"
        assert "join" not in waiting or len(self.items_put()) > self.reported_done, "join waits for nothing"

    def items_put(self) -> list[int]:
        jobs = zip(self.model.jobs, self.started, strict=True)
        by_tasks = [job.item for job, task in jobs if job.op is Op.PUT and outcome_of(task) == Returned()]
        return self.put_from_outside + by_tasks

    def items_are_conserved(self) -> None:
        """QUEUE-1: what was put is what was got, once, and what is left."""
        ends = [outcome_of(task) for task in self.started if task.get_name() == "get"]
        got = self.got_from_outside + [end.value for end in ends if isinstance(end, Returned)]
        left = []
        while not self.queue.empty():
            left.append(self.queue.get_nowait())
        assert Counter(got + left) == Counter(self.items_put()), f"{got} were got and {left} are left"

    def cancel_the_rest(self) -> None:
        for task in self.started:
            task.cancel()
        one_turn(self.loop)
        one_turn(self.loop)
        left = [number for number, task in enumerate(self.started) if not task.done()]
        assert not left, f"CANCEL-1, -2: tasks {left} were cancelled, and still wait"


def queue_machine(subject: Subject) -> type[QueueMachine]:
    """The machine that holds the queues of `subject` to the model."""
    return type(f"QueueMachine_{subject.name}", (QueueMachine,), {"subject": subject})
