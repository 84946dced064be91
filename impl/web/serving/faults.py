"""The errors of a server in one attempt: the faults of `impl.web.serving.site.AttemptFault`, as commands.

A fault is a function of the right response, which has a Content-Length and closes its connection at its end.  It
gives the commands that are executed instead.  Some faults are harmless (`HARMLESS`): a client must read the response
all the same.  `Attempts` counts the attempts at each URL of a site with faults, so it knows the fault of the next one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from ..limits import LIMITS
from ..wire import Send
from .commands import HALF_CLOSE, HANG, RESET, Command, Pause
from .site import AttemptFault, Resource, Site, Struck

#: Not HTTP, but with a blank line, so a client that waits for the end of a header block finds one.
GARBAGE: Final = b"220 mail.example.test ESMTP\r\n\r\n"

#: No byte of a response arrives.
UNANSWERED: Final = frozenset(("reset-first", "empty", "garbage"))

#: The whole response arrives.
HARMLESS: Final = frozenset(("reset-after", "half-close", "short-length", "drip", "late"))

#: The client's time limit decides.
TIMED: Final = frozenset(("late", "silent", "silent-head", "silent-body"))

#: The response begins this long after the request, which is about the time limit of one try, 30 s.
LATE_MS: Final = 29_970

_DRIP_PIECES: Final = 16
_BODY: Final = b"<!DOCTYPE html><a href='/struck'>in a broken response</a>"


def strike(fault: AttemptFault, answer: bytes) -> Iterator[Command]:
    """Yield the commands of `fault`; `answer` is the right response."""
    yield from _STRIKES[fault](answer)


def _half(answer: bytes) -> bytes:
    """The header block, and half of the body."""
    head, end, body = answer.partition(b"\r\n\r\n")
    return head + end + body[: len(body) // 2]


def _half_head(answer: bytes) -> bytes:
    return answer[: answer.index(b"\r\n\r\n") // 2]


def _page(*fields: bytes, body: bytes = _BODY) -> Send:
    """A response with these header fields and no others."""
    return Send(b"\r\n".join((b"HTTP/1.1 200 OK", b"Content-Type: text/html", *fields, b"", body)))


def _length(length: int) -> bytes:
    return b"Content-Length: %d" % length


def _drip(answer: bytes) -> Iterator[Command]:
    size = 1 + len(answer) // _DRIP_PIECES
    for start in range(0, len(answer), size):
        yield Pause(1)
        yield Send(answer[start : start + size])


_CHUNKED: Final = b"Transfer-Encoding: chunked"
_CHUNK: Final = b"%x\r\n%s\r\n" % (len(_BODY), _BODY)

_STRIKES: Final[Mapping[AttemptFault, Callable[[bytes], Iterator[Command] | tuple[Command, ...]]]] = {
    "reset-first": lambda answer: (RESET,),
    "reset-head": lambda answer: (Send(_half_head(answer)), RESET),
    "reset-body": lambda answer: (Send(_half(answer)), RESET),
    "reset-after": lambda answer: (Send(answer), RESET),
    "empty": lambda answer: (),
    "half-head": lambda answer: (Send(_half_head(answer)),),
    "half-body": lambda answer: (Send(_half(answer)),),
    "half-close": lambda answer: (Send(answer), HALF_CLOSE, HANG),
    "drip": _drip,
    "late": lambda answer: (Pause(LATE_MS), Send(answer)),
    "silent": lambda answer: (HANG,),
    "silent-head": lambda answer: (Send(_half_head(answer)), HANG),
    "silent-body": lambda answer: (Send(_half(answer)), HANG),
    "garbage": lambda answer: (Send(GARBAGE),),
    "garbage-head": lambda answer: (_page(b"no header field"),),
    "garbage-coding": lambda answer: (_page(b"Content-Encoding: gzip", _length(len(_BODY))),),
    "short-length": lambda answer: (Send(answer + _BODY),),
    "long-length": lambda answer: (_page(_length(len(_BODY) + 1)),),
    "two-lengths": lambda answer: (_page(_length(len(_BODY)), _length(len(_BODY) - 1)),),
    "bad-length": lambda answer: (_page(_length(-len(_BODY))),),
    "bad-chunk": lambda answer: (_page(_CHUNKED, body=b"many\r\n" + _BODY),),
    "no-last-chunk": lambda answer: (_page(_CHUNKED, body=_CHUNK),),
    "big-head": lambda answer: (_page(b"X-Big: " + b"x" * (2 * LIMITS.header_bytes), _length(len(_BODY))),),
    "big-body": lambda answer: (_page(_length(LIMITS.body_bytes + 1)),),
}

#: All faults of one attempt.
FAULTS: Final = tuple(_STRIKES)


class Attempts(Mapping[str, Resource]):
    """The resources of `site` as the next attempt at each URL meets them; `made` records an attempt.

    The number of attempts at a URL is the only state, so the fault of an attempt is a function of the URL and of its
    number: the same on every network and under every schedule, except where timing decides (CRAWL-22).
    """

    def __init__(self, site: Site) -> None:
        self.struck: Counter[AttemptFault] = Counter()
        self._site = site
        self._made: Counter[str] = Counter()

    def made(self, url: str) -> None:
        """Record an attempt at `url`."""
        fault = self._next(url)
        if fault is not None:
            self.struck[fault] += 1
        self._made[url] += 1

    def site(self) -> Site:
        """The site to serve."""
        return replace(self._site, resources=self)

    def _next(self, url: str) -> AttemptFault | None:
        faults = self._site.faults.get(url, ())
        made = self._made[url]
        return faults[made] if made < len(faults) else None

    def __getitem__(self, url: str) -> Resource:
        resource, fault = self._site.resources[url], self._next(url)
        return resource if fault is None else Struck(fault, resource)

    def __iter__(self) -> Iterator[str]:
        return iter(self._site.resources)

    def __len__(self) -> int:
        return len(self._site.resources)


def served(site: Site) -> Site:
    """The site to serve: one that counts its attempts, if it has faults."""
    return Attempts(site).site() if site.faults and not isinstance(site.resources, Attempts) else site
