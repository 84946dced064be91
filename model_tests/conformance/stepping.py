"""The player of both sides: its lines show when a task begins to wait.  The child imports it, and no search."""

from ..programs.stages import Staged


class Stepping(Staged):
    """A player that notes when a task begins a statement that may wait."""

    steps = True
