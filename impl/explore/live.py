"""The line that shows on a terminal how far a search is: runs, distinct outcomes, failures, rate, time left.

`LiveText` draws any text at its times; the conformance kit uses it, too.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from types import TracebackType
from typing import Final, Self, TextIO

from .found import Found

#: Seconds between two drawings.
_EVERY_S: Final = 0.2
_CLEAR: Final = "\r\x1b[K"


class LiveText:
    """Draws a line while its `with` lasts, if `stream` is a terminal."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._terminal = stream.isatty()
        self._began = self._next = monotonic()

    def draw(self, text: Callable[[float], str]) -> None:
        """Draw, if it is time, the text that is made of the seconds since the beginning."""
        if self._terminal:
            now = monotonic()
            if now >= self._next:
                self._next = now + _EVERY_S
                self._stream.write(_CLEAR + text(now - self._began))
                self._stream.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._terminal:
            self._stream.write(_CLEAR)
            self._stream.flush()


class LiveLine(LiveText):
    """The line of a search; keeps what was found so far.

    Parameters:
        runs: the number of runs that are to be made; None: not known.
    """

    def __init__(self, stream: TextIO, runs: int | None) -> None:
        super().__init__(stream)
        self.found = Found()
        self._runs = runs

    def show(self, found: Found) -> None:
        """Called after each run."""
        self.found = found
        self.draw(lambda seconds: text(found, self._runs, seconds))


def text(found: Found, runs: int | None, seconds: float) -> str:
    """The text of the line, `seconds` after the search began; `runs`: as LiveLine's."""
    rate = found.runs / seconds if seconds else 0.0
    left = f"   {(runs - found.runs) / rate:,.0f} s left" if runs is not None and rate else ""
    return (
        f"{found.runs:,} runs   {len(found.outcomes):,} outcomes   {found.failures:,} failures   "
        f"{rate:,.0f} runs a second{left}"
    )
