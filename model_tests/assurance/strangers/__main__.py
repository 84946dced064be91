"""Measure the search without options on the programs of strangers: python -m model_tests.assurance.strangers

    [NAME...] [--seeds N] [--every N] [--show] [--write] [--jobs N]

NAME is the beginning of a program's name.  The exit status is 1 if fewer seeds find a race than races.md says, or it is
named worse, or a correct program is accused; 2, if there is no such program.  `--write` writes the tables instead.
"""

import argparse
import logging
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from typing import Final

from ...dev.rows import Rows, row
from .corpus import FOLDER, Stranger, strangers
from .measure import EVERY, SEEDS, Result, measured
from .naming import RANK

_RACES_HEAD: Final = """# Racy programs of strangers

Written by `make strangers ARGS=--write`.  Each program is written after a public report, before it was searched
(races_*.txt).  `loopspec explore FILE:main` without options makes at most 200 runs from each of 20 first seeds.
*Named*: a sentence of the report names the variable, primitive or timeout with its lines; or the table of steps does,
where no run passes.

| program | report | found from | run | named | why not |
|---|---|---|---|---|---|
"""
_CORRECT_HEAD: Final = """# Correct programs of strangers

Written by `make strangers ARGS=--write`.  None may be accused (correct_*.txt): by `loopspec explore FILE:main` from
20 first seeds, or with `--every --runs 2000`.  A row says how many seeds, or runs, it is of.

| program | kind | accused from | `--every` |
|---|---|---|---|
"""
RACES: Final = Rows(FOLDER / "races.md", _RACES_HEAD)
CORRECT: Final = Rows(FOLDER / "correct.md", _CORRECT_HEAD)


def row_of(stranger: Stranger, result: Result) -> str:
    """The row of a program in its table."""
    name, seeds = name_of(stranger), f"{len(result.failed)} of {result.searches}"
    if not stranger.racy:
        return row(name, stranger.source, seeds, result.every)
    why = f"refused: {result.refused}" if result.refused else stranger.why or "-"
    return row(name, stranger.source, seeds, result.run, result.named if result.failed else "-", why)


def worse(stranger: Stranger, result: Result, stored: str) -> str:
    """How a result falls below its stored row; "": it does not."""
    cells = stored.strip("| ").split(" | ")
    if not stranger.racy:
        accused = result.failed or not result.every.startswith(("exhausted", "not exhausted"))
        return "a correct program is accused" if accused else ""
    (known, searches), before = map(int, cells[2].split(" of ")), cells[4]
    least = known if result.searches == searches else result.searches * (known == searches)
    if len(result.failed) < least:
        return f"found from {len(result.failed)} of {result.searches} seeds, and before from {cells[2]}"
    if result.failed and before in RANK and RANK.index(result.named) < RANK.index(before):
        return f"named: {result.named}, and before: {before}"
    return ""


def _line(stranger: Stranger, result: Result) -> str:
    """A result as it is printed."""
    head = f"{stranger.name:5} {stranger.title:36} {result.seconds:6.1f} s  "
    if not stranger.racy:
        return f"{head}accused from {len(result.failed)} of {result.searches} seeds; --every: {result.every}"
    refused = f"refused: {result.refused}" if result.refused else ""
    named = result.named if result.failed else "-"
    found = f"found from {len(result.failed):2} of {result.searches} seeds, run {result.run:5} named: {named}"
    return head + (refused or found)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print and compare, or write; returns the exit status."""
    parser = argparse.ArgumentParser(prog="strangers", allow_abbrev=False)
    parser.add_argument("names", nargs="*", metavar="NAME", help="the beginning of a program's name (all)")
    parser.add_argument("--seeds", type=int, default=SEEDS, help=f"first seeds ({SEEDS})")
    parser.add_argument(
        "--every", type=int, default=EVERY, help=f"the runs of --every on a correct program ({EVERY:,})"
    )
    parser.add_argument("--show", action="store_true", help="the first report of each program")
    parser.add_argument("--write", action="store_true", help="write the rows, instead of comparing")
    parser.add_argument("--jobs", type=int, default=2, help="programs at once (2)")
    given = parser.parse_args(argv)
    chosen = [each for each in strangers().values() if not given.names or each.name.startswith(tuple(given.names))]
    if not chosen:
        print(f"strangers: no program begins with {' or '.join(given.names)}", file=sys.stderr)
        return 2
    for each in chosen:
        if each.absent:
            print(f"{each.name:5} {each.title:36} not run: it needs {', '.join(each.absent)}")
    there = [each for each in chosen if not each.absent]
    search = partial(measured, seeds=given.seeds, every=given.every)
    if given.jobs == 1:
        return _judged(map(search, there), given)
    with ProcessPoolExecutor(given.jobs, initializer=logging.disable, max_tasks_per_child=1) as pool:
        return _judged((each.result() for each in as_completed([pool.submit(search, each) for each in there])), given)


def _judged(results: Iterable[Result], given: argparse.Namespace) -> int:
    """Print the results as they come, and compare them, or write their rows; returns the exit status."""
    status, stored = 0, {**RACES.read(), **CORRECT.read()}
    for result in results:
        stranger = strangers()[result.name]
        print(_line(stranger, result), flush=True)
        if given.show and result.said:
            print(result.said)
        new = row_of(stranger, result)
        if given.write:
            (RACES if stranger.racy else CORRECT).write({name_of(stranger): new})
        elif wrong := worse(stranger, result, stored.get(name_of(stranger), new)):
            status = 1
            print(f"WORSE {stranger.name}: {wrong}")
    return status


def name_of(stranger: Stranger) -> str:
    """The first cell of its row."""
    return f"{stranger.name} {stranger.title}"


if __name__ == "__main__":
    sys.exit(main())
