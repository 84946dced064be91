"""`loopspec check`, also `python -m spec`: search the pinned instances with all their properties, one line each.

Exit status 0: every instance is as pinned, and exercises its specification; 1: a property is broken (its trace is
printed), an instance is not as pinned, or no instance exercises a part of a shipped specification; 2: a usage error, or
an error in a user's file, reported in a line or two; 3: a model has more states than a search visits.  With `--trace`:
0 if a run is printed, 1 if there is none or the specification itself breaks the property.  With `--tlc`: as in
`tlc.py`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from ..kit.bounded import Holds, Instance
from ..registry import REGISTRY
from .run import Broken, CheckRun, Live, label, terminal
from .target import Parser, UsageError, chosen, is_users, report
from .tlc import compare
from .trace import show


class Pictures(Protocol):
    """Draws the findings of the command; `python -m spec` draws nothing, because this package imports no other."""

    def add_options(self, parser: argparse.ArgumentParser) -> Sequence[str]:
        """Add the options that name files; returns their names."""

    def begin(self, options: argparse.Namespace, instances: Sequence[Instance]) -> None:
        """Check the options, and draw the pictures that need no search.  Raises UsageError."""

    def end(self, options: argparse.Namespace, broken: Sequence[Broken]) -> None:
        """Draw a violation.  Raises UsageError."""


def main(argv: Sequence[str] | None = None, *, prog: str = "loopspec check", pictures: Pictures | None = None) -> int:
    """Run the command with those arguments (None: those of the process); returns the exit status."""
    try:
        options = _parser(prog, pictures).parse_args(argv)
        instances, path = _instances(options)
        if pictures is not None:
            pictures.begin(options, instances)
    except UsageError as error:
        print(f"{prog}: {error}", file=sys.stderr)
        return 2
    run = CheckRun(max(len(label(instance)) for instance in instances), Live(terminal()))
    try:
        if options.trace is not None:
            run.label = f"{options.target} --trace {options.trace}"
            return show(instances, options.trace)
        if options.tlc:
            return compare(instances, run)
        for instance in instances:
            run.instance(instance)
        for spec in {id(i.spec): i.spec for i in instances if isinstance(i, Holds)}.values():
            run.specification(spec, instances, own=path is not None)
        if pictures is not None:
            pictures.end(options, run.broken)
    except UsageError as error:
        print(f"{prog}: {error}", file=sys.stderr)
        return 2
    except (Exception, SystemExit) as error:
        if not is_users(error, path):
            raise
        print(f"{prog}: {report(error, path)}\n  while checking {run.label}", file=sys.stderr)
        return 2 if path else 1
    except KeyboardInterrupt as stopped:  # a property that does not return is found by where it was stopped
        where = report(stopped, path) or "KeyboardInterrupt"
        print(f"{prog}: {where}\n  while checking {run.label}", file=sys.stderr)
        raise
    print(f"{len(instances)} instances, {run.states:,} states, {run.edges:,} edges, {run.violations} violations")
    return 1 if run.violations else 3 * bool(run.unfinished)


def _parser(prog: str, pictures: Pictures | None) -> Parser:
    parser = Parser(prog=prog, description="Check bounded models of the specifications.")
    parser.add_argument(
        "--trace",
        metavar="PROPERTY",
        help="print a shortest counterexample: a run of a mutant that violates this property (a name or a rule);"
        " if none does, a run that exercises it",
    )
    parser.add_argument(
        "--tlc",
        action="store_true",
        help="let TLC search the same models in TLA+, and compare; needs Java and the extra `tlc`",
    )
    parser.add_argument("--full", action="store_true", help="the long form too, which takes minutes")
    drawn = [] if pictures is None else pictures.add_options(parser)
    parser.exclude("trace", ("tlc", *drawn), "--trace draws nothing")
    parser.exclude("tlc", drawn, "--tlc draws nothing")
    return parser


def _instances(options: argparse.Namespace) -> tuple[list[Instance], Path | None]:
    """The instances to search, and the file if they are from one.  Raises UsageError."""
    instances, path = chosen(options.target, REGISTRY)
    instances = [instance for instance in instances if options.full or not instance.full]
    if not instances:
        raise UsageError(f"{options.target}: every instance is in the long form only: add --full")
    if options.trace is not None and options.target is None:
        raise UsageError("--trace: name the specification or the file, too")
    return instances, path
