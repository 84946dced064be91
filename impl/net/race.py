"""open_stream: connect to a name and a port, at the first of the host's addresses that answers.

Follows RFC 8305, "Happy Eyeballs".
1.  The addresses come in the resolver's order of preference.  They are tried alternately, IPv6 and IPv4, beginning
    with the kind that comes first (section 4): if one kind is broken, the other is tried soon.
2.  The next attempt starts when the last one has failed, or after 250 ms (section 5); earlier attempts continue.
3.  The first connection wins.  In the same step all other attempts are cancelled, and the network closes any
    connection that they would still obtain.  So no connection is ever without an owner, wherever a cancel lands.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from functools import partial
from itertools import zip_longest
from typing import Final

from ..interfaces import Spawner, TimerHandle
from .conn import Conn, Net, PendingRequest
from .request import ask
from .stream import Stream

#: The time, in seconds, from one attempt to the start of the next beside it (RFC 8305, section 5).
ATTEMPT_DELAY_S: Final = 0.25


async def open_stream(net: Net, loop: Spawner, host: str, port: int) -> Stream:
    """Look `host` up and connect to the first of its addresses that answers.

    A cancel leaves no connection behind.

    Raises:
        socket.gaierror: the name has no address.
        OSError: the error of the attempt that failed last, if all have.
        ValueError: the port is not in 0..65535.
    """
    addresses = await ask(loop.create_future, partial(net.resolve, host))
    return Stream(await _Race(net, loop, interleaved(addresses), port).winner(), loop)


def interleaved(addresses: Iterable[str]) -> tuple[str, ...]:
    """IPv6 and IPv4 alternately, beginning with the kind of the first; else in the order given."""
    kinds: dict[bool, list[str]] = {}
    for address in addresses:
        kinds.setdefault(":" in address, []).append(address)
    return tuple(address for row in zip_longest(*kinds.values()) for address in row if address is not None)


class _Race:
    """Attempts to connect to one of several addresses (at least one)."""

    def __init__(self, net: Net, loop: Spawner, addresses: Iterable[str], port: int) -> None:
        self._net = net
        self._loop = loop
        self._rest = deque(addresses)
        self._port = port
        self._attempts: list[PendingRequest] = []
        self._under_way = 0
        self._timer: TimerHandle | None = None
        self._result: Conn | OSError | None = None
        self._over = loop.create_future()

    async def winner(self) -> Conn:
        """Run the race and return the winning connection.

        Raises:
            OSError: no attempt succeeded.
        """
        try:
            self._next()
            await self._over
        except BaseException:
            if self._result is not None and not isinstance(self._result, OSError):
                self._result.close()  # it connected between the cancel and its delivery
            raise
        finally:
            self._stop()
        result, self._result = self._result, None
        assert result is not None
        if isinstance(result, OSError):
            try:
                raise result
            finally:
                del result  # the error's traceback holds this frame, which must not hold the error
        return result

    def _next(self) -> None:
        """Try the next address; the one after it follows after the delay, or when this one fails."""
        address = self._rest.popleft()
        self._under_way += 1
        self._attempts.append(self._net.connect((address, self._port), self._answered))
        if self._rest:
            self._timer = self._loop.call_at(self._loop.time() + ATTEMPT_DELAY_S, self._next)

    def _answered(self, answer: Conn | OSError) -> None:
        self._under_way -= 1
        if not isinstance(answer, OSError):
            self._settle(answer)
        elif self._rest:
            self._stop_timer()
            self._next()
        elif not self._under_way:
            self._settle(answer)

    def _settle(self, result: Conn | OSError) -> None:
        self._stop()
        self._result = result
        if not self._over.done():
            self._over.set_result(None)

    def _stop(self) -> None:
        self._rest.clear()
        self._stop_timer()
        for attempt in self._attempts:
            attempt.cancel()
        self._attempts.clear()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def __repr__(self) -> str:
        return f"<connecting, {self._under_way} under way>"
