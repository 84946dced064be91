"""The bytes that a program of a run gets where it would draw some from the operating system.

They are a function of the seed of the run, and do not depend on the program's draws from the module random.  As the
state of that module, they belong to the process: `isolated` (simulate.py) begins them.
"""

from __future__ import annotations

import random


class _Entropy:
    """Pseudo-random bytes; the generator is made when it is first used, because few programs use it."""

    def __init__(self) -> None:
        self._seed = ""
        self._random: random.Random | None = None

    def begin(self, seed: int) -> None:
        """Start again, with the bytes of a seed."""
        self._seed = f"loopspec {seed} entropy"
        self._random = None

    def draw(self, size: int) -> bytes:
        """The next `size` bytes."""
        if self._random is None:
            self._random = random.Random(self._seed)
        return self._random.randbytes(size)


_entropy = _Entropy()
begin = _entropy.begin


def generator() -> random.Random | None:
    """The generator of the bytes; None: none were drawn."""
    return _entropy._random


draw = _entropy.draw
