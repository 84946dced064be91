"""Hunt with one harness, in a process of its own, and report the findings."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from impl.explore import KeepsState

from .harness import Harness, harness
from .searches import Hunted, explored, hunt
from .table import hunted_row


@dataclass(frozen=True)
class Result:
    """The result for a module, in a form that goes from process to process."""

    module: str
    lines: list[str]
    row: str = ""
    unexplained: int = 0


def result(module: str, runs: int | None, show: bool) -> Result:
    """Hunt with the harness of a module."""
    found = harness(module)
    if isinstance(found, str):
        return Result(module, [f"{module.rpartition('.')[2]}: not run: {found}"])
    start = time.monotonic()
    try:
        hunted = hunt(found, runs)
    except KeepsState as error:
        return Result(module, [f"{found.name}: the program is no function of its choices: {error}"], "", 1)
    milliseconds = (time.monotonic() - start) * 1000 / hunted.runs
    lines = list(_lines(hunted, milliseconds, show))
    return Result(module, lines, hunted_row(hunted), len(hunted.unexplained()))


def _lines(hunted: Hunted, milliseconds: float, show: bool) -> Iterator[str]:
    made: Harness = hunted.harness
    yield (
        f"{made.name}: {made.named}, {hunted.runs} runs of {milliseconds:.1f} ms, {len(hunted.outcomes)} outcomes; "
        f"finds: {', '.join(hunted.finds()) or 'none'}; unexplained: {len(hunted.unexplained())}"
    )
    for outcome in hunted.unexplained():
        search, seed = hunted.failing[outcome]
        yield f"    {search.name}, seed {seed}: {outcome}"
    if show and (unexplained := hunted.unexplained()):
        search, seed = hunted.failing[unexplained[0]]
        yield explored(made, search, seed=seed, runs=1).report()
