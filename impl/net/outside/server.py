"""A real server: its address, and the habits that earlier requests have shown.

No protocol says in general whether an answer is complete, or whether one comes at all: a message that closes a
connection has none, and a server that waits for a lock has none yet.  So the time that is waited for an answer in
reality is learned, for each *shape* of a request, its bytes without numbers.
"""

from __future__ import annotations

import re
import socket
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Self

#: Seconds to wait for an answer: to a request of a shape that is new, that always had one, and that had one or none.
_NEW_S: Final = 0.25
_SURE_S: Final = 2.0
_SURE_LEAST_S: Final = 0.5
_MIXED_S: Final = 0.02
#: The same for a shape that never had one, so many times.
_SILENT_S: Final = 0.002
_SILENT: Final = 3
#: An answer takes at most so many times as long as the slowest of the last ones; where all had one, so many times.
_SLOWER: Final = 4
_MUCH_SLOWER: Final = 20
#: How much the slowest answer counts after each further one.
_FADING: Final = 0.98
#: Seconds to wait for data on other connections: after a shape that causes some, that may, and that does not.
_STIRS_S: Final = 0.05
_MAY_STIR_S: Final = 0.02
_CALM_S: Final = 0.002
#: A shape causes some if it has in one of so many cases.
_RARELY: Final = 8
#: The answers of a shape have any length, once it had so many; longer ones may come in parts.
_LENGTHS: Final = 8
_PART: Final = 4096
#: Seconds that a connect may take, and a server that all tasks wait for: the first time, and after waits in vain.
_CONNECT_S: Final = 5.0
_LAST_S: Final = (5.0, 1.5, 1.5, 0.3)

#: Numbers in decimal, in hexadecimal and in binary.
_NUMBERS: Final = re.compile(rb"[0-9a-f\x00-\x1f\x80-\xff]+")
#: The bytes of a request that its shape is made from.
_HEAD: Final = 256


class Habit:
    """The answers to the requests of one shape."""

    def __init__(self, server: Habits) -> None:
        self.answered = self.silent = 0
        self._server = server
        self._lengths: set[int] = set()
        #: How often data came on other connections, and how often not, where none or some of them waited.
        self._stirred = {False: Counter[bool](), True: Counter[bool]()}

    def patience(self) -> float:
        """The seconds to wait for an answer."""
        if self.answered and self.silent:
            return min(_NEW_S, max(_MIXED_S, _SLOWER * self._server.slowest))
        if self.answered:
            return min(_SURE_S, max(_SURE_LEAST_S, _MUCH_SLOWER * self._server.slowest))
        return _NEW_S if not self.silent else _MIXED_S if self.silent < _SILENT else _SILENT_S

    def stirs(self, waiting: bool) -> float:
        """The seconds to wait for data on other connections; `waiting`: some of them wait for an answer."""
        stirred = self._stirred[waiting]
        if stirred[True] * _RARELY > stirred[False]:
            return _STIRS_S
        return (_MAY_STIR_S if stirred[False] < _SILENT else _CALM_S) if waiting else 0.0

    def is_whole(self, length: int) -> bool:
        """Whether an answer of that length is complete, as far as that is known."""
        return length in self._lengths or (len(self._lengths) >= _LENGTHS and length < _PART)

    def learn(self, length: int, seconds: float) -> None:
        """An answer has come."""
        self.answered += 1
        self._lengths.add(length)
        self._server.slowest = max(seconds, _FADING * self._server.slowest)

    def learn_stirred(self, waiting: bool, stirred: bool) -> None:
        """Data have come on other connections, or have not; `waiting`: some of them waited."""
        self._stirred[waiting][stirred] += 1


class Habits:
    """The habits of a server, by the shapes of requests."""

    def __init__(self) -> None:
        self._of: dict[bytes, Habit] = {}
        #: Called when a program has sent a request; None: nothing is.
        self.note: Callable[[], object] | None = None
        #: The seconds of the slowest answer; they fade.
        self.slowest = 0.0
        #: How often a long wait for the server was in vain.
        self.vain = 0

    def of(self, request: bytes) -> Habit:
        """The habit for requests like this one."""
        return self._of.setdefault(_NUMBERS.sub(b"0", request[:_HEAD]), Habit(self))

    def greets(self) -> bool:
        """Whether the server may speak first on a new connection."""
        greeting = self.of(b"")
        return bool(greeting.answered) or greeting.silent < _SILENT

    def last(self) -> float:
        """The seconds to wait where nothing but an answer can happen."""
        return _LAST_S[min(self.vain, len(_LAST_S) - 1)]


@dataclass(frozen=True)
class OutsideServer:
    """The address of a real server: a host and a port, or the path of a Unix socket, which has no port."""

    host: str
    port: int
    habits: Habits = field(default_factory=Habits, compare=False, repr=False)

    @classmethod
    def of(cls, text: str) -> Self:
        """The server of HOST:PORT, or of a path.

        Raises:
            ValueError: the text is neither.
        """
        if "/" in text:
            return cls(text, 0)
        host, _, port = text.rpartition(":")
        if not host or not (port.isascii() and port.isdecimal()) or not 0 < int(port) < 65536:
            raise ValueError(f"outside: {text!r} is neither HOST:PORT nor the path of a Unix socket")
        if ":" in host:
            raise ValueError(f"outside: {text!r}: the simulated network has IPv4 only")
        return cls(host, int(port))

    def __str__(self) -> str:
        return f"{self.host}:{self.port}" if self.port else self.host

    def connected(self) -> socket.socket:
        """A connection to the server, which does not block.

        Raises:
            OSError: it cannot be reached.
        """
        if self.port:
            made = socket.create_connection((self.host, self.port), _CONNECT_S)
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        else:
            family = getattr(socket, "AF_UNIX", None)
            if family is None:
                raise OSError("this system has no Unix sockets")
            made = socket.socket(family, socket.SOCK_STREAM)
            try:
                made.connect(self.host)
            except OSError:
                made.close()
                raise
        made.setblocking(False)
        return made

    def check(self) -> None:
        """Raises ValueError: the server cannot be reached."""
        try:
            self.connected().close()
        except OSError as error:
            raise ValueError(f"outside: {self} cannot be reached: {error}") from error
