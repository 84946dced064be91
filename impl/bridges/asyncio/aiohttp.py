"""A patch that makes aiohttp deterministic: the masks of its websockets.

The writer of a websocket draws masks from a `random.Random` that was made when aiohttp was imported, outside of any
run, and is the default of a parameter.  With the patch, it draws them from the module random while a simulated loop
runs.  The class is private to aiohttp: `aiohttp._websocket.writer`, tested with aiohttp 3.14.  Without such a class the
patch does nothing.
"""

from __future__ import annotations

import random
from types import ModuleType
from typing import Final

from ..simulated_loop import simulated_loop

#: The module, and the versions of aiohttp that the patch was tested with.
MODULE: Final = "aiohttp._websocket.writer"
TESTED: Final = ("3.14",)


class _Masks(random.Random):
    def getrandbits(self, k: int, /) -> int:
        return super().getrandbits(k) if simulated_loop() is None else random.getrandbits(k)


def patch(module: ModuleType) -> None:
    """Apply the patch to aiohttp's module."""
    begin = getattr(getattr(module, "WebSocketWriter", None), "__init__", None)
    defaults = getattr(begin, "__kwdefaults__", None) or {}
    for name, value in defaults.items():
        if type(value) is random.Random:
            defaults[name] = _Masks()
