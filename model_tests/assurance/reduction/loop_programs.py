"""Random programs of the vectors' language (programs/generate.py), explored: tasks, primitives, cancels, combinators.

The state that their bodies share is the namespace of the player.  Each name is a declared cell, so nothing has to be
rewritten; the calls of the loop's objects are watched as always.
"""

from collections.abc import Hashable
from typing import Any, Final

import impl
from impl.explore.reduction.drive import DrivenRun
from impl.explore.reduction.footprint import log

from ...programs.generate import Program, seeded
from ...programs.vectors.player import Player

# Any: the objects of a program of the vectors' language.

#: About the greatest number of statements of a program.
SIZE: Final = 8


class _Names(dict[str, Any]):
    """A namespace with a cell for each name."""

    def __getitem__(self, name: str) -> Any:
        log.reads |= log.bit(("name", name))
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        log.reads |= log.bit(("name", name))
        return super().get(name, default)

    def __setitem__(self, name: str, thing: Any) -> None:
        log.writes |= log.bit(("name", name))
        super().__setitem__(name, thing)


class _Runtime:
    loop: Any = None

    def __init__(self, names: Any) -> None:
        self.names = names

    def time(self) -> float:
        return 0.0  # no record has times


class LoopProgram(Player):
    """One run of a program of the vectors' language; every body and callback has a record of its own."""

    def __init__(self, program: Program, names: Any = impl) -> None:
        super().__init__(program, _Runtime(names))
        self.given = {*self.things}
        self.things = _Names(self.things)
        self.by_actor: dict[str, list[tuple[str, str]]] = {}

    def note(self, actor: str, what: str, outcome: str) -> None:
        self.by_actor.setdefault(actor, []).append((what, outcome))

    async def body(self, name: str) -> Any:
        if self.loop is None:
            self.loop = self.runtime.names.get_running_loop()
            dict.__setitem__(self.things, "loop", self.loop)
        return await super().body(name)

    def outcome(self) -> Hashable:
        """The record of each body and callback, and the state of everything at the end."""
        records = tuple((actor, tuple(lines)) for actor, lines in sorted(self.by_actor.items()))
        things = [(name, thing) for name, thing in sorted(dict.items(self.things)) if name not in self.given]
        return records, tuple((name, self.state(thing)) for name, thing in things)


class Runs:
    """Makes the runs of one program, one after the other; `names`: impl, or the module asyncio."""

    def __init__(self, seed: int, names: Any = impl) -> None:
        self._names = names
        self._program = seeded(seed, size=SIZE)
        self._run: LoopProgram | None = None

    async def main(self) -> Any:
        """The main body of a new run."""
        self._run = LoopProgram(self._program, self._names)
        return await self._run.body("main")

    def outcome(self, driven: DrivenRun) -> Hashable:
        """The outcome of the run that is over."""
        assert self._run is not None
        return self._run.outcome()
