"""The player of both sides: its lines show when a task begins to wait.  The child imports it, and no search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ..programs.staged import Staged
from .normal import BEGINS

_MAY_WAIT: Final = frozenset({"await", "with", "turn", "async for"})


class Stepping(Staged):
    """A player that notes when a task begins a statement that may wait."""

    async def run(
        self, actor: str, kind: str, first: Any = None, *rest: Any
    ) -> Sequence[Any]:  # Any: as in Player
        if kind in _MAY_WAIT:
            self.note(actor, BEGINS, kind)
        return await super().run(actor, kind, first, *rest)
