"""The runs that the reduction needs for the classics, on both loops: python -m model_tests.assurance.reduction.table.

Columns: the schedules, the runs and the classes of the reduction, its steps and those that were not understood, and
whether both have the same outcomes.
"""

from __future__ import annotations

import logging
import sys
import warnings
from pathlib import Path
from types import ModuleType

from impl.explore.reduction.exhaust import Exhaustion, exhaust
from impl.explore.reduction.host_asyncio import asyncio_hosts
from impl.explore.reduction.host_impl import impl_hosts
from impl.explore.reduction.program import execute

from ...examples import races

#: Without the two that have too many schedules, or only one.
_NAMES = (
    "lost_update", "two_locks", "swallowed_cancel", "dead_consumer", "item_lost", "seen_set", "right_lock",
    "independent",
)  # fmt: skip
_IMPORT = """\
import asyncio
"""


def on_impl() -> tuple[ModuleType, ModuleType]:
    """The module of the races with impl in the place of asyncio, and its rewritten copy."""
    path = races.__file__
    text = Path(path).read_text(encoding="utf-8").replace(_IMPORT, f"import {impl_name()} as asyncio\n")
    plain = ModuleType("races_on_impl")
    del plain.__spec__  # a traceback of 3.15 warns of a spec without a loader
    exec(compile(text, path, "exec"), vars(plain))
    return plain, execute(text, path, "races_on_impl")


def impl_name() -> str:
    """The name of the package impl, which an installed one has changed."""
    return exhaust.__module__.removesuffix(".explore.reduction.exhaust")


def row(name: str, runtime: str, every: Exhaustion, found: Exhaustion) -> str:
    """One line of the table."""
    same = "same" if set(every.outcomes) == set(found.outcomes) else "DIFFERENT"
    return (
        f"{name:17}{runtime:9}{every.runs:9}{found.runs:6}{found.classes:9}{found.steps:7}{found.unknown:9}"
        f"{len(found.outcomes):10} {same}"
    )


def main() -> int:
    logging.disable()
    warnings.simplefilter("ignore")
    plain, copy = on_impl()
    head = ("program", "loop", "schedules", "runs", "classes", "steps", "unknown", "outcomes")
    print("{:17}{:9}{:>9}{:>6}{:>9}{:>7}{:>9}{:>10}".format(*head))
    for name in _NAMES:
        every = exhaust(getattr(plain, name), impl_hosts, algorithm="naive", rewrites=False)
        print(row(name, "impl", every, exhaust(getattr(copy, name), impl_hosts)), flush=True)
        program = getattr(races, name)
        every = exhaust(program, asyncio_hosts, algorithm="naive", rewrites=False)
        print(row(name, "asyncio", every, exhaust(program, asyncio_hosts)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
