"""Teaching code: rung 5, a selector and callbacks: one thread waits for all sockets at once.

Teaches: `select` waits until a registered socket is ready and returns the function that was registered with it.  That
is the whole of an event loop (`Loop`).
Changed against rung 4: no call is made in vain, and all pages are fetched at the same time.
Still wrong: one fetch is torn into several methods (stack ripping).  State must be kept in `self`; the traceback of an
error in a callback begins in the loop and does not name the fetch's caller, and no `try` of the caller can catch it
(`stack_ripping` below).  Nor does anything limit the number of open sockets.  From rung 8 on a fetch becomes one
function again.

Against the text's sketch: SO_ERROR is read, because a failed connect makes its socket writable too (defect K1).  An
error in a callback ends its fetch, not the loop.  Each socket is unregistered and closed (K11).  A fetch has a deadline
(K5).  The loop calls callbacks with the arguments they take (K7).

Source: "A Web Crawler With asyncio Coroutines" (500 Lines), "Programming With Callbacks".
"""

from __future__ import annotations

import selectors
import socket
import traceback
from collections.abc import Callable, Sequence
from contextlib import closing

from ...crawl.scope import Scope
from ...web.interpret import failure
from ...web.outcome import Outcome, Page
from ..http import CHUNK, PATIENCE, address_of, outcome_of, request
from ..world import World

Callback = Callable[[], None]


class Loop:
    """Calls each registered callback when its socket is ready, and fails each fetch at its deadline."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.selector = world.DefaultSelector()
        self.fetchers: list[Fetcher] = []

    def run(self) -> None:
        """Run until each fetch is done."""
        while self.fetchers:
            first = min(fetcher.deadline for fetcher in self.fetchers)
            for key, _ in self.selector.select(first - self.world.time()):
                callback: Callback = key.data
                callback()
            for fetcher in [f for f in self.fetchers if f.deadline <= self.world.time()]:
                fetcher.failed(TimeoutError())


class Fetcher:
    """Fetches one page, one callback after the other; `done` is called with the URL and the outcome."""

    def __init__(self, loop: Loop, url: str, done: Callable[[str, Outcome], None]) -> None:
        self.loop = loop
        self.url = url
        self.done = done
        self.unsent = request(url)
        self.response = b""

    def fetch(self) -> None:
        """Start connecting; the loop calls the other methods."""
        self.deadline = self.loop.world.time() + PATIENCE
        self.loop.fetchers.append(self)
        self.sock = self.loop.world.socket()
        self.sock.setblocking(False)
        self.loop.selector.register(self.sock.fileno(), selectors.EVENT_WRITE, self.connected)
        try:
            self.sock.connect(address_of(self.url))
        except BlockingIOError:
            pass  # in progress
        except OSError as problem:
            self.failed(problem)

    def connected(self) -> None:
        """The socket is writable: it is connected, or the connect has failed."""
        error = self.sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if error:
            self.failed(OSError(error, "connect"))
            return
        try:
            self.unsent = self.unsent[self.sock.send(self.unsent) :]
        except OSError as problem:
            self.failed(problem)
            return
        if not self.unsent:
            self.loop.selector.unregister(self.sock.fileno())
            self.loop.selector.register(self.sock.fileno(), selectors.EVENT_READ, self.read_response)

    def read_response(self) -> None:
        """The socket is readable: bytes have arrived, or the end."""
        try:
            chunk = self.sock.recv(CHUNK)
        except OSError as problem:
            self.failed(problem)
            return
        if chunk:
            self.response += chunk
        else:
            self.finish(outcome_of(self.url, self.response))

    def failed(self, error: OSError) -> None:
        """Handle an error; no single `try` can surround the methods of a fetch."""
        self.finish(failure(error))

    def finish(self, outcome: Outcome) -> None:
        self.loop.selector.unregister(self.sock.fileno())
        self.loop.fetchers.remove(self)
        self.sock.close()
        self.done(self.url, outcome)


class Crawler:
    """Follows links within the host of its root; starts a Fetcher for each page as soon as it is found.

    `seen` holds all pages that were found; those that are not done have a Fetcher in `loop.fetchers`.
    """

    def __init__(self, loop: Loop, root: str) -> None:
        self.loop = loop
        self.allows = Scope((root,)).allows
        self.seen: set[str] = set()
        self.outcomes: dict[str, Outcome] = {}
        self.found(root)

    def found(self, url: str) -> None:
        if url not in self.seen and self.allows(url):
            self.seen.add(url)
            Fetcher(self.loop, url, self.done).fetch()

    def done(self, url: str, outcome: Outcome) -> None:
        self.outcomes[url] = outcome
        if isinstance(outcome, Page):
            for link in outcome.links:
                self.found(link)


def crawl(world: World, root: str) -> dict[str, Outcome]:
    """Follow links, but no redirects, from the root until no fetch is left; the outcome of each URL."""
    loop = Loop(world)
    with closing(loop.selector):
        crawler = Crawler(loop, root)
        loop.run()
    return crawler.outcomes


def run(world: World, urls: Sequence[str]) -> dict[str, Outcome]:
    """Fetch the pages, all at once."""
    done: dict[str, Outcome] = {}
    loop = Loop(world)
    with closing(loop.selector):
        for url in urls:
            Fetcher(loop, url, done.__setitem__).fetch()
        loop.run()
    return {url: done[url] for url in urls}


def stack_ripping() -> list[str]:
    """The functions in the traceback of an error in a callback: the loop, not the one that started the fetch."""

    def fetch_my_favourite_page(waiting: list[Callback]) -> None:
        def parse() -> None:
            raise ValueError("parse error")

        try:
            waiting.append(parse)
        except ValueError:
            raise AssertionError("the error is not raised here, so it is not caught here") from None

    def loop(waiting: list[Callback]) -> None:
        for callback in waiting:
            callback()

    waiting: list[Callback] = []
    fetch_my_favourite_page(waiting)
    try:
        loop(waiting)
    except ValueError as error:
        return [frame.name for frame in traceback.extract_tb(error.__traceback__)]
    raise AssertionError("the callback raises")
