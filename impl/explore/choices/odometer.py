"""The odometer: all lists of choices of a program, the least first, one run each.

A run draws from the odometer in all lanes.  It replays the digits of its path and then answers 0, and `next` counts the
last digit up.  So the runs are the leaves of a tree, from left to right, and each is run once.  A tree may be infinite
(a program that spins) or too large: the search then ends after a number of runs, and says so.

A replayed digit must meet a choice point of the same width as before.  If it does not, the program is no function of
its choices: it keeps state between runs, or uses something of the real world.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...sim.choices import Choices, Lane


class KeepsState(RuntimeError):
    """The program is no function of its choices; the text says where two runs differ.

    Parameters:
        how: where they differ.
        names: the module-level names that runs have changed.
        make: makes the choices of a run that differs; None: it has the plain ones.
    """

    #: Whether two runs in a row, made in the same way, differ; None: not known.
    twice: bool | None = None
    #: The line that iterates over a set in the order of addresses; "": none was seen.
    place: str = ""
    #: The real servers that the runs have used; "": none.
    outside: str = ""

    def __init__(self, how: str, names: Sequence[str] = (), make: Callable[[], Choices] | None = None) -> None:
        super().__init__(how, names)
        self.how, self.names, self.make = how, names, make

    def __str__(self) -> str:
        advice = "make or clear all that a run changes within the function that is explored"
        if self.outside:
            why = f"outside of the determinism: {self.outside}"
            advice = "reset its state before each run (--before-run)"
        elif self.place:
            why = f"the program iterates over a set of objects in order of their addresses ({self.place})"
            advice = "sort them, or keep them in a dict"
        elif self.names:
            why = f"the program keeps state between runs, at module level in {', '.join(self.names)}"
        elif self.twice is False:
            why = (
                "runs of the same choices differ, but not two in a row: the program keeps state between runs where "
                "loopspec does not see it, or loopspec is wrong"
            )
        else:
            again = ", also two in a row" if self.twice else ""
            why = f"the program keeps state between runs, or depends on more than its choices{again}"
        return f"{why}: {self.how}; {advice}"


class Odometer(Lane):
    """One lane that stands for all four."""

    __slots__ = ("_at", "_over", "_width_at", "path")

    def __init__(self) -> None:
        super().__init__("odometer", self._refuse)
        #: The digits of the current list.
        self.path: list[int] = []
        self._width_at: list[int] = []
        self._at = 0
        self._over = False

    @staticmethod
    def _refuse(n: int) -> int:
        raise AssertionError("an odometer has no source")

    def choices(self) -> Choices:
        """The choices of a run of the current list; valid until `next`."""
        self._at, self._over = 0, False
        lanes = Choices.plain()
        lanes.schedule = lanes.network = lanes.faults = lanes.program = self
        return lanes

    def replaying(self) -> Callable[[], Choices]:
        """Returns a maker of choices that give the current list once more, whatever lane draws, and then 0."""
        path = list(self.path)

        def make() -> Choices:
            left = iter(path)
            return Choices(lambda name: lambda n: next(left, 0))

        return make

    def __call__(self, n: int) -> int:
        if n <= 1 or self._over:
            return super().__call__(n) if n < 1 else 0
        at = self._at
        self._at = at + 1
        if at == len(self.path):
            self.path.append(0)
            self._width_at.append(n)
            return 0
        if self._width_at[at] != n:
            raise KeepsState(
                f"choice point {at + 1} has {n} possibilities, and had {self._width_at[at]} in the run before, "
                "after the same choices",
                make=self.replaying(),
            )
        return self.path[at]

    def pick(self, items: Sequence[object]) -> int:
        return self(len(items))

    def pause(self) -> Callable[[], None]:
        self._over = True
        return lambda: setattr(self, "_over", False)

    def finish(self) -> None:
        self._over = True

    def next(self) -> bool:
        """Go to the next list; False: there is none.

        Raises:
            KeepsState: the run ended before the digits that it was to replay.
        """
        path, widths = self.path, self._width_at
        if self._at < len(path):
            raise KeepsState(
                f"a run ended after {self._at} choice points, and met {len(path)} before, after the same choices",
                make=self.replaying(),
            )
        while path:
            digit, width = path.pop(), widths.pop()
            if digit + 1 < width:
                path.append(digit + 1)
                widths.append(width)
                return True
        return False
