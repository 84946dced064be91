"""Probes: statements of a program under exploration about itself.

-   `always(condition, text)`: the condition holds whenever this line runs.  A run fails if it does not, even if
    the program swallows the error.
-   `eventually(predicate, text)`: the predicate holds when the program has ended.
-   `sometimes(condition, text)`: the condition holds in some run, at some time.  If it never does, the exploration
    has failed: its runs have not come to the case that they were to test.

Outside of an exploration `always` is an assertion, and the others do nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager

from ...errors import CallbackError
from ...sim.limits import ErrorPlace, RunLimits, place_of_error
from ...sim.outcome import clear_frames


class ProbeFailed(AssertionError):
    """A probe does not hold; the text is the probe's."""


class EndWanted(Exception):
    """The program has a probe `eventually`, and its end is not watched."""


class Probes:
    """The probes of one exploration; an Oracle (interfaces.py).

    Parameters:
        watched: whether `ended` is called when `main` has ended; most programs have no probe that needs it.
        limits: of the runs; they note the errors of callbacks that nothing handles: such a run fails, too.
        usual: those of these errors that are no failure, as `place_of_error` has them.
    """

    def __init__(self, watched: bool, limits: RunLimits, usual: Collection[ErrorPlace] = ()) -> None:
        self.watched = watched
        self._limits, self._usual = limits, usual
        #: The texts of `sometimes`, and whether it held.
        self.reached: dict[str, bool] = {}
        self._failed: ProbeFailed | None = None
        self._at_end: list[tuple[Callable[[], object], str]] = []

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Explorations may be nested: the probes of the inner one are its own."""
        _current.append(self)
        try:
            yield
        finally:
            _current.remove(self)

    def begin(self) -> None:
        """A run begins."""
        self._failed = None
        self._at_end.clear()
        if self._limits.unhandled:
            self._limits.begin()

    def end(self, at_rest: bool) -> ProbeFailed | CallbackError | None:
        """The error of the first probe that did not hold; else of the first callback that has failed.

        Raises:
            EndWanted: the end of `main` must be watched.
        """
        if self._at_end and not self.watched:
            raise EndWanted
        if not self._limits.unhandled:
            return self._failed
        error = next((each for each in self._limits.unhandled if place_of_error(each) not in self._usual), None)
        self._limits.begin()  # its errors hold the objects of the run
        if self._failed is not None or error is None:
            return self._failed
        clear_frames(error)
        # Without its text: a program may live with an error that has another text in each run.
        failed = CallbackError(type(error).__qualname__).with_traceback(error.__traceback__)
        failed.__cause__ = error
        return failed

    def ended(self) -> None:
        """`main` has ended: check the conditions of its end."""
        for predicate, text in self._at_end:
            if not predicate():
                self.fail(ProbeFailed(f"eventually: {text}"))

    def fail(self, error: ProbeFailed) -> None:
        """Note that the run has failed."""
        if self._failed is None:
            self._failed = error

    def at_end(self, predicate: Callable[[], object], text: str) -> None:
        """Check the predicate when the run has ended."""
        self._at_end.append((predicate, text))


#: The explorations that are under way, the innermost last.
_current: list[Probes] = []


def always(condition: object, text: str) -> None:
    """State that the condition holds here.

    Raises:
        ProbeFailed: it does not.
    """
    if not condition:
        error = ProbeFailed(f"always: {text}")
        if _current:
            _current[-1].fail(error)
        raise error


def eventually(predicate: Callable[[], object], text: str) -> None:
    """State that the predicate holds when the program has ended."""
    if _current:
        _current[-1].at_end(predicate, text)


def sometimes(condition: object, text: str) -> None:
    """State that the condition holds here in some run."""
    if _current:
        reached = _current[-1].reached
        reached[text] = reached.get(text, False) or bool(condition)
