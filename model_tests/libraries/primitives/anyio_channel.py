"""anyio's memory object stream as a queue, by the kit's profile for channels.

Difference: an item is handed to the receiver that waits; a native cancel meanwhile loses it.

Freedom: anyio promises delivery for its own cancel scopes only.
"""

from typing import Any

import anyio

from ...conformance.subjects.profiles import channels

# Any: items are anything.
Channel: Any = channels.adapt(anyio.create_memory_object_stream[Any])["Queue"]


class Queue(Channel):  # type: ignore[misc]  # it is made by a function
    def qsize(self) -> int:
        return int(self._send.statistics().current_buffer_used)

    def empty(self) -> bool:
        return not self.qsize()

    def full(self) -> bool:
        return bool(0 < self.maxsize <= self.qsize())

    def __del__(self) -> None:  # an end that is not closed warns
        self._send.close()
        self._receive.close()
