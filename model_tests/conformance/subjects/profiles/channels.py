"""The two ends of a channel, such as anyio's `create_memory_object_stream`, as a queue."""

import asyncio
import math
from collections.abc import Callable, Mapping
from typing import Any

LEFT_OUT = {"Queue": ["empty", "full", "qsize", "join", "task_done", "shutdown"]}


# Any: the two ends are of any class, and so are items.
def adapt(channel: Callable[[float], tuple[Any, Any]]) -> Mapping[str, Any]:
    """Return a queue on `channel(capacity)`, which returns its send and its receive end."""

    class Queue:
        def __init__(self, maxsize: int = 0) -> None:
            self.maxsize = maxsize
            self._send, self._receive = channel(maxsize if maxsize > 0 else math.inf)

        async def put(self, item: Any) -> None:
            await self._send.send(item)

        async def get(self) -> Any:
            return await self._receive.receive()

        def put_nowait(self, item: Any) -> None:
            self._now(asyncio.QueueFull, lambda: self._send.send_nowait(item))

        def get_nowait(self) -> Any:
            return self._now(asyncio.QueueEmpty, lambda: self._receive.receive_nowait())

        @staticmethod
        def _now(error: type[Exception], call: Callable[[], Any]) -> Any:
            try:
                return call()
            except Exception as block:
                if type(block).__name__ == "WouldBlock":
                    raise error from None
                raise

    return {"Queue": Queue}
