"""The states of a program: a search of all that the rules allow that visits each state once.

The reference has every order of the ready tasks and the freedoms of an implementation (programs/freedoms).  Where the
loop picks the next item, no code of the program runs, so all that can follow is determined by the state: the objects
in reach of the tasks, the ready items, the timers and the named things (impl/sim/state.py).  A run that comes to a
state of an earlier run ends there.  So the search costs a run for each edge of a graph of states, where a search of
the lists of choices costs a run for each list.
"""

from collections.abc import Hashable, Sequence
from contextvars import Context
from itertools import zip_longest
from types import FunctionType
from typing import Any, Final, NamedTuple

import impl
from impl.sim.choices import Choices, Lane
from impl.sim.state import state_of

from ...programs.runtimes import TURNS_MAX, Ours
from ..stepping import Stepping

# `Any` in this file: lines and programs are JSON; objects of a run.
Line = list[Any]

#: The most objects of a state; no program of the catalogue comes near.
_OBJECTS: Final = 20_000
#: The ends of a run: nothing can happen any more, or any line may follow.
END: Final = -1
ANY: Final = -2


class Edge(NamedTuple):
    """The lines of a run after a choice, and the next state, END or ANY."""

    lines: list[Line]
    to: int


class TooLarge(Exception):
    """The search needs more runs than it may take."""


class _Merged(KeyboardInterrupt):
    """A run is at a state of an earlier one; a KeyboardInterrupt passes through the loop."""


class ChoiceGraph:
    """The states of a program at its choice points; `edges[state][choice]` follows a choice, from state 0 on.

    Parameters:
        program: the program.
        names: the reference with its freedoms, of one design.
        most: how many runs the search may take.

    Raises:
        TooLarge: it would take more.
    """

    def __init__(self, program: dict[str, Any], names: Any, most: int) -> None:
        self.edges: list[dict[int, Edge]] = [{}]
        self._known: dict[Hashable, int] = {}
        #: The choices that are yet to be run, as a list that replays them, with the state of the last one.
        self._left: list[tuple[list[int], int]] = [([], 0)]
        fewer = fewer_turns(program)
        for self.runs in range(most):
            if not self._left:
                return
            walk = _Walk(fewer, names, self, *self._left.pop())
            Context().run(walk.walk)  # no variable of the caller's is in the state
        raise TooLarge

    def state(self, key: Hashable, width: int, path: list[int]) -> tuple[int, bool]:
        """Return the number of a state, and whether it is new; None as the key is a state of its own."""
        if key in self._known:
            return self._known[key], False
        number = len(self.edges)
        if key is not None:
            self._known[key] = number
        self.edges.append({})
        self._left += [([*path, choice], number) for choice in range(width - 1, 0, -1)]
        return number, True


def fewer_turns(part: Any) -> Any:
    """Return a part of a program with one turn for several in a row: under order any, one may last as long."""
    if isinstance(part, dict):
        return {name: fewer_turns(of) for name, of in part.items()}
    if not isinstance(part, list):
        return part
    if part[:1] == ["turn"]:
        return ["turn"]
    return [
        each
        for each, after in zip_longest(map(fewer_turns, part), part[1:])
        if each != ["turn"] or not isinstance(after, list) or after[:1] != ["turn"]
    ]


class _Walk(Stepping):
    """A run that replays a list of choices, and then takes the first ones up to a known state or its end."""

    def __init__(self, program: dict[str, Any], names: Any, graph: ChoiceGraph, path: list[int], state: int) -> None:
        self._graph, self._path, self._state, self._at = graph, path, state, 0
        self._choice, self._begin, self._over = (path or [0])[-1], 0, False
        choices = Choices.plain()
        choices.schedule = choices.program = lane = _Drawn("walk", lambda n: 0)
        lane.walk = self
        loop: Any = Loop(choices, "any", turns_max=TURNS_MAX)
        loop.unspecified = self._unspecified
        super().__init__(program, Ours(names, loop))

    def walk(self) -> None:
        """Run, and write the edges of the graph that were met."""
        try:
            self._leave(END, self.play())
        except _Merged:
            pass
        finally:
            self._over = True
            self.loop.close()

    def draw(self, width: int, picks: bool) -> int:
        """Return the next choice."""
        if width <= 1 or self._over:
            return 0
        self._at += 1
        if self._at <= len(self._path):
            if self._at == len(self._path):
                self._begin = len(self.lines)
            return self._path[self._at - 1]
        number, new = self._graph.state(self._key() if picks else None, width, self._path)
        self._leave(number, self.lines)
        if not new:
            raise _Merged
        self._path.append(0)
        self._state, self._choice, self._begin = number, 0, len(self.lines)
        return 0

    def _leave(self, to: int, lines: list[Line]) -> None:
        if not self._over:
            self._graph.edges[self._state][self._choice] = Edge(lines[self._begin :], to)

    def _unspecified(self) -> None:
        self._leave(ANY, self.lines)
        self._over = True
        raise _Merged

    async def block(self, actor: str, statements: Sequence[Any]) -> Sequence[Any]:
        """Run statements, by a number that the state shows: Python 3.15 hides how far a loop over a list is."""
        for number in range(len(statements)):
            if got := await super().block(actor, statements[number : number + 1]):
                return got
        return []

    def end(self, named: list[str]) -> None:
        """Leave the end of the tasks to `walk`: the lines are complete."""

    def _key(self) -> Hashable:
        """Return a key of the state; equal keys have an equal future."""
        ready: dict[Any, int] = {}
        items: list[Any] = []
        for item in self.loop.ready:
            waker = item.waker()
            ready[waker] = ready.get(waker, 0) + (waker is not None or item.is_callback)
            items.append((item, waker, ready[waker]))
        tasks = {task: number for number, task in enumerate(self.loop.alive())}
        items.sort(key=lambda each: tasks.get(each[0], -1))  # stable: callbacks keep their order
        timers = self.loop.outstanding()[len(items) :]
        roots = [items, timers, list(tasks), self.things, self.frames]
        state = state_of(roots, self.loop.now, _OBJECTS, self._constant)
        return None if state is None else (self.loop.now, *state.tokens)

    def _constant(self, thing: Any) -> str:
        """Return a name of an object that is the same in all states."""
        if isinstance(thing, _Walk | Loop | _Drawn | Choices):
            return type(thing).__name__
        if isinstance(thing, type) or (isinstance(thing, FunctionType) and not thing.__closure__):
            return f"{thing.__module__}.{thing.__qualname__}"
        return ""


class _Drawn(Lane):
    """The lane of all choices of a run."""

    walk: _Walk

    def __call__(self, n: int) -> int:
        return self.walk.draw(n, picks=False)

    def pick(self, items: Sequence[object]) -> int:
        return self.walk.draw(len(items), picks=True)

    def finish(self) -> None:
        """The walk itself ends."""


class Loop(impl.Loop):
    """A loop that writes no text for a deadlock, and takes attributes."""

    def deadlocked(self) -> impl.DeadlockError:
        return impl.DeadlockError()
