"""The progress line of a crawl: one line on a terminal, drawn again and again, gone when the crawl ends.

Theory of operation.  The line shows what the frontier holds, so there is nothing to keep in step with it but the
number of errors.  A task of the crawl's own loop draws it a few times a second: no thread, no timer of another
library.  rich knows how to draw on a terminal; it is imported only by who makes a line.
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
        self._drawing: Task[Any] | None = None  # Any: it never returns
        # What is logged meanwhile goes above the line; what is printed goes where it always goes.
        self._live = Live(
            console=Console(file=terminal), auto_refresh=False, transient=True, redirect_stdout=False
        )

    def tell(self, url: str, outcome: Outcome) -> None:
        """A URL is done."""
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
    """What the line says, `seconds` after the crawl began."""
    fetched = len(frontier.outcomes)
    speed = fetched / seconds if seconds else 0.0
    return (
        f"{fetched:,} fetched   {len(frontier.queued):,} queued   {len(frontier.in_flight):,} in flight   "
        f"{errors:,} errors   {speed:,.1f} pages a second"
    )
