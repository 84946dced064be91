"""Futures, tasks and cancel, sequentially: plain data that says after every operation who is done, who ran.

Theory of operation.  Futures and tasks are *cells* with one numbering, in order of creation.  A task runs a
`Script`, and awaits and cancels only cells older than itself, so there are no cycles.  What scripts and
callbacks see goes into one `log`, in order: two runs that agree in it agree in who ran when, and in what each
was told.

1.  Resolving a cell moves all who wait for it, oldest first, to the end of `ready`, and runs nobody (FUT-2);
    who comes later is ready at once (FUT-3).  A turn takes exactly those who were ready when it began.
2.  A task runs until it awaits something pending; awaiting what is done does not suspend (FUT-4).
3.  A request to cancel is counted and goes to what the task awaits; only where nothing pending is awaited
    does it stay with the task (`must`): to be told at its next step, or passed to what it parks on (CANCEL-1,
    -2, -3). A task that never began is cancelled without running (CANCEL-4); one that returns under a request
    is cancelled (CANCEL-5); the last `uncancel` withdraws what stayed with the task (CANCEL-6).

The message of a cancel is `UNSETTLED` where two requests compete, and for the second who awaits one cancelled
task: the documentation promises it to "the awaiter" of one `cancel(msg)` (3.11).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from .outcomes import UNSETTLED, Cancelled, Failed, Outcome, Returned


class OnCancel(Enum):
    """What a script does when an `Await` raises CancelledError."""

    PASS = "lets it out"
    SWALLOW = "goes on with the next step"
    CLEAN = "pauses for a turn, then lets it out"


@dataclass(frozen=True)
class Await:
    """Await a cell; None: sleep(0)."""

    cell: int | None = None
    on_cancel: OnCancel = OnCancel.PASS


@dataclass(frozen=True)
class Cancel:
    """Cancel a cell; None: the task itself."""

    cell: int | None = None
    message: str | None = None


@dataclass(frozen=True)
class Script:
    """What the body of a task does: its steps, then it returns its number, or raises `Failure` with it."""

    steps: tuple[Await | Cancel, ...] = ()
    fails: bool = False


@dataclass(frozen=True)
class Ran:
    """A log entry: the await at `step` of the script of `task` gave `what`; step -1 is its cleanup."""

    task: int
    step: int
    what: Outcome


@dataclass(frozen=True)
class Asked:
    """A log entry: a script's `Cancel` was answered."""

    task: int
    step: int
    answer: bool


@dataclass(frozen=True)
class Called:
    """A log entry: callback `name` was called with `cell`."""

    name: int
    cell: int


@dataclass(frozen=True)
class Callback:
    """Waits for a cell; `fails`: raises `Failure(name)` when it is called."""

    name: int
    fails: bool


@dataclass
class Cell:
    """A future, or a task's future side; `waiters` are callbacks, and tasks by number."""

    outcome: Outcome | None = None
    waiters: list[Callback | int] = field(default_factory=list)


@dataclass
class TaskCell(Cell):
    """A task: `step` is where it stands in its script; `held`: the cancel that its cleanup holds back."""

    script: Script = field(default_factory=Script)
    began: bool = False
    step: int = 0
    held: Cancelled | None = None
    awaits: int | None = None
    must: Cancelled | None = None
    requests: int = 0


