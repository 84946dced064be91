"""A server of the standard library in a thread of its own, for the duration of a context."""

from __future__ import annotations

import socketserver
import threading
from types import TracebackType
from typing import Final, Generic, Self, TypeVar

S = TypeVar("S", bound=socketserver.BaseServer)

#: The seconds within which a server notices that it must stop.
_POLL_S: Final = 0.02


class Background(Generic[S]):
    """Serves while its context lasts; leaving it waits for the threads of all connections; each ends with its
    client.
    """

    def __init__(self, server: S) -> None:
        self._server = server
        # A daemon, so that a Ctrl-C between its start and the body of `with` does not block the exit.
        self._thread = threading.Thread(target=server.serve_forever, args=(_POLL_S,), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
