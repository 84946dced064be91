"""Choices of a freedom: whether it is used, turns that a call may take, and what no sentence covers."""

from __future__ import annotations

from collections.abc import Callable

import impl
from impl.interfaces import Waiter
from impl.sim.choices import Choices
from impl.tasks.current import our_running_loop


def drawn() -> bool:
    """Whether the implementation uses a freedom here; not where no loop runs, as then nothing is on its way."""
    choices = choices_of_run()
    return choices is not None and bool(choices.program(2))


def choices_of_run() -> Choices | None:
    """Return the choices of the run; None: it has none, or is over, and only what it has left behind is closed."""
    loop = our_running_loop()
    return None if loop is None else loop.choices


async def pause(give_back: Callable[[], object] = lambda: None) -> None:
    """Give the other tasks a turn, or not; a cancel meanwhile gives back what the call has taken."""
    if drawn():
        try:
            await impl.sleep(0)
        except BaseException:
            give_back()
            raise


def unspecified() -> None:
    """Say that no sentence covers what the program does here: all that follows is right."""
    getattr(our_running_loop(), "unspecified", bool)()


class Calls:
    """The calls of one object, which may look at it a turn later, all or none; they look in the order of the calls."""

    __slots__ = ("_last", "late")

    def __init__(self) -> None:
        self.late: bool | None = None  #: None: no call was made
        #: Of the last call: it is done when the call looks at the object.
        self._last: Waiter | None = None

    async def enter(self) -> bool:
        """Give the other tasks a turn, or not; return, in the order of the calls, whether it was given."""
        if self.late is None:
            self.late = drawn()
        if not self.late:
            return False
        before, mine = self._last, impl.get_running_loop().create_future()
        self._last = mine
        try:
            await impl.sleep(0)
            if before is not None and not before.done():
                await impl.shield(before)
        finally:
            mine.set_result(None)
        return True
