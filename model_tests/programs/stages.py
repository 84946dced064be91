"""A player of programs that are run in other ways than by a task of a plain loop.

The programs of the conformance kit may have more than vectors/FORMAT.md says.  The key `how` is a list of words:

    eager     tasks take their first step within create_task
    debug     the loop is in debug mode
    ambient   a context variable has the name of the innermost body, and each line ends with it
    outside   no loop runs main, which awaits nothing and calls `run` or `Runner`; the `loop_factory` is `this_loop`

The call `["agen", C]` makes an asynchronous generator that yields 1, and awaits C when it is closed.  The statement
`["repeat", S]` runs S `FIRST` times, and then `ROUNDS` times; recorded is whether the latter leave at least as many
objects.
"""

import asyncio
import gc
from collections.abc import AsyncGenerator, Awaitable, Sequence
from contextvars import ContextVar
from typing import Any, Final

import impl

from .reachable import reachable
from .vectors.player import Player
from .vectors.runtime import Runtime

# `Any` in this file: as in player.py.

FIRST: Final = 5
ROUNDS: Final = 50
#: The outcomes of a repeat.
KEEPS: Final = "keeps objects"
FREES: Final = "keeps nothing"
AMBIENT: Final[ContextVar[str]] = ContextVar("in", default="")


class Staged(Player):
    """A player that runs a program as its key `how` says."""

    over = False  #: whether nothing that follows is of interest

    def __init__(self, program: dict[str, Any], runtime: Any) -> None:
        self.how = program.get("how", ())
        if "eager" in self.how:
            runtime.eager()
        super().__init__(program, runtime)
        self.things["agen"] = agen
        if "outside" in self.how:
            self.things["this_loop"] = lambda: self.loop
            self.default: Any = None  #: the loop of a `run` without loop_factory, as before 3.12
            runtime.start = self.outside

    def play(self) -> list[list[Any]]:
        if "debug" in self.how and hasattr(self.loop, "set_debug"):
            self.loop.set_debug(True)
        return super().play()

    def outside(self, main: Any) -> None:
        """Run main to its end while no loop runs."""
        self.things["main"] = None  # as in `play`, it is the first thing that has a name
        make = vars(asyncio.events)["new_event_loop"]  # the attribute would be asyncio's, not the subject's
        asyncio.events.new_event_loop = lambda: self.default or Runtime().loop
        try:
            main.send(None)
        except StopIteration:
            pass
        except BaseException as error:
            self.note("end", "main", "raised " + self.show(error))
        finally:
            asyncio.events.new_event_loop = make

    def rest(self) -> None:
        if not self.loop.is_closed():
            super().rest()

    def end(self, named: list[str]) -> None:
        if not self.loop.is_closed():
            super().end(named)

    def note(self, actor: str, what: str, outcome: str) -> None:
        if "ambient" in self.how and actor != "handler":
            outcome += f" in {AMBIENT.get()}"
        super().note(actor, what, outcome)

    async def body(self, name: str) -> Any:
        if "ambient" not in self.how:
            return await super().body(name)
        before = AMBIENT.get()
        AMBIENT.set(name)
        try:
            return await super().body(name)
        finally:
            AMBIENT.set(before)

    async def block(self, actor: str, statements: Sequence[Any]) -> Sequence[Any]:
        for kind, *rest in statements:
            if self.over:
                break
            if kind == "repeat":
                self.note(actor, "repeat", KEEPS if await self.grows(actor, *rest) else FREES)
            elif got := await self.run(actor, kind, *rest):
                return got
        return []

    async def grows(self, actor: str, statements: Sequence[Any]) -> bool:
        """Run statements many times; return whether each time leaves an object behind, not counting the first times."""
        lines, sizes = self.lines, []
        gc.freeze()  # so that objects which exist already take no time
        for times in (FIRST, ROUNDS):
            for _ in range(times):
                self.lines = []
                await self.block(actor, statements)
            gc.collect()
            # Kept on purpose, but by the reference: a program that leaves objects there asks for none of a subject.
            shown = set(map(id, reachable(() if self.runtime.names is impl else self.things.values())))
            sizes.append(sum(id(each) not in shown for each in gc.get_objects()))
        self.lines = lines
        return sizes[1] - sizes[0] >= ROUNDS

    def named(self, name: str) -> Any:
        names = self.runtime.names
        found = getattr(names, name) if hasattr(names, name) else super().named(name)
        if name != "run" or "loop_factory" in getattr(getattr(found, "__code__", None), "co_varnames", ()):
            return found
        self.default = self.loop
        return lambda *args, loop_factory=None, **more: found(*args, **more)


async def agen(closes: Awaitable[object]) -> AsyncGenerator[int, None]:
    """Yield 1, and await `closes` when the generator is closed."""
    try:
        yield 1
    finally:
        await closes
