"""Every fifth vector: tasks that await each other, and compete for locks, permits, items and wake-ups."""

from __future__ import annotations

import asyncio
import sys
from functools import partial
from typing import Any, Final

from ...assurance.reduction.loop_programs import LoopProgram
from ...conformance.normal import strings
from ...programs.vectors.catalogue import CATALOGUE
from ...programs.vectors.vector import Vector
from .registry import Programs

# `Any`: see registry.py.


async def played(vector: Vector) -> Any:
    run = LoopProgram(vector.program, asyncio)
    await run.body("main")
    return run.outcome()


#: Errors that would end the simulated run.
LEAVE: Final = frozenset({"KeyboardInterrupt", "SystemExit"})
program: Final = Programs(
    {
        each.name: partial(played, each)
        for each in CATALOGUE[::5]
        if each.since <= sys.version_info[:2] and LEAVE.isdisjoint(strings(each.program))
    }
)
