"""Digest: the events of a bridged run, in order, as one SHA-256.

It numbers things in order of their appearance.  It contains no address, no hash and no value of the program, but the
bytes that arrive on connections: they are the same in equal runs, also TLS's (asyncio/tls.py).  Each bridge adds the
steps of its tasks.  The typed trace (sim/trace.py) has other events: this digest stays as it is, so that digests that
were printed before stay valid.
"""

from __future__ import annotations

import hashlib

from ..interfaces import Runnable
from ..sim.trace import Digest, Recorder
from ..threads.thread import ProgramThread, ThreadStep


class BridgeDigest(Digest):
    """Observes one kernel."""

    __slots__ = ("_conns",)

    def __init__(self) -> None:
        super().__init__()
        self._conns: dict[object, int] = {}

    def taken(self, item: Runnable) -> None:
        if isinstance(item, ThreadStep):
            self.add(f"thread {item.task.number}")

    def timer(self, when: int, target: Runnable) -> None:
        self.add(f"timer {when}")

    def opened(self, conn: object, local: str, remote: str) -> None:
        self._conns[conn] = number = len(self._conns) + 1
        self.add(f"opened {number} {local} {remote}")

    def carried(self, conn: object, data: bytes) -> None:
        self.add(f"carried {self._conns[conn]} {len(data)} {hashlib.sha256(data).hexdigest()}")

    def closed(self, conn: object, how: str) -> None:
        self.add(f"closed {self._conns[conn]} {how}")

    def add(self, event: str) -> None:
        """Add an event that happens now."""
        self.line(f"{self.now()} {event}")


def thread_taken(recorder: Recorder, thread: ProgramThread) -> None:
    """A thread is about to take a step."""
    if not recorder.knows(thread):
        recorder.created(thread)
    recorder.resumed(thread)


def thread_ran(recorder: Recorder, thread: ProgramThread) -> None:
    """A thread has taken a step."""
    if thread.done():
        recorder.ended(thread, "result" if thread.error is None else "exception")
    else:
        recorder.parked(thread, None)
