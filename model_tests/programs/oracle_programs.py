"""Random programs that the specification of tasks covers: tasks, futures, shields, and cancel requests in every
window.

`generate(choose)` draws a program as generate.py does: `choose(n)` returns a number below n, and 0 selects the
simplest form.  The population is as small as that of a model: one or two futures, two or three tasks beside main,
sometimes a shield.  Every task first waits, so that hand-overs and cancels find it there.  Most statements hand over,
cancel, uncancel or give up an iteration.  Pairs of them in one iteration are the windows where requests were lost.
A body awaits only things older than its task, so no circle can arise.
"""

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

import impl

from .coverage import Program, Statement

# `Any` in this file: programs are JSON (vectors/FORMAT.md).
T = TypeVar("T")
Maker = Callable[[], list[Statement]]

DEPTH_MAX: Final = 2


def seeded(seed: int) -> Program:
    """Return the covered program of that seed."""
    return generate(impl.Choices.seeded(seed).program)


def generate(choose: Callable[[int], int]) -> Program:
    """Draw a program that the specification covers."""
    return _OracleDraft(choose).program()


class _OracleDraft:
    """A program in the making; the current body may await `cells`, `task` is the name of its task."""

    def __init__(self, choose: Callable[[int], int]) -> None:
        self.choose = choose
        self.number = self.depth = 0
        self.futures = [f"f{n}" for n in range(1 + choose(2))]
        self.cells = list(self.futures)
        self.tasks = [f"t{n}" for n in range(2 + choose(2))]
        self.shields: list[str] = []
        self.task = "main"

    def program(self) -> Program:
        made: list[Statement] = [["let", f, ["loop.create_future"]] for f in self.futures]
        bodies: dict[str, list[Statement]] = {}
        for task in self.tasks:
            if self.choose(4) == 3:
                made.append(self.shield())
            self.task = task
            bodies[f"body_{task}"] = self.waiting() + self.block(4)
            made.append(["let", task, ["loop.create_task", ["body", f"body_{task}"]]])
            self.cells.append(task)
        if self.choose(4) == 3:
            made.append(self.shield())
        self.task = "main"
        turn: list[Statement] = [["turn", 1]] if self.choose(4) else []  # or else before the others start
        main = turn + [statement for _ in range(2 + self.choose(5)) for statement in self.statement()]
        return {"main": made + main, "bodies": bodies, "callbacks": {}}

    def shield(self) -> Statement:
        self.shields.append(f"g{len(self.shields)}")
        statement: Statement = ["let", self.shields[-1], ["shield", self.pick(self.cells)]]
        self.cells.append(self.shields[-1])
        return statement

    def waiting(self) -> list[Statement]:
        """Begin a body: mostly with a wait, sometimes after other tasks wait for it already."""
        late: list[Statement] = [["turn", 1]] if self.choose(4) == 3 else []
        return late + self.wait()

    def wait(self) -> list[Statement]:
        """Draw a wait: an error thrown into it is propagated, swallowed or handled by other statements."""
        kind = self.choose(6)
        wait: Statement = ["await", self.pick(self.cells)]
        if kind == 5:
            return []
        if kind == 4:
            return [["try", [wait], [], self.block(2)]]
        return [self.swallowing([wait])] if kind > 1 else [wait]

    def pick(self, options: Sequence[T]) -> T:
        return options[self.choose(len(options))]

    def new(self) -> int:
        self.number += 1
        return self.number

    def block(self, most: int) -> list[Statement]:
        return [statement for _ in range(self.choose(most)) for statement in self.statement()]

    def statement(self) -> list[Statement]:
        kinds: tuple[Maker, ...] = (
            self.turn, self.awaits, self.gives, self.cancels, self.window, self.window, self.withdraws,
            self.parks, self.looks, self.tries, self.leaves,
        )  # fmt: skip
        return self.pick(kinds)()

    # --- statements ------------------------------------------------------------------------------------------

    def turn(self) -> list[Statement]:
        return [["turn", 1 + self.choose(2)] if self.choose(4) else ["await", ["sleep", 0, self.new()]]]

    def awaits(self) -> list[Statement]:
        return [["await", self.pick(self.cells)]]

    def gives(self) -> list[Statement]:
        future, number = self.pick(self.futures), self.new()
        e = [f"{future}.set_result", number]
        if self.choose(3) == 2:
            e = [f"{future}.set_exception", ["KeyError", number]]
        return [["try", [["do", e]], [["InvalidStateError", []]]]]

    def cancel(self) -> Statement:
        """Cancel a task: mostly another one, sometimes itself."""
        whom = self.pick((*self.tasks, *self.tasks, *self.cells, self.task))
        return ["do", [f"{whom}.cancel", f"why{self.new()}"] if self.choose(2) else [f"{whom}.cancel"]]

    def cancels(self) -> list[Statement]:
        return [self.cancel()]

    def window(self) -> list[Statement]:
        """Hand over and cancel, or cancel twice, in one iteration."""
        both = [*(self.gives() if self.choose(4) else [self.cancel()]), self.cancel()]
        return both[::-1] if self.choose(2) else both

    def parks(self) -> list[Statement]:
        """Cancel itself, then wait: the request is forwarded to the awaited future."""
        return [["do", [f"{self.task}.cancel"]], *self.wait()]

    def withdraws(self) -> list[Statement]:
        """Cancel and uncancel, or uncancel a request of another task."""
        whom = self.pick((*self.tasks, self.task))
        asked: list[Statement] = [["do", [f"{whom}.cancel"]]] * self.choose(3)
        back: list[Statement] = [["do", [f"{whom}.uncancel"]]] * (1 + self.choose(2))
        return [*asked, *back, ["do", [f"{whom}.cancelling"]]]

    def looks(self) -> list[Statement]:
        whom = self.pick((*self.tasks, *self.cells))
        call = self.pick(("done", "cancelled", "result", "exception"))
        look: Statement = ["do", [f"{whom}.{call}"]]
        if call in ("done", "cancelled"):
            return [["see", whom]] if self.choose(2) else [look]
        return [["try", [look], [["BaseException", []]]]]

    def tries(self) -> list[Statement]:
        if self.depth == DEPTH_MAX:
            return self.turn()
        self.depth += 1
        block = [*self.statement(), *self.block(2)]
        kind = self.choose(4)
        made: Statement
        if kind < 2:
            made = self.swallowing(block)
        elif kind == 2:
            made = ["try", block, [], self.block(3)]
        else:
            last: list[Statement] = [["raise"]] if self.choose(2) else []
            made = ["try", block, [[self.pick(("Exception", "KeyError")), self.block(3) + last]]]
        self.depth -= 1
        return [made]

    def swallowing(self, block: list[Statement]) -> Statement:
        """Swallow a request that is thrown in here, and sometimes withdraw it."""
        back: list[Statement] = [["do", [f"{self.task}.uncancel"]]] if self.choose(2) else []
        return ["try", block, [["CancelledError", back + self.block(2)]]]

    def leaves(self) -> list[Statement]:
        kind = self.choose(5)
        if kind < 2:
            return [["return", self.new()]]
        return [["raise", "CancelledError"] if kind == 4 else ["raise", "KeyError", self.new()]]
