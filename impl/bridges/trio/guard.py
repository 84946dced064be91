"""The advice of the guard (bridges/asyncio/guard.py) for trio programs: its errors name trio's functions."""

from __future__ import annotations

from typing import Final

import trio

from ..simulation import importing_ends_at

_SOCKETS: Final = "trio's streams, or trio.socket.socket, which makes a simulated one"

#: The advice by the beginning of the audit event; the first that matches applies.
_INSTEAD: Final = {
    "socket.get": "the functions of the module socket",
    "socket.": _SOCKETS,
    "signal.": "trio.move_on_after or trio.fail_after",
    "asyncio.": "trio's functions",
    "": "an async function of this program",
}
importing_ends_at(trio.run.__code__)


def advice(event: str) -> str:
    """The thing to use instead of the function that raises this audit event."""
    return next(text for begin, text in _INSTEAD.items() if event.startswith(begin))
