"""The faults of a simulated network, as values: which, how often, and at which hosts.

1.  A `Fault` is a kind of fault.  It strikes a look-up, a connect, an established connection after some of its
    segments, or a whole host for some seconds.
2.  A `FaultRule` gives a fault a rate and a scope.  As text, in the option --faults for instance, it is
    `reset`, `reset/20` (one in 20) or `reset/20@db.test+mail.test` (at these hosts only).
3.  Faults of the contents of a response belong to a site: `impl.web.serving.faults`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import Final


class Fault(Enum):
    """A fault; of the first four, the values are those of `impl.web.serving.site.Fault`."""

    #: The name has no address.
    NO_SUCH_HOST = "no-such-host"
    #: The connection is refused.
    REFUSED = "refused"
    #: Both ends of the connection are reset during use.
    RESET = "reset"
    #: The connection carries nothing any more, in either direction, and neither end sees an error.
    SILENT = "silent"
    #: A connect gets no answer.
    DROP = "drop"
    #: A connect arrives 1, 3 or 7 s later, as if its first packets were lost (RFC 6298, 2.1 and 5.5).
    DELAY = "delay"
    #: A connect arrives twice: the listener accepts a second connection, which the caller closes at once.
    DUPLICATE = "duplicate"
    #: A connect is overtaken by those that follow.
    REORDER = "reorder"
    #: One direction ends early; its sender does not notice.
    HALF_CLOSE = "half-close"
    #: The receiver sees the end of the data, and the sender a reset.
    TRUNCATE = "truncate"
    #: The bytes arrive in small pieces, `DRIP_MS` apart.
    DRIP = "drip"
    #: The bytes of one segment are replaced by others.
    GARBAGE = "garbage"
    #: After one segment, `FLOOD_BYTES` arrive that were never sent.
    OVERSIZE = "oversize"
    #: The host is down for 1 to 10 s: it refuses connections, and those that it has are reset.
    OUTAGE = "outage"
    #: For 1 to 10 s nothing arrives at the host or from it; then everything does.
    PARTITION = "partition"
    #: The host refuses a connection because `LIMIT_CONNECTIONS` are open.
    LIMIT = "limit"


#: The faults of one connection that have no rule: they are drawn together, in the order of their numbers.
CONNECTION_FAULTS: Final = (Fault.REFUSED, Fault.RESET, Fault.SILENT)

#: The faults that strike an established connection, after a drawn number of segments.
STREAM_FAULTS: Final = (
    Fault.RESET,
    Fault.SILENT,
    Fault.HALF_CLOSE,
    Fault.TRUNCATE,
    Fault.DRIP,
    Fault.GARBAGE,
    Fault.OVERSIZE,
)

#: The faults of a connect that is refused.
REFUSING: Final = (Fault.REFUSED, Fault.OUTAGE, Fault.LIMIT)

#: A drawn fault strikes one of the first segments of a connection; this is their number.
STRIKES: Final = 8

DELAYS_S: Final = (1, 3, 7)
#: A host is down, or cut off, for at most so many seconds.
OUTAGE_S_MAX: Final = 10
LIMIT_CONNECTIONS: Final = 2
DRIP_MS: Final = 100
#: A dripping segment arrives in at most so many pieces.
DRIP_PIECES: Final = 16
#: More than common limits of a header block or a line.
FLOOD_BYTES: Final = 1 << 17

_RULE: Final = re.compile(r"(?P<name>[a-z-]+)(/(?P<one_in>\d+))?(@(?P<hosts>[^@/]+))?")


@dataclass(frozen=True, slots=True)
class FaultRule:
    """A fault that strikes one in `one_in` look-ups or connects, at these hosts only (names; none: at every host).

    Raises:
        ValueError: `one_in` is less than 2.
    """

    fault: Fault
    one_in: int = 10
    hosts: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.one_in < 2:
            raise ValueError(
                f"{self.fault.value} has the rate one in {self.one_in}: at most one in 2; script what must always fail"
            )

    def concerns(self, host: str) -> bool:
        """Whether the host of that name is in the scope."""
        return not self.hosts or host in self.hosts


def fault_of(text: str, one_in: int) -> Fault | FaultRule:
    """The fault, or the rule, of a text; `one_in` is the rate of a rule without one.

    Raises:
        ValueError: there is no such fault, or the rate is less than 2.
    """
    known = {fault.value: fault for fault in Fault}
    match = _RULE.fullmatch(text)
    fault = known.get(match["name"]) if match else None
    if match is None or fault is None:
        raise ValueError(f"no such fault: {text}; the faults are {', '.join(known)}, as NAME[/N][@HOST+HOST]")
    if match["one_in"] is None and match["hosts"] is None:
        return fault
    hosts = tuple(match["hosts"].lower().split("+")) if match["hosts"] else ()
    return FaultRule(fault, int(match["one_in"] or one_in), hosts)
