"""Hunt, and write the table: python -m model_tests.libraries.hunt [NAME...] [--runs N] [--show] [--jobs N]

NAME is a part of a harness's name, which begins with that of the library; without one all are hunted.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Final

from impl.explore import KeepsState

from ..dev.rows import Rows, row
from .finding import FOLDER, linked
from .harness import Harness, harness, places
from .searches import Hunted, explored, hunt, quiet

_HEAD: Final = """# The hunt

Written by `make hunt`.  Each harness is a program that uses a library as its users do, and says what must hold.  It is
run under drawn schedules, with late timers, with timeouts that expire early, with its tasks cancelled at each
suspension, once and twice, and with faults of the network where it bears them.  *Finds* are in
[FINDINGS.md](FINDINGS.md); what does *not count* is allowed by the library's documentation, or was never
promised, for the reason given.

| harness | library | what must hold | runs | outcomes | finds | does not count | survived |
|---|---|---|---|---|---|---|---|
"""


TABLE: Final = Rows(FOLDER / "HUNT.md", _HEAD)


@dataclass(frozen=True)
class HarnessResult:
    """The result of a harness, in a form that goes from process to process."""

    name: str
    lines: list[str]
    row: str = ""
    unexplained: int = 0


def result(name: str, runs: int | None, show: bool) -> HarnessResult:
    """Hunt with a harness, and return its lines and its row."""
    found = harness(name)
    if isinstance(found, str):
        return HarnessResult(name, [f"{name}: not run: {found}"])
    start = time.monotonic()
    try:
        hunted = hunt(found, runs)
    except KeepsState as error:
        return HarnessResult(name, [f"{found.name}: the program is no function of its choices: {error}"], "", 1)
    milliseconds = (time.monotonic() - start) * 1000 / hunted.runs
    lines = list(_lines(hunted, milliseconds, show))
    return HarnessResult(name, lines, _row(hunted), len(hunted.unexplained()))


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


def _row(hunted: Hunted) -> str:
    """Return the row of a harness."""
    harness = hunted.harness
    finds = ", ".join(map(linked, hunted.finds()))
    return row(
        harness.name,
        harness.named,
        harness.holds,
        f"{hunted.runs:,}",
        str(len(hunted.outcomes)),
        finds or "none",
        "<br>".join(hunted.reasons()) or "-",
        "no" if finds or hunted.unexplained() else "yes",
    )


def main(argv: Sequence[str]) -> int:
    """Print the result of each harness; exit status 1 if an outcome has no explanation."""
    parser = argparse.ArgumentParser(prog="hunt")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--runs", type=int, help="the runs of each harness, instead of its whole budget")
    parser.add_argument("--show", action="store_true", help="the report of the first outcome without explanation")
    parser.add_argument("--jobs", type=int, default=2, help="harnesses at once (2)")
    options = parser.parse_args(argv)
    chosen = [name for name in places() if not options.names or name.startswith(tuple(options.names))]
    if not chosen:
        print(f"hunt: no harness begins with {' or '.join(options.names)}", file=sys.stderr)
        return 2
    unexplained = 0
    with ProcessPoolExecutor(options.jobs, initializer=quiet, max_tasks_per_child=1) as pool:
        for done in pool.map(result, chosen, [options.runs] * len(chosen), [options.show] * len(chosen)):
            print(*done.lines, sep="\n", flush=True)
            unexplained += done.unexplained
            if done.row and options.runs is None:
                TABLE.write({done.name: done.row})
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
