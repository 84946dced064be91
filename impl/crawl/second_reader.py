"""Read the pages that were fetched in this process, and long ones in a second one, too.

Reading is more than half of the work of a crawl of long pages, and it needs nothing but the response.  So a second
processor, if there is one, takes its share: a long page goes to another process unless that has enough to do, and is
read here otherwise.  Until the process is ready, and when it has died, all pages are read here.  A very long page is,
too: the process reads one page after the other, so those behind it would wait for all of it, and might exceed their
time; here the pages take turns.  The links of a page do not depend on where it is read.

The two talk over a pair of sockets: a request is a URL with its response, an answer is its outcome, in the order of the
requests; each is pickled, after four bytes with its length.  This loop waits for the socket as for those of the crawl.
"""

from __future__ import annotations

import multiprocessing
import pickle
import signal
import socket
import sys
import threading
from collections import deque
from contextlib import ExitStack, suppress
from typing import Any, Final, Self

from ..net.conn import READ, WRITE
from ..net.real.interrupts import HANG_UP
from ..net.real.loop import SocketLoop
from ..tasks.future import Future
from ..web.http import Response
from ..web.interpret import outcome
from ..web.outcome import Outcome
from .fetch import Reader

#: A body of at least so many bytes is worth the way to another process.
LONG: Final = 16 * 1024
#: A body of at most so many bytes does not hold up those behind it: a second at most.
LONGEST: Final = 1024 * 1024
#: The pages that the other process has at most, so that it has one to read while this one reads, too.
MOST: Final = 8

_LENGTH_BYTES: Final = 4
_RECEIVED_BYTES: Final = 256 * 1024


class SecondReader:
    """Reads responses as `here` does, long ones in a second process where that is sooner.

    Within its context there is the process, if the system allows one more.  Enter it before there are threads
    and connections: the process is a fork where it can be.

    Parameters:
        here: reads the others in this process.
        loop: the loop that waits for the process.
        start: how the process starts; None: `start_method()`.
    """

    def __init__(self, here: Reader, loop: SocketLoop, start: str | None = None) -> None:
        self._here = here
        self._loop = loop
        self._start = start
        self._open = ExitStack()
        #: Whether the process has begun, and is there.
        self.ready = False
        self._waiting: deque[Future[Outcome | None]] = deque()
        self._unsent = bytearray()
        self._received = bytearray()

    def __enter__(self) -> Self:
        try:
            self._begin()
        except OSError:
            self._end()
        return self

    def __exit__(self, *_: object) -> None:
        """End the process, also in the middle of a page."""
        self._end()

    def _begin(self) -> None:
        ours, theirs = socket.socketpair()
        self._sock = self._open.enter_context(ours)
        start = self._start or start_method()
        context: Any = multiprocessing.get_context(start)  # Any: the declared type has no Process
        with theirs:
            ours.setblocking(False)
            process = context.Process(target=_serve, args=(ours, theirs, self._here), daemon=True)
            process.start()
        for end in (process.close, process.join, process.kill):  # the last is called first
            self._open.callback(end)
        self._registration = self._loop.register(ours, self._told)
        self._open.callback(self._registration.close)
        self._registration.want(READ)

    async def __call__(self, url: str, response: Response) -> Outcome:
        """Return the outcome of a response."""
        if self.ready and LONG <= len(response.body) <= LONGEST and len(self._waiting) < MOST:
            found: Future[Outcome | None] = self._loop.create_future()
            self._waiting.append(found)
            self._unsent += _framed((url, response))
            self._told(WRITE)
            if (read := await found) is not None:
                return read
        return await self._here(url, response)

    def _told(self, events: int) -> None:
        """Send and receive as much as possible at once, and wait for the rest."""
        try:
            with suppress(BlockingIOError):
                if events & READ:
                    self._receive()
                if self._unsent:
                    del self._unsent[: self._sock.send(self._unsent)]
        except (OSError, EOFError):
            self._end()
        else:
            self._registration.want((READ if self._waiting or not self.ready else 0) | (WRITE if self._unsent else 0))

    def _receive(self) -> None:
        data = self._sock.recv(_RECEIVED_BYTES)
        if not data:
            raise EOFError
        self._received += data
        while (end := _LENGTH_BYTES + int.from_bytes(self._received[:_LENGTH_BYTES])) <= len(self._received):
            found = pickle.loads(self._received[_LENGTH_BYTES:end])
            del self._received[:end]
            if self.ready:
                _resolve(self._waiting.popleft(), found)
            self.ready = True

    def _end(self) -> None:
        """From now on all is read here, also the pages of the process."""
        self.ready = False
        self._open.close()
        while self._waiting:
            _resolve(self._waiting.popleft(), None)


def start_method() -> str:
    """A fork has all modules at once; it is safe on Linux, while there is no other thread."""
    return "fork" if sys.platform == "linux" and threading.active_count() == 1 else "spawn"


def _resolve(future: Future[Outcome | None], found: Outcome | None) -> None:
    if not future.done():
        future.set_result(found)


def _framed(value: object) -> bytes:
    data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    return len(data).to_bytes(_LENGTH_BYTES) + data


def _serve(theirs: socket.socket, sock: socket.socket, here: Reader) -> None:
    """The second process: say that it is there, and answer each request, until the other end of the socket is closed.

    Ctrl-C is left to the first process; a fork has its handlers of signals.
    """
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGINT, *HANG_UP):
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    theirs.close()
    with suppress(OSError), sock, sock.makefile("rwb") as stream:
        answer: Outcome | None = None
        while True:
            stream.write(_framed(answer))
            stream.flush()
            length = stream.read(_LENGTH_BYTES)
            if not length:
                return
            url, response = pickle.loads(stream.read(int.from_bytes(length)))
            answer = outcome(url, response, here.limits, here.obeys, here.check)
