"""The line that shows how far a search is: runs, distinct outcomes, failures, rate, time left.

`LiveText` draws any text at its times: on a terminal, and in a log if that is asked for, as the conformance kit does.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Final, Self, TextIO

from .found import Found

#: Seconds between two drawings.
_EVERY_S: Final = 0.2
_CLEAR: Final = "\r\x1b[K"


class LiveText:
    """Draws a line while its `with` lasts, if `stream` is a terminal.

    Parameters:
        log_s: the seconds between two lines in a stream that is none, such as a log; None: it gets no line.
    """

    def __init__(self, stream: TextIO, log_s: float | None = None) -> None:
        self._stream = stream
        self._terminal = stream.isatty()
        self._every = _EVERY_S if self._terminal else log_s
        self._began = monotonic()
        self._next = self._began if self._terminal else self._began + (log_s or 0)

    def draw(self, text: Callable[[float], str]) -> None:
        """Draw, if it is time, the text that is made of the seconds since the beginning."""
        if self._every is None:
            return
        now = monotonic()
        if now >= self._next:
            self._next = now + self._every
            said = text(now - self._began)
            self._stream.write(_CLEAR + said if self._terminal else said + "\n")
            self._stream.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._terminal:
            self._stream.write(_CLEAR)
            self._stream.flush()


class LiveLine(LiveText):
    """The line of a search; keeps the findings so far.

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
