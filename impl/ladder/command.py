"""Teaching code: `loopspec ladder`, which runs every rung and shows what it used.

Theory of operation.  Each rung gets a fresh world and the same pages.  The first table is of the simulated world, where
only waiting takes time; with --real each rung runs on real sockets, threads and processes too.  Below stands how many
can wait at once, and a site of which the chapter's crawler does not always find the same.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Final

from ..options import Number, Parser, UsageError
from . import scale
from .latency import table as latency_table
from .measure import PAGE_MS, Measured, bytes_of, measure, pages
from .real import RealWorld
from .rung import RUNGS, Rung
from .schedule import makespan
from .simulated import SimulatedWorld
from .two_schedules import two_schedules

PAGES_MAX: Final = 1000

NOTES: Final = (
    "* computed: what list scheduling gives ten workers; the 0.6 s of the text hold the start of the processes.",
    "  The text calls 0.6 s of 4.5 s about a ninth; it is a seventh and a half.",
)

HEAD: Final = ("rung", "simulated s", "real s", "at once", "threads", "a unit, bytes", "in vain", "result")


def main(argv: Sequence[str]) -> int:
    """Run the command; returns the exit status: 0, 1 when a result is not the reference's, 2 for bad usage."""
    parser = Parser("loopspec ladder", "fetch the same pages in every way of the texts")
    parser.add_argument(
        "--pages", type=Number(1, PAGES_MAX), default=10, metavar="N", help="so many pages (10)"
    )
    parser.add_argument("--real", action="store_true", help="on real sockets too, in real time")
    parser.add_argument("--rung", metavar="NAME", help="only this one")
    parser.add_argument("--latency", action="store_true", help="the table of latencies instead")
    try:
        options = parser.parse_args(argv)
        rungs = selected(options.rung)
        if options.latency and (options.real or options.rung):
            raise UsageError("--latency shows a table of its own; leave out --real and --rung")
    except UsageError as error:
        print(f"loopspec ladder: {error}", file=sys.stderr)
        return 2
    if options.latency:
        print("\n".join(latency_table()))
        return 0
    return show(rungs, options)


def selected(name: str | None) -> Sequence[Rung]:
    """All rungs, or the one of that name."""
    found = [rung for rung in RUNGS if name in (None, rung.name)]
    if not found:
        raise UsageError(f"--rung: there is no {name!r}; there are: {', '.join(rung.name for rung in RUNGS)}")
    return found


def show(rungs: Sequence[Rung], options: argparse.Namespace) -> int:
    """Measure and print, a line each; the exit status."""
    site = pages(options.pages)
    urls = list(site.resources)
    width = max(len(rung.name) for rung in rungs)
    widths = [max(width, len(HEAD[0])), *(len(head) for head in HEAD[1:])]
    print(line(HEAD, widths))
    wrong = 0
    for rung in rungs:
        simulated = None if rung.only_real else measure(rung, SimulatedWorld(site), site, urls)
        real = measure(rung, RealWorld(site), site, urls) if options.real else None
        print(line(row(rung, simulated, real, len(urls)), widths), flush=True)
        wrong += any(run is not None and not run.right for run in (simulated, real))
    print()
    print("\n".join(NOTES))
    if options.rung is None:
        print()
        print("\n".join(scale.report()))
        print()
        print("\n".join(two_schedules()))
    return 1 if wrong else 0


def row(rung: Rung, simulated: Measured | None, real: Measured | None, count: int) -> tuple[str, ...]:
    """The cells of one rung."""
    run = simulated or real
    computed = f"{makespan([PAGE_MS] * count, 10) / 1000:.2f}*"
    unit = rung.unit
    return (
        rung.name,
        computed if simulated is None else f"{simulated.seconds:.2f}",
        "" if real is None else f"{real.seconds:.2f}",
        "" if run is None else str(run.meter.concurrency),
        "" if run is None else str(run.meter.threads + run.meter.processes),
        "" if unit is None else f"{bytes_of(unit):,}",
        "" if run is None else f"{run.meter.vain:,}",
        "not run" if run is None else "equal" if run.right else "DIFFERS",
    )


def line(cells: Sequence[str], widths: Sequence[int]) -> str:
    """The name to the left, figures to the right."""
    figures = (f"{cell:>{width}}" for cell, width in zip(cells[1:], widths[1:], strict=True))
    return "  ".join([cells[0].ljust(widths[0]), *figures]).rstrip()
