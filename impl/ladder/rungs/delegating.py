"""Teaching code: rungs 10 and 11, `yield from`: a coroutine is made of coroutines, as a function is made of functions.

Teaches: `yield from` yields what the inner generator yields, sends it the results, and evaluates to its return value
(`channel.py`).  The Task resumes only the outermost generator.  `yield from future` means the same as `yield future` if
a future is an iterable that yields itself, so a coroutine can wait for futures and coroutines alike.
Changed against rung 9: `ready` waits for a socket; `connect`, `send_all`, `read` and `read_all` are built on it; and
`fetch` returns its outcome.  An error that is raised three generators deep passes through all of them; any may catch
it, and its traceback names them all (`not_ripped`; compare `callbacks.stack_ripping`).
Still wrong: as rung 9, except for the functions.

Source: "A Web Crawler With asyncio Coroutines" (500 Lines), "Factoring Coroutines With yield from".
"""

from __future__ import annotations

import traceback
from collections.abc import Generator
from functools import partial
from selectors import EVENT_READ, EVENT_WRITE
from typing import TypeVar

from ...net import Address
from ...web.interpret import failure
from ...web.outcome import Outcome
from ..http import CHUNK, PATIENCE, address_of, begin_connect, check_connect, outcome_of, request
from ..world import Socket
from . import futures, yielding
from .yielding import Coroutine, Loop, Task

T = TypeVar("T")


class Future(futures.Future[T]):
    """A future that can be delegated to."""

    def __iter__(self) -> Generator[Future[T], T, T]:
        """Wait for the future; returns its result."""
        yield self
        return self.result()


def ready(loop: Loop, sock: Socket, event: int, deadline: float) -> Coroutine[None]:
    """Wait until the socket is ready; raises TimeoutError at the deadline."""
    future = Future[None]()
    with loop.watch(future, sock, event, deadline):
        yield from future


def connect(loop: Loop, sock: Socket, address: Address, deadline: float) -> Coroutine[None]:
    """Connect a new socket."""
    begin_connect(sock, address)
    yield from ready(loop, sock, EVENT_WRITE, deadline)
    check_connect(sock)


def send_all(loop: Loop, sock: Socket, data: bytes, deadline: float) -> Coroutine[None]:
    """Send all the data."""
    while data:
        yield from ready(loop, sock, EVENT_WRITE, deadline)
        data = data[sock.send(data) :]


def read(loop: Loop, sock: Socket, deadline: float) -> Coroutine[bytes]:
    """The next bytes; b"" is the end."""
    yield from ready(loop, sock, EVENT_READ, deadline)
    return sock.recv(CHUNK)


def read_all(loop: Loop, sock: Socket, deadline: float) -> Coroutine[bytes]:
    """All bytes until the end."""
    response = b""
    while chunk := (yield from read(loop, sock, deadline)):
        response += chunk
    return response


def fetch(loop: Loop, url: str) -> Coroutine[Outcome]:
    """Fetch one page; returns its outcome."""
    deadline = loop.world.time() + PATIENCE
    with loop.world.socket() as sock:
        try:
            yield from connect(loop, sock, address_of(url), deadline)
            yield from send_all(loop, sock, request(url), deadline)
            response = yield from read_all(loop, sock, deadline)
        except OSError as error:
            return failure(error)
    return outcome_of(url, response)


def note(loop: Loop, url: str, done: dict[str, Outcome]) -> Coroutine[None]:
    """Fetch one page and store its outcome in `done`, because a Task has no result yet."""
    done[url] = yield from fetch(loop, url)


#: Fetch the pages, all at once.
run = partial(yielding.run, fetch=note)


def not_ripped() -> list[str]:
    """The functions in the traceback of an error two generators deep, from the one that catches it."""
    names: list[str] = []

    def fetch_my_favourite_page(opened: Future[None]) -> Coroutine[None]:
        try:
            yield from read_page(opened)
        except ValueError as error:
            names.extend(frame.name for frame in traceback.extract_tb(error.__traceback__))

    def read_page(opened: Future[None]) -> Coroutine[None]:
        yield from opened
        parse()

    def parse() -> None:
        raise ValueError("parse error")

    opened = Future[None]()
    Task(fetch_my_favourite_page(opened))
    opened.set_result(None)
    return names
