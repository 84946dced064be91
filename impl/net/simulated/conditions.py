"""The conditions of a simulated network: latencies, segments, faults, and how they are drawn.

1.  `NetworkConditions` is plain data: ranges and lists.  Its methods draw from `Choices`: latencies and segments in
    the lane `network`, faults in the lane `faults`.  So until a fault strikes, a run has the latencies of the run
    without it.
2.  0 is always the plain choice: the least latency, one segment, no fault.  Where only one value is possible, nothing
    is drawn.
3.  A *scripted* fault belongs to a host and happens every time, because a site must answer the same under every
    schedule.  A *drawn* fault happens to one look-up or connection in `fault_one_in`, or as often as its rule says
    (faults.py, striker.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from ...sim.choices import Choices
from .faults import CONNECTION_FAULTS, STRIKES, Fault, FaultRule

#: Nanoseconds in a millisecond.
MS: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class NetworkConditions:
    """The conditions of a network.

    Raises:
        ValueError: a value is out of range; the text says which and why.
    """

    #: The least latency, in milliseconds, of a segment, of each direction of a connect, and of a look-up.
    latency_ms_min: int = 1
    #: The greatest latency, in milliseconds.
    latency_ms_max: int = 1
    #: The largest number of segments for the bytes of one `send`.
    segments_max: int = 1
    #: The bytes that one direction of a connection holds: those in transit and those that the peer has not read.
    buffer_bytes: int = 65536
    #: The faults that may be drawn, or rules for them.
    faults: tuple[Fault | FaultRule, ...] = ()
    #: One look-up or connection in this many has a drawn fault.
    fault_one_in: int = 10
    #: The scripted faults by name of the host; those of connections also by its numeric address.
    scripted: Mapping[str, Fault] = field(default_factory=dict)
    #: Whether each run draws which of the rules it leaves out.
    swarm: bool = False
    #: The virtual time, in milliseconds, of the end of all drawn faults; None: never.
    faults_until_ms: int | None = None
    #: How often each fault has struck, in all runs under these conditions.
    tally: Counter[Fault] = field(default_factory=Counter, compare=False, repr=False)

    def __post_init__(self) -> None:
        low, high = self.latency_ms_min, self.latency_ms_max
        if low < 0:
            raise ValueError(f"latency_ms_min is {low}: a latency is at least 0 ms")
        if high < low:
            raise ValueError(f"latency_ms_max is {high}, less than latency_ms_min, {low}")
        if self.segments_max < 1:
            raise ValueError(f"segments_max is {self.segments_max}: bytes travel in at least 1 segment")
        if self.buffer_bytes < 1:
            raise ValueError(f"buffer_bytes is {self.buffer_bytes}: a buffer holds at least 1 byte")
        if self.fault_one_in < 2:
            raise ValueError(f"fault_one_in is {self.fault_one_in}: at most one in 2; script what must always fail")
        if len(set(self.faults)) < len(self.faults):
            raise ValueError("faults names a fault twice")
        if self.faults_until_ms is not None and self.faults_until_ms < 0:
            raise ValueError(f"faults_until_ms is {self.faults_until_ms}: faults stop at 0 ms or later")

    def latency_ns(self, choices: Choices) -> int:
        """Draw a latency, in virtual nanoseconds."""
        spread = self.latency_ms_max - self.latency_ms_min
        return (self.latency_ms_min + choices.network(spread + 1)) * MS

    def segments(self, data: bytes, choices: Choices) -> Iterator[bytes]:
        """Cut `data` (not empty) into segments, none of them empty: draw their number, then their sizes."""
        count = 1 + choices.network(min(self.segments_max, len(data)))
        start = 0
        for left in range(count - 1, 0, -1):
            size = 1 + choices.network(len(data) - start - left)
            yield data[start : start + size]
            start += size
        yield data[start:]

    def lookup_fails(self, host: str, choices: Choices) -> bool:
        """Whether this look-up of `host` fails although the host exists: scripted, or drawn."""
        if host in self.scripted:
            return self.scripted[host] is Fault.NO_SUCH_HOST
        return Fault.NO_SUCH_HOST in self.faults and choices.faults(self.fault_one_in) == 1

    def connection_fault(self, host: str, choices: Choices) -> tuple[Fault | None, int]:
        """The fault of this connection to `host`, or None, and the number of segments before it strikes.

        A scripted fault strikes the first segment; for a drawn fault the segment is drawn too.
        """
        if host in self.scripted:
            fault = self.scripted[host]
            return (fault if fault in CONNECTION_FAULTS else None), 0
        possible = [fault for fault in CONNECTION_FAULTS if fault in self.faults]
        if not possible:
            return None, 0
        drawn = choices.faults(self.fault_one_in * len(possible))
        if not 1 <= drawn <= len(possible):
            return None, 0
        fault = possible[drawn - 1]
        return fault, 0 if fault is Fault.REFUSED else choices.faults(STRIKES)


#: Always the least latency, one segment, no fault.
IDEAL: Final = NetworkConditions()
