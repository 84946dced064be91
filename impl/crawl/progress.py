"""The progress line of a crawl: one line on a terminal, redrawn several times a second, removed when the crawl ends.

The line shows the frontier's own state; only the URLs done in this run, and the errors of each host, are counted here.
A task of the crawl's loop draws it: no thread, no timer of another library.  rich does the drawing, with colours where
the terminal has them and NO_COLOR is not set (no-color.org); it is imported only when a line is made.  A terminal that
is gone ends the line, and not the crawl.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from time import monotonic
from typing import Any, Final, Self, TextIO

from ..runners.runner import create_task, sleep
from ..tasks.task import Task
from ..web.outcome import FetchFailure, Outcome
from ..web.url import split
from .frontier import Frontier

#: Seconds between two drawings.
_EVERY_S: Final = 0.2
#: The hosts with most errors that are named.
_HOSTS: Final = 2


class ProgressLine:
    """The line of the crawl that fills `frontier`, on `terminal`, while its `async with` lasts."""

    def __init__(self, frontier: Frontier, terminal: TextIO) -> None:
        from rich.console import Console
        from rich.live import Live

        self._frontier = frontier
        self._done = 0
        self._errors: Counter[str] = Counter()
        self._began = monotonic()
        self._drawing: Task[Any] | None = None  # Any: its result is not looked at
        # Log output appears above the line; printed output is not redirected.
        self._live = Live(console=Console(file=terminal), auto_refresh=False, transient=True, redirect_stdout=False)

    def tell(self, url: str, outcome: Outcome) -> None:
        """Count the outcome of a URL that is done."""
        self._done += 1
        if isinstance(outcome, FetchFailure):
            self._errors[split(url).host] += 1

    async def __aenter__(self) -> Self:
        with suppress(OSError):
            self._live.start()
            self._drawing = create_task(self._draw(), name="progress")
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._drawing is not None:
            self._drawing.cancel()
        with suppress(OSError):
            self._live.stop()

    async def _draw(self) -> None:
        from rich.text import Text

        with suppress(OSError):
            while True:
                line = text(self._frontier, self._done, self._errors, monotonic() - self._began)
                shown = Text(line, no_wrap=True, overflow="ellipsis")
                shown.highlight_regex(r"[1-9][\d,]* errors.*", "red")
                self._live.update(shown, refresh=True)
                await sleep(_EVERY_S)


def text(frontier: Frontier, done: int, errors: Counter[str], seconds: float) -> str:
    """The text of the line: `done` URLs in this run of `seconds`, with `errors` by host.

    The time left is that of the URLs that are known now; a crawl finds more of them.
    """
    queued, in_flight = len(frontier.queued), len(frontier.in_flight)
    speed = done / seconds if seconds else 0.0
    parts = [
        f"{len(frontier.outcomes):,} fetched",
        f"{queued:,} queued",
        f"{in_flight:,} in flight",
        f"{speed:,.1f} URLs a second",
    ]
    if speed:
        parts.append(f"{_clock((queued + in_flight) / speed)} left at least")
    parts.append(f"{errors.total():,} errors" + _by_host(errors))
    return "   ".join(parts)


def _by_host(errors: Counter[str]) -> str:
    """The hosts with most errors, if it is not just one host."""
    if len(errors) < 2:
        return ""
    most = sorted(errors.items(), key=lambda pair: (-pair[1], pair[0]))
    named = ", ".join(f"{host} {count:,}" for host, count in most[:_HOSTS])
    return f" ({named}{', ...' if len(most) > _HOSTS else ''})"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
