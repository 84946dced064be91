"""The state machine of Future, Task and cancel: real ones against `task_model`, one rule an operation.

Theory of operation.  The machine makes futures, and tasks whose bodies are small scripts, and acts on them
from outside the loop, between turns: resolves, cancels, adds callbacks, takes requests back.  So every window
is open to it: before the first step, while parked, between the wake-up and the run, in the cleanup.  Bodies
and callbacks write what they see into one log; after every rule log, outcomes and counts are compared with
the model's.

At the end everything is left alone until nobody moves, and judged once more without the model: nobody awaits
what is done.  Then all that is left is cancelled until it is over, still beside the model.

Texts of errors are not compared; messages of `cancel(msg)` are, where the awaiter is promised one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import hypothesis.strategies as st
from hypothesis.stateful import Bundle, invariant, precondition, rule

from ..subjects import Deviation, FutureLike, Subject, TaskLike, one_turn
from .base import SubjectMachine
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
    older,
)

PENDING_FUTURES_MAX = 3  # few at a time, so that operations meet on the same ones
PENDING_TASKS_MAX = 5

messages = st.sampled_from([None, "stop", "halt"])
backs = st.none() | st.integers(0, 3)
awaits = st.builds(Await, back=backs, on_cancel=st.sampled_from(OnCancel))
cancels = st.builds(Cancel, back=backs, message=messages)
scripts = st.builds(
    Script,
    steps=st.lists(st.one_of(awaits, awaits, awaits, cancels), max_size=4).map(tuple),
    fails=st.sampled_from([False, False, False, True]),
)


class TaskMachine(SubjectMachine):
    """Operations on futures and tasks of one loop; `task_machine` says whose."""

    cells: Bundle[int] = Bundle("cells")
    futures: Bundle[int] = Bundle("futures")
    tasks: Bundle[int] = Bundle("tasks")
    callbacks: Bundle[int] = Bundle("callbacks")

    def __init__(self) -> None:
        super().__init__()
        self.model = TaskModel()
        self.real: dict[int, FutureLike] = {}
        self.real_tasks: dict[int, TaskLike] = {}
        self.real_callbacks: dict[int, Callable[[FutureLike], None]] = {}
        self.values = 0  # results of futures are numbers, each used once
        self.log: list[Ran | Asked | Called] = []
        self.awaiting: dict[int, int] = {}

    # --- what runs on the subject's loop -------------------------------------------------------------------

    async def body(self, number: int, script: Script) -> int:
        """A task: `script`, literally."""
        for place, step in enumerate(script.steps):
            target = older(number, step.back)
            if isinstance(step, Cancel):
                answer = self.real[number if target is None else target].cancel(step.message)
                self.log.append(Asked(number, place, answer))
                continue
            try:
                await self.awaited(number, place, target)
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

    # --- making --------------------------------------------------------------------------------------------

    @precondition(lambda self: len(self.model.pending_futures()) < PENDING_FUTURES_MAX)
    @rule(targets=(cells, futures))
    def new_future(self) -> int:
        number = self.model.new_future()
        self.real[number] = self.loop.create_future()
        return number

    @precondition(lambda self: len(self.model.pending_tasks()) < PENDING_TASKS_MAX)
    @rule(targets=(cells, tasks), script=scripts)
    def spawn(self, script: Script) -> int:
        number = self.model.spawn(script)
        task = self.start(self.body(number, script), f"cell {number}")
        self.real[number] = self.real_tasks[number] = task
        assert task.get_name() == f"cell {number}"
        return number

    @rule(target=callbacks, cell=cells, fails=st.booleans())
    def add_callback(self, cell: int, fails: bool) -> int:
        """FUT-2, FUT-3: it is called later, in its place in the line, also on a cell that is done."""
        name = len(self.real_callbacks)

        def called(with_: FutureLike) -> None:
            assert with_ is self.real[cell]
            self.log.append(Called(name, cell))
            if fails:
                raise Failure(name)

        self.real_callbacks[name] = called
        self.real[cell].add_done_callback(called)
        self.model.add_callback(cell, Callback(name, fails))
        return name

    @rule(name=callbacks, cell=cells)
    def remove_callback(self, name: int, cell: int) -> None:
        removed = self.real[cell].remove_done_callback(self.real_callbacks[name])
        expected = self.model.remove_callback(cell, name)
        assert removed == expected, f"remove_done_callback took {removed} away, not {expected}"

    # --- resolving and cancelling --------------------------------------------------------------------------

    @rule(future=futures)
    def set_result(self, future: int) -> None:
        self.values += 1
        with self.refused_if_done(future, Returned(self.values)):
            self.real[future].set_result(self.values)

    @rule(future=futures)
    def set_exception(self, future: int) -> None:
        with self.refused_if_done(future, Failed(future)):
            self.real[future].set_exception(Failure(future))

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

    @rule(cell=cells, message=messages)
    def cancel(self, cell: int, message: str | None) -> None:
        answer = self.real[cell].cancel(message)
        expected = self.model.cancel(cell, message)
        assert answer is expected, f"cancel() of cell {cell} answered {answer}"

    @rule(number=tasks)
    def uncancel(self, number: int) -> None:
        """CANCEL-6; what a subject is known to do otherwise is left out."""
        task = self.model.task(number)
        if task.outcome is not None:
            return
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

    @rule(cell=cells)
    def read(self, cell: int) -> None:
        """result() and exception() of what is pending are refused; of what was cancelled they raise that."""
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
                self.cancel(cell, None)
            self.settle()

    def settle(self) -> None:
        """Leave it alone until nobody moves."""
        while self.model.ready:
            self.turn()
            self.shows_what_the_model_says()


def agree(expected: Ran | Asked | Called, seen: Ran | Asked | Called) -> bool:
    """Whether a log entry is what the model expects: the message of a cancel may be unsettled."""
    if isinstance(expected, Ran) and isinstance(seen, Ran):
        return (expected.task, expected.step) == (seen.task, seen.step) and matches(expected.what, seen.what)
    return expected == seen


def task_machine(subject: Subject) -> type[TaskMachine]:
    """The machine that holds the futures and tasks of `subject` to the model."""
    return type(f"TaskMachine_{subject.name}", (TaskMachine,), {"subject": subject})
