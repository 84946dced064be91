"""What the environment may do to a simulated network, and how that is drawn.

Theory of operation.  `Weather` is plain data: ranges and lists.  Its methods turn it into facts by drawing
from `Choices`: latencies and segments in the lane `network`, faults in the lane `faults`, so that a run with
a fault has, until it strikes, the latencies of the run without.  0 is always the plain thing: the least
latency, the whole segment, no fault.  Where the weather leaves nothing open, nothing is drawn.

Faults come in two ways.  *Scripted* ones belong to a host and happen every time: a site needs them to answer
the same to every schedule.  *Drawn* ones happen to one look-up, or one connection, in `fault_one_in`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from ...sim.choices import Choices

#: Nanoseconds in a millisecond.
MS: Final = 1_000_000

#: A drawn reset or silence strikes one of so many first segments of a connection.
STRIKES: Final = 8


class Fault(Enum):
    """What may go wrong; the values are the words of `impl.web.site.Fault`."""

    #: The name has no address.
    NO_SUCH_HOST = "no-such-host"
    #: The connection is refused.
    REFUSED = "refused"
    #: Both ends of the connection are reset while it is used.
    RESET = "reset"
    #: Nothing is carried any more, in neither direction, and nobody is told.
    SILENT = "silent"


#: Those that happen to a connection, in the order in which they are numbered when drawn.
CONNECTION_FAULTS: Final = (Fault.REFUSED, Fault.RESET, Fault.SILENT)


@dataclass(frozen=True, slots=True)
class Weather:
    """What may happen.

    Raises:
        ValueError: a value makes no sense; the text says which and what would.
    """

    #: Each way of each segment, and each look-up, takes at least so long, in milliseconds ...
    latency_ms_min: int = 1
    #: ... and at most so long.
    latency_ms_max: int = 1
    #: What one `send` takes travels in at most so many segments.
    segments_max: int = 1
    #: So many bytes fit into one direction of a connection: those under way and those the peer has not read.
    buffer_bytes: int = 65536
    #: The faults that may be drawn.
    faults: tuple[Fault, ...] = ()
    #: One look-up or connection in so many has a drawn fault.
    fault_one_in: int = 10
    #: Hosts (by name; for what happens to connections, also by numeric address) with a fault that always happens.
    scripted: Mapping[str, Fault] = field(default_factory=dict)

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
            raise ValueError(
                f"fault_one_in is {self.fault_one_in}: at most one in 2; script what must always fail"
            )
        if len(set(self.faults)) < len(self.faults):
            raise ValueError("faults names a fault twice")

    def latency_ns(self, choices: Choices) -> int:
        """Draw how long one way takes, in virtual nanoseconds."""
        spread = self.latency_ms_max - self.latency_ms_min
        return (self.latency_ms_min + choices.network(spread + 1)) * MS

    def segments(self, data: bytes, choices: Choices) -> Iterator[bytes]:
        """Cut `data` (not empty) into drawn segments, none of them empty: how many first, then where."""
        count = 1 + choices.network(min(self.segments_max, len(data)))
        start = 0
        for left in range(count - 1, 0, -1):
            size = 1 + choices.network(len(data) - start - left)
            yield data[start : start + size]
            start += size
        yield data[start:]

    def lookup_fails(self, host: str, choices: Choices) -> bool:
        """Whether this look-up of `host` finds nothing although the host is there: scripted, or drawn."""
        if host in self.scripted:
            return self.scripted[host] is Fault.NO_SUCH_HOST
        return Fault.NO_SUCH_HOST in self.faults and choices.faults(self.fault_one_in) == 1

    def connection_fault(self, host: str, choices: Choices) -> tuple[Fault | None, int]:
        """What goes wrong with this connection to `host`, if anything, and after how many segments.

        Scripted faults strike the first segment; drawn ones draw which.
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


#: The least latency always, whole segments, nothing goes wrong.
CALM: Final = Weather()
