"""Caps on a whole crawl: URLs, hosts and seconds.  A crawl that reaches one is cut, and its report names the cap.

Where a cut falls depends on the schedule.  So the claims of equal results (CRAWL-6) are for crawls that were not cut;
the URLs that were fetched are some of those of the whole crawl, each with its outcome.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from ..web.url import split


@dataclass(frozen=True, slots=True)
class Caps:
    """The most URLs to fetch, hosts to fetch from, and seconds from the beginning; None: any number.

    Raises:
        ValueError: a number is too small.
    """

    pages: int | None = None
    hosts: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name in ("pages", "hosts", "seconds"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise ValueError(f"max_{name} must be greater than 0, not {value}")


UNCAPPED: Final = Caps()


@dataclass(slots=True)
class Cut:
    """How far a crawl has come towards its caps, and the URLs that they have cut.

    `left` counts the URLs that were not started, by option; `late`: the time was over while URLs were in flight.
    """

    caps: Caps
    left: dict[str, int] = field(default_factory=dict)
    late: bool = False
    _started: int = 0
    _hosts: dict[str, None] = field(default_factory=dict)

    def admits(self, url: str) -> bool:
        """Whether the fetch of `url` may begin; it is counted if it may, and else as left."""
        host = split(url).host
        if self._started == self.caps.pages:
            cap = "--max-pages"
        elif host not in self._hosts and len(self._hosts) == self.caps.hosts:
            cap = "--max-hosts"
        else:
            self._started += 1
            self._hosts[host] = None
            return True
        self.left[cap] = self.left.get(cap, 0) + 1
        return False

    def by(self) -> tuple[str, ...]:
        """The options that have cut the crawl."""
        return tuple(dict.fromkeys((*self.left, *(("--max-seconds",) if self.late else ()))))
