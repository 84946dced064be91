"""A right runner that closes in steps of its own."""

import asyncio
from typing import Any

from .asyncios import Runner

RUNNERS: Any = asyncio.runners


class OwnClose(Runner):
    """A right runner with a close() of its own."""

    _loop: Any

    def close(self) -> None:
        if self._state is RUNNERS._State.INITIALIZED:
            try:
                self._end(self._loop)
            finally:
                self._close_loop()

    def _end(self, loop: Any) -> None:
        """End the tasks that the loop still runs."""

    def _close_loop(self) -> None:
        if self._set_event_loop:
            asyncio.set_event_loop(None)
        self._loop.close()
        self._loop = None
        self._state = RUNNERS._State.CLOSED
