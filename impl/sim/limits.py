"""The limits of a run that a search sets: numbers of loop iterations, and errors that nothing handles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

#: Iterations after which a run is looked at.
ITERATIONS: Final = 10_000
#: A search takes a run for unfinished after this many times as many.
_PATIENCE: Final = 100
#: A run by itself has so many: some tens of seconds.
_ALONE: Final = 1_000_000


#: The type of an error, and the file and the line that has raised it.
ErrorPlace: TypeAlias = tuple[str, str, int]


def place_of_error(error: BaseException) -> ErrorPlace:
    """The type and the innermost line of an error that was raised."""
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    place = ("", 0) if at is None else (at.tb_frame.f_code.co_filename, at.tb_lineno)
    return (type(error).__qualname__, *place)


@dataclass
class RunLimits:
    """After `iterations` a run is looked at (repetition.py), and after `most` it is unfinished."""

    iterations: int = ITERATIONS
    most: int = _PATIENCE * ITERATIONS
    #: The errors of callbacks that nothing has handled; None: they are not wanted.
    unhandled: list[Exception] | None = None

    def begin(self) -> None:
        """A run begins."""
        if self.unhandled is not None:
            self.unhandled.clear()

    def note(self, what: dict[str, Any]) -> None:  # Any: asyncio's context dict
        """Note an error that nothing handles, if a callback has raised it; CancelledError is none."""
        error = what.get("exception")
        if self.unhandled is not None and "handle" in what and isinstance(error, Exception):
            self.unhandled.append(error)

    @classmethod
    def of(cls, iterations: int) -> RunLimits:
        """The limits of a search that looks at a run after `iterations`."""
        return cls(iterations, _PATIENCE * iterations, [])

    @classmethod
    def of_one(cls, iterations: int = ITERATIONS) -> RunLimits:
        """The limits of a run by itself, which is looked at after `iterations`."""
        return cls(iterations, max(iterations, _ALONE))
