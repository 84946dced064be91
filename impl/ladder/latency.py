"""Teaching code: how long a computer waits, on a human scale: a clock cycle of 0.38 ns becomes a second.

The second of the five texts gives the table for a processor of 2.6 GHz.  Here the scaled time is computed and printed
beside the text's; a difference of more than a twentieth is a slip of the text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

#: A cycle of the text's processor, in nanoseconds.
CYCLE_NS: Final = 0.38

#: The relative error that rounding explains.
SLIP: Final = 0.05

MINUTE: Final = 60
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR
YEAR: Final = 365.25 * DAY
MONTH: Final = YEAR / 12
UNITS: Final = (("years", YEAR), ("months", MONTH), ("days", DAY), ("hours", HOUR), ("minutes", MINUTE))


@dataclass(frozen=True)
class Wait:
    """`ns`: the duration in nanoseconds; `said`: the text's scaled duration, in seconds."""

    what: str
    ns: float
    said: float

    @property
    def seconds(self) -> float:
        """The duration if a cycle takes a second."""
        return self.ns / CYCLE_NS

    @property
    def slip(self) -> bool:
        """Whether the text differs by more than rounding."""
        return abs(self.said / self.seconds - 1) > SLIP


TABLE: Final = (
    Wait("one instruction", CYCLE_NS, 1),
    Wait("read from the first cache", 0.5, 1.3),
    Wait("a branch that was predicted wrongly", 5, 13),
    Wait("read from the second cache", 7, 18.2),
    Wait("take and release a lock", 25, MINUTE + 5),
    Wait("read from memory", 100, 4 * MINUTE + 20),
    Wait("switch to another process", 1_500, HOUR + 5 * MINUTE),
    Wait("send 2 kB at 1 Gbit/s", 20_000, 14.4 * HOUR),
    Wait("read 1 MB from memory", 250_000, 7.5 * DAY),
    Wait("ask a machine in the same building", 500_000, 15 * DAY),
    Wait("read 1 MB from an SSD", 1e6, MONTH),
    Wait("read 1 MB from a disk", 20e6, 20 * MONTH),
    Wait("ask a machine in another city", 150e6, 12.5 * YEAR),
    Wait("connect to a slow server", 1e9, 83 * YEAR),
    Wait("restart a virtual machine", 4e9, 300 * YEAR),
    Wait("restart a server", 300e9, 25_000 * YEAR),
)


def human(seconds: float) -> str:
    """A duration in the largest unit that fits."""
    for unit, size in UNITS:
        if seconds >= size:
            return f"{seconds / size:,.1f} {unit}"
    return f"{seconds:,.1f} seconds"


def exact(ns: float) -> str:
    """A duration in ns, us, ms or s."""
    for unit, size in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if ns >= size:
            return f"{ns / size:g} {unit}"
    return f"{ns:g} ns"


def table() -> list[str]:
    """The lines of the table."""
    rows = [("wait", "takes", "on the human scale", "the text says", "")]
    rows += [
        (w.what, exact(w.ns), human(w.seconds), human(w.said), "a slip of the text" if w.slip else "") for w in TABLE
    ]
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    return [
        f"{what:<{widths[0]}}  {takes:>{widths[1]}}  {scaled:>{widths[2]}}  {said:>{widths[3]}}  {slip}".rstrip()
        for what, takes, scaled, said, slip in rows
    ]
