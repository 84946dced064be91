"""uvloop's loop, with asyncio's names.

Difference: the loop and its handles are in C over libuv, and its clock counts milliseconds.

Freedom: "The event loop is the core of every asyncio application": its documentation names methods, and
allows other implementations ("asyncio ships with two different event loop implementations").
"""

from __future__ import annotations

from uvloop import new_event_loop

__all__ = ["new_event_loop"]
