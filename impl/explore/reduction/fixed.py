"""The choices of an explored run that the search does not vary: of the network, of faults, of timers of one instant."""

from __future__ import annotations

from ...sim.choices import Choices, Source


class FixedChoices:
    """Plain choices, which note the lanes that were drawn from: then the search has not run every schedule."""

    def __init__(self) -> None:
        #: The lanes that were drawn from, in the order of their first draws.
        self.lanes: dict[str, None] = {}
        self.choices = Choices(self._source)

    def _source(self, name: str) -> Source:
        def zero(n: int) -> int:
            self.lanes[name] = None
            return 0

        return zero

    def left_out(self) -> str:
        """The choices that were left out; "": none."""
        said = {"schedule": "the order of timers of one instant"}
        return ", ".join(said.get(lane, f"the choices of the {lane}") for lane in self.lanes)
