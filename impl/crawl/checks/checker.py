"""The link checker of one crawl: it sees each record as its URL is done, and returns its findings at the end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from ...web.outcome import Outcome
from ..frontier import everything
from ..record import Record
from .findings import Findings, findings
from .places import PlaceIndex


class Checker:
    """`allows`: the scope of the crawl."""

    def __init__(self, allows: Callable[[str], bool] = everything) -> None:
        self._index = PlaceIndex(allows)
        self._slow: dict[str, int] = {}

    def see(self, row: Record) -> None:
        """Take the record of a URL that is done, with its references and anchors; each once, in any order."""
        self._index.add(row)
        if row.slow_ms is not None:
            self._slow[row.url] = row.slow_ms

    def found(self, rows: Sequence[Record]) -> Findings:
        """The findings; `rows`: the records of all URLs that were seen, sorted."""
        return findings(rows, self._index, self._slow)


class Stopwatch:
    """Measures how long the last try of each URL takes, and keeps URLs that take longer than `slow_s` seconds.

    Parameters:
        time: the loop's clock, in seconds.
        slow_s: None: nothing is slow.
    """

    def __init__(self, time: Callable[[], float], slow_s: float | None) -> None:
        self._time = time
        self._slow_s = slow_s
        self._slow_ms: dict[str, int] = {}

    def timing(self, fetch: Callable[[str], Awaitable[Outcome]]) -> Callable[[str], Awaitable[Outcome]]:
        """The fetch, timed."""

        async def timed(url: str) -> Outcome:
            began = self._time()
            outcome = await fetch(url)
            seconds = self._time() - began
            self._slow_ms.pop(url, None)
            if self._slow_s is not None and seconds > self._slow_s:
                self._slow_ms[url] = round(seconds * 1000)
            return outcome

        return timed

    def slow_ms(self, url: str) -> int | None:
        """The milliseconds of a URL that is done, if it was slow; asked once."""
        return self._slow_ms.pop(url, None)
