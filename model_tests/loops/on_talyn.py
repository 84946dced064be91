"""talyn's loop under the name that asyncio has for making one."""

from __future__ import annotations

from talyn import Loop

__all__ = ["new_event_loop"]

new_event_loop = Loop
