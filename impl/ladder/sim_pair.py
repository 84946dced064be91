"""Teaching code: `socketpair` of the simulated world: what one end sends is at the other at once.

Theory of operation.  A thread that wants to wake one that waits in a selector sends a byte to a socket which is
registered there.  No network is between the two ends, so no time passes.
"""

from __future__ import annotations

import errno

from ..net.conn import os_error


class LocalEnd:
    """One end of a pair of sockets: what the peer has sent, and this end has not taken yet, lies here."""

    def __init__(self) -> None:
        self.peer = self
        self._arrived = b""
        self._closed = False

    def send(self, data: bytes) -> int:
        if self.peer._closed:
            raise os_error(errno.EPIPE)
        self.peer._arrived += data
        return len(data)

    def recv(self, n: int) -> bytes | None:
        data, self._arrived = self._arrived[:n], self._arrived[n:]
        return data or (b"" if self.peer._closed else None)

    def close(self) -> None:
        self._closed = True