@dataclass
class TaskModel:
    """Cells are known by their place in `cells`; a task steps once for each time it is ready (TASK-2).

    `reported` are the callbacks whose error was reported.
    """

    cells: list[Cell] = field(default_factory=list)
    ready: list[tuple[Callback | int, int | None]] = field(
        default_factory=list
    )  # who, and the cell it waited for
    log: list[Ran | Asked | Called] = field(default_factory=list)
    reported: list[int] = field(default_factory=list)

    # --- looking -------------------------------------------------------------------------------------------

    def task(self, number: int) -> TaskCell:
        cell = self.cells[number]
        assert isinstance(cell, TaskCell), f"cell {number} is a plain future"
        return cell

    def pending(self) -> list[int]:
        return [number for number, cell in enumerate(self.cells) if cell.outcome is None]

    def pending_tasks(self) -> list[int]:
        return [number for number in self.pending() if isinstance(self.cells[number], TaskCell)]

    def pending_futures(self) -> list[int]:
        return [number for number in self.pending() if not isinstance(self.cells[number], TaskCell)]

    def parked(self) -> dict[int, int]:
        """Tasks that await a pending plain future, each with that future."""
        futures = self.pending_futures()
        waits = {number: self.task(number).awaits for number in self.pending_tasks()}
        return {number: future for number, future in waits.items() if future in futures}

    # --- operations from outside ---------------------------------------------------------------------------

    def new_future(self) -> int:
        self.cells.append(Cell())
        return len(self.cells) - 1

    def spawn(self, script: Script) -> int:
        self.cells.append(TaskCell(script=script))
        self.ready.append((len(self.cells) - 1, None))
        return len(self.cells) - 1

    def resolve(self, number: int, outcome: Outcome) -> bool:
        """End a cell; False: it was done, nothing changed (FUT-1)."""
        cell = self.cells[number]
        if cell.outcome is not None:
            return False
        cell.outcome = outcome
        self.ready.extend((waiter, number) for waiter in cell.waiters)
        cell.waiters = []
        return True

    def add_callback(self, number: int, callback: Callback) -> None:
        self._wait_for(number, callback)

    def remove_callback(self, number: int, name: int) -> int:
        """How many callbacks of that name still waited for the cell, and do no more."""
        cell = self.cells[number]
        before = len(cell.waiters)
        cell.waiters = [w for w in cell.waiters if not (isinstance(w, Callback) and w.name == name)]
        return before - len(cell.waiters)

    def cancel(self, number: int, message: str | None) -> bool:
        """Cancel a future; ask a task to stop.  False: it is done, nothing changed."""
        cell = self.cells[number]
        if not isinstance(cell, TaskCell):
            return self.resolve(number, Cancelled(message))
        if cell.outcome is not None:
            return False
        cell.requests += 1
        if cell.awaits is None or not self.cancel(cell.awaits, message):
            cell.must = Cancelled(message if cell.must is None else UNSETTLED)
        return True

    def uncancel(self, number: int) -> int:
        """Take one request back; how many are left."""
        task = self.task(number)
        task.requests = max(0, task.requests - 1)
        if task.requests == 0:
            task.must = None
        return task.requests

    def read(self, number: int) -> Outcome:
        """What a done cell gives; the message of a cancelled task is for the first who asks."""
        cell = self.cells[number]
        outcome = cell.outcome
        assert outcome is not None, f"cell {number} is pending"
        if isinstance(cell, TaskCell) and isinstance(outcome, Cancelled):
            cell.outcome = Cancelled()
        return outcome

    def turn(self) -> None:
        """All that is ready now takes its step."""
        batch, self.ready = self.ready, []
        for who, cell in batch:
            if isinstance(who, int):
                self._step(who)
            else:
                assert cell is not None
                self.log.append(Called(who.name, cell))
                if who.fails:
                    self.reported.append(who.name)

    # --- a task's step -------------------------------------------------------------------------------------

    def _wait_for(self, number: int, waiter: Callback | int) -> None:
        cell = self.cells[number]
        if cell.outcome is None:
            cell.waiters.append(waiter)
        else:
            self.ready.append((waiter, number))

    def _step(self, number: int) -> None:
        task = self.task(number)
        if not task.began:
            task.began = True
            if task.must is not None:
                self.resolve(number, task.must)
            else:
                self._go_on(number)
            return
        got = Returned() if task.awaits is None else self.read(task.awaits)
        if task.must is not None:
            got = Cancelled() if isinstance(got, Cancelled) else task.must
        task.must = task.awaits = None
        self._receive(number, got)

    def _go_on(self, number: int) -> None:
        """Do the next step of the script."""
        task = self.task(number)
        if task.step == len(task.script.steps):
            end = Failed(number) if task.script.fails else Returned(number)
            self.resolve(number, end if task.must is None or task.script.fails else task.must)
            return
        step = task.script.steps[task.step]
        if isinstance(step, Await):
            self._await(number, step.cell)
            return
        answer = self.cancel(number if step.cell is None else step.cell, step.message)
        self.log.append(Asked(number, task.step, answer))
        task.step += 1
        self._go_on(number)

    def _await(self, number: int, target: int | None) -> None:
        """Go on if the target is done, else park; None: be ready again."""
        task = self.task(number)
        if target is None:
            self.ready.append((number, None))
        elif self.cells[target].outcome is not None:
            self._receive(number, self.read(target))
        else:
            task.awaits = target
            self._wait_for(target, number)
            if task.must is not None:
                self.cancel(target, task.must.message)
                task.must = None

    def _receive(self, number: int, got: Outcome) -> None:
        """An await of the script gave `got`."""
        task = self.task(number)
        if task.held is not None:
            self.log.append(Ran(number, -1, got))
            self.resolve(number, task.held if isinstance(got, Returned) else got)
            return
        self.log.append(Ran(number, task.step, got))
        step = task.script.steps[task.step]
        assert isinstance(step, Await)
        if isinstance(got, Cancelled) and step.on_cancel is OnCancel.CLEAN:
            task.held = got
            self._await(number, None)
        elif isinstance(got, Failed) or (isinstance(got, Cancelled) and step.on_cancel is OnCancel.PASS):
            self.resolve(number, got)
        else:
            task.step += 1
            self._go_on(number)
