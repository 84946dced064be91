"""Resolver: look names up in threads, so that the loop does not block.

1.  The operating system's `getaddrinfo` uses every source of names (the hosts file, DNS, mDNS) and has no non-blocking
    form.  So each look-up runs in a thread of its own; at most `most` run at once, and the others wait in a queue.
2.  The threads change nothing in the loop: they hand their answer over.  The loop itself starts the next look-up, so a
    closed loop starts no more.
3.  The callback of a cancelled look-up is never called.  Its thread ends in its own time, its answer is dropped, and
    until then it counts towards `most`.  The threads are daemons, so no program waits for them at its exit: a resolver
    may take a minute to give up (resolv.conf: `timeout`, `attempts`).
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

#: The default for the number of look-ups at once.
LOOKUPS_MAX: Final = 8

#: Finds the addresses of a name, blocking; raises OSError, or ValueError for an invalid name.
Lookup = Callable[[str], tuple[str, ...]]

#: Called with the addresses, or the error.
Done = Callable[[tuple[str, ...] | OSError], None]


#: A socket address: host and port, for IPv6 also flow information and scope.
Place = tuple[str, int] | tuple[str, int, int, int]


def numeric(host: str, port: int) -> tuple[socket.AddressFamily, Place] | None:
    """The family and the socket address of a numeric host; None if it is not numeric."""
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
        lookup: the function that the threads call.
        most: the greatest number of threads at once.

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
        """Call `done` later with the addresses of `host`, or with an OSError; never before this returns."""
        question = _Question(self._loop, host, done)
        if numeric(host, 0) is not None:
            self._loop.call_soon(question.answer, (host,))
        else:
            self._line.append(question)
            self._begin()
        return question

    def _begin(self) -> None:
        """Start threads until `most` are running."""
        while self._free and self._line:
            question = self._line.popleft()
            if question.cancelled:
                continue
            try:
                name = f"look-up of {question.host}"
                Thread(target=self._look_up, args=(question,), name=name, daemon=True).start()
            except RuntimeError as error:  # the system allows no more threads
                self._loop.call_soon(question.answer, os_error(errno.EAGAIN, str(error)))
            else:
                self._free -= 1

    def _look_up(self, question: _Question) -> None:
        """Find the answer and hand it over; runs in a thread."""
        answer: tuple[str, ...] | OSError
        try:
            answer = self._lookup(question.host) or name_not_found(question.host)
        except OSError as error:
            answer = error
        # A name that cannot be encoded, for instance; the caller waits for an answer in any case.
        except Exception as error:
            answer = name_not_found(f"{question.host} ({error})")
        self._loop.hand_over(Callback(self._answered, (question, answer)))

    def _answered(self, question: _Question, answer: tuple[str, ...] | OSError) -> None:
        self._free += 1
        question.answer(answer)
        self._begin()


class _Question:
    """A pending look-up."""

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
        """Drop the callback; the answer will be ignored."""
        if self._done is not None:
            self._done = None
            self._loop.pending -= 1

    def answer(self, answer: tuple[str, ...] | OSError) -> None:
        done = self._done
        self.cancel()
        if done is not None:
            done(answer)
