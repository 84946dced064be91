"""A site for the tests of the ladder's worlds, and what they do with sockets."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from impl import Choices
from impl.ladder.http import address_of, request
from impl.ladder.world.interfaces import Selector, Socket, World
from impl.ladder.world.simulated import SimulatedWorld
from impl.net import Weather
from impl.web.site import Broken, Html, Raw, Site

PAGE = "http://a.test/page"
SLOW = "http://a.test/slow"
SILENT = "http://a.test/silent"
RESET = "http://a.test/reset"
REFUSED = "http://refused.test/"
UNKNOWN = "http://unknown.test/"
BODY = bytes(range(256)) * 40

SITE = Site(
    {
        PAGE: Raw(BODY, "image/png"),
        SLOW: Html((), 30),
        SILENT: Broken("silent"),
        RESET: Broken("reset"),
        REFUSED: Broken("refused"),
        UNKNOWN: Broken("no-such-host"),
    },
    (),
)


@contextmanager
def simulated(choices: Choices | None = None, weather: Weather | None = None) -> Iterator[SimulatedWorld]:
    """A simulated world with `SITE`, closed at the end."""
    world = SimulatedWorld(SITE, choices, weather)
    try:
        yield world
    finally:
        world.close()


def asked(world: World, url: str) -> Socket:
    """A blocking socket that has sent its request."""
    sock = world.socket.socket()
    sock.settimeout(5)
    sock.connect(address_of(url))
    data = request(url)
    assert sock.send(data) == len(data)
    return sock


def rest(sock: Socket) -> bytes:
    """What comes until the end."""
    data = b""
    while chunk := sock.recv(1000):
        data += chunk
    return data


def ready(selector: Selector, seconds: float | None = 5) -> dict[int, int]:
    """What is ready, by descriptor."""
    return {key.fd: mask for key, mask in selector.select(seconds)}


def code_of(call: Callable[[], object]) -> int | None:
    """The errno of the OSError that it raises."""
    with pytest.raises(OSError) as caught:  # noqa: PT011  # whichever: its errno is what is asked for
        call()
    return caught.value.errno


@contextmanager
def selector_of(world: World) -> Iterator[Selector]:
    selector = world.selectors.DefaultSelector()
    yield selector
    selector.close()


@contextmanager
def connecting(world: World, url: str) -> Iterator[Socket]:
    """A socket that does not block, while it connects."""
    with world.socket.socket() as sock:
        sock.setblocking(False)
        assert code_of(lambda: sock.connect(address_of(url))) == errno.EINPROGRESS
        yield sock
