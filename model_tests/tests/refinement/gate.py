"""The specification and the code that `loopspec new` writes, wrong code that derives from it, and programs with it."""

import asyncio
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from impl.explore import Found

from ...commands.template import ADAPTER, TEXT
from ...explored import OwnOracle, explore

# Any in this file: names of the written files.


def module(name: str, text: str, **given: object) -> Any:
    """The names that a written file defines; its import of the other file is given."""
    made = sys.modules[name] = ModuleType(name)  # dataclasses look their module up
    del made.__spec__  # a traceback of 3.15 warns of a spec without a loader
    vars(made).update(given)
    exec(compile(text.replace("from gate import", "# from gate import"), f"{name}.py", "exec"), vars(made))
    return made


GATE = module("own_gate", TEXT)
CODE = module("own_gate_adapter", ADAPTER, Const=GATE.Const, State=GATE.State)
Permits: Any = CODE.Permits


class Deaf(Permits):  # type: ignore[misc]  # it was compiled here
    """A tick wakes no task."""

    def tick(self) -> None:
        self.waiters.clear()
        super().tick()


class Counted(Permits):  # type: ignore[misc]  # as above
    """A tick that calls that of the class before."""

    def tick(self) -> None:
        self.ticks = getattr(self, "ticks", 0) + 1
        super().tick()


class Timeless(Permits):  # type: ignore[misc]  # as above
    tick = None


class Handed(Permits):  # type: ignore[misc]  # as above
    """A call returns a future that its caller must await."""

    def acquire(self) -> Any:
        return super().acquire()


def program(code: Any, tasks: int = 2, cancel: bool = False) -> Callable[[], Any]:
    """Some tasks acquire; then time passes, and one may be cancelled at that moment."""

    async def main() -> None:
        permits, other = code(1), code(1)
        await asyncio.create_task(other.acquire())
        loop = asyncio.get_running_loop()
        waiting = [loop.create_task(permits.acquire()) for _ in range(tasks)]
        for moment in range(1, tasks):
            loop.call_later(moment, permits.tick)
        if cancel:
            loop.call_later(1, waiting[-1].cancel)
        await asyncio.wait(waiting)

    return main


def judged(main: Callable[[], Any], code: Any = Permits, **more: Any) -> Found:
    return explore(main, spec=OwnOracle(GATE.model(), code, **more), runs=20, late=0)
