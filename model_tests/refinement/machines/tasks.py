"""The state machine of Future, Task and cancel: real ones against `task_model`, one rule an operation.

Theory of operation.  The machine makes futures, and tasks whose bodies are small scripts, and acts on them
from outside the loop, between turns: resolves, cancels, adds callbacks, takes requests back.  So every window
is open to it: before the first step, while parked, between the wake-up and the run, in the cleanup.  Bodies
and callbacks write what they see into one log; after every rule log, outcomes and counts are compared with
the model's.

At the end everything is left alone until nobody moves, and judged once more without the model: nobody awaits
what is done.  Then all that is left is cancelled until it is over, still beside the model.  A failure that is on
its way already is told instead of what follows from it; in any case no coroutine is left un-awaited and no loop open.

Texts of errors are not compared; messages of `cancel(msg)` are, where the awaiter is promised one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from typing import Any, ClassVar

import hypothesis.strategies as st
from hypothesis import note
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from ..subjects import Deviation, FutureLike, Subject, TaskLike, one_turn
from .outcomes import Cancelled, Failed, Failure, Outcome, Returned, cancelled_with, matches, outcome_of
from .task_model import (
    Asked,
    Await,
    Callback,
    Called,
    Cancel,
    OnCancel,
    Ran,
    Script,
    TaskCell,
    TaskModel,
)

PENDING_FUTURES_MAX = 3  # few at a time, so that operations meet on the same ones
PENDING_TASKS_MAX = 5

messages = st.sampled_from([None, "stop", "halt"])
ranks = st.integers(0, 7)  # of cells: see TaskMachine.at
awaits = st.builds(Await, cell=st.none() | ranks, on_cancel=st.sampled_from(OnCancel))
waits = st.builds(Await, cell=ranks, on_cancel=st.sampled_from(OnCancel))
cancels = st.builds(Cancel, cell=ranks, message=messages)
own_cancels = st.builds(Cancel, cell=st.none(), message=messages)
pieces = st.one_of(  # what a script is put together from; the last is CANCEL-3, directly
    st.tuples(waits),
    st.tuples(awaits),
    st.tuples(cancels),
    st.tuples(own_cancels),
    st.tuples(own_cancels, waits),
)


def script_of(pieces: list[tuple[Await | Cancel, ...]], fails: bool) -> Script:
    return Script(tuple(chain.from_iterable(pieces)), fails)


scripts = st.builds(
    script_of, pieces=st.lists(pieces, max_size=4), fails=st.sampled_from([False, False, True])
)


class TaskMachine(RuleBasedStateMachine):
    """Operations on futures and tasks of one loop; `task_machine` says whose."""

    subject: ClassVar[Subject]

    def __init__(self) -> None:
        super().__init__()
        self.loop = self.subject.new_loop()
        self.loop.set_exception_handler(self.report)
        self.reported: list[object] = []
        self.bodies: list[
            Coroutine[Any, Any, object]
        ] = []  # Any: what a runtime's coroutines yield is its own
        self.model = TaskModel()
        self.real: dict[int, FutureLike] = {}
        self.real_tasks: dict[int, TaskLike] = {}
        self.real_callbacks: dict[int, tuple[int, Callable[[FutureLike], None]]] = {}  # with their cells
        self.values = 0  # results of futures are numbers, each used once
        self.log: list[Ran | Asked | Called] = []
        self.awaiting: dict[int, int] = {}

    def report(self, loop: object, context: dict[str, Any]) -> None:  # Any: asyncio's context dict
        """The exception handler: a `Failure` is known by its number."""
        error = context.get("exception")
        self.reported.append(error.number if isinstance(error, Failure) else context)

    # --- what runs on the subject's loop -------------------------------------------------------------------

    async def body(self, number: int, script: Script) -> int:
        """A task: `script`, literally."""
        for place, step in enumerate(script.steps):
            if isinstance(step, Cancel):
                answer = self.real[number if step.cell is None else step.cell].cancel(step.message)
                self.log.append(Asked(number, place, answer))
                continue
            try:
                await self.awaited(number, place, step.cell)
            except self.subject.cancelled_error:
                if step.on_cancel is OnCancel.PASS:
                    raise
                if step.on_cancel is OnCancel.CLEAN:
                    await self.awaited(number, -1, None)
                    raise
        if script.fails:
            raise Failure(number)
        return number

    async def awaited(self, number: int, place: int, target: int | None) -> None:
        """Await a cell, or sleep(0), and write down what that gave."""
        try:
            if target is None:
                got = await self.subject.sleep(0)
            else:
                self.awaiting[number] = target
                got = await self.real[target]
        except Failure as failure:
            self.saw(number, place, Failed(failure.number))
            raise
        except self.subject.cancelled_error as error:
            self.saw(number, place, cancelled_with(error))
            raise
        self.saw(number, place, Returned(got))

    def saw(self, number: int, place: int, what: Outcome) -> None:
        self.awaiting.pop(number, None)
        self.log.append(Ran(number, place, what))

    # --- making ---------------------------------------------------------------------------------------------

    @initialize(scripts=st.lists(scripts, max_size=PENDING_TASKS_MAX))
    def begin(self, scripts: list[Script]) -> None:
        """Hypothesis leaves rules out at random; so that most examples have tasks that wait, they begin with some."""
        self.new_future()
        self.new_future()
        for script in scripts:
            self.spawn(script)
        self.turn()

    @precondition(lambda self: len(self.model.pending_futures()) < PENDING_FUTURES_MAX)
    @rule()
    def new_future(self) -> None:
        self.real[self.model.new_future()] = self.loop.create_future()

    @precondition(lambda self: len(self.model.pending_tasks()) < PENDING_TASKS_MAX)
    @rule(script=scripts)
    def spawn(self, script: Script) -> None:
        """A new task; the cells in `script` are ranks."""
        cells = range(len(self.real))
        steps = (
            replace(step, cell=None if step.cell is None else self.at(step.cell, cells))
            for step in script.steps
        )
        script = replace(script, steps=tuple(steps))
        number = self.model.spawn(script)
        self.bodies.append(self.body(number, script))
        task = self.loop.create_task(self.bodies[-1], name=f"cell {number}")
        self.real[number] = self.real_tasks[number] = task
        assert task.get_name() == f"cell {number}"

    def at(self, rank: int, cells: Iterable[int]) -> int:
        """The cell of that rank: the pending come first, then the newest."""
        pending = self.model.pending()
        ranked = sorted(cells, key=lambda cell: (cell not in pending, -cell))
        cell = ranked[rank % len(ranked)]
        note(f"rank {rank} is cell {cell}")
        return cell

    # --- callbacks -----------------------------------------------------------------------------------------

    @rule(rank=ranks, fails=st.booleans())
    def add_callback(self, rank: int, fails: bool) -> None:
        """FUT-2, FUT-3: it is called later, in its place in the line, also on a cell that is done."""
        cell = self.at(rank, self.real)
        name = len(self.real_callbacks)

        def called(by: FutureLike) -> None:
            assert by is self.real[cell], f"callback {name} was called with {by!r}"
            self.log.append(Called(name, cell))
            if fails:
                raise Failure(name)

        self.real_callbacks[name] = cell, called
        self.real[cell].add_done_callback(called)
        self.model.add_callback(cell, Callback(name, fails))

    @precondition(lambda self: self.real_callbacks)
    @rule(back=ranks)
    def remove_callback(self, back: int) -> None:
        name = max(0, len(self.real_callbacks) - 1 - back)
        cell, called = self.real_callbacks[name]
        removed = self.real[cell].remove_done_callback(called)
        expected = self.model.remove_callback(cell, name)
        assert removed == expected, f"remove_done_callback took {removed} away, not {expected}"

    # --- resolving and cancelling --------------------------------------------------------------------------

    @rule(rank=ranks)
    def set_result(self, rank: int) -> None:
        self.values += 1
        future = self.at(rank, self.futures())
        with self.refused_if_done(future, Returned(self.values)):
            self.real[future].set_result(self.values)

    @rule(rank=ranks)
    def set_exception(self, rank: int) -> None:
        future = self.at(rank, self.futures())
        with self.refused_if_done(future, Failed(future)):
            self.real[future].set_exception(Failure(future))

    def futures(self) -> list[int]:
        return [number for number in self.real if number not in self.real_tasks]

    @contextmanager
    def refused_if_done(self, future: int, outcome: Outcome) -> Iterator[None]:
        """FUT-1: a future is done once; who comes later gets InvalidStateError, and nothing changes."""
        expected = self.model.resolve(future, outcome)
        try:
            yield
        except self.subject.invalid_state:
            assert not expected, f"future {future} is pending, but refuses {outcome}"
        else:
            assert expected, f"FUT-1: future {future} is done, but accepted {outcome}"

    @rule(rank=ranks, message=messages)
    def cancel(self, rank: int, message: str | None) -> None:
        self.cancel_cell(self.at(rank, self.real), message)

    def cancel_cell(self, cell: int, message: str | None) -> None:
        answer = self.real[cell].cancel(message)
        expected = self.model.cancel(cell, message)
        assert answer is expected, f"cancel() of cell {cell} answered {answer}"

    @precondition(lambda self: self.model.parked())
    @rule(rank=ranks, message=messages)
    def wake_and_cancel(self, rank: int, message: str | None) -> None:
        """CANCEL-2, directly: a cancel that lands between the wake-up of a task and its run."""
        parked = self.model.parked()
        task = self.at(rank, parked)
        with self.refused_if_done(parked[task], Returned(0)):
            self.real[parked[task]].set_result(0)
        self.cancel_cell(task, message)

    @precondition(lambda self: self.model.pending_tasks())
    @rule(rank=ranks)
    def uncancel(self, rank: int) -> None:
        """CANCEL-6; what a subject is known to do otherwise is left out."""
        number = self.at(rank, self.model.pending_tasks())
        task = self.model.task(number)
        if Deviation.UNCANCEL in self.subject.deviations and task.requests == 1 and task.must is not None:
            return
        left = self.real_tasks[number].uncancel()
        expected = self.model.uncancel(number)
        assert left == expected, f"uncancel() of task {number} left {left}, not {expected}"

    # --- time ----------------------------------------------------------------------------------------------

    @rule()
    def turn(self) -> None:
        one_turn(self.loop)
        self.model.turn()

    # --- what must hold ------------------------------------------------------------------------------------

    @rule(rank=ranks)
    def read(self, rank: int) -> None:
        """result() and exception() of what is pending are refused; of what was cancelled they raise that."""
        cell = self.at(rank, self.real)
        outcome = self.model.cells[cell].outcome
        if isinstance(outcome, Cancelled):
            self.model.read(cell)
        elif outcome is not None:
            return
        for ask in (self.real[cell].result, self.real[cell].exception):
            try:
                answer = ask()
            except self.subject.invalid_state:
                assert outcome is None, f"cell {cell} is cancelled, but calls itself pending"
            except self.subject.cancelled_error:
                assert outcome is not None, f"cell {cell} is pending, but calls itself cancelled"
            else:
                raise AssertionError(f"cell {cell} answered {answer!r}, but is {outcome or 'pending'}")

    @invariant()
    def shows_what_the_model_says(self) -> None:
        model = self.model
        for number, expected in enumerate(model.cells):
            outcome = outcome_of(self.real[number])
            if expected.outcome is None or outcome is None:
                assert outcome is expected.outcome, f"cell {number}: {outcome}, not {expected.outcome}"
            else:
                assert matches(expected.outcome, outcome), f"cell {number}: {outcome}, not {expected.outcome}"
            if isinstance(expected, TaskCell) and expected.outcome is None:
                requests = self.real_tasks[number].cancelling()
                assert requests == expected.requests, f"cancelling() of task {number} is {requests}"
        assert len(self.log) == len(model.log), f"seen: {self.log[-3:]}, not {model.log[-3:]}"
        for entry, expected_entry in zip(self.log, model.log, strict=True):
            assert agree(expected_entry, entry), f"seen: {entry}, not {expected_entry}"
        assert self.reported == model.reported, f"reported: {self.reported}, not {model.reported}"

    def judge(self) -> None:
        self.settle()
        for number, target in self.awaiting.items():
            done = self.real[target].done()
            assert not done, f"FUT-4, TASK-1: task {number} waits for cell {target}, which is done"
        self.cancel_the_rest()

    def cancel_the_rest(self) -> None:
        while pending := self.model.pending():
            for cell in pending:
                self.cancel_cell(cell, None)
            self.settle()

    def settle(self) -> None:
        """Leave it alone until nobody moves."""
        while self.model.ready:
            self.turn()
            self.shows_what_the_model_says()

    def teardown(self) -> None:
        try:
            if sys.exception() is None:
                self.judge()
        finally:
            for body in self.bodies:
                body.close()
            self.loop.close()


def agree(expected: Ran | Asked | Called, seen: Ran | Asked | Called) -> bool:
    """Whether a log entry is what the model expects: the message of a cancel may be unsettled."""
    if isinstance(expected, Ran) and isinstance(seen, Ran):
        return (expected.task, expected.step) == (seen.task, seen.step) and matches(expected.what, seen.what)
    return expected == seen


def task_machine(subject: Subject) -> type[TaskMachine]:
    """The machine that holds the futures and tasks of `subject` to the model."""
    return type(f"TaskMachine_{subject.name}", (TaskMachine,), {"subject": subject})
