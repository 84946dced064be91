"""robots.txt: the URLs that an origin lets a crawler fetch, and how fast.

The rules are read by protego, which follows RFC 9309 and Google's specification: the longest match wins, of two equal
ones Allow.  An answer without rules is read here (RFC 9309, 2.3.1): a status of 4xx, or too many redirects,
lets the crawler fetch all; a status of 5xx lets it fetch nothing.
"""

from __future__ import annotations

from typing import Final, Protocol

from .url import split

#: The name of the crawler that a robots.txt may address (RFC 9309, 2.2.1).
AGENT: Final = "loopspec"
#: The redirects that are followed from /robots.txt, and the bytes of it that are read: at least these (2.3.1.2, 2.5).
REDIRECTS_MAX: Final = 5
BYTES_MAX: Final = 500 * 1024


class Robots(Protocol):
    """The permissions of an origin."""

    def allows(self, url: str) -> bool:
        """Whether a canonical URL of the origin may be fetched."""

    @property
    def delay_s(self) -> float:
        """The seconds between two requests that the origin asks for (Crawl-delay, which is no part of the RFC)."""


class _Same:
    """The same answer for every URL."""

    delay_s = 0.0

    def __init__(self, allowed: bool) -> None:
        self._allowed = allowed

    def allows(self, url: str) -> bool:
        return self._allowed


ALL: Final[Robots] = _Same(True)
NOTHING: Final[Robots] = _Same(False)


class _Rules:
    """The rules of a robots.txt."""

    def __init__(self, text: str) -> None:
        from protego import Protego  # here, because a crawl of a simulated web has no robots.txt

        self._rules = Protego.parse(text)
        self.delay_s = max(0.0, float(self._rules.crawl_delay(AGENT) or 0.0))

    def allows(self, url: str) -> bool:
        # /robots.txt itself may always be fetched (2.2.2).
        return split(url).target == "/robots.txt" or bool(self._rules.can_fetch(url, AGENT))


def robots(status: int, body: bytes) -> Robots:
    """The permissions of the final answer to /robots.txt.

    Parameters:
        status: of that answer; one of 3xx means that no further redirect is followed.
        body: of that answer; bytes after BYTES_MAX do not count, and a line that is cut there is left out.
    """
    if status >= 500:
        return NOTHING
    if not 200 <= status < 300:
        return ALL
    if len(body) > BYTES_MAX:
        body = body[: body.rfind(b"\n", 0, BYTES_MAX) + 1]
    return _Rules(body.decode("utf-8-sig", "replace"))
