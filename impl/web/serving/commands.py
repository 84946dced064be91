"""The requests of a server to the pump of its connection, besides `Send` and `Receive` (`impl.web.wire`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..wire import Receive, Send


@dataclass(frozen=True, slots=True)
class Pause:
    """Let `ms` milliseconds pass, in real or virtual time, or skip them; answer None."""

    ms: int


@dataclass(frozen=True, slots=True)
class HalfClose:
    """Send the end of the data, and keep receiving; answer None."""


@dataclass(frozen=True, slots=True)
class Hang:
    """Never answer: wait for the end of the client's stream, then close the generator."""


@dataclass(frozen=True, slots=True)
class Reset:
    """Reset the connection, then close the generator."""


HALF_CLOSE: Final = HalfClose()
HANG: Final = Hang()
RESET: Final = Reset()

Command = Send | Receive | Pause | HalfClose | Hang | Reset
