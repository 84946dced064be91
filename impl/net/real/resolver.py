"""Resolver: the addresses of names, asked for in threads, so that the loop does not wait.

Theory of operation.
1.  `getaddrinfo` of the operating system knows all that may name a host (the hosts file, DNS, mDNS) and has no
    non-blocking form.  So each look-up is a thread of its own; at most `most` at once, the others wait in line.
2.  The threads touch nothing of the loop: they hand their answer over.  Starting the next one is the loop's affair,
    so that a loop that is closed starts no more.
3.  Who cancels is not called any more, and the thread ends in its own time, unheard; until then it keeps its
    place.  Nothing waits for it: the threads are daemons, because a resolver may take a minute to give up
    (resolv.conf: `timeout`, `attempts`), and a program that has ended must not.
4.  A numeric address is its own answer and needs no thread.
"""

from __future__ import annotations

import errno
import socket
from collections import deque
from collections.abc import Callable
from threading import Thread
from typing import Final, cast

from ...tasks.callback import Callback
from ..conn import name_not_found, os_error
from .loop import SocketLoop

#: Look-ups at once, if the caller does not say.
LOOKUPS_MAX: Final = 8

#: Finds the addresses of a name, blocking; raises OSError, or ValueError if that can be no name.
Lookup = Callable[[str], tuple[str, ...]]

#: Called with the addresses, or the error.
Done = Callable[[tuple[str, ...] | OSError], None]


#: A socket address: host and port, for IPv6 also flow information and scope.
Place = tuple[str, int] | tuple[str, int, int, int]


def numeric(host: str, port: int) -> tuple[socket.AddressFamily, Place] | None:
    """The family, and the socket address, of a numeric host; None: it is no numeric one."""
    try:
        found = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
    except (OSError, ValueError):
        return None
    family, _, _, _, (address, _, *rest) = found[0]
    return family, cast(Place, (address, port, *rest))


def system_lookup(host: str) -> tuple[str, ...]:
    """The addresses that the operating system knows, in its order of preference (RFC 6724), IPv4 and IPv6."""
    found = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(place[0]) for *_, place in found))


class Resolver:
    """Looks names up for a loop.

    Parameters:
        lookup: what is called in the threads.
        most: how many threads at once.

    Raises:
        ValueError: most < 1.
    """

    def __init__(self, loop: SocketLoop, lookup: Lookup = system_lookup, most: int = LOOKUPS_MAX) -> None:
        if most < 1:
            raise ValueError(f"{most} look-ups at once: at least 1 must be allowed")
        self._loop = loop
        self._lookup = lookup
        self._free = most
        self._line: deque[_Question] = deque()

    def ask(self, host: str, done: Done) -> _Question:
        """Have `done` called with the addresses of `host`, or with an OSError, never before this returns."""
        question = _Question(self._loop, host, done)
        if numeric(host, 0) is not None:
            self._loop.call_soon(question.answer, (host,))
        else:
            self._line.append(question)
            self._begin()
        return question

    def _begin(self) -> None:
        """Start as many threads as there are free places for."""
        while self._free and self._line:
            question = self._line.popleft()
            if question.cancelled:
                continue
            try:
                name = f"look-up of {question.host}"
                Thread(target=self._look_up, args=(question,), name=name, daemon=True).start()
            except RuntimeError as error:  # the system gives no more threads
                self._loop.call_soon(question.answer, os_error(errno.EAGAIN, str(error)))
            else:
                self._free -= 1

    def _look_up(self, question: _Question) -> None:
        """In a thread: find the answer and hand it over."""
        answer: tuple[str, ...] | OSError
        try:
            answer = self._lookup(question.host) or name_not_found(question.host)
        except OSError as error:
            answer = error
        except (
            Exception
        ) as error:  # a name that cannot be encoded; whatever it is, somebody waits for the answer
            answer = name_not_found(f"{question.host} ({error})")
        self._loop.hand_over(Callback(self._answered, (question, answer)))

    def _answered(self, question: _Question, answer: tuple[str, ...] | OSError) -> None:
        self._free += 1
        question.answer(answer)
        self._begin()


class _Question:
    """A look-up that somebody waits for."""

    __slots__ = ("_done", "_loop", "host")

    def __init__(self, loop: SocketLoop, host: str, done: Done) -> None:
        self._loop = loop
        self._done: Done | None = done
        self.host = host
        loop.pending += 1

    @property
    def cancelled(self) -> bool:
        return self._done is None

    def cancel(self) -> None:
        """Wait for the answer no more."""
        if self._done is not None:
            self._done = None
            self._loop.pending -= 1

    def answer(self, answer: tuple[str, ...] | OSError) -> None:
        done = self._done
        self.cancel()
        if done is not None:
            done(answer)
