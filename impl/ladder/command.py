"""Teaching code: `loopspec ladder`, which runs each rung and prints its use of resources.

Each rung fetches the same pages in a fresh environment.  The table shows the simulated environment, where only waiting
takes time; with --real each rung also runs on real sockets, threads and processes.  Below the table: how many
connections, coroutines and threads can wait at once, and a site on which the chapter's crawler has two results.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from typing import Final

from ..commands.options import Number, Parser, UsageError, clipped
from . import scale
from .latency import table as latency_table
from .measure import PAGE_MS, Measured, makespan, measure, pages
from .rung import RUNGS, Rung
from .two_schedules import two_schedules
from .units import waiting_bytes
from .world.real import RealWorld

PAGES: Final = 10
PAGES_MAX: Final = 1000

#: The files that a page may need in the real environment, two sockets and a selector; and those open besides.
FILES_A_PAGE: Final = 3
FILES_BESIDE: Final = 50

#: The columns and their widths, and those that hold text.
COLUMNS: Final = {
    "rung": 12,
    "virtual s": 9,
    "real s": 6,
    "at once": 7,
    "threads": 7,
    "bytes each": 10,
    "in vain": 7,
    "result": 7,
    "": 0,
}
LEFT: Final = ("rung", "result", "")

NOTES: Final = (
    "at once     connections that were open, or being made",
    "threads     beside the main one; in the pool of processes, these",
    "bytes each  of what waits for a page; - where nothing does but the program itself",
    "in vain     calls of connect, send and recv that found nothing ready",
    "*           computed: list scheduling of ten workers.  The text's 0.6 s hold the start of the processes, too;",
    "            4.5 s are 7.5 times as long, not nine times, as it says.",
)
BOTH: Final = "A rung that ran in both worlds shows the simulated run, except for its real seconds."


def main(argv: Sequence[str]) -> int:
    """Run the command; returns the exit status: 0, 1 if a result differs from the reference, 2 for a usage error."""
    parser = Parser("loopspec ladder", "Fetch the same pages in every way of the texts")
    parser.add_argument("--pages", type=Number(1, PAGES_MAX), metavar="N", help=f"pages of the site ({PAGES})")
    parser.add_argument("--real", action="store_true", help="on real sockets too, in real time")
    parser.add_argument("--rung", metavar="NAME", help=f"only this one: {', '.join(r.name for r in RUNGS)}")
    parser.add_argument("--latency", action="store_true", help="the table of latencies instead")
    parser.exclude("latency", ("pages", "real", "rung"), "--latency shows a table of its own")
    try:
        options = parser.parse_args(argv)
        rungs = selected(options.rung)
        options.pages = options.pages or PAGES
        if options.real:
            allow_files(FILES_A_PAGE * options.pages + FILES_BESIDE)
            for rung in rungs:
                rung.load()  # fails before anything is printed
    except UsageError as error:
        print(f"loopspec ladder: {error}", file=sys.stderr)
        return 2
    if options.latency:
        print("\n".join(latency_table()))
        return 0
    return show(rungs, options)


def selected(name: str | None) -> Sequence[Rung]:
    """All rungs, or the one of that name; raises UsageError when there is none."""
    found = [rung for rung in RUNGS if name in (None, rung.name)]
    if not found:
        raise UsageError(
            f"--rung: there is no {clipped(name or '')}; there are: {', '.join(rung.name for rung in RUNGS)}"
        )
    return found


def allow_files(count: int) -> None:
    """Raise the limit of open files to `count`; raises UsageError when that is not allowed.  Windows has no limit."""
    if sys.platform == "win32":
        return
    import resource  # here, as it is not there on Windows

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < count:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (count, hard))
        except (ValueError, OSError):
            raise UsageError(f"--real: so many pages need {count} open files, of which there may be {hard}") from None


def show(rungs: Sequence[Rung], options: argparse.Namespace) -> int:
    """Measure the rungs and print a line each; returns the exit status."""
    site = pages(options.pages)
    urls = list(site.resources)
    left_out = () if options.real else ("real s",)
    print(line(dict(zip(COLUMNS, COLUMNS, strict=True)), left_out))
    wrong = 0
    for rung in rungs:
        simulated = None if why_not(rung) else measure(rung, rung.simulated(site), site, urls)
        real = measure(rung, RealWorld(site), site, urls) if options.real else None
        print(line(row(rung, simulated, real, len(urls)), left_out), flush=True)
        wrong += any(run is not None and not run.right for run in (simulated, real))
    print()
    print("\n".join((*NOTES, BOTH) if options.real else NOTES))
    if options.rung is None:
        print()
        print("\n".join(scale.report()))
        print()
        print("\n".join(two_schedules()))
    return 1 if wrong else 0


def why_not(rung: Rung) -> str:
    """Why a rung does not run in the simulated environment; "": it does."""
    if rung.only_real:
        return f"only with --real: {rung.only_real}"
    try:
        rung.load()
    except ModuleNotFoundError as missing:
        return f"{missing.name} is not installed"
    return ""


def row(rung: Rung, simulated: Measured | None, real: Measured | None, count: int) -> dict[str, str]:
    """The cells of one rung; a run that was left out leaves its cells empty, and the last cell gives the reason."""
    computed = f"{makespan([PAGE_MS] * count, 10) / 1000:.2f}*"
    cells = {"rung": rung.name, "virtual s": computed if simulated is None else f"{simulated.seconds:.2f}"}
    run = simulated or real
    if run is None:
        return cells | {"result": "not run", "": why_not(rung)}
    each = waiting_bytes(rung)
    return cells | {
        "real s": "" if real is None else f"{real.seconds:.2f}",
        "at once": f"{run.meter.concurrency:,}",
        "threads": f"{run.meter.threads + run.meter.processes:,}",
        "bytes each": "-" if each is None else f"{each:,.0f}",
        "in vain": f"{run.meter.vain:,}",
        "result": "equal" if run.right else "DIFFERS",
        "": rung.title,
    }


def line(cells: Mapping[str, str], left_out: Sequence[str]) -> str:
    """The cells in their columns; text on the left, figures on the right."""
    aligned = []
    for name, width in COLUMNS.items():
        cell = cells.get(name, "")
        if name not in left_out:
            aligned.append(cell.ljust(width) if name in LEFT else cell.rjust(width))
    return "  ".join(aligned).rstrip()
