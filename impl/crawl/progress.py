"""The progress line of a crawl: one line on a terminal, redrawn several times a second, removed when the crawl ends.

The line shows the frontier's own state; only the number of errors is counted here.  A task of the crawl's loop draws
it: no thread, no timer of another library.  rich does the drawing; it is imported only when a line is made.
"""

from __future__ import annotations

from time import monotonic
from types import TracebackType
from typing import Any, Final, NoReturn, Self, TextIO

from ..runners import create_task, sleep
from ..tasks.task import Task
from ..web.outcome import Failure, Outcome
from .frontier import Frontier

#: Seconds between two drawings.
_EVERY_S: Final = 0.2


class ProgressLine:
    """The line of the crawl that fills `frontier`, on `terminal`, while its `async with` lasts."""

    def __init__(self, frontier: Frontier, terminal: TextIO) -> None:
        from rich.console import Console
        from rich.live import Live

        self._frontier = frontier
        self._errors = 0
        self._began = monotonic()
        self._drawing: Task[Any] | None = None  # Any: the task never returns
        # Log output appears above the line; printed output is not redirected.
        self._live = Live(
            console=Console(file=terminal), auto_refresh=False, transient=True, redirect_stdout=False
        )

    def tell(self, url: str, outcome: Outcome) -> None:
        """Count the outcome of a URL that is done."""
        self._errors += isinstance(outcome, Failure)

    async def __aenter__(self) -> Self:
        self._live.start()
        self._drawing = create_task(self._draw(), name="progress")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._drawing is not None:
            self._drawing.cancel()
        self._live.stop()

    async def _draw(self) -> NoReturn:
        from rich.text import Text

        while True:
            line = text(self._frontier, self._errors, monotonic() - self._began)
            self._live.update(Text(line, no_wrap=True, overflow="ellipsis"), refresh=True)
            await sleep(_EVERY_S)


def text(frontier: Frontier, errors: int, seconds: float) -> str:
    """The text of the line, `seconds` after the crawl began."""
    fetched = len(frontier.outcomes)
    speed = fetched / seconds if seconds else 0.0
    return (
        f"{fetched:,} fetched   {len(frontier.queued):,} queued   {len(frontier.in_flight):,} in flight   "
        f"{errors:,} errors   {speed:,.1f} pages a second"
    )
